"""HTML as the sites draw it, and the Markdown it should give: (what, HTML, Markdown).

Shapes marked with a date are from recordings of that month; the others are plain HTML.
"""
# ruff: noqa: E501  a case is easier to check in one line

WJ = "\u2060"  # word joiner: Grok's citations begin with it

TEXT = [
    ("one paragraph", "<p>Hello</p>", "Hello"),
    ("bare text", "Hello", "Hello"),
    ("two paragraphs", "<p>One</p><p>Two</p>", "One\n\nTwo"),
    ("blanks are gathered", "<p>  a \n\t b  </p>", "a b"),
    ("text beside a block", "before<p>in</p>after", "before\n\nin\n\nafter"),
    (
        "wrappers mean nothing",
        "<div><section><div><p>a</p></div></section><p>b</p></div>",
        "a\n\nb",
    ),
    ("spans mean nothing", "<p><span>a</span><span> b</span></p>", "a b"),
    ("a span that holds blocks", "<span><p>a</p><p>b</p></span>", "a\n\nb"),
    ("a custom element that holds blocks", "<response-element><p>a</p></response-element>", "a"),
    ("wrappers without a box", '<div style="display: contents"><p>a</p></div>', "a"),
    ("line breaks", "<p>a<br>b<br/>c</p>", "a  \nb  \nc"),
    ("a break at the end is none", "<p>a<br></p>", "a"),
    ("lines kept by style", '<p style="white-space: pre-wrap">a\nb</p>', "a  \nb"),
    ("headings", "<h1>A</h1><h2>B</h2><h6>F</h6>", "# A\n\n## B\n\n###### F"),
    ("marks in a heading", "<h3><span>1. <strong>CADR</strong></span></h3>", "### 1. **CADR**"),
    ("an empty heading", "<h2></h2><p>a</p>", "a"),
    ("a rule", "<p>a</p><hr><p>b</p>", "a\n\n---\n\nb"),
    ("Japanese and emoji", "<p>東京は🗼の街です。</p>", "東京は🗼の街です。"),
]

MARKS = [
    ("bold, italic, struck", "<p><b>a</b> <em>b</em> <del>c</del></p>", "**a** *b* ~~c~~"),
    ("bold in italic", "<p><em>a <strong>b</strong></em></p>", "*a **b***"),
    ("blanks go outside", "<p>x<strong> a </strong>y</p>", "x **a** y"),
    ("empty marks", "<p>a<strong></strong>b</p>", "ab"),
    ("neighbours are one", "<p><b>a</b><b>b</b></p>", "**ab**"),
    ("bold in bold", "<p><b>a<strong>b</strong></b></p>", "**ab**"),
    ("high and low", "<p>H<sub>2</sub>O x<sup>2</sup></p>", "H<sub>2</sub>O x<sup>2</sup>"),
]

ESCAPES = [
    ("stars in words", "<p>2*3*4</p>", "2\\*3\\*4"),
    ("a star alone", "<p>2 * 3</p>", "2 * 3"),
    ("low lines in names", "<p>snake_case_name</p>", "snake_case_name"),
    ("low lines around a word", "<p>_init_</p>", "\\_init\\_"),
    ("backticks", "<p>a `b`</p>", "a \\`b\\`"),
    ("what looks like a tag", "<p>&lt;div&gt; 1 &lt; 2</p>", "\\<div> 1 < 2"),
    ("what looks like an entity", "<p>&amp;amp; &amp; b</p>", "&amp;amp; & b"),
    ("what looks like a link", "<p>[a](b) [c]</p>", "\\[a](b) [c]"),
    ("what looks like a list", "<p>- a</p><p>1. b</p><p>+1</p>", "\\- a\n\n1\\. b\n\n+1"),
    ("what looks like a heading", "<p># a</p><p>#a</p>", "\\# a\n\n#a"),
    ("what looks like a quote", "<p>&gt; a</p>", "\\> a"),
    ("what looks like a rule", "<p>---</p>", "\\---"),
    ("after a break, too", "<p>a<br>- b</p>", "a  \n\\- b"),
    ("backslashes", "<p>C:\\new \\* x</p>", "C:\\new \\\\\\* x"),
    ("tildes", "<p>~5 ~~no~~</p>", "~5 \\~\\~no\\~\\~"),
]

