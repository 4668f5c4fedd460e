"""Numbers, acknowledgements, pieces and time, without a socket: time is an argument."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwire.cdp.errors import LineFull
from tabwire.cdp.relay_frames import Trouble, read_raw
from tabwire.hub.relay import session as subject
from tabwire.hub.relay.session import RelaySession, Violation


class Ear:
    """Hears, and says what it heard."""

    def __init__(self):
        self.events = []
        self.missed_count = 0

    def heard(self, frame):
        self.events.append(frame.tab)

    def missed(self):
        self.missed_count += 1


def begun(have_boot="boot", **more):
    """A session with a socket, what it says into it, and who hears."""
    ear, said = Ear(), []
    session = RelaySession("install", ear, **more)
    session.resume(have_boot, 0)
    session.opened(said.append, 0.0)
    return session, said, ear


def event(n, tab=None):
    return json.dumps({"n": n, "on": "tab.gone", "tab": n if tab is None else tab})


def acks(said):
    return [json.loads(one)["ack"] for one in said if "ack" in one]


def test_what_is_said_twice_is_heard_once():
    session, _, ear = begun()
    for n in (1, 2, 2, 1, 3):
        session.hear(event(n), 0.0)
    assert ear.events == [1, 2, 3]


def test_a_gap_closes_the_socket_and_nothing_behind_it_counts():
    session, _, ear = begun()
    session.hear(event(1), 0.0)
    with pytest.raises(Violation, match="frame 3 arrived after 1"):
        session.hear(event(3), 0.0)
    assert (session.have, ear.events) == (1, [1])
    assert session.resume("boot", 0) == 1, "from there it is said again"


@given(st.lists(st.integers(1, 12), max_size=60))
def test_f16_in_whatever_order_frames_come_each_is_heard_once_and_in_its_place(order):
    """A proxy shuffles and repeats; the extension says all of it again after every close."""
    session, _, ear = begun()
    for n in order:
        try:
            session.hear(event(n), 0.0)
        except Violation:
            continue
    for n in range(1, 13):
        session.hear(event(n), 0.0)
    assert ear.events == list(range(1, 13))


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)
FIELDS = "n re ok error on piece more ping pong tab session method params reason url title".split()
objects = st.dictionaries(
    st.sampled_from([*FIELDS, "target", "page", "site", "message", "tabs", "sites", "x"]),
    st.sampled_from(
        [1, 2, -1, 0, True, False, None, "", "x", "lost", {}, [], [1], {"code": 1}, 1.5]
    )
    | values,
    max_size=6,
)


@given(st.lists(objects.map(json.dumps) | values.map(json.dumps) | st.text(max_size=30)))
def test_f17_whatever_is_said_the_session_lives_and_nothing_is_stuck(said):
    """Each frame is taken or the socket is closed; one that cannot be read is not asked for for
    ever, which would be a line that never works again."""
    session, _, ear = begun()
    for text in said:
        before = session.have
        try:
            session.hear(text, 0.0)
        except Violation:
            session.resume("boot", 0)
        assert session.have in (before, before + 1)
    session.hear(json.dumps({"n": session.have + 1, "piece": "", "more": True}), 0.0)
    session.resume("another", 0)
    session.opened([].append, 0.0)
    heard = len(ear.events)
    session.hear(event(1, 99), 0.0)
    assert ear.events[heard:] == [99]


def test_a_frame_that_cannot_be_read_is_not_asked_for_again():
    session, _, ear = begun()
    with pytest.raises(Violation):
        session.hear('{"n":1,"on":"tab.gone","tab":"seven"}', 0.0)
    assert session.have == 1
    session.hear(event(2), 0.0)
    assert ear.events == [2]


def test_it_is_acknowledged_after_a_while_or_after_many():
    session, said, _ = begun()
    session.hear(event(1), 10.0)
    assert session.next_deadline() == 10.0 + subject.ACK_SECONDS
    session.tick(10.1)
    assert acks(said) == []
    session.tick(10.2)
    assert acks(said) == [1]
    for n in range(2, 2 + subject.ACK_FRAMES):
        session.hear(event(n), 11.0)
    assert acks(said) == [1, 65]


def test_a_quiet_line_is_pinged_and_a_dead_one_is_found_within_forty_seconds():
    session, said, _ = begun()
    assert session.next_deadline() == subject.PING_SECONDS
    session.tick(20.0)
    assert json.loads(said[-1]).keys() == {"ping"}
    assert session.next_deadline() == 35.0
    session.hear('{"pong":1}', 21.0)
    assert session.next_deadline() == 41.0
    session.tick(41.0)
    assert session.next_deadline() == 56.0 <= 21.0 + 40.0
    with pytest.raises(Violation, match="nothing was received"):
        session.tick(56.0)


def test_a_ping_is_answered():
    session, said, _ = begun()
    session.hear('{"ping":"x"}', 1.0)
    assert json.loads(said[-1]) == {"pong": "x"}


def test_requests_wait_for_a_socket_and_are_said_again_with_their_ids():
    session, said, _ = begun(first_id=8)
    done = []
    session.do("tabs.list", {}, done.append)
    session.closed(said.append)
    session.do("tabs.close", {"tab": 1}, done.append)
    again = []
    session.resume("boot", 8)
    session.opened(again.append, 0.0)
    assert [json.loads(one) for one in again] == [
        {"do": "tabs.list", "id": 8},
        {"do": "tabs.close", "id": 9, "tab": 1},
    ]
    session.hear('{"n":1,"re":9,"error":{"code":-32001,"message":"none"}}', 0.0)
    session.hear('{"n":2,"re":8,"ok":[1]}', 0.0)
    session.hear('{"n":3,"re":8,"ok":[2]}', 0.0)
    assert done == [Trouble(-32001, "none"), done[1]]
    assert read_raw(done[1]) == [1]
    assert session.waiting == 0


def test_an_id_that_the_extension_has_seen_is_never_given_again():
    """It would take the new request for one that was done."""
    session, said, _ = begun()
    session.resume("boot", 41)
    session.do("tabs.list", {}, lambda _: None)
    assert json.loads(said[-1])["id"] == 42


def test_a_closed_socket_that_is_not_in_use_changes_nothing():
    session, said, _ = begun()
    other = []
    assert session.closed(other.append) is False
    assert session.connected
    assert session.closed(said.append) is True


def test_an_end_is_told_to_all_who_wait_and_to_all_who_come():
    session, _, _ = begun()
    done = []
    session.do("tabs.list", {}, done.append)
    session.end("it did not come back")
    session.do("tabs.list", {}, done.append)
    assert [one.message for one in done] == ["it did not come back"] * 2


def test_what_waits_has_a_bound(monkeypatch):
    monkeypatch.setattr(subject, "MAX_WAITING", 1000)
    session, said, _ = begun()
    session.closed(said.append)
    while session._waiting_size <= 1000:
        session.do("debugger.send", {"params": "x" * 100}, lambda _: None)
    with pytest.raises(LineFull):
        session.do("debugger.send", {"params": "x"}, lambda _: None)


def test_pieces_are_joined_and_bounded(monkeypatch):
    session, _, ear = begun()
    whole = json.dumps({"on": "tab.gone", "tab": 5})
    for n, piece in enumerate(whole, 1):
        session.hear(json.dumps({"n": n, "piece": piece, "more": n < len(whole)}), 0.0)
    assert ear.events == [5]
    monkeypatch.setattr(subject, "MAX_JOINED", 10)
    n = session.have + 1
    session.hear(json.dumps({"n": n, "piece": "x" * 10, "more": True}), 0.0)
    with pytest.raises(Violation, match="too long"):
        session.hear(json.dumps({"n": n + 1, "piece": "x", "more": True}), 0.0)
    assert session._pieces == []


@pytest.mark.parametrize(
    "inside", [{"n": 5, "on": "x"}, {"piece": "x"}, {"re": 1, "n": 1}, {}, [], "x"], ids=str
)
def test_pieces_hold_no_pieces(inside):
    session, _, ear = begun()
    with pytest.raises(Violation):
        session.hear(json.dumps({"n": 1, "piece": json.dumps(inside), "more": False}), 0.0)
    assert ear.events == []


def test_a_message_in_pieces_ends_before_the_next_begins():
    session, _, _ = begun()
    session.hear('{"n":1,"piece":"{","more":true}', 0.0)
    with pytest.raises(Violation, match="not finished"):
        session.hear(event(2), 0.0)


def test_a_new_worker_begins_at_one_and_those_who_listen_know():
    session, _, ear = begun()
    session.hear(event(1), 0.0)
    session.hear('{"n":2,"piece":"{","more":true}', 0.0)
    assert session.resume("the next", 3) == 0
    assert ear.missed_count == 1
    session.hear(event(1), 0.0)
    assert ear.events == [1, 1]
    assert session.resume("the next", 3) == 1
    assert ear.missed_count == 1
