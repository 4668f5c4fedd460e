"""From requests to printed answers: what `tabwire ask` and `tabwire fetch` have in common."""

import asyncio
import sys
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from tabwire.doors.cli.ask import files as ask_out
from tabwire.doors.cli.ask import text_output as ask_print
from tabwire.doors.cli.ask.board import Board, Column
from tabwire.doors.cli.ask.columns import Columns
from tabwire.doors.cli.ask.interrupt import CtrlC, left, until_over
from tabwire.doors.cli.ask.json_output import END, JsonLines, Plain, Result, as_bytes, whole_data
from tabwire.doors.cli.ask.progress import Lines
from tabwire.doors.cli.ask.request import wrong
from tabwire.hub import compare, plain
from tabwire.model.ask import Answer, AskEvent, AskRequest
from tabwire.model.ask_errors import AskError
from tabwire.model.errors import TabwireError
from tabwire.model.exits import FAILED, INTERRUPTED

if TYPE_CHECKING:
    from tabwire.hub import Comparison

Tell = Callable[[AskEvent], None]
Say = Callable[[str], None]
Asking = Callable[[Tell, Say], Coroutine[Any, Any, Sequence[Result]]]


@dataclass(frozen=True, slots=True)
class How:
    """How things are shown."""

    as_json: bool = False
    stream: bool = False
    plain: bool = False
    thinking: bool = False
    compare: bool = False
    out: Path | None = None
    force: bool = False

    def check(self, sites: Sequence[str]) -> None:
        """Whatever is invalid, before anything is asked."""
        if self.stream and not self.as_json:
            raise wrong("--stream requires --json", "--stream")
        if self.force and self.out is None:
            raise wrong("--force requires --out", "--force")
        if self.compare and len(sites) < 2:
            raise wrong("--compare needs several sites in --to", "--compare")
        for path in self.places(sites).values():
            ask_out.check(path, force=self.force)

    def places(self, sites: Sequence[str]) -> dict[str, Path]:
        """Where everything is written with --out; with --json it is one file, under `""`."""
        if self.out is None:
            return {}
        if self.as_json:
            return {"": self.out / "answers.json" if self.out.is_dir() else self.out}
        places = ask_out.places(self.out, sites, "txt" if self.plain else "md")
        if self.compare:
            places["comparison"] = self.out / "comparison.md"
        return places


