"""Goes through the tree of a script and judges every command in it.

State moves with it as in a shell: `cd`, variables, functions, aliases, files it has written. What
flows through a pipe moves too: where it came from, and the bytes where they are known, so that
text decoded and piped into a shell is judged as the script it is.
"""

from collections.abc import Iterable, Sequence

from tabwire_guard.call import Call
from tabwire_guard.dialects import READ_BY, Dialect, parsed, read_by
from tabwire_guard.findings import told
from tabwire_guard.flow.arithmetic import DATA, block_data
from tabwire_guard.flow.assignments import CWD, names_set, starts_itself
from tabwire_guard.flow.environment import listed
from tabwire_guard.flow.expansion import Expansion
from tabwire_guard.flow.inner_scripts import Nested
from tabwire_guard.flow.redirects import input_of, outputs_of
from tabwire_guard.flow.state import State
from tabwire_guard.program_names import named, quoted
from tabwire_guard.programs import known_program
from tabwire_guard.record import replace
from tabwire_guard.rules import Rules
from tabwire_guard.script import (
    Block,
    Function,
    Node,
    Opaque,
    Pipeline,
    Script,
    Simple,
    Unparsable,
)
from tabwire_guard.values import CLEAN, HOLE, TERMINAL, Flow, Value
from tabwire_guard.verdict import Finding, Part, Verdict

MAX_COMMANDS = 400
"""Commands in one text, nested ones counted."""
MAX_NESTING = 24
"""Scripts in arguments of scripts, functions in functions."""
MAX_READINGS = 120
"""Texts that are read once more as another shell reads them."""
MAX_LOOPS = 12
"""Values of a `for` that are gone through one by one."""

_DECLARE = frozenset(("export", "declare", "local", "readonly", "typeset"))


class TooMuch(Exception):
    """More than can be judged."""


