"""Checkers, test runners and bundlers of the JavaScript world."""

from tabwire_guard.programs.checkers.checker import (
    CLEARS,
    CREATES,
    INSTALLS,
    NAMES,
    PUBLISHES,
    REWRITES,
    SENDS,
    SERVES,
    Checker,
    register,
)
from tabwire_guard.programs.packages.sources import LOCAL_TOOLS
from tabwire_guard.programs.verbs import PASS, ask

CHECKERS = {
    # JavaScript: linters and formatters
    "eslint eslint_d": Checker(
        takes="""--ext --ignore-path --ignore-pattern --max-warnings --rule --env
            --parser-options --global --fix-type --stdin-filename""",
        loads="""-c --config --rulesdir --resolve-plugins-relative-to --plugin-dir -f --format
            --rule-path""",
        out="-o --output-file --cache-location --cache-file --suppressions-location",
        options={
            "--parser --plugin": ask("option.code", "names code that eslint loads"),
            "--init --inspect-config": INSTALLS,
        },
        writes=True,
    ),
    "oxlint standard xo tslint jshint jscs quick-lint-js": Checker(
        takes="--ext --ignore-path --ignore-pattern",
        loads="""-c --config --reporter --parser --plugin --format -f -s --formatters-dir -r
            --rules-dir --formatter -t""",
        out="-o --out",
        writes=True,
    ),
    "prettier prettierd": Checker(
        takes="""--ignore-path --parser --log-level --print-width --tab-width --end-of-line
            --cache-strategy --stdin-filepath""",
        loads="--config --plugin --plugin-search-dir --find-config-path",
        out="--cache-location",
        writes=True,
    ),
    "biome dprint rome": Checker(
        takes="--max-diagnostics --formatter-enabled --stdin-file-path",
        loads="--config-path --config -c --plugins --reporter",
        only="""check lint format ci fmt explain rage version search start stop
            output-file-paths""",
        verbs={
            "init migrate config": REWRITES,
            "upgrade": INSTALLS,
        },
        writes=True,
    ),
    "stylelint htmlhint html-validate pug-lint sass-lint lesshint": Checker(
        takes="--ignore-path --ignore-pattern --stdin-filename",
        loads="""--config -c --config-basedir --plugins --custom-syntax --custom-formatter
            --rulesdir -r --formatter -f --rules --format""",
        out="-o --output-file --cache-location",
        writes=True,
    ),
    """markdownlint markdownlint-cli2 mdl remark alex textlint cspell codespell typos vale
        proselint write-good""": Checker(
        takes="--ignore -p --ignore-path -I --skip -S -L --ignore-words-list",
        loads="""--config -c -r --rules --rcPath -u --use --plugin --rulesdir --rc-path -D --style
            -s --rulesets --formatter -f --preset --rule --reporter""",
        out="-o --output",
        verbs={
            "sync": INSTALLS,
        },
        writes=True,
    ),
    "commitlint": Checker(
        takes="--from -f --to -t --edit -e --env -E",
        loads="-g --config -x --extends -o --formatter -p --parser-preset -d --cwd",
    ),
    """knip depcheck madge ts-prune ts-unused-exports dependency-cruiser depcruise jscpd
        license-checker publint attw size-limit bundlesize are-the-types-wrong syncpack
        manypkg sherif unimported""": Checker(
        takes="--ignores --extensions --ext",
        loads="""--config -c --require --webpack-config -T --output-type --reporters --reporter
            --preprocessor --preprocessor-options -r --parsers --detectors --specials""",
        out="--output -o --image",
        verbs={
            "fix fix-mismatches update": REWRITES,
        },
    ),
    # JavaScript: types and tests
    "tsc vue-tsc tsgo tsd": Checker(
        takes="--target -t --module -m --lib --jsx --moduleResolution",
        loads="-p --project -b --build --plugins --typeRoots",
        out="""--outDir --outFile --declarationDir --tsBuildInfoFile --generateTrace
            --generateCpuProfile""",
        loose=True,
    ),
    "svelte-check glint fbjs flow attest": Checker(
        takes="--output --threshold --fail-on-warnings --ignore",
        loads="--tsconfig --workspace --config",
    ),
    "jest vitest mocha ava tap jasmine karma qunit uvu wtr web-test-runner": Checker(
        takes="""-t --testNamePattern --testPathPattern --testPathPatterns -g --grep -f --fgrep
            --timeout --maxWorkers -w --shard --selectProjects --testTimeout --changedSince
            --color -i --retries --slow --testPathIgnorePatterns --exclude --collectCoverageFrom
            --testRegex --testMatch --coverage.include --coverage.exclude""",
        loads="""-c --config -r --require --import --loader --setupFilesAfterEnv --setupFiles
            --globalSetup --globalTeardown --runner --testRunner --testEnvironment
            --resolver --transform --rootDir --root --dir --spec --opts --package --file
            --reporter -R --reporters --project --projects --coverageReporters --environment --env
            --browser --ui --pool --filter --testSequencer --snapshotSerializers --prettierPath
            --watchPlugins --modulePaths --roots --preset --testResultsProcessor --haste --globals
            --moduleNameMapper --dependencyExtractor --coverage.provider -n --node-option
            --node-arguments --experimental-loader --coverage.customProviderModule --helper""",
        out="""--outputFile --coverageDirectory --coverage.reportsDirectory --cacheDirectory
            --coverage-report-dir""",
        options={
            "--api.host --host": SERVES,
        },
        verbs={
            "init": REWRITES,
        },
        runs=True,
    ),
    "playwright": Checker(
        takes="""-g --grep --project --workers -j --retries --timeout --browser
            --max-failures --shard --trace --grep-invert""",
        loads="-c --config --tsconfig --reporter",
        out="--output -o",
        only="test show-report show-trace merge-reports --version",
        options={
            "--host": SERVES,
            "--load-storage --save-storage": ask(
                "secret.project", "reads or writes logged-in sessions"
            ),
        },
        verbs={
            "install install-deps uninstall": INSTALLS,
            "codegen open cr ff wk screenshot pdf": ask("browser.open", "opens a browser"),
            "run-server": SERVES,
        },
        runs=True,
    ),
    "cypress": Checker(
        takes="-s --spec -t --tag -g --group",
        loads="""-C --config-file -P --project -c --config -b --browser --reporter -o
            --reporter-options""",
        only="run verify version info component",
        options={
            "-k --key --record": SENDS,
        },
        verbs={
            "open": ask("browser.open", "opens a browser"),
            "install": INSTALLS,
            "cache": CLEARS,
        },
    ),
    "wdio testcafe nightwatch puppeteer lighthouse lhci pa11y axe codeceptjs detox": Checker(
        takes="--spec --suite",
        loads="""-c --config --require --preset --browser --reporter -r --runner --config-path
            --plugins --override -o --ts-config-path --globals""",
        out="--output-path --outputDir --output",
        commands="-a --app --startServerCommand --collect.startServerCommand",
        options={
            "--chrome-flags --chromePath --chrome-path": NAMES,
        },
        verbs={
            "install config browsers": INSTALLS,
            "upload": SENDS,
        },
    ),
    # JavaScript: bundlers and frameworks
    """webpack webpack-cli rspack rollup esbuild swc parcel tsup unbuild microbundle ncc
        pkgroll tsdown rolldown snowpack babel""": Checker(
        takes="""--mode --env --target -f --format --name --entry --platform --external
            --define --minify --sourcemap --extensions --log-level --port --alias --banner
            --footer --globals -g""",
        loads="""-c --config --config-file --config-name --plugin --require -r --configPlugin
            --preset --plugins --env-file -p --presets --loader --tsconfig -C --reporter""",
        out="""-o --output --outfile --outdir --dist-dir --out-file --out-dir -d --dir
            --output-path --metafile""",
        commands="""--onSuccess --on-success --watch.onStart --watch.onBundleStart --watch.onEnd
            --watch.onBundleEnd --watch.onError""",
        options={
            "--servedir --host": SERVES,
        },
        verbs={
            "init": CREATES,
            "run": ask("run.file", "runs the file it has bundled"),
        },
    ),
    "vite vitepress": Checker(
        takes="--port --mode -m --base -l --logLevel --filter -f",
        out="--outDir",
        empties=True,
        only="build dev serve preview optimize .",
        options={
            "--host": SERVES,
        },
    ),
    """next nuxt nuxi astro remix gatsby ng vue-cli-service react-scripts svelte-kit
        docusaurus eleventy quasar nest ember expo-cli ionic angular vue react-router
        solid-start qwik""": Checker(
        takes="-p --port --mode --configuration --project --open",
        loads="-c --config --config-file -e --exec --karma-config --ts-config",
        out="--outDir --output-path --out-dir",
        empties=True,
        only="""build dev start lint serve preview check test info typegen typecheck export sync
            prepare g generate analyze telemetry develop develop version extract-i18n e2e
            validate routes .""",
        options={
            "-H --hostname --host": SERVES,
        },
        verbs={
            "deploy": PUBLISHES,
            "add update upgrade new create init install module": INSTALLS,
            "eject cleanup clean clear": CLEARS,
            "inspect": PASS,
        },
    ),
    "storybook start-storybook build-storybook sb": Checker(
        takes="-p --port",
        loads="-c --config-dir",
        out="-o --output-dir",
        only="dev build info doctor index",
        options={
            "-h --host": SERVES,
        },
        verbs={
            "init add upgrade remove automigrate migrate sandbox": INSTALLS,
        },
    ),
    """graphql-codegen openapi-typescript orval openapi-generator openapi-generator-cli
        protoc buf swagger-cli redocly spectral sqlc typedoc jsdoc tailwindcss
        postcss""": Checker(
        takes="-i --input --proto_path -I",
        loads="""-c --config -r --require -t --template --ruleset --theme -g --generator-name -u
            --use --postcss --options -p --plugins""",
        out="-o --output --out -d --dir --destination --json --output-file --base",
        options={
            "--plugin": NAMES,
        },
        verbs={
            "push publish login registry": PUBLISHES,
        },
    ),
}  # fmt: skip

register(CHECKERS)
LOCAL_TOOLS |= {name: name for names in CHECKERS for name in names.split()}
