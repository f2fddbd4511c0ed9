# Deputy from source. `make` alone lists what there is; every target sets up what it needs.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# One place for what is built, whatever the machine prefers: the binary finds its sidecar relative to itself.
export CARGO_TARGET_DIR := $(CURDIR)/target
# Where rustup puts cargo, for the shell that ran before it was installed.
export PATH := $(or $(CARGO_HOME),$(HOME)/.cargo)/bin:$(PATH)

PYTHON := .venv/bin/python
DEPUTY := target/release/deputy

.PHONY: help setup setup-dev build ui run test test-mirror check bench bench-organize bench-mirror crash fuzz clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 18

setup: .build/system .venv/installed ## install what is missing: compiler, Rust, the Python environment

setup-dev: setup .build/system-dev .venv/installed-dev node_modules/.installed

build: setup ## build target/release/deputy
	cargo build --release --locked --package deputy-cli
	@scripts/compile_python.sh sidecar/deputy_sidecar

ui: dist/index.html ## build the page that `deputy serve` shows, into dist/

run: build ## tidy a copy of samples/inbox, and take it back; TASK=report reports on it; TASK="..." IN=DIR runs any task in your own home
	@scripts/run_task.sh

test: setup-dev build ui ## run every test, from units to `make run`
	cargo build --locked --package deputy-cli --package deputy-testkit
	scripts/cargo_test.sh
	$(MAKE) test-mirror
	cd sidecar && ../$(PYTHON) -m pytest
	$(PYTHON) -m pytest -q samples scripts
	npm test
	npm run test:browser
	scripts/test_run.sh

test-mirror: setup-dev tests/mirror/node/node_modules ## the server against clients nobody here wrote; DEPUTY_APPROVALS=10000 DEPUTY_MUTATIONS=10000 for all
	cargo build --locked --package deputy-cli --package deputy-testkit
	$(PYTHON) -m pytest -q tests/mirror

tests/mirror/node/node_modules: tests/mirror/node/package-lock.json
	cd tests/mirror/node && npm ci --no-audit --no-fund
	@touch $@

check: setup-dev ## format, lints, types, invariants, generated code
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- --deny warnings
	cargo xtask tidy
	cargo xtask codegen --check
	cd sidecar && ../$(PYTHON) -m ruff check . && ../$(PYTHON) -m ruff format --check . && ../$(PYTHON) -m mypy
	$(PYTHON) -m ruff check samples scripts tests/mirror
	$(PYTHON) -m ruff format --check samples scripts tests/mirror
	MYPYPATH=tests/mirror $(PYTHON) -m mypy --strict --exclude samples/inbox/ samples scripts
	$(PYTHON) samples/make_inbox.py --check
	npm run check

bench: setup-dev build ## measure, print a table, and write it to docs/benchmarks.md
	cargo build --release --locked --package deputy-testkit
	$(PYTHON) scripts/bench.py

bench-mirror: setup-dev build ## measure the mirror with a thousand clients, and write docs/benchmarks-mirror.md
	cargo build --release --locked --package deputy-testkit
	cargo build --release --locked --package deputy-server --example mirror_load
	$(PYTHON) scripts/bench_mirror.py

fuzz: ## fuzz what policy reads, a minute a target; SECONDS_EACH=600 TARGETS=shell
	scripts/fuzz.sh

bench-organize: ## 10,000 moves against a bare loop of renames, a scan of 100,000 files against b3sum; IN=DIR says where
	cargo run --release --locked --package deputy-organize --example moves -- $(IN)
	IN=$(IN) scripts/bench_scan.sh

crash: ## 1,000 jobs of 200 operations killed at random and taken back, and one killed at every change; RUNS=N
	CRASH_RUNS=$(or $(RUNS),1000) cargo test --locked --package deputy-organize --test organize -- \
		crash --nocapture --test-threads=1

clean: ## remove what was built and installed here
	rm -rf target .venv .build node_modules dist test-results

# The stamps below lie in what they vouch for, so that removing a folder makes it anew.

.build/system: scripts/setup_system.sh
	scripts/setup_system.sh
	@mkdir -p .build && touch $@

.build/system-dev: scripts/setup_system.sh | .build/system
	scripts/setup_system.sh strace chromium dbus-run-session:dbus gnome-keyring-daemon:gnome-keyring
	@touch $@

.venv/installed: sidecar/requirements.lock scripts/setup_python.sh | .build/system
	scripts/setup_python.sh $<
	@touch $@

.venv/installed-dev: sidecar/requirements-dev.lock | .venv/installed
	scripts/setup_python.sh $<
	@touch $@

node_modules/.installed: package.json package-lock.json scripts/setup_node.sh
	scripts/setup_node.sh
	npm ci --no-audit --no-fund
	@touch $@

dist/index.html: node_modules/.installed vite.config.ts crates/protocol/generated/protocol.ts $(shell find src -type f)
	npm run build
