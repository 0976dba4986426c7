# Seven Hues. Most people need only `make play` and `make test`; `make help` lists all targets.

# Python 3.11 or newer that can create virtual environments.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)

DEV := .venv
COMPILED := .venv-compiled
BENCH := .venv-bench
RECIPES := .venv-recipes
# Of the recipes. pip installs it, so that an index or a folder with a build for CPUs alone can be configured for pip.
TORCH := torch==2.13.0
# The sources of the browser client, and the file that shows that it is built.
WEB := $(sort $(shell find web -name node_modules -prune -o -type f -not -name schema.json -print))
CLIENT := src/sevenhues/web/index.html
# The parts of offline play, and what they are built from beside the sources.
PARTS := src/sevenhues/web/offline/parts.json
PARTS_FROM := web/offline_parts.py web/compress.mjs requirements/offline.txt requirements/play.txt
NPM := PATH="$(CURDIR)/$(COMPILED)/bin:$$PATH" $(COMPILED)/bin/npm --prefix web --silent
SOURCES := $(sort $(shell find src -type f -not -name '*.pyc' -not -path 'src/sevenhues/web/*')) pyproject.toml build_hook.py
# Keep bytecode even if the environment disables it: the tests start hundreds of processes.
export PYTHONDONTWRITEBYTECODE :=
# Tests run in random order; `make test SEED=…` repeats an order. Tests of one file mostly run in one process, because they share a
# server; an idle process takes tests from another one.
SEED := $(shell od -An -N2 -tu2 /dev/urandom | tr -d ' ')
PYTEST := bin/python -m pytest --dist worksteal -p randomly --randomly-seed=$(SEED)
# Tests of the server, the terminal and the browser often wait, so more processes than cores keep the cores busy.
more = -n $(shell expr $$(nproc 2>/dev/null || echo 2) + $(1))
# Tests that also run with the plain package: all code that is compiled.
PLAIN_TESTS := tests/core tests/games tests/bots tests/test_laws.py
# Tests of `make check`, with the plain package: rules, bots, store and structure.
CHECK_TESTS := $(PLAIN_TESTS) tests/server/test_store.py tests/server/test_migrations.py tests/test_structure.py tests/test_messages.py tests/test_languages.py
say = @echo "==> $(1)"

.PHONY: help install web types play test test-long check quality lint check-client lint-client lint-python format screenshots pictures docs release bench ladder tables lock clean client-test browser engines
.DEFAULT_GOAL := help

help:  ## List the targets.
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | while IFS="$$(printf '\t')" read -r name text; do \
		printf '  make %-11s %s\n' "$$name" "$$text"; done

install: $(DEV)/.ready  ## Set up .venv for development; the command is .venv/bin/sevenhues.

web: $(PARTS)  ## Build the browser client into src/sevenhues/web.

types: $(DEV)/.ready web/node_modules/.locked  ## Generate web/src/wire/schema.d.ts from the server's schema.
	@$(DEV)/bin/sevenhues schema > web/schema.json
	@$(NPM) run types

play: $(COMPILED)/.ready  ## Open the games in the browser, at http://127.0.0.1:8777.
	@$(COMPILED)/bin/sevenhues serve --open

test: quality browser engines $(COMPILED)/.ready $(COMPILED)/.tests  ## Run the tests: rules plain and compiled, server, terminal, research adapters, browser.
	@if $(COMPILED)/bin/python -c 'import sys, sevenhues; sys.exit(not sevenhues.COMPILED)'; then \
		echo "==> Testing the plain rules (SEED=$(SEED))"; $(DEV)/$(PYTEST) -n auto --package=plain -m "not slow and not long" $(PLAIN_TESTS); \
		else echo "No C compiler was found: testing only the plain package (on Debian: apt install gcc libc6-dev python3-dev)."; fi
	$(call say,Testing all but the browser (SEED=$(SEED)))
	@$(COMPILED)/$(PYTEST) $(call more,4) --package=compiled -m "not long" --ignore=tests/browser
	$(call say,Testing in the browser (SEED=$(SEED)))
	@$(COMPILED)/$(PYTEST) $(call more,2) --package=compiled -m "not long" tests/browser

test-long: browser engines $(COMPILED)/.ready $(COMPILED)/.tests $(COMPILED)/.ray $(RECIPES)/.ready  ## Run the long tests: thousands of games, training runs, every combination.
	$(call say,Running the long tests (SEED=$(SEED)))
	@$(COMPILED)/$(PYTEST) -n auto --package=compiled -m long --ignore=tests/browser
	@$(COMPILED)/$(PYTEST) -n auto --package=compiled -m long tests/browser

check: quality  ## Lint, check types and run the fast tests of rules, bots, store and client.
	$(call say,Running the fast tests (SEED=$(SEED)))
	@$(DEV)/$(PYTEST) $(call more,2) -m "not slow and not long" $(CHECK_TESTS)

# Each takes one core and prints its output at the end.
quality: $(DEV)/.ready web/node_modules/.locked
	@$(MAKE) --no-print-directory --output-sync=target -j2 lint-python check-client lint-client client-test

