"""What was not taken of pages is counted, and a cache that fills up is told once."""

from collections import Counter
from types import SimpleNamespace

from tabwire.capture.losses import Losses


def page(warnings=(), **lost):
    return SimpleNamespace(refused=Counter(lost), dropped=Counter(), warnings=tuple(warnings))


def test_what_open_and_closed_pages_lost_is_one_count():
    here, gone = page(forged=1), page(forged=2, oversized=1)
    losses = Losses(lambda: [here])
    losses.add("unknown page")
    losses.closed(gone)
    assert losses.counts() == {"forged": 3, "unknown page": 1, "oversized": 1}
    assert next(iter(losses.counts())) == "forged"
    assert losses.counts()["forged"] == 3, "asking changes nothing"


def test_a_cache_that_is_nearly_full_is_told_once_however_it_grows():
    losses, told = Losses(list), []
    losses.check(page(["attempts: 9 of 10"]), told.append)
    losses.check(page(["attempts: 10 of 10"]), told.append)
    losses.check(page(["attempts: 10 of 10", "pending: 9 of 10"]), told.append)
    said = "a cache for a captured page is nearly full"
    assert told == [f"{said} (attempts: 9 of 10)", f"{said} (pending: 9 of 10)"]
