"""Reports results: shares with confidence intervals, OpenSkill ratings, and speed."""

from collections import defaultdict
from math import sqrt
from typing import Any, Final

from openskill.models import PlackettLuce

from sevenhues.arena.match import Pairing, Result, Task
from sevenhues.arena.players import Player

Z: Final = 1.959964  # of a 95 % interval
MIN_SECONDS: Final = 1e-9  # avoids a division by 0


def interval(wins: float, games: int) -> tuple[float, float]:
    """Return the Wilson 95 % interval of a share.

    Games of one deal from both sides are treated as independent. Because the luck of the deal cancels out between
    them, the interval is conservative.
    """
    if games == 0:
        return 0.0, 1.0
    share, z2 = wins / games, Z * Z
    middle = (share + z2 / (2 * games)) / (1 + z2 / games)
    half = Z * sqrt(share * (1 - share) / games + z2 / (4 * games * games)) / (1 + z2 / games)
    return max(0.0, middle - half), min(1.0, middle + half)


def report(players: list[Player], listed: list[Pairing], played: list[tuple[Task, Result]]) -> dict[str, Any]:
    """Return the report on all results, as a JSON object."""
    return {
        "games": len(played),
        "pairings": [_pairing(pairing, [r for t, r in played if t.pairing == pairing]) for pairing in listed],
        "bots": _bots(players, [result for _, result in played]),
    }


def _pairing(pairing: Pairing, results: list[Result]) -> dict[str, Any]:
    """Summarise one pairing. The share leaves out games without winners, which are drawn (with one seat: lost)."""
    alone = pairing.others is None
    decided = [result for result in results if result.winners or alone]
    wins = sum([1 / len(r.winners) for r in decided if r.seat in r.winners])
    low, high = interval(wins, len(decided))
    return {
        "bot": pairing.lone.name,
        "against": pairing.others.name if pairing.others else None,
        "games": len(results),
        "wins": round(wins, 3),
        "losses": round(len(decided) - wins, 3),
        "drawn": len(results) - len(decided),
        "share": wins / len(decided) if decided else None,
        "low": low,
        "high": high,
    }


def _bots(players: list[Player], results: list[Result]) -> list[dict[str, Any]]:
    decisions: defaultdict[str, int] = defaultdict(int)
    simulations: defaultdict[str, int] = defaultdict(int)
    seconds: defaultdict[str, float] = defaultdict(float)
    refusals: defaultdict[str, int] = defaultdict(int)
    for result in results:
        for seat, key in enumerate(result.bots):
            decisions[key] += result.decisions[seat]
            simulations[key] += result.simulations[seat]
            seconds[key] += result.seconds[seat]
            refusals[key] += result.refusals[seat] if result.refusals else 0  # older results have none
    ratings = rate([player.key for player in players], results)
    rows = []
    for player in players:
        key = player.key
        spent = max(seconds[key], MIN_SECONDS)
        mean, deviation = ratings[key]
        rows.append(
            {
                "bot": player.name,
                "rating": round(mean, 2),
                "deviation": round(deviation, 2),
                "decisions": decisions[key],
                "ms_per_decision": round(1000 * spent / max(decisions[key], 1), 4),
                "decisions_per_second": round(decisions[key] / spent, 1),
                "simulations_per_second": round(simulations[key] / spent, 1),
                "refusals": refusals[key],
            }
        )
    return sorted(rows, key=lambda row: -float(row["rating"]))


def rate(keys: list[str], results: list[Result]) -> dict[str, tuple[float, float]]:
    """Rate bots by OpenSkill (Plackett–Luce), game by game; return each bot's mean and deviation."""
    model = PlackettLuce()
    ratings = {key: model.rating(name=key) for key in keys}
    for result in results:
        if len(set(result.bots)) < 2:
            continue
        places = [float(place) for place in result.places] if result.winners else [1.0] * len(result.bots)
        rated = model.rate([[ratings[key]] for key in result.bots], ranks=places)
        for key in set(result.bots):
            own = [team[0] for seat, team in enumerate(rated) if result.bots[seat] == key]
            ratings[key].mu = sum([rating.mu for rating in own]) / len(own)
            ratings[key].sigma = sum([rating.sigma for rating in own]) / len(own)
    return {key: (rating.mu, rating.sigma) for key, rating in ratings.items()}
