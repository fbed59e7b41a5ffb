# `make` alone lists the targets.
VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= python3
CREATED := $(VENV)/pyvenv.cfg
INSTALLED := $(VENV)/.installed
SYSTEM := $(VENV)/.system-installed
PACKAGED := $(VENV)/.test-packages
TESTED := $(VENV)/.test-installed
NODE := $(VENV)/node
NPM_BIN := $(NODE)/node_modules/.bin
NPM_INSTALLED := $(NODE)/node_modules/.package-lock.json
# Python compiles a module when it is first imported; most modules never are.
PIP := pip install --quiet --disable-pip-version-check --no-compile
PACKAGES := import sysconfig; print(sysconfig.get_path("purelib"))
LOWEST := $(VENV)/lowest
# `make fuzz`: cases for each of three accounts, and orders on each of two databases.
FUZZ ?= 7000
INTERLEAVINGS ?= 5000
# `make mutants`: the fraction of guards to remove.
PART ?= 1
PEER := $(VENV)/peer
PEER_INSTALLED := $(PEER)/.installed
# While a process waits for a server or a browser, another process uses the processor.
PYTEST := $(BIN)/pytest --numprocesses 3
# Without the bytecode of earlier runs, each of the hundreds of servers compiles the sources again.
unexport PYTHONDONTWRITEBYTECODE
# `make cluster`: how many times a node is killed.
KILLS ?= 20
# `make mysql`: the program of a MySQL server.
MYSQLD ?= /usr/sbin/mysqld

help:
	@echo "make serve    create a virtual environment, install, and serve on 127.0.0.1:8000"
	@echo "make test     install what the tests need and run them on SQLite and MariaDB"
	@echo "make fuzz     send 20,000 unusual requests, generated from the OpenAPI document, and"
	@echo "              try 10,000 orders of the steps of simultaneous changes"
	@echo "make mutants  remove each guard of tests/mutants in a copy and check that its test fails"
	@echo "make lowest   run some tests with the oldest packages that setup.cfg allows"
	@echo "make lint     check style, imports and types, of Python and of the site (needs npm)"
	@echo "make format   format the site"
	@echo "make mysql    run the tests on MySQL instead of MariaDB: MYSQLD=path of its mysqld"
	@echo "make bench    measure what is promised about speed; fails if a goal is missed"
	@echo "make cluster  kill nodes of a cluster 20 times under load, and measure"
	@echo "make screenshots  take pictures of the main views, and say which of them changed"
	@echo "make cities   update cities.txt from the official list of communes (needs npm)"
	@echo "make constraints  pin the newest versions of all packages in constraints.txt"

serve: $(INSTALLED)
	@$(BIN)/reservation serve

test: $(TESTED) $(PEER_INSTALLED)
	TEST_ENGINE=sqlite $(PYTEST) --dist worksteal
	TEST_ENGINE=mariadb $(PYTEST) --dist loadgroup

fuzz: fuzz-sqlite fuzz-mariadb

fuzz-sqlite: $(TESTED)
	FUZZ=$(FUZZ) INTERLEAVINGS=$(INTERLEAVINGS) TEST_ENGINE=sqlite $(PYTEST) --dist loadgroup \
		-rP tests/fuzz tests/races/test_interleavings.py

fuzz-mariadb: $(TESTED)
	INTERLEAVINGS=$(INTERLEAVINGS) TEST_ENGINE=mariadb $(BIN)/pytest tests/races/test_interleavings.py

mysql: $(TESTED)
	TEST_ENGINE=mariadb MYSQLD=$(MYSQLD) $(PYTEST) --dist loadgroup --ignore tests/cluster

mutants: $(TESTED)
	$(BIN)/python -m tests.mutants --part $(PART)

lowest: $(TESTED)
	$(PYTHON) -m venv --clear $(LOWEST)
	sed -nE '/^install_requires|^mysql/,/^$$|^test/s/^ +([A-Za-z-]+) >= ([0-9.]+).*/\1==\2/p' \
		setup.cfg | tee $(LOWEST)/bounds.txt
	$(LOWEST)/bin/$(PIP) --constraint $(LOWEST)/bounds.txt --editable ".[mysql]"
	# All other packages come from the other environment, with lower priority.
	echo "import site; site.addsitedir('$$($(BIN)/python -c '$(PACKAGES)')')" \
		> "$$($(LOWEST)/bin/python -c '$(PACKAGES)')/tests.pth"
	TEST_ENGINE=sqlite $(LOWEST)/bin/python -m pytest --quiet \
		tests/test_readme.py tests/specification/test_tokens.py tests/http/test_bodies.py
	TEST_ENGINE=mariadb $(LOWEST)/bin/python -m pytest --quiet \
		tests/resources/test_booking.py tests/storage/test_transaction.py

lint: $(TESTED)
	$(BIN)/flake8
	$(BIN)/isort --check-only --diff .
	$(BIN)/mypy
	$(NPM_BIN)/biome check --error-on-warnings --config-path=tests/site reservation/site
	$(NPM_BIN)/tsc --project tests/site

format: $(TESTED)
	$(NPM_BIN)/biome check --write --config-path=tests/site reservation/site

cluster: $(TESTED)
	STORM_KILLS=$(KILLS) TEST_ENGINE=mariadb $(BIN)/pytest -s tests/cluster/test_storm.py

bench: $(TESTED) $(PEER_INSTALLED)
	$(BIN)/python -m benchmarks

screenshots: $(TESTED)
	TEST_ENGINE=sqlite $(BIN)/pytest --quiet -rP tests/browser/screenshots.py

cities:
	$(PYTHON) scripts/make_cities.py

constraints:
	$(PYTHON) -m venv --clear $(VENV)/newest
	$(VENV)/newest/bin/$(PIP) --editable ".[mysql,test,lint]"
	$(VENV)/newest/bin/pip freeze --all --exclude-editable --exclude pip > constraints.txt
	rm -r $(VENV)/newest

$(CREATED):
	$(PYTHON) -m venv $(VENV)

$(INSTALLED): setup.cfg pyproject.toml constraints.txt | $(CREATED)
	$(BIN)/$(PIP) --constraint constraints.txt --editable .
	@touch $@

# `make --jobs` makes the first two at the same time, and then the third.
$(TESTED): $(SYSTEM) $(PACKAGED) $(NPM_INSTALLED)
	@touch $@

$(SYSTEM): scripts/install_test_packages | $(CREATED)
	scripts/install_test_packages
	@touch $@

$(PACKAGED): setup.cfg pyproject.toml constraints.txt | $(CREATED)
	$(BIN)/$(PIP) --constraint constraints.txt --editable ".[mysql,test,lint]"
	@touch $(INSTALLED) $@

# `make bench` measures this service too. Its packages stay apart from those of the tests.
$(PEER_INSTALLED): constraints.txt | $(CREATED)
	$(PYTHON) -m venv --clear $(PEER)
	$(PEER)/bin/$(PIP) "$$(grep ^gunicorn== constraints.txt)" django-appointment==3.12.0
	@touch $@

$(NPM_INSTALLED): tests/package.json $(SYSTEM)
	mkdir -p $(NODE) && cp tests/package.json $(NODE)
	npm install --silent --no-audit --no-fund --prefix $(NODE)
	@touch $@

.PHONY: help serve test fuzz fuzz-sqlite fuzz-mariadb mysql mutants lowest lint format bench cluster screenshots cities constraints
