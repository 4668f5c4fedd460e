"""Members of .NET's types and objects, as PowerShell reaches them.

Few are known. What only computes gives its value; what does the work of a cmdlet (reads, writes
and deletes files, downloads) is judged as that cmdlet; what loads or runs code is refused; all
others ask.
"""

import base64
import binascii
import re
from collections.abc import Sequence
from urllib.parse import unquote

from tabwire_guard.pattern import pattern
from tabwire_guard.powershell.operators import format_text, of_text
from tabwire_guard.powershell.values import (
    MAX_ITEMS,
    Val,
    blend,
    command,
    constant,
    elements,
    harmless,
    join_pieces,
    scripts_of,
    text,
)
from tabwire_guard.script import Lit, Opaque, Piece, Script, Unknown, Var

_REFUSED_TYPES = pattern(
    r"reflection\.|runtime\.interopservices\.(?!runtimeinformation)|activator$|appdomain$"
    r"|scriptblock$|powershell$|management\.automation\.(?:powershell|scriptblock|runspaces|amsi"
    r"|ref|language(?!\.parser$))|microsoft\.win32\.|wmi|adsi|ref$|net\.sockets|net\.mail|net\.webclient$"
    r"|codedom|microsoft\.csharp|runspacefactory|diagnostics\.process(?:startinfo)?$"
    r"|security\.(?:cryptography\.(?:protecteddata|aes|rijndael|des|tripledes|cryptostream)"
    r"|accesscontrol)|io\.compression|windows\.forms\.sendkeys|microsoft\.visualbasic"
    r"|directoryservices|management\.management|net\.servicepointmanager$|runtime\.serialization",
)
"""They load or run code, reach the registry or the network, or hide what runs."""

_COMPUTING_TYPES = frozenset(
    """math datetime datetimeoffset timespan guid version char int int32 int64 long uint32 uint64
    byte double single decimal bool boolean string convert text.encoding io.path regex
    text.regularexpressions.regex console uri array linq.enumerable diagnostics.stopwatch
    globalization.cultureinfo cultureinfo bitconverter collections.arraylist collections.hashtable
    collections.generic.list collections.generic.dictionary collections.generic.hashset
    collections.generic.queue collections.generic.stack text.stringbuilder random
    numerics.biginteger bigint tuple net.webutility web.httputility stringcomparison
    stringsplitoptions timezoneinfo runtime.interopservices.runtimeinformation
    io.searchoption consolecolor
    text.utf8encoding text.asciiencoding text.unicodeencoding pscustomobject
    collections.specialized.ordereddictionary
    net.httpstatuscode dayofweek environment+specialfolder semver object exception filemode
    security.cryptography.sha256 security.cryptography.sha1 security.cryptography.sha512
    security.cryptography.md5 security.principal.windowsidentity xml.xmldocument io.fileinfo
    io.directoryinfo text.json.jsonserializer threading.thread gc net.ipaddress ipaddress
    io.fileattributes io.stringreader io.memorystream text.normalizationform""".split()
)
"""Whatever is done with these computes, or prints."""

_ENCODINGS = {
    "utf8": "utf-8", "unicode": "utf-16-le", "ascii": "latin-1", "utf32": "utf-32-le",
    "bigendianunicode": "utf-16-be", "default": "latin-1", "latin1": "latin-1", "utf-8": "utf-8",
    "utf-16": "utf-16-le", "us-ascii": "latin-1",
}  # fmt: skip

_FOLDERS = {
    "userprofile": "", "desktop": r"\Desktop", "desktopdirectory": r"\Desktop",
    "mydocuments": r"\Documents", "personal": r"\Documents", "mypictures": r"\Pictures",
    "applicationdata": r"\AppData\Roaming", "localapplicationdata": r"\AppData\Local",
    "startup": r"\AppData\Roaming\Microsoft\Windows\Start Menu\Programs\Startup",
}  # fmt: skip

