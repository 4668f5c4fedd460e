"""Markdown as plain text. Seed 001, 3.5, names emphasis, LaTeX and pictures; the rest is ours."""

import pytest

from tabwire.text.plain import plain

CASES = [
    # id, Markdown, plain
    ("emphasis", "**bold**, *it*, ***both***, _em_, ~~gone~~", "bold, it, both, em, gone"),
    ("emphasis in emphasis", "**bold *and it***", "bold and it"),
    ("over two lines", "**bold\nstill** on", "bold\nstill on"),
    ("products and powers", "a*b*c, 2**3**4, 2 * 3 * 4", "a*b*c, 2**3**4, 2 * 3 * 4"),
    ("a product in bold", "**see 2*3 there**", "see 2*3 there"),
    ("names", "snake_case_name, __init__.py, _x_y", "snake_case_name, __init__.py, _x_y"),
    ("arguments", "f(*args, **kw) and g(**kw)", "f(*args, **kw) and g(**kw)"),
    ("globs", "*.py and *.js", "*.py and *.js"),
    ("part of a word", "**Haupt**stadt", "Hauptstadt"),
    ("Japanese", "これは**重要**です。**「引用」**と", "これは重要です。「引用」と"),
    ("Arabic", "هذا **مهم** جدا", "هذا مهم جدا"),
    ("escapes", r"\*not\* 5 \# 3", "*not* 5 # 3"),
    ("code in a line", "use `a*b*c` and ``x ` y``", "use a*b*c and x ` y"),
    ("code with a backtick", "`` `x` `` and ` y `", "`x` and y"),
    ("three backticks in a line", "```x``` *y*\nz", "x y\nz"),
    ("marks in code", "`**x**` and `$y$` and `[a](b)`", "**x** and $y$ and [a](b)"),
    ("fences go, code stays", "```py\n**a** = $b$  # [c](d)\n\n\n  e_f_g\n```",
     "**a** = $b$  # [c](d)\n\n\n  e_f_g"),
    ("tildes", "~~~\n```\nx\n```\n~~~", "```\nx\n```"),
    ("longer fence", "````md\n```\nx\n```\n````", "```\nx\n```"),
    ("open fence", "see\n```\n*x*", "see\n*x*"),
    ("code in a list", "- do\n  ```sh\n  rm *x*\n    y\n  ```", "- do\nrm *x*\n  y"),
    ("code by indentation", "so:\n\n    a *b* c\n\n    d", "so:\n\n    a *b* c\n\n    d"),
    ("more of an item", "- a\n\n    more *b*", "- a\n\nmore b"),
    ("formulas", r"$x^{2}$, $$\frac{a+1}{2}$$, \(a \leq b\)", "x^2, (a+1)/2, a ≤ b"),
    ("a formula on its own", "so\n$$\n\\sqrt{2} \\times \\pi\n$$\nend", "so\n√2 × π\nend"),
    ("unknown commands", r"$\foo{x}$", r"\foo{x}"),
    ("money", "$5 and $10, US$5/US$6, ($7)", "$5 and $10, US$5/US$6, ($7)"),
    ("more money", "US$5 in CA$, from $5 to $ now", "US$5 in CA$, from $5 to $ now"),
    ("a formula that is not closed", "$$\n\n5\n$$", "$$\n\n5\n$$"),
    ("variables", "$HOME/$USER and $PATH", "$HOME/$USER and $PATH"),
    ("pictures", "[Image of a cat] See ![a](b.png) here ![c](d).", "See here."),
    ("a picture in a word", "a![x](y)b", "ab"),
    ("a line of pictures", "a\n\n![x](y)\n\nb", "a\n\nb"),
    ("links", "[text](http://a/b_(c) \"t\"), [http://q](http://q)", "text (http://a/b_(c)), http://q"),
    ("bare addresses", "<https://x.y/a_b_c> https://x.y/*a*b", "https://x.y/a_b_c https://x.y/*a*b"),
    ("brackets that are no link", "a[1] and [x]", "a[1] and [x]"),
    ("headings", "# One #\n\nTwo\n---\n\n#hash", "One\n\nTwo\n\n#hash"),
    ("lists", "* a\n+ b\n  more\n1. c\n   - d", "- a\n- b\n  more\n1. c\n   - d"),
    ("quotes", "> a **b**\n> > c", "a b\nc"),
    ("tables", "| a | b |\n|---|:-:|\n| **x** | y\\|z |", "a\tb\nx\ty|z"),
    ("tables without edges", "a | b\n--|--\n1 | 2\n3 | 4", "a\tb\n1\t2\n3\t4"),
    ("a pipe is no table", "a | b", "a | b"),
    ("code in a table", "| `a\\|b` | c |\n|-|-|", "a|b\tc"),
    ("a rule under an item", "- a\n---\nb", "- a\nb"),
    ("rules", "a\n\n***\n\nb", "a\n\nb"),
    ("tags", "H<sub>2</sub>O<br>x <b>y</b> List<String> a<b", "H2O\nx y List<String> a<b"),
    ("entities", "a &amp; b &lt;c&gt; &nosuch; R&D;", "a & b <c> &nosuch; R&D;"),
    ("line ends", "a\r\nb\rc", "a\nb\nc"),
    ("nothing", "", ""),
]  # fmt: skip


@pytest.mark.parametrize("markdown, text", [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_the_marks_go_and_the_words_stay(markdown, text):
    assert plain(markdown) == text


def test_text_without_marks_is_left_as_it_is():
    text = "A line.\n\nAnother: 3.14, a_b, 50 %.\n- item\n2. two\n\nيوم جميل。日本語。"
    assert plain(text) == text


HARD = [
    "*a ",
    "`` ` ",
    "[a",
    "$a ",
    "**",
    "_a*b",
    "\\(",
    "![a",
    "<b ",
    "> ",
    "[a](",
    "|",
    "$$ a\n",
    "```\n",
]


@pytest.mark.parametrize("piece", HARD)
def test_marks_that_nobody_closes_cost_little_and_lose_no_letter(piece):
    """Not timed: what took a minute before its bounds would show in the whole suite."""
    text = plain(piece * 5000)
    assert text.count("a") + text.count("b") == (piece * 5000).count("a") + (piece * 5000).count(
        "b"
    )
