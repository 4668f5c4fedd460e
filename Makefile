# Every target prepares what it needs: `.venv` from requirements.lock, re-used when unchanged.
# On a machine that lacks something, `scripts/setup.sh` says in one line what and how to get it.
# What drives a browser first runs scripts/browser.py, which installs one where it can.

PY = .venv/bin/python
# One more than a small machine has cores: a third of the time tests wait for pages.
WORKERS ?= 3

.PHONY: help setup browser demo demo-extension demo-antigravity dev test quick check soak bench docs lock extension-lock clean

help:
	@echo 'make demo    ask three sites at once in a real browser, then again over MCP'
	@echo 'make demo-extension   the same through the extension, as in your everyday browser'
	@echo 'make demo-antigravity show an agent at work: safe steps are clicked, one asks, rm -rf / is refused'
	@echo 'make dev     run the hub, and restart it whenever a file in src changes'
	@echo 'make test    run the tests; failed ones are run again once, alone'
	@echo 'make quick   run the tests that need no browser, hub or disk (under 30 seconds)'
	@echo 'make check   check format, lint, types, import map and docs (about a minute)'
	@echo 'make soak    run the long, seeded tests (TABWIRE_SEED=… repeats one, ROUNDS=… sets how many)'
	@echo 'make bench   measure speed and memory; prints a table, writes bench.json'
	@echo 'make setup   only prepare .venv'
	@echo 'make browser find a Chrome, Chromium, Edge or Brave, or install Chromium'
	@echo 'make docs    write the parts of the docs that are generated from the code'
	@echo 'make lock    resolve all dependencies again and write both lock files'
	@echo 'make extension-lock   record the files of the extension under its current version'
	@echo 'make clean   remove .venv and everything else that can be rebuilt'

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
