"""The programs we run inside a page, as plain .js files. No build, nothing inside strings.

In:  a file's name.      Out: its text.

Each file adds one object of functions, under its own name, to the `tabwire` object of our
isolated world (browser/world.py); what it takes and returns is JSON:

    ((tabwire) => {
      tabwire.page = { find(wish) { ... }, read(wish) { ... } };
    })((globalThis.tabwire ??= {}));

agent/ has what looks at an agent panel: agent/panel.js is called `agent/panel`, and its functions
are in `tabwire.agent.panel`.

A file that uses another says so in its first line: `// needs: deep markdown`. Running a
file twice must do no harm: it may come by `addScriptToEvaluateOnNewDocument` and by us.
"""

from functools import cache
from importlib.resources import files

NEEDS = "// needs:"


@cache
def script(name: str) -> str:
    """The text of `<name>.js`, after the texts of those it needs."""
    text = files(__name__).joinpath(f"{name}.js").read_text(encoding="utf-8")
    first = text.partition("\n")[0]
    if not first.startswith(NEEDS):
        return text
    needed = first.removeprefix(NEEDS).split()
    return "\n".join([*map(script, needed), text])
