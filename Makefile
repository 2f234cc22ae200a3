# make run: set up and open the page.  make test: set up and run all tests.  make test-browser: those with a browser.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run tour test test-browser bench strength clean

run: $(VENV)/.setup
	$(BIN)/plywise serve

tour: $(VENV)/.setup
	$(BIN)/plywise tour

test: $(VENV)/.setup-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n 2 --ignore tests/browser

# Needs Chromium: 'apt-get install chromium', or $$PLYWISE_CHROMIUM.
test-browser: $(VENV)/.setup-dev
	$(BIN)/python -m pytest tests/browser

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
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .schemathesis
