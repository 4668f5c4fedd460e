"""Clouds and services: looking is fine, secrets stay where they are, nothing is destroyed.

The big clouds name what they do: `describe-instances`, `instances delete`. The verb decides.
"""

import re

from tabwire_guard.call import Call
from tabwire_guard.options import options
from tabwire_guard.pattern import pattern
from tabwire_guard.programs.registry import program, words
from tabwire_guard.programs.verbs import (
    LOCAL,
    ask,
    deny,
    elsewhere,
    flag,
    has,
    host,
    is_url,
    own,
)
from tabwire_guard.values import PRIVATE, REMOTE, Value
from tabwire_guard.values import SECRET as SECRET_TAINT
from tabwire_guard.verdict import Verdict

SECRET = deny("secret.read", "prints secrets or tokens")
DESTROY = deny("cloud.destroy", "destroys what is in the cloud")
CHANGE = ask("cloud.change", "changes what is in the cloud")

_READS = words(
    """list ls describe get scan show view status version head search query lookup filter wait
        help count check validate explain diff test preview estimate detect ping info tail
        logs read simulate locations who whoami dig history ps config-list list-instances top
        url open-url lint plan ssh-config"""
)
_DESTROYS = words(
    """delete destroy terminate purge drop remove rm rb deregister empty wipe erase revoke cancel
    disable batch-delete force detach decommission undelete-never shutdown reset nuke dealloc
    deallocate schedule-key-deletion uninstall unprovision teardown"""
)
_SECRETS = pattern(
    r"secret|password|credential|access-?token|auth-?token|session-?token|private-?key"
    r"|print-.*token"
    r"|connection-?string|api-?keys?$|list-?keys|show-?keys|ssh-?key|keys?-?list|sas(?:-|$)"
    r"|login-?profile|decrypt|get-access|account-key|service-account-key|application_default",
    re.I,
)


_ABOUT_SECRETS = r"(?:list|ls|describe|create|put|set|update|add)(?:-[\w-]+)?"


def _verb(word: str) -> Verdict:
    """What a verb of a cloud does, by its name: `describe-instances`, `batch-get-item`."""
    first, _, rest = word.lower().partition("-")
    if first in ("batch", "admin", "bulk") and rest:
        return _verb(rest)
    if first in _READS:
        return Verdict.ALLOW
    return Verdict.DENY if first in _DESTROYS else Verdict.ASK


def _judge(call: Call, path: list[str]) -> None:
    """The first word that is a verb decides; the words before it name the service."""
    call.taint(PRIVATE, REMOTE)
    if not path:
        return
    said = " ".join([call.said, *path[:4]])
    secret = next((word for word in path if _SECRETS.search(word)), "")
    found = [(word, _verb(word)) for word in path]
    decides = next((kind for _, kind in found[1:] or found if kind is not Verdict.ASK), Verdict.ASK)
    # A thing may be called `logs`, and a name `delete-me`: the bare verb always counts.
    destroys = decides is Verdict.DENY or any(word in _DESTROYS for word in path[1:])
    reads = decides is Verdict.ALLOW
    if destroys:
        DESTROY.of(call, f"{said}:")
    elif secret and (
        re.search(r"key|token|connection|credential|sas", secret)
        or not any(re.fullmatch(_ABOUT_SECRETS, word) for word in path)
    ):
        SECRET.of(call, f"{said}:")
    elif not reads:
        CHANGE.of(call, f"{said}:")


# Amazon

_AWS_TAKES = words(
    "--profile --region --output --query --endpoint-url --ca-bundle --cli-read-timeout --color"
)
_AWS_SECRETS = pattern(
    r"get-secret-value|batch-get-secret-value|get-password-data|get-session-token|assume-role.*"
    r"|get-federation-token|get-login-password|get-authorization-token|create-access-key|decrypt"
    r"|get-random-password|export-credentials|get-login|get-role-credentials|generate-data-key.*"
    r"|get-credentials.*|create-login-profile|get-id-token|get-open-id-token.*|create-api-key"
    r"|get-access-key-info|generate-db-auth-token|get-api-keys?|get-token|retrieve-.*|get-lambda-env|get-export"
)


