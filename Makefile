# picklesight - see what a Python pickle needs, without loading it.
#
#   make quickstart     install what is missing, build, check two real payloads
#   make check          install what is missing, build and run every test
#   make                build/picklesight, build/libpicklesight.a, build/libpicklesight.so
#   make help           all targets
#
# GNU make 4 or later; the default target needs a C11 compiler and zlib, nothing else.
# Everything lands in $(BUILD). Objects remember the flags they were built with: change CC or
# CFLAGS and they are built again. Sanitizers and fuzzing have folders of their own.
#
# Yours to set: CC CXX AR CFLAGS CPPFLAGS LDFLAGS LDLIBS BUILD, WERROR=1, V=1 (show commands),
# PYTHONS (more of them, for tables), TRUTH_ARGS,
# DESTDIR PREFIX BINDIR LIBDIR INCLUDEDIR MANDIR PCDIR BASHDIR ZSHDIR FISHDIR.

MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all
export LC_ALL := C

# ---- what is set from outside ------------------------------------------------------------------

# CC (cc), CXX (g++) and AR (ar) are make's own defaults.
NM       ?= nm
INSTALL  ?= install
# Rooms are small files, so what crosses them is inlined when the tool, the shared library and the bench
# are linked; objects hold plain code too, for every other link. Other compilers build as usual, and so
# does whoever sets CFLAGS.
# -O3 pays where short loops run over short texts, and costs in the dispatch loop: by folder, then.
LTO      :=
HOT      :=
ifeq ($(origin CFLAGS),undefined)
HOT      := -O3
ifneq ($(and $(shell $(CC) --version 2>/dev/null | grep 'Free Software'),$(shell command -v gcc-ar)),)
LTO      := -flto=auto
AR       := gcc-ar
endif
endif
CFLAGS   ?= -O2 -g
NO_LTO   := $(if $(LTO),-fno-lto)
BUILD    := build
WERROR   :=
V        :=

PREFIX     ?= /usr/local
BINDIR     ?= $(PREFIX)/bin
LIBDIR     ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR     ?= $(PREFIX)/share/man
PCDIR      ?= $(LIBDIR)/pkgconfig
BASHDIR    ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR     ?= $(PREFIX)/share/zsh/site-functions
FISHDIR    ?= $(PREFIX)/share/fish/vendor_completions.d

CLANG         ?= clang
PYTHON_CONFIG ?= $(firstword $(wildcard /usr/bin/python3-config) python3-config)
SECONDS       := 60
T             :=
TIDY          :=
COUNT         := 200000
SEED          := 1
PYODIDE       ?=

# ---- flags -------------------------------------------------------------------------------------

WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla \
            -Wswitch-enum -Wcast-qual -Wundef -Wformat=2 $(if $(filter-out 0,$(WERROR)),-Werror)

# Warnings come before the user's flags, so that they can be turned off; what the code cannot do
# without comes after them, so that it cannot.
ALL_CFLAGS  = $(WARNINGS) $(CPPFLAGS) $(CFLAGS) -std=c11 -fPIC -fvisibility=hidden -Iinclude -Isrc
POSIX      := -D_POSIX_C_SOURCE=200809L
ZLIB_LIBS  ?= -lz

# Looked for only where something links with libcheck.
CHECK_LIBS  = $(shell pkg-config --libs check 2>/dev/null || echo -lcheck -lsubunit -lrt -lm -pthread)

# ---- version: include/picklesight.h is where it is written -------------------------------------

version_part = $(or $(shell awk '$$2 == "PKS_VERSION_$(1)" { print $$3; exit }' \
               include/picklesight.h 2>/dev/null),0)
MAJOR   := $(call version_part,MAJOR)
MINOR   := $(call version_part,MINOR)
PATCH   := $(call version_part,PATCH)
VERSION := $(MAJOR).$(MINOR).$(PATCH)

# Before 1.0 every minor release may break the ABI, so the soname carries it.
ABI     := $(if $(filter 0,$(MAJOR)),$(MAJOR).$(MINOR),$(MAJOR))