_COMPUTING_METHODS = frozenset(
    """tostring tolower toupper tolowerinvariant toupperinvariant trim trimstart trimend split
    replace substring startswith endswith contains indexof lastindexof padleft padright insert
    tochararray equals compareto gettype gethashcode add addrange containskey containsvalue
    getenumerator toarray adddays addhours addminutes addseconds addmonths addyears subtract
    tolocaltime touniversaltime where foreach match matches ismatch group append appendline
    appendformat clone count item getvalue tryparse parse getlength reverse sort push pop
    enqueue dequeue peek keys values removeat getbytes getstring getchararray computehash next
    nextdouble first last tolist selectnodes selectsinglenode getattribute elapsed normalize
    isnullorempty getfiles getdirectories enumeratefiles
    tobase64string totitlecase hasflag aggregate getresponseheader read readtoend readline peekchar
    gettypecode getproperties getbytecount getcharcount getchars getpreamble indexofany
    lastindexofany tounixtimeseconds tounixtimemilliseconds toshortdatestring tolongdatestring
    toshorttimestring tolongtimestring addmilliseconds addticks find findall findindex findlast
    exists trueforall getupperbound getlowerbound getelementsbytagname hasattribute trygetvalue
    getrange todictionary distinct writeline write flush close dispose remove clear""".split()
)
"""Of texts, lists, tables, times."""

_RUNNING_METHODS = frozenset(
    """invoke invokescript invokecommand invokereturnasis newscriptblock expandstring getcommand
    getcmdlet getcmdlets begininvoke dynamicinvoke run exec shellexecute create createinstance load
    loadfile loadfrom loadwithpartialname getmethod getmethods getfield getfields getdelegate
    getdelegateforfunctionpointer addscript addcommand addargument setvalue createsubkey
    deletesubkey deletesubkeytree regwrite regdelete openstreampipe uploadstring uploaddata
    uploadfile uploadvalues uploadstringtaskasync openwrite postasync putasync sendasync send
    execquery put_ win32shutdown connect getstream sendkeys shutdownwindows invokemember
    setaccessrule addaccessrule setowner executemethod compileassemblyfromsource terminate
    invokeverb createshortcut expandenvironmentstrings_ registertaskdefinition""".split()
)
"""They run what they are given, or send it away."""


def refused(reason: str, raw: str, *used: Val, deny: bool = True) -> Val:
    """A value nobody follows, which is never allowed."""
    # Side by side, not one in the other: a chain of members must not make a deep tree.
    return Val((Unknown(raw, (Script((Opaque(reason, raw, deny),)), *scripts_of(used))),))


def plain_type(name: str) -> str:
    """`System.IO.File` as `io.file`."""
    return re.sub(r"\s", "", name).lower().removeprefix("system.")


# Of types


def static_property(kind: str, name: str, raw: str) -> Val:
    """`[kind]::name`."""
    name = name.lower()
    if kind == "text.encoding" and name in _ENCODINGS:
        return Val((Unknown(raw, harmless=True),), kind=f"encoding {_ENCODINGS[name]}")
    if kind == "environment":
        if name == "currentdirectory":
            return Val((Var("pwd", quoted=True),))
        if name == "newline":
            return text("\n")
        if name in ("systemdirectory", "commandline"):
            return blend(raw)
        return harmless(raw)
    if kind == "string" and name == "empty":
        return text("")
    if kind == "io.path":
        return text("\\") if name.endswith("separatorchar") else blend(raw)
    if _REFUSED_TYPES.match(kind):
        if kind == "net.servicepointmanager" and name == "securityprotocol":
            return harmless(raw)
        return refused(f"[{kind}] runs or hides code", raw)
    # A property of a type nobody knows only reads; its methods are asked about by name.
    return harmless(raw) if kind in _COMPUTING_TYPES else blend(raw)


