"""Tools with verbs of their own: Terraform, Vault, GitHub."""

import re

from tabwire_guard.call import Call
from tabwire_guard.options import options
from tabwire_guard.programs.registry import program, words
from tabwire_guard.programs.verbs import (
    LOCAL,
    PASS,
    Verbs,
    ask,
    deny,
    flag,
    has,
    host,
    own,
)
from tabwire_guard.values import PRIVATE, PROJECT, REMOTE, SECRET, Value

CHANGE = ask("cloud.change", "changes what is running")
DESTROY = deny("cloud.destroy", "destroys what is running")
SECRETS = deny("secret.read", "prints secrets or tokens")
LOGIN = ask("cloud.login", "logs in or out")

# Terraform


def _fmt(call: Call, args: list[Value]) -> None:
    for one in options(args, single=True).operands:
        if one.text != "-" and not own(call, one):
            call.ask("write.outside", f"rewrites {one.shown}, outside the project")


def _plan(call: Call, args: list[Value]) -> None:
    """Looks at what would change; `-out` keeps it."""
    out = ("-out", "--out", "-generate-config-out", "--generate-config-out")
    for one in options(args, (*out, "-var-file", "-var", "-target"), single=True).values(*out):
        call.writes(one)


def _apply(call: Call, args: list[Value]) -> None:
    if flag(args, ("-destroy", "--destroy")):
        DESTROY.of(call, f"{call.said} apply -destroy:")
    elif has(
        args, ("-auto-approve", "--auto-approve", "--terragrunt-non-interactive", "--yes", "-y")
    ):
        call.ask(
            "cloud.change", f"{call.said} changes infrastructure without asking for confirmation"
        )
    else:
        CHANGE.of(call, f"{call.said}:")


def _output(call: Call, args: list[Value]) -> None:
    """Values of the state; only as JSON or raw those marked as secret are shown."""
    if flag(args, words("-raw -json --raw --json --show-secrets")):
        call.ask("secret.cloud", f"{call.said} may print secrets")


_TERRAFORM = Verbs(
    [
        (_plan, "plan refresh-only"),
        (_fmt, "fmt hclfmt"),
        (PASS, """validate version providers graph get test workspace/{list,show} state/list modules
            metadata functions hclvalidate graph-dependencies output-module-groups find list
            validate-inputs dag render-json"""),
        (_output, "output show state/show"),
        (ask("secret.cloud", "may print secrets of the state"), "state/pull console render"),
        (ask("cloud.init", "downloads providers and modules"), """init providers/{lock,mirror}
            scaffold catalog"""),
        (_apply, "apply"),
        (CHANGE, """import taint untaint refresh workspace/{select,new} run-all run stack
            force-unlock"""),
        (deny("cloud.state", "changes the record of what exists"),
            "state/{rm,mv,push,replace-provider}"),
        (DESTROY, "destroy workspace/delete run-all/destroy destroy-all"),
        (LOGIN, "login logout"),
    ],
    takes="--terragrunt-working-dir --working-dir",
    options={
        "-plugin-dir --terragrunt-tfpath --tf-path": ask("option.code", "names a program to run"),
    },
    taints=(PRIVATE,),
    files=True,
    quiet="-out --out -var --var -target --target",
)  # fmt: skip


@program("terraform", "tofu", "terragrunt")
def terraform(call: Call) -> None:
    """Infrastructure as text."""
    args = call.args
    while args and args[0].text.startswith("-chdir="):
        folder = args[0]._replace(text=args[0].text[7:])
        if not own(call, folder):
            call.ask("option.elsewhere", f"works in {folder.shown}, outside the project")
        args = args[1:]
    if call.name == "terragrunt" and any(text == "destroy" for text in call.texts):
        DESTROY.of(call, "terragrunt destroy:")
    _TERRAFORM(call, args)


_PULUMI = Verbs(
    [
        (PASS, """preview stack/{ls,output,graph,history} about version whoami logs schema
            plugin/ls org/get policy/ls convert"""),
        (SECRETS, "config/get config/env env/{open,get}"),
        (ask("cloud.change", "changes what is running"), """up update refresh import watch new
            stack/{init,select,tag,rename,import,change-secrets-provider}
            config/{set,rm,refresh} cancel plugin/{install,rm} install
            state/{unprotect,upgrade,edit} env"""),
        (DESTROY, "destroy stack/rm state/delete down"),
        (SECRETS, "stack/export"),
        (LOGIN, "login logout"),
    ],
    takes="-s --stack -C --cwd --color",
    flags="--non-interactive --logtostderr",
    options={"--show-secrets": SECRETS},
    taints=(PRIVATE,),
    files=True,
)  # fmt: skip


