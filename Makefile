# Goldfinch. `make` lists the targets; those that need the environment build it first.
.DEFAULT_GOAL := help
SHELL := /bin/sh
PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000
LARGE ?= build/large
SHARE ?= 1
HOURS ?= 2
COMPILE := --quiet --universal --generate-hashes --no-header --no-annotate
BIN := .venv/bin
# What runs, and what checks and tests it: the second has all of the first.
RUNS := .venv/runs-$(shell cksum < requirements.lock | tr -d ' ')
STAMP := .venv/made-from-$(shell cksum < tests/requirements.lock | tr -d ' ')
# Node is for checking and testing the pages' scripts only, and nothing else here needs it.
NODE := $(and $(shell command -v node),$(shell command -v npm))
JS_STAMP := $(if $(NODE),tests/js/node_modules/made-from-$(shell cat tests/js/package*.json | cksum | tr -d ' '))
SETTINGS := if [ -f .env ]; then set -a; . ./.env; set +a; fi

.PHONY: help install setup run demo-large test test-all test-quick test-js flake check style templates types migrations js fix \
	screens pictures bench prove mutate lock chromium nginx clean

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | awk -F '\t' '{ printf "make %-11s %s\n", $$1, $$2 }'

install: $(RUNS) ## build .venv with what runs, if requirements.lock has changed

setup: $(STAMP) ## build .venv with everything that checks and tests need, if tests/requirements.lock has changed

$(RUNS): LOCK := requirements.lock
$(RUNS): SIZE := 450 MB
$(STAMP): LOCK := tests/requirements.lock
$(STAMP): SIZE := 1.1 GB
$(RUNS) $(STAMP):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Goldfinch needs Python 3.11 or newer: make PYTHON=...")'
	@echo "Building the Python environment in .venv, once: $$(grep -c == $(LOCK)) packages, about $(SIZE)."
	@echo "With uv this takes some 20 seconds, without it one to three minutes, most of it downloads ..."
	@if command -v uv > /dev/null; then \
		uv venv --quiet --allow-existing --python "$$(command -v $(PYTHON))" .venv \
		&& uv pip install --quiet --require-hashes --python $(BIN)/python -r $(LOCK); \
	else \
		$(PYTHON) -m venv .venv \
		&& $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes -r $(LOCK); \
	fi
	@rm -f .venv/runs-* $(if $(filter $(STAMP),$@),.venv/made-from-*) && touch $@ $(RUNS)

run: $(RUNS) ## serve a demo at http://127.0.0.1:8000 (HOST=, PORT=, DEMO=0 for none); data stays in ./data
	@$(SETTINGS); export DJANGO_SETTINGS_MODULE=frontend.settings; \
	manifest="$${GOLDFINCH_DATA:-data}/static/staticfiles.json"; \
	if [ ! -e "$$manifest" ] || [ -n "$$(find frontend/static annotation/protocols/*/static $(RUNS) -newer "$$manifest" | head -n 1)" ]; \
		then echo "Collecting scripts and styles ..."; $(BIN)/python manage.py collectstatic --noinput --verbosity 0; fi \
	&& exec $(BIN)/python manage.py run --host $(HOST) --port $(PORT) $(if $(filter 0 no,$(DEMO)),--no-demo)

demo-large: $(RUNS) ## make 20,000 items for each protocol in build/large (LARGE=), some done by bots
	@$(SETTINGS); unset DATABASE_URL REDIS_URL; export DJANGO_SETTINGS_MODULE=frontend.settings GOLDFINCH_DATA="$(LARGE)"; \
	$(BIN)/python manage.py migrate --verbosity 0 \
	&& $(BIN)/python manage.py collectstatic --noinput --verbosity 0 \
	&& $(BIN)/python manage.py demo_large

test: setup chromium nginx $(JS_STAMP) ## run the tests for a merge: SQLite, PostgreSQL, contract, races, proofs, scripts, browser
	@$(BIN)/python -m tests.suites

test-all: setup chromium nginx $(JS_STAMP) ## run every test, also pages and protocols on PostgreSQL
	@$(BIN)/python -m tests.suites --all

test-quick: setup $(JS_STAMP) ## run tests of rules, record, tasks and scripts on SQLite, in two minutes
	@$(BIN)/python -m tests.suites quick js