# Python is asked and measured beside the library when it can be linked: PKS_HAVE_PYTHON says so.
comma        := ,
# Before 3.8 there is no --embed, and --ldflags has the library.
PYTHON_LINK   = $(shell $(PYTHON_CONFIG) --ldflags --embed 2>/dev/null || $(PYTHON_CONFIG) --ldflags 2>/dev/null)
PYTHON_INC    = $(shell $(PYTHON_CONFIG) --includes 2>/dev/null)
PYTHON_CFLAGS = $(if $(PYTHON_LINK),$(patsubst -I%,-isystem%,$(PYTHON_INC)) -DPKS_HAVE_PYTHON=1 \
                  -DPKS_PYTHON_HOME='"$(shell $(PYTHON_CONFIG) --prefix)"')
PYTHON_LIBS   = $(PYTHON_LINK) $(patsubst -L%,-Wl$(comma)-rpath$(comma)%,$(filter -L%,$(PYTHON_LINK)))

# ---- sources -----------------------------------------------------------------------------------

ROOMS := base inflate decode machine code facts needs match policy contain report api

LIB_SRC     := $(sort $(foreach room,$(ROOMS),$(wildcard src/$(room)/*.c)))
# capture.c alone needs Python.h; the script and what it is asked are the command line's, too.
SCRIPT_SRC  := src/capture/request.c src/capture/script.c
CLI_SRC     := $(sort $(wildcard src/cli/*.c)) $(SCRIPT_SRC)
SUPPORT_SRC := $(sort $(wildcard tests/support/*.c))
UNIT_SRC    := $(sort $(wildcard tests/unit/test_*.c))
# fuzz_oracle links libpython, which is looked for only where fuzz targets are built.
FUZZ_GOALS  := check asan valgrind check-replay fuzz fuzz-targets
FUZZ_SRC    := $(sort $(filter-out fuzz/fuzz_oracle.c,$(wildcard fuzz/fuzz_*.c)) \
               $(if $(filter $(FUZZ_GOALS),$(MAKECMDGOALS)),$(if $(PYTHON_LINK),fuzz/fuzz_oracle.c)))
BENCH_SRC   := $(sort $(wildcard tests/bench/*.c))
ORACLE_SRC  := $(sort $(wildcard tests/oracle/*.c))
CAPTURE_SRC := src/capture/capture.c $(SCRIPT_SRC)
EXAMPLE_SRC := $(sort $(wildcard src/examples/*.c))
HEADERS     := $(sort $(wildcard include/*.h))

object       = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
LIB_OBJ     := $(call object,$(LIB_SRC))
CLI_OBJ     := $(call object,$(CLI_SRC))
SUPPORT_OBJ := $(call object,$(SUPPORT_SRC))
UNIT_OBJ    := $(call object,$(UNIT_SRC))
FUZZ_OBJ    := $(call object,$(FUZZ_SRC))
BENCH_OBJ   := $(call object,$(BENCH_SRC))
ORACLE_OBJ  := $(call object,$(ORACLE_SRC))
EXAMPLE_OBJ := $(call object,$(EXAMPLE_SRC))
CAPTURE_OBJ := $(call object,$(CAPTURE_SRC))
INSIDE_OBJ  := $(call object,tests/capture/inside.c)
REPLAY_OBJ  := $(call object,fuzz/replay_main.c)
OBJ         := $(LIB_OBJ) $(CLI_OBJ) $(SUPPORT_OBJ) $(UNIT_OBJ) $(FUZZ_OBJ) $(REPLAY_OBJ) \
               $(EXAMPLE_OBJ) $(BENCH_OBJ) $(ORACLE_OBJ) $(CAPTURE_OBJ) $(INSIDE_OBJ)

TOOL       := $(BUILD)/picklesight
STATIC     := $(BUILD)/libpicklesight.a
SHARED     := $(BUILD)/libpicklesight.so
SHARED_ABI := $(SHARED).$(ABI)
SHARED_ALL := $(SHARED).$(VERSION)
# In-process capture: a library of its own, because it needs Python.h.
CAPTURE_STATIC     := $(BUILD)/libpicklesight_capture.a
CAPTURE_SHARED     := $(BUILD)/libpicklesight_capture.so
CAPTURE_SHARED_ABI := $(CAPTURE_SHARED).$(ABI)
CAPTURE_SHARED_ALL := $(CAPTURE_SHARED).$(VERSION)
INSIDE     := $(BUILD)/tests/capture_inside
UNIT       := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(UNIT_SRC))
FUZZ       := $(patsubst fuzz/%.c,$(BUILD)/targets/%,$(FUZZ_SRC))
EXAMPLES   := $(patsubst src/examples/%.c,$(BUILD)/examples/%,$(EXAMPLE_SRC))
BENCH      := $(patsubst tests/bench/%.c,$(BUILD)/bench/%,$(BENCH_SRC))

# ---- building ----------------------------------------------------------------------------------

Q   := $(if $(filter-out 0,$(V)),,@)
say  = $(if $(Q),@printf '  %-8s%s\n' '$(1)' '$(2)')

.PHONY: all
all: $(if $(LIB_SRC),$(STATIC) $(SHARED)) $(if $(CLI_SRC),$(TOOL)) ## the tool and both libraries (default)
	@:

.PHONY: quickstart
quickstart: deps all ## install what building needs, build, and check two real payloads
	@PICKLESIGHT='$(TOOL)' sh src/examples/quickstart.sh

.PHONY: capture-lib
capture-lib: $(CAPTURE_STATIC) $(CAPTURE_SHARED) ## capture for programs that embed Python (needs its headers)
	@:

.PHONY: examples
examples: $(EXAMPLES) ## build the programs of src/examples
	@:

# A stamp is rewritten only when its text changes, so what depends on it is rebuilt only then.
quote = '$(subst ','\'',$(1))'
stamp = @mkdir -p $(@D); text=$(call quote,$(strip $(1))); \
        printf '%s\n' "$$text" | cmp -s - $@ || printf '%s\n' "$$text" >$@

.PHONY: FORCE
FORCE:
$(BUILD)/flags: FORCE
	$(call stamp,$(CC) $(ALL_CFLAGS) $(HOT) $(LTO))
$(BUILD)/link: FORCE
	$(call stamp,$(CC) $(CFLAGS) $(LTO) $(LDFLAGS) $(LDLIBS) $(ZLIB_LIBS) $(LIB_FUZZING_ENGINE))
$(BUILD)/sources: FORCE
	$(call stamp,$(LIB_SRC) $(CLI_SRC) $(SUPPORT_SRC))

$(BUILD)/obj/%.o: %.c $(BUILD)/flags
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(EXTRA_CFLAGS) -MMD -MP -c -o $@ $<

$(LIB_OBJ): EXTRA_CFLAGS = $(HOT) $(if $(LTO),$(LTO) -ffat-lto-objects)
$(filter-out $(BUILD)/obj/src/code/% $(BUILD)/obj/src/facts/%,$(LIB_OBJ)): HOT :=
# The library is ISO C; the programs are POSIX.
$(CLI_OBJ) $(EXAMPLE_OBJ) $(FUZZ_OBJ) $(REPLAY_OBJ): EXTRA_CFLAGS = $(POSIX)
$(SUPPORT_OBJ) $(UNIT_OBJ): EXTRA_CFLAGS = $(POSIX) -Itests
$(BENCH_OBJ) $(ORACLE_OBJ): EXTRA_CFLAGS = $(POSIX) -Itests $(PYTHON_CFLAGS)

# The script of src/capture as C strings, a line each.
$(BUILD)/gen/capture/capture.inc: src/capture/capture.py
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	$(Q)sed -e 's/\\/&&/g' -e 's/"/\\"/g' -e 's/.*/"&\\n"/' $< >$@
$(call object,src/capture/script.c): $(BUILD)/gen/capture/capture.inc
$(call object,src/capture/script.c): EXTRA_CFLAGS = $(POSIX) -I$(BUILD)/gen
$(call object,src/capture/capture.c) $(INSIDE_OBJ): EXTRA_CFLAGS = $(POSIX) $(PYTHON_CFLAGS)

-include $(OBJ:.o=.d)

# Made anew, by q and not r: two rooms may each have a file of one name.
$(STATIC): $(LIB_OBJ) $(BUILD)/sources
	$(call say,AR,$@)
	$(Q)rm -f $@
	$(Q)$(AR) qcs $@ $(LIB_OBJ)

# What the header declares PKS_API is what the shared library exports, by name.
$(BUILD)/libpicklesight.map: include/picklesight.h tests/api_names.sh
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	$(Q)names=$$(sh tests/api_names.sh include/picklesight.h) && \
	{ echo 'PICKLESIGHT_$(ABI) {'; echo '  global:'; \
	  for name in $$names; do echo "    $$name;"; done; \
	  echo '  local: *;'; echo '};'; } >$@

$(SHARED_ALL): $(LIB_OBJ) $(BUILD)/libpicklesight.map $(BUILD)/sources $(BUILD)/link
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(LTO) $(LDFLAGS) -shared -Wl,-soname,$(notdir $(SHARED_ABI)) \
	  -Wl,--version-script=$(BUILD)/libpicklesight.map -o $@ $(LIB_OBJ) $(ZLIB_LIBS) $(LDLIBS)
$(SHARED_ABI): $(SHARED_ALL)
	$(Q)ln -sf $(<F) $@
$(SHARED): $(SHARED_ABI)
	$(Q)ln -sf $(<F) $@

$(CAPTURE_STATIC): $(CAPTURE_OBJ)
	$(call say,AR,$@)
	$(Q)rm -f $@
	$(Q)$(AR) qcs $@ $(CAPTURE_OBJ)
$(BUILD)/libpicklesight_capture.map: include/picklesight_capture.h tests/api_names.sh
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	$(Q)names=$$(sh tests/api_names.sh $<) && \
	{ echo 'PICKLESIGHT_CAPTURE_$(ABI) {'; echo '  global:'; \
	  for name in $$names; do echo "    $$name;"; done; \
	  echo '  local: *;'; echo '};'; } >$@
# Not linked with libpython: the program has it, or is it.
$(CAPTURE_SHARED_ALL): $(CAPTURE_OBJ) $(BUILD)/libpicklesight_capture.map $(SHARED) $(BUILD)/link
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(NO_LTO) $(LDFLAGS) -shared -Wl,-soname,$(notdir $(CAPTURE_SHARED_ABI)) \
	  -Wl,--version-script=$(BUILD)/libpicklesight_capture.map -o $@ $(CAPTURE_OBJ) $(SHARED) $(LDLIBS)
$(CAPTURE_SHARED_ABI): $(CAPTURE_SHARED_ALL)
	$(Q)ln -sf $(<F) $@
$(CAPTURE_SHARED): $(CAPTURE_SHARED_ABI)
	$(Q)ln -sf $(<F) $@
$(INSIDE): $(INSIDE_OBJ) $(CAPTURE_STATIC) $(STATIC) $(BUILD)/link
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(NO_LTO) $(LDFLAGS) -o $@ $< $(CAPTURE_STATIC) $(STATIC) $(PYTHON_LIBS) $(ZLIB_LIBS) \
	  $(LDLIBS)

$(TOOL): $(CLI_OBJ) $(STATIC) $(BUILD)/sources $(BUILD)/link
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(LTO) $(LDFLAGS) -o $@ $(CLI_OBJ) $(STATIC) $(ZLIB_LIBS) $(LDLIBS)

$(UNIT): $(BUILD)/tests/%: $(BUILD)/obj/tests/unit/%.o $(SUPPORT_OBJ) $(STATIC) $(BUILD)/link
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(NO_LTO) $(LDFLAGS) -o $@ $< $(SUPPORT_OBJ) $(STATIC) $(CHECK_LIBS) \
	  $(ZLIB_LIBS) $(LDLIBS)

$(EXAMPLES): $(BUILD)/examples/%: $(BUILD)/obj/src/examples/%.o $(STATIC) $(BUILD)/link
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(NO_LTO) $(LDFLAGS) -o $@ $< $(STATIC) $(ZLIB_LIBS) $(LDLIBS)

# With LIB_FUZZING_ENGINE (as OSS-Fuzz sets it) an engine drives a target; without, replay_main.c.
FUZZ_MAIN = $(or $(LIB_FUZZING_ENGINE),$(REPLAY_OBJ))
$(FUZZ): $(BUILD)/targets/%: $(BUILD)/obj/fuzz/%.o $(if $(LIB_FUZZING_ENGINE),,$(REPLAY_OBJ)) \
         $(STATIC) $(BUILD)/link
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(NO_LTO) $(LDFLAGS) -o $@ $< $(FUZZ_MAIN) $(FUZZ_PARTS) $(STATIC) $(ZLIB_LIBS) $(LDLIBS)

# ---- tests -------------------------------------------------------------------------------------

# With `make check` and the like on the command line, nothing is compiled before deps has run.
ifneq ($(filter quickstart check asan valgrind,$(MAKECMDGOALS)),)
$(OBJ): | deps
endif
# What only tests need is left out for quickstart alone.
DEPS_FOR = $(if $(filter-out quickstart,$(MAKECMDGOALS)),,$(if $(MAKECMDGOALS),build))

.PHONY: deps
deps: ## install the Debian packages that building and testing need, or say which
	@CC='$(CC)' sh tests/deps.sh $(DEPS_FOR)

# Each runner prints its own closing line; tests/run.sh runs them all and fails if one failed.
RUN = BUILD='$(BUILD)' CC='$(CC)' CXX='$(CXX)' NM='$(NM)' MAKE='$(MAKE)' sh tests/run.sh
CHECKS := unit golden cli replay symbols layers header install capture truth
# What the suite capture needs; nothing without Python's headers, and it says so.
CAPTURE_TESTS = $(if $(PYTHON_LINK),capture-lib $(INSIDE))

.PHONY: check
check: deps all examples $(UNIT) $(FUZZ) capture-tests ## install what testing needs, build and run every test
	+@$(RUN) $(CHECKS)

.PHONY: capture-tests check-capture
capture-tests: $(if $(filter check asan capture-tests check-capture,$(MAKECMDGOALS)),$(CAPTURE_TESTS))
	@:
check-capture: all capture-tests ## capture from inside an embedded interpreter, if Python's headers are found
	@$(RUN) capture

.PHONY: check-unit check-golden check-cli check-replay check-symbols check-layers check-header
.PHONY: check-install
check-unit: $(UNIT) ## unit tests alone
	@$(RUN) unit
check-golden: all ## ops, facts and checks of corpus/payloads against tests/golden
	@$(RUN) golden
check-cli: all examples ## command line cases alone
	@$(RUN) cli
check-replay: $(FUZZ) ## replay corpus/ through every fuzz target, without an engine
	@$(RUN) replay
check-symbols: all ## what the libraries export is what the header declares
	@$(RUN) symbols
check-layers: ## every #include in src/ follows an arrow of tests/layers.tsv
	@$(RUN) layers
check-header: ## the public header compiles alone, as C11 and as C++17
	@$(RUN) header
check-install: all ## install and uninstall under a folder of its own; a program built over it
	+@$(RUN) install

# The same tests with other flags, in a folder of their own.
SANITIZE := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all

.PHONY: asan
asan: ## the same tests under AddressSanitizer and UBSan, leaks included
	@ASAN_OPTIONS="detect_leaks=1:detect_stack_use_after_return=1:$$ASAN_OPTIONS" \
	UBSAN_OPTIONS="print_stacktrace=1:$$UBSAN_OPTIONS" \
	$(MAKE) --no-print-directory BUILD='$(BUILD)/asan' CFLAGS='$(SANITIZE)' \
	  CHECKS='unit golden cli replay' check

.PHONY: valgrind
valgrind: deps $(UNIT) $(FUZZ) ## unit tests and replay under valgrind (optional)
	@command -v valgrind >/dev/null || { echo 'valgrind: not installed' >&2; exit 1; }
	@CK_FORK=no WRAPPER='valgrind -q --leak-check=full --error-exitcode=99' $(RUN) unit replay

.PHONY: golden
golden: all ## write tests/golden again; review the diff
	@PICKLESIGHT='$(abspath $(TOOL))' sh tests/golden/run.sh --update

# ---- against interpreters ----------------------------------------------------------------------

.PHONY: tables
tables: ## compare the bytecode tables with every interpreter found; names what was skipped
	@sh tests/code/check_tables.sh $(PYTHONS)

.PHONY: truth truth-quick
truth: all ## verdicts beside really loading and using payloads, on every interpreter found (15 minutes, pip)
	@python3 tests/truth/harness.py --tool '$(TOOL)' --cache '$(BUILD)/truth' $(TRUTH_ARGS)
truth-quick: all ## the same over a few cases and nothing installed (a part of check)
	@$(RUN) truth

.PHONY: truth-code
truth-code: $(STATIC) ## code objects, marshal and listings against every interpreter found (long)
	@BUILD='$(BUILD)' CC='$(CC)' sh tests/code/check_truth.sh $(TRUTH_ARGS)

.PHONY: truth-capture
truth-capture: all ## captures of every interpreter found beside the tables of their standard libraries (long)
	@BUILD='$(BUILD)' CC='$(CC)' sh tests/capture/check_truth.sh $(TRUTH_ARGS)

# ---- fuzzing, speed ----------------------------------------------------------------------------

.PHONY: fuzz-targets fuzz
fuzz-targets: $(FUZZ) ## build the fuzz targets with CC, CFLAGS and LIB_FUZZING_ENGINE as given
fuzz: ## libFuzzer (clang): T=name SECONDS=n, or every target for 60 seconds
	@command -v '$(firstword $(CLANG))' >/dev/null || { echo 'fuzz: needs clang (CLANG=...)' >&2; exit 1; }
	@$(MAKE) --no-print-directory BUILD='$(BUILD)/fuzz' CC='$(CLANG)' \
	  LIB_FUZZING_ENGINE=-fsanitize=fuzzer CFLAGS='$(SANITIZE) -fsanitize=fuzzer-no-link' \
	  fuzz-targets
	@BUILD='$(BUILD)/fuzz' SECONDS_EACH='$(SECONDS)' \
	  sh tests/fuzz.sh $(or $(T),$(FUZZ_SRC:fuzz/fuzz_%.c=%))

.PHONY: dict
dict: ## write fuzz/pickle.dict from the opcode table
	@mkdir -p $(BUILD)
	@sh tests/dict.sh src/decode/pickle_ops.def >$(BUILD)/pickle.dict
	@cp $(BUILD)/pickle.dict fuzz/pickle.dict
	@echo 'wrote fuzz/pickle.dict'

$(BENCH): $(BUILD)/bench/%: $(BUILD)/obj/tests/bench/%.o $(SUPPORT_OBJ) $(STATIC) $(BUILD)/link
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(LTO) $(LDFLAGS) -o $@ $< $(SUPPORT_OBJ) $(STATIC) $(PYTHON_LIBS) \
	  $(ZLIB_LIBS) $(LDLIBS)

# The differential test: CPython's C unpickler and picklesight on the same streams.
ORACLE       := $(BUILD)/oracle
ORACLE_PARTS := $(filter-out %/oracle.o,$(ORACLE_OBJ)) $(SUPPORT_OBJ)
$(ORACLE): $(ORACLE_OBJ) $(SUPPORT_OBJ) $(STATIC) $(BUILD)/link
	$(call say,LD,$@)
	$(Q)$(CC) $(CFLAGS) $(NO_LTO) $(LDFLAGS) -o $@ $(ORACLE_OBJ) $(SUPPORT_OBJ) $(STATIC) $(PYTHON_LIBS) \
	  $(ZLIB_LIBS) $(LDLIBS)
$(BUILD)/targets/fuzz_oracle: $(ORACLE_PARTS)
$(BUILD)/targets/fuzz_oracle: FUZZ_PARTS = $(ORACLE_PARTS) $(STATIC) $(PYTHON_LIBS)
$(BUILD)/obj/fuzz/fuzz_oracle.o: EXTRA_CFLAGS = $(POSIX) -Itests

.PHONY: oracle
oracle: $(ORACLE) ## CPython's C unpicklers beside the library: COUNT=n SEED=n PYODIDE='FOLDER...'
	@ORACLE='$(ORACLE)' COUNT='$(COUNT)' SEED='$(SEED)' PYODIDE='$(PYODIDE)' sh tests/oracle/run.sh

.PHONY: bench
bench: all $(BENCH) ## build and run the programs of tests/bench
	@failed=0; for program in $(BENCH); do "$$program" $(BENCH_ARGS) || failed=1; done; \
	PICKLESIGHT='$(TOOL)' sh tests/bench/pipe.sh || failed=1; exit $$failed

.PHONY: bench-deps
bench-deps: ## print the line that installs what the bench needs
	@echo 'apt-get install libpython3-dev python3-dev python3-cloudpickle time'

# ---- style -------------------------------------------------------------------------------------

.PHONY: lint format
lint: ## clang-format, cppcheck, shellcheck, TIDY=1 clang-tidy: those that are installed
	@TIDY='$(TIDY)' sh tests/lint.sh
format: ## rewrite the C sources with clang-format
	@sh tests/lint.sh --fix

# ---- installing --------------------------------------------------------------------------------

MAN1 := $(wildcard src/cli/picklesight.1)
PC   := $(wildcard src/picklesight.pc.in)
dest  = '$(DESTDIR)$(1)'

.PHONY: install
install: all ## install under DESTDIR and PREFIX
	$(Q)$(INSTALL) -d $(call dest,$(BINDIR)) $(call dest,$(LIBDIR)) $(call dest,$(INCLUDEDIR))
	$(Q)$(INSTALL) -m 755 $(TOOL) $(call dest,$(BINDIR)/)
	$(Q)$(INSTALL) -m 644 $(STATIC) $(call dest,$(LIBDIR)/)
	$(Q)$(INSTALL) -m 755 $(SHARED_ALL) $(call dest,$(LIBDIR)/)
	$(Q)ln -sf $(notdir $(SHARED_ALL)) $(call dest,$(LIBDIR)/$(notdir $(SHARED_ABI)))
	$(Q)ln -sf $(notdir $(SHARED_ABI)) $(call dest,$(LIBDIR)/$(notdir $(SHARED)))
	$(Q)$(INSTALL) -m 644 $(HEADERS) $(call dest,$(INCLUDEDIR)/)
ifneq ($(MAN1),)
	$(Q)$(INSTALL) -d $(call dest,$(MANDIR)/man1)
	$(Q)$(INSTALL) -m 644 $(MAN1) $(call dest,$(MANDIR)/man1/)
endif
ifneq ($(PC),)
	$(Q)$(INSTALL) -d $(call dest,$(PCDIR))
	$(Q)sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' \
	  -e 's|@VERSION@|$(VERSION)|' $(PC) >$(BUILD)/picklesight.pc
	$(Q)$(INSTALL) -m 644 $(BUILD)/picklesight.pc $(call dest,$(PCDIR)/)
endif
	$(Q)$(INSTALL) -d $(call dest,$(BASHDIR)) $(call dest,$(ZSHDIR)) $(call dest,$(FISHDIR))
	$(Q)$(TOOL) help --completion bash >$(call dest,$(BASHDIR)/picklesight)
	$(Q)$(TOOL) help --completion zsh >$(call dest,$(ZSHDIR)/_picklesight)
	$(Q)$(TOOL) help --completion fish >$(call dest,$(FISHDIR)/picklesight.fish)

.PHONY: install-capture
install-capture: install capture-lib ## install the capture library beside the others
	$(Q)$(INSTALL) -m 644 $(CAPTURE_STATIC) $(call dest,$(LIBDIR)/)
	$(Q)$(INSTALL) -m 755 $(CAPTURE_SHARED_ALL) $(call dest,$(LIBDIR)/)
	$(Q)ln -sf $(notdir $(CAPTURE_SHARED_ALL)) $(call dest,$(LIBDIR)/$(notdir $(CAPTURE_SHARED_ABI)))
	$(Q)ln -sf $(notdir $(CAPTURE_SHARED_ABI)) $(call dest,$(LIBDIR)/$(notdir $(CAPTURE_SHARED)))

.PHONY: uninstall
uninstall: ## remove what install put there
	$(Q)rm -f $(call dest,$(BINDIR)/picklesight) $(call dest,$(LIBDIR)/$(notdir $(STATIC))) \
	  $(foreach f,$(SHARED) $(SHARED_ABI) $(SHARED_ALL) $(CAPTURE_STATIC) $(CAPTURE_SHARED) $(CAPTURE_SHARED_ABI) \
	  $(CAPTURE_SHARED_ALL),$(call dest,$(LIBDIR)/$(notdir $f))) \
	  $(foreach f,$(HEADERS),$(call dest,$(INCLUDEDIR)/$(notdir $f))) \
	  $(call dest,$(MANDIR)/man1/picklesight.1) $(call dest,$(PCDIR)/picklesight.pc) \
	  $(call dest,$(BASHDIR)/picklesight) $(call dest,$(ZSHDIR)/_picklesight) \
	  $(call dest,$(FISHDIR)/picklesight.fish)

.PHONY: clean
clean: ## remove everything built
	rm -rf $(BUILD)

.PHONY: version
version: ## print the version
	@echo $(VERSION)

.PHONY: help
help: ## print this
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-15s%s\n", $$1, $$2 }' Makefile
