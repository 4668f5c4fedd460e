"""Programs that talk to other machines: what they send, and what they bring."""

import re

from tabwire_guard.call import Call
from tabwire_guard.paths import absolute
from tabwire_guard.pattern import pattern
from tabwire_guard.programs.registry import program, words
from tabwire_guard.values import HOLE, REMOTE, Value

_LOOPBACK = pattern(
    r"localhost|127(?:\.\d+){3}|\[?::1\]?|0\.0\.0\.0|host\.docker\.internal|[\w-]+\.localhost", re.I
)
_METADATA = pattern(r"169\.254\.169\.254|metadata\.google|fd00:ec2|100\.100\.100\.200", re.I)


def host_of(url: str) -> str:
    """The host of an address, also of one without `http://`."""
    from urllib.parse import urlsplit  # most commands name no address

    if "://" not in url:
        url = f"http://{url}"
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def is_local(url: str) -> bool:
    """Whether an address is on this machine."""
    url = url.replace("[::1]", "localhost")
    host = host_of(url)
    return HOLE not in host and bool(_LOOPBACK.fullmatch(host)) and not _DOORS.search(url)


_DOORS = pattern(r"^(?:\w+://)?(?:[^/@]*@)?[^/:]*:(?:922[2-9]|237[56]|10250)(?!\d)")
"""Debugging ports of browsers and node, Docker, kubelet: who talks there owns what is behind."""


_CURL_TAKES = words(
    "-X --request -H --header -d --data --data-raw --data-binary --data-ascii --data-urlencode "
    "--json -F "
    "--form --form-string -T --upload-file -o --output --output-dir -u --user -A --user-agent -e "
    "--referer "
    "-b --cookie -c --cookie-jar -K --config -m --max-time --connect-timeout --retry "
    "--retry-delay -w "
    "--write-out -x --proxy -E --cert --key --cacert --capath -r --range -C --continue-at -U "
    "--resolve "
    "--unix-socket --abstract-unix-socket -Q --quote -t -y -Y -z -D --dump-header --url "
    "--interface "
    "--limit-rate --max-redirs --proto --tls-max --ciphers --dns-servers --url-query --variable "
    "--aws-sigv4 "
    "--connect-to --doh-url --engine --hsts --krb --libcurl --netrc-file --oauth2-bearer "
    "--preproxy --stderr --trace --trace-ascii"
)
_BODY = (
    "-d",
    "--data",
    "--data-raw",
    "--data-binary",
    "--data-ascii",
    "--data-urlencode",
    "--json",
    "-F",
    "--form",
    "--form-string",
    "--url-query",
    "-H",
    "--header",
    "-u",
    "--user",
    "-b",
    "--cookie",
    "-A",
    "--user-agent",
    "-e",
    "--referer",
    "--oauth2-bearer",
)


_CURL_KNOWN = _CURL_TAKES | words(
    "-s -S -f -L -i -I -v -k -g -G -N -# -4 -6 -0 -O -J -R -q -j -a -n -h -V -p -l --silent "
    "--show-error --fail --location --include --head --verbose --insecure --get --no-buffer "
    "--compressed --http1.1 --http2 --remote-name --remote-header-name --fail-with-body "
    "--create-dirs --netrc --globoff --progress-bar --no-progress-meter --tlsv1.2 --tlsv1.3 --ipv4 "
    "--ipv6 --retry-all-errors --retry-connrefused --parallel --path-as-is --append --basic "
    "--digest --anyauth --raw --help"
)


@program("curl", "curlie")
def curl(call: Call) -> None:
    """Fetches and sends."""
    said = call.options(_CURL_TAKES)
    if said.has("--version", "-V", "--help", "-h"):
        return
    urls = [*said.operands, *said.values("--url")]
    body = [value for name, value in said.said if value is not None and name in _BODY]
    for name, value in said.said:
        if value is None:
            continue
        file = re.search(r"(?:^|=)[@<](.+)$", value.text)
        if file and name in _BODY and name not in ("--data-raw", "--form-string"):
            path = value._replace(text=file[1].split(";")[0])
            call.reads(path)
            body.append(value._replace(taints=value.taints | call.output.taints))
        elif name in ("-T", "--upload-file", "--cert", "-E", "--key", "--netrc-file"):
            call.reads(value)
            if name in ("-T", "--upload-file"):
                body.append(value._replace(taints=value.taints | call.output.taints))
        elif name in ("-o", "--output", "-D", "--dump-header", "-c", "--cookie-jar", "--trace",
                      "--trace-ascii", "--libcurl", "--stderr", "--hsts"):  # fmt: skip
            call.writes(value)
    local = bool(urls) and all(is_local(one.text) for one in urls)
    if unknown := said.unlike(_CURL_KNOWN):
        call.ask("unknown.option", f"`curl {unknown}` is not known")
    for name in ("-K", "--config", "--engine"):
        if said.has(name):
            call.ask("run.option", f"`curl {name}` reads its options from a file")
    if said.has("--unix-socket", "--abstract-unix-socket"):
        call.deny("container.socket", "talks to a service of the system")
    if said.has("-x", "--proxy", "--preproxy", "--doh-url", "--connect-to", "--resolve"):
        call.ask("network.proxy", "sends it through a proxy")
        local = False
    headers = ("-H", "--header", "-u", "--user", "-b", "--cookie", "--oauth2-bearer")
    usual = [
        value for name, value in said.said if value is not None and name in headers and value.holed
    ]
    body = [one for one in body if one not in usual]
    if usual and not local:
        call.ask("secret.header", "sends a password or token to another machine")
    for one in said.values("-X", "--request"):
        _method(call, one)
    _fetches(call, urls, body, local=local, looks=said.has("-I", "--head"))
    if said.has("-n", "--netrc", "--netrc-file"):
        call.ask("secret.read", "sends passwords from a file")
    downloads = [*said.values("-o", "--output")]
    if said.has("-O", "--remote-name"):
        downloads += [Value("./" + one.text.rsplit("/", 1)[-1]) for one in urls]
    for one in downloads:
        if one.text not in ("-", "/dev/null"):
            downloaded(call, one)


