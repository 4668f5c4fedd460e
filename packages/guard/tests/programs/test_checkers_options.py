"""Checkers: options that load code, run commands or write files."""

from guard_kit.verdict_table import verdict_table, wrong_verdicts

CASES = r"""
ask    eslint --format=/tmp/evil.js .
ask    eslint -f/tmp/evil.js .
deny   eslint --cache --cache-location /home/you/.bashrc .
ask    mocha -R /tmp/evil.js
ask    mocha -n require=/tmp/evil.js
deny   mocha --import=data:text/javascript,x
ask    jest --reporters default --reporters /tmp/x.js
ask    jest --env=/tmp/x.js
ask    jest --filter=/tmp/x.js
ask    jest --unknown-thing=/tmp/x.js
ask    vitest --environment /tmp/x.js
ask    vitest run --poolOptions.forks.execArgv=--require=/tmp/x.js
deny   c8 rm -rf ~
deny   nyc bash -c 'rm -rf ~'
ask    c8 --reporter /tmp/x.js npm test
ask    rollup -p /tmp/x.js -i a.js
deny   rollup -c --watch.onEnd 'rm -rf ~'
ask    rollup -p 'x=require("child_process").exec("id")' -i a.js
ask    babel --presets=/tmp/x.js src
ask    babel --presets=env,/tmp/x.js src
deny   tsc -OUTDIR /home/you/x
deny   tsc -outdir /home/you/x
deny   tsc --generatetrace /home/you/x
deny   testcafe chrome tests -a 'rm -rf ~'
ask    cypress run --browser /tmp/evil
ask    playwright test --reporter=/tmp/x.js
ask    depcruise -T plugin:/tmp/x.js src
ask    knip --reporter /tmp/x.js
deny   lessc a.less /home/you/.bashrc
deny   sass a.scss:/home/you/.bashrc
deny   sass a.scss /home/you/.bashrc
ask    sphinx-build /tmp/evil out
deny   sphinx-build docs /home/you/.ssh
deny   mkdocs build -d /home/you
deny   mkdocs build --site-dir=/home/you
deny   zola build -o /home/you
deny   vite build --outDir /home/you --emptyOutDir
deny   vite build --outDir .. --emptyOutDir
ask    pytest --cov-report=html:/home/you/x
ask    pytest -o cache_dir=/home/you/x
ask    pytest -o log_file=/home/you/.bashrc
ask    phpcs --standard=/tmp/evil src
ask    ktlint --reporter=html,artifact=/tmp/x.jar
ask    cppcheck --clang=/tmp/evil src
ask    gotestsum -- -exec /tmp/evil ./...
deny   gotestsum --junitfile /home/you/.bashrc
deny   ginkgo --after-run-hook 'rm -rf ~'
deny   darker --lint 'rm -rf ~' src
deny   mutmut run --runner 'rm -rf ~'
ask    mypy --python-exec /tmp/evil src
ask    nest start --exec /tmp/evil
allow  eslint src --ext .ts,.tsx --max-warnings 0
allow  eslint -f json -o report.json .
allow  eslint --format stylish src
allow  eslint --cache --cache-location node_modules/.cache/eslint .
allow  mocha --reporter spec test/**/*.js
allow  mocha -r ts-node/register test/*.ts
allow  jest --coverage --coverageReporters=text --reporters=default
allow  jest -t 'returns /x' --testPathPattern=/src/
allow  jest --config jest.config.js
allow  vitest run --reporter=verbose --coverage
allow  vitest --environment jsdom
allow  c8 npm test
allow  nyc --reporter=lcov mocha
allow  c8 report --reporter=html
allow  rollup -c -p @rollup/plugin-node-resolve
allow  rollup -c rollup.config.mjs
allow  esbuild src/a.ts --bundle --outfile=dist/a.js --loader:.png=dataurl
allow  webpack --mode production --config webpack.config.js
allow  babel src --out-dir lib --presets=@babel/env
allow  tsc --noEmit
allow  tsc -p tsconfig.json --outDir dist
allow  tsc -b --watch
allow  tsup src/index.ts --format esm,cjs --dts
allow  playwright test --project=chromium --reporter=list
allow  cypress run --spec 'cypress/e2e/a.cy.ts' --browser chrome
allow  cypress run --config viewportWidth=1280
allow  knip --reporter json
allow  depcruise -T dot src
allow  sass src/a.scss dist/a.css
allow  sass --watch src:dist
allow  lessc a.less dist/a.css
allow  sphinx-build -b html docs docs/_build
allow  sphinx-build -W -b html docs /tmp/out
allow  mkdocs build --strict
allow  mkdocs build -d site
allow  mkdocs serve
allow  hugo --minify
allow  hugo -d public
allow  jekyll build -d _site
allow  vite build --outDir dist --emptyOutDir
allow  vite build --mode staging
allow  next build
allow  ng build --configuration production --output-path dist
allow  pytest -q tests/test_a.py -k 'a and b'
allow  pytest --cov=src --cov-report=term-missing --cov-report=html:htmlcov
allow  pytest -o log_cli=true -x
allow  pytest --junitxml=/tmp/report.xml
allow  pytest -n auto --dist loadfile
allow  phpcs --standard=PSR12 src
allow  ktlint --reporter=plain
allow  cppcheck --enable=all src
allow  clang-tidy -p build src/a.cpp
allow  gotestsum --format testname -- -race ./...
allow  ruff check --fix /tmp/a.py
allow  black --check --diff src
allow  mypy --strict src
allow  flake8 --format=pylint src
allow  pylint --output-format=colorized src
"""


@verdict_table(CASES)
def test_verdicts(lines):
    assert not wrong_verdicts(lines)
