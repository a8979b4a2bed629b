# particles: `make` builds ./particles, `make test` runs every test, `make bench` measures,
# `make physics` compares with kinetic theory. `make install` and `make uninstall` obey PREFIX and
# DESTDIR; `make dist` packs the source.
# `make memcheck` and `make sanitize` run the tests under valgrind and under the sanitizers;
# under valgrind, which is slow, with fewer cases (QUICK).

CC = cc
CFLAGS = -O3 -g
WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
# Always in force, whatever CFLAGS say: the answers depend on it, and so do files of more than 2 GB
# on 32-bit machines.
REQUIRED = -std=c11 -D_XOPEN_SOURCE=700 -D_FILE_OFFSET_BITS=64 -ffp-contract=off -fno-math-errno
INEXACT = -ffast-math -funsafe-math-optimizations -fassociative-math -freciprocal-math \
    -ffinite-math-only -fno-honor-infinities -fno-honor-nans -fno-signed-zeros -fapprox-func \
    -fsingle-precision-constant -fdenormal-fp-math=% -mdaz-ftz \
    -ffp-contract=% -ffp-model=% -mrecip% $(filter-out -mfpmath=sse,$(filter -mfpmath=%,$(CFLAGS)))
exact = $(patsubst -Ofast,-O3,$(filter-out $(INEXACT),$(1)))

VALGRIND = valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=all
SANITIZED = -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all

FUZZED = -O2 -g -fno-omit-frame-pointer -fno-sanitize-recover=all \
    -fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow

BUILD = build
PROGRAM = particles
RUN_WITH =

PREFIX = /usr/local
bindir = $(PREFIX)/bin
datadir = $(PREFIX)/share
mandir = $(datadir)/man
bashcompletiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions

# include/version.h has the only copy of the version.
VERSION = $(shell sed -n 's/.*PARTICLES_VERSION "\(.*\)".*/\1/p' include/version.h)

COMPILE = $(CC) $(call exact,$(CPPFLAGS) $(CFLAGS)) $(WARNINGS) -Iinclude -MMD -MP $(REQUIRED)
LINK = $(CC) $(call exact,$(CFLAGS)) $(REQUIRED) $(call exact,$(LDFLAGS))