@program("wget", "wget2", "aria2c", "axel")
def wget(call: Call) -> None:
    """Downloads."""
    said = call.options(
        words(
            "-O --output-document -o -a -P --directory-prefix -i --input-file -U --user-agent "
            "--header "
            "--post-data --post-file --body-data --body-file --method -e --execute --user "
            "--password -t -T "
            "--config --use-askpass -d --dir -Q -w --limit-rate -A -R -D -l --load-cookies "
            "--save-cookies --ca-certificate"
        )
    )
    if said.has("--version", "--help", "-V"):
        return
    urls = said.operands
    body = [*said.values("--post-data", "--body-data", "--header", "--user", "--password")]
    for one in said.values("--post-file", "--body-file"):
        call.reads(one)
        body.append(one._replace(taints=one.taints | call.output.taints))
    if said.has("-e", "--execute", "--use-askpass", "--config"):
        call.ask("run.option", "takes settings that can run programs")
    if any(name.startswith("--on-") for name in said.names()):
        call.deny("run.option", f"`{call.name} --on-…` runs a program")
    for one in said.values("--method"):
        _method(call, one)
    spider = said.has("--spider")
    _fetches(
        call, urls, body, local=bool(urls) and all(is_local(one.text) for one in urls), looks=spider
    )
    out = next(said.values("-O", "--output-document"), None)
    if spider or (out is not None and out.text in ("-", "/dev/null", "/dev/stdout")):
        return
    folder = next(said.values("-P", "--directory-prefix", "--dir"), Value("."))
    names = (
        [out]
        if out is not None
        else [Value(f"{folder.text}/{one.text.rsplit('/', 1)[-1]}") for one in urls]
    )
    for one in names:
        call.writes(one)
        downloaded(call, one)


def downloaded(call: Call, path: Value) -> None:
    """A file that came over the network."""
    if full := absolute(path.text, call.state):
        call.state.downloads.add(full)
    call.ask("download.file", f"downloads {path.shown}")


_DOES = pattern(
    r"/_(?:delete_by_query|all)\b|/(?:actuator/)?(?:shutdown|restart|quit\w*|terminate)/?(?:$|\?)"
    r"|/_?(?:flush|drop|purge|truncate)\w*/?(?:$|\?)",
    re.I,
)
_CONTAINERS = pattern(r"(?:\w+://)?[^/]*:237[56](?:/|$)")


def _method(call: Call, method: Value) -> None:
    if not method.known or method.text.upper() in ("DELETE", "PURGE"):
        call.ask("network.delete", "asks a service to delete something")


def _fetches(call: Call, urls: list[Value], body: list[Value], *, local: bool, looks: bool) -> None:
    for one in urls:
        if one.text.lower().startswith(
            ("file:", "scp:", "sftp:", "smb:", "ldap:", "dict:", "gopher:")
        ):
            call.reads(one._replace(text=re.sub(r"^\w+:(?://(?:localhost)?)?", "", one.text)))
            call.ask("network.scheme", f"an unsupported kind of address: {one.shown}")
        if _METADATA.search(one.text):
            call.deny("secret.read", "requests the machine's keys from the cloud")
        if _CONTAINERS.match(one.text):
            call.deny("container.socket", "talks to what runs the containers")
        elif _DOES.search(one.text):
            call.ask("network.delete", f"asks a service to delete or stop something: {one.shown}")
    call.taint(REMOTE)
    if local:
        return
    where = next((one.shown for one in urls), "an unknown address")
    call.sends([*urls, *body], where=where)
    if any(one.taints & {"project"} for one in [*urls, *body]) and not call.stdin.piped:
        call.deny("network.project", f"sends the project's files to {where}")
    if any(one.holed for one in urls) or not urls:
        call.ask("network.unknown", "asks an address that is known only at run time")
    elif body:
        call.ask("network.send", f"sends something to {where}")
    elif not looks:
        call.ask("network.fetch", f"fetches {where}")


