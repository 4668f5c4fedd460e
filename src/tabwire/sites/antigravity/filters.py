"""A text without structure: which of its lines are output, which are log.

Words cannot decide it: "Read the docs before you start." is an answer, "Read README.md" a tool
row. So these rules are for texts of which nothing else is known. A row is short, has no full stop
and names what was done to what; a sentence is output. Code in fences is always output.
"""

import re
from dataclasses import dataclass
from enum import StrEnum


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
    "resolved downloaded connected edited searched viewed listed opened explored renamed moved"
).replace(" ", "|")
_DOING_ROW = re.compile(rf"(?:{_DOING})\b(?P<rest>.*)", re.I)
_DONE_ROW = re.compile(rf"(?:{_DONE})\b\s+(?P<what>\S+)(?P<rest>.*)", re.I)
_LINKING = re.compile(
    r"\b(?:is|are|was|were|takes?|will|would|can|should|if|because|about it)\b", re.I
)
_NAME = re.compile(
    r"[^\s]*[./_#\\:][^\s]*|[a-z]+[A-Z]\w*|[A-Z]\w*[A-Z]\w*|\S*\d\S*|commands?|tests?"
)
_COUNTS = re.compile(r"[+-]\d+(?:\s+[+-]\d+)?|\d+ chars|line \d+|col \d+", re.I)
_TOOL = re.compile(r"(?P<server>[\w.-]+) / (?P<tool>[\w.-]+)")
_PLAIN_LOG = re.compile(
    r"thought for\b.{0,60}|initiating\s+[^.。!?]{1,200}|exit code:? -?\d+"
    r"|error during tool execution|full output written to\b.*|output\.\w+#L\d+(?:-\d+)?"
    r"|(?:tool (?:call|result|response)|calling tool)\b:?.*|title:.*\burl:.*\bsnippet:.*"
    r"|ran \d+ commands?|worked for \d+.*|終了コード[:\uff1a]? ?-?\d+"
    r"|[{}\[\]],?",
    re.I | re.S,
)
_PLAIN_JA = re.compile(
    r"[^。]{0,60}(?:分析|解析|読み込み|書き込み|実行|検索|生成|確認|作成|更新|編集|削除|処理|思考|計画"
    r"|準備|接続|取得|インストール|ビルド|テスト|コンパイル|ダウンロード)中(?:です)?(?:\.{2,}|…)?"
    r"|考え中(?:\.{2,}|…)?|\d+\s*秒間?(?:思考|考え)(?:ました|しました)?"
)
_STATUS = re.compile(
    r"(?:waiting|working|generating|running|loading|thinking)\.{2,3}|待機中(?:\.{2,}|…)?", re.I
)
_CHROME = re.compile(
    r"show details|planning mode|fast mode|review changes|\d+ files? with changes"
    r"|\d+ files? changed|copy|collapse all|expand all|progress updates|詳細を表示|変更を確認",
    re.I,
)
_QUOTA = re.compile(
    r"(?:error:? )?you have exhausted (?:your )?quota.{0,80}|model quota reached.{0,80}"
    r"|quota exceeded.{0,40}|[^。]{0,20}クォータに達しました.{0,40}",
    re.I,
)
_ERROR = re.compile(
    r"agent terminated.*|.*experiencing high traffic.*|.*terminated due to error.*"
    r"|エージェントが終了しました.*",
    re.I,
)
_APPROVAL = re.compile(
    r"run command\?|execute command\?|\d+ steps? requires? input|requires input|allow .*\?"
    r"|agent needs permission\b.*|コマンドを実行しますか[?\uff1f]?",
    re.I,
)
_LABELS = frozenset(
    "json yaml yml toml xml html css scss javascript js typescript ts tsx jsx python py bash sh "
    "powershell sql rust java kotlin cpp csharp php ruby dockerfile".split()
)
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")


def classify(text: str) -> Line:
    """What a line is, with nothing known about where it stood."""
    line = " ".join(text.split())
    for kind, rule in _WHOLE:
        if rule.fullmatch(line):
            return kind
    if line.lower() in _LABELS:
        return Line.LABEL
    if line.lower() in ("good bad", "いいね よくない"):
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
    return "_" in tool or "mcp" in server or ("-" in server and "-" in tool)


def _is_row(line: str) -> bool:
    """Short, no sentence, and about something."""
    if _COUNTS.fullmatch(line) or is_tool(line) or _PLAIN_JA.fullmatch(line):
        return True
    if len(line) > 220 or re.search(r"[^.][.!?。]$", line):
        return False
    if doing := _DOING_ROW.fullmatch(line):
        rest = doing["rest"].strip()
        return len(rest.split()) <= 8 and not _LINKING.search(rest) and not re.search(r"[,;]", rest)
    if line.lower() in _DONE.split("|"):
        return True
    if done := _DONE_ROW.fullmatch(line):
        return bool(_NAME.fullmatch(done["what"])) and len(done["rest"].split()) <= 6
    return False


def _kinds(lines: list[str]) -> list[Line]:
    kinds: list[Line] = []
    fence = ""
    for line in lines:
        mark = _FENCE.match(line)
        if fence or mark:
            kinds.append(Line.OUTPUT)
            if mark and not fence:
                fence = mark[1]
            elif mark and mark[1].startswith(fence):
                fence = ""
            continue
        kinds.append(classify(line) if line.strip() else Line.OUTPUT)
    for at in range(len(lines) - 1):  # the two of the bar below an answer
        if (lines[at].strip().lower(), lines[at + 1].strip().lower()) == ("good", "bad"):
            kinds[at] = kinds[at + 1] = Line.FEEDBACK
    for at, line in enumerate(lines):  # `"key": value` is output, unless in a bare object
        inside = (
            at and kinds[at - 1] is Line.LOG and lines[at - 1].strip().endswith(("{", ",", "["))
        )
        if inside and re.match(r'\s*"[^"]+":', line):
            kinds[at] = Line.LOG
    return kinds


def _last_paragraph(lines: list[str], kinds: list[Line], after: int) -> int:
    """Where the last paragraph of output behind the last tool begins."""
    said = [
        at for at in range(after + 1, len(lines)) if kinds[at] is Line.OUTPUT and lines[at].strip()
    ]
    if not said:
        return 0
    first = said[-1]
    while first - 1 in said:
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