_LOOKING = (
    ("diagnostics.fileversioninfo", "getversioninfo"),
    ("reflection.assemblyname", "getassemblyname"),
)
"""They read one file and load nothing."""


def static_call(kind: str, name: str, args: Sequence[Val], raw: str) -> Val:
    """`[kind]::name(args)`."""
    name = name.lower()
    bare = kind.split("[")[0]
    given = _computed(bare, name, args, raw)
    if given is not None:
        return given
    if (bare, name) in _LOOKING and args:
        return command("Get-Content", raw, args[0])
    if (bare, name) == ("net.dns", "gethostname"):
        return harmless(raw)
    if bare in ("io.file", "io.directory", "io.fileinfo", "io.directoryinfo"):
        return _files(bare, name, args, raw)
    if bare == "environment":
        return _environment(name, args, raw)
    if bare == "diagnostics.process":
        if name == "start" and args:
            return command("Start-Process", raw, *args[:2])
        if name.startswith("get"):
            return harmless(raw, *args)
    if bare == "scriptblock" and name == "create":
        return refused("text becomes code that runs", raw, *args)
    if _REFUSED_TYPES.match(bare):
        return refused(f"[{bare}]::{name} loads, runs or hides code", raw, *args)
    if bare in _COMPUTING_TYPES:
        return blend(raw, *args)
    return refused(f"the effect of [{bare}]::{name} is not known", raw, *args, deny=False)


def _computed(kind: str, name: str, args: Sequence[Val], raw: str) -> Val | None:
    """What can be worked out."""
    first = args[0] if args else None
    match kind, name:
        case ("string", "join") if len(args) >= 2 and first and isinstance(first.const, str):
            items = elements(args[1]) if len(args) == 2 else tuple(args[1:])
            if items is None:
                return blend(raw, *args)
            return _joined(items, first.const, raw)
        case ("string", "concat"):
            items = elements(args[0]) if len(args) == 1 else tuple(args)
            return blend(raw, *args) if items is None else _joined(items, "", raw)
        case ("string", "new") if len(args) == 1:
            items = elements(args[0])
            return blend(raw, *args) if items is None else _joined(items, "", raw)
        case ("string", "format") if first and isinstance(first.const, str):
            return format_text(first.const, args[1:], raw)
        case ("convert", "frombase64string") if first and isinstance(first.const, str):
            try:
                return constant(base64.b64decode(first.const.strip() + "==", validate=False))
            except (ValueError, binascii.Error):
                return blend(raw, *args)
        case ("convert", "tochar" | "toint32" | "tobyte" | "toint16"):
            return _converted(name, args, raw)
        case ("char", "convertfromutf32") if first and isinstance(first.const, int):
            return text(chr(first.const)) if 0 < first.const < 0xD800 else blend(raw)
        case (
            ("uri" | "net.webutility" | "web.httputility"),
            ("unescapedatastring" | "urldecode"),
        ) if first and isinstance(first.const, str):
            return text(unquote(first.const))
        case ("text.encoding", "getencoding") if first and isinstance(first.const, str):
            encoding = _ENCODINGS.get(first.const.lower(), "utf-8")
            return Val((Unknown(raw, harmless=True),), kind=f"encoding {encoding}")
        case ("text.utf8encoding" | "text.asciiencoding", "new"):
            return Val((Unknown(raw, harmless=True),), kind="encoding utf-8")
        case ("text.unicodeencoding", "new"):
            return Val((Unknown(raw, harmless=True),), kind="encoding utf-16-le")
        case ("io.path", _):
            return _path(name, args, raw)
        case ("math" | "guid" | "datetime" | "timespan" | "version" | "random", _):
            return harmless(raw, *args)
    return None


def _joined(items: Sequence[Val], separator: str, raw: str) -> Val:
    pieces = join_pieces(items, separator)
    if len(pieces) == 1 and isinstance(pieces[0], Lit):
        return text(pieces[0].text)
    return Val(pieces) if pieces else blend(raw)


