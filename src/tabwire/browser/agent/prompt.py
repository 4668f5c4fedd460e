"""One prompt into an agent panel, at most once, proven by the turn that begins with it.

What a person left in the composer is kept, taken out and put back, whatever happens. Send is
pressed once. The prompt has left when a new turn says it; it has not when the composer still
holds it; everything else is unknown and said so. A list that hangs over the composer is closed
first, for there Enter would pick from it: where it stays open nothing is pressed.
"""

import asyncio
import re
import unicodedata
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tabwire.browser.agent.drive import SHOWN_SECONDS, Driver
from tabwire.browser.agent.errors import AgentBusy, NotDone, PromptMaybeSent, PromptNotSent
from tabwire.browser.agent.lists import select_conversation
from tabwire.browser.page.elements import Found
from tabwire.browser.page.errors import NotFilled, NotFound
from tabwire.model.agent import Panel
from tabwire.model.errors import TabwireError, Unreadable
from tabwire.sites.antigravity.page import drive

SENT_SECONDS = 8.0
"""How long a panel may take to show the new turn. It does so in a frame or two."""

HELD_SECONDS = 2.0
"""A panel that still holds the whole prompt after this did not take the press."""

CALM_SECONDS = 0.25
"""A draft that changes within this is being typed just now."""

