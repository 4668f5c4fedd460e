"""Containers: what reaches out of the box."""

import re

from tabwire_guard.call import Call
from tabwire_guard.options import options
from tabwire_guard.paths import Place
from tabwire_guard.programs.cloud.container_environment import config, inspect
from tabwire_guard.programs.registry import program, words
from tabwire_guard.programs.verbs import (
    LOCAL,
    PASS,
    Leaf,
    Verbs,
    ask,
    deny,
    each,
    elsewhere,
    flag,
    flagged,
    host,
    is_url,
    loads,
    own,
)
from tabwire_guard.values import LISTED, PRIVATE, Value

ESCAPE = deny("container.escape", "lets the container reach this machine")
STOPS = ask("container.stop", "stops what is running")
REMOVES = ask("container.remove", "deletes containers, images or volumes")
CHANGES = ask("container.change", "changes what is running or kept")
SENDS = ask("container.push", "publishes an image")
FETCHES = ask("container.pull", "downloads an image")
INSIDE = ask("container.exec", "runs something in a container")
LOGIN = ask("container.login", "handles logins to a registry")

_ESCAPES = each(
    {
        "--privileged --device --cap-add --security-opt --volumes-from "
        "--device-cgroup-rule --cgroup-parent": ESCAPE,
        "--runtime": ask("container.runtime", "weakens the isolation of the container"),
    }
)
_HOSTS = words("--pid --net --network --ipc --uts --userns --cgroupns")
_RUN_TAKES = words(
    """-v --volume --mount -w --workdir -e --env --env-file -p --publish --name -u --user
        --entrypoint -m --memory --cpus -h --hostname -l --label --network --net --pid --ipc
        --platform --pull --restart --add-host --dns --tmpfs --ulimit --shm-size --log-driver
        --log-opt --gpus --health-cmd --stop-signal --cidfile --expose --device --cap-add
        --cap-drop --security-opt --volumes-from --userns --uts --cgroupns -c --cpu-shares
        --network-alias --link --annotation --device-cgroup-rule --cgroup-parent --runtime
        --stop-timeout --isolation --sysctl -a --attach --label-file --mac-address --ip
        --group-add --volume-driver --pids-limit --init-path"""
)
_RUN_FLAGS = words(
    """-d --detach -i --interactive -t --tty --rm --init --read-only -P --publish-all
    --no-healthcheck -q --quiet --sig-proxy --privileged --help --oom-kill-disable
    --disable-content-trust --replace"""
)
_KNOWN_PUBLISHERS = words(
    """library bitnami hadolint koalaman prom grafana mcr.microsoft.com gcr.io/distroless selenium
    localstack minio confluentinc elastic docker.elastic.co jupyter amazon public.ecr.aws/docker
    public.ecr.aws/lambda ghcr.io/astral-sh google cimg circleci axllent mailhog rabbitmq redis
    postgis timescale clickhouse opensearchproject jaegertracing otel envoyproxy hashicorp bash
    registry.k8s.io quay.io/keycloak quay.io/prometheus mongodb pgvector dpage valkey
    mcr.microsoft.com/playwright swaggerapi openapitools zricethezav aquasec docker.io/library
    pandoc squidfunk sonarqube nvidia pytorch tensorflow rust-lang golangci cypress"""
)


def _image(call: Call, image: Value) -> None:
    """Images of strangers are code of strangers."""
    name = re.sub(r"[@:][^/]*$", "", image.text)
    publisher = name.rpartition("/")[0]
    if not image.known:
        call.ask("container.image", "it is unknown which image runs")
    elif publisher and host(publisher) not in LOCAL and not _known(publisher):
        call.ask("container.image", f"runs {image.shown}, an image that is not widely known")


def _known(publisher: str) -> bool:
    return publisher in _KNOWN_PUBLISHERS or publisher.split("/")[0] in _KNOWN_PUBLISHERS


def _mounted(call: Call, source: Value) -> bool:
    """Judge what is handed into the container; whether it is a folder of this machine."""
    text = source.text
    if re.fullmatch(r"[\w][\w.-]*", text):
        return False  # a volume by its name
    where = call.place(source)
    if "docker.sock" in text or "containerd.sock" in text or "podman.sock" in text:
        call.deny(
            "container.escape", f"{source.shown} gives control of every container and the machine"
        )
    elif where is Place.UNKNOWN:
        call.ask("container.mount", f"mounts {source.shown}, which is not known")
    elif where not in (Place.INSIDE, Place.WORKSPACE, Place.TEMP, Place.TOUCHY):
        call.deny("container.mount", f"mounts {source.shown} into the container: {where.value}")
    return True


