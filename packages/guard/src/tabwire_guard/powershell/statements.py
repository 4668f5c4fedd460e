"""PowerShell's statements: lists of them, pipelines, assignments.

An expression as a statement is `Write-Output` of its value, which is what PowerShell does with it.
"""

import re

from tabwire_guard.pattern import pattern
from tabwire_guard.powershell.commands import Commands
from tabwire_guard.powershell.values import Val, array, blend, scripts_of
from tabwire_guard.record import record
from tabwire_guard.script import (
    Assign,
    Block,
    Function,
    Lit,
    Node,
    Opaque,
    Pipeline,
    Script,
    Simple,
    Sub,
    Unknown,
    Unparsable,
    Var,
    Word,
)

KEYWORD = pattern(r"[A-Za-z]+(?![\w\-./\\:])")
_EXPRESSION = pattern(
    r"[$('\"\[{]|@[({'\"]|(?:0x[0-9a-f]+|\d+(?:\.\d+)?)(?:[kmgtp]b)?(?=[\s;|)}.,*/%+\-]|$)(?!\.\w*[a-z])"
    r"|!|,|-(?:not|bnot|join|[ic]?split)(?![\w-])|\+\+|--(?=\$)|[-+](?=[\d$(])",
    re.IGNORECASE,
)
_ASSIGN = pattern(r"(?:[-+*/%]|\?\?)?=(?!=)")
ATTRIBUTE = pattern(r"\[\s*[A-Za-z][\w.]*\s*\(")
_UNFOLLOWED = frozenset(
    "class enum using data configuration workflow parallel sequence inlinescript define".split()
)


MAX_PARTS = 100
"""Commands of one pipeline."""


@record(frozen=True)
class Said:
    """An expression that is a statement."""

    value: Val
    raw: str


Result = Node | Said


class Results(list[Result]):
    """Statements, and how each is joined to the one before: see Script."""

    def __init__(self) -> None:
        super().__init__()
        self.joins: list[str] = []
        self.aside: set[int] = set()

    def adds(self, results: list[Result], join: str) -> None:
        """More of them; all of one statement depend on what stands before it."""
        self.extend(results)
        self.joins += [join, *("&&" if join != ";" else ";" for _ in results[1:])][: len(results)]


def scripted(results: list[Result]) -> Script:
    """Statements as the walker sees them."""
    nodes = tuple(as_node(one) for one in results)
    if not isinstance(results, Results):
        return Script(nodes)
    return Script(nodes, tuple(results.joins), frozenset(results.aside))


def as_node(result: Result, takes: str = "Write-Output") -> Node:
    """A statement as the walker sees it; a value is given to the command that `takes` it."""
    if isinstance(result, Said):
        match result.value:
            case Val((Sub(Script((node,))),), items=None):  # what a command gives is its own output
                return node
        words = [Word((Lit(takes),), takes)]
        words += [Word(one.pieces, result.raw) for one in result.value.items or (result.value,)]
        return Simple(tuple(words), text=result.raw)
    return result


def _piped_on(parts: list[Node], raw: str) -> Node:
    """A pipeline; `a | ForEach-Object { … }` is a loop over what `a` gives, in `$_`."""
    done: list[Node] = []
    for part in parts:
        scripts = _for_each(part) if done else ()
        if not scripts:
            done.append(part)
            continue
        match done:
            case [Simple((Word((Lit("Write-Output"),), "Write-Output"), *values), redirects=())]:
                words = tuple(values)
            case _:
                given = Pipeline(tuple(done)) if len(done) > 1 else done[0]
                words = (Word((Sub(Script((given,)), quoted=True),)),)
        text = part.text if isinstance(part, Simple) else raw
        done = [Block("for", scripts, words, "$_", text=text)]
    return Pipeline(tuple(done), raw) if len(done) > 1 else done[0]


def _for_each(part: Node) -> tuple[Script, ...]:
    """The blocks of a `ForEach-Object`, if it has nothing but blocks."""
    if not isinstance(part, Simple) or part.redirects or not part.words:
        return ()
    first, *rest = part.words
    if first.raw.lower() not in ("%", "foreach", "foreach-object"):
        return ()
    scripts: list[Script] = []
    for word in rest:
        match word.pieces:
            case (Unknown(_, (script,)),) if word.raw.startswith("{"):
                scripts.append(script)
            case (Lit(text),) if text.lower() in ("-process", "-begin", "-end", "-parallel"):
                continue
            case _:
                return ()
    return tuple(scripts)


