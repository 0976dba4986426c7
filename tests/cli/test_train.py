"""The command `train` refuses invalid arguments; training itself is tested in tests/nets."""

from pathlib import Path

import pytest

from sevenhues import load
from tests.cli.command import error_message, invoke
from tests.nets.untrained_network import untrained

pytest.importorskip("jax")


@pytest.mark.slow
def test_train_refuses_invalid_arguments(tmp_path: Path) -> None:
    other = str(untrained(load("nimble"), tmp_path / "nimble.npz"))
    (tmp_path / "text.npz").write_text("no network")
    for args, message in [
        (["chess"], "there is no game 'chess'"),
        (["rainbow", "--minutes", "0"], "0.0 is not in the range x>0"),
        (["rainbow", "--against", "/no/such/file"], "'/no/such/file' does not exist"),
    ]:
        assert message in error_message(invoke("train", *args), 2)
    for args, message in [
        (["rainbow", "--seats", "3"], "Rainbow is for 2 seats, not 3"),
        (["rainbow", "--out", str(tmp_path / "no" / "such.npz")], "there is no folder"),
        (["rainbow", "--export", str(tmp_path / "no" / "such.npz")], "there is no folder"),
        (["rainbow", "--against", other], "the network is for nimble with 2 seats, not rainbow with 2 seats"),
        (["rainbow", "--out", other], "the network is for nimble with 2 seats, not rainbow with 2 seats"),
        (["rainbow", "--against", str(tmp_path / "text.npz")], "is not a network file of Seven Hues"),
    ]:
        assert message in error_message(invoke("train", *args), 2)
