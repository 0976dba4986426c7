"""Formats an analysis report as text."""

from typing import Any, Final

BARS: Final = "▁▂▃▄▅▆▇█"
MAX_CURVE_COLUMNS: Final = 64
MIN_NAME_WIDTH: Final = 14
MIN_FACT_WIDTH: Final = 8
MIN_SHOWN_CHANGE: Final = 0.005  # a smaller one rounds to 0 %


def format_report(report: dict[str, Any], title: str) -> str:
    """Return a report as text."""
    lines = [_heading(report, title)]
    if report["chances"] is not None:
        lines += ["", *_curves(report), "", *_turns(report), "", *_sums(report)]
    if report["race_report"] is not None:
        lines += ["", *_facts(report), "", *_moments(report)]
    return "\n".join(lines)


def _heading(report: dict[str, Any], title: str) -> str:
    plies = len(report["scores"]) - 1
    head = f"{title}, {plies} moves, {' : '.join(map(str, report['scores'][-1]))}"
    result = report["result"]
    if result is None:
        head += ", not finished"
    else:
        winners = " and ".join(_seat(report, seat) for seat in result["winners"]) or "nobody"
        head += f", {winners} won ({result['reason']})"
    if report["chances"] is not None:
        head += f"; evaluated by {report['level']}, {report['simulations']} simulations per decision"
    return head


def _seat(report: dict[str, Any], seat: int) -> str:
    plain, name = f"seat {seat}", report["names"][seat]
    return plain if name == plain else f"{plain} ({name})"


def _curves(report: dict[str, Any]) -> list[str]:
    """Draw every seat's chance during the game."""
    lines = ["  chances"]
    width = max(len(_seat(report, seat)) for seat in range(report["seats"]))
    for seat in range(report["seats"]):
        curve = [row[seat] for row in report["chances"]]
        points = [curve[at * (len(curve) - 1) // max(1, _columns(curve) - 1)] for at in range(_columns(curve))]
        bars = "".join(BARS[min(len(BARS) - 1, int(len(BARS) * chance))] for chance in points)
        lines.append(f"    {_seat(report, seat):<{width}}  {curve[0]:>4.0%} {bars} {curve[-1]:.0%}")
    return lines


def _columns(curve: list[float]) -> int:
    return min(MAX_CURVE_COLUMNS, len(curve))


def _turns(report: dict[str, Any]) -> list[str]:
    """List the turning points, with the change of the chance and its reason."""
    if not report["turning"]:
        return ["  no move turned the game"]
    rest = "luck" if report["hidden"] else "unforeseen"
    lines = [f"  {'turning points':<16}{'seat':>4}  {'move':<8}{'chance':>15}{'choice':>9}{rest:>12}   better"]
    for turn in report["turning"]:
        ply = turn["ply"]
        move = report["moves"][ply]
        before, after = report["chances"][ply][move["seat"]], report["chances"][ply + 1][move["seat"]]
        lines.append(
            f"    ply {ply:<10}{move['seat']:>4}  {move['move']:<8}{f'{before:.0%} → {after:.0%}':>15}"
            f"{_signed(move['choice']):>9}{_signed(move['luck']):>12}   {move['best'] or ''}".rstrip()
        )
    return lines


def _sums(report: dict[str, Any]) -> list[str]:
    """List the parts of every seat's result."""
    rest = "luck" if report["hidden"] else "unforeseen"
    outside = any(one["outside"] for one in report["sums"])
    width = max(MIN_NAME_WIDTH, *[len(_seat(report, seat)) for seat in range(report["seats"])])
    lines = [
        f"  {'summary':<{width + 2}}{'start':>7}{'own choices':>13}{'others’ choices':>17}{rest:>12}"
        + (f"{'outside':>10}" if outside else "")
        + f"{'end':>7}"
    ]
    for seat, one in enumerate(report["sums"]):
        lines.append(
            f"    {_seat(report, seat):<{width}}{one['start']:>7.0%}{_signed(one['choice']):>13}"
            f"{_signed(one['others']):>17}{_signed(one['luck']):>12}"
            + (f"{_signed(one['outside']):>10}" if outside else "")
            + f"{one['end']:>7.0%}"
        )
    return lines


def _signed(value: float) -> str:
    if abs(value) < MIN_SHOWN_CHANGE:
        return "–"
    return f"{'+' if value > 0 else '−'}{abs(value):.0%}"


def _facts(report: dict[str, Any]) -> list[str]:
    names = [_seat(report, seat) for seat in range(report["seats"])]
    facts = report["race_report"]["facts"]
    width = max(len(fact["about"]) for fact in facts) + 2
    columns = [max(MIN_FACT_WIDTH, len(name) + 2) for name in names]
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


def _moments(report: dict[str, Any]) -> list[str]:
    lines = []
    for one in report["race_report"]["moments"]:
        minutes, seconds = divmod(one["at"] / 1000, 60)
        lines.append(f"  {int(minutes)}:{seconds:04.1f}  ply {one['ply']:<4} seat {one['seat']}: {one['about']}")
    return lines
