# Builds skeleton.so. mrc_plugin.h, which is in the Debian package mrc-mapreduce-dev, is looked up
# next to the installed mrc, then by pkg-config. For another directory: make MRC_INCLUDE=DIRECTORY
MRC ?= mrc
QUOTED = '$(subst ','\'',$(1))'
BESIDE = $$(dirname "$$(realpath "$$(command -v $(call QUOTED,$(MRC)))" 2>/dev/null)")
MRC_INCLUDE ?= $(shell for directory in "$(BESIDE)/../include" "$(BESIDE)/include" \
    "$$(pkg-config --variable=includedir mrc | xargs)"; do \
  if [ -f "$$directory/mrc_plugin.h" ]; then realpath "$$directory"; break; fi; done)
FLAGS = -fPIC -fvisibility=hidden -shared -I$(call QUOTED,$(MRC_INCLUDE))

skeleton.so: skeleton.c
	$(CC) -O2 -Wall -Wextra -std=c11 $(CFLAGS) $(FLAGS) -o $@ $<

skeleton.so: skeleton.cc
	$(CXX) -O2 -Wall -Wextra -std=c++20 -Wno-missing-field-initializers $(CXXFLAGS) $(FLAGS) -o $@ $<

skeleton.so: skeleton.rs mrc.rs
	rustc --edition 2021 --crate-type cdylib -C opt-level=3 -C panic=abort $(RUSTFLAGS) -o $@ $<

header:
	@[ -f $(call QUOTED,$(MRC_INCLUDE)/mrc_plugin.h) ] || { echo 'mrc_plugin.h is neither next to' \
	  $(call QUOTED,"$(MRC)") 'nor known to pkg-config (PKG_CONFIG_PATH); install' \
	  'mrc-mapreduce-dev, or use make MRC_INCLUDE=DIRECTORY' >&2; exit 1; }
skeleton.so: | header

run: skeleton.so
	$(call QUOTED,$(MRC)) run ./skeleton.so sample.txt

check: skeleton.so
	$(call QUOTED,$(MRC)) plugins check ./skeleton.so sample.txt

install: skeleton.so
	install -D -m 644 skeleton.so "$(HOME)/.local/lib/mrc/skeleton.so"

clean:
	rm -f skeleton.so

.PHONY: header run check install clean
