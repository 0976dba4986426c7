"""Trains a network with JAX and NumPy alone: `sevenhues train` without its command line.

python bench/training.py rainbow --minutes 4.5 --out rainbow.npz [--against other.npz] [--set width=256]
"""

import argparse
import json
from dataclasses import fields, replace
from pathlib import Path

from sevenhues import load
from sevenhues.training.ppo import Settings
from sevenhues.training.run import TrainingRun, default_settings, progress_line


def with_changes(settings: Settings, changes: list[str]) -> Settings:
    """Return settings with changes, each given as name=number."""
    kinds = {field.name: type(getattr(settings, field.name)) for field in fields(settings)}
    pairs = [text.split("=", 1) for text in changes]
    return replace(settings, **{name: kinds[name](value) for name, value in pairs})


def main() -> None:
    """Train, and write the network and its curve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--every", type=float, default=15.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=NUMBER")
    args = parser.parse_args()
    settings = with_changes(default_settings(), args.set)
    training = TrainingRun(load(args.game), args.minutes, args.out, None, settings, args.against, args.seed)
    training.run(args.every, lambda report: print(progress_line(report), json.dumps(report), flush=True))


if __name__ == "__main__":
    main()
