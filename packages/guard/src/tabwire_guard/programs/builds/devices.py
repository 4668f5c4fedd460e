"""Phones and boards: what builds for them is a builder; what writes to them asks, or is refused."""

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
    elsewhere,
    flag,
    has,
    loads,
    own,
    script,
)
from tabwire_guard.values import Value

_FLASHES = ask("device.write", "changes what is on the device")
_ERASES = deny("device.erase", "erases the device, or locks it permanently")
_OPENS = deny("device.open", "exposes the device, or reveals what is on it")
_INSTALLS = ask("package.install", "downloads third-party code")
_TALKS = ask("device.talk", "opens a session with the device")

# Phones

_LOOKS_AT = pattern(
    r"getprop(?:\s+[\w.]+)?|dumpsys(?:\s+[\w./-]+){0,2}(?:\s+--?[\w-]+)*|pm\s+(?:list|path)\b[\w\s.:-]*"
    r"|cmd\s+package\s+list\b[\w\s.:-]*|wm\s+(?:size|density)|ps(?:\s+-\w+)*|ls\b[\w\s./-]*"
    r"|df(?:\s+-\w+)*|uptime|date|id|whoami|uname(?:\s+-\w+)*|settings\s+(?:get|list)\b[\w\s]*"
    r"|cat\s+/proc/(?:cpuinfo|meminfo|version|uptime)|top\s+-n\s*1|logcat\s+-d[\w\s:*-]*"
)


def _device_shell(call: Call, args: list[Value]) -> None:
    """`adb shell command`: what reads is let pass, the rest is judged as a script."""
    line = " ".join(one.text for one in args)
    if _LOOKS_AT.fullmatch(line.strip()) and " set " not in line:
        return
    if not args:
        _TALKS.of(call, "adb shell:")
        return
    _FLASHES.of(call, f"adb shell {line[:40]}:")
    if re.search(r"\b(?:pm\s+(?:clear|uninstall)|wipe|recovery|su\b|bootloader)", line):
        _ERASES.of(call, f"adb shell {line[:40]}:")
    call.script_of(Value(line, args[0].taints), "run on the device", shell="sh")


def _logcat(call: Call, args: list[Value]) -> None:
    if flag(args, ("-c", "--clear", "-f", "--file", "-G", "-p")):
        _FLASHES.of(call, "adb logcat:")


_ADB = Verbs(
    [
        (PASS, "devices version help get-state get-serialno get-devpath features host-features"),
        (_logcat, "logcat"),
        (_device_shell, "shell exec-out"),
        (ask("device.start", "starts or stops adb itself"), "start-server kill-server reconnect"),
        (_FLASHES, """install install-multiple install-multi-package uninstall push sync reboot
            forward reverse emu unroot wait-for-device usb"""),
        (ask("device.read", "copies files off the device"), "pull bugreport screencap"),
        (ask("network.connect", "connects to a device over the network"),
            "connect disconnect pair mdns"),
        (_OPENS, "root remount tcpip disable-verity backup restore keygen"),
        (_ERASES, "sideload enable-verity"),
    ],
    takes="-s -t",
    flags="-d -e",
    options={"-a -H -L -P": ask("network.connect", "contacts or serves other machines")},
)  # fmt: skip


@program("adb")
def adb(call: Call) -> None:
    """Android's bridge."""
    if call.texts[:1] in (["-a"], ["-H"], ["-L"], ["-P"]):
        call.ask("network.connect", "contacts another machine, or accepts connections")
        return
    _ADB(call)


_FASTBOOT = Verbs(
    [
        (PASS, "devices getvar help"),
        (ask("device.write", "restarts the device"), "reboot boot continue reboot-bootloader"),
        (
            _ERASES,
            """flash erase format flashing oem flashall update set_active wipe-super
            resize-logical-partition delete-logical-partition create-logical-partition""",
        ),
    ],
    takes="-s",
    options={"-w --wipe": _ERASES},
)


@program("fastboot")
def fastboot(call: Call) -> None:
    """Writes to phones before they start."""
    _FASTBOOT(call)


# Boards

_IDF_PASS = words(
    """build all app bootloader partition-table size size-components size-files reconfigure docs
    app-build uf2 save-defconfig partition_table bootloader-build list-targets"""
)


@program("idf.py")
def idf(call: Call) -> None:
    """Espressif's builder; its verbs stand one after the other."""
    takes = words("-p --port -b --baud -C --project-dir -B --build-dir -G --generator -D")
    said = options(call.args, takes)
    for one in said.values("-C", "--project-dir"):
        loads(call, one, "build scripts of")
    for one in said.values("-B", "--build-dir"):
        if not own(call, one):
            call.ask("option.elsewhere", f"builds in {one.shown}, outside the project")
    if defined := [Value(f"-D{one.text}") for one in said.values("-D")]:
        call.runs([Value("cmake"), *defined], "run by idf.py")
    elsewhere(call, call.args, takes)
    for one in said.operands:
        if one.text.startswith(("erase", "efuse", "secure")):
            _ERASES.of(call, f"{call.said} {one.shown}:")
        elif one.text not in _IDF_PASS:
            _FLASHES.of(call, f"{call.said} {one.shown}:")


def _pio_run(call: Call, args: list[Value]) -> None:
    takes = words("-t --target -e --environment -d --project-dir -c --project-conf -j --jobs")
    said = options(args, takes)
    for one in said.values("-d", "--project-dir", "-c", "--project-conf"):
        loads(call, one, "build settings of")
    for one in said.values("-t", "--target"):
        if one.text.startswith("erase"):
            _ERASES.of(call, f"{call.said} {one.shown}:")
        elif one.text not in words("size buildprog checkprogsize compiledb envdump idedata"):
            _FLASHES.of(call, f"{call.said} {one.shown}:")