class Run:
    """One run: asks, shows what comes, prints what came."""

    def __init__(
        self,
        how: How,
        requests: Sequence[AskRequest],
        *,
        prompt: str = "",
        left: Callable[[Column], AskError] = left,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._how = how
        self._prompt = prompt
        self._left = left
        self.board = Board(requests, clock)
        self._plain: Plain = plain if how.plain else str
        self._console = ask_print.open_console()

    async def carry_out(self, asking: Asking, *, stop: Callable[[], None] | None = None) -> int:
        """Ask, show and print; the exit code."""
        with CtrlC() as keys, self._shown() as shown:

            def tell(event: AskEvent) -> None:
                self.board.take(event)
                shown.tell(event)

            async with asyncio.TaskGroup() as group:
                talking = (
                    group.create_task(shown.keep_talking()) if isinstance(shown, Lines) else None
                )
                over = await until_over(
                    asking(tell, shown.say),
                    keys,
                    say=shown.say,
                    stop=stop,
                    writing=self._writing,
                )
                if talking is not None:
                    talking.cancel()
        results = self._results(over.result)
        code = ask_print.exit_code([result for _, result in results])
        return self._print(results, INTERRUPTED if over.interrupted else code)

    def _shown(self) -> Columns | Lines | JsonLines:
        if self._how.stream:
            return JsonLines(self.board, self._plain)
        if self._how.as_json or not _can_draw(self._console):
            return Lines(self.board)
        return Columns(self.board, self._console, thinking=self._how.thinking)

    def _writing(self) -> bool:
        return any(one.sent and not one.over for one in self.board.columns.values())

    def _results(self, result: Sequence[Result] | TabwireError | None) -> list[tuple[str, Result]]:
        """(site, what came of it) for every column."""
        if isinstance(result, TabwireError):
            # Nothing could be begun. A program reads it in its place; a person reads it once.
            if self._how.as_json:
                return [(site, result) for site in self.board.columns or [result.site or ""]]
            if isinstance(result, AskError) and result.site:
                return [(result.site, result)]
            raise result
        if result is not None:
            names = [*self.board.columns]
            return [
                (one.site or (names[place] if place < len(names) else ""), one)
                for place, one in enumerate(result)
            ]
        return [
            (column.site, column.answer or _ours(column.error) or self._left(column))
            for column in self.board.columns.values() or [Column("")]
        ]

    def _print(self, results: Sequence[tuple[str, Result]], code: int) -> int:
        answers = [one for _, one in results if isinstance(one, Answer)]
        comparison = None
        if self._how.compare and len(answers) > 1:
            comparison = compare(answers)
        if self._how.as_json:
            return self._print_json(results, code, comparison)
        sites = [site for site, _ in results]
        places = self._how.places(sites) if self._how.out is not None else {}
        texts = {answer.site: self._plain(answer.text) for answer in answers}
        written: dict[str, Path] = {}
        for answer in answers:
            if answer.site in places:
                data = self._markdown([answer], texts, headings=False)
                if _written(places[answer.site], data, force=self._how.force):
                    written[answer.site] = places[answer.site]
                else:
                    code = FAILED if code != INTERRUPTED else code
        if self._console.is_terminal:
            for answer in answers:
                ask_print.show(
                    self._console,
                    answer,
                    texts[answer.site],
                    thinking=self._how.thinking,
                    where=str(written.get(answer.site, "")),
                )
            self._show_unfinished(results)
        else:
            here = [answer for answer in answers if answer.site not in written]
            _write(self._markdown(here, texts, headings=len(results) > 1))
            for answer in answers:
                ask_print.tell_about(answer)
        if comparison is not None:
            self._print_comparison(comparison, places.get("comparison"))
        for site, path in written.items():
            print(f"{site}: written to {path}", file=sys.stderr)
        sys.stdout.flush()
        for site, result in results:
            if not isinstance(result, Answer):
                ask_print.complain(site, result)
        return code

    def _show_unfinished(self, results: Sequence[tuple[str, Result]]) -> None:
        """A person keeps what they have read already."""
        for site, result in results:
            column = self.board.columns.get(site)
            if not isinstance(result, Answer) and column is not None and column.text.length:
                ask_print.show_so_far(self._console, site, str(column.text))

    def _markdown(
        self, answers: Sequence[Answer], texts: dict[str, str], *, headings: bool
    ) -> bytes:
        return ask_print.as_markdown(
            [(answer, texts[answer.site]) for answer in answers],
            headings=headings,
            thinking=self._how.thinking,
        )

    def _print_json(
        self,
        results: Sequence[tuple[str, Result]],
        code: int,
        comparison: "Comparison | None",
    ) -> int:
        prompts = [one.prompt for _, one in results if isinstance(one, Answer)]
        prompt = self._prompt or next(iter(prompts), "")
        data = whole_data(prompt, results, code, self._plain, comparison)
        path = self._how.places([site for site, _ in results]).get("")
        if path is not None and not _written(path, as_bytes(data), force=self._how.force):
            path = None
            code = data["exit_code"] = FAILED if code != INTERRUPTED else code
        if self._how.stream:
            _write(as_bytes({"event": END} | data))
        elif path is None:
            _write(as_bytes(data))
        return code

    def _print_comparison(self, comparison: "Comparison", path: Path | None) -> None:
        text = ask_print.comparison_markdown(comparison)
        if path is not None and _written(path, text.encode(), force=self._how.force):
            return
        if self._console.is_terminal:
            ask_print.lay_out(self._console, text)
        else:
            _write(b"\n" + text.encode("utf-8", "replace"))


def _can_draw(console: Console) -> bool:
    return console.is_terminal and not console.is_dumb_terminal


def _ours(error: Exception | None) -> TabwireError | None:
    return error if isinstance(error, TabwireError) else None


def _write(data: bytes) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _written(path: Path, data: bytes, *, force: bool) -> bool:
    """Whether it is on disk. An answer that is not must not be lost: it is printed instead."""
    try:
        ask_out.write(path, data, force=force)
    except OSError as error:
        why = error.strerror or str(error)
        print(f"tabwire: cannot write {path}: {why}; printing the result instead", file=sys.stderr)
        return False
    return True
