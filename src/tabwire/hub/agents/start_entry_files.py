"""Start entries with a debugging port: what each system's files must say. Pure.

Linux: a desktop file, with the port in every line that starts something, its actions included.
macOS: a small program that starts Antigravity with the port. Windows: a script that changes the
shortcuts, because only Windows itself can write those.

No name of a folder ever goes through a shell: what is started is started with its arguments as
they come. All that is put into a file is a number, or is quoted by the rules of that file.
"""

import re
import shlex
from dataclasses import dataclass

FLAG = "--remote-debugging-port"
LEAST, MOST = 1024, 65535
_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "fish"})


_WRAPPERS = frozenset({"env", "flatpak", "snap"})
_NAMED = re.compile(r"(?:^|[/._-])antigravity")


class CannotChange(ValueError):
    """A line that nobody can change without guessing what it does."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A desktop file with the port, how many of its lines start something, and what was left."""

    text: str
    lines: int
    left: tuple[str, ...] = ()


def checked_port(port: int) -> int:
    """A port a person may use. Raises ValueError."""
    if not LEAST <= port <= MOST:
        raise ValueError(f"{port} is not a port from {LEAST} to {MOST}")
    return port


# --- Linux -----------------------------------------------------------------------------------


def is_antigravity(name: str, text: str) -> bool:
    """Whether a desktop file starts Antigravity: by its file's name, or by the program itself,
    not by a folder that somebody opens with another one."""
    if _NAMED.search(name.lower()):
        return True
    for command in re.findall(r"(?m)^Exec[ \t]*=[ \t]*(.*)$", text):
        try:
            words = [word.lower() for _, word in _parts(command)]
        except CannotChange:
            continue
        wrapped = bool(words) and words[0].rsplit("/", 1)[-1] in _WRAPPERS
        if any(_NAMED.search(word) for word in words[: 6 if wrapped else 1]):
            return True
    return False


def with_port(text: str, port: int) -> Changed:
    """A desktop file in which every `Exec` has the port, once; every other line as it is."""
    checked_port(port)
    lines, count, left = [], 0, []
    for line in text.splitlines(keepends=True):
        body = line.rstrip("\r\n")
        found = re.match(r"(Exec[ \t]*=[ \t]*)(.*)$", body)
        if found is not None:
            try:
                body_now = found[1] + exec_with_port(found[2], port)
                count += 1
            except CannotChange as why:
                body_now = body
                left.append(f"{body}: {why}")
            line = body_now + line[len(body) :]
        elif re.match(r"DBusActivatable[ \t]*=[ \t]*true[ \t]*$", body):
            line = "DBusActivatable=false" + line[len(body) :]  # else Exec is not looked at
        lines.append(line)
    return Changed("".join(lines), count, tuple(left))


def exec_with_port(command: str, port: int) -> str:
    """One `Exec` value with the port before what is opened, and only there."""
    parts = _parts(command)
    words = [word for _, word in parts]
    if not words:
        raise CannotChange("it starts nothing")
    programs = [word.rsplit("/", 1)[-1] for word in words]
    if any(name in _SHELLS for name in programs[:3]) and "-c" in words:
        raise CannotChange("it runs through a shell")
    flag = f"{FLAG}={checked_port(port)}"
    kept: list[str] = []
    placed = skip = False
    for at, (raw, word) in enumerate(parts):
        if skip:
            skip = False
            continue
        if word == FLAG:
            skip = at + 1 < len(parts) and parts[at + 1][1].isdigit()
            continue
        if word.startswith(f"{FLAG}="):
            continue
        if not placed and kept and re.fullmatch(r"%[a-zA-Z]|--|@@u?", word):
            kept.append(flag)
            placed = True
        kept.append(raw)
    return " ".join(kept if placed else [*kept, flag])


def _parts(command: str) -> list[tuple[str, str]]:
    """The arguments of an `Exec` value, as written and as meant: double quotes hold blanks."""
    found: list[tuple[str, str]] = []
    rest = command.strip()
    while rest:
        if rest[0] == '"':
            quoted = re.match(r'"((?:[^"\\]|\\.)*)"', rest)
            if quoted is None:
                raise CannotChange("a quotation mark is not closed")
            raw, word = quoted[0], re.sub(r"\\+(.)", r"\1", quoted[1])
        else:
            plain = re.match(r"\S+", rest)
            assert plain is not None
            raw = word = plain[0]
        found.append((raw, word))
        rest = rest[len(raw) :].lstrip()
    return found


