"""Records behave as the dataclasses that type checkers take them for; patterns as compiled ones."""

import dataclasses
import pickle
import re

import pytest

from tabwire_guard.pattern import pattern
from tabwire_guard.record import NamedTuple, field, record, replace


@record(frozen=True)
class Point:
    """Somewhere."""

    x: int
    y: int = 0

    @property
    def far(self):
        return self.x + self.y


@record
class Bag:
    name: str
    things: list = field(default_factory=list)


class Pair(NamedTuple):
    """Two of a kind."""

    left: str
    right: str = "r"

    @property
    def both(self):
        return self.left + self.right


def test_fields_are_given_by_place_or_name_and_have_defaults():
    assert (Point(1).x, Point(1).y, Point(1, y=2).far) == (1, 0, 3)
    for wrong in ((), (1, 2, 3)):
        with pytest.raises(TypeError):
            Point(*wrong)
    with pytest.raises(TypeError):
        Point(1, z=2)


def test_each_has_a_list_of_its_own():
    one, other = Bag("a"), Bag("b")
    one.things.append(1)
    assert other.things == []
    assert Bag("c", [2]).things == [2]


def test_equal_records_of_one_class_are_equal():
    assert Point(1, 2) == Point(1, 2) != Point(2, 1)
    assert len({Point(1), Point(1)}) == 1
    assert Bag("a") != Point(1)
    with pytest.raises(TypeError):
        hash(Bag("a", ()))


def test_there_is_no_room_for_anything_else():
    with pytest.raises(AttributeError):
        Point(1).z = 3


def test_a_record_can_be_matched_shown_changed_and_pickled():
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)
    assert repr(Point(1, 2)) == "Point(x=1, y=2)"
    assert replace(Point(1, 2), y=5) == Point(1, 5)
    assert pickle.loads(pickle.dumps(Point(1, 2))) == Point(1, 2)


def test_dataclasses_takes_a_record_for_one_of_its_own():
    assert dataclasses.is_dataclass(Point)
    assert dataclasses.asdict(Bag("a", [1])) == {"name": "a", "things": [1]}
    assert dataclasses.replace(Point(1, 2), x=3) == Point(3, 2)


def test_a_named_tuple_is_a_tuple():
    assert Pair("l") == ("l", "r")
    assert Pair("l").both == "lr"
    assert Pair("l")._replace(right="x") == Pair("l", "x")
    assert Pair.__doc__ == "Two of a kind."


def test_a_pattern_is_compiled_when_it_is_used():
    broken = pattern("(")  # nobody has asked it for anything yet
    with pytest.raises(re.error):
        broken.search("x")
    letters = pattern("[a-c]+", re.IGNORECASE)
    assert letters.fullmatch("ABC")
    assert letters.findall("ab1c") == ["ab", "c"]
    assert letters.sub("-", "xAx") == "x-x"
    assert letters.pattern == "[a-c]+"
