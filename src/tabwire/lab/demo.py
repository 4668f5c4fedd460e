"""A scripted answer of each site, played through wire, sites and fusion.

The bytes are what the sites send (`speak_*.py`), cut as a network cuts them; the states and
the verdict are what the real rooms make of them. Nothing is shown that was not read back.
"""

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from tabwire.fusion.machine import Machine
from tabwire.fusion.outcomes import Judged, Moved, Outcome, ReadinessChanged, ReadWanted
from tabwire.lab import speak_chatgpt, speak_gemini, speak_grok
from tabwire.model.signals import CanonicalRead, PromptSent, Signal, TextGrew, ThoughtGrew
from tabwire.sites.known import SITES
from tabwire.sites.memory import Memory
from tabwire.sites.titles import better_title
from tabwire.sites.witness import as_witness

SEED = 7
SECONDS_PER_PIECE = 0.07
UUID = "5f0c6a1e-1111-4222-8333-0123456789ab"
HEX = "0a1b2c3d4e5f6071"
PROMPT = "Why is the sky blue?"
THOUGHTS = ("Short waves scatter more than long ones. ", "The eye decides the rest.")
ANSWER = (
    "Air scatters **short** waves of light ",
    "much more than long ones, ",
    "so blue reaches you from every side. ",
    "日本語でも、",
    "空は青い。 😀",
)


@dataclass(frozen=True, slots=True)
class Scene:
    """One answer of one site: its bytes, and the stored body that can be read afterwards."""

    site: str
    title: str
    url: str | None
    pieces: tuple[bytes, ...]
    stored: bytes | None = None
    stored_url: str | None = None


def scenes() -> Iterator[Scene]:
    """One whole answer of each site, and one that the network cut."""
    text = "".join(ANSWER)
    chatgpt = speak_chatgpt.speak_stream(
        ANSWER, conversation_id=UUID, prompt=PROMPT, thoughts=THOUGHTS, title="Blue sky"
    )
    yield Scene(
        "chatgpt",
        "ChatGPT: server-sent events with delta encoding",
        None,
        tuple(chatgpt),
        speak_chatgpt.speak_stored(text, conversation_id=UUID, prompt=PROMPT, title="Blue sky"),
    )
    gemini = speak_gemini.speak_stream(
        so_far(ANSWER), conversation_id=HEX, thoughts=so_far(THOUGHTS), title="Blue sky"
    )
    stored = speak_gemini.SpokenAnswer("rc_1", text)
    yield Scene(
        "gemini",
        "Gemini: length-prefixed chunks that repeat the answer so far",
        None,
        tuple(gemini),
        speak_gemini.speak_history(
            HEX, [speak_gemini.SpokenExchange("r_1", PROMPT, (stored,), model="3 Pro")]
        ),
    )
    grok = speak_grok.speak_stream(
        ANSWER, conversation_id=UUID, prompt=PROMPT, thoughts=THOUGHTS, title="Blue sky"
    )
    yield Scene(
        "grok",
        "Grok: one JSON object per line",
        None,
        tuple(grok),
        speak_grok.speak_stored(text, prompt=PROMPT),
        f"https://grok.com/rest/app-chat/conversations/{UUID}/load-responses",
    )
    yield Scene(
        "chatgpt",
        "ChatGPT again, cut off by the network: what came is kept, and not called complete",
        None,
        tuple(chatgpt[:-7]),
    )


def so_far(pieces: tuple[str, ...]) -> list[str]:
    """What stands there after each piece."""
    return ["".join(pieces[: count + 1]) for count in range(len(pieces))]


def run(speed: float, console: Console) -> None:
    """Play every scene; `speed` 2 takes half the time."""
    for scene in scenes():
        console.print()
        console.print(Text(scene.title, style="bold"))
        Play(scene, console, speed).run()
    console.print()
    console.print(
        "Next: [bold]tabwire parse[/] reads such bytes from a file; "
        "see [bold]tabwire parse --help[/]."
    )


