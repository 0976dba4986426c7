"""Makes the pages of the site that are written elsewhere: rules, rulings, the command's manual, documents at the root.

A hook of mkdocs. What has a source is made from it, so that no copy can go out of date.
"""

import re
from pathlib import Path
from typing import Any, Final

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import sevenhues
from sevenhues.cli import app
from sevenhues.core.game import Game
from sevenhues.core.options import option_text
from sevenhues.core.resources import ENGLISH, rules_languages, rules_text

ROOT: Final = Path(__file__).parents[1]
ICON: Final = ROOT / "web/public/icon.svg"
DOCUMENTS: Final = {
    "architecture.md": "ARCHITECTURE.md",
    "changelog.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
}
LANGUAGES: Final = {"en": "English", "nl": "Nederlands", "de": "Deutsch", "ja": "日本語"}
RULE: Final = re.compile(r"^- \*\*([A-Z]+-\d+)( [^*]+)?\*\*", re.MULTILINE)
WIDTH: Final = 84  # characters of a line of help


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add every page that is made."""
    made = {name: at_root(source) for name, source in DOCUMENTS.items()}
    made |= {"rules/index.md": all_rules(), "command.md": manual(), "examples.md": examples()}
    for game in games():
        for tag in rules_languages(game):
            made[rules_page(game, tag)] = rules(game, tag)
    for name, text in made.items():
        files.append(File.generated(config, name, content=text))
    files.append(File.generated(config, "assets/icon.svg", abs_src_path=str(ICON)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn links to files of the repository into links to the pages that show them."""
    for made, document in DOCUMENTS.items():
        markdown = markdown.replace(f"](../{document}", f"]({made}")
    return re.sub(r"\]\((?:\.\./)?examples/(\w+)\.py\)", r"](examples.md#\1)", markdown)


def games() -> list[Game[Any]]:
    return [sevenhues.load(name) for name in sevenhues.names()]


def at_root(source: str) -> str:
    """Bring a document of the root here: its links lead on from here."""
    text = (ROOT / source).read_text(encoding="utf-8")
    text = re.sub(r"\]\(docs/([^)]+)\)", r"](\1)", text)
    for page, document in DOCUMENTS.items():
        text = text.replace(f"]({document})", f"]({page})")
    return loose(text)


def loose(text: str) -> str:
    """Put a blank line before lists and tables that follow a line of text at once, as Python's Markdown wants it."""
    found: list[str] = []
    fenced = False
    for line in text.split("\n"):
        fenced ^= line.startswith("```")
        before = found[-1] if found else ""
        follows = before.strip() and not re.match(r"[-*] |\||\d+\. | |#", before)
        begins = follows and re.match(r"[-*] |\||\d+\. ", line)
        if begins and not fenced:
            found.append("")
        found.append(line)
    return "\n".join(found)


def rules_page(game: Game[Any], tag: str) -> str:
    return f"rules/{game.id}.md" if tag == ENGLISH else f"rules/{game.id}.{tag}.md"


def rules(game: Game[Any], tag: str) -> str:
    """Show a game's rules, each with an anchor of its own, and where they are in other languages."""
    title, rest = loose(rules_text(game, tag)).split("\n", 1)
    links = [
        LANGUAGES[other] if other == tag else f"[{LANGUAGES[other]}]({game.id}{suffix(other)}.md)"
        for other in rules_languages(game)
    ]
    body = RULE.sub(lambda rule: f"- **{rule[1]}{rule[2] or ''}**{{ #{rule[1]} }}", rest)
    picture = f"![A table of {game.title}](../pictures/{game.id}.png)" if tag == ENGLISH else ""
    parts = [
        "---\nsearch:\n  exclude: true\n---" if tag != ENGLISH else "",
        title,
        f'<div class="languages" markdown>{" · ".join(links)}</div>',
        picture,
        f'<div lang="{tag}" markdown>\n{body}\n</div>\n',
    ]
    return "\n\n".join(parts).lstrip()


def suffix(tag: str) -> str:
    return "" if tag == ENGLISH else f".{tag}"


RULES_HEAD: Final = """# Rules

Every game's rules are told in our own words and numbered; a refused move names the rule it breaks. `sevenhues rules
GAME` prints them, and at a table they are a press of `?` away.

| game | players | rules | in other languages |
|---|---|---|---|
"""
OPTIONS_HEAD: Final = """
## Options

What a table may choose before a game. The first choice is what the printed rules say, or what we take them to say.

| game | option | choices | |
|---|---|---|---|
"""
RULINGS_HEAD: Final = """
## Rulings

Where the printed rules are silent or unclear we had to decide. These are all the places, and how.
"""


def all_rules() -> str:
    """List the games, their options, and every ruling of ours."""
    told = [RULES_HEAD]
    for game in games():
        count = len(RULE.findall(rules_text(game)))
        told.append(f"| [{game.title}]({game.id}.md) | {players(game)} | {count} | {others(game)} |\n")
    told.append(OPTIONS_HEAD)
    for game in games():
        for option in game.options:
            choices = " or ".join(f"`{option_text(choice)}`" for choice in option.choices)
            told.append(f"| {game.title} | `{option.name}` | {choices} | {option.about} |\n")
    told.append(RULINGS_HEAD)
    for game in games():
        told.append(f"\n### {game.title}\n\n")
        told += [f"- [{rule}]({game.id}.md#{rule}) {text}\n" for rule, text in rulings(rules_text(game))]
    return "".join(told)


def players(game: Game[Any]) -> str:
    return str(game.min_seats) if game.min_seats == game.max_seats else f"{game.min_seats}–{game.max_seats}"


def others(game: Game[Any]) -> str:
    return " · ".join(f"[{LANGUAGES[tag]}]({game.id}.{tag}.md)" for tag in rules_languages(game) if tag != ENGLISH)


def rulings(text: str) -> list[tuple[str, str]]:
    """List what is ruled by us: a whole rule, or what follows the mark inside one."""
    found = []
    for part in re.split(r"^(?=- \*\*[A-Z]+-\d)", text, flags=re.MULTILINE)[1:]:
        item = re.split(r"\n(?=\S)|\n\n", part, maxsplit=1)[0]
        head = RULE.match(item)
        assert head
        whole = " ".join(item[head.end() :].split())
        pieces = whole.split("**ruling** ")
        if head[2]:
            found.append((head[1], whole.replace("**ruling** ", "")))
        else:
            found += [(head[1], piece.strip()) for piece in pieces[1:]]
    return found


def manual() -> str:
    """Print the help of every command, as the command prints it."""
    told = [
        "# The command\n",
        "`sevenhues --help` lists what there is, `sevenhues COMMAND --help` tells more: all of it is on this page.\n",
        help_of(app, "sevenhues"),
    ]
    for title, commands in app.rooms.items():
        told.append(f"## {title}\n")
        for command in commands:
            told += [f"### {command.name}\n", help_of(command, f"sevenhues {command.name}")]
    return "\n".join(told)


def help_of(command: click.Command, path: str) -> str:
    ctx = click.Context(command, info_name=path, terminal_width=WIDTH, help_option_names=["-h", "--help"])
    return f"```text\n{command.get_help(ctx)}\n```\n"


def examples() -> str:
    """Show the files of examples/ whole."""
    told = ["# Examples\n", "Whole programs, from `examples/` in the sources; the tests run them.\n"]
    for file in sorted((ROOT / "examples").glob("*.py")):
        told += [f"## {file.stem}\n", f"```python\n{file.read_text(encoding='utf-8').rstrip()}\n```\n"]
    return "\n".join(told)
