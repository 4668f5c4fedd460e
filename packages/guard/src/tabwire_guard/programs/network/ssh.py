"""ssh and what copies over it."""

import re

from tabwire_guard.call import Call
from tabwire_guard.options import Options
from tabwire_guard.paths import absolute
from tabwire_guard.pattern import pattern
from tabwire_guard.programs.registry import program, words
from tabwire_guard.values import REMOTE, Value

_SSH_TAKES = (
    "-o",
    "-p",
    "-i",
    "-F",
    "-l",
    "-L",
    "-R",
    "-D",
    "-J",
    "-b",
    "-c",
    "-E",
    "-e",
    "-I",
    "-m",
    "-O",
    "-Q",
    "-S",
    "-W",
    "-w",
    "-B",
    "-P",
)
_SCP_TAKES = ("-o", "-i", "-F", "-J", "-c", "-l", "-P", "-S", "-D", "-X")
_RUNS = pattern(
    r"(?:proxycommand|localcommand|knownhostscommand|permitlocalcommand|match|include"
    r"|pkcs11provider|xauthlocation|proxyusefdpass|securitykeyprovider)\b",
    re.I,
)
_WEAK = pattern(
    r"stricthostkeychecking\s*=?\s*(?:no|off|accept-new)|userknownhostsfile\s*=?\s*/dev/null"
    r"|globalknownhostsfile|checkhostip\s*=?\s*no|hostkeyalgorithms",
    re.I,
)


def _ssh_options(call: Call, said: Options) -> None:
    for one in said.values("-o"):
        if _RUNS.match(one.text.strip()):
            call.deny("run.option", f"the option {one.shown[:60]} runs a program here")
            value = re.sub(r"^\s*\w+[\s=]+", "", one.text)
            call.script_of(one._replace(text=value), "an option of ssh", shell="sh")
        elif _WEAK.search(one.text):
            call.deny("network.hostkey", "does not verify the host key")
    for one in said.values("-i"):
        if "\ufdd0" in one.text:
            call.ask("secret.read", "a key that is known only at run time")
    if said.has("-F", "-I"):
        call.ask("run.option", "takes settings from a file, which can run programs")
    if said.has("-R", "-D", "-w"):
        call.deny("network.tunnel", "opens this machine or its network to another")
    if said.has("-L", "-J", "-W"):
        call.ask("network.tunnel", "opens a tunnel through another machine")


@program("ssh autossh sshpass plink slogin")
def ssh(call: Call) -> None:
    """A shell on another machine."""
    if call.name == "sshpass":
        call.ask("secret.password", "a password on the command line")
        said = call.options(("-p", "-f", "-P"), first=True)
        if said.operands:
            call.runs(said.operands, "sshpass")
        return
    said = call.options(_SSH_TAKES, first=True)
    if said.has("-V", "-Q", "-G"):
        return
    _ssh_options(call, said)
    inner = said.operands[1:]
    more = inner
    call.taint(REMOTE)
    call.sends(call.args, where=said.operands[0].shown if said.operands else "another machine")
    if call.stdin.piped and "project" in call.stdin.taints:
        call.deny("network.project", "sends the project's files to another machine")
    if more:
        line = Value(
            " ".join(one.text for one in more), frozenset(t for one in more for t in one.taints)
        )
        kept = call.output
        call.script_of(line, "on the other machine", shell="login")
        call.output = kept
    call.ask("network.remote", "works on another machine")


def _remote(text: str) -> bool:
    return bool(
        re.match(r"(?:[\w.-]+@)?[\w.-]{2,}:(?!\\)|\w+://|rsync:", text)
    ) and not text.startswith(("./", "/"))


@program("scp sftp rsync rcp unison lsyncd pscp")
def copies(call: Call) -> None:
    """Copies to and from other machines; rsync also here."""
    takes = words(
        """-e --rsh --rsync-path --exclude --include --exclude-from --include-from --filter -f
        --files-from -T --temp-dir --log-file --password-file --bwlimit --max-size --backup-dir
        --partial-dir --timeout --port --chmod --chown"""
    )
    said = call.options(takes if call.name == "rsync" else _SCP_TAKES)
    if call.name == "rsync":
        for one in said.values("-e", "--rsh", "--rsync-path"):
            if not re.fullmatch(r"ssh(?: -p \d+| -i \S+| -[46Cq])*", one.text):
                call.deny("run.option", "rsync runs a program that an option names")
                call.script_of(one, "rsync -e", shell="sh")
        if said.has("--daemon", "--config"):
            call.deny("network.serve", "opens files to the network")
        for one in said.values("--log-file", "--backup-dir"):
            call.writes(one)
    else:
        _ssh_options(call, said)
        if said.has("-S", "-D"):
            call.deny("run.option", f"`{call.name} -S` runs a program")
    paths = list(said.operands)
    far = [one for one in paths if _remote(one.text)]
    deep = said.has("-r", "-a", "--recursive", "--archive")
    for one in paths[:-1]:
        if not _remote(one.text):
            call.reads(one, deep=deep)
    if far or call.name != "rsync":
        sent = [
            one._replace(taints=one.taints | (call.output.taints - {"project"}))
            for one in paths[:-1]
        ]
        call.sends(sent, where=far[-1].shown if far else "another machine")
        call.ask("network.copy", "copies to or from another machine")
    if call.name == "rsync" and said.has("-n", "--dry-run"):
        return
    if paths and not _remote(paths[-1].text):
        target = paths[-1]
        if any(name.startswith("--del") for name in said.names()):
            call.deletes(target._replace(text=f"{target.text.rstrip('/')}/\ufdd0"), deep=True)
        call.writes(target._replace(text=f"{target.text.rstrip('/')}/x"))
        if any(call.nothing(one) for one in paths[:-1]):
            call.writes(target, text="")
        for one in far:
            folder, name = target.text.rstrip("/"), one.text.rstrip("/").rsplit("/", 1)[-1]
            kept = {f"{folder}/{name.rpartition(':')[2]}", *({folder} - {".", ".."})}
            call.state.downloads |= {full for path in kept if (full := absolute(path, call.state))}
        if said.has("--remove-source-files"):
            call.ask("delete.workspace", "deletes what it has copied")


@program("ssh-keygen", "ssh-add", "ssh-copy-id", "ssh-keyscan")
def keys(call: Call) -> None:
    """Keys for ssh."""
    said = call.options(
        ("-f", "-t", "-b", "-C", "-N", "-P", "-R", "-F", "-I", "-s", "-n", "-V", "-D", "-p")
    )
    if call.name == "ssh-copy-id":
        call.deny("persist.key", "authorizes a key on another machine")
    elif call.name == "ssh-keyscan":
        call.ask("network.fetch", "asks another machine for its key")
    elif call.name == "ssh-keygen" and said.has("-y", "-R", "-p", "-D", "-s"):
        call.deny("secret.keys", "shows or changes keys")
    elif (call.name == "ssh-keygen" and said.has("-l", "-F")) or (
        call.name == "ssh-add" and said.has("-l", "-L")
    ):
        return
    else:
        for one in said.values("-f"):
            call.writes(one, append=True)
        call.ask("secret.keys", f"{call.name} creates or transfers keys")
