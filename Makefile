# Two commands do all their own set-up: `make run` and `make test`.
PYTHON ?= python3
VENV ?= .venv
PORT ?= 5000
BIN = $(VENV)/bin
TOOLS = $(VENV)/.tools
READY = $(VENV)/.ready
PROOFS = $(VENV)/.proofs

.PHONY: run serve test lint bench bite coverage docs evidence faults mutation release clean

PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(TOOLS): setup.py constraints.txt | $(BIN)/python
	$(PIP) --editable ".[tools,report]"
	touch $(TOOLS)

$(READY): setup.py constraints.txt | $(BIN)/python
	$(PIP) --editable ".[dev,report,calibration,web,dask]"
	touch $(READY) $(TOOLS)

run: $(TOOLS)  ## Simulate the embedded population and print the cost table
	$(BIN)/openfisca-fds simulate --output resultats

serve: $(TOOLS)  ## Serve the web API and the page on http://127.0.0.1:5000, or another PORT
	$(PIP) --editable ".[tools,report,web]"
	$(BIN)/openfisca-fds serve --port $(PORT) --reform-dir examples/reformes

test: $(READY) lint  ## Lint, then every test
	$(BIN)/python -m pytest

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/yamllint --strict openfisca_fds tests openfisca_fds_tools examples scripts

bench: $(READY)  ## Measure, and write benchmarks/results.md
	$(BIN)/python benchmarks/bench.py

bite: $(READY)  ## Break each condition and each parameter: a legal case must turn red
	$(BIN)/python scripts/bite.py

coverage: $(READY)  ## Write docs/couverture.md from the metadata
	$(BIN)/python scripts/coverage.py

docs: $(READY)  ## Build the documentation site, strict, in build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

$(PROOFS): $(READY)
	$(PIP) --editable ".[preuves]"
	touch $(PROOFS)

faults: $(PROOFS)  ## Kill, fill the disk, cut the memory at random moments: nothing may be lost
	$(BIN)/python scripts/faults.py --json docs/evidence/pannes.json

mutation: $(PROOFS)  ## Change each operator and number of the formulas: a legal case must turn red
	$(BIN)/python scripts/mutation.py --json docs/evidence/mutation.json

release: $(PROOFS)  ## Build twice, install offline, check licences and advisories
	$(BIN)/python scripts/release.py --json docs/evidence/paquet.json

evidence: $(READY)  ## Write docs/evidence.md from the last measures
	$(BIN)/python scripts/evidence.py

clean:
	rm -rf $(VENV) build dist *.egg-info resultats
