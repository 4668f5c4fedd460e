from tabwire.fusion.roster import Roster


def test_the_oldest_goes_first():
    book: Roster[int] = Roster("numbers", 2)
    assert book.put("a", 1) == []
    assert book.put("b", 2) == []
    assert book.put("c", 3) == [("a", 1)]
    assert list(book) == ["b", "c"]


def test_what_can_be_spared_goes_before_what_is_older():
    book: Roster[int] = Roster("numbers", 2, spare=lambda value: value < 0)
    book.put("old", 1)
    book.put("spare", -1)
    assert book.put("new", 2) == [("spare", -1)]


def test_the_newest_is_never_the_one_to_go():
    book: Roster[int] = Roster("numbers", 1, spare=lambda value: value < 0)
    book.put("old", 1)
    assert book.put("new", -1) == [("old", 1)]


def test_putting_again_makes_it_the_newest_and_setting_does_not():
    book: Roster[int] = Roster("numbers", 2)
    book.put("a", 1)
    book.put("b", 2)
    book.set("a", 10)
    book.set("absent", 10)
    assert list(book) == ["a", "b"]
    book.put("a", 11)
    assert book.put("c", 3) == [("b", 2)]


def test_it_warns_at_nine_tenths():
    book: Roster[int] = Roster("numbers", 10)
    for number in range(8):
        book.put(str(number), number)
    assert book.warning() is None
    book.put("8", 8)
    assert book.warning() == "numbers: 9 of 10"
    book.pop("8")
    assert book.warning() is None
