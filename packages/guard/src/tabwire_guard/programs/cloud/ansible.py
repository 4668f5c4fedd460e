"""Ansible, which changes many machines at once, and keepers of secrets."""

import re

from tabwire_guard.call import Call
from tabwire_guard.options import Options, options
from tabwire_guard.programs.cloud.tools import SECRETS
from tabwire_guard.programs.registry import program, words
from tabwire_guard.programs.verbs import (
    PASS,
    Verbs,
    ask,
    each,
    elsewhere,
    flag,
    flagged,
    has,
    is_url,
    loads,
)

_ANSIBLE_LOADS = words(
    """-M --module-path --playbook-dir --vault-password-file --vault-pass-file --vault-id
    --connection-password-file --become-password-file"""
)
_SSH = words("--ssh-common-args --ssh-extra-args --scp-extra-args --sftp-extra-args")


def _inventory(call: Call, said: Options) -> None:
    """Lists of machines and keepers of passwords may be programs."""
    for one in said.values("-i", "--inventory"):
        if not re.search(r",|^localhost$", one.text):
            loads(call, one, "machines of")
    for one in said.values(*_ANSIBLE_LOADS):
        loads(call, one._replace(text=one.text.rpartition("@")[2]), "what it loads:")
    if flag(call.args, _SSH):
        call.ask("option.code", "passes options to ssh, which may run a program")


@program("ansible", "ansible-playbook", "ansible-pull", "ansible-console")
def ansible(call: Call) -> None:
    """Changes many machines at once."""
    takes = _ANSIBLE_LOADS | words(
        "-i --inventory -m --module-name -a --args -e --extra-vars -l --limit -u -t --tags"
    )
    said = options(call.args, takes)
    _inventory(call, said)
    for one in said.operands if call.name == "ansible-playbook" else ():
        loads(call, one, "what it runs:")
    if has(
        call.args, words("--syntax-check --list-hosts --list-tasks --list-tags --version --help")
    ):
        return
    for one in said.values("-a", "--args"):
        if call.name == "ansible" and any(
            m.text in ("shell", "command", "raw") for m in said.values("-m", "--module-name")
        ):
            call.script_of(one, "run by ansible on other machines")
    if call.name == "ansible-pull" and any(is_url(text) for text in call.texts):
        call.deny("run.remote", "ansible-pull runs what a repository says")
    if not (call.name == "ansible-playbook" and has(call.args, ("--check", "-C"))):
        call.ask("cloud.change", f"{call.said} changes machines")


_ANSIBLE = Verbs(
    [
        (PASS, "list search info dump --list --graph --host"),
        (ask("package.install", "installs third-party code"), "collection role install import"),
        (SECRETS, "view decrypt"),
        (
            ask("secret.project", "changes encrypted files"),
            "encrypt edit create rekey encrypt_string",
        ),
        (PASS, "{collection,role}/{list,init,search,info,verify,build}"),
        (ask("package.publish", "publishes"), "collection/publish delete setup"),
    ],
    flags="--list --graph -l -t --yaml -i",
)


@program("ansible-galaxy ansible-vault ansible-inventory ansible-config ansible-doc")
def ansible_tools(call: Call) -> None:
    """Around Ansible."""
    if call.name in ("ansible-inventory", "ansible-config", "ansible-doc"):
        flagged(
            call,
            call.args,
            each({"--playbook-dir -M --module-path": ask("option.code", "loads code")}),
        )
        out = words("--output -c --config")
        said = options(call.args, _ANSIBLE_LOADS | out | words("-i --inventory --host -t --type"))
        _inventory(call, said)
        for one in said.values("--output"):
            call.writes(one)
        for one in said.values("-c", "--config"):
            loads(call, one, "settings of")
        return
    _ANSIBLE(call)


@program("sops age pass gopass bw lpass keybase secret-tool kwallet-query")
def secrets(call: Call) -> None:
    """Keepers of secrets."""
    first = call.texts[0] if call.args else "help"
    if first in ("--version", "--help", "help", "version", "status") or (
        first == "-e" and call.name == "sops"
    ):
        for one in options(call.args, ("--output",)).values("--output"):
            call.writes(one)
        elsewhere(call, call.args, ("--output",))
        return
    if call.name == "age" and not has(call.args, ("-d", "--decrypt")):
        call.ask("secret.project", "age encrypts files")
    else:
        SECRETS.of(call, f"{call.said} {first}:")
