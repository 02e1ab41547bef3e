# The commands of the repository. `make help` lists them.
# Needs Python 3.11 or later and make; everything else comes from the package registries.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.stamp

NEED_PYTHON = $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
    { echo "Palaver needs Python 3.11 or later, and $(PYTHON) is not; name one: make PYTHON=python3.12 env" >&2; exit 1; }

# uv: the one on PATH, else our own in .uv/.
UV := $(shell command -v uv 2>/dev/null)
ifeq ($(UV),)
UV := .uv/bin/uv
endif

# Trust the certificates the machine trusts, as pip and apt do; never fetch another Python.
export UV_SYSTEM_CERTS := 1
export UV_PYTHON_DOWNLOADS := never
# An active environment elsewhere is not ours.
unexport VIRTUAL_ENV CONDA_PREFIX

# pyright carries everything it needs; this keeps it from asking a registry for a newer one.
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1

# An environment of another folder (a moved or copied checkout), or one whose interpreter is gone,
# is made again.
$(shell test "$$(cat $(STAMP) 2>/dev/null)" = "$(CURDIR)" && $(BIN)/python -c "" 2>/dev/null || rm -f $(STAMP))

SOURCES := src tests benchmarks scripts
PYTEST_FLAGS ?=
LOCK_FLAGS ?=

.DEFAULT_GOAL := help
.PHONY: help env page run test check format bench prove docs lock clean

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-7s %s\n", $$1, $$2 }' Makefile

env: $(STAMP) ## create .venv/ with everything that running and testing need
	@:

page: env ## build the page into the package, if it is not up to date
	@$(BIN)/python -m scripts.page

run: page ## start Palaver on the embedded default and print its link
	@exec $(BIN)/palaver serve

test: page ## run the whole test suite, in parallel
	@$(BIN)/python -m scripts.page test
	@$(BIN)/python -m tests.browser
	@$(BIN)/python -m pytest -n auto --dist worksteal $(PYTEST_FLAGS)

check: env ## format, lint, types, import contract, doors; of the page, too
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m scripts.doors
	$(BIN)/python -m scripts.page check

format: env ## format the code and fix what can be fixed
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/python -m scripts.page format

bench: page ## run the benchmarks; results go to benchmarks/results/
	@$(BIN)/python -m benchmarks

prove: page ## run the long proofs; reports go to build/proofs/
	@$(BIN)/python -m tests.proofs

docs: env ## build the documentation into site/, strictly
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@echo "The documentation is in site/: open $(CURDIR)/site/index.html"

lock: $(UV) ## pin the dependencies anew (LOCK_FLAGS=--upgrade for newer versions)
	$(UV) pip compile --quiet --universal --python-version 3.11 --no-header --no-annotate \
	    $(LOCK_FLAGS) --group pyproject.toml:dev pyproject.toml --output-file requirements.lock

clean: ## remove environments, build output and caches
	rm -rf $(VENV) .uv .browser build dist site web/node_modules src/palaver/server/page .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find $(wildcard $(SOURCES)) -name __pycache__ -type d -prune -exec rm -rf {} +

$(STAMP): pyproject.toml requirements.lock | $(UV)
	@$(NEED_PYTHON)
	@test -e $@ || echo "Building the environment in $(VENV)/. This takes a minute, and only the first time." >&2
	@test -e $@ || $(UV) venv --clear --quiet --python "$$($(PYTHON) -c 'import sys; print(sys.executable)')" $(VENV)
	@$(UV) pip install --quiet --python $(BIN)/python --exact --no-deps \
	    --requirements requirements.lock --build-constraints requirements.lock --editable .
	@echo "$(CURDIR)" > $@

.uv/bin/uv:
	@$(NEED_PYTHON)
	@# Some systems' Python has pip but cannot make an environment.
	@$(PYTHON) -m venv .uv >/dev/null 2>&1 && .uv/bin/python -m pip install -qq uv || \
	    $(PYTHON) -m pip install -qq --upgrade --target .uv uv
