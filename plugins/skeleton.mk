# Builds skeleton.so. The header of mrc is found by pkg-config, or said: make MRC_INCLUDE=FOLDER
MRC_INCLUDE ?= $(shell pkg-config --variable=includedir mrc)
MRC ?= mrc
FLAGS = -fPIC -fvisibility=hidden -shared $(addprefix -I,$(MRC_INCLUDE))

skeleton.so: skeleton.c
	$(CC) -O2 -Wall -Wextra -std=c11 $(CFLAGS) $(FLAGS) -o $@ $<

skeleton.so: skeleton.cc
	$(CXX) -O2 -Wall -Wextra -std=c++20 -Wno-missing-field-initializers $(CXXFLAGS) $(FLAGS) -o $@ $<

skeleton.so: skeleton.rs
	rustc --edition 2021 --crate-type cdylib -C opt-level=3 -C panic=abort $(RUSTFLAGS) -o $@ $<

run: skeleton.so
	$(MRC) run ./skeleton.so sample.txt

check: skeleton.so
	$(MRC) plugins check ./skeleton.so sample.txt

install: skeleton.so
	install -D -m 644 skeleton.so $(HOME)/.local/lib/mrc/skeleton.so

clean:
	rm -f skeleton.so

.PHONY: run check install clean
