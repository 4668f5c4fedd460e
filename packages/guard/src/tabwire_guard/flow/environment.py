"""Variables that change what other programs do."""

import re

from tabwire_guard.flow.state import State
from tabwire_guard.paths import Place, place
from tabwire_guard.pattern import pattern
from tabwire_guard.record import NamedTuple
from tabwire_guard.values import HOLE, Value


class Poison(NamedTuple):
    """What speaks against setting a variable."""

    rule: str
    reason: str
    deny: bool = True


COMMANDS = pattern(
    r"(?:\w+_)?(?:PAGER|EDITOR|VISUAL|BROWSER|ASKPASS|SSH|RSH|COMMAND|CMD|EXTERNAL_DIFF|WRAPPER"
    r"|RUNNER|LAUNCHER|SHELL)|LESSOPEN|LESSCLOSE|PS0"
)
"""Those that hold a command line."""
_RUNS = pattern(
    r"LD_\w+|DYLD_\w+|BASH_ENV|ENV|BASH_FUNC_\w+|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|PS0"
    r"|GIT_(?:SSH|SSH_COMMAND|ASKPASS|EDITOR|SEQUENCE_EDITOR|PAGER|EXTERNAL_DIFF|PROXY_COMMAND"
    r"|EXEC_PATH|TEMPLATE_DIR|CONFIG\w*|ALLOW_PROTOCOL|DIR|WORK_TREE|OBJECT_DIRECTORY"
    r"|ALTERNATE_OBJECT_DIRECTORIES|SSL_NO_VERIFY|SSL_CAINFO)"
    r"|SSH_ASKPASS|SUDO_ASKPASS|PERL5?LIB|PERL5OPT|PERL5DB|RUBYOPT|RUBYLIB|PYTHONSTARTUP|PYTHONHOME"
    r"|PYTHONINSPECT|PYTHONBREAKPOINT|PYTHONWARNINGS|NODE_OPTIONS|NODE_REPL_EXTERNAL_MODULE"
    r"|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|MAVEN_OPTS|GRADLE_OPTS"
    r"|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER|RUSTC|CARGO_\w*RUNNER|CARGO_\w*LINKER|RUSTFLAGS"
    r"|LESSOPEN|LESSCLOSE|MANPAGER|MANOPT|PAGER|BROWSER|EDITOR|VISUAL|FCEDIT|TEXMFCNF|SHELL"
    r"|NPM_CONFIG_\w+|npm_config_\w+|YARN_\w*REGISTRY\w*|PIP_\w+|UV_\w*INDEX\w*|GOPROXY|GOFLAGS"
    r"|GOSUMDB|GONOSUMDB|GOPRIVATE|GOINSECURE|GEM_HOME|GEM_PATH|BUNDLE_\w+|COMPOSER_\w+"
    r"|HTTPS?_PROXY|https?_proxy|ALL_PROXY|all_proxy|FTP_PROXY|SSL_CERT_FILE|SSL_CERT_DIR"
    r"|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|NODE_EXTRA_CA_CERTS|NODE_TLS_REJECT_UNAUTHORIZED"
    r"|PYTHONHTTPSVERIFY|CURL_HOME|DOCKER_HOST|DOCKER_CONFIG|KUBECONFIG|MAKEFLAGS|GNUMAKEFLAGS"
    r"|ANSIBLE_\w+|TF_CLI_\w+|AWS_ENDPOINT_URL\w*|COMSPEC|PSMODULEPATH|PATHEXT|PSExecutionPolicy\w*"
    r"|GCONV_PATH|HOSTALIASES|RESOLV_HOST_CONF|LOCALDOMAIN|TERMINFO|TERMCAP|INPUTRC|ZDOTDIR|FPATH"
    r"|CDPATH|HISTFILE|HISTCONTROL|EXINIT|VIMINIT|GIMPRC|WGETRC|PGPASSFILE|PSQLRC|IFS|HOME"
    r"|XDG_CONFIG_HOME|MYVIMRC|PROFILE|SUDO_EDITOR|TAR_OPTIONS|GREP_OPTIONS|RSYNC_RSH|CVS_RSH"
    r"|ELECTRON_RUN_AS_NODE|OPENSSL_CONF|OPENSSL_ENGINES|TABWIRE_\w+|CLAUDE_\w+|JULIA_LOAD_PATH"
    r"|LUA_INIT\w*|LUA_PATH\w*|PHPRC|PHP_INI_SCAN_DIR|R_PROFILE\w*|ERL_\w*FLAGS|MIX_\w+|SBT_OPTS"
    r"|LUA_CPATH\w*|R_ENVIRON\w*|R_LIBS\w*|ERL_LIBS|ELIXIR_ERL_OPTIONS|JULIA_\w*(?:PATH|PROJECT)"
    r"|PYTEST_ADDOPTS|PYTEST_PLUGINS|TOX_\w+|PYTHONPYCACHEPREFIX|PYTHONUSERBASE|PYTHONEXECUTABLE"
    r"|DOTNET_(?:STARTUP_HOOKS|ROOT\w*|ADDITIONAL_DEPS|SHARED_STORE|HOST_PATH)|CORECLR_\w+"
    r"|COR_(?:ENABLE_)?PROFIL\w+|(?i:COMPLUS)_\w+|(?i:MSBUILD)\w+|VSTEST_\w+"
    r"|(?i:CUSTOM(?:BEFORE|AFTER)\w+|DIRECTORYBUILD\w+)"
    r"|GOROOT|GOTOOLDIR|GOENV|GOTOOLCHAIN|GOWORK|GOVCS|GOAUTH|CARGO_(?:BUILD|TARGET)_\w+|RUSTDOC"
    r"|RUSTDOCFLAGS|RUSTUP_TOOLCHAIN|RUSTFMT|LESS|MORE|LESSKEY\w*|MAKEFILES|EMACSLOADPATH|VIMRUNTIME",
)
_PATHS = pattern(r"PATH|PYTHONPATH|NODE_PATH|GOPATH|GOBIN|CARGO_HOME|RUSTUP_HOME|MANPATH", re.I)
_MILD = frozenset(
    """
    HTTP_PROXY HTTPS_PROXY http_proxy https_proxy ALL_PROXY all_proxy KUBECONFIG DOCKER_HOST
    GOFLAGS RUSTFLAGS MAKEFLAGS PYTHONWARNINGS GOPRIVATE HOME XDG_CONFIG_HOME IFS SHELL
    BROWSER EDITOR VISUAL GIT_EDITOR PAGER GIT_PAGER GIT_SEQUENCE_EDITOR MANPAGER MAVEN_OPTS
    GRADLE_OPTS NODE_OPTIONS GIT_DIR GIT_WORK_TREE CDPATH CLASSPATH
    """.split()
)
_QUIET = pattern(
    r"(?i:NPM_CONFIG|PIP|BUNDLE|COMPOSER|ANSIBLE|MIX|TOX|CARGO_(?:BUILD|TARGET)|MSBUILD|VSTEST)\w+"
    r"|ERL_\w*FLAGS|LESS|MORE|RUSTDOCFLAGS"
)
"""Of those, names that begin many others: a switch of theirs does no harm by itself."""
_LOOSENS = pattern(
    r"SSL|VERIFY|CHECKING|TRUST|SCRIPTS|PERM|GLOBAL|UNSAFE|INSECURE|ALLOW|FORCE|PLUGIN|LOG", re.I
)
_HARMLESS = {
    "PAGER": r"cat|less|more|", "GIT_PAGER": r"cat|less|", "MANPAGER": r"cat|less|",
    "GIT_EDITOR": r"true|:|cat", "EDITOR": r"true|:|cat|vi|vim|nano|code --wait",
    "VISUAL": r"true|:|cat|vi|vim|nano", "GIT_SEQUENCE_EDITOR": r"true|:|cat",
    "NODE_OPTIONS": r"(?:\s*--(?:max-old-space-size=\d+|experimental-vm-modules|no-warnings"
    r"|no-deprecation|openssl-legacy-provider|trace-warnings|stack-trace-limit=\d+"
    r"|enable-source-maps|unhandled-rejections=\w+|trace-deprecation|experimental-[\w-]+))*",
    "PYTHONWARNINGS": r"(?:ignore|default|error|always|once|module)(?:::\w+)?",
    "PIP_DISABLE_PIP_VERSION_CHECK": r".*", "PIP_NO_INPUT": r".*", "PIP_NO_CACHE_DIR": r".*",
    "RUSTFLAGS": r"(?:\s*-[DAWF]\s*[\w:-]+|\s*-C\s*(?:debuginfo|opt-level|target-cpu)=\w+)*",
    "GOFLAGS": r"(?:\s*-(?:mod=\w+|count=\d+|v|race|buildvcs=\w+))*",
    "MAKEFLAGS": r"(?:\s*(?:-j\s*\d*|-k|-s|--no-print-directory))*",
    "MAVEN_OPTS": r"(?:\s*-Xm[xsn]\d+[kmg])*",
    "GRADLE_OPTS": r"(?:\s*-Xm[xsn]\d+[kmg]|\s*-Dorg\.gradle\.\w+=\w+)*",
    "IFS": r"[\s,:;|\n]*",
    "BUNDLE_GEMFILE": r"(?!/|.*\.\./)[\w./-]+", "BUNDLE_PATH": r"vendor/[\w/]+",
    "COMPOSE_FILE": r"(?!/|.*\.\./)[\w.:/-]+",
    "CC": r"(?:gcc|clang|cc|g\+\+|clang\+\+)(?:-\d+)?",
    "CXX": r"(?:g\+\+|clang\+\+|c\+\+)(?:-\d+)?",
    "PYTEST_ADDOPTS": r"(?:\s*(?:-[vqxsl]+|--\w+|--tb=\w+))*",
    "CFLAGS": r"(?:\s*-[OgWfDm][\w=.-]*)*",
    "CXXFLAGS": r"(?:\s*-[OgWfDms][\w=+.-]*)*",
    "KUBECONFIG": r"(?:\./)?[\w-]+[\w.-]*(?:/[\w.-]+)*",
    "MIX_ENV": r"\w+", "BROWSER": r"none|true|false|echo", "SHELL": r"/bin/(?:ba|z|da)?sh",
    "COMPOSER_NO_INTERACTION": r".*", "COMPOSER_MEMORY_LIMIT": r"[-\w]+",
    "GIT_PAGER_IN_USE": r".*", "CARGO_TERM_COLOR": r".*", "CARGO_BUILD_JOBS": r"\d+",
    "CARGO_BUILD_TARGET": r"[\w-]+", "CARGO_TARGET_DIR": r"(?!/|.*\.\./)[\w./-]+",
    "LESS": r"(?:\s*-{0,2}[A-Za-z-]+)*", "MORE": r"(?:\s*-?[A-Za-z]+)*", "GOWORK": r"off",
    "GOTOOLCHAIN": r"local|auto|go[\d.]+", "RUSTUP_TOOLCHAIN": r"(?:stable|beta|nightly|\d)[\w.-]*",
    "RUSTDOCFLAGS": r"(?:\s*-[DAWF]\s*[\w:-]+)*", "PIP_ROOT_USER_ACTION": r"\w+",
    **dict.fromkeys(
        ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS", "MSAN_OPTIONS"),
        r"(?:\w+=[\w-]+[:, ]?)*",
    ),
    "NPM_CONFIG_LOGLEVEL": r"\w+", "npm_config_loglevel": r"\w+",
    "TOXENV": r"[\w,.-]+", "TOX_PARALLEL_NO_SPINNER": r".*", "TOX_SKIP_ENV": r"[\w,.|-]+",
}  # fmt: skip


