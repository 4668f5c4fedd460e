# Every target prepares what it needs: `.venv` from requirements.lock, re-used when unchanged.
# On a machine that lacks something, `scripts/setup.sh` says in one line what and how to get it.
# What drives a browser first runs scripts/browser.py, which installs one where it can.

PY = .venv/bin/python
# One more than a small machine has cores: a third of the time tests wait for pages.
WORKERS ?= 3

.PHONY: help setup browser demo demo-extension demo-antigravity dev test quick check soak bench docs lock extension-lock clean

help:
	@echo 'make demo    three sites asked at once in a real browser, then a coding assistant asks'
	@echo 'make demo-extension   the same through the extension, as in an everyday browser'
	@echo 'make demo-antigravity an agent at work: safe steps clicked, one asked, rm -rf / refused'
	@echo 'make dev     run the hub, and start it anew whenever its source changes'
	@echo 'make test    run the tests; the few that fail are run again, alone'
	@echo 'make quick   the tests of what needs no browser, hub or disk (under 30 seconds)'
	@echo 'make check   format, lint, types, import map, docs in sync (under a minute)'
	@echo 'make soak    the long, seeded runs (TABWIRE_SEED=… repeats one, ROUNDS=… sets how many)'
	@echo 'make bench   measure speed and memory; prints a table, writes bench.json'
	@echo 'make setup   only prepare .venv'
	@echo 'make browser see to it that there is a Chrome, Chromium, Edge or Brave'
	@echo 'make docs    write the parts of the docs that come from the code'
	@echo 'make lock    choose versions anew and write the two lock files'
	@echo 'make extension-lock   hold what this version of the extension is made of'
	@echo 'make clean   remove .venv and everything else that can be made again'

setup:
	@sh scripts/setup.sh

browser: setup
	@$(PY) scripts/browser.py

demo: browser
	@.venv/bin/tabwire lab demo $(ARGS)

demo-extension: browser
	@.venv/bin/tabwire lab demo --extension $(ARGS)

demo-antigravity: browser
	@.venv/bin/tabwire lab demo --antigravity $(ARGS)

dev: setup
	@$(PY) scripts/dev.py $(ARGS)

test: setup
	@$(PY) scripts/browser.py || echo 'tabwire: no browser: the tests that need one are left out'
	@$(PY) -m scripts.postgres || echo 'tabwire: no PostgreSQL: the tests that need it are left out'
	@$(PY) -m scripts.shells || echo 'tabwire: not every shell is here: the guard is held against those that are'
	@WORKERS=$(WORKERS) $(PY) scripts/test.py $(ARGS)

# Parsers, state machines, the guard's tables: what most changes touch first. Few random examples.
PURE = model wire fusion sites text
GUARD = layers flows foreign emptying rules properties dialects programs
quick: setup
	@TABWIRE_EXAMPLES_OF=quick $(PY) -m pytest -q -n 2 tests/test_layers.py $(PURE:%=tests/%) \
	    $(patsubst %,packages/guard/tests/test_%.py,$(filter-out programs,$(GUARD))) \
	    packages/guard/tests/programs $(ARGS)

check: setup
	@$(PY) scripts/check.py

soak: setup
	@$(PY) -m scripts.postgres || echo 'tabwire: no PostgreSQL: the runs that need it are left out'
	@$(PY) -m scripts.shells || echo 'tabwire: not every shell is here: the guard is held against those that are'
	@$(PY) scripts/soak.py

bench: setup
	@$(PY) scripts/browser.py
	@$(PY) -m scripts.peers
	@$(PY) -m bench.run $(ARGS)

docs: setup
	@$(PY) packages/guard/scripts/index.py --write
	@$(PY) scripts/docs.py --write

# Not after `setup`, which fails as long as the lock lacks a new dependency.
lock:
	@[ -x $(PY) ] || sh scripts/setup.sh
	@$(PY) scripts/lock.py

extension-lock: setup
	@$(PY) -m scripts.extension_lock --write

clean:
	@rm -rf .venv .venv.lock .soak .hypothesis .mypy_cache .pytest_cache .ruff_cache dist build bench.json
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
