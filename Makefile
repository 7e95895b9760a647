# The front door: every target is a line or two around cmake, ctest or a script.
# On a machine without the packages of .packages, `make demo` and `make check`
# install them first (apt, with sudo if need be).

PRESET ?= release
BUILD = build/$(PRESET)
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
CONFIGURE_TESTS = cmake --preset $(PRESET) -DMRC_TESTS=ON > /dev/null

.DEFAULT_GOAL := all
.PHONY: all demo check check-numa test golden bless lint format bench bench-papers fuzz \
	install uninstall packages-build packages-check packages-fuzz packages-numa clean help

all: ## build build/release/mrc
	@cmake --preset $(PRESET) -DCMAKE_INSTALL_PREFIX=$(PREFIX) -DMRC_TESTS=OFF > /dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target mrc

demo: ## install what is missing, build, count the words of a text
	@$(MAKE) -s packages-build all >&2
	@$(BUILD)/mrc wordcount --top 10 tests/data/sample.txt

check: ## install what is missing, build, run all tests
	@$(MAKE) -s packages-check >&2
	@$(MAKE) -s test

check-numa: packages-numa ## check placement on an emulated machine with four nodes
	@$(CONFIGURE_TESTS) && cmake --build $(BUILD) -j $(JOBS) --target mrc near_memory >&2
	@tests/numa/run $(BUILD)

test: ## build and run all tests (PRESET=asan, tsan, ... for others)
	@$(CONFIGURE_TESTS) && cmake --build $(BUILD) -j $(JOBS)
	@ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS)

golden: ## run the golden cases and the examples of the man pages
	@$(CONFIGURE_TESTS) && cmake --build $(BUILD) -j $(JOBS) --target golden_tests
	@ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS) -L golden

bless: ## rewrite what the golden cases expect; review with git diff
	@MRC_BLESS=1 $(MAKE) -s golden

lint: ## layers, verbs, man pages, formatting, scripts
	@tests/lint/run $(BUILD)/mrc

format: ## format the sources
	@git ls-files '*.cc' '*.h' | xargs clang-format-19 -i

bench: ## compare with other tools (tests/bench/run tells how)
	@$(CONFIGURE_TESTS) && cmake --build $(BUILD) -j $(JOBS) --target mrc compare generate \
	  generate_numbers baselines plugins >&2
	@tests/bench/run $(BUILD)

bench-papers: ## rerun the papers' experiments (EXPERIMENTS="sort tiles": just these)
	@$(CONFIGURE_TESTS) && cmake --build $(BUILD) -j $(JOBS) --target papers >&2
	@tests/bench/papers $(BUILD) $(EXPERIMENTS)

fuzz: packages-fuzz ## fuzz each target for a minute (clang-19)
	@cmake --preset fuzz > /dev/null && cmake --build build/fuzz -j $(JOBS)
	@tests/fuzz/run build/fuzz

install: all ## install below $(DESTDIR)$(PREFIX)
	@DESTDIR=$(DESTDIR) cmake --install $(BUILD) --prefix $(PREFIX)

uninstall: ## remove what install put there
	@xargs -r -I{} rm -f "$(DESTDIR){}" < $(BUILD)/install_manifest.txt

packages-build: ## install the packages that building needs
	@cmd/install-packages build

packages-fuzz: ## install the packages that fuzzing needs
	@cmd/install-packages build fuzz

packages-numa: ## install the packages that check-numa needs
	@cmd/install-packages build check numa

packages-check: ## install the packages that building and testing need
	@cmd/install-packages build check

clean: ## remove build/
	@rm -rf build

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-16s%s\n", $$1, $$2}' Makefile
