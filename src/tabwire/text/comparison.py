"""What several sites say: what all said, what one alone said, and where they differ.

Theory of operation. Each answer is cut into sentences. The same words are the same sentence.
For the others the nearest of each other answer are looked up by their rare words and weighed
by the pieces of words they share, a rare piece more than a common one; the nearest pairs
join first, and one sentence of each answer is in a group at most. Then each group is judged:
another number, another name, a negation on one side, or too few words in common is a
difference. No model is asked, so what is said in quite other words is found on both sides
as said by one alone.

Answers are taken in the order of their sites' names, so that it does not matter who came
first. A sentence an answer repeats counts once.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import combinations
from math import log
from typing import NamedTuple

from tabwire.model.ask import Answer
from tabwire.text.sentences import Sentence, Word, is_small, sentences

RELATED = 0.45  # of the weight of both: below this two sentences are of different things
# Of the words of both that claim something, as many must be common:
AGREEING = 0.6  # where one says more than the other
REWORDED = 0.85  # where each has words the other has not
MAX_LISTED = 64  # sentences with a word: one that stands in more leads nowhere
MAX_NEAR = 12  # candidates weighed for one sentence
PIECE = 3  # letters
SAME_STEM = 0.6  # of the longer word: as much at the beginning makes it the same word


@dataclass(frozen=True, slots=True)
class Difference:
    """Sentences about the same thing that do not say the same, by site."""

    texts: dict[str, str]


@dataclass(frozen=True, slots=True)
class Shared:
    """Said by several, and not by all."""

    sites: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Every sentence of every answer is in exactly one of these."""

    agreed: tuple[str, ...]
    only: dict[str, tuple[str, ...]]
    differ: tuple[Difference, ...]
    shared: tuple[Shared, ...] = ()  # empty where there are two answers


class _Place(NamedTuple):
    """A sentence: of which answer, and which one. A tuple, as it is looked up very often."""

    answer: int
    number: int


def compare(answers: Sequence[Answer]) -> Comparison:
    """Compare answers to one question, sentence by sentence."""
    ordered = sorted(answers, key=lambda one: (one.site, one.text))
    names = _names([one.site for one in ordered])
    text = _Texts([_distinct(sentences(one.text)) for one in ordered])
    agreed: list[str] = []
    only: dict[str, list[str]] = {name: [] for name in names}
    differ: list[Difference] = []
    shared: list[Shared] = []
    for group in text.groups():
        first = text[group[0]].text
        if len(group) == 1:
            only[names[group[0].answer]].append(first)
        elif not text.all_agree(group):
            differ.append(Difference({names[one.answer]: text[one].text for one in group}))
        elif len(group) == len(names):
            agreed.append(first)
        else:
            shared.append(Shared(tuple(names[one.answer] for one in group), first))
    told = {name: tuple(texts) for name, texts in only.items()}
    if len(names) == 1:  # what a single answer says, all said
        return Comparison(told[names[0]], {names[0]: ()}, (), ())
    return Comparison(tuple(agreed), told, tuple(differ), tuple(shared))


def _distinct(said: list[Sentence]) -> list[Sentence]:
    """Without what is said again."""
    first: dict[object, Sentence] = {}
    for one in said:
        first.setdefault(one.same, one)
    return list(first.values())


def _names(sites: list[str]) -> list[str]:
    """Each answer's name: its site, counted where a site answered twice."""
    seen: Counter[str] = Counter()
    names = []
    for site in sites:
        seen[site] += 1
        names.append(site if seen[site] == 1 else f"{site} ({seen[site]})")
    return names


