"""Builders of applications: Java, Apple, Dart."""

import re

from tabwire_guard.call import Call
from tabwire_guard.options import options
from tabwire_guard.pattern import pattern
from tabwire_guard.programs.packages.languages import CLEAN
from tabwire_guard.programs.packages.sources import INSTALL, PUBLISH, REMOVE, UPGRADE, file
from tabwire_guard.programs.registry import program, words
from tabwire_guard.programs.verbs import (
    PASS,
    Verbs,
    ask,
    each,
    elsewhere,
    flagged,
    has,
    loads,
    loads_in,
    outside,
    script,
)
from tabwire_guard.values import Value

# Java

_AGENTS = pattern(
    r"-(?:javaagent|agentpath|agentlib|Xrun)|-XX:(?:On\w+=|Flags=|VMOptionsFile)|-Xbootclasspath|@/"
)
_SWAPS = pattern(
    r"(?:maven\.ext\.class\.path|exec\.|maven\.repo\.remote|altDeployment|jvm=|java\.home"
    r"|maven\.compiler\.executable)"
)


def _properties(call: Call, args: list[Value]) -> None:
    """`-Dname=value`: some name what Java loads first, or what is run."""
    for one in args:
        if _SWAPS.match(one.text):
            call.deny("option.code", f"-D{one.shown} makes {call.said} run or send something else")
        elif _AGENTS.search(one.text):
            call.deny("option.code", f"-D{one.shown} loads other code into Java")
        elif re.match(r"org\.gradle\.(?:jvmargs|java\.home)|init", one.text):
            call.ask("option.code", "changes the Java that runs the build")
        elif (path := outside(call, one)) is not None:
            call.ask("option.elsewhere", f"{path.shown} does not belong to the project")


_DEFINES = words("-D --define -P --system-prop --project-prop -J")


def _defined(args: list[Value]) -> list[Value]:
    """What stands in `-Dname=value`, `-D name=value`, `--define name=value`, `-J-X`."""
    found = []
    for at, one in enumerate(args):
        name = one.text.partition("=")[0]
        if one.text in _DEFINES and args[at + 1 :]:
            found.append(args[at + 1])
        elif name in _DEFINES and one.text.startswith("--"):
            found.append(one._replace(text=one.text.partition("=")[2]))
        elif re.match(r"-[DPJ].", one.text):
            found.append(one._replace(text=one.text[2:]))
    return found


_PHASES = words(
    """validate initialize generate-sources process-sources generate-resources process-resources
    compile process-classes generate-test-sources test-compile test prepare-package package
    pre-integration-test integration-test verify install"""
)
_GOALS = pattern(
    r"(?:dependency:(?:tree|analyze\S*|list|resolve|build-classpath)|versions:display-\S+|help:\S+"
    r"|(?:spotless|fmt|formatter|checkstyle|spotbugs|pmd|enforcer|license|jacoco|surefire|failsafe"
    r"|compiler|resources|jar|war|javadoc|source):[\w-]+"
    r"|(?:spring-boot|quarkus|jetty|micronaut|mn):(?:run|dev|test|build)|archetype:crawl)$"
)


@program("mvn", "mvnw", "mvnd", runs_project=True)
def mvn(call: Call) -> None:
    """Maven: phases, and goals of plugins."""
    takes = words(
        """-f --file -s --settings -gs --global-settings -pl --projects -P -T -l --log-file -t -rf
        --toolchains -gt --global-toolchains -D --define -b --builder --threads --resume-from
        --activate-profiles"""
    )
    said = options(call.args, takes, single=True)
    loading = words(
        "-f --file -s --settings -gs --global-settings -t --toolchains -gt --global-toolchains"
    )
    for one in said.values(*loading):
        loads(call, one, "settings of")
    for one in said.values("-l", "--log-file"):
        call.writes(one)
    _properties(call, _defined(call.args))
    elsewhere(call, call.args, loading | words("-l --log-file -D --define -P"))
    goals = said.operands
    for one in goals:
        if one.text == "clean":
            if len(goals) == 1:
                CLEAN.of(call, "mvn clean:")
        elif one.text == "deploy" or re.match(
            r"release:|deploy:|nexus|versions:(?:set|use|update)", one.text
        ):
            PUBLISH.of(call, f"mvn {one.shown}:")
        elif one.text not in _PHASES and not _GOALS.match(one.text):
            call.ask("unknown.verb", f"the effect of mvn {one.shown} is unknown")


@program("gradle", "gradlew", "gradlew.bat", runs_project=True)
def gradle(call: Call) -> None:
    """Gradle: tasks by name."""
    takes = words(
        """-I --init-script -b --build-file -c --settings-file -p --project-dir --include-build -g
        --gradle-user-home -x --exclude-task --tests --console --max-workers --project-cache-dir"""
    )
    said = options([one for one in call.args if not re.match(r"-[DP]\w", one.text)], takes)
    for one in said.values(*(takes - words("-x --exclude-task --tests --console --max-workers"))):
        loads(call, one, "build scripts of")
    if said.has("-I", "--init-script"):
        call.ask("option.code", "runs another build script first")
    if said.has("--scan"):
        call.ask("network.report", "sends a report of the build to gradle.com")
    _properties(call, _defined(call.args))
    elsewhere(call, call.args, takes | words("-D -P --system-prop --project-prop"))
    names = [one for one in said.operands if one.known]
    for one in said.operands:
        task = one._replace(text=one.text.rpartition(":")[2])
        if task.text == "clean" and len(names) > 1:
            continue
        if not re.match(
            r"(?:test|check|build|assemble|compile|dependenc|lint|bundle|spotlessApply"
            r"|spotlessCheck)",
            task.text,
        ):
            script(call, task)


