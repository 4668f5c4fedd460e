"""Kubernetes: what looks, what changes, what destroys."""

import re

from tabwire_guard.call import Call
from tabwire_guard.options import options
from tabwire_guard.pattern import pattern
from tabwire_guard.programs.registry import program, words
from tabwire_guard.programs.verbs import (
    PASS,
    Verbs,
    after_dashes,
    ask,
    deny,
    each,
    elsewhere,
    flag,
    flagged,
    has,
    host,
    is_url,
    own,
)
from tabwire_guard.values import LISTED, PRIVATE, SHOWN, Value

CHANGES = ask("cluster.change", "changes the cluster")
TAKES = words(
    """-n --namespace -l --selector -o --output -c --container --context --cluster
        --kubeconfig -f --filename -k --kustomize --field-selector --sort-by --tail --since
        --since-time --timeout --for -p --patch --type --image --replicas --user --as
        --as-group --token -s --server --request-timeout --template --grace-period --cascade
        --dry-run --field-manager --subresource --chunk-size -L --label-columns --port
        --target-port --name --overrides --restart --env --limits"""
)
_PRECIOUS = pattern(
    r"(?:namespaces?|ns|projects?|nodes?|no|persistentvolumes?|pv|persistentvolumeclaims?|pvc|crds?"
    r"|customresourcedefinitions?|clusterroles?|clusterrolebindings?|storageclass(?:es)?|all"
    r"|statefulsets?|sts|secrets?)(?:[./,].*)?$"
)
_PRODUCTION = pattern(r"(?:^|[-_/.:])(?:prod|prd|production|live|master|main)(?:$|[-_/.:\d])", re.I)


def production(texts: list[str]) -> str:
    """The word that speaks of what customers use."""
    return next((text for text in texts if _PRODUCTION.search(text)), "")


def _get(call: Call, args: list[Value]) -> None:
    """`get`, `describe`: all but secrets."""
    for one in options(args, TAKES).operands:
        if re.search(r"(?:^|,)secrets?(?:$|[,/.])", one.text, re.IGNORECASE):
            call.deny("secret.read", f"{call.said} prints the cluster's secrets")
        elif one.holed and one is options(args, TAKES).operands[0]:
            call.ask("unknown.verb", "it is unknown what it shows")
    for one in options(args, TAKES).values("-f", "--filename", "-k", "--kustomize"):
        if not is_url(one.text):
            call.reads(one)
    if flag(args, ("--raw",)):
        call.ask("cluster.raw", "requests a raw API path of the cluster")


def listed(names: list[Value]) -> bool:
    """Whether what is taken away is what a list says: nobody has read its names."""
    return any(one.holed and (one.data or LISTED in one.taints or one is names[0]) for one in names)


def _uninstall(call: Call, args: list[Value]) -> None:
    said = options(args, TAKES)
    if has(args, ("--dry-run",)):
        return
    if any(one.holed and (one.data or LISTED in one.taints) for one in said.operands):
        call.deny("cluster.destroy", f"{call.said} removes every application in a list")
    call.ask("cluster.delete", f"{call.said} uninstall: removes an application")


def _template(call: Call, args: list[Value]) -> None:
    """Fills in a chart; one of another machine was written by others."""
    said = options(args, TAKES | words("--repo --version --set --values --set-file --set-string"))
    remote = [*said.values("--repo"), *said.values("-f", "--values", "--set-file"), *said.operands]
    for one in remote:
        if is_url(one.text.rpartition("=")[2]):
            call.ask("package.fetch", f"{call.said} takes {one.shown} from another machine")


def _delete(call: Call, args: list[Value]) -> None:
    said = options(args, TAKES)
    kinds = [one.text for one in said.operands if one is said.operands[0] or "/" in one.text]
    what = " ".join(one.shown for one in said.operands[:2])
    if any(one.text in ("client", "server") for one in said.values("--dry-run")):
        return
    whole = said.has("--all", "-A", "--all-namespaces")
    if listed(said.operands):
        call.deny("cluster.destroy", f"{call.said} delete deletes whatever it is given")
    elif whole or any(_PRECIOUS.match(kind) for kind in kinds):
        call.deny(
            "cluster.destroy", f"{call.said} delete {what} deletes something that contains data"
        )
    elif word := production(call.texts):
        call.deny("cluster.destroy", f"{call.said} delete {what} in {word.translate(SHOWN)}")
    else:
        call.ask("cluster.delete", f"{call.said} delete {what} changes the cluster")


def _exec(call: Call, args: list[Value]) -> None:
    call.ask("cluster.exec", f"{call.said} exec runs something in the cluster")
    command = after_dashes(args)
    if (command and command[0].text not in words("sh bash /bin/sh /bin/bash")) or command[1:]:
        call.runs(command, "run in the cluster")


def _apply(call: Call, args: list[Value]) -> None:
    """`apply`, `create`, `replace`."""
    said = options(args, TAKES)
    for one in said.values("-f", "--filename", "-k", "--kustomize"):
        if is_url(one.text) or (one.text == "-" and "remote" in call.stdin.taints):
            call.deny(
                "run.remote", f"applies {one.shown} to the cluster, directly from another machine"
            )
    _reaches_out(call, args)
    if any(one.text in ("client", "server") for one in said.values("--dry-run")):
        return
    _rights(call, args)
    CHANGES.of(call, f"{call.said} apply:")