@program("aws")
def aws(call: Call) -> None:
    """Amazon's cloud."""
    said = options(call.args, _AWS_TAKES)
    path = [one.text for one in said.operands[:3]]
    _local_files(call)
    call.taint(PRIVATE, REMOTE)
    for one in said.values("--endpoint-url"):
        if host(one.text) not in LOCAL:
            call.ask("cloud.elsewhere", f"aws talks to {one.shown}")
    if flag(call.args, ("--no-verify-ssl",)):
        call.ask("option.unsafe", "does not verify the server")
    if not path or "help" in path:
        return
    if not MARKLESS.fullmatch(path[0]):
        call.ask("unknown.verb", "it is unknown which service it talks to")
    service, verb = path[0], path[1] if path[1:] else ""
    named = f"aws {service} {verb}:"
    if _AWS_SECRETS.fullmatch(verb):
        SECRET.of(call, named)
    elif service == "s3":
        _s3(call, verb, said.operands[2:])
    elif service == "configure":
        _aws_configure(call, verb, path)
    elif service == "ssm" and (
        flag(call.args, ("--with-decryption",)) or verb in ("start-session", "send-command")
    ):
        (SECRET if verb.startswith("get") else deny("cloud.exec", "runs a command there")).of(
            call, named
        )
    elif verb.startswith(("get-function-configuration", "get-function")) and service == "lambda":
        call.ask("secret.cloud", f"{named} may print the function's secrets")
    elif service == "iam" and re.match(r"attach-|put-.*policy|add-.*to|update-assume", verb):
        deny("cloud.rights", "grants permissions").of(call, named)
    elif service == "ec2" and has(call.args, ("--dry-run",)):
        if has(call.args, ("--no-dry-run",)):
            CHANGE.of(call, named)
    elif _verb(verb) is Verdict.DENY or re.match(r"(?:put-bucket-(?:acl|policy)|put-public)", verb):
        DESTROY.of(call, named)
    elif _verb(verb) is Verdict.ASK or not MARKLESS.fullmatch(verb):
        CHANGE.of(call, named)


MARKLESS = pattern(r"[\w.-]+")


def _local_files(call: Call) -> None:
    """`file://x` as a value is read and sent; a last word that no option takes is written."""
    for one in call.args:
        if found := re.search(r"fileb?://(.*)", one.text):
            call.reads(one._replace(text=found[1]))
    names = call.texts
    at = len(names) - 1
    if at < 2 or names[0] in ("s3", "configure", "help") or is_url(names[at]):
        return
    if not names[at].startswith("-") and not names[at - 1].startswith("-"):
        call.writes(call.args[at])


def _aws_configure(call: Call, verb: str, path: list[str]) -> None:
    text = " ".join(path)
    if (
        verb == "get" and re.search("secret|key|token|password", text)
    ) or verb == "export-credentials":
        SECRET.of(call, f"aws {text}:")
    elif verb not in ("list", "list-profiles", "get"):
        call.ask("cloud.login", f"aws {text} changes the cloud account in use")


def _s3(call: Call, verb: str, names: list[Value], *, recursive: bool = False) -> None:
    """`aws s3`, `gsutil`: files that go up and come down."""
    recursive = recursive or has(call.args, words("--recursive -r -R"))
    named = f"{call.said} {verb}:"
    if verb in ("ls", "du", "stat", "cat", "presign", "hash", "version", "help", "signurl"):
        if verb in ("presign", "signurl"):
            call.ask("cloud.share", f"{named} makes a link that opens to anyone")
    elif has(call.args, ("--dryrun", "--dry-run")):
        return
    elif verb in ("rm", "rb", "delete") and (
        recursive or verb == "rb" or has(call.args, ("--force", "-m"))
    ):
        DESTROY.of(call, named)
    elif verb in ("rm", "delete"):
        call.deny("cloud.destroy", f"{named} deletes what no commit brings back")
    elif verb in ("cp", "sync", "mv", "rsync"):
        if has(call.args, ("--delete", "-d", "--delete-unmatched-destination-objects")):
            call.deny("cloud.destroy", f"{named} deletes all that is not here")
        for one in names[:-1]:
            if not is_url(one.text) and one.text != "-":
                call.reads(one, deep=True)
        if _has_read_secrets(call) and names and is_url(names[-1].text):
            call.deny("network.secret", f"{named} sends secrets to {names[-1].shown}")
        if names and is_url(names[-1].text):
            call.sends(names[:-1], where=names[-1].shown)
            _outside(call, names[:-1])
            call.ask("cloud.upload", f"{named} sends files to {names[-1].shown}")
        elif names and names[-1].text != "-":
            call.writes(names[-1])
            call.ask("network.download", f"{named} downloads to {names[-1].shown}")
    else:
        CHANGE.of(call, named)


def _has_read_secrets(call: Call) -> bool:
    """Whether it has read secrets."""
    return SECRET_TAINT in call.output.taints


def _outside(call: Call, names: list[Value]) -> None:
    for one in names:
        if not is_url(one.text) and one.text != "-" and PRIVATE in call.output.taints:
            where = call.place(one).value
            if "outside" in where or "home" in where or "above" in where:
                call.deny("network.private", f"sends {one.shown} to the cloud: {where}")


