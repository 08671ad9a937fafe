# `make play` and `make test` set up everything they need in .venv; nothing else is done by hand.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt
# The distribution was once called jaipur: two of them would own the same command.
INSTALL := $(BIN)/pip uninstall -qq --yes jaipur && rm -rf src/jaipur.egg-info && $(PIP) --editable
STATIC := src/jaipur/server/static
# A change to any of these rebuilds the package, so a stale binary is never run.
COMPILED := $(foreach room,rules brain encoding,$(wildcard src/jaipur/$(room)/*.py))
SOURCES := pyproject.toml setup.py constraints.txt $(COMPILED) $(wildcard src/jaipur/language/locale/*/LC_MESSAGES/*.po)
# So does a copy that somebody installed with pip: it would be run in place of the checkout.
SOURCES += $(wildcard $(VENV)/lib/*/site-packages/jaipur)

.PHONY: help play test endure quick check browser nginx postgres bench golden figures fmt messages screenshots lock clean

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: $(VENV)/.ready ## play in the browser; `jaipur play` is the game in the terminal
	@$(BIN)/jaipur serve --open

test: check browser nginx postgres ## everything that must hold
	$(BIN)/pytest --durations=20 --durations-min=1

endure: $(VENV)/.dev browser nginx postgres ## what takes up to three hours: faults, attacks, long runs (PARTS="kills races")
	$(BIN)/python -m endurance $(PARTS)

quick: check ## the checks, and the tests that take under a minute together
	$(BIN)/pytest -m "not slow" --no-header -q

check: $(VENV)/.dev ## format, lint, types (mypy strict), rooms (import-linter), scripts, styles and templates
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/oxfmt --check $(STATIC)
	$(BIN)/oxlint --deny-warnings $(STATIC)
	$(BIN)/djlint --lint --quiet src/jaipur/server/templates src/jaipur/cli/study/templates

browser: ## a Chromium for the browser tests, from Debian where that is allowed
	@./tools/find-chromium >/dev/null || ./tools/install-chromium

nginx: ## an nginx for the test of the proxy example, from Debian where that is allowed
	@./tools/install-nginx

postgres: ## a PostgreSQL for the database tests, from Debian where that is allowed
	@./tools/find-postgres >/dev/null || ./tools/install-postgres

bench: $(VENV)/.ready ## speed and fingerprint of the rulebook
	@$(BIN)/jaipur bench

golden: $(VENV)/.dev ## write the golden files again; read the diff
	$(BIN)/python -m tools.playthroughs
	$(BIN)/python -m tools.decisions

figures: $(VENV)/.ready ## measure what ships with the coach again, after a change of the vizier's weights
	@mkdir -p build
	$(BIN)/jaipur bench coach --json > build/figures.json
	$(BIN)/python -m json.tool build/figures.json src/jaipur/coach/figures.json

fmt: $(VENV)/.dev ## format and fix
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/oxfmt $(STATIC)

screenshots: $(VENV)/.dev browser ## take the pictures of the README again
	$(BIN)/python -m tools.screenshots

messages: $(VENV)/.dev ## bring the French catalogue up to date with the sources
	$(BIN)/python -m tools.catalogue

lock: $(VENV)/.dev ## renew constraints.txt with the newest versions that pyproject.toml allows
	$(BIN)/python -m tools.lock

clean: ## remove what was built
	rm -rf $(VENV) build dist src/*.egg-info
	find src -name '*.so' -delete -o -name '*.mo' -delete

$(VENV)/.ready: $(SOURCES) | $(BIN)/python
	@echo "Setting up Jaipur (once, about a minute) ..."
	@$(INSTALL) '.[web]'
	@touch $@

$(VENV)/.dev: $(SOURCES) | $(BIN)/python
	@echo "Setting up Jaipur with its development tools (once, about a minute) ..."
	@$(INSTALL) '.[dev]'
	@touch $(VENV)/.ready $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Jaipur needs Python 3.11 or newer: set PYTHON=...")'
	@$(PYTHON) -m venv $(VENV)
