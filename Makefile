# SPDX-License-Identifier: Apache-2.0
# make core   set up .venv, build the default core, verify it with every NIST vector
# make test   the tests: of what is much the same on many cores, a few cores (25 minutes on two processors)
# make test-rest  the other cores: with `make test` everything that is tested (UNTIL=... ends it)
# make check  the quick part of `make test`
# make lint   ruff, mypy, and which room may import which
# make docs   the documentation as a site that needs no network: build/site/index.html
# make soak   long random runs (SOAK=10000 packets a pattern)

PYTHON ?= python3
CORE ?= cores/default
SOAK ?= 10000
JOBS ?= 2

BIN := .venv/bin
INSTALLED := .venv/.installed

.PHONY: core test test-rest check lint soak docs clean
.DEFAULT_GOAL := core

core: $(INSTALLED)
	@echo "building $(CORE)"
	@$(BIN)/gcmforge build -o $(CORE)
	@echo "verifying $(CORE): 47,250 NIST vectors (the first time the simulator is compiled)"
	@$(BIN)/gcmforge verify $(CORE) --nist --seed 1
	@echo "done: $(CORE) (start with $(CORE)/README.md; files in $(CORE)/gcm_axis.f; top module gcm_axis)"

# Tests run most simulators for seconds only: compiled sooner is better than running faster.
test test-rest check: export GCMFORGE_CXXFLAGS ?= -O0

test: $(INSTALLED)
	$(BIN)/pytest -n $(JOBS) --dist worksteal -m "not long"

test-rest: $(INSTALLED)
	$(BIN)/pytest -n $(JOBS) --dist worksteal -m long $(if $(UNTIL),--until $(UNTIL))

check: $(INSTALLED)
	$(BIN)/pytest -n $(JOBS) --dist worksteal -m "not slow and not long"

lint: $(INSTALLED)
	$(BIN)/ruff check --no-cache .
	$(BIN)/ruff format --check --no-cache .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo --no-cache

soak: $(INSTALLED)
	$(BIN)/gcmforge-study run soak --packets $(SOAK)

docs: $(INSTALLED)
	@$(BIN)/python docs/site/build.py

# Exact versions of constraints.txt. Made again only when what is to be installed has changed.
$(INSTALLED): pyproject.toml constraints.txt examples/cocotbext-axi/requirements.txt
	@command -v $(PYTHON) >/dev/null || { echo "python3 not found: apt-get install python3 python3-venv" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: set PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "Python cannot make environments: apt-get install python3-venv" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "installing the pinned tools into .venv"
	@PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[sim,synth,place,search,explore,report,cluster,browser,soc,docs,dev]'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -r examples/cocotbext-axi/requirements.txt
	@touch $@

clean:
	rm -rf .venv cores build .pytest_cache .mypy_cache .ruff_cache
