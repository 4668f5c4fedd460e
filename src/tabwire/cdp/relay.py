"""The carrier to a browser that an extension reaches: DevTools upwards, its verbs downwards.

Theory of operation. `chrome.debugger` knows tabs and no browser. What a browser would say of its
tabs is made here of what the extension tells: `tabs.list` and the events `tab.changed` and
`tab.gone`. For each tab we attach to a session is invented; its frames and workers have sessions
of the browser's own. Two users of one tab have a session each, and the tab is let go with the last.

The line below us (hub/relay/session.py) may be cut and mended; we do not notice. It tells us when
it is over, and when it was mended but something was missed: then every tab whose events were
missed counts as taken away, because a stream with a hole in it must not pass for whole.

A person who presses Cancel on Chrome's bar is obeyed: whoever used the tab gets no other one.
"""

import asyncio
import itertools
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

import msgspec

from tabwire.cdp.carrier import Delivery, Gone
from tabwire.cdp.errors import LineFull
from tabwire.cdp.relay_frames import (
    BAD_ARGUMENTS,
    NOT_OURS,
    NOTHING,
    UNKNOWN_VERB,
    Frame,
    TabSaid,
    Trouble,
    Unreadable,
    read_raw,
)
from tabwire.cdp.relay_shapes import (
    CANCELLED_TROUBLE,
    CLIENT,
    SUCCESS,
    Attached,
    Child,
    Client,
    Command,
    Done,
    KnownTab,
    SentAway,
    Up,
    Verbs,
    Wish,
    ignored,
    info_of,
    no_tab,
    read_command,
)

CANCELLED = "canceled_by_user"  # Chrome's word for its Cancel
WITHDRAWN = "withdrawn"
UNHEARD = "lost"

_write = msgspec.json.Encoder().encode


