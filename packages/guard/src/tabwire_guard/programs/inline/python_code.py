"""Python in an argument, read with Python's own parser.

Harmless are sums, strings, prints, and looking things up in modules that only compute: every
name and every attribute must be known (python_names.py), called or not. Of everything else
it is said what it does, if that can be told.
"""

import ast
from collections.abc import Iterator

from tabwire_guard.pattern import pattern
from tabwire_guard.programs.inline.python_names import (
    BUILTINS,
    DATA,
    METHODS,
    PACKAGES,
    READERS,
    TOLD,
    is_module,
    known,
)
from tabwire_guard.values import HOLE

Found = tuple[str, str, str, str]
"""(verdict or kind, rule, reason, value): kinds are `reads`, `writes`, `deletes`, `script`."""

MAX_CODE = 8_000
"""Characters; python's parser takes its time with more, and its stack with what nests."""

MAX_CHAIN = 30
"""Attributes of attributes."""

_DELETES = frozenset("rmtree remove unlink rmdir removedirs move rename replace renames".split())
_STARTS = frozenset(
    "system popen run call check_call check_output Popen getoutput getstatusoutput spawn execv "
    "execvp execl execlp spawnl spawnv execve posix_spawn startfile execvpe execle execlpe "
    "spawnlp spawnvp spawnve fork forkpty posix_spawnp".split()
)
_WORKERS = frozenset(("os", "subprocess", "pty", "sh", "shutil", "pathlib", "posix", "nt"))
"""Modules that run programs and change files."""
_HANDS_OVER = frozenset("dup2 fileno makefile recv".split())
"""What a connection is used by, where a program is to read from it."""
_MAKES_CODE = frozenset(("exec", "eval", "compile", "__import__"))
_UNSAFE = _MAKES_CODE | frozenset(
    """open globals locals vars getattr setattr delattr breakpoint input memoryview help license
    credits copyright aiter anext __builtins__ __loader__ __spec__ __build_class__""".split()
)
"""Names of python's own that are asked about: giving one a second meaning hides which it is."""
_OPEN_WORDS = frozenset(("mode", "encoding", "errors", "newline", "buffering"))
_SHOWS = frozenset("print len list tuple set sorted pprint join enumerate repr str".split())
_FIELD = pattern(r"\{[^{}]*[.\[]")


def judge_python(code: str) -> list[Found]:
    """What speaks against that code; nothing if it is harmless."""
    if len(code) > MAX_CODE or code.count("(") + code.count("[") > 300:
        return [("ask", "run.inline", "long Python code", "")]
    try:
        tree = ast.parse(code.replace(HOLE, "_").strip())
        return list(_Reader(tree).read())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return [("ask", "run.inline", "Python code that cannot be analysed", "")]


def _ask(what: str) -> Found:
    return "ask", "run.inline", f"Python code with {what}, which is not known", ""


