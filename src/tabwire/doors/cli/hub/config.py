"""`tabwire config`: what is set, and where each value came from."""

import sys
from dataclasses import fields
from typing import Annotated, Any

import msgspec
import typer

from tabwire.doors.cli.safe_text import harmless
from tabwire.hub import CONFIG_FILE as FILE
from tabwire.hub import Settings, told_settings, without_secrets
from tabwire.hub import ToldSettings as Told
from tabwire.hub import home_folder as home


def config(
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines, one object per setting.")
    ] = False,
) -> None:
    """Show the effective settings and where each value comes from.

    Sources in order of precedence: command line, environment (TABWIRE_…, or an older CAI_…
    name), config.toml, default. Passwords in URLs are hidden. docs/settings.md describes every
    setting.

    Exit codes: 0 shown, 2 a setting is invalid; the message gives file and line.

    Examples:

      tabwire config

      TABWIRE_LANES=5 tabwire config --json
    """
    told = told_settings()
    rows = [_row(told, one.name) for one in fields(Settings)]
    for warning in told.warnings:
        print(f"tabwire: {warning}", file=sys.stderr)
    if as_json:
        for row in rows:
            sys.stdout.buffer.write(msgspec.json.encode(row) + b"\n")
        return
    print(harmless(f"# {home() / FILE}"))
    name_width = max(len(row["name"]) for row in rows)
    shown = [(row, _shown(row["value"])) for row in rows]
    width = min(40, max(len(text) for _, text in shown))
    for row, text in shown:
        print(harmless(f"{row['name']:<{name_width}}  {text:<{width}}  {row['from']}"))


def _row(told: Told, name: str) -> dict[str, Any]:
    value = getattr(told.settings, name)
    if isinstance(value, tuple):
        value = [str(one) for one in value]
    if isinstance(value, str):
        value = without_secrets(value)
    return {"name": name, "value": value, "from": told.origins[name]}


def _shown(value: object) -> str:
    return msgspec.json.encode(value).decode()
