"""Package managers: options that run something else, or write elsewhere."""

from guard_kit.verdict_table import verdict_table, wrong_verdicts

CASES = r"""
deny   pnpm sh -c 'rm -rf ~'
ask    pnpm rm -rf /home/you
deny   pnpm --silent python3 -c 'import shutil; shutil.rmtree("/home/you")'
deny   pnpm watch rm -rf ~
deny   yarn bash -c 'rm -rf ~'
deny   bun run rm -rf ~
deny   bun run --silent bash -c 'rm -rf ~'
deny   bun /bin/rm -rf ~
deny   npm test -script-shell=/tmp/evil
deny   npm test --script_shell=/tmp/evil
deny   npm run build --node-opt='--require /tmp/x.js'
deny   npx --node-options='--require /tmp/x.js' eslint .
ask    npm --cache=/home/you/x test
deny   pnpm exec -w rm -rf ~
ask    uvx --python /tmp/evil ruff check
ask    uvx -p /tmp/evil ruff check
deny   rpm -qa --pipe='rm -rf ~'
ask    rpm -q --define 'x %(rm -rf ~)' a
ask    rpm -E '%(id)'
deny   dpkg -l --post-invoke 'rm -rf ~'
deny   dpkg -l --log=/home/you/.bashrc
deny   pip list --log=/home/you/.bashrc
ask    pip list --lo /home/you/.bashrc
ask    pip --pytho /tmp/evil list
deny   pip inspect --path /tmp --report /home/you/.bashrc
ask    uv run -p /tmp/evil pytest
ask    uv pip list --python=/tmp/evil
deny   uv pip compile x.in -o /home/you/.bashrc
deny   uv export --output-file=/home/you/.bashrc
deny   uv venv /home/you
ask    poetry build -o /home/you/x
ask    cargo nextest run --config-file /tmp/x.toml
deny   cargo llvm-cov --lcov --output-path /home/you/.bashrc
deny   go test -trace=/home/you/.bashrc ./...
deny   go test -test.cpuprofile=/home/you/.bashrc ./...
ask    go build -gccgoflags '-extld=/tmp/x' ./...
ask    go tool cover -html=c.out -o /home/you/.bashrc
ask    dotnet build -bl:/home/you/.bashrc
ask    dotnet build -l:X,/tmp/evil.dll
deny   dotnet test --diag /home/you/.bashrc
allow  pnpm test
allow  pnpm build
allow  pnpm lint --fix
allow  pnpm format
allow  pnpm dev
allow  pnpm start
allow  pnpm watch
allow  pnpm -r build
allow  pnpm --filter web test
allow  pnpm eslint src
allow  pnpm tsc --noEmit
allow  pnpm vitest run
allow  yarn test --watch
allow  yarn format
allow  yarn check
allow  yarn build
allow  yarn dev
allow  yarn type-check
allow  yarn jest src/a.test.ts -t 'GET /users'
allow  bun test
allow  bun run dev
allow  bun run build
allow  bun run lint
allow  bun build src/index.ts --outdir dist
allow  npm test -- --coverage
allow  npm run build --silent
allow  npm run test -- -t 'a b'
allow  npx eslint . --fix
allow  npx jest --watchAll=false
allow  npx prettier --check .
allow  rpm -qa
allow  rpm -ql bash
allow  rpm -qf /usr/bin/ls
allow  rpm -q --qf '%{NAME}\n' bash
allow  dpkg -l
allow  dpkg -S /usr/bin/ls
allow  dpkg -L bash
allow  pip list --outdated
allow  pip freeze
allow  pip show requests
allow  pip list --format=json
allow  uv run pytest -q
allow  uv run --python 3.12 pytest
allow  uv pip list
allow  uv pip compile requirements.in -o requirements.txt
allow  uv venv
allow  uv venv .venv --python 3.12
allow  uv build
allow  poetry run pytest
allow  poetry build
allow  cargo build --release --target-dir target
allow  cargo test -- --nocapture
allow  cargo nextest run -p core
allow  cargo llvm-cov --html
allow  go test -run 'TestA/b' -coverprofile=c.out ./...
allow  go test -bench=. -benchmem ./...
allow  go build -ldflags '-s -w -X main.v=1' -o bin/a ./cmd/a
allow  go tool cover -html=c.out -o cover.html
allow  go vet ./...
allow  dotnet build -c Release
allow  dotnet test --logger trx
allow  dotnet build -p:Version=1.0
"""


@verdict_table(CASES)
def test_verdicts(lines):
    assert not wrong_verdicts(lines)