def _converted(name: str, args: Sequence[Val], raw: str) -> Val:
    value = args[0].const if args else None
    base = args[1].const if len(args) > 1 else 10
    if isinstance(value, str) and isinstance(base, int) and base in (2, 8, 10, 16):
        try:
            value = int(value, base)
        except ValueError:
            return blend(raw, *args)
    if not isinstance(value, int) or not 0 <= value < 0xD800:
        return blend(raw, *args)
    return text(chr(value)) if name == "tochar" else constant(value)


def _path(name: str, args: Sequence[Val], raw: str) -> Val:
    if name in ("gettemppath", "gettempfilename"):
        pieces: tuple[Piece, ...] = (Var("temp", quoted=True), Lit("\\", quoted=True))
        return Val(pieces if name == "gettemppath" else (*pieces, Unknown(raw, harmless=True)))
    if name in ("combine", "join"):
        items = elements(args[0]) if len(args) == 1 else tuple(args)
        rooted = items is None or any(
            not isinstance(one.const, str) or re.match(r"[\\/]|.:", one.const) for one in items[1:]
        )
        if items is None or rooted:
            return blend(raw, *args)
        return _joined(items, "\\", raw)
    if name == "getfullpath" and args:
        return Val(args[0].pieces, args[0].const)
    if name == "getrandomfilename":
        return harmless(raw)
    return blend(raw, *args)


def _environment(name: str, args: Sequence[Val], raw: str) -> Val:
    said = args[0].const if args else None
    if name == "getenvironmentvariable" and isinstance(said, str):
        return Val((Var(said.lower(), quoted=True),))
    if name == "getfolderpath" and isinstance(said, str) and said.lower() in _FOLDERS:
        pieces = (Var("userprofile", quoted=True), Lit(_FOLDERS[said.lower()], quoted=True))
        return Val(pieces)
    if name == "expandenvironmentvariables":
        return blend(raw, *args)
    if name.startswith("get"):
        return command("Get-ChildItem", raw, "env:") if name.endswith("variables") else blend(raw)
    if name == "exit":
        return harmless(raw, *args)
    return refused("changes the environment permanently", raw, *args)


def _files(kind: str, name: str, args: Sequence[Val], raw: str) -> Val:
    """Files by .NET, judged as the cmdlets that do the same."""
    if not args:
        return harmless(raw) if name == "getcurrentdirectory" else blend(raw)
    if name in ("readalltext", "readalllines", "readlines", "readallbytes", "openread", "opentext"):
        return command("Get-Content", raw, args[0])
    if name in ("exists", "new") or name.startswith(("getlast", "getcreation", "getattr")):
        return blend(raw, *args)
    if name.startswith(("getfiles", "getdirectories", "enumerate", "getfilesystem")):
        return command("Get-ChildItem", raw, args[0], "-Recurse")
    if name.startswith("writeall") and len(args) > 1:
        return command("Set-Content", raw, args[0], args[1])
    if name.startswith("appendall") and len(args) > 1:
        return command("Add-Content", raw, args[0], args[1])
    if name in ("create", "createtext") and kind.startswith("io.file"):
        return command("New-Item", raw, args[0], "-Force")
    if name in ("create", "createtext", "createdirectory", "appendtext", "openwrite"):
        return command("New-Item", raw, args[0])
    if name == "delete":
        deep = ("-Recurse",) if kind.startswith("io.directory") else ()
        return command("Remove-Item", raw, args[0], *deep)
    if name in ("copy", "move") and len(args) > 1:
        cmdlet = "Copy-Item" if name == "copy" else "Move-Item"
        return command(cmdlet, raw, args[0], args[1])
    return refused(f"[{kind}]::{name} changes files", raw, *args)


# Of objects