class _Texts:
    """The sentences of all answers, and how near they are to each other."""

    def __init__(self, said: list[list[Sentence]]) -> None:
        self._said = {
            _Place(answer, number): sentence
            for answer, listed in enumerate(said)
            for number, sentence in enumerate(listed)
        }
        self._lower = {
            word.text
            for one in self._said.values()
            for word in one.words
            if not (word.capital or word.key)
        }
        self._pieces = {place: _pieces(one) for place, one in self._said.items()}
        spread = Counter(piece for pieces in self._pieces.values() for piece in pieces)
        count = len(self._said)
        self._weight = {piece: log(1 + count / times) for piece, times in spread.items()}
        self._heft = {place: self._weigh(pieces) for place, pieces in self._pieces.items()}

    def __getitem__(self, place: _Place) -> Sentence:
        return self._said[place]

    def groups(self) -> list[list[_Place]]:
        """All sentences in groups, at most one of each answer, in the order of the answers."""
        joined = {place: [place] for place in self._said}
        for _, left, right in sorted(self._pairs()):
            ours, theirs = joined[left], joined[right]
            if ours is theirs or {one.answer for one in ours} & {one.answer for one in theirs}:
                continue
            ours.extend(theirs)
            for one in theirs:
                joined[one] = ours
        groups = {id(group): sorted(group) for group in joined.values()}
        return sorted(groups.values())

    def all_agree(self, group: list[_Place]) -> bool:
        """Whether none of them contradicts another."""
        return all(self._agree(left, right) for left, right in combinations(group, 2))

    def _pairs(self) -> Iterable[tuple[float, _Place, _Place]]:
        """Pairs that may be about the same thing; the first number is how far apart they are."""
        same: dict[object, list[_Place]] = defaultdict(list)
        for place, sentence in self._said.items():
            same[sentence.same].append(place)
        pairs = {
            (left, right): -1.0
            for places in same.values()
            for left, right in combinations(places, 2)
        }
        known = {place for places in same.values() if len(places) > 1 for place in places}
        for left, right in self._candidates(known):
            if (left, right) not in pairs and (near := self._likeness(left, right)) >= RELATED:
                pairs[left, right] = 1 - near
        return ((apart, left, right) for (left, right), apart in pairs.items())

    def _candidates(self, known: set[_Place]) -> set[tuple[_Place, _Place]]:
        listed: dict[str, list[_Place]] = defaultdict(list)
        for place, sentence in self._said.items():
            for word in {_stem(word) for word in sentence.words if not is_small(word)}:
                listed[word].append(place)
        found: set[tuple[_Place, _Place]] = set()
        for place, sentence in self._said.items():
            if place in known:  # its like is found; a third one that is near looks for both
                continue
            votes: Counter[_Place] = Counter()
            for word in {_stem(word) for word in sentence.words if not is_small(word)}:
                places = listed[word]
                if len(places) <= MAX_LISTED:
                    votes.update(places)
            others = [one for one in votes if one.answer != place.answer]
            near = nsmallest(MAX_NEAR, others, key=lambda one: (-votes[one], one))
            found.update((min(place, one), max(place, one)) for one in near)
        return {
            (left, right)
            for left, right in found
            if self._said[left].code == self._said[right].code
        }

    def _weigh(self, pieces: Iterable[str]) -> float:
        return sum(self._weight[piece] for piece in pieces)

    def _likeness(self, left: _Place, right: _Place) -> float:
        """From 0 (nothing in common) to 1: the weight of the pieces both have."""
        both = self._heft[left] + self._heft[right]
        common = self._weigh(sorted(self._pieces[left] & self._pieces[right]))
        return 2 * common / both if both else 0.0

    def _agree(self, left: _Place, right: _Place) -> bool:
        ours, theirs = self._said[left], self._said[right]
        if ours.same == theirs.same:
            return True
        if ours.code or ours.negated != theirs.negated:
            return False
        lacks, has = _unmatched(ours.words, theirs.words)
        if any(map(self._is_key, lacks)) and any(map(self._is_key, has)):
            return False
        all_words = sum(not is_small(word) for word in (*ours.words, *theirs.words))
        common = 1 - (len(lacks) + len(has)) / max(1, all_words)
        return common >= (REWORDED if lacks and has else AGREEING)

    def _is_key(self, word: Word) -> bool:
        """A name at the beginning of a sentence is known by never being written small."""
        return word.key or (word.capital and word.text not in self._lower)


def _pieces(sentence: Sentence) -> frozenset[str]:
    """Three letters at a time of every word; of scripts without blanks, two."""
    pieces: set[str] = set()
    before = ""
    for word in sentence.words:
        wide = len(word.text) == 1 and word.text > "\u3000"
        if wide:
            pieces.add(before + word.text)
        elif word.key and not word.text.isalpha():
            pieces.add(word.text)
        else:
            padded = f" {word.text} "
            pieces.update(padded[at : at + PIECE] for at in range(len(padded) - PIECE + 1))
        before = word.text if wide else ""
    return frozenset(pieces)


def _stem(word: Word) -> str:
    """What words of one stem share, to look them up by."""
    return word.text if word.key and not word.text.isalpha() else word.text[:5]


def _unmatched(left: Sequence[Word], right: Sequence[Word]) -> tuple[list[Word], list[Word]]:
    """The words of each side that claim something and that the other side does not have."""
    ours = {word.text: word for word in left if not is_small(word)}
    theirs = {word.text: word for word in right if not is_small(word)}
    lacks = [word for text, word in ours.items() if text not in theirs]
    has = [word for text, word in theirs.items() if text not in ours]
    for word in list(lacks):
        twin = next((one for one in has if _same_stem(word.text, one.text)), None)
        if twin is not None:
            lacks.remove(word)
            has.remove(twin)
    return lacks, has


def _same_stem(left: str, right: str) -> bool:
    if not (left.isalpha() and right.isalpha()):
        return False
    shared = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        shared += 1
    return shared >= max(4, SAME_STEM * max(len(left), len(right)))
