"""Linters, formatters, test runners, bundlers, compilers. Harmless and harmful side by side."""

from guard_kit.verdict_table import verdict_table, wrong_verdicts

CASES = r"""
allow  eslint .
allow  eslint --fix src
allow  eslint --print-config .eslintrc.js
allow  eslint "src/**/*.{ts,tsx}" --max-warnings 0
allow  eslint -c .eslintrc.cjs src
ask    eslint -c /tmp/evil.js .
ask    eslint --rulesdir ../x .
ask    eslint --plugin evil .
ask    eslint --resolve-plugins-relative-to /tmp .
deny   eslint --config https://x.example/c.js .
deny   eslint -o /etc/x .
deny   eslint ~/.ssh
allow  prettier --write .
allow  prettier -c src
allow  prettier . --check
ask    prettier --write ~
ask    prettier --write /etc/hosts
ask    prettier --plugin=/tmp/x.js .
deny   prettier --config https://x/y .
allow  biome check --apply src
allow  tsc -p tsconfig.json --noEmit
allow  tsc
allow  tsc -w
allow  tsc --init
allow  jest -t "adds"
allow  jest --watchAll=false --ci
allow  jest --config jest.config.js
ask    jest --config=/tmp/x.js
ask    jest --setupFilesAfterEnv /tmp/x.js
allow  vitest --run
allow  vitest run --coverage
ask    vitest --config /tmp/x
allow  mocha --require ts-node/register test/**/*.ts
allow  mocha
ask    mocha -r /tmp/x.js
ask    mocha /tmp/x.test.js
allow  webpack --mode production
ask    webpack --config /tmp/x.js
deny   webpack -o /etc/x
allow  vite build
allow  vite
ask    vite --config /tmp/x.js
ask    vite --host 0.0.0.0
allow  next build
allow  next dev
allow  next start
allow  next lint
ask    next build && npm publish
ask    next dev -H 0.0.0.0
allow  esbuild src/index.ts --bundle --outfile=dist/out.js
deny   esbuild a.js --outfile=/home/dev/.bashrc
allow  rollup -c
allow  rollup -c rollup.config.js
ask    rollup -c /tmp/x.js
allow  tsup src/index.ts
deny   tsup --onSuccess "rm -rf ~"
allow  turbo run build --filter=web
allow  turbo build
allow  turbo run lint test
ask    turbo login
allow  nx test app
allow  nx affected -t lint
allow  nx run-many -t build
allow  nx build app --prod
ask    nx reset
ask    nx migrate latest
allow  ruff check .
allow  ruff check --fix src
allow  ruff format .
allow  ruff check --select E,F src
allow  ruff check . --output-format=github
ask    ruff clean
ask    ruff check --config /tmp/ruff.toml .
ask    ruff format ../other
allow  black .
allow  black --check src tests
ask    black ~/other
allow  isort .
allow  isort --check-only --diff .
allow  flake8 src
allow  flake8 --max-line-length 100
ask    flake8 --config=/tmp/x
allow  mypy --strict src
allow  mypy .
allow  mypy --config-file mypy.ini src
ask    mypy --python-executable /tmp/x src
ask    mypy --install-types
allow  pyright
allow  pyright src/x.py
allow  pylint src
allow  pylint --rcfile=.pylintrc src
ask    pylint --load-plugins=evil src
ask    pylint --init-hook="import os; os.system('x')" src
ask    pylint --rcfile=/tmp/x src
allow  pytest -q
allow  pytest tests/test_x.py::test_y -x -vv
allow  pytest -p no:cacheprovider
allow  pytest -k "not slow" --cov=src --cov-report=term-missing
allow  pytest --lf
allow  pytest tests -n auto
allow  pytest -m "not integration"
allow  pytest --collect-only -q
allow  pytest -c pytest.ini
allow  pytest --junitxml=report.xml
allow  pytest --co
ask    pytest -p evil
ask    pytest /tmp/x.py
ask    pytest --rootdir=/tmp/x
ask    pytest -c /tmp/x.ini
ask    pytest --basetemp=/home/dev
ask    pytest ../other/tests
ask    pytest --pastebin=all
ask    pytest -o "addopts=-p evil"
allow  python -m pytest
allow  python -m pytest -x
allow  python -m unittest discover
allow  python -m mypy src
allow  python -m black --check .
allow  python -m ruff check
allow  python -m coverage html
allow  coverage report -m
allow  coverage run -m pytest
allow  coverage html
ask    coverage run x.py
ask    coverage erase
allow  bandit -r src
allow  shellcheck scripts/build.sh
allow  shellcheck -x scripts/*.sh
allow  hadolint Dockerfile
allow  yamllint .github
allow  golangci-lint run ./...
allow  golangci-lint run --fix
ask    golangci-lint custom
allow  gofmt -l .
allow  gofmt -w main.go
allow  gofmt -s -w .
allow  goimports -w .
allow  govulncheck ./...
allow  rustfmt src/main.rs
allow  rustc --version
allow  rustc main.rs
ask    rustc -C linker=/tmp/x a.rs
allow  gcc -Wall -o app main.c
allow  gcc main.c
allow  gcc -g -O0 -I include -L lib -lfoo -o build/app src/main.c
ask    gcc -fplugin=./x.so a.c
ask    gcc -B/tmp/x a.c
ask    gcc @/tmp/opts
deny   gcc -wrapper sh,-c,x a.c
deny   gcc a.c -o /usr/bin/ls
allow  g++ -std=c++20 -O2 main.cpp -o main
allow  clang-format -i src/*.cpp
allow  clang-tidy src/a.cpp -- -Iinclude
allow  javac -d out src/Main.java
allow  javac Main.java
allow  rubocop -A
allow  rubocop --auto-correct
ask    rubocop --require /tmp/x.rb
allow  rspec spec/models
allow  rspec
ask    rspec -r /tmp/x.rb
ask    rspec /tmp/x_spec.rb
allow  phpunit --filter testFoo
ask    phpunit --bootstrap /tmp/x.php
allow  vendor/bin/phpunit
allow  ./vendor/bin/phpstan analyse src
allow  node_modules/.bin/eslint .
allow  cloc src
allow  tokei
allow  hyperfine 'npm run build'
allow  hyperfine --warmup 3 'ls'
ask    hyperfine 'make clean'
deny   hyperfine 'rm -rf ~'
deny   hyperfine --prepare 'rm -rf ~' ls
allow  markdownlint docs/**/*.md
allow  svelte-check
allow  astro check
allow  astro build
allow  playwright test --ui
allow  playwright test tests/a.spec.ts:10 --headed
allow  playwright show-report
ask    playwright install
allow  cypress run
ask    cypress open
allow  stylelint "**/*.css" --fix
allow  ng build --configuration production
allow  ng test --watch=false
allow  ng serve
ask    ng add x
ask    ng deploy
allow  nuxt build
allow  lerna run test
ask    lerna publish
ask    lerna clean
deny   lerna exec -- rm -rf ~
allow  shfmt -d .
allow  shfmt -w scripts
allow  actionlint
allow  staticcheck ./...
allow  clang -c foo.c -o foo.o
ask    clang -Xclang -load -Xclang /tmp/x.so a.c
allow  clang++ -std=c++17 -fsanitize=address a.cpp
allow  phpcs src
allow  php-cs-fixer fix --dry-run
allow  vendor/bin/pint
allow  ktlint
allow  swiftlint lint
allow  mkdocs build
allow  mkdocs serve
ask    mkdocs gh-deploy
allow  hugo
allow  sass src/a.scss dist/a.css
allow  protoc --go_out=. api.proto
ask    protoc --plugin=/tmp/x a.proto
allow  buf lint
allow  ansible-lint
allow  trivy fs .
allow  gitleaks detect
allow  semgrep --config p/python src
ask    semgrep login
allow  pip-audit
ask    storybook upgrade
ask    phpstan analyse -a /tmp/x.php
deny   gotestsum --post-run-command 'rm -rf ~'
"""


@verdict_table(CASES)
def test_verdicts(lines):
    assert not wrong_verdicts(lines)