class _Reader:
    def __init__(self, tree: ast.AST) -> None:
        self._nodes = list(ast.walk(tree))
        self._above = {
            id(child): node for node in self._nodes for child in ast.iter_child_nodes(node)
        }
        self._modules: dict[str, str] = {}
        """What an imported name stands for."""
        self._own: set[str] = set()
        self._attributes: set[str] = set()
        """Those that the code itself sets or defines."""

    def read(self) -> Iterator[Found]:
        for node in self._nodes:
            yield from self._binds(node)
        roots = {one.split(".")[0] for one in self._modules.values()}
        if "socket" in roots and roots & _WORKERS and _HANDS_OVER & self._named():
            yield "deny", "network.shell", "Python code that gives another machine a shell", ""
        if shadowed := _UNSAFE & (self._own | self._modules.keys()):
            yield _ask(f"another {min(shadowed)}")
        for node in self._nodes:
            if isinstance(node, ast.Call):
                yield from self._called(node)
            elif isinstance(node, ast.Attribute):
                yield from self._attribute(node)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                yield from self._name(node)
            elif isinstance(node, ast.Global | ast.Nonlocal | ast.Delete | ast.MatchClass):
                yield "ask", "run.inline", "Python code that is not known to be harmless", ""

    def _named(self) -> set[str]:
        return {
            one.attr if isinstance(one, ast.Attribute) else one.id
            for one in self._nodes
            if isinstance(one, ast.Attribute | ast.Name)
        }

    # What names stand for

    def _binds(self, node: ast.AST) -> Iterator[Found]:
        if isinstance(node, ast.Import):
            for one in node.names:
                root = one.name.split(".")[0]
                yield from self._imported(one.asname or root, one.name if one.asname else root)
                yield from self._module(one.name)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            yield from self._module(module)
            for one in node.names:
                whole = f"{module}.{one.name}"
                yield from self._imported(one.asname or one.name, whole)
                if one.name == "*" or node.level:
                    yield "ask", "run.inline", "Python code that imports everything of a module", ""
                elif not is_module(whole) and not known(module, one.name):
                    yield from self._reached(module, one.name, called=False)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            self._own.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            self._own.add(node.name)
            self._attributes.add(node.name)
        elif isinstance(node, ast.arg):
            self._own.add(node.arg)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            self._own.add(node.name)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            self._attributes.add(node.attr)

    def _imported(self, name: str, whole: str) -> Iterator[Found]:
        if self._modules.setdefault(name, whole) != whole:
            yield _ask(f"two things called {name}")

    def _module(self, name: str) -> Iterator[Found]:
        root = name.split(".")[0]
        if is_module(name) or root in PACKAGES:
            return
        if root in _WORKERS:  # what is done with it is judged where it is done
            return
        yield "ask", "run.inline", f"Python code that imports {name}", ""

    def _whole(self, node: ast.expr) -> tuple[str, str, list[str]]:
        """The module an expression begins with, the module's name in it, attributes behind it."""
        names: list[str] = []
        while isinstance(node, ast.Attribute):
            names.append(node.attr)
            node = node.value
            if len(names) > MAX_CHAIN:
                raise ValueError("a long chain of attributes")
        if not isinstance(node, ast.Name) or node.id not in self._modules:
            return "", "", names[::-1]
        module, rest = self._modules[node.id], names[::-1]
        if not is_module(module) and "." in module:
            module, _, first = module.rpartition(".")
            rest = [first, *rest]
        while rest and is_module(f"{module}.{rest[0]}"):
            module = f"{module}.{rest.pop(0)}"
        return (module, rest[0], rest[1:]) if rest else (module, "", [])

    # Names

    def _name(self, node: ast.Name) -> Iterator[Found]:
        name = node.id
        above = self._above.get(id(node))
        called = isinstance(above, ast.Call) and above.func is node
        if name in self._modules:
            module, first, _ = self._whole(node)
            shown = (
                isinstance(above, ast.Call)
                and not called
                and _function(above) in ("print", "dir", "repr")
            )
            if not first and not isinstance(above, ast.Attribute) and not shown:
                yield _ask(f"{module} as a value")
            elif name in self._own:
                yield _ask(f"another {name}")
        elif name in _MAKES_CODE:
            yield "deny", "run.hidden", f"Python code that makes the code it runs ({name})", ""
        elif name == "open":
            if not called:
                yield _ask("another name for open")
        elif name in self._own or name in BUILTINS:
            return
        elif name.startswith("__"):
            yield "deny", "run.hidden", f"Python code with {name}", ""
        else:
            yield _ask(name)

    def _attribute(self, node: ast.Attribute) -> Iterator[Found]:
        name = node.attr
        above = self._above.get(id(node))
        called = isinstance(above, ast.Call) and above.func is node
        if name.startswith("__") and name not in TOLD and name not in self._attributes:
            yield "deny", "run.hidden", f"Python code that inspects object internals ({name})", ""
            return
        if name in ("environ", "environb", "getenv", "getenvb"):
            yield "ask", "secret.environment", "Python code that reads the environment", ""
            return
        module, first, rest = self._whole(node)
        if module and not rest:
            if not first:
                if not isinstance(above, ast.Attribute):
                    yield _ask(f"{module} as a value")
            elif module == "sys" and first == "path":
                if not self._only_shown(node):
                    yield _ask("another sys.path")
            elif not known(module, first):
                yield from self._reached(module, first, called=called)
        elif isinstance(node.ctx, ast.Load) and name not in METHODS | DATA | TOLD:
            own = name in self._attributes and self._plain()
            if not own and not (called and name in _JUDGED):
                yield _ask(f".{name}")

    def _only_shown(self, node: ast.expr) -> bool:
        above = self._above.get(id(node))
        if isinstance(above, ast.Starred):
            node, above = above, self._above.get(id(above))
        if isinstance(above, ast.Call):
            return above.func is not node and _function(above) in _SHOWS
        if isinstance(above, ast.Subscript):
            return isinstance(above.ctx, ast.Load)
        return isinstance(above, ast.For | ast.comprehension) and above.iter is node

    def _reached(self, module: str, name: str, *, called: bool) -> Iterator[Found]:
        """A name of a module that is not among the harmless ones."""
        if called and (
            module in _WORKERS or (module, name) in _SPECIAL or name in READERS.get(module, ())
        ):
            return  # judged as a call
        if module.split(".")[0] in _WORKERS and name in _STARTS | _DELETES:
            yield "deny", "run.hidden", f"Python code with another name for {module}.{name}", ""
        else:
            yield _ask(f"{module}.{name}")

    # Calls

    def _called(self, node: ast.Call) -> Iterator[Found]:
        literal = _literal(node.args[0]) if node.args else None
        module, first, rest = self._whole(node.func)
        last = rest[-1] if rest else first
        if isinstance(node.func, ast.Name) and node.func.id == "open":
            yield from self._opens(node, literal)
        elif module and not rest:
            yield from self._of_module(module, first, literal)
        elif isinstance(node.func, ast.Attribute):
            yield from self._of_object(node.func, last or node.func.attr, literal)

    def _of_module(self, module: str, name: str, literal: str | None) -> Iterator[Found]:
        if module in ("os", "subprocess", "pty", "sh") and name in _STARTS:
            if literal is None:
                yield "deny", "run.hidden", "Python code that runs something unknown", ""
            else:
                yield "script", "run.inline", "Python code that runs a program", literal
        elif module in ("os", "shutil") and name in _DELETES:
            yield from self._deleted(literal)
        elif (module, name) == ("importlib.util", "find_spec"):
            if literal is None or "." in literal:  # it imports what stands before the dot
                yield _ask("find_spec of something unknown")
        elif name in READERS.get(module, ()):
            if literal is None or _ELSEWHERE.match(literal):
                yield _ask(f"{module}.{name} of something that is not a file here")
            else:
                yield "reads", "", "", literal
        elif known(module, name):
            if module in ("os", "os.path", "pathlib", "glob") and literal:
                yield "reads", "", "", literal
        elif module in _WORKERS:
            yield _ask(f"{module}.{name}()")

    def _of_object(self, func: ast.Attribute, name: str, literal: str | None) -> Iterator[Found]:
        inner = func.value
        of = (
            _literal(inner.args[0])
            if isinstance(inner, ast.Call) and inner.args and len(inner.args) == 1
            else None
        )
        if name in ("unlink", "rmdir", "rmtree"):
            yield from self._deleted(of if literal is None else literal)
        elif name in ("read_text", "read_bytes"):
            if of is None or self._whole(_func(inner))[:2] != ("pathlib", "Path"):
                yield _ask(f".{name}() of an unknown file")
            else:
                yield "reads", "", "", of
        elif name == "write" and ast.unparse(inner) in (
            "sys.stdout", "sys.stderr", "sys.stdout.buffer", "sys.stderr.buffer",
        ):  # fmt: skip
            return
        elif name in _JUDGED:
            yield "ask", "write.inline", f"Python code that changes files ({name})", ""
        elif name == "format" and (not _text(inner) or _FIELD.search(_text(inner))):
            yield _ask("a format string that accesses attributes")
        elif name in ("replace", "copy", "rename") and self._paths() and not _is_text(inner):
            yield "ask", "write.inline", f"Python code that may move files ({name})", ""

    def _plain(self) -> bool:
        """Whether no object of its own kind could have a method the code has named by itself."""
        roots = {one.split(".")[0] for one in self._modules.values()}
        return not roots & (PACKAGES | _WORKERS)

    def _paths(self) -> bool:
        return any(one.split(".")[0] == "pathlib" for one in self._modules.values())

    def _deleted(self, target: str | None) -> Iterator[Found]:
        if target is None or "~" in target:
            yield "deny", "run.inline", "Python code that deletes something unknown", ""
        else:
            yield "deletes", "run.inline", "Python code that deletes", target

    def _opens(self, node: ast.Call, literal: str | None) -> Iterator[Found]:
        modes = [*node.args[1:2], *(one.value for one in node.keywords if one.arg == "mode")]
        mode = _literal(modes[0]) if modes else "r"
        plain = all(one.arg in _OPEN_WORDS for one in node.keywords) and not any(
            isinstance(one, ast.Starred) for one in node.args
        )
        if literal is None or not plain or isinstance(node.args[0], ast.List | ast.Tuple):
            yield "ask", "run.inline", "Python code that opens an unknown file", ""
        if literal is not None and (mode is None or not plain or set(mode) - set("rbtU")):
            yield "writes", "", "", literal
            yield "ask", "write.inline", "Python code that writes a file", ""
        elif literal is not None:
            yield "reads", "", "", literal


_JUDGED = frozenset(
    """write_text write_bytes write writelines mkdir makedirs touch symlink symlink_to hardlink_to
    chmod chown lchmod kill dump unlink rmdir rmtree read_text read_bytes open rename""".split()
)
"""Methods of which a call is judged by itself."""
_ELSEWHERE = pattern(r"[A-Za-z][\w+.-]+:|\\\\|//")
_SPECIAL = frozenset((("importlib.util", "find_spec"),))


def _function(node: ast.Call) -> str:
    """The last name of what is called."""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _func(node: ast.expr) -> ast.expr:
    return node.func if isinstance(node, ast.Call) else node


def _text(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _is_text(node: ast.expr) -> bool:
    """Whether it is surely a text, whose `replace` moves no file."""
    if isinstance(node, ast.Call):
        return _function(node) in (
            "str", "read_text", "read", "as_posix", "strip", "lower", "upper", "join", "format",
        )  # fmt: skip
    return isinstance(node, ast.JoinedStr) or bool(_text(node))


def _literal(node: ast.expr) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.List | ast.Tuple):
        parts = [_literal(one) for one in node.elts]
        return (
            " ".join(one for one in parts if one is not None)
            if all(one is not None for one in parts)
            else None
        )
    return None