class RelayCarrier(Delivery):
    """One browser, as its extension shows it. `let_go` is called once when it is over."""

    def __init__(self, verbs: Verbs, let_go: Callable[[], None] = lambda: None) -> None:
        super().__init__()
        self._verbs = verbs
        self._let_go = let_go
        self._loop = asyncio.get_running_loop()
        self._tabs: dict[int, KnownTab] = {}
        self._sessions: dict[str, int] = {}  # of tabs and of their children -> tab
        self._numbers = itertools.count(1)
        self._discovering = False
        self._sent_away = SentAway()
        self._browser: dict[str, Callable[[Command, Wish], None]] = {
            "Target.setDiscoverTargets": self._discover,
            "Target.getTargets": self._list,
            "Target.getTargetInfo": self._info,
            "Target.createTarget": self._create,
            "Target.attachToTarget": self._attach,
            "Target.detachFromTarget": self._detach,
            "Target.closeTarget": self._close,
            "Browser.getVersion": self._version,
        }

    @property
    def tabs(self) -> tuple[KnownTab, ...]:
        """Those it was told of."""
        return tuple(self._tabs.values())

    # --- from above ----------------------------------------------------------------------

    def send(self, message: bytes) -> None:
        """A command. What needs no extension is answered in the loop's next turn."""
        if self.gone is not None:
            return
        command = read_command(message)
        if command.session is not None:
            self._pass_on(command)
        elif (answer := self._browser.get(command.method)) is not None:
            answer(command, read_raw(command.params, Wish))
        else:
            self._soon(command, Trouble(UNKNOWN_VERB, f"'{command.method}' wasn't found"))

    async def close(self) -> None:
        """Let go of every tab; they stay as they are."""
        if self.gone is None:
            for number, tab in self._tabs.items():
                if tab.sessions:
                    self._leave(number)
        self.end(Gone("Tabwire closed it", by_us=True))

    def end(self, gone: Gone) -> None:
        """As every carrier; whoever handed us out learns of it."""
        first = self.gone is None
        super().end(gone)
        if first:
            self._let_go()

    def _pass_on(self, command: Command) -> None:
        session = command.session or ""
        number = self._sessions.get(session)
        if number is None:
            self._soon(command, Trouble(NOT_OURS, "no such session"))
            return
        arguments: dict[str, Any] = {"tab": number, "method": command.method}
        if session not in self._tabs[number].sessions:
            arguments["session"] = session
        arguments["params"] = command.params
        self._verbs.do("debugger.send", arguments, lambda done: self._answer(command, done))

    # --- what a browser would answer -----------------------------------------------------

    def _discover(self, command: Command, wish: Wish) -> None:
        self._discovering = wish.discover

        def listed(done: Done) -> None:
            if (tabs := self._take_list(command, done)) is not None:
                for tab in tabs:
                    self._tell("Target.targetCreated", {"targetInfo": info_of(tab)})
                self._answer(command, NOTHING)

        if not wish.discover:
            return self._soon(command, NOTHING)
        return self._verbs.do("tabs.list", {}, listed)

    def _list(self, command: Command, _wish: Wish) -> None:
        def listed(done: Done) -> None:
            if (tabs := self._take_list(command, done)) is not None:
                self._reply(command, {"targetInfos": [info_of(tab) for tab in tabs]})

        self._verbs.do("tabs.list", {}, listed)

    def _take_list(self, command: Command, done: Done) -> list[KnownTab] | None:
        """The tabs there are; those that are no more in the list have gone."""
        tabs = self._read(command, done, list[TabSaid])
        if tabs is None:
            return None
        there = {said.tab for said in tabs}
        for number in [one for one in self._tabs if one not in there]:
            self._drop(number, "target_closed")
        for said in tabs:
            self._learn(said, quietly=True)
        return [self._tabs[said.tab] for said in tabs]

    def _info(self, command: Command, wish: Wish) -> None:
        tab = self._named(wish.target)
        about = no_tab(wish.target) if tab is None else {"targetInfo": info_of(tab)}
        self._soon(command, about)

    def _create(self, command: Command, wish: Wish) -> None:
        client = CLIENT.get()
        if self._is_sent_away(command, client):
            return

        def created(done: Done) -> None:
            said = self._read(command, done, TabSaid)
            if said is not None:
                self._learn(said)
                self._reply(command, {"targetId": self._tabs[said.tab].target})

        self._verbs.do("tabs.create", {"url": wish.url, "client": client.shown}, created)

    def _attach(self, command: Command, wish: Wish) -> None:
        client, tab = CLIENT.get(), self._named(wish.target)
        if tab is None:
            self._soon(command, no_tab(wish.target))
            return
        if self._is_sent_away(command, client):
            return
        number = tab.said.tab

        def attached(done: Done) -> None:
            said = self._read(command, done, Attached)
            if said is None:
                return
            tab = self._tabs.get(number)
            if tab is None:  # it went meanwhile, and nobody knows it any more
                self._answer(command, no_tab(wish.target))
                return
            session = f"relay-{next(self._numbers)}"
            tab.sessions[session] = client
            self._sessions[session] = number
            about = {"sessionId": session, "targetInfo": info_of(tab), "waitingForDebugger": False}
            self._tell("Target.attachedToTarget", about)
            self._reply(command, {"sessionId": session})

        def all_attached(done: Done) -> None:
            coming, tab.coming = tab.coming, []
            for one in coming:
                one(done)

        if tab.sessions:
            self._loop.call_soon(attached, NOTHING)
            return
        tab.coming.append(attached)
        if len(tab.coming) == 1:
            self._verbs.do("debugger.attach", {"tab": number}, all_attached)

    def _detach(self, command: Command, wish: Wish) -> None:
        number = self._sessions.get(wish.session)
        if number is None or wish.session not in self._tabs[number].sessions:
            self._soon(command, Trouble(NOT_OURS, "no such session"))
            return
        tab = self._tabs[number]
        del tab.sessions[wish.session], self._sessions[wish.session]
        if not tab.sessions:
            self._forget_children(tab)
            self._leave(number)
        self._loop.call_soon(self._tell_detached, tab, wish.session, "ours")
        self._soon(command, NOTHING)

    def _close(self, command: Command, wish: Wish) -> None:
        tab = self._named(wish.target)
        if tab is None:
            self._soon(command, no_tab(wish.target))
            return

        def closed(done: Done) -> None:
            self._answer(command, done if isinstance(done, Trouble) else SUCCESS)

        self._verbs.do("tabs.close", {"tab": tab.said.tab}, closed)

    def _version(self, command: Command, _wish: Wish) -> None:
        named = dict.fromkeys(("product", "userAgent"), self._verbs.product)
        self._soon(command, {"protocolVersion": "1.3", **named})

    def _is_sent_away(self, command: Command, client: Client) -> bool:
        if away := client in self._sent_away:
            self._soon(command, CANCELLED_TROUBLE)
        return away

    # --- from below ----------------------------------------------------------------------

    def heard(self, frame: Frame) -> None:
        """An event of the extension, in the order of the line."""
        number = frame.tab
        match frame.on:
            case "debugger.event" if number is not None:
                self._pass_up(number, frame)
            case "debugger.detached" if number is not None:
                # Where we asked for it there is no session any more. Else it let go by itself,
                # having been alone for too long: what the tab said since was not heard.
                self._taken_away(number, UNHEARD if frame.reason == "ours" else frame.reason)
            case "tab.changed" if number is not None:
                self._learn(frame.tab_said)
            case "tab.gone" if number is not None:
                self._drop(number, "target_closed")
            case "tab.withdrawn" if number is not None:
                self._drop(number, WITHDRAWN)
            case "lost":
                self.missed(frame.tabs)

    def missed(self, tabs: Iterable[int] | None = None) -> None:
        """Something that was said of these tabs (None: of all) never reached us. The debugger
        may still be there, so it is told to leave: whoever comes next starts anew."""
        for number in list(self._tabs if tabs is None else tabs):
            if number in self._tabs and self._tabs[number].sessions:
                self._lose_sessions(number, UNHEARD)
                self._leave(number)

    def _leave(self, number: int) -> None:
        """The debugger leaves a tab. Where the line is full the extension's own grace does it."""
        with suppress(LineFull):
            self._verbs.do("debugger.detach", {"tab": number}, ignored)

    def _pass_up(self, number: int, frame: Frame) -> None:
        tab = self._tabs.get(number)
        if tab is None:
            return
        if frame.session is not None:
            if frame.session in tab.children:
                self._follow(tab, frame)
                self._say(Up(method=frame.method, params=frame.params, session=frame.session))
            return
        self._follow(tab, frame)
        for session in tuple(tab.sessions):
            self._say(Up(method=frame.method, params=frame.params, session=session))

    def _follow(self, tab: KnownTab, frame: Frame) -> None:
        """Keep up with the frames and workers inside a tab."""
        if frame.method not in ("Target.attachedToTarget", "Target.detachedFromTarget"):
            return
        try:
            child = read_raw(frame.params, Child).session
        except Unreadable:
            return
        if frame.method == "Target.attachedToTarget":
            if child and child not in self._sessions:
                tab.children.add(child)
                self._sessions[child] = tab.said.tab
        elif child in tab.children:
            tab.children.discard(child)
            self._sessions.pop(child, None)

    def _learn(self, said: TabSaid, *, quietly: bool = False) -> None:
        tab = self._tabs.get(said.tab)
        if tab is None:
            tab = self._tabs[said.tab] = KnownTab(said)
            event = "Target.targetCreated"
        else:
            if said.target is None:
                said = msgspec.structs.replace(said, target=tab.said.target)
            tab.said = said
            event = "Target.targetInfoChanged"
        if self._discovering and not quietly:
            self._tell(event, {"targetInfo": info_of(tab)})

    def _drop(self, number: int, reason: str) -> None:
        """A tab is no more, or no more ours to see."""
        tab = self._tabs.get(number)
        if tab is None:
            return
        self._lose_sessions(number, reason)
        del self._tabs[number]
        if self._discovering:
            self._tell("Target.targetDestroyed", {"targetId": tab.target})

    def _taken_away(self, number: int, reason: str) -> None:
        tab = self._tabs.get(number)
        if tab is not None and reason == CANCELLED:
            self._sent_away.add(tab.sessions.values())
        self._lose_sessions(number, reason)

    def _lose_sessions(self, number: int, reason: str) -> None:
        tab = self._tabs.get(number)
        if tab is None:
            return
        sessions, tab.sessions = tab.sessions, {}
        self._forget_children(tab)
        for session in sessions:
            self._sessions.pop(session, None)
            self._tell_detached(tab, session, reason)

    def _forget_children(self, tab: KnownTab) -> None:
        children, tab.children = tab.children, set()
        for session in children:
            self._sessions.pop(session, None)

    def _tell_detached(self, tab: KnownTab, session: str, reason: str) -> None:
        about = {"sessionId": session, "targetId": tab.target, "reason": reason}
        self._tell("Target.detachedFromTarget", about)

    # --- upwards -------------------------------------------------------------------------

    def _named(self, target: str) -> KnownTab | None:
        return next((tab for tab in self._tabs.values() if tab.target == target), None)

    def _read(self, command: Command, done: Done, shape: Any) -> Any:
        """What was done, or None where it was not, which is then answered."""
        if isinstance(done, Trouble):
            self._answer(command, done)
            return None
        try:
            return read_raw(done, shape)
        except Unreadable as exc:
            self._answer(command, Trouble(BAD_ARGUMENTS, f"unreadable extension reply: {exc}"))
            return None

    def _soon(self, command: Command, result: dict[str, Any] | Done) -> None:
        """Never inside the call that asks, as no socket would."""
        say: Callable[..., None] = self._reply if isinstance(result, dict) else self._answer
        self._loop.call_soon(say, command, result)

    def _answer(self, command: Command, done: Done) -> None:
        if isinstance(done, Trouble):
            error = {"code": done.code, "message": done.message}
            self._say(Up(id=command.id, error=error, session=command.session))
        else:
            self._reply(command, done or NOTHING)

    def _reply(self, command: Command, result: Any) -> None:
        self._say(Up(id=command.id, result=result, session=command.session))

    def _tell(self, method: str, params: dict[str, Any]) -> None:
        self._say(Up(method=method, params=params))

    def _say(self, up: Up) -> None:
        self.deliver(_write(up))