def _source(mount: Value) -> Value | None:
    """Where `-v a:b`, `--mount type=bind,source=a,…` take from; None for what is not of here."""
    text = mount.text
    if "type=" in text or "target=" in text or "src=" in text or "dst=" in text:
        parts = dict(part.strip("\"'").partition("=")[::2] for part in text.split(","))
        if "device=" in text:
            return mount._replace(text="/")  # a volume that is a folder of the machine after all
        if parts.get("type", "volume") not in ("bind", "volume"):
            return None
        found = parts.get("source", parts.get("src"))
        return mount._replace(text=found) if found else None
    drive = re.match(r"[A-Za-z]:[\\/]", text)
    head, colon, _ = text[2:].partition(":") if drive else text.partition(":")
    if not colon:
        return None
    return mount._replace(text=(text[:2] if drive else "") + head)


def _run(call: Call, args: list[Value]) -> None:
    """`docker run [options] image [command]`."""
    said = options(args, _RUN_TAKES, first=True)
    head = args[: len(args) - len(said.operands)]
    if unknown := said.unlike(_RUN_TAKES | _RUN_FLAGS):
        # It may take a value, so nobody knows where the image stands: look at all of it.
        call.ask("unknown.option", f"the effect of {call.said} run {unknown} is unknown")
        head, said = args, options(args, _RUN_TAKES)
    flagged(call, head, _ESCAPES)
    for name, value in said.said:
        if name in _HOSTS and value is not None and value.text.startswith(("host", "container:")):
            ESCAPE.of(call, f"{name} {value.shown}")
    _env(call, [*said.values("--env-file", "--label-file")])
    for one in said.values("--cidfile", "--pidfile", "--conmon-pidfile"):
        call.writes(one)
    mounts = [_source(one) for one in said.values("-v", "--volume", "--mount")]
    mounted = [_mounted(call, one) for one in mounts if one is not None]
    if not said.operands:
        return
    image, *command = said.operands
    _image(call, image)
    command = [*said.values("--entrypoint"), *command]
    base = re.sub(r"[@:].*$", "", image.text.rpartition("/")[2])
    if not command or (not command[1:] and command[0].text in _PROMPTS):
        return
    if any(mounted) or not command[0].text.startswith(("-", base)):
        call.runs(command, f"run in a container of {image.shown}")


_PROMPTS = words("bash sh zsh ash /bin/sh /bin/bash python python3 node psql redis-cli irb")


def _env(call: Call, files: list[Value]) -> None:
    for one in files:
        if not own(call, one):
            call.reads(one)


def _exec(call: Call, args: list[Value]) -> None:
    """`docker exec [options] container command`."""
    INSIDE.of(call, f"{call.said} exec:")
    if flag(args, ("--privileged",)):
        ESCAPE.of(call, "--privileged")
    takes = words("-e --env -w --workdir -u --user --env-file --index --detach-keys")
    command = options(args, takes, first=True).operands[1:]
    if command[1:] or (command and command[0].text not in _PROMPTS):
        call.runs(command, "run in a container")


def _build(call: Call, args: list[Value]) -> None:
    """`docker build [options] context`: the context is sent to the daemon."""
    table = {
        "--push": SENDS,
        "--allow": ESCAPE,
        "--ssh": ask("container.secret", "passes keys to the build"),
        "--security-opt --privileged --device --cap-add": ESCAPE,
    }
    flagged(call, args, each(table))
    takes = words(
        """-f --file -t --tag --build-arg --target --platform --progress --cache-from --cache-to
        --label --secret -o --output --network --iidfile --metadata-file --build-context --add-host
        --builder --format -v --volume --isolation --jobs --layers --memory --shm-size --ulimit
        --logfile --sbom-output --ssh --allow --call --annotation --attest --provenance --sbom"""
    )
    said = options(args, takes)
    for one in said.values("-f", "--file"):
        loads(call, one, "the recipe")
    for one in said.values("--secret"):
        source = re.search(r"(?:src|source)=([^,]+)", one.text)
        if source:
            call.reads(Value(source[1]))
    for one in said.values("-o", "--output", "--cache-to"):
        target = re.search(r"dest=([^,]+)", one.text)
        if target or ("=" not in one.text and "/" in one.text):
            call.writes(Value(target[1]) if target else one)
    for one in said.values("--iidfile", "--metadata-file", "--logfile", "--sbom-output"):
        call.writes(one)
    for one in said.values("--build-context"):
        source_of_it = one._replace(text=one.text.partition("=")[2])
        if re.match(r"docker-image://|oci-layout://|target:", source_of_it.text):
            continue
        call.reads(source_of_it, deep=True)
        if is_url(source_of_it.text) or not own(call, source_of_it):
            call.ask("container.context", f"passes all of {source_of_it.shown} to the build")
    elsewhere(call, args, takes)
    for one in said.values("-v", "--volume"):
        if (source_of := _source(one)) is not None:
            _mounted(call, source_of)
    if any(one.text == "host" for one in said.values("--network")):
        call.ask("container.network", "builds with the network of this machine")
    for one in said.operands:
        if is_url(one.text) or one.text == "-":
            call.ask("container.image", f"builds {one.shown}, which does not belong to the project")
        elif not own(call, one):
            call.ask("container.context", f"passes all of {one.shown} to the build")