def listed(name: str) -> bool:
    """Whether programs, or bash itself, are known to obey a variable of that name."""
    return bool(_PATHS.fullmatch(name) or _RUNS.fullmatch(name))


def poisoned(name: str, value: Value, state: State, *, handed_on: bool = True) -> Poison | None:
    """What speaks against giving a variable that value, if anything does.

    `handed_on`: programs see it; else only the script itself, unless they saw it before.
    """
    plain = name.upper() if state.windows else name
    shown = f"{name}={value.shown[:60]}"
    if _PATHS.fullmatch(plain):
        return _path(plain, value, state, shown)
    harmless = _HARMLESS.get(plain)
    if harmless is not None and value.known and re.fullmatch(harmless, value.text.strip()):
        return None
    if value.text.lower() in _SWITCHES and _QUIET.fullmatch(plain) and not _LOOSENS.search(plain):
        return None
    if not _RUNS.fullmatch(plain):
        own = not handed_on and not _TELLING.search(name) and _OWN.fullmatch(name) is not None
        if own:
            return None
        found = _other(plain, value, state, shown)
        # `CONFIG=a/b.yml` of the script's own: no program sees it unless it did before
        mild = not handed_on and not name.startswith("BASH")
        return found._replace(deny=False) if found and mild else found
    mild = plain in _MILD and not re.search(r"[;|&$`]|/tmp/|https?:|require|import", value.text)
    return Poison("environment.poison", f"{shown} changes what other programs run", deny=not mild)


