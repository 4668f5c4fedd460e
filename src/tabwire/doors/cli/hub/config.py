"""`tabwire config`: what is set, and where each value came from."""

import sys
from dataclasses import fields
from typing import Annotated, Any

import msgspec
import typer

from tabwire.config.home import home
from tabwire.config.redaction import without_secrets
from tabwire.config.settings import FILE, Settings, Told, told_settings
from tabwire.doors.cli.safe_text import harmless


def config(
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines, one object per setting.")
    ] = False,
) -> None:
    """Show every setting that holds now, and where it came from.

    A value comes from the command line, else from the environment (TABWIRE_…, or an older
    CAI_… name), else from config.toml, else it is the default. A password in an address is not
    shown. `docs/settings.md` says what each is for.

    Exit code 2: something in the file or the environment cannot be meant; it is named with its
    line.

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