def _down(call: Call, args: list[Value]) -> None:
    what = "volumes too" if flag(args, ("-v", "--volumes", "--rmi")) else "containers and networks"
    call.ask("container.remove", f"{call.said} down deletes {what}")


def _prune(call: Call, args: list[Value]) -> None:
    texts = "".join(one.text for one in args)
    if "--volumes" in texts or re.search(r"-[a-z]*a", texts) or "--all" in texts:
        call.deny(
            "container.purge", f"{call.said} prune deletes all that is not in use, data included"
        )
    else:
        REMOVES.of(call, f"{call.said} prune:")


def _copy(call: Call, args: list[Value]) -> None:
    """`docker cp a b`: one side is in a container."""
    names = options(args).operands
    if len(names) != 2:
        call.ask("unknown.verb", f"{call.said} cp in an unknown form")
        return
    source, target = names
    if ":" not in source.text:
        call.reads(source, deep=True)
        call.ask("container.change", f"copies {source.shown} into a container")
    elif target.text != "-":
        call.writes(target)


def _volumes(call: Call, args: list[Value]) -> None:
    """Data that is kept; all of it, where the names come from a list."""
    REMOVES.of(call, f"{call.said} volume rm:")
    if any(one.holed and (one.data or LISTED in one.taints) for one in args):
        call.deny("container.purge", f"{call.said} deletes every volume that is listed")


def _compose_run(call: Call, args: list[Value]) -> None:
    said = options(args, _RUN_TAKES, first=True)
    for one in said.values("-v", "--volume"):
        if (source := _source(one)) is not None:
            _mounted(call, source)
    if flag(args[: len(args) - len(said.operands)], ("--cap-add", "--privileged")):
        ESCAPE.of(call, "--cap-add")
    command = [*said.values("--entrypoint"), *said.operands[1:]]
    if command[1:] or (command and command[0].text not in _PROMPTS):
        call.runs(command, "run in a container of the project")
    elif command:
        call.ask("interactive", f"{command[0].shown} waits for input in a container")


_COMPOSE_READS = "ps images logs ls top port version events build up start create wait"
_COMPOSE: list[tuple[Leaf, str]] = [
    (PASS, f"{_COMPOSE_READS} watch stats volumes attach"),
    (config, "config convert"),
    (_down, "down"),
    (STOPS, "stop restart kill pause unpause scale"),
    (REMOVES, "rm"),
    (_exec, "exec"),
    (_compose_run, "run"),
    (FETCHES, "pull"),
    (SENDS, "push publish"),
    (_copy, "cp"),
    (CHANGES, "commit export alpha bridge"),
]
_COMPOSE_TAKES = (
    "-f --file -p --project-name --profile --env-file --project-directory --ansi --parallel"
)
_FILES = words("-f --file --env-file --project-directory")
_compose_verbs = Verbs(
    _COMPOSE,
    takes=_COMPOSE_TAKES,
    flags="--verbose --compatibility --dry-run --all-resources",
    taints=(PRIVATE,),
)


def _compose(call: Call, args: list[Value]) -> None:
    for one in options(args, words(_COMPOSE_TAKES), first=True).values(*_FILES):
        if one.text == "-":
            call.ask("container.image", "takes its containers from standard input")
        else:
            loads(call, one, "containers of")
    rest = options(args, words(_COMPOSE_TAKES), first=True).operands
    if rest and rest[0].text in ("config", "convert", "build"):
        out = words("-o --output --lock-image-digests-file")
        for one in options(rest[1:], out | {"--format"}).values(*out):
            call.writes(one)
    elsewhere(call, rest, words("-o --output -v --volume"))
    _compose_verbs(call, args)