@dataclass(slots=True)
class Play:
    """One scene on the terminal. Script time is what the machine is told."""

    scene: Scene
    console: Console
    speed: float
    now: float = 0.0
    _line: str = ""
    _style: str = ""

    def run(self) -> None:
        """Prompt, bytes, end, and what the site stored, as often as fusion asks for it."""
        site = SITES[self.scene.site]
        memory = Memory()
        reader = site.open_stream(self.scene.url, memory)
        machine = Machine("demo", 0.0, better_title=better_title)
        self._show(machine.feed(PromptSent(PROMPT), self.now))
        for chunk in cut_like_a_network(self.scene.pieces):
            self._pass(SECONDS_PER_PIECE)
            for signal in reader.feed(chunk):
                self._hear(machine, signal)
        for signal in reader.close():
            self._hear(machine, signal)
        self._flush()
        self._wait_for_the_end(machine, memory)
        self._conclude(machine)

    def _hear(self, machine: Machine, signal: Signal) -> None:
        outcomes = machine.feed(signal, self.now)
        self._show(outcomes)
        if isinstance(signal, TextGrew):
            self._write(signal.text, "")
        elif isinstance(signal, ThoughtGrew):
            self._write(signal.text, "dim italic")

    def _wait_for_the_end(self, machine: Machine, memory: Memory) -> None:
        """Let the machine's own clocks run, and read what is stored when it asks for it."""
        while not machine.over and (deadline := machine.next_deadline()) is not None:
            self._pass(max(0.0, deadline - self.now))
            outcomes = machine.tick(self.now)
            self._show(outcomes)
            wants = any(isinstance(outcome, ReadWanted) for outcome in outcomes)
            if wants and self.scene.stored is not None:
                self._say("reading what the site stored", "", "dim")
                self._show(machine.feed(self._sample(memory, self.scene.stored), self.now))

    def _sample(self, memory: Memory, body: bytes) -> CanonicalRead:
        site = SITES[self.scene.site]
        (stored,) = site.read_body(body, self.scene.stored_url, memory).conversations
        return as_witness(stored)

    def _write(self, text: str, style: str) -> None:
        if style != self._style:
            self._flush()
            self._style = style
        self._line += text

    def _show(self, outcomes: tuple[Outcome, ...]) -> None:
        for outcome in outcomes:
            match outcome:
                case Moved(before=before, after=after, cause=cause):
                    self._flush()
                    self._say(f"{before} → {after}", f"({cause})", "cyan")
                case Judged(verdict=verdict):
                    self._flush()
                    style = "green" if verdict.complete else "yellow"
                    self._say(f"verdict: {verdict.judgement}", verdict.why, style)
                case ReadinessChanged(readiness=readiness):
                    self._flush()
                    reasons = ", ".join(readiness.reasons)
                    self._say(f"readiness: {readiness.mode}", reasons, "magenta")

    def _say(self, what: str, why: str, style: str) -> None:
        line = Text(f"{self.now:6.2f} s  ", style="dim")
        line.append(what, style=style)
        line.append(f"  {why}", style="dim")
        self.console.print(line)

    def _flush(self) -> None:
        words = " ".join(self._line.split())
        if words:
            self.console.print(Padding(Text(words, style=self._style), (0, 0, 0, 10)))
        self._line = ""

    def _conclude(self, machine: Machine) -> None:
        verdict = machine.verdict()
        stated = (verdict.title, verdict.model, verdict.conversation_id)
        facts = [f"{len(verdict.text)} characters", *(fact for fact in stated if fact)]
        self._say(str(machine.state), " · ".join(facts), "bold")
        evidence = ", ".join(verdict.evidence) or "none"
        self.console.print(Padding(Text(f"evidence: {evidence}", style="dim"), (0, 0, 0, 10)))

    def _pass(self, seconds: float) -> None:
        self.now += seconds
        time.sleep(seconds / self.speed)


def cut_like_a_network(pieces: tuple[bytes, ...]) -> Iterator[bytes]:
    """The same bytes, cut where a network would: anywhere. Seeded, so each run is alike."""
    rng = random.Random(SEED)
    rest = b""
    for piece in pieces:
        rest += piece
        cut = rng.randint(0, len(rest))
        yield rest[:cut]
        rest = rest[cut:]
    yield rest
