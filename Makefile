# The front door: every target is a line or two around cmake, ctest or a script.
# On a machine without the packages of .packages, `make demo` and `make check`
# install them first (apt, with sudo if need be).
# `make` builds all that `make install` installs: that one neither configures nor builds,
# so that root may run it in the checkout of a user.

PRESET ?= release
BUILD = build/$(PRESET)
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
CONFIGURE = cmd/configure $(PRESET)
CONFIGURE_TESTS = $(CONFIGURE) -DMRC_TESTS=ON
SUMS = cd build/dist && sha256sum mrc* >SHA256SUMS

.DEFAULT_GOAL := all
.PHONY: all programs everything demo html packages-html deb check-deb packages-deb portable \
	check-portable packages-portable dist check-dist wheel check-wheel check check-expressions \
	check-hadoop check-memory check-numa check-page check-seeds check-serve check-spark check-tsan \
	test golden bless lint format bench bench-papers bench-claims bench-scaling bench-serve \
	bench-study fuzzers fuzz install install-programs uninstall packages-build packages-check \
	packages-fuzz packages-numa clean help

all: ## build build/release/mrc, and all else that is installed
	@$(CONFIGURE) -DMRC_TESTS=OFF
	@cmd/build $(BUILD) $(JOBS) image
	@echo 'mrc is built: $(BUILD)/mrc. Install it with: sudo make install' >&2

programs: ## build the programs of the papers, which are plugins
	@$(CONFIGURE) -DMRC_TESTS=OFF
	@cmd/build $(BUILD) $(JOBS) image-programs

everything: ## build all programs there are: tests, benchmarks, that of check-numa
	@$(CONFIGURE_TESTS) && cmd/build $(BUILD) $(JOBS) everything

demo: ## install what is missing, build, count the words of a text
	@$(MAKE) -s packages-build >&2
	@$(MAKE) -s all >&2
	@$(BUILD)/mrc wordcount --top 10 tests/data/sample.txt

check: ## install what is missing, build, run all tests
	@$(MAKE) -s packages-check >&2
	@$(MAKE) -s test

check-numa: packages-numa ## check placement on an emulated machine with four nodes
	@$(CONFIGURE_TESTS) && cmd/build $(BUILD) $(JOBS) mrc near_memory
	@tests/numa/run $(BUILD)

check-page: ## check reports and the manual in Chromium (needs chromium-driver, python3-selenium)
	@tests/browser/page_test.py && tests/browser/site_test.py

check-spark: ## check mrc-spark on a cluster of Spark on this machine (needs java; minutes)
	@$(CONFIGURE_TESTS) && cmd/build $(BUILD) $(JOBS) mrc
	@tests/spark/run $(BUILD)

check-expressions: ## compare 10,000 random expressions, and times of all zones, with Python
	@$(CONFIGURE_TESTS) && cmd/build $(BUILD) $(JOBS) mrc
	@python3 tests/oracle/expressions.py $(BUILD)/mrc --count 10000
	@python3 tests/oracle/zones.py $(BUILD)/mrc

check-hadoop: ## check the recipes for Hadoop Streaming with Hadoop itself (needs java, mvn)
	@$(CONFIGURE_TESTS) && cmd/build $(BUILD) $(JOBS) mrc
	@tests/hadoop/run $(BUILD)

check-seeds: ## run the random tests from five other seeds (half an hour)
	@$(CONFIGURE_TESTS) && cmd/build $(BUILD) $(JOBS) all
	@now=$$(date +%s); for i in 1 2 3 4 5; do \
		echo "MRC_SEED=$$((now + i * 1000))" && MRC_SEED=$$((now + i * 1000)) \
		ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS) -L 'property|fuzz' || exit 1; done

check-serve: ## run the golden cases by a job server
	@$(CONFIGURE_TESTS) && cmd/build $(BUILD) $(JOBS) mrc golden_tests
	@tests/golden/serve $(BUILD)

check-memory: ## check that --memory is kept, with all sizes and numbers of threads (minutes)
	@$(CONFIGURE_TESTS) && cmd/build $(BUILD) $(JOBS) mrc fault_tests
	@MRC_MEMORY_TABLE=all MRC_TEST_SECONDS=3600 $(BUILD)/tests/fault_tests \
		--gtest_filter='*MemoryPromise*:*KeyShapes*'

check-tsan: ## look for data races: the property tests under the thread sanitizer
	@cmd/configure tsan -DMRC_TESTS=ON
	@cmd/build build/tsan $(JOBS) property_tests
	@ctest --test-dir build/tsan --output-on-failure -j $(JOBS) -L property

test: ## build and run all tests (PRESET=asan, tsan, ... for others)
	@$(CONFIGURE_TESTS) && cmd/build $(BUILD) $(JOBS) all
	@ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS)

golden: ## run the golden cases and the examples of the man pages
	@$(CONFIGURE_TESTS) && cmd/build $(BUILD) $(JOBS) golden_tests
	@ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS) -L golden

