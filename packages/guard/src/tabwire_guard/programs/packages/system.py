"""What installs programs on the machine itself, and what switches between versions of them."""

import re

from tabwire_guard.call import Call
from tabwire_guard.options import options
from tabwire_guard.pattern import pattern
from tabwire_guard.programs.packages.sources import CACHE, REGISTRY, UPGRADE
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
    is_url,
    script,
)
from tabwire_guard.values import Value

INSTALL = ask("system.install", "installs programs on this machine")
REMOVE = ask("system.remove", "removes programs from this machine")
SOURCE = deny(REGISTRY, "changes where the system's programs come from")

_APT = Verbs(
    [
        (PASS, """list show search policy depends rdepends changelog showpkg madison dumpavail stats
            pkgnames showsrc unmet rdepend check moo"""),
        (INSTALL, """install update upgrade dist-upgrade full-upgrade reinstall build-dep download
            source satisfy"""),
        (REMOVE, "remove purge autoremove autopurge"),
        (CACHE, "clean autoclean distclean"),
        (SOURCE, "edit-sources"),
    ],
    flags="""-q -qq -y --yes --assume-yes --no-install-recommends -s --simulate --dry-run -a
        --installed""",
    options={
        "-o --option -c --config-file": deny("option.code", "may name a program to run as root"),
        "--allow-unauthenticated --force-yes --allow-downgrades --allow-insecure-repositories":
            deny("system.unchecked", "installs unsigned packages"),
    },
    dry="-s --simulate --dry-run --just-print --no-act",
)  # fmt: skip
_DNF = Verbs(
    [
        (PASS, """list info search repolist repoinfo check-update provides whatprovides history
            repoquery deplist updateinfo check grouplist group/{list,info} module/list"""),
        (INSTALL, """install update upgrade reinstall localinstall downgrade group makecache
            distro-sync"""),
        (REMOVE, "remove erase autoremove"),
        (CACHE, "clean"),
        (SOURCE, "config-manager copr"),
    ],
    flags="-y --assumeyes -q --quiet -C --cacheonly",
    options={
        "--nogpgcheck --no-gpg-checks": deny("system.unchecked", "installs unsigned packages"),
        "--repofrompath -c --config --setopt": SOURCE,
    },
)  # fmt: skip
_APK = Verbs(
    [
        (PASS, "info search list policy stats version dot audit verify"),
        (INSTALL, "add update upgrade fix fetch"),
        (REMOVE, "del"),
        (CACHE, "cache"),
    ],
    options={
        "--allow-untrusted": deny("system.unchecked", "installs unsigned packages"),
        "-X --repository": SOURCE,
    },
)
_SNAP = Verbs(
    [
        (
            PASS,
            """list find info version changes services search remotes ps history remote-ls
            connections interfaces get warnings known""",
        ),
        (INSTALL, "install refresh update try download enable"),
        (REMOVE, "remove uninstall disable revert"),
        (SOURCE, "remote-add remote-modify remote-delete ack"),
        (
            ask("system.change", "changes a program's permissions"),
            "connect disconnect set override",
        ),
        (ask("package.run", "runs an installed application"), "run"),
        (ask("system.service", "starts or stops services"), "start stop restart"),
    ],
)
_BREW = Verbs(
    [
        (PASS, """list ls info search deps uses outdated doctor config leaves desc cat log missing
            options commands services/{list,info} formulae casks --prefix --cellar --cache
            --repository --env shellenv home-url tap-info which-formula livecheck audit style
            bundle/{list,check} analytics/state"""),
        (INSTALL, """install reinstall upgrade update link unlink pin unpin fetch bundle postinstall
            bundle/{install,dump} switch migrate"""),
        (REMOVE, "uninstall remove rm autoremove bundle/cleanup"),
        (CACHE, "cleanup"),
        (ask(REGISTRY, "takes programs from another place"), "tap untap tap-new extract"),
        (ask("system.service", "starts or stops services, also at login"),
            "services/{start,stop,restart,run,kill,cleanup}"),
        (ask("run.typed", "runs something in brew's environment"), "sh ruby irb edit create"),
    ],
    flags="-v --verbose -q --quiet -d --debug",
    dry="--dry-run -n",
)  # fmt: skip
_ZYPPER = Verbs(
    [
        (PASS, "search se info if list-updates lu repos lr packages pa patterns products"),
        (INSTALL, "install in update up dup patch refresh ref"),
        (REMOVE, "remove rm"),
        (SOURCE, "addrepo ar removerepo rr modifyrepo mr"),
    ],
    flags="-n --non-interactive -q",
)


_ESSENTIAL = pattern(
    r"(?:systemd|libc6?|glibc|python3?|bash|coreutils|sudo|linux-\S+|kernel\S*|dpkg|apt|rpm|dnf|base"
    r"|openssh-server|network-manager|util-linux|grub\S*|init|login|passwd|openssl|libssl\S*)[*]?$"
)
_AWAY = words("remove purge autoremove erase -R -Rs -Rns -Rdd -r -P -e")


