"""The shape of what is known of a site's page: selectors, notices, timings. Data only."""

import re
from dataclasses import dataclass, field
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Selector:
    """A CSS selector and the month or day it was last seen to match."""

    css: str
    seen_on: str
    note: str = ""


def any_of(*selectors: Selector | str) -> str:
    """One CSS selector for whatever one of these matches."""
    return ", ".join(one if isinstance(one, str) else one.css for one in selectors)


class NoticeKind(StrEnum):
    """What a notice on the page means for an ask."""

    LIMIT = "limit"
    LOGIN = "login"
    CHALLENGE = "challenge"
    ERROR = "error"
    CONSENT = "consent"


@dataclass(frozen=True, slots=True)
class Notice:
    """How to recognise a notice: by structure first, by words only where there is no other."""

    kind: NoticeKind
    selectors: tuple[Selector, ...] = ()
    title_contains: tuple[str, ...] = ()
    text_contains: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Layout:
    """One layout of a site's page. Selectors best first; empty where none is known."""

    name: str
    recognise: tuple[Selector, ...]
    composer: tuple[Selector, ...]
    send: tuple[Selector, ...]
    stop: tuple[Selector, ...]
    exchange: tuple[Selector, ...]
    user_message: tuple[Selector, ...]
    assistant_message: tuple[Selector, ...]
    text_root: tuple[Selector, ...]
    decoys: tuple[Selector, ...] = ()  # look right and must not be used
    thinking: tuple[Selector, ...] = ()
    skip_thinking: tuple[Selector, ...] = ()
    actions: tuple[Selector, ...] = ()  # the action bar that appears when an answer is done
    streaming: tuple[Selector, ...] = ()
    code_block: tuple[Selector, ...] = ()
    citation: tuple[Selector, ...] = ()
    model_picker: tuple[Selector, ...] = ()
    upload: tuple[Selector, ...] = ()
    new_chat: tuple[Selector, ...] = ()
    title: tuple[Selector, ...] = ()
    scroller: tuple[Selector, ...] = ()
    logged_in: tuple[Selector, ...] = ()


@dataclass(frozen=True, slots=True)
class Timings:
    """How long this site takes, in seconds. Each has its source in the site's page.py.

    The first thirteen are the timeouts of an ask, under their names in `asking/timeouts.py`.
    """

    reuse_seconds: float = 3.0
    open_seconds: float = 5.0
    connect_seconds: float = 10.0
    load_seconds: float = 30.0
    settle_seconds: float = 0.5
    composer_seconds: float = 30.0
    after_input_seconds: float = 0.2
    send_seconds: float = 60.0
    sent_seconds: float = 15.0
    first_output_seconds: float = 30.0
    answer_seconds: float = 480.0
    render_seconds: float = 120.0
    health_seconds: float = 4.0
    quiet_seconds: float = 1.5
    stuck_seconds: float = 5.0  # an answer of before whose Stop stays (seed 001, 9.3)


LOGIN_WORDS = (
    *("log in", "login", "sign in", "sign up", "ログイン", "サインイン", "anmelden", "einloggen"),
    *("se connecter", "connexion", "تسجيل الدخول", "登录", "登入", "로그인", "iniciar sesión"),
    *("entrar", "accedi", "войти", "zaloguj", "inloggen", "giriş yap", "đăng nhập", "masuk"),
)
"""How a button that leads to a login begins, in small letters. Counts only on a page that has
nothing to write in: sites rebuild their walls, and no selector outlives that."""


@dataclass(frozen=True, slots=True)
class Page:
    """Everything the browser rooms need to know of one site's page."""

    home: str
    layouts: tuple[Layout, ...]
    chat: str = ""  # the address of a conversation, `{}` for its id
    elsewhere: tuple[tuple[str, str], ...] = ()  # (ids that fit this, their address) before `chat`
    temporary: str | None = None  # the address of a chat that the site does not keep
    notices: tuple[Notice, ...] = ()
    timings: Timings = field(default_factory=Timings)
    title_suffixes: tuple[str, ...] = ()
    login_words: tuple[str, ...] = LOGIN_WORDS

    def chat_url(self, conversation_id: str) -> str:
        """The address of a conversation: some ids are of another home of the site."""
        for fits, address in self.elsewhere:
            if re.fullmatch(fits, conversation_id):
                return address.format(conversation_id)
        return self.chat.format(conversation_id)