flake: setup chromium ## repeat browser suite and races and log what was red (MINUTES=60 begins nothing new after that)
	@$(BIN)/python -m tests.flake $(if $(MINUTES),--minutes $(MINUTES))

test-js: setup $(JS_STAMP) ## run the unit tests of the pages' scripts, on Node
	@$(BIN)/python -m tests.suites js

check: setup $(JS_STAMP) ## check style, import rules, templates, stylesheets, scripts, types, missing migrations
	@$(MAKE) --no-print-directory --output-sync --jobs=2 types style js templates migrations

style:
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet . || { echo "Some files are not formatted: make fix"; exit 1; }
	@$(BIN)/lint-imports

templates:
	@$(BIN)/djlint --lint --quiet frontend annotation
	@$(BIN)/python -m tests.assets --check

types:
	@GOLDFINCH_DATA=build/check $(BIN)/mypy
	@MYPYPATH=frontend/api/client $(BIN)/mypy --strict --config-file= -p goldfinch_client

migrations:
	@GOLDFINCH_DATA=build/check $(BIN)/python manage.py makemigrations --check --dry-run

js: $(JS_STAMP) ## check the pages' scripts with eslint and tsc
ifeq ($(NODE),)
	@echo "The scripts of the pages are not checked: that needs Node (node and npm)."
	@test "$$CI" != true
else
	@tests/js/node_modules/.bin/eslint --config tests/js/eslint.config.js frontend annotation tests/js
	@tests/js/node_modules/.bin/tsc --project tests/js/tsconfig.json
	@tests/js/node_modules/.bin/tsc --project tests/js/tsconfig.frame.json
endif

ifneq ($(NODE),)
$(JS_STAMP): tests/js/package.json tests/js/package-lock.json tests/js/.npmrc
	@echo "Installing the tools that check the pages' scripts, once: $$(grep -c '"node_modules/' tests/js/package-lock.json) packages ..."
	@cd tests/js && npm ci --silent || { echo "That failed: npm ci in tests/js says why."; exit 1; }
	@touch $@
endif

fix: setup ## fix and format with ruff, format the stylesheets with css-beautify
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .
	@$(BIN)/python -m tests.assets

screens: setup chromium ## write a screenshot of every screen to build/screens
	@$(BIN)/python -m tests.screens

pictures: setup chromium ## take the pictures of the guides anew, in docs/pictures
	@$(BIN)/python -m tests.screens --docs

bench: setup ## measure the server with and without slow clients
	@$(BIN)/python -m tests.bench

prove: setup chromium nginx ## run races and proofs at full size or a share (SHARE=0.1); results in tests/proofs/results
	@GOLDFINCH_PROVE=$(SHARE) $(BIN)/python -m tests.suites --all races-sqlite races-postgresql proofs-sqlite proofs-postgresql proofs-browser contract slow-clients

mutate: setup ## see which wrong edits of eligibility, leases, settling ... no test would notice (HOURS=2, AGAIN=--again)
	@$(BIN)/python -m tests.mutation --hours $(HOURS) $(AGAIN)

lock: ## update both locks from pyproject.toml (needs uv)
	@uv pip compile $(COMPILE) --group dev pyproject.toml -o tests/requirements.lock
	@cp tests/requirements.lock requirements.lock && uv pip compile $(COMPILE) pyproject.toml -o requirements.lock

chromium: setup
	@if [ -z "$$CHROMIUM" ] && ! { command -v chromium-headless-shell || command -v chromium || command -v chromium-browser; } > /dev/null; then \
		if [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
			apt-get update -q && apt-get install -q -y --no-install-recommends chromium-headless-shell fonts-dejavu; \
		else $(BIN)/playwright install chromium; fi; \
	fi

nginx:
	@command -v nginx > /dev/null || [ -x /usr/sbin/nginx ] || { \
		[ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null \
		&& apt-get update -q && apt-get install -q -y --no-install-recommends nginx-light; } \
		|| echo "Without nginx, tests of slow clients are left out: install it from your system's packages."

clean: ## remove .venv, caches and build, but not ./data
	@rm -rf .venv tests/js/node_modules build .pytest_cache .ruff_cache .mypy_cache .import_linter_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
