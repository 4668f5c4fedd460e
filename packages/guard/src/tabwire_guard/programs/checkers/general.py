"""Linters, formatters, test runners and counters of no one world."""

from tabwire_guard.programs.checkers.checker import (
    CLEARS,
    CODE,
    INSTALLS,
    NAMES,
    REWRITES,
    SENDS,
    SERVES,
    Checker,
    register,
)
from tabwire_guard.programs.verbs import PASS, ask

CHECKERS = {
    # Shell, settings, infrastructure text
    "shellcheck shfmt bashate checkbashisms": Checker(
        takes="""-e --exclude -s --shell -S --severity -f --format -i --indent -ln
            --language-dialect -o --enable -P --source-path""",
        loads="--rcfile",
        writes=True,
    ),
    """hadolint yamllint actionlint jsonlint taplo dotenv-linter editorconfig-checker ec
        kubeval kubeconform kube-linter kube-score tflint tfsec checkov conftest cfn-lint
        ansible-lint zizmor dockle sqlfluff sqruff checkmake gitlint""": Checker(
        takes="""-d --config-data --ignore --failure-threshold --schema-location -s --dialect""",
        loads="""-c --config --config-file --rcfile --plugin -p --policy --external-checks-dir -r
            -f --format --library-path --templater""",
        out="-o --output --output-file --output-file-path --write-output",
        options={
            "--external-checks-git --update -shellcheck -pyflakes": NAMES,
            "--init": INSTALLS,
            "--bc-api-key": SENDS,
        },
        verbs={
            "install-hook": REWRITES,
            "pull push plugin": INSTALLS,
        },
        writes=True,
    ),
    "trivy grype syft gitleaks detect-secrets trufflehog snyk osv-scanner": Checker(
        takes="--severity --scanners -s --source",
        loads="-c --config --template --ignorefile -f --format --filter -p --plugin",
        out="-o --output -r --report-path --cache-dir --json-file-output --sarif-file-output",
        options={
            "--command": NAMES,
        },
        verbs={
            "plugin install auth module": INSTALLS,
            "monitor": SENDS,
            "server": SERVES,
        },
    ),
    # Go, Rust
    "golangci-lint": Checker(
        takes="--timeout -E -D --enable --disable --new-from-rev",
        only="run linters fmt version help formatters config",
        verbs={
            "custom": NAMES,
            "cache": CLEARS,
            "migrate": REWRITES,
        },
    ),
    """gofmt goimports gofumpt golines gci govulncheck staticcheck revive errcheck gosec
        ineffassign misspell golint nilaway gotests deadcode""": Checker(
        takes="-r -d -local -checks -go -format -fmt",
        loads="-config -conf -template_dir",
        out="-out -o -cpuprofile",
        options={
            "-base-formatter --base-formatter": NAMES,
        },
        writes=True,
        single=True,
    ),
    "gotestsum ginkgo richgo gotest": Checker(
        takes="--format -f --packages",
        out="--junitfile --jsonfile --jsonfile-timing-events --output-dir --junit-report",
        options={
            "--post-run-command --raw-command -exec -toolexec --exec --toolexec": CODE,
            "--after-run-hook -after-run-hook -vettool --vettool": CODE,
        },
        verbs={
            "tool": NAMES,
            "bootstrap": REWRITES,
        },
        rest="go test",
    ),
    "rustfmt": Checker(
        takes="--edition --emit --color",
        loads="--config-path",
        writes=True,
    ),
    # Ruby, PHP, Java, Apple, others
    """rubocop standardrb reek brakeman erb_lint haml-lint slim-lint fasterer
        rails_best_practices srb""": Checker(
        takes="--only --except -f --format --fail-level",
        loads="-c --config -r --require --plugin -C",
        out="-o --out --output",
        writes=True,
    ),
    "rspec cucumber minitest m": Checker(
        takes="-e --example -t --tag -f --format --seed --order -P --pattern --name",
        loads="-r --require -O --options -I --default-path",
        out="-o --out",
        options={
            "--drb": NAMES,
        },
        runs=True,
    ),
    "phpunit pest paratest behat codecept infection": Checker(
        takes="--filter --testsuite --group --exclude-group -p --processes",
        loads="-c --configuration --bootstrap --include-path --prepend --extension",
        out="--log-junit --coverage-html --coverage-clover --testdox-html",
        options={
            "-d": ask("option.code", "changes how PHP runs"),
            "--runner": NAMES,
        },
        runs=True,
    ),
    """phpstan psalm phan phpcs phpcbf php-cs-fixer phpmd pint rector deptrac ecs twigcs
        parallel-lint""": Checker(
        takes="-l --level --memory-limit --rules",
        loads="""-c --configuration --config -a --autoload-file --bootstrap --standard --report
            --error-format --plugin --generator --path-mode""",
        out="--cache-file --report-file",
        options={
            "-d": ask("option.code", "changes how PHP runs"),
            "--runtime-set --config-set": NAMES,
        },
        writes=True,
    ),
    "ktlint detekt checkstyle pmd google-java-format scalafmt scalafix spotbugs": Checker(
        loads="-c --config -R --ruleset --baseline --plugins -p --reporter",
        out="-r --report",
        verbs={
            "installGitPreCommitHook installGitPrePushHook": REWRITES,
        },
        writes=True,
    ),
    "swiftlint swiftformat swift-format periphery": Checker(
        takes="--rules --disable --reporter",
        loads="--config --configuration",
        writes=True,
    ),
    """luacheck stylua selene lua-format nixfmt alejandra statix deadnix nixpkgs-fmt
        elm-format elm-test elm-review ormolu fourmolu hlint fantomas csharpier dhall-format
        terraform-docs buildifier cmake-format cmake-lint fprettify zprint cljfmt clj-kondo
        dartfmt crystal_format ocamlformat""": Checker(
        loads="-c --config --std",
        writes=True,
    ),
    """clang-format clang-tidy cppcheck cpplint include-what-you-use iwyu_tool astyle
        uncrustify indent""": Checker(
        takes="-style --style -checks --checks --enable --suppress -j -I",
        loads="-config-file --config-file --addon --load -load -c -p --library --rule-file",
        out="-o --output-file -export-fixes --export-fixes --cppcheck-build-dir --plist-output",
        options={
            "-load --load --addon -plugin --rule-texts --clang --addon-python": NAMES,
            "--extra-arg -extra-arg": ask("option.code", "passes options to the compiler"),
        },
        writes=True,
        single=True,
    ),
    # Counting and measuring
    "cloc tokei scc loc gocloc sloccount pygount onefetch": Checker(
        takes="--exclude-dir --include-lang --exclude --by-file -f --format",
        loads="--config --read-lang-def --force-lang-def",
        out="--out --report-file -o --output",
        options={
            "--extract-with --vcs --git-diff-rel --follow-links-with": NAMES,
            "--diff": PASS,
        },
    ),
}  # fmt: skip

register(CHECKERS)
