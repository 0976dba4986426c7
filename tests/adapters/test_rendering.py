"""The adapters draw views as text, as SVG and in pixels, and frames suit Gymnasium's RecordVideo."""

import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import RecordVideo

from sevenhues import load, pictures
from sevenhues.adapters.gymnasium import SeatEnv, register
from sevenhues.adapters.gymnasium_vector import VectorSeatEnv
from sevenhues.adapters.pettingzoo import env, parallel_env
from sevenhues.adapters.rendering import RGB_ARRAY, SVG
from sevenhues.render.pieces import FACES

SHAPE = (630, 1200, 3)
RECIPES_PYTHON = Path(__file__).parents[2] / ".venv-recipes" / "bin" / "python"  # with MoviePy


def colours_of(frame: Any) -> set[int]:
    """Return the colours of a frame as numbers, red first."""
    channels = frame.astype(np.uint32)
    return set(np.unique(channels[..., 0] << 16 | channels[..., 1] << 8 | channels[..., 2]).tolist())


@pytest.mark.parametrize("name", register())
def test_gymnasium_renders_text_svg_and_pixels(name: str) -> None:
    views = {}
    for mode in ("ansi", SVG, RGB_ARRAY):
        table: Any = gymnasium.make(name, render_mode=mode).unwrapped
        table.reset(seed=1)
        views[mode] = table.render()
    game = table.configured.game
    view = game.view(table.position, 0)
    assert views["ansi"] == game.renderer().draw(view, False)
    assert views[SVG] == game.renderer().picture(view, ())
    assert (views[RGB_ARRAY].shape, views[RGB_ARRAY].dtype) == (SHAPE, np.uint8)
    assert len(colours_of(views[RGB_ARRAY])) > 100


def test_pixels_show_the_faces_of_the_view() -> None:
    table = SeatEnv("rainbow", render_mode=RGB_ARRAY)
    table.reset(seed=2)
    view = table.configured.game.view(table.position, 0)
    shown = {card["face"] for hand in view["hands"] for card in hand} | {view["next"]}
    assert shown <= set(FACES)
    colours = colours_of(table.render())
    # All nine hues are on the table: seven in the arch that marks the sixth place.
    assert {int(FACES[face].hue[1:], 16) for face in shown} <= colours
    missing = {"W", "K"} - shown - {card["face"] for card in view["row"]}
    assert not {int(FACES[face].hue[1:], 16) for face in missing} & colours


def test_pettingzoo_draws_the_view_of_the_seat_to_act_with_the_names_of_agents() -> None:
    table = env("rainbow", render_mode=SVG)
    table.reset(seed=1)
    game = load("rainbow")
    view = game.view(table.position, table.position.to_act()[0])
    assert table.render() == game.renderer().picture(view, ["player_0", "player_1"])
    race = parallel_env("nimble", render_mode=RGB_ARRAY)
    race.reset(seed=1)
    assert race.render().shape == SHAPE


def test_vector_environment_renders_every_game() -> None:
    table = VectorSeatEnv("rainbow", 2, render_mode=RGB_ARRAY)
    table.reset(seed=1)
    first, second = table.render()
    assert (first.shape, second.shape) == (SHAPE, SHAPE)
    assert not np.array_equal(first, second)


def test_unknown_render_mode_is_refused() -> None:
    with pytest.raises(ValueError, match="render_mode must be None, 'ansi', 'svg' or 'rgb_array', not 'video'"):
        SeatEnv("rainbow", render_mode="video")
    with pytest.raises(ValueError, match="'rgb_array' or 'human', not 'video'"):
        env("rainbow", render_mode="video")


def test_pixels_without_a_rasterizer_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(ImportError, match=r'pip install "sevenhues\[pictures\]"'):
        SeatEnv("rainbow", render_mode=RGB_ARRAY)
    table = SeatEnv("rainbow", render_mode=SVG)
    table.reset(seed=1)
    assert table.render().startswith("<svg")


