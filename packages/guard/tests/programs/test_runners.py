"""Small programs that run others. Harmless and harmful side by side."""

from guard_kit.verdict_table import verdict_table, wrong_verdicts

CASES = r"""
allow  concurrently "npm run dev" "npm run api"
ask    concurrently "npm run dev" "npm run deploy"
deny   concurrently "rm -rf ~" "npm test"
allow  cross-env NODE_ENV=test jest
deny   cross-env A=1 rm -rf ~
deny   cross-env NODE_OPTIONS=--require=/tmp/x.js node a
allow  lint-staged
ask    tsx scripts/seed.ts
ask    ts-node src/index.ts
ask    ts-node -e "x"
allow  nodemon --exec "npm test"
ask    nodemon server.js
ask    nodemon x.js
deny   nodemon --exec 'rm -rf ~'
allow  semantic-release --dry-run
ask    semantic-release
allow  changeset status
ask    changeset publish
allow  dotenv -e .env.test -- jest
ask    dotenv get SECRET
deny   dotenv -- rm -rf ~
deny   direnv exec . rm -rf ~
allow  env-cmd -f .env.test jest
allow  run-p build:* lint
allow  start-server-and-test start http://localhost:3000 test
allow  wait-on http://localhost:3000
allow  npm-run-all lint test
allow  ncu
ask    ncu -u
ask    doppler run -- env
deny   doppler secrets
deny   op read op://x/y
ask    aws-vault exec prod -- env
deny   shx rm -rf ~
ask    run-s build deploy
ask    pm2 start x.js
ask    gh-pages -d dist
ask    release-it
ask    standard-version
ask    patch-package
ask    lefthook install
ask    husky
deny   git ls-files | entr -cr rm -rf ~
deny   find . | entr -sc 'rm -rf ~'
deny   watchexec -e js -- 'ls; rm -rf ~'
deny   watchexec -n -- rm -rf ~
ask    watchexec --shell=/tmp/x ls
deny   watchexec -E NODE_OPTIONS=--require=/tmp/x ls
deny   cargo-watch -x 'test; rm -rf ~'
deny   cargo watch -x 'test && rm -rf ~'
deny   cargo watch rm -rf ~
deny   cargo-watch -- rm -rf ~
deny   air -build.bin 'rm -rf ~'
ask    air -c /tmp/air.toml
deny   chokidar 'src/**' -c 'rm -rf ~'
deny   onchange 'src/**' -o 'rm -rf ~' -- ls
deny   onchange 'src/**' -- rm -rf ~
deny   reflex -s rm -rf ~
ask    reflex -c /tmp/x.conf
deny   concurrently --teardown 'rm -rf ~' 'ls'
deny   env-cmd --use-shell 'ls; rm -rf ~'
ask    npm-run-all --npm-path /tmp/x build
allow  git ls-files | entr -c npm test
allow  ls *.py | entr -r pytest -q
allow  watchexec -e js,ts -- npm test
allow  watchexec -r -w src npm run build
allow  cargo watch -x test
allow  cargo-watch -x check -x 'test --lib'
allow  air
allow  air -c .air.toml
allow  chokidar 'src/**/*.ts' -c 'npm run build'
allow  onchange 'src/**' -- npm test
allow  reflex -r '\.go$' go test ./...
allow  nodemon --exec 'npm test'
allow  concurrently -k 'npm:dev' 'npm run watch'
"""


@verdict_table(CASES)
def test_verdicts(lines):
    assert not wrong_verdicts(lines)
