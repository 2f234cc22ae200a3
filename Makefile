# Every target first sets up .venv, as far as it needs to.
#
# make run            open the page
# make tour           a tour in the terminal
# make test-quick     the quick tests, as plain Python: under a minute on two cores, for every save
# make test           everything that a change must pass: ruff, mypy, lint-imports, all tests (about 15 minutes)
# make test-browser   the tests of the page in a browser
# make nox            the quick tests and the pinned signatures on every Python from 3.10 to 3.13 that is installed
# make hooks          run the linters before every commit
# make bench          measure against other libraries
# make strength       play chess against other programs, for hours
# make clean          remove .venv and caches

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run tour test-quick test test-browser nox hooks bench strength clean

run: $(VENV)/.setup
	$(BIN)/plywise serve

tour: $(VENV)/.setup
	$(BIN)/plywise tour

test-quick: $(VENV)/.setup-dev
	$(BIN)/python -m pytest -n 2 --quick tests

test: $(VENV)/.setup-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m pytest -n 2 --ignore tests/browser

# Needs Chromium: 'apt-get install chromium', or $$PLYWISE_CHROMIUM.
test-browser: $(VENV)/.setup-dev
	$(BIN)/python -m pytest tests/browser

nox: $(VENV)/.setup-dev
	$(BIN)/nox

hooks: $(VENV)/.setup-dev
	$(BIN)/pre-commit install

bench: $(VENV)/.setup-bench
	$(BIN)/python benchmarks/peers.py
	$(BIN)/python benchmarks/engine.py
	$(BIN)/python benchmarks/boards.py
	$(BIN)/python benchmarks/chess_rules.py
	$(BIN)/python benchmarks/chess_search.py
	$(BIN)/python benchmarks/drawings.py
	$(BIN)/python benchmarks/web.py

# Chess against other programs, some hours; stop it at any time, it goes on.  Writes docs/chess-strength.md.
strength: $(VENV)/.setup-dev
	$(BIN)/python benchmarks/strength.py ladder

$(VENV)/.created:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	touch $@

$(VENV)/.setup: $(VENV)/.created pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[web]'
	touch $@

$(VENV)/.setup-dev: $(VENV)/.created pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@ $(VENV)/.setup

$(VENV)/.setup-bench: $(VENV)/.created pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[bench,web]'
	touch $@ $(VENV)/.setup

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .schemathesis .nox