# --- macOS -----------------------------------------------------------------------------------


def mac_wrapper(program: str, port: int) -> str:
    """A program that starts Antigravity with the port and hands its own arguments on."""
    # `open -a … --args` has been seen to drop the arguments
    return (
        "#!/bin/sh\n"
        "# Made by `tabwire antigravity setup`; `--undo` removes it.\n"
        f'exec {shlex.quote(program)} {FLAG}={checked_port(port)} "$@"\n'
    )


# --- Windows ---------------------------------------------------------------------------------


def windows_script(port: int, backups: str) -> str:
    """A PowerShell script that shows, makes or takes back the change to every shortcut."""
    return _SCRIPT.replace("PORT", str(checked_port(port))).replace("BACKUPS", _quoted(backups))


def _quoted(text: str) -> str:
    """In PowerShell nothing means anything between single quotes but those."""
    return "'" + re.sub("['\u2018\u2019\u201a\u201b]", lambda one: one[0] * 2, text) + "'"


_SCRIPT = r"""# Made by `tabwire antigravity setup`. Alone it only shows what it would change.
#   powershell -ExecutionPolicy Bypass -File <this file>           show
#   powershell -ExecutionPolicy Bypass -File <this file> -Apply    change, with a copy of each
#   powershell -ExecutionPolicy Bypass -File <this file> -Undo     put the copies back
param([switch]$Apply, [switch]$Undo)
$ErrorActionPreference = 'Stop'
$port = PORT
$backups = BACKUPS
$list = Join-Path $backups 'shortcuts.json'

if ($Undo) {
  if (-not (Test-Path -LiteralPath $list)) { Write-Output 'Nothing was changed.'; exit 0 }
  foreach ($one in @(Get-Content -LiteralPath $list -Raw | ConvertFrom-Json)) {
    Copy-Item -LiteralPath $one.copy -Destination $one.path -Force
    Write-Output "put back: $($one.path)"
  }
  Remove-Item -LiteralPath $list
  exit 0
}

$folders = @([Environment]::GetFolderPath('Desktop'), [Environment]::GetFolderPath('Programs'),
  (Join-Path $env:APPDATA 'Microsoft\Internet Explorer\Quick Launch\User Pinned\TaskBar'))
$shell = New-Object -ComObject WScript.Shell
$changed = @()
if (Test-Path -LiteralPath $list) {
  $changed = @(Get-Content -LiteralPath $list -Raw | ConvertFrom-Json)
}
foreach ($folder in $folders) {
  if (-not $folder -or -not (Test-Path -LiteralPath $folder)) { continue }
  foreach ($file in Get-ChildItem -LiteralPath $folder -Filter '*.lnk' -Recurse) {
    $link = $shell.CreateShortcut($file.FullName)
    $program = [IO.Path]::GetFileName($link.TargetPath)
    if ($program -notmatch '^Antigravity( IDE)?\.exe$') { continue }
    $rest = ($link.Arguments -replace '--remote-debugging-port(=|\s+)\d+', '').Trim()
    $wanted = "--remote-debugging-port=$port $rest".Trim()
    if ($link.Arguments -eq $wanted) { Write-Output "has it: $($file.FullName)"; continue }
    Write-Output "$($file.FullName)"
    Write-Output "  before: $($link.Arguments)"
    Write-Output "  after:  $wanted"
    if (-not $Apply) { continue }
    New-Item -ItemType Directory -Force -Path $backups | Out-Null
    if (-not ($changed | Where-Object { $_.path -eq $file.FullName })) {
      $copy = Join-Path $backups ("{0}-{1}" -f $changed.Count, $file.Name)
      Copy-Item -LiteralPath $file.FullName -Destination $copy
      $changed += [pscustomobject]@{ path = $file.FullName; copy = $copy }
      ConvertTo-Json -InputObject @($changed) | Set-Content -LiteralPath $list -Encoding UTF8
    }
    $link.Arguments = $wanted
    $link.Save()
  }
}
if (-not $Apply) { Write-Output 'Nothing was changed; -Apply changes it.' }
"""