def _pio_test(call: Call, args: list[Value]) -> None:
    _pio_run(call, args)
    said = options(args, ("-e", "--environment"))
    where = [one.text for one in said.values("-e", "--environment")]
    here = bool(where) and all(one.startswith(("native", "desktop", "host")) for one in where)
    if not here and not said.has("--without-uploading"):
        _FLASHES.of(call, f"{call.said} test:")


_PIO = Verbs(
    [
        (_pio_run, "run check"),
        (_pio_test, "test"),
        (
            PASS,
            """device/list boards system/info project/{config,metadata} lib/{list,search,show}
            pkg/{list,search,show,outdated} platform/{list,search,show}""",
        ),
        (_INSTALLS, "lib pkg platform upgrade update project init"),
        (_TALKS, "device debug home remote account org team access ci settings system"),
    ],
    files=True,
)


@program("pio", "platformio")
def pio(call: Call) -> None:
    """PlatformIO."""
    _PIO(call)


def _west_build(call: Call, args: list[Value]) -> None:
    takes = words("-b --board -d --build-dir -s --source-dir -t --target -T -o --build-opt -S")
    said = options(args, takes)
    for one in [*said.values("-s", "--source-dir"), *said.operands[:1]]:
        loads(call, one, "build scripts of")
    for one in said.values("-t", "--target"):
        if one.text in ("flash", "debug", "erase"):
            _FLASHES.of(call, f"{call.said} {one.shown}:")
        script(call, one)
    if has(args, ("-o", "--build-opt")):
        call.ask("option.code", "passes options to the builder")
    if handed := after_dashes(args):
        call.runs([Value("cmake"), *handed], "run by west build")


def _west_flash(call: Call, args: list[Value]) -> None:
    (_ERASES if flag(args, ("--erase", "--recover")) else _FLASHES).of(call, "west flash:")


def _west_forall(call: Call, args: list[Value]) -> None:
    call.ask("run.many", "runs a command in every repository")
    for one in options(args, ("-c",)).values("-c"):
        call.script_of(one, "run by west forall")


_WEST = Verbs(
    [
        (_west_build, "build"),
        (_west_flash, "flash"),
        (_west_forall, "forall"),
        (PASS, "list topdir status diff manifest boards shields help compare"),
        (_INSTALLS, "update init sdk blobs packages patch"),
        (_TALKS, "debug debugserver attach rtt simulate"),
        (ask("package.settings", "changes settings of west"), "config"),
    ],
    flags="-v -q -vv",
    options={"--cmake-opt": ask("option.code", "passes options to the builder")},
    files=True,
)


@program("west")
def west(call: Call) -> None:
    """Zephyr's tool."""
    _WEST(call)


def _arduino_compile(call: Call, args: list[Value]) -> None:
    if flag(args, ("--upload", "-u")):
        _FLASHES.of(call, "arduino-cli compile --upload:")
    takes = words("-b --fqbn --build-path --output-dir --warnings -p --port --libraries --library")
    for one in options(args, takes).operands:
        loads(call, one, "the sketch")


_ARDUINO = Verbs(
    [
        (_arduino_compile, "compile"),
        (
            PASS,
            """version board/{list,details,listall,search} core/{list,search}
            lib/{list,search,deps,examples} config/dump outdated sketch/new""",
        ),
        (_INSTALLS, "core lib upgrade update cache config"),
        (_FLASHES, "upload"),
        (_TALKS, "monitor debug daemon board sketch"),
        (_ERASES, "burn-bootloader"),
    ],
    options={
        "--build-property --build-properties --board-options --config-file --additional-urls": ask(
            "option.code", "changes what it compiles with or where from"
        ),
    },
    takes="--config-file --log-level --format",
    flags="-v --verbose --json",
    files=True,
)


@program("arduino-cli")
def arduino(call: Call) -> None:
    """Arduino."""
    _ARDUINO(call)


_LOOKS = pattern(
    r"chip[_-]id|flash[_-]id|read[_-]mac|version|image[_-]info|summary|dump|list|info|probe|help"
    r"|-{1,2}(?:list|help|version|probe|info|h|V)"
)
_GONE = pattern(
    r".*(?:erase|burn|[a-z]fuse|efuse|unlock|lockbits?|lock:|recover|mass|readprotect"
    r"|write[_-]protect|opt=|\bw\s*0x).*",
    re.IGNORECASE,
)


@program("esptool esptool.py espefuse espefuse.py espsecure espsecure.py avrdude openocd st-flash")
@program("st-info dfu-util nrfjprog jlinkexe jlink probe-rs picotool pyocd stm32flash bossac")
@program("i2cset flashcp nandwrite flash_erase ubiformat mtd_debug teensy_loader_cli")
def flashers(call: Call) -> None:
    """Write programs, settings and fuses into chips."""
    takes = words("-p --port -b --baud -c --chip --before --after -f -P -U -d")
    plain = options(call.args, takes).operands
    said = plain[0].text if plain else call.texts[0] if call.args else ""
    if call.name == "st-info" or (len(plain) <= 1 and _LOOKS.fullmatch(said)):
        return
    if call.name in ("flash_erase", "ubiformat") or any(_GONE.fullmatch(x) for x in call.texts):
        _ERASES.of(call, f"{call.said}:")
    else:
        _FLASHES.of(call, f"{call.said}:")
