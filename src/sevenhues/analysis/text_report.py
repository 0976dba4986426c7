"""Writes a story for people, as text."""

from typing import Any, Final

BARS: Final = "▁▂▃▄▅▆▇█"
COLUMNS: Final = 64


def told(story: dict[str, Any], title: str) -> str:
    """Write a story down."""
    lines = [_head(story, title)]
    if story["chances"] is not None:
        lines += ["", *_curves(story), "", *_turns(story), "", *_sums(story)]
    if story["chronicle"] is not None:
        lines += ["", *_facts(story), "", *_moments(story)]
    return "\n".join(lines)


def _head(story: dict[str, Any], title: str) -> str:
    plies = len(story["scores"]) - 1
    head = f"{title}, {plies} moves, {' : '.join(map(str, story['scores'][-1]))}"
    result = story["result"]
    if result is None:
        head += ", not finished"
    else:
        winners = " and ".join(_seat(story, seat) for seat in result["winners"]) or "nobody"
        head += f", {winners} won ({result['reason']})"
    if story["chances"] is not None:
        head += f"; judged by {story['level']}, {story['simulations']} simulations a decision"
    return head


def _seat(story: dict[str, Any], seat: int) -> str:
    plain, name = f"seat {seat}", story["names"][seat]
    return plain if name == plain else f"{plain} ({name})"


def _curves(story: dict[str, Any]) -> list[str]:
    """Draw every seat's chance over the game."""
    lines = ["  chances"]
    width = max(len(_seat(story, seat)) for seat in range(story["seats"]))
    for seat in range(story["seats"]):
        curve = [row[seat] for row in story["chances"]]
        points = [curve[at * (len(curve) - 1) // max(1, _columns(curve) - 1)] for at in range(_columns(curve))]
        bars = "".join(BARS[min(len(BARS) - 1, int(len(BARS) * chance))] for chance in points)
        lines.append(f"    {_seat(story, seat):<{width}}  {curve[0]:>4.0%} {bars} {curve[-1]:.0%}")
    return lines


def _columns(curve: list[float]) -> int:
    return min(COLUMNS, len(curve))


def _turns(story: dict[str, Any]) -> list[str]:
    """List the turning points: whose chance went where, and why."""
    if not story["turning"]:
        return ["  no move turned the game"]
    rest = "luck" if story["hidden"] else "unforeseen"
    lines = [f"  {'turning points':<16}{'seat':>4}  {'move':<8}{'chance':>15}{'choice':>9}{rest:>12}   better"]
    for turn in story["turning"]:
        ply = turn["ply"]
        move = story["moves"][ply]
        before, after = story["chances"][ply][move["seat"]], story["chances"][ply + 1][move["seat"]]
        lines.append(
            f"    ply {ply:<10}{move['seat']:>4}  {move['move']:<8}{f'{before:.0%} → {after:.0%}':>15}"
            f"{_signed(move['choice']):>9}{_signed(move['luck']):>12}   {move['best'] or ''}".rstrip()
        )
    return lines


def _sums(story: dict[str, Any]) -> list[str]:
    """Add up every seat's game."""
    rest = "luck" if story["hidden"] else "unforeseen"
    outside = any(one["outside"] for one in story["sums"])
    width = max(14, *[len(_seat(story, seat)) for seat in range(story["seats"])])
    lines = [
        f"  {'all in all':<{width + 2}}{'start':>7}{'own choices':>13}{'others’ choices':>17}{rest:>12}"
        + (f"{'outside':>10}" if outside else "")
        + f"{'end':>7}"
    ]
    for seat, one in enumerate(story["sums"]):
        lines.append(
            f"    {_seat(story, seat):<{width}}{one['start']:>7.0%}{_signed(one['choice']):>13}"
            f"{_signed(one['given']):>17}{_signed(one['luck']):>12}"
            + (f"{_signed(one['outside']):>10}" if outside else "")
            + f"{one['end']:>7.0%}"
        )
    return lines


def _signed(value: float) -> str:
    if abs(value) < 0.005:
        return "–"
    return f"{'+' if value > 0 else '−'}{abs(value):.0%}"


def _facts(story: dict[str, Any]) -> list[str]:
    names = [_seat(story, seat) for seat in range(story["seats"])]
    facts = story["chronicle"]["facts"]
    width = max(len(fact["about"]) for fact in facts) + 2
    columns = [max(8, len(name) + 2) for name in names]
    lines = ["  " + " " * width + "".join(f"{name:>{column}}" for name, column in zip(names, columns, strict=True))]
    for fact in facts:
        values = [_figure(value, fact["unit"]) for value in fact["values"]]
        row = "".join(f"{value:>{column}}" for value, column in zip(values, columns, strict=True))
        lines.append(f"  {fact['about']:<{width}}{row}")
    return lines


def _figure(value: float, unit: str) -> str:
    if value < 0:
        return "–"
    return f"{value:g}" + (f" {unit}" if unit else "")


def _moments(story: dict[str, Any]) -> list[str]:
    lines = []
    for one in story["chronicle"]["moments"]:
        minutes, seconds = divmod(one["at"] / 1000, 60)
        lines.append(f"  {int(minutes)}:{seconds:04.1f}  ply {one['ply']:<4} seat {one['seat']}: {one['about']}")
    return lines
