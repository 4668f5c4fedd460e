"""PowerShell's statements with a keyword: `if`, `foreach`, `try`, functions."""

import re

from tabwire_guard.powershell.statements import (
    ATTRIBUTE,
    KEYWORD,
    Result,
    Said,
    Statements,
    as_node,
    scripted,
)
from tabwire_guard.powershell.values import Val, constant, scripts_of
from tabwire_guard.script import (
    Assign,
    Block,
    Function,
    Lit,
    Script,
    Simple,
    Sub,
    Unknown,
    Unparsable,
    Word,
)


def parse(text: str) -> Script:
    """The tree of a PowerShell text; raises Unparsable."""
    return scripted(_Parser(text).statements(""))


class _Parser(Statements):
    """Reads statements with a keyword."""

    def _follows(self, *words: str) -> str:
        """Take one of these words if it comes next, on this line or a later one."""
        before = self.at
        self.skip(lines=True)
        if (found := KEYWORD.match(self.text, self.at)) and found[0].lower() in words:
            self.at = found.end()
            return found[0].lower()
        self.at = before
        return ""

    def _if_statement(self, start: int) -> list[Result]:
        scripts = [self._condition(), self._body()]
        while word := self._follows("elseif", "else"):
            if word == "elseif":
                scripts.append(self._condition())
            scripts.append(self._body())
        return [Block("if", tuple(scripts), text=self.raw(start))]

    def _while_statement(self, start: int) -> list[Result]:
        return [Block("while", (self._condition(), self._body()), text=self.raw(start))]

    def _do_statement(self, start: int) -> list[Result]:
        body = self._body()
        if not self._follows("while", "until"):
            raise Unparsable("`do` without `while`")
        return [Block("while", (body, self._condition()), text=self.raw(start))]

    def _for_statement(self, start: int) -> list[Result]:
        head = self._condition()
        return [Block("while", (head, self._body()), text=self.raw(start))]

    def _foreach_statement(self, start: int) -> list[Result]:
        self.skip(lines=True)
        if self.takes("-parallel"):
            self.skip(lines=True)
        self.needs("(")
        self.deeper()
        self.skip(lines=True)
        variable = self.variable()
        if variable is None or not self._follows("in"):
            raise Unparsable("`foreach` without a variable")
        self.skip(lines=True)
        self.inner += 1
        results = self.statements(")")
        self.inner -= 1
        self.depth -= 1
        self.literals.pop(variable.name, None)
        words: list[Word] = []
        for one in results:
            if isinstance(one, Said):
                value = self.literals.get(one.value.name, one.value)
                words += [Word(each.pieces, one.raw) for each in value.items or (value,)]
            else:
                words.append(Word((Sub(Script((one,)), quoted=True),)))
        body = self._body()
        return [Block("for", (body,), tuple(words), variable.name, text=self.raw(start))]

    def _switch_statement(self, start: int) -> list[Result]:
        option = re.compile(r"\s*-(?:regex|wildcard|exact|casesensitive|parallel)\b", re.I)
        while found := option.match(self.text, self.at):
            self.at = found.end()
        self.skip(lines=True)
        if not self.sees("("):
            raise Unparsable("a `switch` over a file")
        scripts = [self._condition()]
        self.skip(lines=True)
        self.needs("{")
        self.deeper()
        while True:
            self.skip(lines=True)
            if self.takes(";"):
                continue
            if self.takes("}"):
                break
            if self.sees("{"):
                scripts.append(self._body())
            else:
                word = self.argument()
                scripts.append(Script((Simple((Word((Lit("Write-Output"),)), *word)),)))
            scripts.append(self._body())
        self.depth -= 1
        # Over a list it is a loop.
        return [Block("while", tuple(scripts), text=self.raw(start))]

    def _try_statement(self, start: int) -> list[Result]:
        scripts = [self._body()]
        while word := self._follows("catch", "finally"):
            if word == "catch":
                self.skip(lines=True)
                while self.type_name() is not None:
                    self.skip(lines=True)
                    self.takes(",")
                    self.skip(lines=True)
            scripts.append(self._body())
        if len(scripts) == 1:
            raise Unparsable("`try` without `catch`")
        return [Block("try", tuple(scripts), text=self.raw(start))]

    def _function_statement(self, start: int) -> list[Result]:
        found = re.compile(r"\s+([^\s({]+)").match(self.text, self.at)
        if found is None:
            raise Unparsable("a function without a name")
        self.at = found.end()
        name = re.sub(r"(?i)^(?:global|script|local|private):", "", found[1])
        self.skip(lines=True)
        parameters = self._parameters() if self.takes("(") else []
        self.inner += 1
        outer, self.changed = self.changed, {}
        body = self._body()
        self.set_by_functions |= self.changed
        self.changed = outer | self.changed
        self.inner -= 1
        nodes = (*(as_node(one) for one in parameters), *body.nodes)
        joins = (";",) * len(parameters) + (body.joins or (";",) * len(body.nodes))
        body = Script(nodes, joins)
        # PowerShell knows it in letters of any size; the walker by the name it is called with.
        names = dict.fromkeys((name.lower(), name))
        return [Function(one, body, text=self.raw(start)) for one in names]

    _filter_statement = _function_statement

    def _param_statement(self, start: int) -> list[Result]:
        del start
        self.skip(lines=True)
        self.needs("(")
        results = self._parameters()
        self.closed = True
        return results

    def _parameters(self) -> list[Result]:
        """What a function is given: nobody knows. From after the bracket."""
        self.deeper()
        assigns: list[Assign] = []
        start = self.at
        while True:
            self.skip(lines=True)
            if self.takes(")"):
                break
            used: list[Val] = []
            while self.sees("["):
                if ATTRIBUTE.match(self.text, self.at):
                    used += self._attribute()
                elif self.type_name() is None:
                    raise Unparsable("an unsupported parameter")
                self.skip(lines=True)
            variable = self.variable()
            if variable is None or not variable.name.startswith("$"):
                raise Unparsable("a parameter without a name")
            self.skip(lines=True)
            if self.takes("="):
                self.skip(lines=True)
                used.append(self.expression(comma=False))
                self.skip(lines=True)
            self.literals.pop(variable.name, None)
            unknown = Unknown("an argument", scripts_of(used))
            assigns.append(Assign(variable.name, Word((unknown,))))
            if not self.takes(",") and not self.sees(")"):
                raise Unparsable("unsupported parameters")
        self.depth -= 1
        return [Simple((), tuple(assigns), text=self.raw(start))] if assigns else []

    def _return_statement(self, start: int) -> list[Result]:
        self.skip()
        if self._ends():
            return [Said(constant(None), self.raw(start))]
        return self._pipeline()

    _throw_statement = _exit_statement = _return_statement

    def _break_statement(self, start: int) -> list[Result]:
        if label := re.compile(r"[ \t]+\w+").match(self.text, self.at):
            self.at = label.end()
        return [Said(constant(None), self.raw(start))]

    _continue_statement = _break_statement
