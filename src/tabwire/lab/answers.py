"""Kinds of answers: rich Markdown, odd characters, an echo, one character, five megabytes.

Each is made from the prompt and says whose it is, so that anyone can tell one from another.
A prompt asks for a kind with `lab: answer=KIND`.
"""

import zlib
from collections.abc import Callable, Mapping

from tabwire.lab import steering
from tabwire.lab.citing import citation_tag
from tabwire.lab.words import in_words, mark_of, quoted

GIGANTIC_PIECES, GIGANTIC_CHARS = 20_000, 250


def _one(prompt: str) -> tuple[str, ...]:
    return (str(zlib.crc32(prompt.encode("utf-8", "replace")) % 10),)


def _gigantic(prompt: str) -> tuple[str, ...]:
    line = f"{mark_of(prompt)} and so on, word after word, 光と時間 and 😀, without an end. "
    text = (line * 4)[: GIGANTIC_CHARS - 2] + "\n\n"
    return (text,) * (GIGANTIC_PIECES - 1) + (text.strip(),)


def _odd(prompt: str) -> tuple[str, ...]:
    parts = [
        f"Odd things for {mark_of(prompt)}: ",
        "a NUL \x00, a bell \x07, an escape \x1b[31m, a form feed \x0c, ",
        "right to left שלום עולם مرحبا بالعالم, marks \u200f\u202e\u202c\u2066\u2069, ",
        "a joiner 👩‍👩‍👧‍👦, flags 🇯🇵🇩🇪, combining a\u0301\u0323, ",
        "line separators \u2028 and \u2029, private \ue200cite\ue201, ",
        "and one long line: " + "x" * 20_000,
        " the end.",
    ]
    return tuple(parts)


def _scripts(prompt: str) -> tuple[str, ...]:
    text = (
        f"{mark_of(prompt)}: 日本語の文章、中文的句子、한국어 문장, العربية, עברית, Größe, "
        "naïve, 😀👩‍🚀🇯🇵 and 𠮷野家, again and again.\n\n"
    )
    return tuple(in_words((text * 6).strip()))


def _skip(prompt: str) -> tuple[str, ...]:
    text = (
        f"About “{quoted(prompt)}”: press “Skip thinking” or “Answer now” if you like. "
        "ChatGPT is still generating, says the page at times. 今すぐ回答 is the same in Japanese. "
        "Thinking… Stop generating. That was all of it."
    )
    return tuple(in_words(text))


def _echo(prompt: str) -> tuple[str, ...]:
    answer = f"That is what you asked, word for word. The answer is {mark_of(prompt)}."
    return tuple(in_words(f"{prompt.strip()}\n\n{answer}"))


def _digits(prompt: str) -> tuple[str, ...]:
    lines = "\n".join(str(number) for number in (42, 1337, 98765, 7))
    return tuple(
        in_words(f"Numbers for {mark_of(prompt)} 😀:\n\n```\n{lines}\n```\n\nThat is all.")
    )


# How a site marks in its text that a source speaks for it: what stands before, and behind.
CITED_BY: Mapping[str, tuple[str, str]] = {
    "chatgpt": ("", "\ue200cite\ue202turn0search0\ue201"),
    "gemini": ("[cite_start]", " [cite: 1]"),
    "grok": ("", citation_tag(0)),
}


def _cited(prompt: str, site: str = "chatgpt") -> tuple[str, ...]:
    before, behind = CITED_BY[site]
    text = (
        f"{mark_of(prompt)}: the sky is blue [1](https://example.com/blue) and wide "
        f"[2](https://example.com/wide). {before}One site marks its sources with signs of its own"
        f"{behind}, which no reader sees."
    )
    return tuple(in_words(text))


def _steering(prompt: str) -> tuple[str, ...]:
    return (f"{mark_of(prompt)}:", *(f"\n\n{one}" for one in steering.ALL), "\n\nThat is all.")


def _rich(prompt: str) -> tuple[str, ...]:
    return tuple(in_words(RICH.replace("PROMPT", quoted(prompt) or "nothing").strip()))


RICH = r"""
# Everything Markdown can do, for “PROMPT”

Some **bold**, some *italic*, some ***both***, some ~~gone~~, and `code with * and $ and |`.

## Code in code

````markdown
Here is a fence inside a fence:

```python
print("a * b $ c")
```
````

```python
def fib(n: int) -> int:
    return n if n < 2 else fib(n - 1) + fib(n - 2)
```

## A table

| what | 数 | note |
|:---|---:|:---:|
| plain | 1 | `a \| b` |
| 日本語 | 22 | **bold** |
| العربية | 333 | [link](https://example.com/a_(b)) |

## Lists

1. First
   - nested
     - deeper, with `code`
2. Second

   A paragraph of the second item.

- [x] done
- [ ] not done

> A quote
> of two lines.
>
> > and one inside

## Maths

Inline $e^{i\pi} + 1 = 0$ and on a line of its own:

$$\int_0^\infty e^{-x^2}\,dx = \frac{\sqrt{\pi}}{2}$$

## Other scripts

日本語、中文、한국어. العربية من اليمين إلى اليسار. עברית. Größe, façade, 😀 👩‍🚀 🇯🇵.

---

The last line.
"""

KINDS: Mapping[str, Callable[[str], tuple[str, ...]]] = {
    "one": _one,
    "gigantic": _gigantic,
    "odd": _odd,
    "scripts": _scripts,
    "skip": _skip,
    "echo": _echo,
    "digits": _digits,
    "rich": _rich,
    "cited": _cited,
    "steering": _steering,
}


def answer_of(kind: str, prompt: str, site: str = "chatgpt") -> tuple[str, ...]:
    """The pieces of this kind of answer; sources are marked as the site marks them."""
    return _cited(prompt, site) if kind == "cited" else KINDS[kind](prompt)