class Clip:
    """Stands in for moviepy's writer of videos, which needs an older Pillow than the other requirements."""

    written: list[tuple[str, int, list[Any]]] = []

    def __init__(self, frames: list[Any], fps: int) -> None:
        self.frames = frames
        self.fps = fps

    def write_videofile(self, path: str, logger: str | None) -> None:
        Clip.written.append((Path(path).name, self.fps, self.frames))


def test_record_video_gets_a_frame_of_every_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("moviepy", "moviepy.video", "moviepy.video.io"):
        monkeypatch.setitem(sys.modules, module, ModuleType(module))
    clips: Any = SimpleNamespace(ImageSequenceClip=Clip)
    monkeypatch.setitem(sys.modules, "moviepy.video.io.ImageSequenceClip", clips)
    monkeypatch.setattr(Clip, "written", [])
    table: Any = gymnasium.make("sevenhues/Rainbow-v0", render_mode=RGB_ARRAY)
    recorded: Any = RecordVideo(table, str(tmp_path / "videos"), episode_trigger=lambda episode: True)
    _, info = recorded.reset(seed=1)
    for _ in range(3):
        _, _, over, _, info = recorded.step(int(np.flatnonzero(info["action_mask"])[0]))
        assert not over
    recorded.stop_recording()
    ((name, fps, frames),) = Clip.written
    assert (name, fps, len(frames)) == ("rl-video-episode-0.mp4", 1, 4)
    assert {frame.shape for frame in frames} == {SHAPE}
    assert any(not np.array_equal(frame, frames[0]) for frame in frames)


RECORD_VIDEO = """
import gymnasium, imageio_ffmpeg, sys
from gymnasium.wrappers import RecordVideo
game = "sevenhues.adapters.gymnasium:sevenhues/Rainbow-v0"
recorded = RecordVideo(gymnasium.make(game, render_mode="rgb_array"), sys.argv[1], episode_trigger=lambda number: True)
_, info = recorded.reset(seed=1)
for _ in range(3):
    _, _, over, _, info = recorded.step(int(info["action_mask"].argmax()))
recorded.close()
frames = imageio_ffmpeg.read_frames(sys.argv[1] + "/rl-video-episode-0.mp4")
print(*next(frames)["size"], len(list(frames)))
"""


@pytest.mark.long
@pytest.mark.skipif(not RECIPES_PYTHON.exists(), reason="`make test-long` sets up .venv-recipes")
def test_record_video_writes_a_video_with_moviepy(tmp_path: Path) -> None:
    command = [str(RECIPES_PYTHON), "-c", RECORD_VIDEO, str(tmp_path)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert printed.splitlines()[-1] == "1200 630 4"


@pytest.mark.parametrize("family", ["serif", "sans-serif", "monospace"])
@pytest.mark.parametrize("letters", ["Ag", "ÄœžŁ", "–…"])
def test_text_is_drawn_in_the_own_fonts_on_a_machine_without_fonts(
    family: str, letters: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rasterizer = pictures.require_rasterizer()
    without_fonts: list[bool] = []

    def spy(**arguments: Any) -> bytes:
        without_fonts.append(arguments["skip_system_fonts"])
        return bytes(rasterizer.svg_to_bytes(**arguments))

    monkeypatch.setattr(pictures, "require_rasterizer", lambda: SimpleNamespace(svg_to_bytes=spy))
    for letter in letters:
        text = f'<text x="4" y="40" font-family="{family}" font-size="40">{letter}</text>'
        white = '<rect width="80" height="60" fill="#fff"/>'
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="80" height="60">{white}{text}</svg>'
        assert pictures.rgb_array(svg).min() < 100, letter
    assert without_fonts == [True] * len(letters)
    pictures.rgb_array('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><title>名前</title></svg>')
    assert without_fonts[-1] is False