_RIGHTS = pattern(r"(?:cluster)?rolebindings?(?:[./].*)?|clusterroles?(?:[./].*)?", re.I)


def _rights(call: Call, args: list[Value]) -> None:
    """Who may do what: all of it, or for whom is not said here."""
    bound = [one.text for one in options(args, TAKES).operands[:1] if _RIGHTS.fullmatch(one.text)]
    whole = any(re.search(r"cluster-admin|system:masters|\"verbs\".*\*", one.text) for one in args)
    if bound and (whole or call.texts[:1] == ["patch"]):
        call.deny("cluster.rights", f"{call.said} grants permissions on the whole cluster")


_ESCAPES = pattern(r"hostPath|privileged|hostPID|hostNetwork|hostIPC|SYS_ADMIN|docker\.sock")


def _reaches_out(call: Call, args: list[Value]) -> None:
    if has(args, ("--privileged",)) or any(_ESCAPES.search(one.text) for one in args):
        call.deny("container.escape", "lets a container reach its machine")


def _changes(call: Call, args: list[Value]) -> None:
    """`run`, `patch`, `debug` and others, which may say how a container runs."""
    _reaches_out(call, args)
    _rights(call, args)
    CHANGES.of(call, f"{call.said}:")


def _copy(call: Call, args: list[Value]) -> None:
    names = options(args, TAKES).operands
    for one in names:
        if ":" not in one.text and one is names[-1]:
            call.writes(one)
        elif ":" not in one.text:
            call.reads(one, deep=True)
    CHANGES.of(call, f"{call.said} cp:")


def _view(call: Call, args: list[Value]) -> None:
    if flag(args, ("--raw", "--flatten")):
        call.deny("secret.read", "prints the keys of the cluster")


_KUSTOMIZE_CODE = each(
    {
        "--enable-exec --enable-alpha-plugins --enable-helm --helm-command --enable-star "
        "--exec-path --network": ask("option.code", "runs other programs"),
    }
)
_FAR = pattern(r"[\w.-]+\.(?:com|org|io|net|dev)[/:]|.*\?(?:.*&)?(?:ref|version)=|.*//")


def _kustomize(call: Call, args: list[Value]) -> None:
    """Puts files together; it can be told to run programs, and to fetch."""
    flagged(call, args, _KUSTOMIZE_CODE)
    out = words("-o --output --helm-home --helm-config-home")
    said = options(args, out | words("-e --env --load-restrictor --reorder --mount --as"))
    for one in said.values(*out):
        call.writes(one)
    elsewhere(call, args, out)
    for one in said.operands:
        if is_url(one.text) or _FAR.match(one.text):
            call.ask("run.remote", f"{call.said} takes its files from another machine")


_KUBECTL = Verbs(
    [
        (_get, "get describe explain diff"),
        (_kustomize, "kustomize"),
        (PASS, """logs top version cluster-info api-resources api-versions events wait
            options rollout/{status,history} auth/{can-i,whoami}
            config/{get-contexts,current-context,view-contexts, get-clusters,get-users}
            plugin/list whoami status projects project adm/top"""),
        (_apply, "apply create replace"),
        (_delete, "delete"),
        (_exec, "exec attach debug rsh"),
        (_copy, "cp rsync"),
        (_changes, "run patch set"),
        (CHANGES, """edit scale autoscale label annotate expose
            rollout/{restart,undo,pause,resume} taint uncordon cordon certificate proxy
            port-forward config/{use-context,set-context,
            set-cluster,set-credentials,set,unset,rename-context,use} new-app new-project
            start-build import-image tag process adm policy secrets"""),
        (deny("cluster.destroy", "empties a machine of the cluster"), "drain"),
        (deny("cluster.destroy", "forgets how to reach a cluster"),
            "config/delete-context config/{delete-cluster,delete-user}"),
        (_view, "config/view"),
        (ask("cluster.login", "logs in or out"), "login logout"),
        (deny("secret.read", "prints a token"), "create/token whoami/-t"),
    ],
    takes="""-n --namespace --context --cluster --kubeconfig --user --as --token -s --server -v
        --request-timeout""",
    flags="-A --all-namespaces --insecure-skip-tls-verify",
    options={
        "--insecure-skip-tls-verify": ask("option.unsafe", "does not verify the server"),
        "--as --as-group": ask("cluster.rights", "acts with another account's permissions"),
    },
    taints=(PRIVATE,),
)  # fmt: skip


