# Deputy from source. `make` alone lists what there is; every target sets up what it needs.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# One place for what is built, whatever the machine prefers: the binary finds its sidecar relative to itself.
export CARGO_TARGET_DIR := $(CURDIR)/target
# On a machine that builds once, what only helps the next build takes gigabytes and a tenth of the time.
ifdef CI
export CARGO_INCREMENTAL := 0
endif
# Where rustup puts cargo, for the shell that ran before it was installed.
export PATH := $(or $(CARGO_HOME),$(HOME)/.cargo)/bin:$(PATH)

PYTHON := .venv/bin/python
# What `make run` runs. Without the optimizer it takes a third of the time of `make build`; tests give what they have built already.
TRY ?= cargo build --locked --package deputy-cli
# What tests run. Naming packages here would resolve other features than the tests do, and build most of it a second time.
BUILD_TESTS := cargo build --locked --workspace --lib --bins --tests --examples
# The window is a workspace of its own, so that nothing else needs WebKit.
BUILD_APP := cargo build --locked --manifest-path src-tauri/Cargo.toml

# A suite runs all of its stages whatever fails, also when `make check test` runs two, and ends with what failed.
SUITE = $(PYTHON) scripts/stages.py
ifneq ($(filter check test test-all,$(MAKECMDGOALS)),)
MAKEFLAGS += --keep-going
endif
ifndef STAGES_RUN
export STAGES_RUN := $(shell date +%s%N)
endif
# The seed of random tests in `make test`, which print it; `make test-all` takes new ones.
SEED_OF_TEST := 20261128
# pytest FOLDER: runs it, with a report for the suite that it is a stage of.
pytest = $(PYTHON) -m pytest -q $(if $(JUNIT_DIR),--junitxml=$(JUNIT_DIR)/$(subst /,-,$(firstword $1)).xml) $1

.PHONY: help setup setup-dev setup-app local-gguf build ui app package apk run quick build-tests test test-all test-rust test-sidecar test-mirror test-page-units test-page test-journeys test-mobile test-parity test-sessions test-situations test-requests test-web test-apk test-run soak pictures test-app test-package check-app check check-format check-lints check-invariants check-locks check-python check-types check-prose check-page check-doc bench bench-window bench-mirror bench-ui fuzz bench-organize crash clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 20

setup: .build/system .venv/installed ## install what is missing: compiler, Rust, the Python environment

setup-dev: setup .build/system-dev .venv/installed-dev node_modules/.installed

setup-app: setup .build/system-app

local-gguf: setup .venv/installed-local-gguf ## build llama.cpp into the sidecar's environment, for the backend local_gguf

build: setup ## build target/release/deputy
	cargo build --release --locked --package deputy-cli
	@scripts/compile_python.sh sidecar/deputy_sidecar

ui: dist/index.html ## build the page that `deputy serve` shows, and the phone's, into dist/

app: setup-app ui ## build the desktop window and open it
	$(BUILD_APP) --release
	@scripts/compile_python.sh sidecar/deputy_sidecar
	target/release/deputy-desktop

package: setup-app build ui ## make a .deb of everything, for this release of Debian
	$(BUILD_APP) --release
	scripts/package_deb.sh

apk: ui .build/system-apk ## build the app for Android into dist/m/deputy.apk, from Debian's packages alone
	scripts/make_apk.sh

run: setup ## build fast, tidy a copy of samples/inbox, and undo it; TASK=report reports on it; TASK="..." IN=DIR runs any task in your own home
	$(TRY)
	@scripts/compile_python.sh sidecar/deputy_sidecar
	@scripts/run_task.sh

quick: setup-dev ## check and test what changed since the last commit; BASE=main since another one
	@scripts/quick.sh

# What both suites build once, and each target below again, so that it can be run alone.
build-tests:
	$(BUILD_TESTS)

test: setup-dev ui .build/system-mobile tests/mirror/node/node_modules ## units, crashes, and one journey through each part: what must pass to land
	@SEED=$${SEED:-$(SEED_OF_TEST)} $(SUITE) build-tests test-rust test-sidecar+test-mirror test-page-units test-situations test-journeys test-run

test-all: setup-dev ui .build/system-mobile tests/mirror/node/node_modules ## everything at full length: browsers, races, registries, window, packages, fuzzing
	@DEPUTY_TESTS=all $(SUITE) build-tests check-doc test-rust test-sidecar test-mirror test-page-units test-page test-mobile test-parity test-sessions \
		test-situations test-requests test-web test-run test-apk check-app test-app test-package fuzz pictures

# Without DEPUTY_TESTS=all, what takes long is left out or does a part.
IS_FULL := $(filter all,$(DEPUTY_TESTS))
NOT_LONG := $(if $(IS_FULL),,-m "not long")

test-rust: setup-dev ## the Rust tests
	$(BUILD_TESTS)
	scripts/cargo_test.sh $(if $(IS_FULL),--all)