class Statements(Commands):
    """Reads statements."""

    closed = False
    """The last statement ended with its own bracket: the next may follow on the same line."""

    def statements(self, close: str) -> Results:
        """Statements up to a closing bracket, which is taken."""
        results = Results()
        join = ";"
        while True:
            self.skip(lines=True)
            if self.takes(";"):
                continue
            if close and self.takes(close):
                return results
            if not self.peek():
                if close:
                    raise Unparsable(f"{close} expected, found the end")
                return results
            self.closed = False
            results.adds(self._statement(), join)
            join = ";"
            self.skip()
            if self.changed and not self.inner:
                results.adds(self._unknown_now(), ";")
            if self.sees("&&", "||"):
                join = self.peek(2)
                self.at += 2
                continue
            if self.takes("&"):
                results.aside.add(len(results) - 1)
                continue
            if not (self.sees("\r", "\n", ";") or (close and self.sees(close)) or not self.peek()):
                after = self.said[self.at : self.at + 20]
                if not (self.closed or (results and isinstance(results[-1], (Block, Function)))):
                    raise Unparsable(f"unexpected: {after!r}")

    def _unknown_now(self) -> list[Result]:
        """What brackets have changed is no longer known."""
        names = [one for one in self.changed if one != "cd"]
        moved = "cd" in self.changed
        self.changed.clear()
        unknown = Word((Unknown("changed in brackets"),))
        text = "changed in brackets"
        nodes: list[Result] = []
        if moved:
            nodes.append(Simple((Word((Lit("Set-Location"),)), unknown), text=text))
        if names:
            nodes.append(Simple((), tuple(Assign(one, unknown) for one in names), text=text))
        return nodes

    def statements_in(self, close: str) -> Script:
        """See Scanner."""
        self.deeper()
        self.inner += 1
        results = self.statements(close)
        self.inner -= 1
        self.depth -= 1
        return scripted(results)

    def value_in(self, close: str) -> Val:
        """See Scanner."""
        self.deeper()
        self.inner += 1
        results = self.statements(close)
        self.inner -= 1
        self.depth -= 1
        said = [one.value for one in results if isinstance(one, Said)]
        if not results:
            return Val((Lit("", quoted=True),), None, items=())
        if len(said) == len(results):
            if len(said) == 1:
                return said[0]
            return array([each for one in said for each in (one.items or (one,))])
        return Val((Sub(scripted(results), quoted=True),))

    def table_value(self) -> Val:
        """See Expressions."""
        return self._right_side()

    def _right_side(self) -> Val:
        """What is assigned: any statement."""
        self.deeper()
        self.inner += 1
        results = self._statement()
        self.inner -= 1
        self.depth -= 1
        if len(results) == 1 and isinstance(results[0], Said):
            return results[0].value
        return Val((Sub(scripted(results), quoted=True),))

    # One statement

    def _statement(self) -> list[Result]:
        while self.sees("[") and ATTRIBUTE.match(self.text, self.at):
            used = self._attribute()
            if scripts := scripts_of(used):
                return [Block("group", scripts)]
            self.skip(lines=True)
        if self.sees(":") and (label := re.compile(r":\w+\s+").match(self.text, self.at)):
            self.at = label.end()
        word = KEYWORD.match(self.text, self.at)
        if word:
            name = word[0].lower()
            if name in _UNFOLLOWED:
                raise Unparsable(f"`{name}` is not supported")
            reader = getattr(self, f"_{name}_statement", None)
            if reader is not None:
                start = self.at
                self.at = word.end()
                results: list[Result] = reader(start)
                return results
            if name in ("begin", "process", "end", "clean", "dynamicparam", "trap"):
                after = re.compile(r"\s*(?:\[[\w.]+\]\s*)?\{").match(self.text, word.end())
                if after:
                    self.at = after.end() - 1
                    kind = {"process": "while", "trap": "if"}.get(name, "group")
                    return [Block(kind, (self._body(),), text=name)]
        return self._pipeline()

    def _pipeline(self) -> list[Result]:
        start = self.at
        parts: list[Node] = []
        if _EXPRESSION.match(self.text, self.at):
            value = self.expression()
            self.skip()
            if sign := _ASSIGN.match(self.text, self.at):
                self.at = sign.end()
                return self._assignment(value, sign[0], start)
            said = Said(value, self.raw(start))
            node = as_node(said)
            while (redirect := self._redirect()) is not None:
                if isinstance(node, Simple):
                    node = Simple(node.words, (), (*node.redirects, *redirect), self.raw(start))
                self.skip()
            if not self._piped():
                plain = isinstance(node, Simple) and not node.redirects
                return [said if plain else node]
            parts.append(node)
        else:
            parts.append(self.command())
            self.skip()
            if not self._piped():
                names = [] if self.inner else list(self.noted)
                self.noted.clear()
                again = tuple(Assign(one, Word((Var(one, quoted=True),))) for one in names)
                # So that a loop knows what it sets.
                return [parts[0], Simple((), again, text="set by name")] if again else [parts[0]]
        moves = dict(self.changed)
        self.inner += 1  # the walker goes through the parts of a pipe with copies of its state
        while True:
            self.skip(lines=True)
            parts.append(self.command())
            self.skip()
            if not self._piped():
                break
            if len(parts) > MAX_PARTS:
                raise Unparsable("a pipeline that is too long")
        self.inner -= 1
        self.changed.update(moves)
        self.changed.update(self.noted)
        self.noted.clear()
        return [_piped_on(parts, self.raw(start))]

    def _piped(self) -> bool:
        return not self.sees("||") and self.takes("|")

    # Assignments

    def _assignment(self, target: Val, sign: str, start: int) -> list[Result]:
        self.skip(lines=True)
        value = self._right_side()
        raw = self.raw(start)
        targets = target.items if target.items is not None else (target,)
        if len(targets) == 1 and targets[0].name == "$null":
            return [Said(value, raw)]
        results: list[Result] = []
        assigns: list[Assign] = []
        values = value.items if len(targets) > 1 and value.items is not None else None
        for at, one in enumerate(targets):
            given = value
            if len(targets) > 1:
                exact = values is not None and len(values) == len(targets)
                given = values[at] if exact and values is not None else blend(raw, value)
            made = self._assigned(one, sign, given, raw)
            if isinstance(made, Assign):
                assigns.append(made)
            else:
                results.append(made)
        if assigns:
            results.append(Simple((), tuple(assigns), text=raw))
        return results

    def _assigned(self, target: Val, sign: str, value: Val, raw: str) -> Assign | Node:
        name = target.name
        owner = name.rstrip(".")
        if not owner:
            return Opaque(
                "sets a property of a type or an object", raw, False, scripts_of((target, value))
            )
        if ":" in owner:
            reason = "replaces a function, an alias or a file"
            return Opaque(reason, raw, True, scripts_of((value,)))
        if owner in ("$psdefaultparametervalues", "$profile", "$executioncontext"):
            reason = "changes what later commands do"
            return Opaque(reason, raw, True, scripts_of((value,)))
        key = owner.removeprefix("$") if owner in ("$home", "$pwd") else owner
        self.literals.pop(key, None)
        if self.inner:
            self.changed[key] = None
        if name != owner:  # `$x.y = …`
            return Assign(key, Word(blend(raw, target, value).pieces, raw))
        listed = (value.items is not None and len(value.items) != 1) or value.table is not None
        if listed and sign == "=" and not self.inner and self.lasting(key):
            self.literals[key] = value
        if listed or sign not in ("=", "+="):
            value = blend(raw, value)
        return Assign(key, Word(value.pieces, raw), append=sign == "+=")

    # Brackets of statements

    def _body(self) -> Script:
        """`{ … }` that runs where it stands."""
        self.skip(lines=True)
        self.needs("{")
        self.deeper()
        results = self.statements("}")
        self.depth -= 1
        return scripted(results)

    def _condition(self) -> Script:
        """`( … )` of a statement."""
        self.skip(lines=True)
        self.needs("(")
        self.deeper()
        results = self.statements(")")
        self.depth -= 1
        for at, one in enumerate(results):
            if isinstance(one, Said):  # a value is looked at here, not printed
                results[at] = as_node(one, "Out-Null")
        return scripted(results)

    def _attribute(self) -> list[Val]:
        """`[Parameter(Mandatory = $true)]`; what it takes."""
        found = ATTRIBUTE.match(self.text, self.at)
        if found is None:
            raise Unparsable("an unsupported attribute")
        self.at = found.end()
        used: list[Val] = []
        self.deeper()
        while True:
            self.skip(lines=True)
            if self.takes(")"):
                break
            if name := re.compile(r"[A-Za-z]\w*\s*(=?)\s*").match(self.text, self.at):
                self.at = name.end()
            if not self.sees(",", ")"):
                used.append(self.expression(comma=False))
                self.skip(lines=True)
            if not self.takes(",") and not self.sees(")"):
                raise Unparsable("an unsupported attribute")
        self.depth -= 1
        self.skip(lines=True)
        self.needs("]")
        return used
