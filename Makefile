# Every target first sets up the parts of .venv that it needs.
#
# make run            open the page
# make tour           take a tour in the terminal
# make test-quick     run the quick tests, as plain Python (under a minute on two cores)
# make test           run ruff, mypy, lint-imports and all tests (about 20 minutes); a change must pass these
# make test-browser   test the page in a browser
# make nox            run the quick tests and pinned signatures on every installed Python from 3.10 to 3.13
# make hooks          run the linters before every commit
# make bench          compare with other libraries
# make strength       play chess against other programs (takes hours); on a cluster with ARGS="--cluster ADDRESS"
# make clean          remove .venv and caches

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run tour test-quick test types all-tests test-browser nox hooks bench strength clean

run: $(VENV)/.setup
	$(BIN)/plywise serve

tour: $(VENV)/.setup
	$(BIN)/plywise tour

test-quick: $(VENV)/.setup-dev
	$(BIN)/python -m pytest -n 2 --quick tests

test: $(VENV)/.setup-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(MAKE) --jobs 2 types all-tests

types: $(VENV)/.setup-dev
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

# With worksteal, neighbouring tests share a process, and so do the functions that they compile.
all-tests: $(VENV)/.setup-dev
	$(BIN)/python -m pytest -n 2 --dist worksteal --ignore tests/browser

# Needs Chromium: 'apt-get install chromium', or $$PLYWISE_CHROMIUM.
test-browser: $(VENV)/.setup-dev
	$(BIN)/python -m pytest -n 2 --dist worksteal tests/browser

nox: $(VENV)/.setup-dev
	$(BIN)/nox

hooks: $(VENV)/.setup-dev
	$(BIN)/pre-commit install

bench: $(VENV)/.setup-bench
	$(BIN)/python benchmarks/peers.py
	$(BIN)/python benchmarks/engine.py
	$(BIN)/python benchmarks/cold.py
	$(BIN)/python benchmarks/overhead.py
	$(BIN)/python benchmarks/boards.py
	$(BIN)/python benchmarks/chess_rules.py
	$(BIN)/python benchmarks/chess_search.py
	$(BIN)/python benchmarks/drawings.py
	$(BIN)/python benchmarks/web.py
	$(BIN)/python benchmarks/tables.py
	$(BIN)/python benchmarks/dice.py
	$(BIN)/python benchmarks/backgammon.py
	$(BIN)/python benchmarks/learning.py
	$(BIN)/python benchmarks/go.py
	$(BIN)/python benchmarks/checkers.py
	$(BIN)/python benchmarks/kalah.py
	$(BIN)/python benchmarks/othello.py

# Can be stopped at any time; the next run resumes.  Writes docs/chess-strength.md.
strength: $(VENV)/.setup-dev
	$(BIN)/python benchmarks/strength.py ladder $(ARGS)

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