@program("pulumi")
def pulumi(call: Call) -> None:
    """Infrastructure as code."""
    if call.texts in (["stack"], ["config"]):
        return
    _PULUMI(call)


_HASHI = Verbs(
    [
        (PASS, """status version validate fmt inspect members info hcl2_upgrade plugins node/status
            job/{status,inspect,plan,validate,history,allocs} alloc/{status,logs} plan catalog
            operator/raft operator/api-help agent-info server/members namespace/list monitor
            auth/list secrets/list policy/list audit/list path-help build-info kv/list list"""),
        (SECRETS, """read kv/get token/{lookup,create} print unwrap var/get kv/export transit
            login-token write/-field debug"""),
        (CHANGE, """write kv/{put,patch,import,enable-versioning} run
            job/{run,dispatch,scale,revert, promote,deployments} build init
            plugins/{install,remove} alloc/{restart,exec,signal,fs} exec lock watch event
            reload join policy/write auth/{enable,tune} secrets/{enable,tune} lease/renew
            server agent deployment operator snapshot acl var/put console"""),
        (DESTROY, """delete kv/{delete,destroy,metadata} secrets/{disable,move} auth/disable
            lease/revoke token/revoke job/stop stop leave force-leave policy/delete
            operator/{seal,step-down} system namespace/delete volume var/purge system/gc"""),
        (LOGIN, "login logout"),
    ],
    takes="-address -namespace -region -token",
    taints=(PRIVATE,),
    files=True,
    quiet="-address -namespace",
)  # fmt: skip


@program("vault bao consul nomad packer boundary waypoint")
def hashi(call: Call) -> None:
    """HashiCorp's tools."""
    for text in call.texts:
        name, _, value = text.partition("=")
        if name.lstrip("-") in ("address", "http-addr") and host(value) not in LOCAL:
            call.ask("cloud.elsewhere", f"{call.said} talks to {value}")
    if call.name in ("consul", "packer") and call.texts[:2] == ["kv", "get"]:
        call.ask("secret.cloud", "consul kv get may print secrets")
        return
    _HASHI(call)


# GitHub, GitLab


def _api(call: Call, args: list[Value]) -> None:
    """`gh api`: looking only; fields make it a POST."""
    takes = words(
        """-X --method -f --raw-field -F --field -H --header --input -q --jq -t --template
            --hostname -p --preview --cache"""
    )
    said = options(args, takes)
    for one in said.values("-F", "--field"):
        if "=@" in one.text:
            call.reads(one._replace(text=one.text.partition("=@")[2]))
    for one in said.values("--input"):
        if one.text != "-":
            call.reads(one)
    methods = {one.text.upper() for one in said.values("-X", "--method")}
    where = " ".join(one.shown for one in said.operands)
    fields = said.has("-f", "-F", "--field", "--raw-field", "--input")
    asks = (
        where == "graphql" and not said.has("--input") and not re.search(r"mutation|=@", str(args))
    )
    if "DELETE" in methods:
        call.deny("cloud.destroy", f"{call.said} api deletes {where}")
    elif methods - {"GET"} or (fields and not methods and not asks):
        call.ask("cloud.change", f"{call.said} api changes {where}")
    if re.search(r"secrets|/keys|installations/.*access_tokens|hooks", where) and not methods - {
        "GET"
    }:
        call.ask("secret.cloud", f"{call.said} api reads {where}")
    for one in said.values("--hostname"):
        if one.text not in ("github.com", "gitlab.com"):
            call.ask("cloud.elsewhere", f"{call.said} api talks to {one.shown}")
    call.taint(REMOTE)


def _body_file(call: Call, args: list[Value]) -> None:
    """What `create` sends: text, or a file."""
    said = options(
        args, words("-F --body-file -t --title -b --body -B --base -H --head -R --repo -l -a")
    )
    for one in said.values("-F", "--body-file"):
        if one.text != "-":
            call.reads(one)
    call.sends([], where="GitHub") if SECRET in call.output.taints else None
    call.ask("cloud.publish", f"{call.said} publishes text that others read")


def _auth(call: Call, args: list[Value]) -> None:
    if flag(args, ("--show-token",)) or any(re.match(r"-\w*t", one.text) for one in args):
        SECRETS.of(call, f"{call.said} auth status --show-token:")


def _gist(call: Call, args: list[Value]) -> None:
    for one in options(args, words("-d --desc -f --filename")).operands:
        call.reads(one)
    if call.output.taints & {SECRET, PRIVATE} or call.stdin.taints & {SECRET, PRIVATE, PROJECT}:
        call.deny("network.private", "puts private files where anyone reads them")
    call.ask("cloud.publish", f"{call.said} gist publishes files")