class Walk:
    """One text being judged."""

    def __init__(self, rules: Rules) -> None:
        self.parts: list[Part] = []
        self._rules = rules
        self._calls: list[str] = []
        """Functions under way, the innermost last."""
        self._seen: set[str] = set()
        self._readings = 0

    # Scripts

    def whole(self, text: str, shell: str, state: State) -> None:
        """Judge a text from its beginning; `shell`: as READ_BY has it, or one of Windows."""
        self.read(text, shell, state, TERMINAL, 0, "")
        if {"sly", "sums"} <= self._seen:
            reason = "text that an arithmetic expression evaluates"
            self.part(text, 0, "").findings.append(
                Finding(Verdict.DENY, "run.hidden", reason, text)
            )

    def read(self, text: str, shell: str, state: State, stdin: Flow, depth: int, note: str) -> Flow:
        """Judge a text by each grammar that may read it; without a shell, by the one around it."""
        if shell not in READ_BY:
            return self._parsed(text, state, stdin, depth, note)
        first, *others = read_by(shell, text)
        flow = self._parsed(text, _as(state, first), stdin, depth, note)
        known = {found for part in self.parts for found in part.findings} if others else set()
        for one in others:
            self._readings += 1
            if self._readings > MAX_READINGS:
                raise TooMuch("too many nested shells")
            before = len(self.parts)
            self._parsed(text, _as(state.copy(), one), stdin, depth, f"as {one.name} reads it")
            new = [part for part in self.parts[before:] if not known.issuperset(part.findings)]
            known.update(found for part in new for found in part.findings)
            self.parts[before:] = new
        return flow

    def _parsed(self, text: str, state: State, stdin: Flow, depth: int, note: str) -> Flow:
        if depth > MAX_NESTING:
            raise TooMuch("nested scripts, too deep to judge")
        try:
            # without zero bytes, as shells read it
            script = parsed(text.replace("\0", ""), state.shell, state.dialect)
        except Unparsable as problem:
            part = self.part(text, depth, note)
            reason = f"cannot be parsed: {problem}"
            part.findings.append(Finding(Verdict.ASK, "parse", reason, text))
            return Flow(None, stdin.taints, True)
        return self.script(script, state, stdin, depth, note)

    def script(self, script: Script, state: State, stdin: Flow, depth: int, note: str = "") -> Flow:
        """Judge commands one after the other; what comes out is what all of them print."""
        texts: list[str] | None = []
        taints = CLEAN
        items: tuple[str, ...] = ()
        sure: State | None = None  # as it stood before what may not run
        for at, node in enumerate(script.nodes):
            join = script.joins[at] if script.joins else ";"
            if sure is not None and join != "&&":
                state.unsure(sure)
            if join == ";":
                sure = None
            elif sure is None:
                sure = state.copy()
            inner = state.copy() if at in script.aside else state
            flow = self._node(node, inner, stdin, depth, note)
            taints |= flow.taints
            items += flow.items
            if flow.text is None:
                texts = None
            elif texts is not None:
                texts.append(flow.text)
        if sure is not None:
            state.unsure(sure)
        return Flow("".join(texts) if texts else None, taints, True, items)

    def _node(self, node: Node, state: State, stdin: Flow, depth: int, note: str) -> Flow:
        match node:
            case Simple():
                return self._simple(node, state, stdin, depth, note)
            case Pipeline(parts):
                flow = stdin
                *others, last = parts or (Simple(()),)
                for one in others:
                    flow = self._node(one, state.copy(), flow, depth, note)
                inner = state if "last-pipe" in state.dialect.has else state.copy()
                return self._node(last, inner, flow, depth, note)
            case Block():
                return self._block(node, state, stdin, depth, note)
            case Function(name, body, text):
                return self._function(name, body, text, state, depth)
            case Opaque(reason, text, deny, scripts):
                part = self.part(text, depth, note)
                verdict = Verdict.DENY if deny else Verdict.ASK
                part.findings.append(Finding(verdict, "opaque", reason, text))
                for script in scripts:
                    self.script(script, state.copy(), stdin, depth + 1, note)
                return Flow(None, stdin.taints, True)

    def _block(self, block: Block, state: State, stdin: Flow, depth: int, note: str) -> Flow:
        expansion = self._expansion(state, depth, stdin)
        values = expansion.words(block.words)
        part = self.part(block.text or block.kind, depth, note, kept=False)
        shell = Call("", [], state, part, Nested(self, depth), stdin=stdin, depth=depth)
        if block.kind == "test" and any("$(" in one.text or "`" in one.text for one in values):
            shell.deny("run.hidden", "a test that runs code in its text")
        stdin = input_of(block.redirects, expansion, shell, stdin)
        if block.kind in ("sum", "test"):
            self._seen.add("sums")
        if block_data(block, values, state.variables):
            shell.ask("run.hidden", DATA)
        inner = state.copy() if block.kind in ("subshell", "coproc") else state
        before = inner.copy()
        silent = block.kind in ("sum", "test", "nothing")
        flow = Flow("" if silent else None, stdin.taints, True)
        if block.kind == "for":
            flow = self._loop(block, values, inner, stdin, shell)
        else:
            taints = flow.taints
            if block.kind == "while":
                self._forget_set(block.scripts, inner)
            for at, one in enumerate(block.scripts):
                if at and (block.kind, state.shell) != ("while", "bash"):  # its condition has run
                    inner.unsure(before)
                flow = self.script(one, inner, stdin, depth + 1, note)
                taints |= flow.taints
            flow = flow._replace(taints=taints)
        if block.kind not in ("group", "subshell", "coproc") and not silent:
            inner.unsure(before)
        shell.output = flow
        outputs_of(block.redirects, expansion, shell)
        if part.findings:
            self.parts.append(part)
        return shell.output

    def _loop(
        self, block: Block, values: list[Value], state: State, stdin: Flow, shell: Call
    ) -> Flow:
        depth = shell.depth
        if not values or len(values) > MAX_LOOPS:
            taints = frozenset(taint for one in values for taint in one.taints)
            values = [Value(HOLE, taints), *values[:MAX_LOOPS]]
        flow = stdin
        known = len(self.parts)
        for at, value in enumerate(values):
            self._forget_set(block.scripts, state)
            if block.name:
                shell.assigns(block.name, value)
            for one in block.scripts:
                flow = self.script(one, state, stdin, depth + 1, f"for {block.name}={value.shown}")
            if at and all(not part.findings for part in self.parts[known:]):
                del self.parts[known:]  # the same command again, with nothing to say of it
            known = len(self.parts)
        return flow._replace(text=None)

    def _forget_set(self, scripts: Iterable[Script], state: State) -> None:
        """What a loop sets it may have set before, in its last round."""
        bodies = [*scripts, *state.functions.values()]
        names = {name for one in bodies for name in names_set(one)}
        state.forget(names - {CWD})
        if CWD in names:
            state.cwd = None

    def _function(self, name: str, body: Script, text: str, state: State, depth: int) -> Flow:
        part = self.part(text, depth, "", kept=False)
        if starts_itself(name, body):
            reason = f"the function {name} calls itself endlessly"
            part.findings.append(Finding(Verdict.DENY, "system.bomb", reason, text))
            self.parts.append(part)
        elif known_program(name, state.shell) is not None:
            reason = f"the function {name} replaces a program"
            part.findings.append(Finding(Verdict.ASK, "shadow", reason, text))
            self.parts.append(part)
        state.functions[name] = body
        inside = state.copy()
        inside.variables["@"] = Value(HOLE)
        self._within(name, body, inside, TERMINAL, depth, f"in {name}()")
        return Flow(None, CLEAN, True)

    def _within(
        self, name: str, body: Script, state: State, stdin: Flow, depth: int, note: str
    ) -> Flow:
        if name in self._calls:
            return Flow(None, stdin.taints, True)
        self._calls.append(name)
        try:
            return self.script(body, state, stdin, depth + 1, note)
        finally:
            self._calls.pop()

    # Commands

    def _simple(self, node: Simple, state: State, stdin: Flow, depth: int, note: str) -> Flow:
        expansion = self._expansion(state, depth, stdin)
        variants = [expansion.words(node.words)]
        if expansion.had_fallback:  # `${X:-/}`: nobody knows, or what stands there
            again = self._expansion(state, depth, stdin, fall_back=True)
            variants.append(again.words(node.words))
        flow = stdin
        for at, values in enumerate(variants):
            said = "where the variable is not set" if at else note
            flow = self._with_redirects(node, values, state, stdin, depth, said)
        return flow

    def _expansion(
        self, state: State, depth: int, stdin: Flow, *, fall_back: bool = False
    ) -> Expansion:
        def run(script: Script, given: Flow) -> Flow:
            if depth > MAX_NESTING:
                raise TooMuch("substitutions nested too deeply")
            return self.script(script, state.copy(), given, depth + 1, "its output is used")

        def assigned(name: str, value: Value) -> None:
            part = self.part(f"${{{name}:=}}", depth, "", kept=False)
            if listed(name):
                shell = Call("", [], state, part, Nested(self, depth), depth=depth)
                shell.sets(name, value, alone=True)
            if part.findings:
                self.parts.append(part)

        def data(text: str) -> None:
            finding = Finding(Verdict.ASK, "run.hidden", DATA, text)
            self.part(text, depth, "a sum").findings.append(finding)

        return Expansion(
            state, run, self._seen, fall_back=fall_back, stdin=stdin, assigned=assigned, data=data
        )

    def _with_redirects(
        self, node: Simple, values: list[Value], state: State, stdin: Flow, depth: int, note: str
    ) -> Flow:
        expansion = self._expansion(state, depth, stdin)
        part = self.part(node.text, depth, note)
        shell = Call("", [], state, part, Nested(self, depth), stdin=stdin, depth=depth)
        assigned = {one.name: expansion.one(one.value) for one in node.assigns}
        for one in node.assigns:
            text = assigned[one.name].text
            if "$(" in text or "`" in text:  # a sum that names the variable runs it
                shell.ask("run.hidden", f"{one.name} contains text that runs where it is used")
            shell.sets(one.name, assigned[one.name], alone=not values)
        if not values or node.words[0].raw in _DECLARE:
            for one in node.assigns:
                self._assign(one.name, assigned[one.name], state, append=one.append)
            values = values and [*values, *(Value(one.name) for one in node.assigns)]
        stdin = input_of(node.redirects, expansion, shell, stdin)
        if values:
            # What stands before a command is there for all it runs, and gone afterwards.
            kept = {name: state.variables.get(name) for name in assigned}
            if node.words[0].raw not in _DECLARE:
                state.variables |= assigned
            shell.output = self.command(values, state, stdin, part, depth)
            for name, value in kept.items() if node.words[0].raw not in _DECLARE else ():
                state.variables.pop(name, None)
                if value is not None:
                    state.variables[name] = value
        elif any(one.op == "<" for one in node.redirects):  # `$(< file)`
            shell.output = stdin
        else:
            shell.gives("")
        outputs_of(node.redirects, expansion, shell)
        return shell.output

    def _assign(self, name: str, value: Value, state: State, *, append: bool) -> None:
        if state.windows:
            name = name.lower()
        if append and (before := state.variables.get(name)) is not None:
            value = Value(before.text + value.text, before.taints | value.taints)
        state.variables[name] = value

    def _called(
        self, name: str, body: Script, args: list[Value], state: State, stdin: Flow, depth: int
    ) -> Flow:
        """A function: it has arguments of its own, and everything else of its caller's."""
        numbers = ("@", *map(str, range(1, 10)))
        kept = {one: state.variables.pop(one, None) for one in numbers}
        before = state.copy()
        taints = frozenset(taint for one in args for taint in one.taints)
        state.variables["@"] = Value(" ".join(one.text for one in args), taints)
        state.variables |= {str(at): one for at, one in enumerate(args[:9], 1)}
        flow = self._within(name, body, state, stdin, depth, f"called as {name}")
        for one, value in kept.items():
            state.variables.pop(one, None)
            if value is not None:
                state.variables[one] = value
                before.variables[one] = value
        state.unsure(before)
        return flow

    def command(
        self,
        values: Sequence[Value],
        state: State,
        stdin: Flow,
        part: Part,
        depth: int,
        *,
        plain: bool = False,
    ) -> Flow:
        """Judge one command; `plain`: a program runs it, which knows no functions."""
        if depth > MAX_NESTING:
            raise TooMuch("nested commands, too deep to judge")
        first, args = values[0], list(values[1:])
        nested = Nested(self, depth)
        name = named(first, state)
        call = Call(name.base, args, state, part, nested, stdin=stdin, said=first.text, depth=depth)
        body = None if plain else state.functions.get(first.text)
        if body is not None and first.text not in self._calls:
            flow = self._called(first.text, body, args, state, stdin, depth)
            if first.text not in state.perhaps:
                return flow
        alias = None if plain else state.aliases.get(first.text)
        if alias is not None and first.text not in self._calls:
            # A shell without a person takes no aliases: it is judged both ways.
            self._calls.append(first.text)
            try:
                rest = " ".join(quoted(one, state.shell) for one in args)
                nested.text(f"{alias} {rest}", "", call, f"alias {first.text}")
            finally:
                self._calls.pop()
            found = len(part.findings)
            told(name, call)
            if all(one.verdict is not Verdict.DENY for one in part.findings[found:]):
                del part.findings[found:]
            return call.output
        before = len(part.findings)
        told(name, call)
        new = part.findings[before:]
        asked = new and all(one.verdict is Verdict.ASK for one in new)
        if asked and (rule := self._rules.lifting(call)):
            del part.findings[before:]
            part.allowed_by = rule
        return call.output

    def part(self, text: str, depth: int, note: str, *, kept: bool = True) -> Part:
        """A part of the tree; those that are not `kept` count when something is found in them."""
        part = Part(text, depth, note)
        if kept:
            self.parts.append(part)
            if len(self.parts) > MAX_COMMANDS:
                raise TooMuch("too many commands to judge")
        return part


def _as(state: State, dialect: Dialect) -> State:
    return state if state.dialect is dialect else replace(state, dialect=dialect)