def _essential(call: Call) -> None:
    """Without these the machine does not start, or nobody gets in."""
    shown = [one.shown for one in call.args]
    for name in shown if not _AWAY.isdisjoint(shown) else ():
        if _ESSENTIAL.match(name):
            call.deny("system.essential", f"{call.said} removes {name}, which the machine needs")


@program("apt", "apt-get", "apt-cache", "aptitude")
def apt(call: Call) -> None:
    """Debian's package managers."""
    _essential(call)
    _APT(call)


@program("apt-key", "add-apt-repository", "apt-add-repository")
def apt_sources(call: Call) -> None:
    """Whom the system trusts to install programs."""
    if call.texts[:1] not in (["list"], ["--list"], ["-L"], ["finger"], ["--help"]):
        SOURCE.of(call, f"{call.said}:")


_QUERIES = words(
    """-f -S -p --file --search --whatprovides --provides -L -s -l -q -qf -qlp -qp -qip -ql -qi -Qo
    -Qi -Ql -Q -Qp --listfiles --status -qpl -qpi -V -I -c -K --owns --info --contents"""
)


@program("dpkg rpm pacman yay paru")
def letters(call: Call) -> None:
    """Package managers whose verbs are letters."""
    _essential(call)
    reading = {
        "dpkg": r"-[lLsSpIcCV]\b|--(?:list|listfiles|status|search|print-avail|info|contents|audit"
        r"|verify|get-selections|print-architecture|version|compare-versions|help)\b",
        "rpm": r"-q|--query|-V|--verify|--version|--showrc|-K|--checksig|--eval|--help",
    }.get(call.name, r"-Q(?![a-z]*k)|-S[sigl]+\b|-F|--version|-V\b|-T|-h\b|-Q|--query")
    first = next((text for text in call.texts if text.startswith("-")), "")
    commands = words("--pipe --pre-invoke --post-invoke --status-logger --path-exclude-command")
    out = words("--log --logfile")
    said = options(call.args, commands | out | words("-E --eval --qf --queryformat -f --root"))
    for one in said.values(*commands):
        call.ask("option.code", f"{call.said} also runs a command")
        call.script_of(one, f"run by {call.said}")
    for one in said.values(*out):
        call.writes(one)
    elsewhere(call, call.args, _QUERIES | out)
    if call.name == "rpm" and flag(
        call.args, words("-E --eval -D --define --macros --load --rcfile")
    ):
        call.ask("run.inline", "rpm runs macros")
    if not first or not re.match(reading, first):
        INSTALL.of(call, f"{call.said} {first}:")
    if has(call.args, ("--force-all", "--nodeps", "--nosignature", "--force-depends")):
        call.deny("system.unchecked", f"{call.said} skips its checks")


@program("dpkg-query", "apt-file", "apt-mark", "dpkg-deb")
def asks_dpkg(call: Call) -> None:
    """Says what is installed."""
    if call.name == "apt-mark" and not (call.texts[:1] and call.texts[0].startswith("show")):
        call.ask("system.change", "apt-mark changes what may be upgraded")
    reading = r"-[cIWf]|--(?:contents|info|show|field|fsys-tarfile|ctrl-tarfile|help|version)"
    if call.name == "dpkg-deb" and not any(re.match(reading, text) for text in call.texts[:1]):
        call.ask("unknown.verb", "dpkg-deb unpacks or builds a package")
    elsewhere(call, call.args, _QUERIES | words("-W --show"))


@program("yum", "dnf", "microdnf")
def dnf(call: Call) -> None:
    """Red Hat's package managers."""
    _essential(call)
    _DNF(call)


@program("apk")
def apk(call: Call) -> None:
    """Alpine's package manager."""
    _APK(call)


@program("snap", "flatpak")
def snap(call: Call) -> None:
    """Applications in a box."""
    _SNAP(call)


@program("brew")
def brew(call: Call) -> None:
    """Homebrew."""
    if call.texts and call.texts[0] in ("--prefix", "--cellar", "--cache", "--repository", "--env"):
        return
    if call.texts[:1] == ["install"] and any(is_url(text) for text in call.texts):
        call.deny("run.remote", "brew would run a formula straight from a URL")
    _BREW(call)


@program("zypper port emerge xbps-install eopkg pkg pkg_add")
def others(call: Call) -> None:
    """Package managers one meets less."""
    if call.name == "zypper":
        _ZYPPER(call)
    elif not call.texts or call.texts[0] not in words("list installed search info query outdated"):
        INSTALL.of(call, f"{call.said}:")


# Nix