_TELLING = pattern(
    r"PAGER|EDITOR|COMMAND|CMD|SHELL|_DIFF|HOOK|WRAPPER|PRELOAD|STARTUP|PLUGIN|OPTS|OPTIONS|CONFIG"
    r"|TOOLCHAIN|(?<!BACK)TRACE|LAUNCHER|RUNNER|LINKER|COMPILER|INTERPRETER|ASKPASS|PROXY|REGISTRY"
    r"|_INDEX|CERT|INSECURE|VERIFY|MAKEFILES|LOADER|_AGENT|KEYLOG|_EXEC|FLAGS|RCFILE|INITRC|_INIT$"
    r"|_ARGS$|PROFILER|_LIBS$|LOAD_?PATH"
    r"|^(?:CC|CXX|CPP|LD|AR|AS|NM|RANLIB|FC|F77|JAVA|PYTHON|NODE|RUBY|PERL|MAKE|COMPOSE_FILE)$"
)
"""Names of variables that tell programs what to run, load or trust."""
_OWN = pattern(
    r"\$\w+|(?!(?:f|cd|man|module_|mail)?path$)[a-z_][a-z0-9_]*|[A-Z]\d?|(?:TMP|TEMP|WORK|OUT|OUTPUT|BUILD"
    r"|TEST|LOG|DEST|SRC|TARGET|BASE|ROOT|PROJECT)?_?(?:DIR|FILE|PATH|LOG|OUT|TMP|FOLDER|DEST|ROOT)"
)
"""Names that scripts have for themselves, and no program looks for."""
_SWITCHES = frozenset(("", "0", "1", "true", "false", "none", "off", "on", "yes", "no"))


