"""Formulas of an answer on a terminal."""

import io

import pytest
from rich.console import Console

from tabwire.doors.cli.ask.text_output import formulas_kept, lay_out

SHOWN = [
    r"Euler: \(e^{i\pi} + 1 = 0\), always.",
    r"\[\frac{a_1}{b_2} \\ \sum_{i=1}^{n} x_i * y_i * z_i\]",
    r"$$\begin{pmatrix} a & b \\ c & d \end{pmatrix}$$",
    r"So $x_1 * y_1$ and $x_2 * y_2$ are \{equal\}.".replace(r"\{", "{").replace(r"\}", "}"),
]
ALONE = [
    "It costs $5 *or* more, $6 at most.",
    "`\\(code\\)` and ``a ` \\(b\\)``",
    "```tex\n\\(x_1\\)\n```\nplain *text*",
    "~~~\n$$a_b$$\n~~~",
    "a \\* b",
    "$ x$ and $y $",
    "",
]


def shown(text):
    console = Console(file=io.StringIO(), width=200, force_terminal=False)
    lay_out(console, text)
    return console.file.getvalue().strip()


@pytest.mark.parametrize("text", SHOWN)
def test_a_formula_is_shown_as_the_site_wrote_it(text):
    assert shown(text) == text


@pytest.mark.parametrize("text", ALONE)
def test_what_is_no_formula_is_left_to_markdown(text):
    assert formulas_kept(text) == text


def test_code_beside_a_formula_stays_code():
    assert shown("`a\\b` is \\(a\\backslash b\\)") == "a\\b is \\(a\\backslash b\\)"
