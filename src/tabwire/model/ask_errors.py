"""Why an ask came to nothing, in a way a person can act on.

TabwireError
└── AskError
    ├── BadAsk                 the request is invalid; nothing was done
    ├── LoginRequired          the site wants a login
    ├── LimitReached           a limit is spent; `resets_at` where the site says it
    ├── ChallengeShown         the site asks whether one is human: we stop
    ├── Blocked                the site refuses this request
    ├── SiteFailed             the site itself says that it failed
    ├── DialogInTheWay         something lies over the page
    ├── LayoutChanged          a part of the page is not found: the site changed it
    ├── SiteBusy               the site still writes another answer
    ├── TextNotTaken           the composer does not hold what was put into it
    ├── SendNotConfirmed       Send was pressed and nothing left (SAME), or nobody knows (RESUME)
    ├── UploadRefused          a file cannot be sent, or the site did not take it
    ├── ModelNotAvailable      the wanted model or effort is not to be had
    ├── NotPrivate             --temporary or --guest cannot be kept; nothing was sent
    ├── ConversationGone       the conversation to go on in is not there
    ├── TabClosed              the tab was closed, and the answer cannot be found without it
    ├── AnswerTimedOut         no end within --timeout
    ├── WaitRanOut             one of the thirteen waits; `wait` names it
    ├── GeminiStuckStopButton  an answer of before hangs in the page
    └── GeminiStuckNoResponse  the prompt left, and no answer begins

`code` is the name a program reads. `retry`: NO, SAME (the prompt never left) or RESUME (it
left, or may have: look for the answer, never ask twice).
"""

from collections.abc import Sequence

from tabwire.model.ask import Answer
from tabwire.model.errors import Retry, TabwireError
from tabwire.model.exits import LIMIT, NEEDS_YOU, PARTIAL, USAGE
from tabwire.model.products import product, reason

MAX_TRIED = 5  # selectors an error names; all are in `tried`


class AskError(TabwireError):
    """Also says of which site, and of which attempt once there is one."""

    code = "failed"
    pending = False  # it was sent, or may have been, and its answer may still be found

    def __init__(self, site: str, what: str, *, what_to_do: str, retry: Retry = Retry.NO) -> None:
        super().__init__(what, what_to_do=what_to_do, retry=retry, site=site)
        self.attempt_id: str | None = None
        self.conversation_id: str | None = None
        self.answer: Answer | None = None  # there is one all the same, and it is kept


class BadAsk(AskError):
    """A slip: nothing was done."""

    code = "bad_request"
    exit_code = USAGE

    def __init__(self, site: str, what: str, what_to_do: str) -> None:
        super().__init__(site, what, what_to_do=what_to_do)


class LoginRequired(AskError):
    """Not logged in, or no longer."""

    code = "login_required"
    exit_code = NEEDS_YOU

    def __init__(self, site: str, said: str = "", *, retry: Retry = Retry.SAME) -> None:
        because = f" ({said})" if said else ""
        super().__init__(
            site,
            f"{product(site)} requires a login{because}",
            what_to_do=f"Log in by hand: `tabwire login {site}`, or in the browser you attach to; "
            "then ask again. `--guest` asks in the logged-out chat, where the site has one.",
            retry=retry,
        )


class LimitReached(AskError):
    """`resets_at`: seconds since 1970, where the site says it."""

    code = "limit_reached"
    exit_code = LIMIT

    def __init__(
        self,
        site: str,
        said: str = "",
        *,
        resets_at: float | None = None,
        when: str = "",
        retry: Retry = Retry.SAME,
    ) -> None:
        because = f": {said}" if said else ""
        again = f" It resets {when}." if when else " The site does not say when it resets."
        super().__init__(
            site,
            f"{product(site)} has reached a limit{because}",
            what_to_do=f"Ask again later, or ask another site.{again}",
            retry=retry,
        )
        self.resets_at = resets_at


class ChallengeShown(AskError):
    """Whether one is human only a human can answer."""

    code = "challenge"
    exit_code = NEEDS_YOU

    def __init__(self, site: str, *, retry: Retry = Retry.SAME) -> None:
        super().__init__(
            site,
            f"{product(site)} asks whether you are human",
            what_to_do="Answer it yourself in the tab, which was left open; then ask again. "
            "Tabwire does not answer such questions.",
            retry=retry,
        )