test-sidecar: setup-dev ## planning and embedding, with the providers' own packages
	$(BUILD_TESTS)
	cd sidecar && ../$(PYTHON) -m pytest $(NOT_LONG) $(if $(JUNIT_DIR),--junitxml=$(JUNIT_DIR)/sidecar.xml)
	$(call pytest,samples scripts)

test-mirror: setup-dev tests/mirror/node/node_modules ## the server against clients nobody here wrote; DEPUTY_APPROVALS=10000 DEPUTY_MUTATIONS=10000 for all
	$(BUILD_TESTS)
	$(call pytest,tests/mirror $(NOT_LONG))

test-page-units: setup-dev ## the page's own tests, without a browser
	npm test

test-page: setup-dev ui .build/system-mobile ## the page and the phone's in Chromium against a real host
	$(BUILD_TESTS)
	npm run test:browser

test-journeys: setup-dev ui .build/system-mobile ## a task through the page, a phone, the phone's Java, and commands as in a terminal
	$(BUILD_TESTS)
	status=0; \
	npm run test:smoke || status=1; \
	$(call pytest,mobile/android/core/test -m smoke) || status=1; \
	$(call pytest,tests/parity -m smoke) || status=1; \
	exit $$status

test-mobile: setup-dev .build/system-mobile ## the phone's connection in Java, against a real host
	$(BUILD_TESTS)
	$(call pytest,mobile/android/core/test)

test-parity: setup-dev ## everyday commands bare and approved, those that need registries too
	$(BUILD_TESTS)
	PARITY=all $(call pytest,tests/parity)

test-sessions: setup-dev ## whole sessions of work through the built program
	$(BUILD_TESTS)
	$(call pytest,tests/sessions)

test-situations: setup-dev ## a call each in a hundred short situations, in the dialects of all providers, through the built program
	$(BUILD_TESTS)
	$(call pytest,tests/situations $(NOT_LONG))

test-requests: setup-dev ## requests in words, without a model, through the built program
	$(BUILD_TESTS)
	$(call pytest,tests/requests)

test-web: setup-dev ## the browser tool through the built program: hostile pages, and MiniWoB's tasks where `pip install --no-deps miniwob` brought them
	$(BUILD_TESTS)
	$(call pytest,tests/web)

test-apk: setup-dev .build/system-mobile apk ## the built app: signature, permissions, what is open to other apps, its byte code against a real host
	$(BUILD_TESTS)
	$(call pytest,mobile/android/shell/test)

test-run: setup ## `make run` without a user
	TRY="$(BUILD_TESTS)" scripts/test_run.sh

soak: setup-dev ui .build/system-mobile tests/mirror/node/node_modules ## repeat tests while processors and disk are busy: N=20 TESTS="'package(deputy-browser)' tests/mirror/test_once.py"
	$(BUILD_TESTS)
	$(PYTHON) scripts/soak.py $(or $(N),20) $(TESTS)

pictures: setup-dev ui .build/system-mobile ## a sheet with every screen in both themes and all sizes, to look at: test-results/pictures
	$(BUILD_TESTS)
	npm run pictures

tests/mirror/node/node_modules: tests/mirror/node/package-lock.json
	cd tests/mirror/node && npm ci --no-audit --no-fund
	@touch $@

test-app: setup-dev .build/system-app-dev ui ## the desktop window on a desktop in memory
	$(BUILD_TESTS)
	$(BUILD_APP)
	cargo test --locked --manifest-path src-tauri/Cargo.toml
	$(call pytest,tests/window)

test-package: package ## install the .deb in a clean Debian, use it, take it out again; needs root
	scripts/setup_system.sh debootstrap
	scripts/test_package.sh

check-app: setup-app ui ## format and lints of the desktop window
	cargo fmt --manifest-path src-tauri/Cargo.toml --check
	cargo clippy --locked --manifest-path src-tauri/Cargo.toml --all-targets -- --deny warnings

check: setup-dev ## format, lints, types, invariants, generated code
	@$(SUITE) check-format check-lints check-invariants check-locks check-python+check-page check-types+check-prose

check-format:
	cargo fmt --all --check
	cargo fmt --manifest-path src-tauri/Cargo.toml --check

check-lints:
	cargo clippy --locked --workspace --all-targets -- --deny warnings

check-invariants: # by the program that the tests need anyway: `cargo xtask` alone would build all it depends on with other features
	$(BUILD_TESTS)
	target/debug/xtask tidy
	target/debug/xtask codegen --check

check-locks: # the window and the fuzz targets have lock files of their own, which go with the crates they take from here
	cargo update --workspace --locked --manifest-path src-tauri/Cargo.toml
	cargo update --workspace --locked --manifest-path fuzz/Cargo.toml