LISTS = [
    ("a list", "<ul><li>a</li><li>b</li></ul>", "- a\n- b"),
    (
        "items in paragraphs, 2026-06",
        "<ul>\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ul>",
        "- a\n- b",
    ),
    ("numbers", "<ol><li>a</li><li>b</li></ol>", "1. a\n2. b"),
    ("numbers from seven", '<ol start="7"><li>a</li><li value="9">b</li></ol>', "7. a\n9. b"),
    (
        "nested",
        "<ul><li>a<ol><li>b<ul><li>c</li></ul></li></ol></li><li>d</li></ul>",
        "- a\n  1. b\n     - c\n- d",
    ),
    ("nested beside an item", "<ul><li>a</li><ul><li>b</li></ul></ul>", "- a\n  - b"),
    (
        "two paragraphs in an item",
        "<ul><li><p>a</p><p>b</p></li><li>c</li></ul>",
        "- a\n\n  b\n\n- c",
    ),
    (
        "code in an item",
        "<ol><li>a<pre><code>x\n\ny</code></pre></li></ol>",
        "1. a\n\n   ```\n   x\n\n   y\n   ```",
    ),
    (
        "tasks",
        '<ul><li><input type="checkbox" checked disabled> done</li><li><p><input type="checkbox"> open</p></li></ul>',
        "- [x] done\n- [ ] open",
    ),
    ("an empty item", "<ul><li></li><li>b</li></ul>", "-\n- b"),
    ("a quote", "<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b"),
    ("a list in a quote", "<blockquote><ul><li>a</li></ul></blockquote>", "> - a"),
    ("a quote in a quote", "<blockquote>a<blockquote>b</blockquote></blockquote>", "> a\n>\n> > b"),
]

LINKS = [
    ("a link", '<p><a href="https://a.example/x">here</a></p>', "[here](https://a.example/x)"),
    (
        "marks in a link",
        '<p><a href="https://a.example/"><b>x</b></a></p>',
        "[**x**](https://a.example/)",
    ),
    (
        "an address",
        '<p><a href="https://a.example/">https://a.example</a></p>',
        "<https://a.example/>",
    ),
    (
        "brackets in an address",
        '<p><a href="https://a.example/x_(y)">x</a></p>',
        "[x](<https://a.example/x_(y)>)",
    ),
    ("a script is no address", '<p><a href="javascript:alert(1)">x</a></p>', "x"),
    ("a link to nowhere", "<p><a>x</a></p>", "x"),
    (
        "an image",
        '<p><img alt="a cat" src="https://a.example/c.png"></p>',
        "![a cat](https://a.example/c.png)",
    ),
    (
        "an image of bytes",
        '<p><img alt="a cat" src="data:image/gif;base64,R0lGOD"></p>',
        "![a cat]()",
    ),
    ("an image without words or address", "<p>a<img></p>", "a"),
    ("an emoji drawn", '<p><img class="emoji" alt="🎉" src="https://a.example/e.png"></p>', "🎉"),
    (
        "an image in a link",
        '<p><a href="https://a.example/"><img alt="c" src="https://a.example/c.png"></a></p>',
        "[![c](https://a.example/c.png)](https://a.example/)",
    ),
    (
        "ChatGPT's pill, 2026-06",
        '<p>a <span data-testid="webpage-citation-pill"><a href="https://www.epa.example/g?utm_source=chatgpt.com">'
        "<span><span><span><img></span><span>US EPA</span></span><span>+1</span></span></a></span></p>",
        "a [US EPA](https://www.epa.example/g?utm_source=chatgpt.com)",
    ),
    (
        "a pill of two",
        '<p><span data-testid="webpage-citation-pill"><a href="https://e.example/"><span>US EPA</span><span>+2</span>'
        "<span>Reddit</span><span>+2</span></a></span></p>",
        "[US EPA](https://e.example/)",
    ),
    (
        "Grok's citation, 2026-09",
        f'<p>a<a class="citation" href="https://e.example/x">{WJ}e.example</a></p>',
        "a[e.example](https://e.example/x)",
    ),
    (
        "a citation by its mark alone",
        f'<p><a href="https://e.example/">{WJ}1</a></p>',
        "[1](https://e.example/)",
    ),
    (
        "Gemini's footnote, 2026-01",
        '<p>a<response-element><source-footnote><sup data-turn-source-index="5"><!----></sup></source-footnote>'
        "</response-element>b</p>",
        "a[5]b",
    ),
]