class Blocked(AskError):
    """Refused with a reason of the site's own."""

    code = "blocked"

    def __init__(self, site: str, said: str, *, retry: Retry = Retry.NO) -> None:
        super().__init__(
            site,
            f"{product(site)} refused the request: {said or 'no reason given'}",
            what_to_do="Look at the tab: the site may say more there. Asking again immediately "
            "usually makes it worse.",
            retry=retry,
        )


class SiteFailed(AskError):
    """An error of the site, in words of its own."""

    code = "site_failed"

    def __init__(self, site: str, said: str, *, retry: Retry = Retry.RESUME) -> None:
        super().__init__(
            site,
            f"{product(site)} failed: {reason(said)}",
            what_to_do="Check whether the conversation has an answer anyway (`tabwire fetch last "
            f"--site {site}`); if not, ask again.",
            retry=retry,
        )


class DialogInTheWay(AskError):
    """We dismiss nothing that a person should read."""

    code = "blocked_by_dialog"
    exit_code = NEEDS_YOU

    def __init__(self, site: str, part: str, over: str) -> None:
        super().__init__(
            site,
            f"the {part} of {product(site)} is covered by: {over}",
            what_to_do="Look at the tab, answer or close what covers the page, and ask again.",
            retry=Retry.SAME,
        )
        self.over = over


class LayoutChanged(AskError):
    """`part` is our word for what is missing, `tried` the selectors that found nothing. `late`:
    the wait that ran out, where it was waited for."""

    code = "layout_changed"

    def __init__(self, site: str, part: str, tried: Sequence[str], *, late: str = "") -> None:
        named = ", ".join(tried[:MAX_TRIED])
        more = f" and {len(tried) - MAX_TRIED} more" if len(tried) > MAX_TRIED else ""
        super().__init__(
            site,
            f"{product(site)}'s page: {part} not found (tried {named}{more}){late}",
            what_to_do=f"Run `tabwire doctor {site}` and `tabwire snapshot {site}`: the site may "
            "have changed its page, and Tabwire needs an update. Nothing was sent.",
            retry=Retry.SAME,
        )
        self.part = part
        self.tried = tuple(tried)


class SiteBusy(AskError):
    """Stop is never pressed for somebody else's answer."""

    code = "busy"

    def __init__(self, site: str, seconds: float) -> None:
        super().__init__(
            site,
            f"{product(site)} is still writing another answer after {seconds:g} s (wait `send`)",
            what_to_do="Wait until it is done, stop it in the page, or ask with --new.",
            retry=Retry.SAME,
        )


class TextNotTaken(AskError):
    """`stands` is what was read back."""

    code = "text_not_taken"

    def __init__(self, site: str, what: str) -> None:
        super().__init__(
            site,
            f"{product(site)}'s composer did not accept the prompt: {what}",
            what_to_do="Look at the tab: the site may refuse text of this length. Send long "
            "material with --file. Nothing was sent.",
            retry=Retry.SAME,
        )


class SendNotConfirmed(AskError):
    """`left` is None where nobody can know."""

    code = "send_not_confirmed"

    def __init__(
        self, site: str, why: str, *, unknown: bool, attempt_id: str | None = None
    ) -> None:
        meant = attempt_id or f"last --site {site}"
        act = (
            f"It may have been sent: look at the site. `tabwire fetch {meant}` looks for it again "
            "and sends nothing; if you see that it was never asked, ask with --again."
            if unknown
            else "Look at the tab, then ask again. Nothing was sent."
        )
        super().__init__(
            site,
            f"cannot tell whether the prompt was sent to {product(site)}: {why}"
            if unknown
            else f"the prompt was not sent to {product(site)}: {why}",
            what_to_do=act,
            retry=Retry.RESUME if unknown else Retry.SAME,
        )
        self.unknown = self.pending = unknown
        self.why = why
        self.attempt_id = attempt_id


class UploadRefused(AskError):
    """Nothing is sent without its files."""

    code = "upload_refused"

    def __init__(self, site: str, name: str, why: str) -> None:
        super().__init__(
            site,
            f"{product(site)} did not accept {name}: {why}",
            what_to_do="Check the type and size of the file, or inline it with --context. Nothing "
            "was sent.",
            retry=Retry.SAME,
        )
        self.name = name