Keep = Callable[[str], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Sent:
    """The prompt left. `turn` is the page's number of its turn; `draft`: one was put back."""

    conversation: str
    turn: int
    how: str  # button, enter
    draft: bool = False
    files: tuple[str, ...] = ()


async def _kept(_draft: str) -> None:
    """Nobody keeps it on disk."""


async def send_prompt(
    driver: Driver,
    prompt: str,
    *,
    conversation: str = "",
    files: Sequence[Path] = (),
    keep: Keep = _kept,
) -> Sent:
    """Send it, in the conversation of exactly this name where one is named. `keep` is handed a
    person's draft before it is taken out, and "" once it stands there again."""
    if not prompt.strip():
        raise PromptNotSent("it is empty")
    if conversation:
        await select_conversation(driver, conversation)
    else:
        await driver.look()
    driver.free()
    sending = _Sending(driver, prompt, driver.panel.conversation, keep)
    async with driver.page.focused():
        return await sending.run(files)


class _Sending:
    def __init__(self, driver: Driver, prompt: str, conversation: str, keep: Keep) -> None:
        self._driver = driver
        self._page = driver.page
        self._prompt = prompt
        self._conversation = conversation
        self._keep = keep
        self._composer = driver.within("composer")

    async def run(self, files: Sequence[Path]) -> Sent:
        draft = await self._calm_draft()
        if draft:
            await self._keep(draft)
        names: tuple[str, ...] = ()
        sent: Sent | None = None
        try:
            names = await self._attach(files)
            await self._write(self._prompt)
            how, panel = await self._submit()
            sent = Sent(panel.conversation, panel.turns[-1].token, how, bool(draft), names)
        finally:
            with suppress(TabwireError):  # the window may be gone; a draft is kept
                await self._put_back(draft, left=sent is not None)
        return sent

    # --- the composer -----------------------------------------------------------

    async def _element(self) -> Found:
        found = await self._page.find(self._composer, decoys=drive.TRAPS)
        if found is None:
            raise PromptNotSent("the panel's composer was not found")
        return found

    async def _stands(self) -> str:
        said = await self._page.evaluate(
            "drive_box.standing", {"number": (await self._element()).number}
        )
        return "" if said.get("gone") else str(said["text"]).strip("\n")

    async def _list_open(self) -> bool:
        about = {"number": (await self._element()).number, "menus": drive.TYPEAHEAD}
        return bool((await self._page.evaluate("drive_box.typeahead", about)).get("open"))

    async def _calm_draft(self) -> str:
        """What a person left there. Somebody who types just now is not interrupted."""
        draft = await self._stands()
        if await self._list_open():
            raise PromptNotSent("a list is open over the composer: someone is typing there")
        if draft:
            await asyncio.sleep(CALM_SECONDS)
            if await self._stands() != draft:
                raise PromptNotSent("someone is typing in the composer")
        return draft

    async def _write(self, text: str) -> None:
        try:
            await self._page.fill(self._composer, text, decoys=drive.TRAPS, part="composer")
        except NotFound as exc:
            raise PromptNotSent("the panel's composer was not found") from exc
        except NotFilled as exc:
            raise PromptNotSent("the composer did not accept it") from exc

    async def _put_back(self, draft: str, *, left: bool) -> None:
        """The draft into a composer that is empty or holds ours; else somebody types there."""
        if left and draft:
            await self._until_cleared()
        now = await self._stands()
        if bare(now) != bare(draft) and (not now or bare(now) == bare(self._prompt)):
            await self._write(draft)
        if draft and bare(await self._stands()) == bare(draft):
            await self._keep("")

    async def _until_cleared(self) -> None:
        for _ in range(20):
            if not await self._stands():
                return
            await asyncio.sleep(0.1)

    # --- sending ----------------------------------------------------------------

    async def _submit(self) -> tuple[str, Panel]:
        await self._close_list()
        before = await self._driver.look()
        try:
            self._driver.free("someone else started a run")
        except AgentBusy as exc:
            raise PromptNotSent(str(exc)) from exc
        if before.conversation != self._conversation:
            raise PromptNotSent(f"another conversation was opened: {before.conversation!r}")
        if bare(await self._stands()) != bare(self._prompt):
            raise PromptNotSent("the composer now contains different text")
        how = await self._press()
        return how, await self._proven(before)

    async def _close_list(self) -> None:
        if not await self._list_open():
            return
        await self._page.press("Escape")
        if await self._list_open():
            raise PromptNotSent("a list is open over the composer; Enter would choose from it")

    async def _press(self) -> str:
        """Send, once; Enter where there is no such control."""
        try:
            try:
                await self._driver.press(self._driver.within("send"), "send control")
                return "button"
            except NotFound:
                await self._page.press("Enter")
                return "enter"
        except NotDone as exc:
            raise PromptNotSent(str(exc)) from exc
        except TabwireError as exc:  # it may have been pressed before the line went
            raise PromptMaybeSent(str(exc)) from exc

    async def _proven(self, before: Panel) -> Panel:
        def begun(now: Panel) -> Panel | None:
            return now if is_new_turn(before, now, self._prompt) else None

        try:
            shown = await self._driver.until(begun, HELD_SECONDS)
            if shown is None:
                if bare(await self._stands()) == bare(self._prompt):
                    raise PromptNotSent("it is still in the composer")
                shown = await self._driver.until(begun, SENT_SECONDS - HELD_SECONDS)
        except PromptNotSent:
            raise
        except TabwireError as exc:
            raise PromptMaybeSent(str(exc)) from exc
        if shown is None:
            raise PromptMaybeSent("Send was pressed, but the panel shows no new message with it")
        return shown

    # --- files ------------------------------------------------------------------

    async def _attach(self, files: Sequence[Path]) -> tuple[str, ...]:
        if not files:
            return ()
        found = await self._page.survey(drive.FILE_INPUT)
        css = next((one.css for one in found if one.matched), None)
        if css is None:
            raise PromptNotSent("this panel has no file upload")
        try:
            await self._page.attach_files(css, files, part="file upload")
        except Unreadable as exc:
            raise PromptNotSent(str(exc)) from exc
        names = [path.name for path in files]
        about = {"box": drive.BOX, "names": names}
        for _ in range(int(SHOWN_SECONDS / 0.1)):
            shown = await self._page.evaluate("drive_box.attached", about)
            if len(shown) == len(set(names)):
                return tuple(names)
            await asyncio.sleep(0.1)
        missing = [name for name in names if name not in shown]
        raise PromptNotSent(f"the panel does not show {', '.join(missing)} as attached")


def is_new_turn(before: Panel, now: Panel, prompt: str) -> bool:
    """Whether the newest turn is ours: it says our prompt, and was not there before."""
    if not now.turns or not now.open or now.open[-1].token != now.turns[-1].token:
        return False
    if bare(now.open[-1].user) != bare(prompt):
        return False
    if not before.turns:
        return True
    last = before.turns[-1]
    # a panel that draws itself anew numbers its turns anew: then only a further turn is one
    again = now.turns[-1].user == last.user
    return now.turns[-1].token != last.token and (not again or len(now.turns) > len(before.turns))


_UNSEEN = re.compile("[\u200b\u2060\ufeff]")


def bare(text: str) -> str:
    """The text without what editors add or drop on their own."""
    return " ".join(unicodedata.normalize("NFC", _UNSEEN.sub("", text)).split())