CODE = [
    ("code in a line", "<p>use <code>a_b*c</code></p>", "use `a_b*c`"),
    ("blanks in it", "<p><code>a  b</code></p>", "`a  b`"),
    ("backticks in it", "<p><code>a`b``c</code></p>", "```a`b``c```"),
    ("a backtick alone", "<p><code>`</code></p>", "`` ` ``"),
    ("a block", "<pre><code>a\n  b\n</code></pre>", "```\na\n  b\n```"),
    (
        "its language",
        '<pre><code class="hljs language-python">x = 1\n</code></pre>',
        "```python\nx = 1\n```",
    ),
    ("a fence in it", "<pre><code>```js\nx\n```</code></pre>", "````\n```js\nx\n```\n````"),
    ("four backticks in it", "<pre>````\nx\n````</pre>", "`````\n````\nx\n````\n`````"),
    (
        "coloured",
        '<pre><code><span class="k">def</span> <span>f</span>():\n    <span>pass</span></code></pre>',
        "```\ndef f():\n    pass\n```",
    ),
    (
        "lines of their own",
        '<pre><code><span class="line">a</span><span class="line"></span><span class="line">b</span></code></pre>',
        "```\na\n\nb\n```",
    ),
    (
        "lines with breaks between",
        '<pre><code><span class="line">a</span>\n<span class="line">b</span></code></pre>',
        "```\na\nb\n```",
    ),
    (
        "ChatGPT's, with a bar, 2026-04",
        '<pre><div><div>python</div><div><button aria-label="Copy">Copy code</button></div>'
        '<div dir="ltr"><code class="whitespace-pre! language-python">print(1)\n</code></div></div></pre>',
        "```python\nprint(1)\n```",
    ),
    (
        "ChatGPT's, finished, 2026-09",
        '<div data-markdown-copy="code-block"><div data-markdown-copy="exclude"><button aria-label="Run code">Run</button>'
        '<button aria-label="Copy">Copy</button></div><div><div contenteditable="true" role="textbox" '
        'aria-label="Edit code" data-language="python">print("x")\nprint("y")</div></div>'
        '<button aria-label="Scroll to bottom">down</button></div>',
        '```python\nprint("x")\nprint("y")\n```',
    ),
    (
        "CodeMirror's",
        '<div data-markdown-copy="code-block"><div class="cm-editor"><div class="cm-gutters">12</div>'
        '<div class="cm-content" contenteditable="true" role="textbox" data-language="js">'
        '<div class="cm-line">a</div><div class="cm-line"><br></div><div class="cm-line">b</div></div></div></div>',
        "```js\na\n\nb\n```",
    ),
    (
        "Grok's, with a header, 2026-09",
        '<div data-testid="code-block"><div class="flex group/code-header"><span>python</span><button>Copy</button></div>'
        "<pre><code>x = 1</code></pre></div>",
        "```python\nx = 1\n```",
    ),
    (
        "Grok's, not drawn yet",
        '<div data-testid="code-block"><div class="group/code-header"><span>bash</span></div></div>',
        "```bash\n```",
    ),
    (
        "Gemini's",
        '<code-block><div class="code-block"><div class="code-block-decoration header-formatted"><span>Python</span>'
        '<div class="buttons"><button>copy</button></div></div><div><pre><code role="text">x = 1</code></pre></div>'
        "</div></code-block>",
        "```python\nx = 1\n```",
    ),
    ("breaks in a block", "<pre><code>a<br>b</code></pre>", "```\na\nb\n```"),
]

