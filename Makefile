# Thin on purpose: meson.build is the only description of the build. Each target first installs what
# is missing (tools/setup.sh), then asks Meson.
PREFIX    ?= /usr/local
DESTDIR   ?=
BUILD     ?= build
PYTHON    := $(firstword $(wildcard /usr/bin/python3) python3)
QUICKSTEP := $(BUILD)/quickstep

.PHONY: all run build test check check-keras bench bench-peers install format clean help setup-%

all: build

help:
	@echo "run test build check check-keras bench bench-peers format clean"
	@echo "install PREFIX=/usr/local DESTDIR="

setup-%:
	@tools/setup.sh $*

# Tests and fuzz targets are found by name, so Meson looks again when one of their folders changes.
FOUND := $(wildcard tests/unit tests/unit/* tests/cli tests/examples tests/docs fuzz)

$(BUILD)/build.ninja: $(FOUND) | setup-build
	@meson setup $(if $(wildcard $@),--reconfigure) $(BUILD) --prefix=$(PREFIX) --libdir=lib \
	  >$(BUILD).log 2>&1 || { cat $(BUILD).log; rm -f $(BUILD).log; exit 1; }
	@rm -f $(BUILD).log

# Train the default network on Fashion-MNIST and say where the result is.
run: setup-run build
	@$(QUICKSTEP) train

build: setup-build $(BUILD)/build.ninja
	@meson compile -C $(BUILD)

test: setup-test build
	@$(PYTHON) tools/run_tests.py $(BUILD)

check: setup-check build
	@tools/check.sh

check-keras: setup-keras build
	@tools/check_keras.sh

bench: setup-build build
	@$(PYTHON) bench/bench.py $(QUICKSTEP)

bench-peers: setup-keras build
	@$(PYTHON) bench/bench.py --peers $(QUICKSTEP)

install: build
	@meson configure $(BUILD) -Dprefix=$(PREFIX)
	@DESTDIR=$(DESTDIR) meson install -C $(BUILD)

format:
	@git ls-files '*.[ch]' | xargs clang-format -i

clean:
	@rm -rf $(BUILD) build-*
