# `make play` and `make test` set up everything they need in .venv; nothing else is done by hand.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# A change to any of these rebuilds the package, so a stale binary is never run.
SOURCES := pyproject.toml setup.py $(wildcard src/jaipur/core/*.py) $(wildcard src/jaipur/locale/*/LC_MESSAGES/*.po)

.PHONY: play test check browser bench golden fmt messages screenshots clean

play: $(VENV)/.ready ## play in the browser; `jaipur play` is the game in the terminal
	@$(BIN)/jaipur serve --open

test: check browser ## everything that must hold
	$(BIN)/pytest

check: $(VENV)/.dev ## types, style, rooms
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

browser: ## a Chromium for the browser tests, from Debian where that is allowed
	@./tests/find-chromium >/dev/null || ./tests/install-chromium

bench: $(VENV)/.ready ## speed and fingerprint of the core
	@$(BIN)/jaipur bench

golden: $(VENV)/.dev ## write the golden files anew; read the diff
	$(BIN)/python -m tests.playthroughs

fmt: $(VENV)/.dev ## format and fix
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

screenshots: $(VENV)/.dev browser ## take the pictures of the README anew
	$(BIN)/python -m tests.browser.screenshots

messages: $(VENV)/.dev ## bring the French catalogue up to date with the sources
	$(BIN)/python -m tests.catalogue

clean: ## remove what was built
	rm -rf $(VENV) build dist src/*.egg-info
	find src -name '*.so' -delete -o -name '*.mo' -delete

$(VENV)/.ready: $(SOURCES) | $(BIN)/python
	@echo "Setting up Jaipur (once, about a minute) ..."
	@$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.dev: $(SOURCES) | $(BIN)/python
	@echo "Setting up Jaipur with its development tools (once, about a minute) ..."
	@$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(VENV)/.ready $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Jaipur needs Python 3.11 or newer: set PYTHON=...")'
	@$(PYTHON) -m venv $(VENV)
