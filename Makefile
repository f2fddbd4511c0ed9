# Deputy from source. `make` alone lists what there is; every target sets up what it needs.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# One place for what is built, whatever the machine prefers: the binary finds its sidecar relative to itself.
export CARGO_TARGET_DIR := $(CURDIR)/target
# Where rustup puts cargo, for the shell that ran before it was installed.
export PATH := $(or $(CARGO_HOME),$(HOME)/.cargo)/bin:$(PATH)

PYTHON := .venv/bin/python
# What `make run` runs. Without the optimizer it takes a third of the time of `make build`; tests give what they have built already.
TRY ?= cargo build --locked --package deputy-cli
# What tests run. Naming packages here would resolve other features than the tests do, and build most of it a second time.
BUILD_TESTS := cargo build --locked --workspace --lib --bins --tests --examples
# The window is a workspace of its own, so that nothing else needs WebKit.
BUILD_APP := cargo build --locked --manifest-path src-tauri/Cargo.toml

.PHONY: help setup setup-dev setup-app local-gguf build ui app package run quick apk test test-mirror test-python test-sidecar test-days test-page test-mobile test-apk test-parity test-app test-package check check-app bench bench-organize bench-mirror bench-window bench-ui crash fuzz clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 18

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

test: setup-dev ui ## run every test, from units to `make run`
	$(BUILD_TESTS)
	scripts/cargo_test.sh
	$(MAKE) --jobs 2 --output-sync=target test-mirror test-python
	$(MAKE) test-page
	TRY="$(BUILD_TESTS)" scripts/test_run.sh

test-mirror: setup-dev tests/mirror/node/node_modules ## the server against clients nobody here wrote; DEPUTY_APPROVALS=10000 DEPUTY_MUTATIONS=10000 for all
	$(BUILD_TESTS)
	$(PYTHON) -m pytest -q tests/mirror

test-python: test-mobile test-sidecar test-days ## everything in Python: the sidecar, the phone's connection, whole days of work

test-sidecar: setup-dev ## planning and embedding, with the providers' own packages
	$(BUILD_TESTS)
	cd sidecar && ../$(PYTHON) -m pytest
	$(PYTHON) -m pytest -q samples scripts

test-days: setup-dev ## whole days of work, everyday commands and requests through the built program
	$(BUILD_TESTS)
	$(PYTHON) -m pytest -q tests/parity
	$(PYTHON) -m pytest -q tests/sessions
	$(PYTHON) -m pytest -q tests/requests

test-web: setup-dev ## the browser tool through the built program: hostile pages, and MiniWoB's tasks where `pip install --no-deps miniwob` brought them
	$(BUILD_TESTS)
	$(PYTHON) -m pytest -q tests/web

test-page: setup-dev ui .build/system-mobile ## the page, alone and in Chromium against a real host
	$(BUILD_TESTS)
	npm test
	npm run test:browser

test-mobile: setup-dev .build/system-mobile ## the phone's connection in Java, against a real host
	$(BUILD_TESTS)
	$(PYTHON) -m pytest -q mobile/android/core/test

test-apk: setup-dev .build/system-mobile apk ## the built app: signature, permissions, what is open to other apps, its byte code against a real host
	$(BUILD_TESTS)
	$(PYTHON) -m pytest -q mobile/android/shell/test

test-parity: setup-dev ## everyday commands bare and approved, those that need registries too
	$(BUILD_TESTS)
	PARITY=all $(PYTHON) -m pytest -q tests/parity

tests/mirror/node/node_modules: tests/mirror/node/package-lock.json
	cd tests/mirror/node && npm ci --no-audit --no-fund
	@touch $@

test-app: setup-dev .build/system-app-dev ui ## the desktop window on a desktop in memory
	$(BUILD_TESTS)
	$(BUILD_APP)
	cargo test --locked --manifest-path src-tauri/Cargo.toml
	$(PYTHON) -m pytest -q tests/window

test-package: package ## install the .deb in a clean Debian, use it, take it out again; needs root
	scripts/setup_system.sh debootstrap
	scripts/test_package.sh

check-app: setup-app ui ## format and lints of the desktop window
	cargo fmt --manifest-path src-tauri/Cargo.toml --check
	cargo clippy --locked --manifest-path src-tauri/Cargo.toml --all-targets -- --deny warnings

check: setup-dev ## format, lints, types, invariants, generated code
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- --deny warnings
	RUSTDOCFLAGS="--deny warnings" cargo doc --quiet --locked --workspace --no-deps
	cargo xtask tidy
	cargo xtask codegen --check
	cargo fmt --manifest-path src-tauri/Cargo.toml --check
	cargo update --workspace --locked --manifest-path src-tauri/Cargo.toml # its lock file goes with the crates it takes from here
	cargo update --workspace --locked --manifest-path fuzz/Cargo.toml # and so does this one
	cd sidecar && ../$(PYTHON) -m ruff check . && ../$(PYTHON) -m ruff format --check . && ../$(PYTHON) -m mypy
	$(PYTHON) -m ruff check samples scripts mobile/android tests/conftest.py tests/drive tests/mirror tests/parity tests/requests tests/sessions tests/web tests/window
	$(PYTHON) -m ruff format --check samples scripts mobile/android tests/conftest.py tests/drive tests/mirror tests/parity tests/requests tests/sessions tests/web tests/window
	MYPYPATH=tests/drive:tests/parity $(PYTHON) -m mypy --strict tests/parity
	MYPYPATH=tests/drive:tests/sessions $(PYTHON) -m mypy --strict tests/sessions
	MYPYPATH=tests/drive:tests/web $(PYTHON) -m mypy --strict tests/drive tests/web
	MYPYPATH=tests/mirror $(PYTHON) -m mypy --strict --exclude samples/inbox/ samples scripts
	MYPYPATH=tests/window $(PYTHON) -m mypy --strict tests/window
	MYPYPATH=tests/mirror $(PYTHON) -m mypy --strict mobile/android/core/test
	MYPYPATH=tests/mirror:mobile/android/core/test $(PYTHON) -m mypy --strict mobile/android/shell/test
	$(PYTHON) scripts/wrap_prose.py --check README.md CONTRIBUTING.md $(filter-out docs/changelog.md docs/benchmarks%,$(shell git ls-files 'docs/*.md'))
	$(PYTHON) samples/make_inbox.py --check
	npm run check

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
