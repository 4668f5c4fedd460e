"""Which files open other doors: keys, histories, settings with a token in them, by their path."""

import re

from tabwire_guard.flow.state import State
from tabwire_guard.paths import GLOB_MARKS, HOMES_OF, WILD, absolute, beneath, from_root, slashed
from tabwire_guard.pattern import pattern
from tabwire_guard.values import ANY, CLASS, HOLE, STAR

MAX_PATH = 4096
"""Characters of the longest path there can be."""

_KEYS = pattern(
    r"(?:^|/)(?:\.ssh/(?!known_hosts|config$|[^/]*\.pub$)[^/]*|\.ssh/?$|id_(?:rsa|dsa|ecdsa"
    r"|ed25519)[^/]*(?<!\.pub)"
    r"|\.gnupg(?:/.*)?|\.aws(?:/(?:credentials|config|sso.*|cli.*|\*))?|\.azure(?:/.*)?"
    r"|\.config/gcloud(?:/.*)?|\.kube/config|\.kube/?|\.docker/config\.json|\.netrc|_netrc|\.pgpass"
    r"|\.my\.cnf|\.npmrc|\.pypirc|\.git-credentials|\.config/git/credentials|\.config/gh/hosts\.yml"
    r"|\.config/gh(?:/.*)?|\.config/hub|\.terraformrc|\.terraform\.d/credentials[^/]*|\.vault-token"
    r"|\.cargo/credentials[^/]*|\.gem/credentials|\.m2/settings[^/]*|\.gradle/gradle\.properties"
    r"|\.password-store(?:/.*)?|\.local/share/keyrings(?:/.*)?|\.config/tabwire(?:/.*)?"
    r"|library/keychains(?:/.*)?|library/cookies(?:/.*)?|.*\.keychain(?:-db)?"
    r"|(?:\.config/|library/application support/|appdata/local/)(?:google[-/]?chrome|google/chrome"
    r"|chromium|bravesoftware|microsoft[-/]edge|microsoft/edge)(?:/.*)?"
    r"|\.mozilla(?:/.*)?|\.thunderbird(?:/.*)?|appdata/roaming/mozilla(?:/.*)?"
    r"|appdata/(?:roaming|local)/microsoft/(?:credentials|protect|vault)(?:/.*)?"
    r"|appdata/roaming/gnupg(?:/.*)?|appdata/roaming/gcloud(?:/.*)?"
    r"|appdata/(?:roaming|local)/(?:opera software|vivaldi|arc|discord\w*|slack|signal"
    r"|telegram desktop|github cli|\.identityservice|subversion/auth|filezilla)(?:/.*)?"
    r"|appdata/roaming/(?:nuget/nuget\.config|postgresql/pgpass\.conf)|state\.vscdb"
    r"|appdata/roaming/microsoft/(?:usersecrets|windows/powershell/psreadline)(?:/.*)?"
    r"|windows/(?:panther|system32/sysprep)/(?:.*/)?(?:unattend|autounattend|sysprep)[^/]*"
    r"|login data|cookies(?:\.sqlite)?|key[34]\.db|logins\.json|wallet\.dat|.*\.kdbx"
    r"|\.bash_history|\.zsh_history|\.[a-z]*_history|consolehost_history\.txt|\.histfile"
    r"|\.claude/\.credentials\.json|\.codex/auth\.json|\.gemini/oauth_creds\.json"
    r"|\.bitcoin(?:/.*)?|\.ethereum(?:/.*)?|\.electrum(?:/.*)?|\.config/solana(?:/.*)?"
    r"|\.config/op(?:/.*)?|\.1password(?:/.*)?|\.config/rclone(?:/.*)?|\.s3cfg|\.boto"
    r"|\.rclone\.conf"
    r"|\.config/containers/auth\.json|\.config/sops(?:/.*)?|\.age(?:/.*)?|\.databrickscfg"
    r"|\.snowflake(?:/.*)?|\.snowsql(?:/.*)?|\.dbt/profiles\.yml|\.kaggle(?:/.*)?"
    r"|\.huggingface/token|\.cache/huggingface/token|\.fly(?:/.*)?|\.config/doctl(?:/.*)?"
    r"|\.oci(?:/.*)?|\.bluemix(?:/.*)?|\.heroku(?:/.*)?|\.config/configstore(?:/.*)?"
    r"|\.config/stripe(?:/.*)?|\.config/heroku(?:/.*)?|\.config/vercel(?:/.*)?|\.wrangler(?:/.*)?"
    r"|\.(?:config/)?composer/auth\.json|\.config/glab-cli(?:/.*)?|\.config/bitwarden[^/]*(?:/.*)?"
    r"|\.netlify/config\.json|\.vercel/auth\.json|\.config/netlify(?:/.*)?)$"
    r"|^/etc/(?:shadow-?|gshadow-?|sudoers(?:\.d(?:/.*)?)?|ssl/private(?:/.*)?|krb5\.keytab"
    r"|ssh/ssh_host_[^/]*_key|master\.passwd|kubernetes/(?:[^/]*\.conf|pki(?:/.*)?)|wireguard(?:/.*)?"
    r"|rancher/k3s/k3s\.yaml|networkmanager/system-connections(?:/.*)?|wpa_supplicant(?:/.*)?"
    r"|openvpn(?:/.*)?|ppp/[cp]h?ap-secrets|ipsec\.secrets|mysql/debian\.cnf|pki/tls/private(?:/.*)?"
    r"|letsencrypt/(?:live|archive|keys)(?:/.*)?|gitlab/gitlab-secrets\.json|.*\.keytab)$|^/proc/.*/(?:environ|mem|maps)$"
    r"|^/var/run/secrets(?:/.*)?$|^/run/secrets(?:/.*)?$|^/var/lib/docker(?:/.*)?$"
    r"|windows/(?:system32/config|repair|ntds)(?:/.*)?$|/sam$",
    re.IGNORECASE,
)
_PROJECT_SECRETS = pattern(
    r"(?:^|/)(?:\.env(?!\.(?:example|sample|template|dist|defaults?)\b)[^/]*|[^/]*\.pem|[^/]*\.p12"
    r"|[^/]*\.pfx|[^/]*\.jks|[^/]*\.key|[^/]*\.keystore|[^/]*\.p8|[^/]*\.asc|[^/]*\.ovpn"
    r"|credentials(?:\.(?:json|ya?ml|toml|ini|txt|xml))?|(?:client_)?secrets?(?:\.(?:json|ya?ml"
    r"|toml|ini|txt|env))?"
    r"|service[-_]?account[^/]*\.json|terraform\.tfstate[^/]*|[^/]*\.tfvars|\.htpasswd|secrets"
    r"|master\.key|firebase-adminsdk[^/]*\.json|kubeconfig|tokens?\.(?:json|txt)|passwords?\.[a-z]+"
    r"|\.dev\.vars|local\.settings\.json|\.secrets?|\.npmrc|\.pypirc|\.netrc|secrets/.*"
    r"|apikeys?\.[a-z]+)$",
    re.IGNORECASE,
)