def _other(name: str, value: Value, state: State, shown: str) -> Poison | None:
    """A variable of nobody's list: judged by what its name tells, and where its value leads."""
    text = value.text
    if _TELLING.search(name) and text.lower() not in _SWITCHES:
        mild = not re.search(r"[\s;|&`/\\]", text)
        return Poison("environment.poison", f"{shown} changes what programs run", deny=not mild)
    if text.startswith(("/", "~", "..")) or re.match(r"[A-Za-z]:[\\/]", text):
        where = place(text, state)
        if where not in (Place.INSIDE, Place.WORKSPACE, Place.NOWHERE):
            return Poison("environment.elsewhere", f"{shown} points elsewhere", deny=False)
    return None


def _path(name: str, value: Value, state: State, shown: str) -> Poison | None:
    """Search paths: folders of the project may be added, others not."""
    separator = ";" if state.windows else ":"
    folders = [one for one in value.text.split(separator) if one and one != HOLE]
    places = [place(one, state) for one in folders]
    if all(one in (Place.INSIDE, Place.WORKSPACE) for one in places):
        if name != "PATH" and not any(one.startswith(".git") for one in folders):
            return None
        own = ("node_modules/.bin", "venv/bin", "vendor/bin", "venv\\Scripts")
        if folders and all(one.rstrip("/").endswith(own) for one in folders):
            return None
        return Poison("environment.path", f"{shown} changes which programs are found", deny=False)
    usual = re.compile(
        r"(?:/usr|/usr/local|/opt/homebrew)?/s?bin|.*/(?:\.cargo|go|\.local|\.bun|\.deno"
        r"|\.dotnet/tools|\.npm-global|node_modules/\.bin)(?:/bin)?"
    )
    if folders and all(usual.fullmatch(one.replace("\\", "/")) for one in folders):
        return Poison("environment.path", f"{shown} changes which programs are found", deny=False)
    return Poison("environment.path", f"{shown} lets untrusted programs be found first")
