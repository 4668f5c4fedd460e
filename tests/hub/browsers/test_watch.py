"""What a watcher is told of a text with a site's private marks."""

from tabwire.fusion.agreement import Account
from tabwire.fusion.table import State
from tabwire.fusion.verdict import Judgement, Verdict
from tabwire.hub.browsers.sightings import as_data
from tabwire.hub.browsers.watch import Readable
from tabwire.model.citations import Citation, Reference
from tabwire.model.signals import Source
from tabwire.monitor import sightings as told
from tabwire.sites.known import SITES

MARK = "\ue200cite\ue202turn0search0\ue201"
SOURCE = Citation("https://example.com/a", "A", "Example")


def test_marks_are_left_out_while_a_text_grows_and_are_links_in_the_verdict():
    heard: list[told.Sighting] = []
    readable = Readable(SITES["chatgpt"], heard.append)
    raw = f"It is so{MARK}."
    for piece in raw:
        readable.tell(told.Grew(1.0, "a1", piece))
    readable.tell(told.Rewritten(2.0, "a1", raw))
    verdict = Verdict(
        Judgement.COMPLETE,
        "end of turn",
        raw,
        accounts=(Account(Source.PAGE, raw),),
        references=(Reference(MARK, citations=(SOURCE,)),),
    )
    readable.tell(told.Judged(3.0, "a1", State.COMPLETED_HINT, verdict, ()))
    grown = "".join(one.text for one in heard if isinstance(one, told.Grew))
    assert grown == "It is so."
    assert [one.text for one in heard if isinstance(one, told.Rewritten)] == ["It is so."]
    data = as_data(heard[-1], 0.0)["verdict"]
    link = "It is so ([Example](https://example.com/a))."
    assert (data["text"], data["accounts"]) == (link, [[str(Source.PAGE), link]])
    assert data["citations"] == [
        {"url": "https://example.com/a", "title": "A", "publisher": "Example"}
    ]


def test_what_is_no_text_is_passed_on_as_it_is():
    heard: list[told.Sighting] = []
    asked = told.Asked(1.0, "a1", None, f"What is {MARK}?")
    Readable(SITES["chatgpt"], heard.append).tell(asked)
    assert heard == [asked]
