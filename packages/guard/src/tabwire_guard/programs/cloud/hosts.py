"""Services that host applications: verbs with colons or spaces."""

import re

from tabwire_guard.call import Call
from tabwire_guard.options import options
from tabwire_guard.programs.registry import program, words
from tabwire_guard.programs.verbs import PASS, Said, ask, deny, elsewhere, has
from tabwire_guard.values import PRIVATE, REMOTE, Value
from tabwire_guard.verdict import Verdict

_HOSTS_READ = words(
    """status list ls ps logs info version whoami open inspect show get doctor help checks docs
    usage metrics validate build dev lint typegen types diff tail completion watch serve lanes"""
)
"""Verbs that look, or work on this machine, whatever follows."""
_HOSTS_THINGS = words(
    """releases apps regions domains certs builds deployments sites projects machines volumes ips
    services environment environments features addons buildpacks pipelines stack notifications teams
    contact invoices platform plugins members access labs"""
)
"""Things: alone they are listed."""
_HOSTS_DESTROY = words(
    "destroy delete remove rm purge reset drop rollback-all unlink down nuke apps-destroy wipe"
)
_HOSTS_SECRET = words(
    "config env secrets secret variables vars tokens token auth api-keys envs keys"
)


@program("heroku fly flyctl vercel vc netlify ntl wrangler firebase supabase")
@program("railway render sst amplify serverless sls sam cdk eb now")
@program("surge pscale neonctl turso upstash convex appwrite stripe twilio")
@program("sentry-cli eas expo fastlane newrelic datadog-ci circleci travis buildkite-agent")
def hosts(call: Call) -> None:
    """Services that host applications."""
    call.taint(PRIVATE, REMOTE)
    takes = words(
        """-a --app --project -p --org -o --scope --site -t --token -c --config --env -e
            --stage -s --region -r"""
    )
    said = options(call.args, takes)
    _commands(call, said.operands)
    elsewhere(call, call.args, words("-a --app"))
    path = [step for one in said.operands[:3] for step in one.text.split(":")]
    named = f"{call.said} {' '.join(path[:3])}:"
    if not path:
        if call.name in ("vercel", "vc", "now", "surge", "amplify") and not has(call.args, _NO_RUN):
            call.ask("cloud.deploy", f"{call.said} alone deploys")
        return
    if has(call.args, ("--help",)) or path[0] == "help":
        return
    said_of = _host_verb(call.name, path, colon=":" in said.operands[0].text)
    if (
        has(call.args, ("--dry-run", "--noop", "--no-execute-changeset"))
        and said_of.verdict is Verdict.ASK
    ):
        return
    said_of.of(call, named)


def _commands(call: Call, operands: list[Value]) -> None:
    """Some run a command of this machine: `cdk --app`, `firebase emulators:exec`."""
    options_of = {"cdk": "-a --app --build", "netlify": "-c --command", "ntl": "-c --command"}
    wanted = words(options_of.get(call.name, ""))
    for one in options(call.args, wanted).values(*wanted):
        if not re.fullmatch(r"[\w./-]*cdk\.out/?", one.text):
            call.script_of(one, f"run by {call.said}")
    steps = [step for one in operands[:2] for step in one.text.split(":")]
    if steps[:2] == ["emulators", "exec"] or steps[:2] == ["dev", "exec"]:
        rest = operands[1:] if ":" in operands[0].text else operands[2:]
        if call.name == "firebase":
            for one in rest:
                call.script_of(one, "run by firebase")
        elif rest:
            call.runs(rest, f"run by {call.said}")


_NO_RUN = words("--version -v --help -h version")
_DEPLOY = ask("cloud.deploy", "publishes or changes what others use")


def _host_verb(name: str, path: list[str], *, colon: bool) -> Said:
    first, last = path[0], path[1] if path[1:] else path[0]
    if name == "circleci" and path[:2] in (["config", "validate"], ["config", "process"]):
        return PASS  # its own file in the project, not what is kept there
    if any(step in _HOSTS_DESTROY for step in path[:2]):
        return deny("cloud.destroy", "destroys what is running there")
    if first in _HOSTS_SECRET or any(
        step in ("secrets", "api-keys", "tokens") for step in path[:2]
    ):
        if first in ("auth", "token") and last in ("whoami", "status"):
            return PASS
        if (
            last in ("list", "ls")
            and first in ("secrets", "env", "secret")
            and name not in ("heroku", "netlify")
        ):
            return PASS
        if last in ("set", "add", "put", "unset", "import", "push", "deploy", "login", "logout"):
            return ask("cloud.secret", "changes secrets there")
        return deny("secret.read", "prints secrets")
    if name in ("cdk", "sam", "serverless", "sls", "sst"):
        return PASS if first in _IAC_READ else _DEPLOY
    if name == "supabase" and path[:2] in (
        ["db", "diff"],
        ["gen", "types"],
        ["migration", "list"],
        ["migration", "new"],
    ):
        return PASS
    if first in (
        "pg",
        "redis",
        "db",
        "d1",
        "postgres",
        "sql",
        "kv",
        "r2",
        "shell",
        "run",
        "ssh",
        "console",
        "exec",
    ):
        return (
            PASS
            if last in ("info", "list", "ls", "status")
            else ask("cloud.exec", "acts on data there")
        )
    if name in ("eas", "expo") and first in ("build", "submit", "update", "publish"):
        return PASS if last in ("list", "view") else _DEPLOY
    if (name, first) in (("expo", "start"), ("firebase", "emulators")):
        return PASS
    things = colon or first in _HOSTS_THINGS
    if last in _HOSTS_READ if things and path[1:] else first in _HOSTS_READ | _HOSTS_THINGS:
        return PASS
    if last in ("list", "ls", "info", "status", "show", "get", "view", "describe"):
        return PASS
    return _DEPLOY


_IAC_READ = words(
    "synth synthesize diff list ls doctor validate build package print info local logs metadata"
)
