"""A text without structure: which of its lines are output, which are log.

Words cannot decide it: "Read the docs before you start." is an answer, "Read README.md" a tool
row. So these rules are for texts of which nothing else is known. A row is short, has no full stop
and names what was done to what; a sentence is output. Code in fences is always output.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise


class Line(StrEnum):
    """What one line is."""

    OUTPUT = "output"
    LOG = "log"
    STATUS = "status"
    FEEDBACK = "feedback"
    CHROME = "chrome"
    LABEL = "label"  # of a code block
    APPROVAL = "approval"
    QUOTA = "quota"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Split:
    """The output, and the lines that are none, in their order."""

    output: str
    logs: str


_DOING = (
    "analyzing analysing reading writing running searching planning thinking processing loading "
    "executing testing debugging fetching connecting creating updating deleting installing "
    "building compiling deploying checking scanning parsing resolving downloading uploading "
    "editing viewing listing opening exploring"
).replace(" ", "|")
_DONE = (
    "analyzed analysed read wrote ran created updated deleted fetched built compiled installed "
    "resolved downloaded connected edited searched viewed listed opened explored renamed moved "
    "copied checked executed browsed navigated"
).replace(" ", "|")
_ALONE = frozenset("analyzed analysed ran searched viewed listed explored browsed checked".split())
"""What tools do and summaries seldom say: they need no name behind them."""

_DOING_ROW = re.compile(rf"(?:{_DOING})\b(?P<rest>.*)", re.I)
_DONE_ROW = re.compile(rf"(?P<verb>{_DONE})\b\s+(?:(?:for|to)\s+)?(?P<what>\S+)(?P<rest>.*)", re.I)
_LINKING = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|will|would|can|cannot|could|should|must|may|might"
    r"|did|does|do|not|if|because|since|so|but|that|which|when|while|before|after|about it"
    r"|takes?|makes?|gives?|helps?|shows?|means?|needs?|requires?|lets?|works?|fails?|allows?)\b"
    r"|\bto (?!\S*[./_\\])|,(?! \d)|;",
    re.I,
)
_FUNCTION = re.compile(
    r"(?:the|an?|by|in|on|at|with|from|into|as|and|or|of|my|your|our|their|its|this|that|these"
    r"|those|it|them|all|any|some|more|most|only|up|out|over|\w+ly)",
    re.I,
)
_NAME = re.compile(
    r"[^\s]*[./_#\\:][^\s]*|[a-z]+[A-Z]\w*|[A-Z]\w*[A-Z]\w*|\S*\d\S*"
    r"|commands?|tests?|files?|folders?|url"
)
_COUNTS = re.compile(r"\+\d+(?:\s+[-\u2212]\d+)?|\d+ chars|line \d+|col \d+", re.I)
_TOOL = re.compile(r"(?P<server>[\w.-]+) / (?P<tool>[\w.-]+)")
_PLAIN_LOG = re.compile(
    r"thought for\b(?:[^.。!?]|\.\d){0,60}|(?:process |command )?exit(?:ed with)? code:? -?\d+"
    r"|error during tool execution(?::.*)?|full output written to\b.*|output\.\w+#L\d+(?:-\d+)?"
    r"|(?:tool (?:call|result|response)|calling tool)(?::.*|\s+\S+)?|title:.*\burl:.*\bsnippet:.*"
    r"|ran \d+ commands?|worked for(?:\s*\d+\s*(?:s|m|h|sec|min|hour)[a-z]*)+"
    r"|終了コード[:\uff1a]? ?-?\d+|コマンドを(?:実行|拒否|キャンセル)しました|[{}\[\]],?",
    re.I | re.S,
)
_INITIATING = re.compile(r"initiating\s+(?P<rest>[^.。!?]{1,200})", re.I)
_PLAIN_JA = re.compile(
    r"[^。はが]{0,60}(?:分析|解析|読み込み|書き込み|実行|検索|生成|確認|作成|更新|編集|削除|処理|思考"
    r"|計画|準備|接続|取得|インストール|ビルド|テスト|コンパイル|ダウンロード)(?:中(?:です)?|しています)"
    r"(?:\.{2,}|…)?|考え中(?:\.{2,}|…)?|\d+\s*秒間?(?:思考|考え)(?:ました|しました)?"
    r"|\S*[./_#]\S*\s*を(?:分析|解析|検索|確認|作成|更新|編集|削除|読み込み|書き込み)(?:し)?ました"
)
_STATUS = re.compile(
    r"(?:waiting|working|generating|running|loading|thinking)(?:\.+|…)|待機中(?:\.{2,}|…)?", re.I
)
_CHROME = re.compile(
    r"show details|planning mode|fast mode|review changes|\d+ files? with changes"
    r"|\d+ files? changed|copy|collapse all|expand all|progress updates|詳細を表示|変更を確認"
    r"|show (?:more|less|\d+ more)|(?:accept|reject) all|ask every time|always run|allow once"
    r"|allow this conversation|dismiss|copy debug info|add context|ask anything, @ to mention.*"
    r"|(?:run|accept|reject)\s*[⌥⌘⌃⇧⏎↵↩]+",
    re.I,
)
_BUTTONS = r"[.!。]?(?:\s+(?:dismiss|upgrade|retry|copy debug info|閉じる|アップグレード))*"
"""What the panel says by itself ends there, or with its buttons. A sentence goes on."""

_WHEN = r"(?:[.:]?\s+(?:it |your quota )?(?:resets?|refreshes|try again|please)\b.{0,80})?"
_QUOTA = re.compile(
    rf"(?:(?:error:? )?you(?: have|'ve|\u2019ve) exhausted (?:your )?quota|model quota reached"
    rf"|quota exceeded|model quota limit exceeded|individual quota reached"
    rf"|you(?: have|'ve|\u2019ve) reached the quota limit)(?: (?:on|for) (?:this|the) model)?"
    rf"(?:\. (?:you can resume|contact your|please upgrade)\b[^.]{{0,120}})?{_WHEN}{_BUTTONS}"
    rf"|\S{{0,20}}クォータに達しました{_BUTTONS}",
    re.I,
)
_ERROR = re.compile(
    rf"(?:the )?agent (?:execution )?terminated(?: due to (?:an )?error)?"
    rf"(?:[.:]?\s+(?:you can|please|try)\b.*)?{_BUTTONS}"
    r"|our servers are experiencing high traffic.*"
    rf"|(?:something went wrong|an (?:unexpected )?error occurred){_WHEN}{_BUTTONS}"
    rf"|エージェントが終了しました{_BUTTONS}|(?:ツールの?実行中に)?エラーが発生しました{_BUTTONS}",
    re.I,
)
_APPROVAL = re.compile(
    r"(?:run|execute) command\??|\d+ steps? requires? input|requires input"
    r"|agent needs permission .*|open https?://\S+.*\?"
    r"|allow (?:the |this |agent )?(?:director|folder|file|read|writ|network|internet|browser"
    r"|terminal|command|tool|mcp|url|access|execut|javascript).*\?"
    r"|コマンドを?実行(?:しますか)?[?\uff1f]?|.{1,80}を許可しますか[?\uff1f]?",
    re.I,
)
_LABELS = frozenset(
    "json jsonc yaml yml toml ini xml html css scss javascript js typescript ts tsx jsx python py "
    "bash sh zsh shell powershell sql rust java kotlin cpp csharp php ruby dockerfile markdown "
    "diff graphql plaintext".split()
)
_FEEDBACK = frozenset({("good", "bad"), ("いいね", "よくない")})
_THUMBS = frozenset(one for pair in _FEEDBACK for one in pair)
_FENCE = re.compile(r"\s*(`{3,}|~{3,})(.*)")
_JSON_LINE = re.compile(
    r'(?:"(?:[^"\\]|\\.)*"\s*:\s*)?'
    r'(?:"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[\[{].*[\]}]|[\[{]|[\]}])?,?'
)
_FOUND = re.compile(r"(title|url|snippet):.*", re.I)


def classify(text: str) -> Line:
    """What a line is, with nothing known about where it stood."""
    line = " ".join(text.split())
    for kind, rule in _WHOLE:
        if rule.fullmatch(line):
            return kind
    if line.lower() in _LABELS:
        return Line.LABEL
    if tuple(line.lower().split(" ")) in _FEEDBACK:
        return Line.FEEDBACK
    return Line.LOG if _is_row(line) else Line.OUTPUT


def split_output_and_logs(text: str) -> Split:
    """A transcript taken apart. Where tools are named in it, only its last paragraph is output."""
    lines = text.replace("\r\n", "\n").split("\n")
    kinds = _kinds(lines)
    tools = [at for at, line in enumerate(lines) if kinds[at] is Line.LOG and is_tool(line.strip())]
    if tools:
        first = _last_paragraph(lines, kinds, tools[-1])
        kinds = [
            Line.LOG if at < first and kind is Line.OUTPUT and lines[at].strip() else kind
            for at, kind in enumerate(kinds)
        ]
    output = [line for line, kind in zip(lines, kinds, strict=True) if kind is Line.OUTPUT]
    logs = [line for line, kind in zip(lines, kinds, strict=True) if kind is not Line.OUTPUT]
    return Split(_tidy(output), "\n".join(line.strip() for line in logs if line.strip()))


def is_tool(line: str) -> bool:
    """`jina-mcp-server / search_web`: a server and its tool, not `client / server`."""
    found = _TOOL.fullmatch(line)
    if found is None:
        return False
    server, tool = found["server"].lower(), found["tool"]
    if "_" in tool or "mcp" in server or tool.count("-") > 1:
        return True
    return ("-" in server and "-" in tool) or bool(re.match(r"[a-z]{3,}[A-Z][a-z]", tool))


def _is_row(line: str) -> bool:
    """Short, no sentence, and about something."""
    if _COUNTS.fullmatch(line) or is_tool(line) or _PLAIN_JA.fullmatch(line):
        return True
    if len(line) > 220 or re.search(r"[^.][.!?。]$|:$", line):
        return False
    if begins := _INITIATING.fullmatch(line):
        return not _LINKING.search(begins["rest"])
    if doing := _DOING_ROW.fullmatch(line):
        rest = doing["rest"].strip()
        return len(rest.split()) <= 8 and not _LINKING.search(rest)
    if line.lower() in _DONE.split("|"):
        return True
    if done := _DONE_ROW.fullmatch(line):
        rest = done["rest"]
        if len(rest.split()) > 6 or _LINKING.search(rest) or _FUNCTION.fullmatch(done["what"]):
            return False
        return done["verb"].lower() in _ALONE or bool(_NAME.fullmatch(done["what"]))
    return False


def _kinds(lines: list[str]) -> list[Line]:
    fenced = _fenced(lines)
    kinds = [
        Line.OUTPUT if inside or not line.strip() else classify(line)
        for line, inside in zip(lines, fenced, strict=True)
    ]
    bare = [at for at, line in enumerate(lines) if line.strip() and not fenced[at]]
    said = [lines[at].strip() for at in bare]
    for one, other in pairwise(range(len(bare))):
        if (said[one].lower(), said[other].lower()) in _FEEDBACK:  # the bar below an answer
            kinds[bare[one]] = kinds[bare[other]] = Line.FEEDBACK
        if re.fullmatch(r"full output written to:?", said[one], re.I) and _is_file(said[other]):
            kinds[bare[other]] = Line.LOG
    # alone at the end of more, it is half of that bar; all there is, it may be the answer
    if len(bare) > 1 and said[-1].lower() in _THUMBS and kinds[bare[-1]] is Line.OUTPUT:
        kinds[bare[-1]] = Line.FEEDBACK
    for part in (*_objects(said), *_results(said)):
        for at in part:
            kinds[bare[at]] = Line.LOG
    return kinds


def _is_file(line: str) -> bool:
    return re.fullmatch(r"\S+\.\w{1,5}", line) is not None


def _fenced(lines: list[str]) -> list[bool]:
    inside, fence = [], ""
    for line in lines:
        mark = _FENCE.match(line)
        inside.append(bool(fence or mark))
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and not mark[2].strip():
            fence = ""
    return inside


def _objects(said: list[str]) -> Iterator[range]:
    """What a tool was given: an object that begins and ends in lines of their own."""
    at = 0
    while at < len(said):
        end = _closes(said, at) if said[at] in ("{", "[") else None
        if end is not None:
            yield range(at, end)
        at = end or at + 1


def _closes(said: list[str], at: int) -> int | None:
    depth = 0
    for end in range(at, len(said)):
        line = said[end]
        if not _JSON_LINE.fullmatch(line):
            return None
        bare = re.sub(r'"(?:[^"\\]|\\.)*"', "", line)
        depth += sum(map(bare.count, "{[")) - sum(map(bare.count, "}]"))
        if depth <= 0:
            return end + 1
    return len(said)  # it still comes


def _results(said: list[str]) -> Iterator[range]:
    """What a search found: a title, an address and a snippet, each in a line of its own."""
    names = [found[1].lower() if (found := _FOUND.fullmatch(one)) else "" for one in said]
    for at in range(len(said) - 2):
        if names[at : at + 3] == ["title", "url", "snippet"]:
            yield range(at, at + 3)


def _last_paragraph(lines: list[str], kinds: list[Line], after: int) -> int:
    """Where the last paragraph of output behind the last tool begins."""
    fenced = _fenced(lines)  # what stands in a fence is one paragraph
    said = [
        at
        for at in range(after + 1, len(lines))
        if kinds[at] is Line.OUTPUT and (lines[at].strip() or fenced[at])
    ]
    if not said:
        return 0
    first = said[-1]
    there = set(said)
    while first - 1 in there:
        first -= 1
    return first


def _tidy(lines: list[str]) -> str:
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")


_WHOLE = (
    (Line.QUOTA, _QUOTA),
    (Line.ERROR, _ERROR),
    (Line.APPROVAL, _APPROVAL),
    (Line.CHROME, _CHROME),
    (Line.STATUS, _STATUS),
    (Line.LOG, _PLAIN_LOG),
)