class ModelNotAvailable(AskError):
    """`offered` are the names the page shows."""

    code = "model_not_available"

    def __init__(
        self,
        site: str,
        wanted: str,
        why: str,
        *,
        offered: Sequence[str] = (),
        retry: Retry = Retry.SAME,
    ) -> None:
        choices = f" It offers: {', '.join(offered)}." if offered else ""
        super().__init__(
            site,
            f"{product(site)} does not offer {wanted}: {why}",
            what_to_do=f"Choose another --model or --effort, or add --model-best-effort.{choices}",
            retry=retry,
        )
        self.wanted = wanted
        self.offered = tuple(offered)


class NotPrivate(AskError):
    """`wish` is `temporary` or `guest`: what was wanted, and could not be verified."""

    code = "not_private"

    def __init__(self, site: str, wish: str, why: str) -> None:
        act = (
            "Log out in that browser, or use one that is not logged in"
            if wish == "guest"
            else "Check whether the site offers a temporary chat in this browser"
        )
        super().__init__(
            site,
            f"{product(site)} cannot be asked with --{wish}: {why}",
            what_to_do=f"{act}; or ask without --{wish}. Nothing was sent.",
            retry=Retry.SAME,
        )
        self.wish = wish


class ConversationGone(AskError):
    """Nothing was sent anywhere else instead."""

    code = "conversation_gone"

    def __init__(self, site: str, conversation_id: str, why: str) -> None:
        super().__init__(
            site,
            f"{product(site)}'s conversation {conversation_id} cannot be opened: {why}",
            what_to_do="It may be deleted, or belong to another account. Ask with --new.",
        )
        self.conversation_id = conversation_id


class TabClosed(AskError):
    """The answer was under way."""

    code = "tab_closed"

    def __init__(self, site: str, what: str, *, sent: bool, attempt_id: str | None = None) -> None:
        meant = attempt_id or f"last --site {site}"
        act = (
            f"Fetch the answer from its conversation: `tabwire fetch {meant}`. If you see that it "
            "was never asked, ask with --again."
            if sent
            else "Ask again, and leave the tab open. Nothing was sent."
        )
        super().__init__(site, what, what_to_do=act, retry=Retry.RESUME if sent else Retry.SAME)
        self.pending = sent


class AnswerTimedOut(AskError):
    """The site goes on, and the conversation keeps its answer."""

    code = "timeout"
    exit_code = PARTIAL
    pending = True

    def __init__(self, site: str, seconds: float, why: str) -> None:
        super().__init__(
            site,
            f"{product(site)} did not finish within {seconds:.0f} s (wait `answer`): {why}",
            what_to_do=f"Fetch it later: `tabwire fetch last --site {site}`; or give more time "
            "with --timeout.",
            retry=Retry.RESUME,
        )


class WaitRanOut(AskError):
    """`wait` is one of the thirteen named waits (docs/ask.md)."""

    code = "wait_ran_out"

    def __init__(self, site: str, wait: str, seconds: float, why: str) -> None:
        super().__init__(
            site,
            f"{product(site)}: {why} within {seconds:g} s (wait `{wait}`)",
            what_to_do=f"Look at it: `tabwire snapshot {site}`. Check the network, then ask "
            "again. Nothing was sent.",
            retry=Retry.SAME,
        )
        self.wait = wait
        self.seconds = seconds


class GeminiStuckStopButton(AskError):
    """Seed 001, 9.3."""

    code = "GEMINI_STUCK_STOP_BUTTON"

    def __init__(self, site: str, seconds: float) -> None:
        super().__init__(
            site,
            f"a previous answer is stuck: Stop has been shown for {seconds:.0f} s",
            what_to_do="Reload the tab, or ask with --new. Nothing was sent.",
            retry=Retry.SAME,
        )


class GeminiStuckNoResponse(AskError):
    """Seed 001, 9.3."""

    code = "GEMINI_STUCK_NO_RESPONSE"
    pending = True

    def __init__(self, site: str, seconds: float, wait: str = "first_output") -> None:
        super().__init__(
            site,
            f"the prompt was sent, but no answer began within {seconds:g} s (wait `{wait}`)",
            what_to_do=f"Look at the conversation: `tabwire fetch last --site {site}`. The prompt "
            "was sent: do not ask again before you have looked.",
            retry=Retry.RESUME,
        )