def _flake(call: Call, args: list[Value]) -> None:
    """Builds or shows a flake: the project's own, or one from elsewhere."""
    said = options(args, words("-f --file -o --out-link --arg --argstr -I --override-input"))
    elsewhere(call, args)
    if flag(args, words("--expr -E --impure --option")):
        call.ask("run.inline", "nix builds an expression given in its arguments")
    for one in said.operands:
        if is_url(one.text) or re.match(r"[\w-]+[/:#]|flake:", one.text):
            call.ask("package.install", f"nix fetches and builds {one.shown}")


def _develop(call: Call, args: list[Value]) -> None:
    _flake(call, [one for one in args if one.text != "--"][:1])
    for at, one in enumerate(args):
        if one.text in ("-c", "--command") and args[at + 1 :]:
            call.runs(args[at + 1 :], "run by nix")
            return


_NIX = Verbs(
    [
        (
            _flake,
            "build eval log path-info why-depends derivation flake/{show,check,metadata,info}",
        ),
        (
            PASS,
            "search fmt store/{ls,cat,ping,info} profile/{list,history} doctor registry/list help",
        ),
        (PASS, "config/show show-config hash"),
        (_develop, "develop print-dev-env"),
        (ask("package.run", "downloads a program and runs it"), "run shell bundle"),
        (
            INSTALL,
            "profile/{install,add,upgrade} flake/{update,lock,init,new,clone} copy upgrade-nix",
        ),
        (
            REMOVE,
            "profile/{remove,rollback,wipe-history} store/{gc,delete,optimise} collect-garbage",
        ),
        (SOURCE, "registry/{add,pin,remove} channel"),
    ],
    takes="--extra-experimental-features --experimental-features",
    flags="-v --verbose --quiet --offline -L --print-build-logs",
    options={"--option": ask("option.code", "changes how nix builds")},
)


@program("nix")
def nix(call: Call) -> None:
    """Nix."""
    _NIX(call)


@program("nix-shell nix-env nix-build nix-store nix-channel nix-collect-garbage")
@program("nix-instantiate", "nixos-rebuild", "home-manager")
def old_nix(call: Call) -> None:
    """Nix as it was."""
    if call.name == "nix-env" and re.match(r"-q|--query", "".join(call.texts[:1])):
        return
    if call.name == "nix-store" and re.match(r"-q|--query|--verify", "".join(call.texts[:1])):
        return
    for at, one in enumerate(call.args[:-1]):
        if one.text in ("--run", "--command"):
            call.script_of(call.args[at + 1], f"run by {call.said}")
    INSTALL.of(call, f"{call.said}:")


# Versions of languages


def _exec(call: Call, args: list[Value]) -> None:
    """`pyenv exec python`, `mise exec -- cmd`, `nvm exec 20 cmd`."""
    command = after_dashes(args) or options(args, words("--using -C -j"), first=True).operands
    if call.name in ("nvm", "fnm") and not after_dashes(args) and not has(args, ("--using",)):
        command = (
            command[1:]
            if command and re.match(r"[v\d]|lts|node|system", command[0].text)
            else command
        )
    if command:
        call.runs(command, f"run by {call.said}")


def _task(call: Call, args: list[Value]) -> None:
    for one in options(args).operands[:1]:
        script(call, one)


_VERSIONS = Verbs(
    [
        (PASS, """ls list ls-remote list-remote current which version versions version-remote use
            whence where env shims root prefix doctor info list-all latest list/all activate
            plugin/list plugins/{ls,list,ls-remote} tasks hook-env outdated bin-paths hooks commands
            deactivate version-name version-file path help alias/ls cfg settings/ls c
            completions default-version offline selfupdate/--help"""),
        (_exec, "exec x run-with"),
        (_task, "run r tasks/run"),
        (ask("package.install", "installs a version of a language or tool"), """install i update
            upgrade plugin plugin/{add,install,update} plugins/{add,install,update} up
            self-update selfupdate reinstall-packages install-latest-npm fetch pin setup
            migrate"""),
        (ask("package.remove", "removes a version of a language or tool"),
            "uninstall remove rm prune implode unload flush plugin/remove cache"),
        (ask("package.settings", "changes which version is used"), """local global set unset alias
            unalias default shell reshim rehash link unlink settings set-default use-global
            generate config"""),
        (ask("package.trust", "lets the project's settings run automatically"), "trust untrust"),
    ],
    flags="-q --quiet -v --verbose -y --yes --silent --no-colors",
)  # fmt: skip


@program("nvm fnm pyenv asdf mise rtx volta rbenv nodenv goenv n")
@program("sdk jenv tfenv rvm ghcup proto swiftly fvm chruby jabba nodebrew")
def versions(call: Call) -> None:
    """Switches between versions of languages."""
    if (call.name == "mise" and call.texts[:1] == ["use"]) or (call.name == "n" and call.args):
        UPGRADE.of(call, f"{call.said}:")
        return
    flagged(call, call.args, each({"--mirror --node-dist-mirror": SOURCE}))
    _VERSIONS(call)