PYTHON_FOLDERS := samples scripts mobile/android tests/conftest.py tests/drive tests/mirror tests/parity tests/requests tests/sessions tests/situations tests/web tests/window
check-python:
	cd sidecar && ../$(PYTHON) -m ruff check . && ../$(PYTHON) -m ruff format --check .
	$(PYTHON) -m ruff check $(PYTHON_FOLDERS)
	$(PYTHON) -m ruff format --check $(PYTHON_FOLDERS)

check-types:
	scripts/check_types.sh

check-prose:
	@$(PYTHON) scripts/wrap_prose.py --check README.md CONTRIBUTING.md $(filter-out docs/changelog.md docs/benchmarks%,$(shell git ls-files 'docs/*.md'))
	$(PYTHON) samples/make_inbox.py --check

check-page:
	npm run check

check-doc: ## links in the documentation of the code
	RUSTDOCFLAGS="--deny warnings" cargo doc --quiet --locked --workspace --no-deps

bench: setup-dev build ## measure, print a table, and write it to docs/benchmarks.md
	cargo build --release --locked --package deputy-testkit
	$(PYTHON) scripts/bench.py

bench-window: .build/system-app-dev setup-app ui ## measure how soon the window is of use, and its memory; write docs/benchmarks-window.md; needs a quiet machine
	$(BUILD_APP) --release
	cargo build --locked --release --package deputy-testkit
	DEPUTY_BUILT=$(CURDIR)/target/release $(PYTHON) tests/window/measure.py --write

bench-mirror: setup-dev build ## measure the mirror with a thousand clients, and write docs/benchmarks-mirror.md
	cargo build --release --locked --package deputy-testkit
	MIRROR_LOAD=$$(scripts/run_bench.sh --path mirror_load) $(PYTHON) scripts/bench_mirror.py

bench-ui: setup-dev build ui ## measure the page: a task of 10,000 events, 200 events a second, 1,000 tasks; write docs/benchmarks-ui.md and docs/benchmarks-phone.md
	cargo build --release --locked --package deputy-testkit
	WRITE=1 DEPUTY_BINARIES=$(CURDIR)/target/release npx playwright test --config tests/browser/figures/playwright.config.ts

fuzz: ## fuzz what policy reads and what it allows, a minute a target; SECONDS_EACH=600 TARGETS="shell programs"
	scripts/fuzz.sh

bench-organize: ## 10,000 moves against a bare loop of renames, a scan of 100,000 files against b3sum; IN=DIR says where
	scripts/run_bench.sh moves $(IN)
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
	scripts/setup_system.sh strace /usr/sbin/sshd:openssh-server rg:ripgrep gawk chromium Xvfb:xvfb gpg:gnupg dbus-run-session:dbus gnome-keyring-daemon:gnome-keyring
	@touch $@

.build/system-mobile: scripts/setup_system.sh | .build/system
	scripts/setup_system.sh javac:default-jdk-headless /usr/share/java/com.android.json.jar:libandroid-json-java \
		/usr/share/java/core.jar:libzxing-core-java openssl
	@touch $@

# The tools of Android that Debian has, and what it had until its release 11.
.build/system-apk: scripts/setup_system.sh scripts/android_tools.sh | .build/system
	scripts/setup_system.sh javac:default-jdk-headless /usr/share/java/core.jar:libzxing-core-java /usr/share/java/asm.jar:libasm-java \
		aapt aapt2:aapt apksigner zipalign enjarify /usr/share/android-framework-res/framework-res.apk:android-framework-res zip
	scripts/android_tools.sh
	@touch $@

# What the window is made of, and what its tests look at it with.
.build/system-app: scripts/setup_system.sh | .build/system
	scripts/setup_system.sh pkg-config webkit2gtk-4.1.pc:libwebkit2gtk-4.1-dev \
		ayatana-appindicator3-0.1.pc:libayatana-appindicator3-dev
	@touch $@

.build/system-app-dev: scripts/setup_system.sh | .build/system-app
	scripts/setup_system.sh Xvfb:xvfb WebKitWebDriver:webkit2gtk-driver dbus-daemon dunst dunstctl:dunst \
		import:imagemagick openbox trayer xdotool xwininfo:x11-utils \
		gsettings:libglib2.0-bin /usr/libexec/xdg-desktop-portal-gtk:xdg-desktop-portal-gtk
	@touch $@

.venv/installed: sidecar/requirements.lock scripts/setup_python.sh | .build/system
	scripts/setup_python.sh $<
	@touch $@

.venv/installed-dev: sidecar/requirements-dev.lock | .venv/installed
	scripts/setup_python.sh $<
	@touch $@

# llama.cpp for the backend local_gguf; only for those who ask for it.
.venv/installed-local-gguf: sidecar/requirements-local-gguf.lock | .venv/installed
	scripts/setup_python.sh $<
	@touch $@

node_modules/.installed: package.json package-lock.json scripts/setup_node.sh
	scripts/setup_node.sh
	npm ci --no-audit --no-fund
	@touch $@

dist/index.html: node_modules/.installed vite.config.ts crates/protocol/generated/protocol.ts $(shell find src mobile/app -type f)
	npm run build
