"""Trains a network where there is nothing but JAX and NumPy: what `sevenhues train` does, without its command line.

python bench/training.py rainbow --minutes 4.5 --out rainbow.npz [--against other.npz] [--set width=256]
"""

import argparse
import json
from dataclasses import fields, replace
from pathlib import Path

from sevenhues import load
from sevenhues.training.ppo import Settings
from sevenhues.training.run import Training, line, usual


def changed(settings: Settings, given: list[str]) -> Settings:
    """Change settings as somebody typed them: name=number."""
    kinds = {field.name: type(getattr(settings, field.name)) for field in fields(settings)}
    pairs = [text.split("=", 1) for text in given]
    return replace(settings, **{name: kinds[name](value) for name, value in pairs})


def main() -> None:
    """Train, and write the file and the curve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--every", type=float, default=15.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=NUMBER")
    given = parser.parse_args()
    settings = changed(usual(), given.set)
    training = Training(load(given.game), given.minutes, given.out, None, settings, given.against, given.seed)
    training.run(given.every, lambda told: print(line(told), json.dumps(told), flush=True))


if __name__ == "__main__":
    main()
