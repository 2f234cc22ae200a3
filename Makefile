# make run: set up and run the guided tour.  make test: set up and run all tests.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test bench strength clean

run: $(VENV)/.setup
	$(BIN)/plywise tour

test: $(VENV)/.setup-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n 2

bench: $(VENV)/.setup-bench
	$(BIN)/python benchmarks/peers.py
	$(BIN)/python benchmarks/engine.py
	$(BIN)/python benchmarks/chess_rules.py
	$(BIN)/python benchmarks/chess_search.py

# Chess against other programs, some hours; stop it at any time, it goes on.  Writes docs/chess-strength.md.
strength: $(VENV)/.setup-dev
	$(BIN)/python benchmarks/strength.py ladder

$(VENV)/.created:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	touch $@

$(VENV)/.setup: $(VENV)/.created pyproject.toml
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/.setup-dev: $(VENV)/.created pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@ $(VENV)/.setup

$(VENV)/.setup-bench: $(VENV)/.created pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[bench]'
	touch $@ $(VENV)/.setup

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