@program("sbt mill lein ant scala-cli", runs_project=True)
def sbt(call: Call) -> None:
    """Builders of the Java world that take commands as words."""
    _properties(call, _defined(call.args))
    elsewhere(call, call.args, words("-D -J"))
    for one in options(call.args, words("-f -buildfile")).operands:
        if call.name == "scala-cli" and re.search(r"[/:]|\.(?:sc|scala|java)$", one.text):
            file(call, one)
            continue
        for text in one.text.split(";"):
            name = text.split()[0] if text.split() else ""
            if name in ("eval", "set", "!", "runMain", "console", "exec", "repl"):
                call.ask("run.inline", f"{call.said} runs the contents of {one.shown}")
            elif name:
                script(call, one._replace(text=name))
    flagged(
        call,
        call.args,
        each({"-f -buildfile -Dsbt.global.base": ask("option.code", "names a build")}),
    )


# Apple, Dart


def _file(call: Call, args: list[Value]) -> None:
    if re.search(r"\.(?:dart|swift)$", args[0].text):
        call.ask("run.file", f"{call.said} runs {args[0].shown}, whose effect is unknown")
    else:
        call.ask("unknown.verb", f"the effect of {call.said} {args[0].shown} is unknown")


def _run(call: Call, args: list[Value]) -> None:
    """`dart run`: the project's own program, or a file."""
    for one in options(args, words("-t --target -d --device-id --flavor"), first=True).operands[:1]:
        if call.name != "flutter" and re.search(r"[/\\]|\.dart$", one.text):
            file(call, one)


_SWIFT = Verbs(
    [
        (PASS, """build test run format
            package/{describe,show-dependencies,dump-package,init,plugin,
            tools-version,completion-tool} lint"""),
        (INSTALL, "package/{resolve,update,edit,unedit} sdk"),
        (CLEAN, "package/{clean,reset,purge-cache}"),
        (ask("run.typed", "runs whatever is typed into it"), "repl"),
    ],
    options={
        "-Xcc -Xswiftc -Xcxx --toolset --toolchain --destination": ask(
            "option.code", "passes options to the compiler, or names another"
        ),
    },
    other=_file,
    bare=ask("run.typed", "runs whatever is typed into it"),
    files=True,
)  # fmt: skip
_FLUTTER = Verbs(
    [
        (_run, "run"),
        (PASS, """analyze test build doctor devices emulators format logs gen-l10n create
            pub/{deps,outdated} config/--list assemble drive symbolize screenshot fix compile
            info doc deps outdated"""),
        (INSTALL, "pub/{get,add,upgrade,downgrade,global,cache} precache packages get add install"),
        (REMOVE, "pub/remove remove"),
        (CLEAN, "clean"),
        (PUBLISH, "pub/publish publish pub/lish"),
        (UPGRADE, "upgrade channel downgrade config"),
    ],
    flags="-v --verbose --no-version-check --disable-analytics",
    other=_file,
    dry="--dry-run -n",
    files=True,
)  # fmt: skip


@program("swift", runs_project=True)
def swift(call: Call) -> None:
    """Swift's package manager."""
    flagged(
        call,
        call.args,
        each(
            {
                "--disable-sandbox -Xlinker": ask(
                    "option.unsafe", "disables a sandbox, or passes linker options"
                )
            }
        ),
    )
    _SWIFT(call)


@program("flutter", "dart", "pub", runs_project=True)
def flutter(call: Call) -> None:
    """Flutter and Dart."""
    for one in options(call.args).operands:
        if (path := outside(call, one)) is not None:
            call.ask("run.elsewhere", f"{path.shown} does not belong to the project")
    _FLUTTER(call)


@program("xcodebuild xcrun xctest pod carthage tuist xcodegen", runs_project=True)
def xcode(call: Call) -> None:
    """Apple's builders."""
    if call.name == "xcrun":
        command = options(call.args, words("--sdk --toolchain"), first=True).operands
        if command and command[0].text not in words("simctl altool notarytool stapler devicectl"):
            call.runs(command, "run by xcrun")
        elif command and [one.text for one in command[:2]] != ["simctl", "list"]:
            call.ask("unknown.verb", f"xcrun {command[0].shown} acts on devices or uploads")
        return
    if call.name in ("pod", "carthage", "tuist"):
        if call.texts[:1] not in (
            ["--version"],
            ["outdated"],
            ["list"],
            ["lib"],
            ["generate"],
            ["search"],
        ):
            INSTALL.of(call, f"{call.said}:")
        return
    said = [text for text in call.texts if not text.startswith("-")]
    if "clean" in said and not {"build", "test", "archive"} & set(said):
        CLEAN.of(call, "xcodebuild clean:")
    if has(call.args, words("-exportArchive -exportNotarizedApp -allowProvisioningUpdates")):
        PUBLISH.of(call, "xcodebuild -exportArchive:")
    loads_in(call, call.args, words("-xcconfig"))
    out = words("-derivedDataPath -resultBundlePath -archivePath")
    settings = [one for one in call.args if re.match(r"\w+=", one.text)]
    for one in options(call.args, out, single=True).values(*out):
        call.writes(one)
    elsewhere(call, call.args, out)
    for one in settings:
        if outside(call, one) is not None or re.match(r"(?:CC|CXX|LD|SWIFT_EXEC|AR)=", one.text):
            call.ask("option.code", f"{one.shown} may name a program that the build runs")