@program("kubectl oc k kubecolor microk8s.kubectl k3s")
def kubectl(call: Call) -> None:
    """Kubernetes' own tool."""
    args = call.args
    if call.name == "k3s" and args[:1] and args[0].text == "kubectl":
        args = args[1:]
    head = args[: len(args) - len(after_dashes(args))]
    for one in options(head, TAKES).values("--kubeconfig"):
        if not own(call, one):
            call.ask("cluster.other", f"acts on the cluster of {one.shown}")
    for one in options(head, TAKES).values("-s", "--server"):
        if host(one.text) not in ("localhost", "127.0.0.1"):
            call.ask("cluster.other", f"acts on {one.shown}")
    out = words("--profile-output --output-directory --cache-dir --log-file --log-dir --log_file")
    for one in options(head, TAKES | out).values(*out):
        call.writes(one)
    _KUBECTL(call, args)


_HELM = Verbs(
    [
        (_template, "template lint show inspect package verify"),
        (_uninstall, "uninstall delete del un"),
        (PASS, """list ls status history search version env
            get/{manifest,notes,hooks, metadata} repo/{list,index} dependency/list plugin/list
            completion create diff/{upgrade,revision,release,
            rollback,version}"""),
        (deny("secret.read", "prints values, passwords included"), "get/{values,all}"),
        (CHANGES, "install upgrade rollback test"),
        (ask("package.install", "downloads charts or plugins"), """repo/{add,update,remove} pull
            fetch dependency/{update,build} plugin/{install,update,uninstall}
            dep/{update,build}"""),
        (ask("package.publish", "publishes a chart"), "push"),
        (ask("cluster.login", "logs in or out"), "registry"),
    ],
    takes="-n --namespace --kube-context --kubeconfig",
    flags="--debug -A --all-namespaces",
    options={"--post-renderer": deny("option.code", "makes helm run another program")},
    dry="--dry-run --dry-run=client --dry-run=server",
    taints=(PRIVATE,),
)  # fmt: skip


@program("helm", "helmfile")
def helm(call: Call) -> None:
    """Applications for Kubernetes."""
    if has(call.args, ("uninstall", "delete", "destroy")) and (word := production(call.texts)):
        call.deny("cluster.destroy", f"{call.said} removes {word}")
    if call.name == "helmfile" and has(call.args, ("destroy", "delete")):
        call.deny("cluster.destroy", "helmfile destroy removes everything")
    out = words(
        """--output-dir -d --destination --registry-config --repository-config --repository-cache
        --provenance-output"""
    )
    loading = words("--kubeconfig --post-renderer-args --keyring --cert-file --key-file")
    for one in options(call.args, out | TAKES).values(*out):
        call.writes(one)
    for one in options(call.args, words("--kubeconfig")).values("--kubeconfig"):
        if not own(call, one):
            call.ask("cluster.other", f"acts on the cluster of {one.shown}")
    elsewhere(call, call.args, out | loading | words("-f --values --set-file --set"))
    _HELM(call)


_LOCAL_CLUSTER = Verbs(
    [
        (PASS, """status version profile/list get/{clusters,nodes} cluster/list node/list
            image/ls addons/list ip service/list logs list export/logs config/view options"""),
        (ask("cluster.local", "starts, stops or changes a cluster of this machine"), """start
            stop pause unpause create image addons mount tunnel dashboard service ssh
            docker-env load build cluster config node kubectl cache cp profile push reload up
            port-forward"""),
        (ask("cluster.delete", "deletes a cluster of this machine"), "delete cluster/delete"),
        (deny("secret.read", "prints the keys of the cluster"),
            "get/kubeconfig export/kubeconfig kubeconfig"),
        (PASS, "validate render diagnose schema fix verify diff"),
        (ask("cluster.change", "builds and changes the cluster"), """run dev deploy apply sync
            app debug"""),
        (ask("cluster.delete", "removes what it created"), "down"),
    ]
)  # fmt: skip


@program("minikube kind k3d ctlptl skaffold tilt argocd flux eksctl kustomize")
@program("k9s stern kubectx kubens istioctl linkerd velero kops k0s talosctl")
def local_cluster(call: Call) -> None:
    """Clusters on this machine, and what works on clusters."""
    if call.name == "kustomize" and call.texts[:1] != ["edit"]:
        if call.texts[:1] not in (["build"], ["version"], ["help"], ["completion"], ["--version"]):
            call.ask(
                "unknown.verb", f"the effect of kustomize {''.join(call.texts[:1])} is unknown"
            )
        _kustomize(call, call.args[1:])
        return
    if call.name == "stern":
        elsewhere(call, call.args)
        return
    if call.texts[:2] == ["export", "logs"]:
        for one in options(call.args[2:], ("--name", "-n")).operands:
            call.writes(one)
    if call.name in ("eksctl", "kops", "velero", "argocd", "flux") and has(
        call.args, ("delete", "destroy")
    ):
        call.deny("cluster.destroy", f"{call.said} delete removes more than one thing")
    if call.name in ("kubectx", "kubens", "k9s") and call.args:
        call.ask("cluster.other", f"{call.said} changes which cluster is acted on")
        return
    if call.name in (
        "argocd",
        "flux",
        "istioctl",
        "linkerd",
        "velero",
        "eksctl",
        "kops",
        "talosctl",
    ):
        if not has(
            call.args[:2], words("get list version check analyze status logs describe diff")
        ):
            call.ask("cluster.change", f"{call.said} acts on a cluster")
        return
    _LOCAL_CLUSTER(call)