_KEY_HINTS = (
    "/.", "id_", "_netrc", "library/", ".keychain", "appdata/", "state.vscdb", "windows/",
    "login data", "cookies", "key3.db", "key4.db", "logins.json", "wallet.dat", ".kdbx",
    "consolehost_history", "/etc/", "/proc/", "/var/", "/run/", "/sam",
)  # fmt: skip
_PROJECT_HINTS = (
    ".env", ".pem", ".p12", ".pfx", ".jks", ".key", ".p8", ".asc", ".ovpn", "credentials",
    "secret", "service", ".tfstate", ".tfvars", ".htpasswd", "firebase", "kubeconfig", "token",
    "password", ".dev.vars", "local.settings", ".npmrc", ".pypirc", ".netrc", "apikey",
)  # fmt: skip
_SETTINGS_HINTS = ("/.", "/appdata/")
"""A path without any of these matches none of the patterns, which take long to compile."""


def _hinted(path: str, hints: tuple[str, ...]) -> bool:
    low = path.lower()
    return low[:1] == "." or not low.isascii() or any(one in low for one in hints)


def _is_key(path: str) -> bool:
    return _hinted(path, _KEY_HINTS) and _KEYS.search(path) is not None


def _is_project_secret(path: str) -> bool:
    return _hinted(path, _PROJECT_HINTS) and _PROJECT_SECRETS.search(path) is not None


def _is_settings(path: str) -> bool:
    return _hinted(path, _SETTINGS_HINTS) and _SETTINGS.search(path) is not None


def secret(text: str, state: State) -> str:
    """`key` for what opens other doors, `project` for the project's own secrets, else empty."""
    if len(text) > MAX_PATH:
        return ""  # no system has such a file
    path = absolute(text, state) or text.lstrip(HOLE).replace("\\", "/")
    if WILD.search(path) and (found := _could_be(path, state)):
        return found
    plain = path.replace(STAR, "*").replace(ANY, "?")
    if state.windows and from_root(text) and _is_key(plain[2:]):
        return "key"
    at_project = beneath(path, slashed(state.workspace)) is not None
    if _is_key(plain):
        name = plain.rsplit("/", 1)[-1].lower()
        return "project" if at_project and name in (".npmrc", ".pypirc", ".netrc") else "key"
    if _is_project_secret(plain):
        return "project" if at_project or not text.startswith(("/", "~")) else "key"
    return ""