bless: ## rewrite what the golden cases expect; review with git diff
	@MRC_BLESS=1 $(MAKE) -s golden

lint: ## layers, verbs, man pages, formatting, scripts
	@tests/lint/run $(BUILD)/mrc

format: ## format the sources
	@git ls-files '*.cc' '*.h' '*.hpp' | xargs clang-format-19 -i

bench: ## compare with other tools (tests/bench/run tells how)
	@$(CONFIGURE_TESTS) && cmd/build $(BUILD) $(JOBS) mrc compare generate \
	  generate_numbers baselines plugins >&2
	@tests/bench/run $(BUILD)

bench-papers: ## rerun the papers' experiments (EXPERIMENTS="sort tiles": just these)
	@$(CONFIGURE_TESTS) && cmd/build $(BUILD) $(JOBS) papers
	@tests/bench/papers $(BUILD) $(EXPERIMENTS)

bench-claims: ## rerun the rows of tests/bench/PAPERS.md, and fail if a figure is no longer true
	@$(CONFIGURE_TESTS) && cmd/build $(BUILD) $(JOBS) claims
	@$(BUILD)/tests/bench/claims $(BUILD)

bench-study: ## rerun the tasks of the in-depth study, with DuckDB if it is on PATH
	@$(CONFIGURE_TESTS) && cmd/build $(BUILD) $(JOBS) mrc compare generate_study
	@tests/bench/study $(BUILD)

bench-serve: ## compare jobs by the job server with jobs by themselves
	@$(CONFIGURE_TESTS) && cmd/build $(BUILD) $(JOBS) mrc compare generate_study
	@tests/bench/serve $(BUILD)

bench-scaling: ## check that costs grow in proportion to the input (20 minutes)
	@$(CONFIGURE_TESTS) && cmd/build $(BUILD) $(JOBS) scaling_law
	@$(BUILD)/tests/bench/scaling_law $(BUILD) long

fuzzers: packages-fuzz ## build the fuzz targets (clang-19)
	@cmd/configure fuzz && cmd/build build/fuzz $(JOBS) fuzzers

fuzz: fuzzers ## fuzz each target for a minute
	@tests/fuzz/run build/fuzz

install install-programs uninstall: export DESTDIR := $(DESTDIR)
install install-programs uninstall: export PREFIX := $(PREFIX)

install: ## install what make has built below $(DESTDIR)$(PREFIX)
	@cmd/install-image install $(BUILD)/image

install-programs: ## install what make programs has built, beside mrc
	@cmd/install-image install-programs $(BUILD)/image-programs

uninstall: ## remove what both have put below $(DESTDIR)$(PREFIX)
	@cmd/install-image uninstall

html: packages-html ## make the manual a site of linked pages in build/html
	@cmd/site/make-site build/html
	@echo 'the manual is made: open build/html/index.html' >&2

deb: packages-deb ## build Debian packages into build/deb
	@cmd/package/deb $(JOBS)

portable: packages-portable ## build build/portable/mrc, which needs the C library only
	@cmd/configure portable -DMRC_TESTS=OFF
	@cmd/build build/portable $(JOBS) image
	@cmd/package/licences build portable > build/portable/mrc-licences.txt
	@echo 'mrc is built: build/portable/mrc; hand on mrc-licences.txt with it' >&2

check-portable: portable ## run that file in a fresh Debian 12 and 13
	@for suite in bookworm trixie; do \
	  cmd/package/check-deb --binary build/portable/mrc $$suite || exit 1; done

dist: portable ## pack build/portable/mrc, pages and completions: build/dist/*.tar.zst
	@cmd/package/dist build/portable build/dist
	@$(SUMS)

check-dist: dist ## make the tarball again, compare the bytes, unpack and run it
	@tests/dist/run build/portable build/dist

wheel: portable ## pack build/portable/mrc and the module for Python: build/dist/*.whl
	@cmd/package/wheel build/portable build/dist
	@$(SUMS)

check-wheel: wheel ## install the wheel in a virtual environment and test the module
	@tests/wheel/run build/portable

check-deb: deb ## install, run and remove the packages in a fresh Debian 12 and 13
	@cmd/package/check-deb build/deb
	@cmd/package/deb-for trixie build/deb-trixie $(JOBS)
	@cmd/package/check-deb build/deb-trixie trixie

packages-build: ## install the packages that building needs
	@cmd/install-packages build

packages-deb: ## install the packages that make deb needs
	@cmd/install-packages build deb

packages-html: ## install the packages that make html needs
	@cmd/install-packages html

packages-portable: ## install the packages that make portable, dist and wheel need
	@cmd/install-packages build portable

packages-fuzz: ## install the packages that fuzzing needs
	@cmd/install-packages build fuzz

packages-numa: ## install the packages that check-numa needs
	@cmd/install-packages build check numa

packages-check: ## install the packages that building and testing need
	@cmd/install-packages build check

clean: ## remove build/
	@rm -rf build

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-18s%s\n", $$1, $$2}' Makefile
