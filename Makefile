# hopcheck: each target first sets up what it needs, in .venv and nowhere else.
# Needs Python 3.11 or later with pip, and make. Another Python: make verify PYTHON=python3.12

PYTHON ?= python3
JOBS ?= 2
# Which tests `make test` runs; continuous integration runs all that are not slow.
TESTS ?= not slow and not measuring
# make test ORDER=1: in random order, by this seed.
ORDER ?=
# Of the extras of pyproject.toml, those that `make adapters` installs.
TOOLS ?= inspect,lm-eval,reasoning-gym,pykeen,tgb,verifiers,openenv,trl

# pinned: those of constraints.txt; lowest, highest: of those that pyproject.toml allows, in an
# environment of their own.
VERSIONS ?= pinned

VENV := .venv$(patsubst %,-%,$(filter-out pinned,$(VERSIONS)))
RUN := $(VENV)/bin/python
READY := $(VENV)/.ready
MODELS := $(VENV)/.models
ADAPTERS := $(VENV)/.adapters
RAY := $(VENV)/.ray
PAGES := $(VENV)/.pages
INSTALL := $(RUN) .ci/install.py
BUILT := build/proofs
PROVED := solver/eventhop/certificates/proved.js
PRIMITIVES := dlljsoo_runtime_stubs dlljs_of_ocaml_stubs
SITE := build/site
PAGE_SOURCES := site/build.mjs site/node.mjs site/index.html site/style.css $(wildcard site/src/*.js) \
  $(wildcard benchmarks/reproduction/playground/*.py site/python/*.py grammar/*.py grammar/*/*.py grammar/*/*.lark grammar/*/*.toml) \
  $(wildcard solver/*.py solver/*/*.py solver/*/*/*.py encodings/temporal/*.lp encodings/traces/*.lp) $(PROVED)
THEORIES := Meaning Walks Checker Soundness Shortest Completeness Models Claims Published Steps StepChecker StepSoundness Graphs GraphChecker GraphSoundness Links LinkChecker LinkSoundness Reading Reader ReaderSoundness Questions QuestionChecker QuestionSoundness Extract Assumptions
PACKAGES := solver grammar generators benchmarks hopcheck

# Else each process of the tests would compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help verify test test-all test-wheel lint models adapters ray proofs browser site docs wheel clean

help: ## Show the targets.
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1 	\2/p' Makefile | expand -t 20

verify: $(READY) ## Verify the example files: a right one, and a flawed one.
	@$(RUN) -m solver verify examples/right.tsv
	@echo
	@$(RUN) -m solver verify examples/flawed.tsv; status=$$?; echo; \
	if [ $$status -ne 1 ]; then \
	  echo "examples/flawed.tsv: exit status $$status, but 1 (violations found) is expected" >&2; \
	  exit 1; \
	fi; \
	echo "right.tsv is as declared (exit status 0), flawed.tsv is not (exit status 1): as expected."

test: $(READY) ## Run the tests, except slow ones and those of what measures the project.
	@echo "pytest, tests that are $(TESTS)"
	@$(RUN) -m pytest -n $(JOBS) --dist worksteal -m "$(TESTS)" $(ORDER:%=-p randomly --randomly-seed=%)

test-all: $(READY) ## Run all tests.
	@echo "pytest, all tests"
	@$(RUN) -m pytest -n $(JOBS) --dist worksteal

test-wheel: $(READY) ## Run the tests against the installed wheel, in a folder of modules with our names.
	@echo "pytest against the wheel, without the slow tests"
	@$(RUN) tests/installed.py run

lint: $(READY) ## Check style and types.
	@echo "ruff check"; $(RUN) -m ruff check --quiet .
	@echo "ruff format"; $(RUN) -m ruff format --quiet --check .
	@echo "mypy --strict"; $(RUN) -m mypy --no-error-summary
	@$(RUN) -m benchmarks.reproduction.structure --long

models: $(MODELS) ## Install what tests of optional parts need (torch, transformers, datasets, pandas, polars, nbclient, mkdocs).

adapters: $(ADAPTERS) ## Install the tools that data are exported to (inspect_ai, lm-eval, PyKEEN, ...).

ray: $(RAY) ## Install Ray, for tests of a cluster.

proofs: $(BUILT)/check ## Check the Coq proofs and compile the proved checker.
	@echo "the proofs are checked; the compiled checker is $(BUILT)/check"

browser: ## Install Debian's chromium, which the tests of HTML pages need (as root).
	@command -v chromium >/dev/null || \
	  timeout 300 apt-get install -y --no-install-recommends chromium

site: $(SITE)/playground.html ## Build the playground, one HTML file; needs Node.js with npm.
	@echo "the playground is $(SITE)/playground.html; $(SITE)/embed.html is for frames"

docs: $(PAGES) $(SITE)/playground.html ## Build the documentation as a site; needs Node.js with npm, as the playground does.
	@echo "building the pages"
	@NO_MKDOCS_2_WARNING=1 $(RUN) -m mkdocs build
	@echo "the documentation is build/docs/index.html"

wheel: $(READY) ## Build a wheel into dist/.
	@echo "building a wheel"
	@$(RUN) -m hatchling build --target wheel

clean: ## Remove what the other targets made.
	@rm -rf $(VENV) dist build site/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis
	@find $(PACKAGES) tests -type d -name __pycache__ -prune -exec rm -rf {} +

# By uv, or by pip where uv does not work. What builds the package comes from the constraints as
# well: an isolated build would take the newest of all that hatchling needs, and would need the
# network each time.
$(READY): pyproject.toml constraints.txt constraints-extras.txt
	@$(RUN) -c '$(RECENT)' 2>/dev/null || { $(make_venv); }
ifeq ($(VERSIONS),pinned)
	@echo "installing the versions of constraints.txt (once; up to a minute)"
	@$(INSTALL) --require-hashes --requirement constraints.txt
	@$(INSTALL) --no-deps --no-build-isolation --editable .
else
	@echo "installing the $(VERSIONS) versions that pyproject.toml allows (once; up to a minute)"
	@$(INSTALL) hatchling editables
	@$(INSTALL) --resolution $(VERSIONS:lowest=lowest-direct) --no-build-isolation --editable '.[dev]'
endif
	@touch $@

$(MODELS): $(READY)
	@echo "installing torch, transformers, datasets, pandas, polars, nbclient and mkdocs (once; a minute, or more where torch comes with CUDA)"
	@$(INSTALL) --no-build-isolation --editable '.[models,hf,notebook,frames,docs]'
	@touch $@

$(ADAPTERS): $(MODELS)
	@echo "installing $(TOOLS) (once; some minutes)"
	@$(INSTALL) --no-build-isolation --editable '.[$(TOOLS)]'
	@touch $@

$(RAY): $(READY)
	@echo "installing ray (once; some seconds)"
	@$(INSTALL) --no-build-isolation --editable '.[ray]'
	@touch $@

$(PAGES): $(READY)
	@echo "installing mkdocs-material (once; some seconds)"
	@$(INSTALL) --no-build-isolation --editable '.[docs]'
	@touch $@

# Compiled from copies, each theory after those that it imports.
$(BUILT)/check: $(THEORIES:%=proofs/%.v) proofs/lines.ml proofs/main.ml proofs/page.ml
	@command -v coqc >/dev/null && command -v ocamlopt >/dev/null || { \
	  echo "the proofs need the Debian packages coq and ocaml-nox (coqc, ocamlopt)" >&2; exit 1; }
	@echo "checking the proofs (once; less than a minute)"
	@mkdir -p $(BUILT) && rm -f $(BUILT)/* && cp $^ $(BUILT) && cd $(BUILT) && \
	for theory in $(THEORIES); do \
	  coqc -Q . Hopcheck $$theory.v >>assumptions.txt || exit 1; \
	done && ocamlopt checker.mli checker.ml lines.ml main.ml -o check
	@! command -v js_of_ocaml >/dev/null || { cd $(BUILT) && \
	ocamlc $(PRIMITIVES:%=-dllib %) checker.mli checker.ml lines.ml page.ml -o page.byte && \
	js_of_ocaml --opt 3 page.byte -o check.js && \
	{ echo "// Compiled by make proofs from sources with the SHA-256 $$(cat $(^:proofs/%=%) | sha256sum | cut -c -64)"; \
	cat check.js; } >proved.js && \
	{ cmp -s proved.js $(CURDIR)/$(PROVED) || cp proved.js $(CURDIR)/$(PROVED); }; }

$(SITE)/playground.html: $(PAGE_SOURCES) site/node_modules/.ready $(READY)
	@echo "building the playground"
	@$(RUN) -m benchmarks.reproduction.playground.export $(SITE)/tables.json
	@$(RUN) -m benchmarks.reproduction.playground.archive $(SITE)/modules.zip
	@node site/build.mjs $(SITE)

site/node_modules/.ready: site/package-lock.json
	@command -v npm >/dev/null || { \
	  echo "the playground needs Node.js with npm (Debian: nodejs npm)" >&2; exit 1; }
	@echo "installing the versions of site/package-lock.json"
	@cd site && npm ci --silent
	@touch $@

RECENT := import sys; sys.exit(sys.version_info < (3, 11))

# Debian's Python comes without ensurepip; the pip beside it can fill an environment from outside.
make_venv = \
  "$(PYTHON)" -c '$(RECENT)' 2>/dev/null || { \
    echo "hopcheck needs Python 3.11 or later; '$(PYTHON)' is" \
      "$$("$(PYTHON)" --version 2>/dev/null || echo "not there")." \
      "Name another: make PYTHON=python3.11" >&2; exit 1; }; \
  echo "making $(VENV)"; rm -rf $(VENV); \
  "$(PYTHON)" -m venv $(VENV) >/dev/null 2>&1 || { rm -rf $(VENV); \
    "$(PYTHON)" -m venv --without-pip $(VENV) && \
    "$(PYTHON)" -m pip --python $(RUN) install --quiet --quiet pip; } || { \
    echo "'$(PYTHON)' makes no virtual environment; it needs its modules venv and pip" >&2; exit 1; }