_SETTINGS = pattern(
    r"/(?:\.(?!cache/|npm/_|vscode|nvm/|pyenv/|rbenv/|rustup/|cargo/(?:registry|bin)/|pub-cache/"
    r"|gradle/caches/|m2/repository/|local/(?:bin|lib|state|share/(?:pnpm|uv|virtualenvs))/"
    r"|config/(?:code|nvim|vim|fish|zsh|alacritty|kitty|tmux|git|htop|pip|i3|sway|ruff|black)\b"
    r"|ssh/)[^/]+)"
    r"/(?:.*/)?[^/]+\.(?:json|ya?ml|toml|conf|cfg|ini|db|sqlite\d?|xml|properties|dat|ldb)$"
    r"|/appdata/(?:roaming|local)/(?!(?:temp|programs|npm|npm-cache|pnpm[^/]*|yarn|pip/cache|uv"
    r"|node-gyp|ms-playwright[^/]*|nuget/(?:v3-)?cache|go-build|deno|pypoetry/cache|electron"
    r"|microsoft/(?:windowsapps|typescript|dotnet|visualstudio|winget))(?:/|$))"
    r"(?:.*/)?[^/]+(?<!\.log)(?<!\.txt)$",
    re.IGNORECASE,
)


def settings(text: str, state: State) -> bool:
    """Whether a program keeps its settings for that person there: often with a token in them."""
    path = absolute(text, state)
    if path is None or len(text) > MAX_PATH or beneath(path, slashed(state.workspace)) is not None:
        return False
    at_home = beneath(path, slashed(state.home)) is not None or HOMES_OF.match(path)
    return bool(at_home) and _is_settings(path)


def holds_keys(text: str, state: State) -> bool:
    """Whether keys are usually kept somewhere beneath that folder of the person's."""
    folder = absolute(text, state)
    if folder is None:
        return False
    home = slashed(state.home).rstrip("/")
    if beneath(folder, home) is None:
        others = HOMES_OF.match(folder)  # somebody else's
        if others is None:
            return False
        home = others[0].rstrip("/")
    kept = (home + one[1:] for one in (*_WELL_KNOWN, *_DEEP) if one[0] == "~")
    return any(beneath(one, folder.rstrip(STAR)) is not None for one in kept)


_DEEP = """
    ~/.config/gcloud/credentials.db ~/.local/share/keyrings/login.keyring ~/.cargo/credentials.toml
    ~/.config/google-chrome/Default/Cookies ~/.m2/settings.xml ~/.gradle/gradle.properties
    ~/Library/Keychains/login.keychain-db ~/Library/Cookies/Cookies.binarycookies
    ~/AppData/Roaming/gcloud/credentials.db ~/AppData/Local/Google/Chrome/x ~/.codex/auth.json
    ~/.azure/x ~/.mozilla/x ~/.password-store/x ~/.cache/huggingface/token
    ~/.gemini/oauth_creds.json
""".split()
"""More of them; only for folders that are read as a whole."""

_WELL_KNOWN = """
    /etc/shadow /etc/gshadow /etc/sudoers ~/.ssh ~/.ssh/id_rsa ~/.ssh/id_ed25519 ~/.aws
    ~/.aws/credentials ~/.netrc ~/.npmrc ~/.pypirc ~/.git-credentials ~/.gnupg ~/.kube/config
    ~/.docker/config.json ~/.bash_history ~/.zsh_history ~/.config/gh/hosts.yml ~/.pgpass
    ./.env ./.env.local ./.env.production ./id_rsa ./id_ed25519
""".split()
"""Secrets a pattern might reach; where a pattern begins with `*`, its end has to say so."""


def _could_be(path: str, state: State) -> str:
    """Whether a pattern reaches a well-known secret."""
    pattern = "".join(
        {STAR: "[^/]*", ANY: "[^/]", CLASS: "[^/]", HOLE: "[^/]*"}.get(one) or re.escape(one)
        for one in path
    )
    name = path.rsplit("/", 1)[-1]
    for known in _WELL_KNOWN:
        base = state.home if known[0] == "~" else state.workspace if known[0] == "." else ""
        full = slashed(base).rstrip("/") + known[1:] if base else known
        dotted = known.rsplit("/", 1)[-1].startswith(".")
        if (dotted and name[:1] in GLOB_MARKS) or name[:1] == HOLE:
            continue  # a star stands for no dot at the beginning
        if name[:1] == STAR and known[0] == ".":
            continue
        if re.fullmatch(pattern, full, re.IGNORECASE):
            return "project" if known[0] == "." else "key"
    return ""