client-test: $(DEV)/.ready web/node_modules/.locked
	$(call say,Testing the browser client)
	@$(DEV)/bin/sevenhues schema > web/schema.json
	@$(NPM) run types -- --check || { echo "web/src/wire/schema.d.ts does not match the schema: run \`make types\`." >&2; exit 1; }
	@$(NPM) run test

# The browser tests need Chromium and a Japanese font, and those of notifications a Chromium with windows and D-Bus. They are
# installed if apt-get may be used. Without Chromium the browser tests are skipped; in .ci/run they fail.
browser:
	@for name in chromium-headless-shell chromium google-chrome; do command -v $$name >/dev/null && exit; done; \
		$(call debian,Chromium,chromium-headless-shell) || \
		echo "Chromium was not found: skipping the browser tests (on Debian: apt install chromium-headless-shell)."
	@{ command -v chromium || command -v google-chrome; } >/dev/null && command -v dbus-daemon >/dev/null || \
		$(call debian,Chromium with windows and D-Bus,--no-install-recommends chromium dbus-daemon) || \
		echo "Chromium with windows or D-Bus was not found: skipping the tests of notifications (on Debian: apt install chromium dbus-daemon)."
	@fc-list :lang=ja 2>/dev/null | grep -q . || $(call debian,a Japanese font,fontconfig fonts-ipafont-gothic) || \
		echo "No Japanese font was found: pictures show boxes instead (on Debian: apt install fonts-ipafont-gothic)."

# Some browser tests also run in Firefox and WebKit, installed like Chromium. Without them these tests are skipped; in .ci/run they fail.
engines:
	@{ command -v firefox-esr || command -v firefox; } >/dev/null && command -v WebKitWebDriver >/dev/null && command -v Xvfb >/dev/null || \
		$(call debian,Firefox and WebKit,--no-install-recommends firefox-esr webkit2gtk-driver xvfb) || \
		echo "Firefox or WebKit was not found: skipping its tests (on Debian: apt install firefox-esr webkit2gtk-driver xvfb)."

debian = { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && echo "==> Installing $(1)" && \
	apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $(2) >/dev/null; }

lint: lint-python check-client lint-client  ## Lint and check types.

check-client: web/node_modules/.locked
	$(call say,Checking types and format of the browser client)
	@$(NPM) run check

lint-client: web/node_modules/.locked
	$(call say,Linting the browser client)
	@$(NPM) run lint

lint-python: $(DEV)/.ready
	$(call say,Linting the package and checking its types)
	@$(DEV)/bin/ruff check .
	@$(DEV)/bin/ruff format --check .
	@$(DEV)/bin/mypy

format: $(DEV)/.ready  ## Format the code and apply the fixes of ruff.
	@$(DEV)/bin/ruff check --fix .
	@$(DEV)/bin/ruff format .