def read(value: Val, name: str, raw: str) -> Val:
    """`value.name`."""
    bare = name.lower()
    if value.table is not None:
        found = [one for key, one in value.table if key.lower() == bare]
        if found:
            return found[-1]
    if bare in ("length", "count") and (value.known or value.items is not None):
        return harmless(raw, value)
    if value.name == "$profile":
        return value
    if value.kind.startswith("type ") and bare in ("assembly", "module"):
        return refused("accesses PowerShell internals", raw, value)
    if value.kind == "executioncontext":
        return Val(value.pieces, kind=value.kind)
    if value.pieces and all(isinstance(one, Unknown) and one.harmless for one in value.pieces):
        return harmless(raw, value)
    if bare in ("fullname", "path", "providerpath", "pspath") and len(value.pieces) == 1:
        return Val(value.pieces)  # a file's path is what it was found by
    return blend(raw, value)


def call(value: Val, name: str, args: Sequence[Val], raw: str) -> Val:
    """`value.name(args)`."""
    bare = name.lower()
    if value.kind.startswith("encoding ") and bare == "getstring" and args:
        return _decoded(value.kind.removeprefix("encoding "), args[0], raw)
    if value.kind.startswith("encoding ") and bare == "getbytes" and args:
        if isinstance(args[0].const, str):
            encoded = args[0].const.encode(value.kind.removeprefix("encoding "), "replace")
            return constant(encoded)
        return blend(raw, *args)
    if isinstance(value.const, str) or (value.known and bare == "tostring"):
        changed = of_text(value, bare, [one.const for one in args])
        if changed is not None:
            return changed
    if bare in ("downloadstring", "downloaddata", "openread", "getstringasync", "getasync"):
        return command("Invoke-WebRequest", raw, *args[:1], *_kept(value))
    if bare in ("downloadfile", "downloadfileasync", "downloadfiletaskasync") and len(args) > 1:
        return command("Invoke-WebRequest", raw, args[0], "-OutFile", args[1], *_kept(value))
    if bare in ("copyto", "moveto") and args:
        cmdlet = "Copy-Item" if bare == "copyto" else "Move-Item"
        return command(cmdlet, raw, Val(value.pieces or (Unknown(raw),)), args[0])
    if bare == "replace" and not value.known and any(_is_path(one) for one in args[:1]):
        return refused("a file may replace another", raw, value, *args, deny=False)
    if bare == "delete":
        return command("Remove-Item", raw, Val(value.pieces or (Unknown(raw),)), "-Recurse")
    if bare in _RUNNING_METHODS or value.kind == "executioncontext":
        return refused(f".{name}() runs or sends what it is given", raw, value, *args)
    by_name = bare in ("foreach", "where") and (not args or args[0].kind != "block")
    if bare in _COMPUTING_METHODS and not by_name:
        return blend(raw, value, *args)
    return refused(f"the effect of .{name}() is not known", raw, value, *args, deny=False)


def _is_path(value: Val) -> bool:
    """Whether it names a file from the root on."""
    first = value.pieces[0] if value.pieces else None
    if isinstance(first, Var):
        return first.name in ("home", "userprofile", "appdata", "localappdata")
    return isinstance(first, Lit) and bool(re.match(r"[A-Za-z]:[\\/]\w|\\\\\w|~", first.text))


def _kept(value: Val) -> list[Val]:
    """What made the object still runs."""
    scripts = scripts_of((value,))
    return [Val((Unknown("-Kept", scripts),))] if scripts else []


def _decoded(encoding: str, value: Val, raw: str) -> Val:
    content = value.const
    if value.items is not None:
        numbers = [one.const for one in value.items[:MAX_ITEMS]]
        if all(isinstance(one, int) and 0 <= one < 256 for one in numbers):
            content = bytes(one for one in numbers if isinstance(one, int))
    if not isinstance(content, bytes):
        return blend(raw, value)
    return text(content.decode(encoding, "replace"))