_DOCKER = Verbs(
    [
        (inspect, "inspect container/inspect service/inspect pod/inspect"),
        (PASS, """ps images logs version info history top stats port diff events search
            wait container/{ls,list,ps,logs,top,stats,port,diff,wait}
            image/{ls,list,inspect,history} volume/{ls,list,inspect} network/{ls,list,inspect}
            system/{df,info,events} context/{ls,show,inspect}
            buildx/{ls,inspect,du,version} manifest/inspect service/{ls,ps,logs}
            stack/{ls,ps,services} node/{ls,ps,inspect} builder/ls scout plugin/{ls,inspect}
            compose/version machine/{ls,list,info,inspect} pod/{ls,ps,list,logs,stats}
            config/{ls,inspect} tag image/tag debug pod/top checkpoint/ls healthcheck"""),
        (_run, "run create container/{run,create}"),
        (_exec, "exec container/exec"),
        (_build, "build image/build buildx/{build,bake} builder/build bud"),
        (_compose, "compose"),
        (_copy, "cp container/cp"),
        (PASS, "start container/start"),
        (STOPS, """stop kill restart pause unpause container/{stop,kill,restart,pause,unpause}
            pod/{stop,kill} machine/{stop,start}"""),
        (_volumes, "volume/{rm,remove}"),
        (REMOVES, """rm rmi container/rm image/rm network/rm remove container/remove
            image/remove network/remove pod/rm machine/rm context/rm secret/rm
            config/rm buildx/rm"""),
        (_prune, "{system,container,image,volume,network,builder,buildx,pod}/prune"),
        (SENDS, "push image/push manifest/push"),
        (FETCHES, "pull image/pull load import image/{load,import} plugin/install machine/init"),
        (CHANGES, """commit rename update save export attach
            container/{commit,rename,update,export,attach} image/save volume/create
            network/{create,connect,disconnect} swarm stack/{deploy,rm}
            service/{create,update,rm,scale,rollback} node/{update,rm,promote}
            context/{create,use,update,import,export} buildx/{create,use,stop}
            manifest/{create,annotate} plugin/{enable,disable,rm,set} config/create
            secret/create pod/create generate play kube machine/{ssh,set,os} unshare mount"""),
        (deny("secret.read", "prints secrets"), "secret/inspect"),
        (PASS, "secret/ls"),
        (LOGIN, "login logout trust"),
    ],
    takes="-c --context --config -l --log-level --namespace -n --url --connection",
    flags="-D --debug --tls --tlsverify",
    taints=(PRIVATE,),
)  # fmt: skip


@program("docker podman nerdctl lima finch")
def docker(call: Call) -> None:
    """Docker and those that speak as it does."""
    takes = words(
        "-c --context -H --host --url --connection --config -l --log-level -n --namespace"
    )
    head = options(call.args, takes, first=True)
    for one in head.values("-H", "--host", "--url", "--connection"):
        if is_url(one.text) and host(one.text) not in LOCAL:
            call.deny("container.remote", f"acts on the containers of {one.shown}")
    for one in head.values("--config"):
        loads(call, one, "plugins and logins of")
    for one in head.values("-c", "--context"):
        if one.text not in ("default", "desktop-linux", "colima", "orbstack", "rootless"):
            call.ask("container.remote", f"acts on the containers of {one.shown}")
    _DOCKER(call)


@program("docker-compose", "podman-compose")
def docker_compose(call: Call) -> None:
    """Compose by its old name."""
    _compose(call, call.args)


_BUILDAH = Verbs(
    [
        (PASS, "images containers inspect version info manifest/inspect ps list-tags"),
        (_build, "build bud build-using-dockerfile"),
        (INSIDE, "run from copy add config commit mount unshare"),
        (SENDS, "push copy sync"),
        (FETCHES, "pull"),
        (REMOVES, "rm rmi prune delete umount"),
        (LOGIN, "login logout"),
    ]
)


@program("buildah skopeo crane img kaniko ko dive")
def buildah(call: Call) -> None:
    """Builds and moves images."""
    flagged(
        call, call.args, each({"--dest-creds --src-creds --creds": LOGIN, "--privileged": ESCAPE})
    )
    _BUILDAH(call)