release: $(DEV)/.ready $(COMPILED)/.ready  ## Build sdist and wheels into dist/, and test them in empty environments.
	@$(DEV)/bin/python -m tests.release dist $(COMPILED)/wheel/*.whl

docs: $(DEV)/.ready  ## Build the documentation site: open site/index.html.
	@NO_MKDOCS_2_WARNING=1 $(DEV)/bin/mkdocs build

pictures: $(DEV)/.ready $(PARTS)  ## Take the pictures of the documents again, docs/pictures.
	@$(DEV)/bin/python -m tests.browser.pictures
	@$(DEV)/bin/python -m tests.terminal.screenshots docs/pictures terminal-flip-and-slide-large

screenshots: $(DEV)/.ready $(PARTS)  ## Write a picture of every page and of the terminal to screenshots/.
	@$(DEV)/bin/python -m tests.browser.screenshots screenshots
	@$(DEV)/bin/python -m tests.terminal.screenshots screenshots

bench: $(DEV)/.ready $(COMPILED)/.ready $(COMPILED)/.tests $(BENCH)/.locked  ## Measure speed, and compare with OpenSpiel, PettingZoo and RLCard in one run.
	@$(DEV)/bin/python bench/run.py --plain $(DEV)/bin/python --compiled $(COMPILED)/bin/python --peer $(BENCH)/bin/python --json bench.json
	$(call say,Live tables under load)
	@$(DEV)/bin/python bench/server.py --python $(COMPILED)/bin/python

ladder: $(COMPILED)/.ready  ## Replay the strength figures of the documents; ARGS="--games 20" tries it.
	@$(COMPILED)/bin/python bench/ladder.py $(ARGS)

tables: $(DEV)/.ready  ## Generate docs/observations.md, and the strength tables of docs/bots.md and docs/training.md.
	@$(DEV)/bin/python docs/observation_tables.py
	@$(DEV)/bin/python bench/ladder_figures.py

lock: $(DEV)/.ready  ## Lock the newest versions that pyproject.toml allows.
	$(call say,Locking requirements)
	@for group in dev bench play ray recipes; do \
		case $$group in play|ray) like="--constraint requirements/dev.txt";; *) like=--upgrade;; esac; \
		case $$group in dev|play) extra="--extra play";; *) extra=;; esac; \
		$(DEV)/bin/uv pip compile -q $$like $$extra --universal --python-version 3.11 --generate-hashes \
			--custom-compile-command "make lock" --group $$group pyproject.toml -o requirements/$$group.txt || exit 1; done
	@$(DEV)/bin/uv pip compile -q --constraint requirements/dev.txt --universal --python-version 3.11 --generate-hashes \
		--custom-compile-command "make lock" --extra scale pyproject.toml -o requirements/server.txt
	@$(DEV)/bin/python web/offline_parts.py lock

clean:  ## Remove everything that make has built.
	rm -rf $(DEV) $(COMPILED) $(BENCH) $(RECIPES) web/node_modules web/schema.json src/sevenhues/web screenshots site .ladder .mypy_cache .pytest_cache .ruff_cache .hypothesis dist

# A virtual environment with exactly the locked requirements.
define environment
	$(if $(PYTHON),,$(error Python 3.11 or newer with venv is needed (on Debian: apt install python3-venv)))
	$(call say,Setting up $(@D))
	@test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	@test -x $(@D)/bin/uv || $(@D)/bin/python -m pip install -q --disable-pip-version-check \
		$$(grep -oE '^uv==[^ ]+' requirements/dev.txt)
	@$(@D)/bin/uv pip sync -q --python $(@D)/bin/python $<
	@touch $@
endef

$(DEV)/.locked: requirements/dev.txt
	$(environment)

$(COMPILED)/.locked: requirements/play.txt
	$(environment)

# Playing needs few packages; testing needs all.
$(COMPILED)/.tests: requirements/dev.txt $(COMPILED)/.locked
	$(call say,Installing the requirements of the tests into $(COMPILED))
	@$(COMPILED)/bin/uv pip install -q --python $(COMPILED)/bin/python -r requirements/dev.txt
	@touch $@

# Ray is large and slow to start, so only the long tests need it.
$(COMPILED)/.ray: requirements/ray.txt $(COMPILED)/.tests
	$(call say,Installing Ray into $(COMPILED))
	@$(COMPILED)/bin/uv pip install -q --python $(COMPILED)/bin/python -r requirements/ray.txt
	@touch $@

# PyTorch is large, so the recipes that need it have an environment of their own.
$(RECIPES)/.ready: requirements/recipes.txt $(COMPILED)/.ready
	$(call say,Setting up $(RECIPES))
	@test -x $(RECIPES)/bin/python || $(PYTHON) -m venv $(RECIPES)
	@$(RECIPES)/bin/python -m pip install -q --disable-pip-version-check $(TORCH)
	@$(COMPILED)/bin/uv pip install -q --python $(RECIPES)/bin/python -r requirements/recipes.txt
	@$(COMPILED)/bin/uv pip install -q --python $(RECIPES)/bin/python --no-deps --reinstall $(COMPILED)/wheel/*.whl
	@touch $@

$(BENCH)/.locked: requirements/bench.txt
	$(environment)

$(DEV)/.ready: $(DEV)/.locked pyproject.toml build_hook.py
	$(call say,Installing sevenhues from src into $(DEV))
	@$(DEV)/bin/uv pip install -q --python $(DEV)/bin/python --no-deps --no-build-isolation -e .
	@touch $@

web/node_modules/.locked: web/package-lock.json | $(COMPILED)/.locked
	$(call say,Installing the build tools of the browser client)
	@$(NPM) ci || { echo "The browser client needs packages from an npm registry: check the network, or set npm_config_registry." >&2; exit 1; }
	@touch $@

$(CLIENT): web/node_modules/.locked $(WEB)
	$(call say,Building the browser client)
	@$(NPM) run build
	@touch $@

# Building the client deletes them, but what took time is kept in web/node_modules/.offline.
$(PARTS): $(CLIENT) $(SOURCES) $(PARTS_FROM)
	$(call say,Building the parts of offline play)
	@PATH="$(CURDIR)/$(COMPILED)/bin:$$PATH" $(COMPILED)/bin/python web/offline_parts.py

# The list of sources, updated when a file is added or removed.
$(COMPILED)/.sources: FORCE
	@mkdir -p $(@D) && echo "$(SOURCES)" | cmp -s - $@ || echo "$(SOURCES)" > $@

FORCE:

$(COMPILED)/.ready: $(COMPILED)/.locked $(COMPILED)/.sources $(SOURCES) $(PARTS)
	$(call say,Compiling sevenhues into $(COMPILED))
	@rm -rf $(COMPILED)/wheel
	@$(COMPILED)/bin/uv build --wheel --no-build-isolation --python $(COMPILED)/bin/python -o $(COMPILED)/wheel .
	@$(COMPILED)/bin/uv pip install -q --python $(COMPILED)/bin/python --no-deps --reinstall $(COMPILED)/wheel/*.whl
	@$(COMPILED)/bin/sevenhues --version
	@touch $@
