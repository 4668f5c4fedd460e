"""Builders and tools of smaller worlds."""

import pytest

from tabwire_guard.judgement import judge

CASES = r"""
allow  dune build && dune runtest
allow  dune exec ./bin/main.exe
ask    dune install
ask    dune build --root /srv/x
ask    dune promote
allow  rebar3 eunit
ask    rebar3 shell
ask    rebar3 release
allow  gleam test
ask    gleam publish
allow  nimble test
ask    nimble install jester
allow  shards build
ask    shards install
allow  spago test
allow  lake build
allow  wasm-pack build --target web
ask    wasm-pack publish
allow  goreleaser check
ask    goreleaser release
allow  tinygo build -o app.wasm ./cmd/app
ask    tinygo flash -target=pico ./cmd/app
allow  templ generate
allow  typst compile paper.typ
allow  conan list
ask    conan install .
allow  pixi run test
ask    pixi run deploy
ask    pixi add numpy
allow  cosign verify image
ask    cosign sign image
allow  pkg-config --cflags gtk4
allow  ctags -R src
deny   ctags -f /home/you/.bashrc src
allow  javap -c build/Main.class
ask    mmdc -c /srv/c.json -i a.mmd -o a.svg
allow  mmdc -i a.mmd -o a.svg
ask    asciidoctor -r /srv/x.rb a.adoc
allow  latexmk -pdf paper.tex
ask    latexmk -e 'system("id")' paper.tex
ask    latexmk -C
allow  xsv stats data.csv
ask    xsv split out data.csv
allow  qpdf --check a.pdf
deny   qpdf a.pdf /home/you/.bashrc
allow  cross test
ask    cross build --manifest-path /srv/x/Cargo.toml
allow  clojure -M:test
ask    clojure -M:deploy
ask    clojure -Sdeps '{:deps {}}' -M:test
allow  hatch run lint:all
deny   hatch run test:rm -rf ~
"""


@pytest.mark.parametrize("line", CASES.strip().splitlines())
def test_verdicts(line):
    expected, command = line.split(maxsplit=1)
    told = judge(command)
    assert told.verdict.word == expected, told.reason