def _repo_edit(call: Call, args: list[Value]) -> None:
    """Settings of the repository; its sources can be opened to everyone."""
    if any(one.text == "public" for one in options(args, ("--visibility",)).values("--visibility")):
        call.deny("cloud.publish", f"{call.said} repo edit makes the repository public")
    call.ask("cloud.change", f"{call.said} repo edit changes the repository for everyone")


def _alias(call: Call, args: list[Value]) -> None:
    """`gh alias set x '!command'` runs a shell."""
    call.ask("cloud.settings", f"{call.said} alias set gives a command another name")
    for one in options(args).operands[1:]:
        if one.text.startswith("!") or has(args, ("-s", "--shell")):
            call.script_of(one._replace(text=one.text.removeprefix("!")), "an alias of gh")


def _browse(call: Call, args: list[Value]) -> None:
    if not has(args, ("-n", "--no-browser")):
        call.ask("browser.open", f"{call.said} browse opens the browser")


def _view(call: Call, args: list[Value]) -> None:
    if flag(args, ("-w", "--web")):
        call.ask("browser.open", f"{call.said} opens the browser")
    if any("token" in one.text for one in args) and "config" in call.texts:
        SECRETS.of(call, f"{call.said} config get:")
    call.taint(REMOTE)


_GH = Verbs(
    [
        (_view, """{pr,mr}/{view,list,ls,diff,checks,status,show}
            issue/{view,list,ls,status,show} run/{view,list,watch} repo/{view,list}
            release/{view,list} workflow/{view,list} {label,gist,cache,project,org}/list
            project/{view,item-list,field-list} search/{repos,issues,prs,code,commits}
            ci/{list,view,status, get,lint} pipeline/{list,status,view,ci} gist/view status
            ruleset/{list,view,check} alias/list extension/{list,search} config/{get,list}
            variable/{list,get} secret/list gpg-key/list ssh-key/list codespace/list
            attestation/verify release/verify job/view milestone/list"""),
        (PASS, "completion version help pr/checkout-help"),
        (_api, "api"),
        (_auth, "auth/status"),
        (SECRETS, "auth/token"),
        (LOGIN, "auth/{login,logout,refresh,switch,setup-git}"),
        (ask("git.checkout", "changes the files of the workspace"), """{pr,mr}/checkout
            repo/{clone,sync,fork,set-default} release/download run/download"""),
        (_body_file, """{pr,mr}/{create,comment,edit,review,note,update}
            issue/{create,comment,edit,close,reopen,note,
            pin,transfer,develop,lock,unlock,update} release/{create,edit,upload}
            discussion/create"""),
        (ask("cloud.change", "changes the repository for everyone"),
            """{pr,mr}/{merge,close,reopen,ready,approve,revoke,rebase}
            {pr,mr}/{lock,unlock,update-branch,revert} workflow/{run,enable,disable}
            run/{rerun,cancel} repo/{create,rename,deploy-key} label/{create,edit,clone}
            project/{create,edit,close,copy,item-add,item-edit,item-create,link} cache/delete
            variable/{set,delete} ci/{run,retry,trigger} pipeline/run
            codespace/{create,stop,ssh,cp,code,ports} preview copilot agent-task"""),
        (ask("cloud.secret", "changes secrets of the repository"),
            "secret/{set,delete} {gpg-key,ssh-key}/{add,delete}"),
        (_gist, "gist/{create,edit}"),
        (_browse, "browse"),
        (_alias, "alias/set"),
        (_repo_edit, "repo/edit"),
        (DESTROY, """repo/{delete,archive,unarchive} release/{delete,delete-asset} issue/delete
            run/delete label/delete project/{delete,item-delete} gist/delete codespace/delete
            mr/delete pipeline/delete"""),
        (ask("package.install", "installs third-party code"),
            "extension/{install,upgrade,remove,create,exec} alias/import"),
        (ask("cloud.settings", "changes settings of the tool"),
            "config/{set,clear-cache} alias/delete gist/{clone,rename}"),
    ],
    takes="-R --repo",
    taints=(PRIVATE,),
)  # fmt: skip


@program("gh", "glab")
def gh(call: Call) -> None:
    """GitHub and GitLab."""
    _GH(call)


@program("hub tea lab jira linear bb")
def hub(call: Call) -> None:
    """Others that speak to a forge."""
    texts = [text for text in call.texts if not text.startswith("-")][:2]
    if any(text in ("delete", "rm", "remove") for text in texts):
        DESTROY.of(call, f"{call.said} {' '.join(texts)}:")
    elif texts and not (
        texts[-1] in ("list", "show", "view", "status", "ls", "version") or texts[0] == "browse-url"
    ):
        call.ask("cloud.change", f"{call.said} {' '.join(texts)} acts on a forge")