TABLES = [
    (
        "a table",
        "<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>",
        "| A | B |\n| --- | --- |\n| 1 | 2 |",
    ),
    (
        "aligned",
        '<table><tr><th style="text-align: left">A</th><th style="text-align:center">B</th><th align="right">C</th></tr>'
        "<tr><td>1</td><td>2</td><td>3</td></tr></table>",
        "| A | B | C |\n| :--- | :---: | ---: |\n| 1 | 2 | 3 |",
    ),
    (
        "pipes, marks and code",
        "<table><tr><th>a|b</th></tr><tr><td><b>x</b> <code>c|d</code></td></tr></table>",
        "| a\\|b |\n| --- |\n| **x** `c\\|d` |",
    ),
    (
        "breaks in a cell",
        "<table><tr><th>A</th></tr><tr><td>a<br>b</td></tr></table>",
        "| A |\n| --- |\n| a<br>b |",
    ),
    (
        "blocks in a cell, 2026-06",
        "<table><tr><th><div><div><button>x</button></div><div>Coway</div><div><span>€169</span></div></div></th></tr>"
        "<tr><td><p>Yes</p></td></tr></table>",
        "| Coway €169 |\n| --- |\n| Yes |",
    ),
    (
        "a list in a cell",
        "<table><tr><th>A</th></tr><tr><td><ul><li>x</li><li>y</li></ul></td></tr></table>",
        "| A |\n| --- |\n| • x<br>• y |",
    ),
    (
        "cells that span, rows that lack",
        '<table><tr><th colspan="2">A</th><th>B</th></tr><tr><td>1</td></tr></table>',
        "| A |  | B |\n| --- | --- | --- |\n| 1 |  |  |",
    ),
    (
        "Gemini's, 2026-01",
        "<table-block><div><table><thead><tr><td><strong>A</strong></td></tr></thead><tbody><tr><td><span>1</span></td>"
        "</tr></tbody></table></div><div><button>Export</button></div></table-block>",
        "| **A** |\n| --- |\n| 1 |",
    ),
]


def katex(tex, display=False):
    """KaTeX as it draws: the source in an annotation, then the same for the eye."""
    inner = (
        '<span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>x</mi></mrow>'
        f'<annotation encoding="application/x-tex">{tex}</annotation></semantics></math></span>'
        '<span class="katex-html" aria-hidden="true"><span>x2</span></span></span>'
    )
    return f'<span class="katex-display">{inner}</span>' if display else inner


FORMULAS = [
    ("in a line", f"<p>so {katex('x^2_i')} is</p>", "so $x^2_i$ is"),
    ("on its own", f"<p>so {katex('a * b', True)} is</p>", "so\n\n$$\na * b\n$$\n\nis"),
    ("on its own, outside", katex("\\frac{1}{2}", True), "$$\n\\frac{1}{2}\n$$"),
    (
        "Gemini's",
        f'<p>x <span class="math-inline" data-math="y^2">{katex("y^2")}</span></p>',
        "x $y^2$",
    ),
    (
        "Gemini's on its own",
        f'<div class="math-block" data-math="y^2">{katex("y^2", True)}</div>',
        "$$\ny^2\n$$",
    ),
    ("in a cell", f"<table><tr><th>{katex('x')}</th></tr></table>", "| $x$ |\n| --- |"),
]

NEVER = [
    ("buttons", "<p>a<button>Copy</button></p><button>Thinking time: 17s</button>", "a"),
    ("what acts as one", '<p>a<span role="button">More</span></p>', "a"),
    ("screen readers' text", '<h4 class="sr-only">ChatGPT said:</h4><p>a</p>', "a"),
    ("Angular's", '<h2 class="cdk-visually-hidden">Gemini said</h2><p>a</p>', "a"),
    ("what is hidden", '<p>a<span hidden>b</span><span aria-hidden="true">c</span></p>', "a"),
    (
        "what is not drawn",
        '<p>a<span style="display:none">b</span><i style="visibility:hidden">c</i></p>',
        "a",
    ),
    (
        "what is folded up",
        "<details><summary>More</summary><p>inner</p></details><p>a</p>",
        "More\n\na",
    ),
    ("scripts and styles", "<style>p{}</style><script>1</script><p>a</p>", "a"),
    ("drawings", "<p>a<svg><text>b</text></svg></p>", "a"),
    ("thinking", '<div class="thinking-container"><p>Let me see</p></div><p>a</p>', "a"),
    ("a tooltip", '<p>a<span role="tooltip">help</span></p>', "a"),
]

CASES = [
    (f"{group}: {what}", html, text)
    for group, cases in {
        "text": TEXT,
        "marks": MARKS,
        "escapes": ESCAPES,
        "lists": LISTS,
        "links": LINKS,
        "code": CODE,
        "tables": TABLES,
        "formulas": FORMULAS,
        "never": NEVER,
    }.items()
    for what, html, text in cases
]
