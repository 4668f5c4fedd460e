"""Which paths a card speaks of. Only whole sentences that are known are read; else: nothing.

A path without quotes ends nobody knows where, if it has blanks in it. So a sentence counts only
where one word in it can be the path, where that word stands at an end that is known, and where
nothing else in it looks like one. What does not fit is for a person to read.
"""

import re

_QUOTES = "\"'`“”\u2018\u2019「」『』"
_LEAD = re.compile(
    r"(?P<lead>(?:[A-Za-z,'-]+ )*(?:to|in|into|of|from|file|folder|directory|path):? )"
    r"(?P<path>\S+?)\s?[?.]?"
)
_ABOUT_FILES = re.compile(
    r"\b(?:access|read|write|edit|create|modify|view|list|files?|folders?|director(?:y|ies))\b",
    re.IGNORECASE,
)
_KNOWN = frozenset(
    """
    a access agent allow allowed also an and antigravity approval approve ask asking asks at be by
    can confirm content contents could create creates creating directories directory do does edit
    editing edits existing file files folder folders following for from gemini grant has i in inside
    into is it its like likes list listing lists may me model modify modifies modifying need needs
    new of ok on one only open opening opens or our outside own path paths permission please project
    read reading reads request requesting requests require required requires see the these this to
    under use using view viewing views want wants we will within workspace would write writes
    writing yes you your
    """.split()
)
"""Words of a question about reading and writing files. One more, and it is about something else."""
_ABOUT_MORE_JA = re.compile(
    r"削除|消去|上書|実行|送信|移動|初期化|空に|破棄|置換|アップロード|公開"
)
_JA = re.compile(r"(?P<path>[!-~]+)\s*(?:への|に対する|を|の)[^!-~]+[?\uff1f。.]?")
_QUOTED = re.compile(f"[{_QUOTES}]([^{_QUOTES}]+)[{_QUOTES}]")
_COUNT = re.compile(r"[+\-\u2212]\d+(?=\s|$)")
_VERBS = re.compile(
    r"(?:edit|edits|edited|editing|create|created|creating|write|wrote|modify|modified|update|"
    r"updated|change|changed|編集|作成|変更|更新)[:\uff1a]?",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"(?P<count>\d+) files? (?:with changes|changed)"
    r"|(?P<ja>\d+) ?(?:個の)?ファイル(?:に変更|の変更|を変更)\S*",
    re.IGNORECASE,
)
_HOST = re.compile(r"\w+://|^(?:localhost|[\w-]+(?:\.[\w-]+)*):\d+$")
_DOMAIN = re.compile(r"[^./\\~][^/\\]*\.[A-Za-z]{2,}(?:[/\\].*)")
_NAMED = re.compile(r"[^\s/\\]*\.[A-Za-z0-9]{1,10}")
_WINDOWS = re.compile(r"[A-Za-z]:[\\/]")
_ODD = re.compile(r"[\s*?$`|<>;&{}\[\]\"']")


def looks_like_path(word: str) -> bool:
    """Whether a word could be one at all."""
    if _HOST.search(word):
        return False
    return "/" in word or "\\" in word or word.startswith("~") or bool(_NAMED.fullmatch(word))


def asked_for(text: str) -> tuple[str, ...] | None:
    """The path a permission is about, or None: it is about something else, or cannot be read."""
    plain = " ".join(text.split())
    if "…" in plain or "..." in plain:
        return None
    quoted = _QUOTED.findall(plain)
    if quoted:
        rest = _QUOTED.sub(" ", plain).split()
        clean = not any(looks_like_path(one.strip("?.,")) or _HOST.search(one) for one in rest)
        known = clean and _is_about_files(" ".join(rest))
        return tuple(quoted) if known and all(map(is_path, quoted)) else None
    if (found := _LEAD.fullmatch(plain)) is not None:
        bare = not re.search(r"[/\\~]", found["path"])  # a file's name, or a host's
        if not _is_about_files(found["lead"]) or (bare and "file" not in found["lead"].lower()):
            return None
    elif (found := _JA.fullmatch(plain)) is None or "アクセス" not in plain:
        return None
    if _ABOUT_MORE_JA.search(plain):
        return None
    path = found["path"].rstrip("?,;")
    return (path,) if is_path(path) else None


def _is_about_files(words: str) -> bool:
    said = re.findall(r"[^\W\d_]+", words.lower())
    return bool(_ABOUT_FILES.search(words)) and _KNOWN.issuperset(said)


def edited(text: str) -> tuple[str, ...] | None:
    """The files a card of changes names, all of them, or None."""
    plain = " ".join(text.split())
    if "…" in plain:
        return None
    counted = _CHANGED.search(plain)
    words = _COUNT.sub(" ", _CHANGED.sub(" ", plain, count=1)).split()
    while words and _VERBS.fullmatch(words[0]):
        words = words[1:]
    paths = [one.strip(_QUOTES + ",") for one in words]
    if not paths or not all(map(is_path, paths)):
        return None
    if counted and int(counted["count"] or counted["ja"]) != len(paths):
        return None
    return tuple(paths)


def is_path(text: str) -> bool:
    """Whether it is a path and nothing that a shell, a person or we could read otherwise: no
    blanks, no signs of a shell, no name of a host before the first slash."""
    plain = text.isprintable() and text.isascii() and not _ODD.search(text)
    return plain and looks_like_path(text) and not _DOMAIN.fullmatch(text)


def whole(path: str, home: str, folder: str) -> str:
    """A path as it lies on the disk: `~` made the home, a relative one put into the folder."""
    if path == "~" or path.startswith(("~/", "~\\")):
        return home + path[1:]
    return path if is_whole(path) else f"{folder}/{path}"


def is_whole(path: str) -> bool:
    """Whether it says where it begins."""
    return path.startswith(("/", "\\", "~")) or bool(_WINDOWS.match(path))


def is_in(path: str, folder: str) -> bool:
    """Whether a path lies in a folder, or is it; compared as text."""
    one, other = (_plain(each) for each in (path, folder))
    steps = one.split("/")
    return ".." not in steps and (one == other or one.startswith(f"{other}/")) and other != ""


def _plain(path: str) -> str:
    return re.sub(r"/+", "/", path.replace("\\", "/")).rstrip("/").lower()