@program("http https xh xhs httpie")
def httpie(call: Call) -> None:
    """Fetches and sends, in a form for people."""
    keeps = re.compile(r"-\w*[od]|--(?:output|download|session|cert|verify|proxy)")
    if any(keeps.match(one) for one in call.texts):
        call.ask("download.file", f"options of {call.name} write files or name keys")
    plain = [one for one in call.args if not one.text.startswith("-")]
    if plain and plain[0].text.isupper():
        _method(call, plain[0])
        plain = plain[1:]
    for one in plain[1:]:
        if file := re.search(r"[@](.+)$", one.text):
            call.reads(one._replace(text=file[1]))
    urls = [one._replace(text=re.sub(r"^:(?=\d|/|$)", "localhost:", one.text)) for one in plain[:1]]
    _fetches(
        call,
        urls,
        plain[1:],
        local=bool(urls) and all(is_local(one.text) for one in urls),
        looks=False,
    )


@program(
    "nc ncat netcat socat telnet openvpn ngrok cloudflared localtunnel lt bore frpc chisel "
    "tailscale serveo websocat wscat pwncat cryptcat rlogin rsh mosh wg-quick"
)
def sockets(call: Call) -> None:
    """Raw connections and tunnels."""
    text = " ".join(call.texts)
    said = call.options(
        ("-p", "-w", "-s", "-i", "-q", "-x", "-X", "-e", "-c", "--exec", "--sh-exec")
    )
    if call.name in ("nc", "ncat", "netcat", "pwncat", "cryptcat"):
        if said.has("-e", "-c", "--exec", "--sh-exec", "--lua-exec"):
            call.deny("network.shell", "gives another machine a shell here")
        if said.has("-z") and all(is_local(one.text) for one in said.operands[:1]):
            return
    if re.search(r"\b(?:EXEC|SYSTEM|SHELL):", text, re.I):
        call.deny("network.shell", "gives another machine a shell here")
    if call.name in (
        "ngrok",
        "cloudflared",
        "localtunnel",
        "lt",
        "bore",
        "frpc",
        "chisel",
        "serveo",
    ):
        if call.texts[:1] not in (["version"], ["--version"], ["help"]):
            call.deny("network.tunnel", f"{call.name} opens this machine to the internet")
        return
    if call.stdin.piped or said.has("-l", "-L"):
        call.sends(call.args, where="another machine")
    call.taint(REMOTE)
    if call.stdin.piped and call.stdin.text is None:
        call.deny("network.send", f"{call.name} sends what is piped in to another machine")
    call.ask("network.connect", f"{call.name} opens a connection")


@program(
    "dig nslookup host ping ping6 traceroute tracepath mtr whois drill kdig fping arping resolvectl"
)
def lookups(call: Call) -> None:
    """Names and routes; a name that is asked for leaves this machine too."""
    call.sends(call.args, where="name servers")
    said = call.options(("-f", "-k", "-b", "-p", "-q", "-t", "-c", "-x", "-i", "-w", "-W", "-s"))
    if call.name in ("dig", "kdig", "drill", "fping") and said.has("-f", "-k"):
        call.deny("network.send", f"`{call.name} -f` looks up the names in a file")
    if call.name == "resolvectl" and call.texts[:1] not in (
        [],
        ["status"],
        ["query"],
        ["statistics"],
    ):
        call.deny("network.change", "redirects traffic")
    if any("project" in one.taints for one in call.args):
        call.deny("network.project", "sends what it has read, as a name to look up")
    if any(one.holed for one in call.args):
        call.ask("network.unknown", "looks up a name known only at run time")
    if any(len(part) > 40 for one in call.texts for part in one.split(".")):
        call.deny("network.send", "a name that carries data")


@program(
    "mail mailx sendmail mutt msmtp swaks ssmtp ftp lftp tftp ncftp smbclient gdrive transfer "
    "croc wormhole magic-wormhole onionshare rsend termbin slack pbcopy xclip xsel wl-copy "
    "clip lynx w3m links elinks youtube-dl yt-dlp irssi nmap masscan tcpdump tshark wireshark "
    "ettercap mitmproxy mitmdump hydra sqlmap nikto msfconsole responder"
)
def sends_things(call: Call) -> None:
    """Mail, transfers, clipboards, scanners."""
    for one in call.args:
        if not one.text.startswith("-"):
            call.reads(one)
    if call.name in ("ftp", "lftp", "ncftp", "smbclient", "mail", "mailx", "mutt"):
        _escapes(call)
    taints = [one._replace(taints=call.output.taints) for one in call.args]
    call.sends(taints, where=call.name)
    call.ask("network.send", f"{call.name} sends or fetches data")


def _escapes(call: Call) -> None:
    """`!command` and `~!command` in what they read run on this machine."""
    for text in (call.stdin.text or "", *call.texts):
        for found in re.finditer(r"(?:^|[;\n])\s*~?!+([^\n]+)", text):
            call.deny("run.inline", f"{call.name} runs a command found in what it reads")
            call.script(found[1], f"in {call.name}", shell="sh")
