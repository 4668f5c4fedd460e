"""An answer as its sentences, and a sentence as the words in it.

A list item, a heading and a row of a table say something each; a piece of code is one thing,
however long. A full stop ends a sentence only where a blank and no small letter follows, so
that 3.14, `a.b` and e.g. stay whole; the marks of Chinese and Japanese need no blank. Sources
in brackets belong to the sentence before them, and claim nothing.
Scripts without blanks between words are read letter by letter.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from tabwire.text.blocks import Block, Kind, blocks
from tabwire.text.inline import plain_inline
from tabwire.text.plain import cells

# ruff: noqa: RUF001  many scripts have marks and letters that look like ours
_WIDE = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"  # kana and Chinese characters
_CLOSERS = r"[\"'”’»)\]}*_`」』）】〕》]*"
_END = re.compile(
    # Without a blank behind it: the marks of Chinese, Japanese and Hindi.
    rf"[。｡！？।॥]+{_CLOSERS}|(?P<western>[.!?…؟۔‼⁇]+){_CLOSERS}(?=\s)"
)
_WHOLE = re.compile(r"(?P<ticks>`+)[^`]+(?P=ticks)|\$[^$\n]+\$|\]\([^)\s]*\)")
_LINK = r"\[[^\[\]\n]{1,500}\]\(https?:[^()\s]{1,5000}\)"
_SOURCES = re.compile(rf"(?:\s*\({_LINK}(?:, {_LINK})*\))+")
_JOIN = re.compile(rf"(?<=[{_WIDE}\u3000-\u303f\uff00-\uffef])\n(?=[{_WIDE}\u3000-\u303f])")
_LAST_WORD = re.compile(r"[(\[\"'“‘*_]*([^\s(\[\"'“‘*_]+)$")
_ABBREVIATIONS = frozenset(
    "e.g i.e etc vs cf al approx ca dr mr mrs ms prof st no nr fig eq sec ch vol pp p ed eds inc"
    " ltd co corp jr sr dept est min max jan feb mar apr jun jul aug sep sept oct nov dec"
    " z.b d.h u.a u.s u.k bzw usw evtl ggf inkl exkl zzgl abb kap art abs str p.ej ej sra sres"
    " ud m mme mlle c.-à-d env т.е т.д т.п др г".split()
)

_TOKEN = re.compile(
    rf"(?P<wide>[{_WIDE}])"
    # A minus belongs to a number unless it stands between two things.
    r"|(?P<number>(?:(?<![\w)\]])[-\u2212])?\d+(?:[.,:/'\u066b\u066c]\d+)*)"
    rf"|(?P<word>[^\W\d{_WIDE}][^\W{_WIDE}]*(?:'[^\W{_WIDE}]+)*)"
    r"|(?P<sign>[<>≤≥=≠≈+×÷%$€£¥°±^/]|->|→)"
)
_THOUSANDS = re.compile(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_ARABIC_DRESS = re.compile("[\u064b-\u065f\u0670\u0640]")  # vowels and stretching
_NOT = frozenset(
    "not no never none cannot without neither nor nothing hardly non un nicht kein keine keinen"
    " keiner nie niemals ohne weder pas jamais aucun aucune sans nunca jamás sin ningún ninguna"
    " não sem nessun senza mai не нет без никогда нельзя ليس ليست لا لم لن غير بدون بلا".split()
)
_NOT_IN_JAPANESE = re.compile("な[いくかけ]|ません|[ずぬ](?:$|[、。に])")
_NOT_IN_CHINESE = frozenset("不没沒無无非未勿别")
_NOT_IN_KOREAN = re.compile("않|없|못|아니")
# Words that carry no claim of their own. Of languages not here, all words count.
_SMALL = frozenset(
    "a an the is are was were be been being am do does did has have had will would can could"
    " may might shall should must of to in on at by for from with as and or but if then than that"
    " this these those it its they them their he she his her we our you your i my so also very"
    " just which who whom what when where how there here into about over such more most"
    " der die das den dem des ein eine einer eines und oder ist sind war im in auf mit von zu"
    " für als auch sich es er sie wird werden le la les un une des du de et ou est sont dans"
    " pour avec sur que qui el los las y o es son en por con para del al se"
    " في من على إلى هو هي و أن التي الذي هذا هذه".split()
) | frozenset("的了是在也就都很和与與及或之其这這那个個们們")


@dataclass(frozen=True, slots=True)
class Word:
    """A word, a number, a sign, or one letter of a script without blanks."""

    text: str  # the same for the same word, however it is written
    key: bool  # another one in its place is another claim: a name, a number, a sign
    capital: bool = False  # begins with a capital, at the beginning of a sentence


@dataclass(frozen=True, slots=True)
class Sentence:
    """`text` is Markdown as it stood. Two with the same `same` say the same."""

    text: str
    code: bool
    words: tuple[Word, ...]
    negated: bool

    @property
    def same(self) -> tuple[bool, tuple[str, ...]]:
        """What two sentences share that say the same."""
        return self.code, tuple(word.text for word in self.words) or (self.text,)


def sentences(markdown: str) -> list[Sentence]:
    """All sentences of an answer, in order."""
    return [one for block in blocks(markdown) for one in _of_block(block)]


def _of_block(block: Block) -> Iterator[Sentence]:
    match block.kind:
        case Kind.BLANK | Kind.RULE:
            return
        case Kind.CODE:
            if block.text.strip():
                yield Sentence(block.raw, True, _code_words(block.text), False)
        case Kind.ROW:
            yield _sentence(block.text, " ; ".join(map(_claimed, cells(block.text))))
        case Kind.FORMULA:
            yield _sentence(block.raw, block.text)
        case _:
            for text in split(block.text):
                yield _sentence(text, _claimed(text))


def _claimed(text: str) -> str:
    return plain_inline(_SOURCES.sub("", text))


def split(paragraph: str) -> list[str]:
    """The sentences of one paragraph."""
    text = _JOIN.sub("", paragraph).replace("\n", " ")
    kept = [(found.start(), found.end()) for found in _WHOLE.finditer(text)]
    found, begin, span = [], 0, 0
    for end in _END.finditer(text):
        while span < len(kept) and kept[span][1] <= end.start():
            span += 1
        inside = span < len(kept) and kept[span][0] <= end.start()
        if inside or (end["western"] and not _ends(text, begin, end)):
            continue
        sources = _SOURCES.match(text, end.end())
        at = sources.end() if sources else end.end()
        found.append(text[begin:at].strip())
        begin = at
    found.append(text[begin:].strip())
    return [one for one in found if one]


def _ends(text: str, begin: int, end: re.Match[str]) -> bool:
    """Whether a full stop with a blank behind it ends a sentence."""
    if text[end.end() : end.end() + 8].lstrip()[:1].islower():
        return False
    if end["western"] != ".":
        return True
    found = _LAST_WORD.search(text, max(begin, end.start() - 40), end.start())
    last = found[1] if found else ""
    if last.lower() in _ABBREVIATIONS or (len(last) == 1 and last.isupper()):
        return False
    # `1. First`: a number at the beginning counts, it does not claim.
    return not (last.isdigit() and text[begin : end.start()].strip() == last)


def _sentence(text: str, said: str) -> Sentence:
    plain = _ARABIC_DRESS.sub("", unicodedata.normalize("NFKC", said)).replace("’", "'")
    words = tuple(_words(plain))
    lowered = [word.text for word in words]
    negated = (
        any(word in _NOT or word.endswith("n't") for word in lowered)
        or any(word in _NOT_IN_CHINESE for word in lowered)
        or _NOT_IN_JAPANESE.search(plain) is not None
        or _NOT_IN_KOREAN.search(plain) is not None
    )
    return Sentence(text, False, words, negated)


def _words(plain: str) -> Iterator[Word]:
    first = True
    for found in _TOKEN.finditer(plain):
        text = found[0]
        match found.lastgroup:
            case "number":
                yield Word(_number(text), key=True)
            case "sign":
                yield Word(text, key=True)
            case "wide":
                yield Word(text, key=not _is_hiragana(text) and text not in _SMALL)
            case _:
                lowered = text.casefold().removesuffix("'s")
                odd = any(char.isupper() or char.isdigit() or char == "_" for char in text[1:])
                capital = text[0].isupper() and not odd
                named = odd or (capital and not first)
                yield Word(lowered, named and lowered not in _SMALL, capital and first)
        first = False


def _number(text: str) -> str:
    digits = "".join(
        str(unicodedata.digit(char)) if char.isdigit() else char for char in text
    ).replace("\u2212", "-")
    digits = (
        digits.replace("\u066b", ".").replace("\u066c", ",").replace("’", ",").replace("'", ",")
    )
    return digits.replace(",", "") if _THOUSANDS.fullmatch(digits) else digits


def _code_words(code: str) -> tuple[Word, ...]:
    return tuple(Word(text, key=True) for text in re.findall(r"\w+|[^\w\s]", code))


def is_small(word: Word) -> bool:
    """Whether a word claims nothing by itself."""
    return not word.key and (word.text in _SMALL or _is_hiragana(word.text[0]))


def _is_hiragana(char: str) -> bool:
    """Of the letters of Japanese, those that as a rule are grammar."""
    return "\u3040" <= char <= "\u309f"
