"""The person's desktop: windows, browsers, editors, other agents, Tabwire itself."""

import re

from tabwire_guard.call import Call
from tabwire_guard.pattern import pattern
from tabwire_guard.programs.files.changes import opened
from tabwire_guard.programs.registry import program

_CAPTURES = pattern(
    r"x11grab|avfoundation|dshow|/dev/video|gdigrab|https?:|rtmp|tcp:|udp:|pulse|alsa|\|"
)


@program(
    "open xdg-open gio gvfs-open kde-open sensible-browser www-browser x-www-browser wslview "
    "osascript automator shortcuts defaults plutil plistbuddy screencapture scrot "
    "gnome-screenshot xdotool ydotool wmctrl xinput xset pbpaste xmodmap notify-send "
    "softwareupdate mas code cursor antigravity subl atom windsurf zed idea webstorm pycharm "
    "gsettings dconf kwriteconfig5 xdg-settings xdg-mime update-alternatives alternatives "
    "ldconfig locale-gen dpkg-reconfigure debconf-set-selections at-spi arecord ffmpeg sox "
    "rec fswebcam imagesnap"
)
def desktop(call: Call) -> None:
    """The person's desktop, other programs' windows, sound and picture."""
    text = " ".join(call.texts)
    if len(call.args) == 1 and call.texts[0] in (
        "--version",
        "-v",
        "-V",
        "--help",
        "--status",
        "--list-extensions",
        "-version",
    ):
        return
    if call.name == "ldconfig" and call.texts in (["-p"], ["--print-cache"]):
        return
    if call.name == "ffmpeg" and call.args and not _CAPTURES.search(text):
        for at, one in enumerate(call.args):
            if at and call.texts[at - 1] == "-i":
                call.reads(one)
            elif re.search(r"[./]", one.text) and not one.text.startswith("-"):
                call.writes(one)
        return
    if (
        call.name in ("defaults", "gsettings", "dconf", "plutil")
        and call.texts[:1]
        and call.texts[0]
        in ("read", "get", "list-recursively", "list-keys", "-p", "-lint", "domains", "find")
    ):
        return
    if call.name == "gio" and call.texts[:1] in (["trash"], ["remove"]):
        for one in call.args[1:]:
            if not one.text.startswith("-"):
                call.deletes(one, deep=True)
    if call.name == "osascript":
        for one in call.args:
            if found := re.search(r"do shell script\s+\"((?:[^\"\\]|\\.)*)\"", one.text):
                call.script(found[1].replace('\\"', '"'), "osascript", shell="sh")
        if re.search(
            r"administrator privileges|password|keychain|keystroke|System Events|login item",
            text,
            re.I,
        ):
            call.deny(
                "privilege.elevate", "asks for or types passwords, or controls other programs"
            )
    if call.name in _EDITORS:
        for one in call.args:
            if not one.text.startswith("-"):
                opened(call, one)
    if call.name in ("code", "cursor", "antigravity", "windsurf") and "--install-extension" in text:
        call.ask("package.install", "installs an extension")
    if call.name in ("gsettings", "defaults", "spctl") and re.search(
        r"LoginHook|com\.apple\.loginwindow|autorun|lock-enabled false|idle-delay|LSQuarantine"
        r"|screensaver",
        text,
    ):
        call.deny("system.weaken", "weakens or changes what runs automatically")
    if call.name == "screencapture" or call.name in (
        "scrot",
        "gnome-screenshot",
        "imagesnap",
        "fswebcam",
        "arecord",
        "rec",
    ):
        call.deny(
            "secret.screen", "takes pictures or sound from the screen, the camera or the microphone"
        )
    call.ask("desktop", f"{call.name} works on the person's desktop")


_EDITORS = frozenset(
    "code cursor antigravity windsurf subl atom gedit kate mate bbedit xed zed idea pycharm".split()
)


@program(
    "google-chrome google-chrome-stable chrome chromium chromium-browser firefox brave "
    "brave-browser msedge microsoft-edge safari opera vivaldi"
)
def browser(call: Call) -> None:
    """A browser of the person's."""
    text = " ".join(call.texts)
    if call.texts[:1] == ["--version"]:
        return
    if re.search(
        r"--remote-debugging|--load-extension|--disable-web-security|--user-data-dir"
        r"|--no-sandbox.*--remote|--proxy-server|--ignore-certificate|-marionette|--remote-allow",
        text,
    ):
        call.deny("browser.open", "exposes a logged-in browser, or weakens it")
    call.ask("desktop", "opens the person's browser")


@program("tabwire")
def ourselves(call: Call) -> None:
    """Tabwire itself: what guards must not be switched off by what it guards."""
    verb = " ".join(call.texts[:2])
    if re.match(
        r"(?:guard (?:check|explain|test|rules)|status|history|conversations|tabs|doctor|parse"
        r"|logs|--version|--help|sessions list|antigravity status)(?:\s|$)",
        verb + " ",
    ):
        return
    if re.match(r"(?:ask|fetch|export|snapshot|dom|watch|lab|login|mcp|dashboard)\b", verb):
        call.ask("ourselves.use", "uses Tabwire itself")
        return
    call.deny("ourselves.change", "changes or stops what protects this machine")


@program("docker-credential-desktop aws-azure-login saml2aws gcloud-auth kinit klist htpasswd")
def logins(call: Call) -> None:
    """Logging in elsewhere."""
    if call.name == "klist":
        return
    call.ask("secret.login", f"{call.name} logs in somewhere")


@program(
    "claude codex gemini aider cursor-agent goose opencode amp crush droid copilot qwen llm sgpt"
)
def agents(call: Call) -> None:
    """Other agents, which act by themselves."""
    if call.texts[:1] in (["--version"], ["--help"], ["-v"]):
        return
    if re.search(
        r"dangerously|--yolo|--full-auto|bypass|--yes-always|--allow-all|skip-permissions|-y\b"
        r"|auto-approve",
        " ".join(call.texts),
    ):
        call.deny("agent.unguarded", f"{call.name} would act without asking anyone")
    call.ask("agent.run", f"{call.name} acts on its own")


@program("xhost setxkbmap x11vnc vncserver xrdp teamviewer anydesk")
def screens(call: Call) -> None:
    """The screen, for others."""
    call.deny("network.screen", f"{call.name} opens the screen to others")


@program("prctl getcap lscgroup sestatus getenforce aa-status faillog lastb")
def security_read(_call: Call) -> None:
    """How the machine is guarded."""
