"""Generates pages of the documentation site: rules, rulings, the command reference, and documents of the root folder.

A hook of MkDocs. The pages are generated from their sources, so that no copy gets out of date.
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
HELP_WIDTH: Final = 84  # characters of a line of help


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add all generated pages."""
    pages = {name: root_document(source) for name, source in DOCUMENTS.items()}
    pages |= {"rules/index.md": all_rules(), "command.md": command_reference(), "examples.md": examples()}
    for game in games():
        for tag in rules_languages(game):
            pages[rules_page(game, tag)] = rules(game, tag)
    for name, text in pages.items():
        files.append(File.generated(config, name, content=text))
    files.append(File.generated(config, "assets/icon.svg", abs_src_path=str(ICON)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Replace links to files of the repository by links to their pages."""
    for page_name, document in DOCUMENTS.items():
        markdown = markdown.replace(f"](../{document}", f"]({page_name}")
    return re.sub(r"\]\((?:\.\./)?examples/(\w+)\.py\)", r"](examples.md#\1)", markdown)


def games() -> list[Game[Any]]:
    return [sevenhues.load(name) for name in sevenhues.names()]


def root_document(source: str) -> str:
    """Return a document of the root folder with links that are relative to the docs folder."""
    text = (ROOT / source).read_text(encoding="utf-8")
    text = re.sub(r"\]\(docs/([^)]+)\)", r"](\1)", text)
    for page, document in DOCUMENTS.items():
        text = text.replace(f"]({document})", f"]({page})")
    return with_blank_lines(text)


def with_blank_lines(text: str) -> str:
    """Insert a blank line between a paragraph and a list or table, as Python-Markdown requires."""
    lines: list[str] = []
    fenced = False
    for line in text.split("\n"):
        fenced ^= line.startswith("```")
        before = lines[-1] if lines else ""
        follows = before.strip() and not re.match(r"[-*] |\||\d+\. | |#", before)
        begins = follows and re.match(r"[-*] |\||\d+\. ", line)
        if begins and not fenced:
            lines.append("")
        lines.append(line)
    return "\n".join(lines)


def rules_page(game: Game[Any], tag: str) -> str:
    return f"rules/{game.id}.md" if tag == ENGLISH else f"rules/{game.id}.{tag}.md"


def rules(game: Game[Any], tag: str) -> str:
    """Return the rules page of a game, with an anchor for each rule and links to other languages."""
    title, rest = with_blank_lines(rules_text(game, tag)).split("\n", 1)
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

The rules of every game are written in our own words and numbered; a refused move names the rule that it breaks.
`sevenhues rules GAME` prints them, and `?` shows them at a table.

| game | players | rules | in other languages |
|---|---|---|---|
"""
OPTIONS_HEAD: Final = """
## Options

Options are chosen before a game. The first choice follows the printed rules, or our reading of them.

| game | option | choices | |
|---|---|---|---|
"""
RULINGS_HEAD: Final = """
## Rulings

Where the printed rules are silent or unclear, we made a ruling. This is the complete list.
"""


def all_rules() -> str:
    """Return the page of all games, their options and all rulings."""
    parts = [RULES_HEAD]
    for game in games():
        count = len(RULE.findall(rules_text(game)))
        parts.append(f"| [{game.title}]({game.id}.md) | {players(game)} | {count} | {others(game)} |\n")
    parts.append(OPTIONS_HEAD)
    for game in games():
        for option in game.options:
            choices = " or ".join(f"`{option_text(choice)}`" for choice in option.choices)
            parts.append(f"| {game.title} | `{option.name}` | {choices} | {option.about} |\n")
    parts.append(RULINGS_HEAD)
    for game in games():
        parts.append(f"\n### {game.title}\n\n")
        parts += [f"- [{rule}]({game.id}.md#{rule}) {text}\n" for rule, text in rulings(rules_text(game))]
    return "".join(parts)


def players(game: Game[Any]) -> str:
    return str(game.min_seats) if game.min_seats == game.max_seats else f"{game.min_seats}–{game.max_seats}"


def others(game: Game[Any]) -> str:
    return " · ".join(f"[{LANGUAGES[tag]}]({game.id}.{tag}.md)" for tag in rules_languages(game) if tag != ENGLISH)


def rulings(text: str) -> list[tuple[str, str]]:
    """Return the rulings with their rule ids: a whole rule, or the text after the mark inside one."""
    ruled = []
    for part in re.split(r"^(?=- \*\*[A-Z]+-\d)", text, flags=re.MULTILINE)[1:]:
        item = re.split(r"\n(?=\S)|\n\n", part, maxsplit=1)[0]
        head = RULE.match(item)
        assert head
        whole = " ".join(item[head.end() :].split())
        pieces = whole.split("**ruling** ")
        if head[2]:
            ruled.append((head[1], whole.replace("**ruling** ", "")))
        else:
            ruled += [(head[1], piece.strip()) for piece in pieces[1:]]
    return ruled


def command_reference() -> str:
    """Return the help pages of all commands."""
    parts = [
        "# The command\n",
        "`sevenhues --help` lists the commands, and `sevenhues COMMAND --help` describes one.\n",
        help_of(app, "sevenhues"),
    ]
    for title, commands in app.command_sections.items():
        parts.append(f"## {title}\n")
        for command in commands:
            parts += [f"### {command.name}\n", help_of(command, f"sevenhues {command.name}")]
            for name, part in command.commands.items() if isinstance(command, click.Group) else ():
                parts += [f"### {command.name} {name}\n", help_of(part, f"sevenhues {command.name} {name}")]
    return "\n".join(parts)


def help_of(command: click.Command, path: str) -> str:
    ctx = click.Context(command, info_name=path, terminal_width=HELP_WIDTH, help_option_names=["-h", "--help"])
    return f"```text\n{command.get_help(ctx)}\n```\n"


def examples() -> str:
    """Return the page with the files of examples/."""
    parts = ["# Examples\n", "Complete programs from `examples/` in the sources. The tests run them.\n"]
    for file in sorted((ROOT / "examples").glob("*.py")):
        parts += [f"## {file.stem}\n", f"```python\n{file.read_text(encoding='utf-8').rstrip()}\n```\n"]
    return "\n".join(parts)