@program("gsutil s3cmd s5cmd mc rclone azcopy b2")
def gsutil(call: Call) -> None:
    """Files in the cloud."""
    names = options(call.args, words("-o -h -c --config -n -P --profile --endpoint-url")).operands
    runs = r"--[\w-]*(?:command|sftp-ssh|metadata-mapper)\b|:\w+,|\w+,[\w-]+="
    if call.name == "rclone" and any(re.match(runs, text) for text in call.texts):
        call.deny("option.code", "rclone runs a program that its arguments name")
    elsewhere(call, call.args)
    if not names:
        return
    verb = names[0].text
    if call.name == "rclone":
        if verb in words(
            "ls lsl lsd lsf lsjson size about version listremotes tree check md5sum cryptcheck"
        ):
            return
        if verb in ("delete", "purge", "sync", "move", "rmdirs", "cleanup"):
            DESTROY.of(call, f"rclone {verb}:")
        elif verb in ("config", "obscure", "reveal", "rcd", "serve"):
            SECRET.of(call, f"rclone {verb}:")
        else:
            CHANGE.of(call, f"rclone {verb}:")
        return
    _s3(call, verb, names[1:])


# Google, Microsoft and others: groups first, the verb last

_GROUP_TAKES = words(
    """--project --format --filter --region --zone --account --configuration --limit --sort-by -o
    --output --query --command --scripts -g --resource-group -n --name --subscription --context
    --location -l --cluster
    --instance --id --ids -c --config-file --profile --compartment-id -t --access-token"""
)
_GROUP_OUT = words(
    """--file --output-file --dest --destination-path --output-path --outfile --output-dir
    --local-path --log-file --flags-file --access-token-file"""
)
_GCLOUD_SECRETS = pattern(
    r"auth (?:print-|application-default print)|secrets versions access|sql generate-login-token"
    r"|iam service-accounts keys create|kms .*decrypt|config config-helper"
    r"|auth print-identity-token"
)


@program("gcloud az doctl ibmcloud oci linode-cli hcloud scw vultr-cli aliyun")
@program("tccli yc exo civo openstack upctl databricks snow snowsql cf")
def groups(call: Call) -> None:
    """Clouds whose commands are groups of things, then a verb."""
    said = options(call.args, _GROUP_TAKES | _GROUP_OUT)
    path = [one.text for one in said.operands]
    for one in said.values(*_GROUP_OUT):
        if one.text != "-" and not own(call, one):
            call.reads(one)
            call.writes(one)
    text = " ".join(path)
    named = f"{call.said} {' '.join(path[:4])}:"
    if has(call.args, ("--help", "-h")) and call.texts[-1:] in (["--help"], ["-h"]):
        return
    if _GCLOUD_SECRETS.match(text) or re.match(r"account get-access-token|ad .*credential", text):
        SECRET.of(call, named)
    elif re.match(
        r"(?:compute )?(?:ssh|scp|start-iap-tunnel)|.*run-command|container exec|webapp ssh", text
    ):
        call.ask("cloud.exec", f"{named} runs something there")
        for one in said.values("--command", "--scripts"):
            call.script_of(one, "run in the cloud")
    elif (
        call.name == "az"
        and re.search(
            r"\bkeys? (?:list|show|renew)|list-keys|credential|appsettings|connection", text
        )
    ) or re.match(r"keyvault (?:secret|key|certificate) (?:show|download|backup)", text):
        SECRET.of(call, named)
    elif re.match(r"(?:auth (?:login|revoke|application|activate)|login|logout|init|account set"
                  r"|config set"
                  r"|auth init|components|extension|feedback|configure|alpha interactive"
                  r"|interactive)", text):  # fmt: skip
        call.ask("cloud.login", f"{named} changes the cloud account in use, or its tools")
    elif re.match(
        r"(?:auth list|config (?:list|get)|account (?:show|list|get)|version|info|regions|topic)",
        text,
    ):
        call.taint(PRIVATE)
    elif path[:1] == ["storage"] and call.name == "gcloud":
        _s3(call, path[1] if path[1:] else "ls", said.operands[2:])
    elif re.match(r"storage blob (?:delete|upload)|storage .*(?:delete)", text):
        DESTROY.of(call, named)
    else:
        words_of = [word for word in path if re.fullmatch(r"[a-z][a-z0-9-]*", word)]
        _judge(
            call,
            words_of if words_of == path else [*words_of, *([] if path[0] in words_of else ["?"])],
        )