# The web page of --animate is part of the program, as an array of its bytes.
OBJECTS = $(patsubst src/%.c,$(BUILD)/%.o,$(wildcard src/*.c)) $(BUILD)/animation_template.o
MODULES = $(filter-out $(BUILD)/main.o,$(OBJECTS))
# What tests share; every tests/test_NAME.c is a program of its own.
HELPERS = $(patsubst %,$(BUILD)/tests/%.o,check measure scratch random_system odd_system \
    schedule_textbook gas bulk tracer observed resumed witness agreement)
UNIT_TESTS = $(patsubst %.c,$(BUILD)/%,$(wildcard tests/test_*.c))
TEST_TOOLS = $(patsubst %,$(BUILD)/tests/%,exact make_case with_signals with_limit \
    particles_failing particles_faulty)
# Every tests/fuzz_NAME.c is a fuzz target, whose inputs are in tests/fuzz/NAME. What they share
# replaces modules that read and write.
FUZZ_NAMES = $(patsubst tests/fuzz_%.c,%,$(wildcard tests/fuzz_*.c))
FUZZ_PARTS = $(patsubst %,$(BUILD)/tests/%.o,fed_text kept_output byte_system) $(HELPERS) \
    $(filter-out %/text.o %/output_file.o %/animation_template.o,$(MODULES))
REPLAYS = $(FUZZ_NAMES:%=$(BUILD)/tests/replay_%)

all: $(PROGRAM)

$(PROGRAM): $(OBJECTS)
	$(LINK) $(OBJECTS) -lm -o $@

# Everything is built anew when the compiler or its flags change.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(COMPILE) $(LINK)' | cmp -s - $@ || echo '$(COMPILE) $(LINK)' >$@

$(BUILD)/%.o: src/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(COMPILE) -c $< -o $@

$(BUILD)/animation_template.c: data/animation.html scripts/embed
	@mkdir -p $(@D)
	sh scripts/embed animation_template data/animation.html >$@.new
	mv $@.new $@

$(BUILD)/animation_template.o: $(BUILD)/animation_template.c $(BUILD)/flags
	$(COMPILE) -c $< -o $@

$(BUILD)/tests/%.o: tests/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(COMPILE) -c $< -o $@

$(UNIT_TESTS) $(BUILD)/tests/make_case $(BUILD)/tests/bench $(BUILD)/tests/bench_cells \
    $(BUILD)/tests/physics $(BUILD)/tests/endurance: %: %.o $(HELPERS) $(MODULES)
	$(LINK) $^ -lm -o $@

# Independent programs: nothing of src/ or include/ goes into them.
$(BUILD)/tests/exact $(BUILD)/tests/with_signals $(BUILD)/tests/with_limit: %: %.o
	$(LINK) $^ -lm -o $@

# The program with a memory module that can be told to fail.
$(BUILD)/tests/particles_failing: $(BUILD)/tests/memory_failing.o $(filter-out %/memory.o,$(OBJECTS))
	$(LINK) $^ -lm -o $@

# The program with reading and writing that can be told to fail.
$(BUILD)/tests/particles_faulty: $(BUILD)/tests/io_failing.o \
    $(filter-out %/text.o %/output_file.o,$(OBJECTS))
	$(LINK) $^ -lm -o $@

# A fuzz target with libFuzzer, for clang, and as a program that reads its inputs from files.
$(BUILD)/tests/fuzz_%: $(BUILD)/tests/fuzz_%.o $(FUZZ_PARTS)
	$(LINK) -fsanitize=fuzzer $^ -lm -o $@

$(BUILD)/tests/replay_%: $(BUILD)/tests/fuzz_%.o $(BUILD)/tests/replay.o $(FUZZ_PARTS)
	$(LINK) $^ -lm -o $@

$(BUILD)/particles.1: data/particles.1.in include/version.h
	@mkdir -p $(@D)
	sed 's/@VERSION@/$(VERSION)/' $< >$@.new
	mv $@.new $@

# What is installed: pairs of a file here and its place there.
INSTALLED_PROGRAM = '$(PROGRAM)' '$(DESTDIR)$(bindir)/particles'
INSTALLED_FILES = '$(BUILD)/particles.1' '$(DESTDIR)$(mandir)/man1/particles.1' \
    data/completions/particles.bash '$(DESTDIR)$(bashcompletiondir)/particles' \
    data/completions/_particles '$(DESTDIR)$(zshcompletiondir)/_particles'

install: $(PROGRAM) $(BUILD)/particles.1
	sh scripts/install =rwx $(INSTALLED_PROGRAM)
	sh scripts/install =rw $(INSTALLED_FILES)

# Directories stay: others may have had them before.
uninstall:
	sh scripts/install --remove $(INSTALLED_PROGRAM) $(INSTALLED_FILES)

dist:
	sh scripts/dist $(BUILD)

test: $(PROGRAM) $(BUILD)/particles.1 $(UNIT_TESTS) $(TEST_TOOLS) $(REPLAYS)
	@BUILD='$(BUILD)' PROGRAM='./$(PROGRAM)' RUN_WITH='$(RUN_WITH)' sh tests/run.sh

# The page of --animate in Chromium, where there is one.
test-browser: $(PROGRAM)
	@BUILD='$(BUILD)' PROGRAM='./$(PROGRAM)' sh tests/browser.sh

# The input files and pictures of the README's gallery.
gallery: $(PROGRAM)
	sh data/examples/make data/examples
	PROGRAM='./$(PROGRAM)' sh data/examples/draw data/examples

# What the assignment asks to hand in, as $(BUILD)/submission.zip; AUTHOR is whose it is.
submission: $(PROGRAM)
	PROGRAM='./$(PROGRAM)' $(if $(AUTHOR),AUTHOR='$(AUTHOR)') sh data/submission/make $(BUILD)/submission

memcheck:
	QUICK=1 $(MAKE) test RUN_WITH='$(VALGRIND)'

sanitize:
	$(MAKE) test BUILD=build/sanitize PROGRAM=build/sanitize/particles CFLAGS='$(SANITIZED)'

# Looks for faults with inputs that nobody would think of, FUZZ_SECONDS for each target, or
# FUZZ_RUNS inputs; needs clang. What it finds stays in build/fuzz.
FUZZ_SECONDS = 600
FUZZ_RUNS = -1
fuzz:
	$(MAKE) fuzz-programs CC=clang BUILD=build/fuzz CFLAGS='$(FUZZED)'
	@FUZZ_SECONDS='$(FUZZ_SECONDS)' FUZZ_RUNS='$(FUZZ_RUNS)' sh scripts/fuzz $(FUZZ_NAMES)

fuzz-programs: $(FUZZ_NAMES:%=$(BUILD)/tests/fuzz_%)

# Whether every compiler and machine at hand gives the same bytes; PORTABILITY names variants.
portability:
	@sh scripts/portability $(PORTABILITY)

# Which lines and branches the tests execute; fails if they are too few. (A test whose program may
# not write its counts can fail here: that is not what is asked.)
coverage:
	rm -rf build/coverage
	mkdir -p build
	-QUICK=1 GCOV_ERROR_FILE=/dev/null $(MAKE) test CC=gcc BUILD=build/coverage \
	    PROGRAM=build/coverage/particles CFLAGS='-O0 -g --coverage' >build/coverage.log 2>&1
	python3 scripts/coverage

# Whether runs of COLLISIONS collisions stay sound, and how late it may become; some minutes.
COLLISIONS = 1e8
endurance: $(BUILD)/tests/endurance
	$(BUILD)/tests/endurance $(COLLISIONS)

bench: $(BUILD)/tests/bench $(BUILD)/tests/bench_cells
	$(BUILD)/tests/bench
	$(BUILD)/tests/bench_cells

# Compares the simulation with kinetic theory, in tables; a minute or two.
physics: $(BUILD)/tests/physics
	$(BUILD)/tests/physics

format:
	clang-format -i src/*.c include/*.h tests/*.c tests/*.h

clean:
	rm -rf build particles

-include $(wildcard $(BUILD)/*.d $(BUILD)/tests/*.d)

.PHONY: all FORCE install uninstall dist test test-browser memcheck sanitize fuzz fuzz-programs bench \
    endurance coverage portability physics gallery submission format clean
.SECONDARY:
