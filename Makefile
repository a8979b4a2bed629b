# particles: `make` builds ./particles, `make test` runs every test, `make bench` measures,
# `make physics` compares with kinetic theory. `make install` and `make uninstall` use PREFIX and
# DESTDIR; `make dist` packs the source. `make test-long` runs the tests with more cases (THOROUGH),
# `make memcheck` and `make sanitize` under valgrind, which is slow, with fewer (QUICK), and under the
# sanitizers.

# -g1, which has lines and functions but no variables, takes a sixth less of the compiler's time than -g.
CC = cc
CFLAGS = -O3 -g1
# WERROR=-Werror, in the environment or as an argument, makes them errors.
# Constants are of enums without a name, which are numbers in every formula.
WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-enum-float-conversion $(WERROR)
# Always in force, whatever CFLAGS say: the answers depend on it, and so do files of more than 2 GB
# on 32-bit machines. With -march=native gcc 12 contracts a b + c d and a d - c b in spite of
# -ffp-contract=off, where it makes vectors of statements.
REQUIRED = -std=c11 -pthread -D_XOPEN_SOURCE=700 -D_FILE_OFFSET_BITS=64 -ffp-contract=off \
    -fno-tree-slp-vectorize -fno-math-errno -fPIC -fvisibility=hidden
INEXACT = -ffast-math -funsafe-math-optimizations -fassociative-math -freciprocal-math \
    -ffinite-math-only -fno-honor-infinities -fno-honor-nans -fno-signed-zeros -fapprox-func \
    -fsingle-precision-constant -fdenormal-fp-math=% -mdaz-ftz \
    -ffp-contract=% -ffp-model=% -mrecip% $(filter-out -mfpmath=sse,$(filter -mfpmath=%,$(CFLAGS)))
exact = $(patsubst -Ofast,-O3,$(filter-out $(INEXACT),$(1)))

VALGRIND = valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=all
SANITIZED = -O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all
THREADED = -O1 -g1 -fno-omit-frame-pointer -fsanitize=thread

FUZZED = -O2 -g1 -fno-omit-frame-pointer -fno-sanitize-recover=all \
    -fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow

OBJCOPY = objcopy

BUILD = build
PROGRAM = particles
RUN_WITH =

PREFIX = /usr/local
bindir = $(PREFIX)/bin
libdir = $(PREFIX)/lib
includedir = $(PREFIX)/include
datadir = $(PREFIX)/share
mandir = $(datadir)/man
bashcompletiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions

# include/cli/options.h has the only copy of the version.
VERSION = $(shell sed -n 's/.*PARTICLES_VERSION "\(.*\)".*/\1/p' include/cli/options.h)

COMPILE = $(CC) $(call exact,$(CPPFLAGS) $(CFLAGS)) $(WARNINGS) -Iinclude $(INCLUDED) -MMD -MP $(REQUIRED)
LINK = $(CC) $(call exact,$(CFLAGS)) $(REQUIRED) $(call exact,$(LDFLAGS))

# The files of data/embedded are part of the program, as arrays of their bytes.
OBJECTS = $(patsubst %.c,$(BUILD)/%.o,$(wildcard src/*.c src/*/*.c)) \
    $(patsubst data/%,$(BUILD)/%.o,$(wildcard data/embedded/*))
MODULES = $(filter-out $(BUILD)/src/main.o,$(OBJECTS))
# The command has no use for the functions of the library.
PROGRAM_OBJECTS = $(filter-out %/library.o,$(OBJECTS))
# Every tests/unit/FOLDER/test_NAME.c is a program of its own, every tests/command/NAME.sh a script, and
# every tests/fuzz/fuzz_NAME.c a fuzz target, whose inputs are in tests/fuzz/NAME.
TESTS = $(filter-out $(if $(PROGRAM_ONLY),$(OF_SCRIPTS:%=tests/command/%)) $(LEFT_OUT:%=tests/%), \
    $(basename $(sort $(wildcard tests/command/*.sh tests/fuzz/fuzz_*.c tests/unit/*/test_*.c))))
# LEFT_OUT leaves out tests, such as command/grade; PROGRAM_ONLY those of scripts, to which no compiler or sanitizer makes
# a difference.
OF_SCRIPTS = grade grade_hostile grade_shared layers library library_py movie packaging particles_py plot polygon submission sweep sweep_kills
OF_LIBRARY = library library_py packaging particles_py
# The tests that TEST names; all, if it is empty. A name is NAME, test_NAME, a file, or a folder of
# tests. What names none is kept, for tests/run.sh to say so.
named = $(filter $(1) %/$(1) %/test_$(1) %/fuzz_$(1) tests/$(1)/%,$(TESTS))
CHOSEN = $(foreach name,$(basename $(TEST)),$(or $(call named,$(name)),$(name)))
TESTED = $(if $(TEST),$(CHOSEN),$(TESTS))
TEST_PROGRAMS = $(BUILD)/tests/command/with_signals \
    $(patsubst %,$(BUILD)/%,$(filter tests/unit/%,$(TESTED))) \
    $(patsubst tests/fuzz/fuzz_%,$(BUILD)/tests/fuzz/replay_%,$(filter tests/fuzz/%,$(TESTED))) \
    $(if $(filter tests/command/%,$(TESTED)),$(PROGRAM) $(BUILD)/particles.1 $(TEST_TOOLS)) \
    $(if $(filter $(OF_LIBRARY:%=tests/command/%),$(TESTED)),lib)
# What tests share.
HELPERS = $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/support/*.c))
PARTS = $(BUILD)/tests/parts.a
UNIT_TESTS = $(patsubst %,$(BUILD)/%,$(filter tests/unit/%,$(TESTS)))
TEST_TOOLS = $(patsubst %,$(BUILD)/tests/command/%,exact literal make_case read_polygons with_signals with_limit \
    particles_failing particles_faulty particles_odd)
# What fuzz targets share replaces modules that read and write.
FUZZ_NAMES = $(patsubst tests/fuzz/fuzz_%,%,$(filter tests/fuzz/%,$(TESTS)))
FUZZ_PARTS = $(patsubst %,$(BUILD)/tests/fuzz/%.o,fed_text kept_output byte_system byte_polygons) \
    $(filter-out %/check_main.o %/text.o %/output_file.o %/animation_template.html.o,$(HELPERS) $(MODULES))
MEASUREMENTS = $(patsubst %.c,$(BUILD)/%,$(wildcard tests/measure/*.c))

all: $(PROGRAM) $(BUILD)/particles.1 $(BUILD)/particles-sweep.1

$(PROGRAM): $(PROGRAM_OBJECTS)
	$(LINK) $(PROGRAM_OBJECTS) -lm -o $@

# The library, static and shared, without what catches signals. The static one is
# a single object, in which only public names are left: no other can clash with a name of a user's program.
LIBRARY = $(BUILD)/lib
ABI = $(shell sed -n 's/.*PARTICLES_ABI \([0-9]*\)$$/\1/p' include/particles.h)
LIBRARY_OBJECTS = $(filter-out %/cli/signals.o %/cli/option_observers.o,$(MODULES))
lib: $(LIBRARY)/libparticles.a $(LIBRARY)/libparticles.so $(LIBRARY)/particles.pc

$(LIBRARY)/libparticles.a: $(LIBRARY_OBJECTS)
	@mkdir -p $(@D)
	$(LD) -r -o $(LIBRARY)/particles.o $^
	$(OBJCOPY) --localize-hidden $(LIBRARY)/particles.o
	rm -f $@
	$(AR) rcs $@ $(LIBRARY)/particles.o

$(LIBRARY)/libparticles.so.$(ABI): $(LIBRARY_OBJECTS) src/library/particles.map
	@mkdir -p $(@D)
	$(LINK) -shared -Wl,-soname,$(@F) -Wl,--version-script=src/library/particles.map -Wl,-z,defs \
	    $(LIBRARY_OBJECTS) -lm -o $@

$(LIBRARY)/libparticles.so: $(LIBRARY)/libparticles.so.$(ABI)
	ln -sf $(<F) $@

$(LIBRARY)/particles.pc: data/particles.pc.in $(BUILD)/flags FORCE
	@mkdir -p $(@D)
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(libdir)|; s|@INCLUDEDIR@|$(includedir)|; s|@VERSION@|$(VERSION)|' $< >$@

# Everything is built anew when the compiler or its flags change.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(COMPILE) $(LINK)' | cmp -s - $@ || echo '$(COMPILE) $(LINK)' >$@

# Tests also see what the folders of src keep to themselves, and what tests share. Coverage does not count
# what is executed of the tests themselves.
$(BUILD)/tests/%.o: private INCLUDED = -Isrc -Itests/support \
    $(if $(findstring --coverage,$(CFLAGS)),-fno-profile-arcs -fno-test-coverage)
# Unit tests are built with -O0, the tools of command tests, fuzz targets and the tests that look at all pairs
# with -O1, the helpers that all share with -O3: that is fastest in all. With sanitizers, too, it
# takes longer to optimise unit tests than to run them.
$(BUILD)/tests/unit/%.o: private CFLAGS := $(patsubst -O1,-O0,$(patsubst -O3,-O0,$(CFLAGS)))
$(BUILD)/tests/command/%.o $(BUILD)/tests/fuzz/%.o \
    $(patsubst %,$(BUILD)/tests/unit/%.o,schedule/test_predictor observe/test_pair_distribution model/test_neighbours): \
    private CFLAGS := $(patsubst -O3,-O1,$(CFLAGS))

# FRAMES=-Wframe-larger-than=8192 warns of what may be too much for a small stack, but with sanitizers.
$(BUILD)/src/%.o: private WARNINGS += $(FRAMES)

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(COMPILE) -c $< -o $@

$(BUILD)/embedded/%.c: data/embedded/% scripts/embed Makefile
	@mkdir -p $(@D)
	sh scripts/embed $< >$@.new
	mv $@.new $@

$(BUILD)/embedded/%.o: $(BUILD)/embedded/%.c $(BUILD)/flags
	$(COMPILE) -c $< -o $@

# Of an archive the linker takes what a test needs: in half the time of all.
$(PARTS): $(HELPERS) $(MODULES)
	rm -f $@
	$(AR) rcs $@ $^

$(UNIT_TESTS) $(MEASUREMENTS) $(patsubst %,$(BUILD)/tests/command/%,make_case read_polygons): %: %.o $(PARTS)
	$(LINK) $^ -lm -o $@

# Independent programs: nothing of src/ or include/ goes into them. The assignment's own is `literal`.
$(patsubst %,$(BUILD)/tests/command/%,exact with_signals with_limit): %: %.o
	$(LINK) $^ -lm -o $@
$(BUILD)/tests/command/literal: $(wildcard data/submission/program/*.[ch])
	@mkdir -p $(@D)
	$(LINK) $(filter %.c,$^) -lm -o $@

# The program with a memory module that can be told to fail.
$(BUILD)/tests/command/particles_failing: $(BUILD)/tests/command/memory_failing.o \
    $(filter-out %/memory.o,$(OBJECTS))
	$(LINK) $^ -lm -o $@

# The program with reading and writing that can be told to fail.
$(BUILD)/tests/command/particles_faulty: $(BUILD)/tests/command/io_failing.o \
    $(filter-out %/text.o %/output_file.o,$(OBJECTS))
	$(LINK) $^ -lm -o $@

# The program with threads that start late, or not at all.
$(BUILD)/tests/command/particles_odd: $(BUILD)/tests/command/threads_odd.o \
    $(filter-out %/thread_pool.o %/tile_worker.o,$(OBJECTS))
	$(LINK) $^ -lm -o $@

# A fuzz target with libFuzzer, for clang, and as a program that reads its inputs from files.
$(BUILD)/tests/fuzz/fuzz_%: $(BUILD)/tests/fuzz/fuzz_%.o $(FUZZ_PARTS)
	$(LINK) -fsanitize=fuzzer $^ -lm -o $@

$(BUILD)/tests/fuzz/replay_%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/tests/fuzz/replay.o $(FUZZ_PARTS)
	$(LINK) $^ -lm -o $@

$(BUILD)/particles.1: data/particles.1.in src/observe/figure_list.h src/observe/figures.c \
    src/steps/steps.c src/lattice/lattice.c include/cli/options.h scripts/manual
	@mkdir -p $(@D)
	sh scripts/manual '$(VERSION)' $< >$@.new
	mv $@.new $@

$(BUILD)/particles-sweep.1: data/particles-sweep.1.in include/cli/options.h
	@mkdir -p $(@D)
	sed 's/@VERSION@/$(VERSION)/' $< >$@

# What is installed: pairs of a file here and its place there.
INSTALLED_PROGRAM = '$(PROGRAM)' '$(DESTDIR)$(bindir)/particles' \
    scripts/sweep '$(DESTDIR)$(bindir)/particles-sweep'
INSTALLED_FILES = '$(BUILD)/particles.1' '$(DESTDIR)$(mandir)/man1/particles.1' \
    '$(BUILD)/particles-sweep.1' '$(DESTDIR)$(mandir)/man1/particles-sweep.1' \
    $(foreach name,queue sweep_run sweep_gather sweep.slurm,scripts/$(name) '$(DESTDIR)$(datadir)/particles/$(name)') \
    data/completions/particles.bash '$(DESTDIR)$(bashcompletiondir)/particles' \
    data/completions/_particles '$(DESTDIR)$(zshcompletiondir)/_particles' \
    include/particles.h '$(DESTDIR)$(includedir)/particles.h' \
    '$(LIBRARY)/libparticles.a' '$(DESTDIR)$(libdir)/libparticles.a' \
    '$(LIBRARY)/libparticles.so.$(ABI)' '$(DESTDIR)$(libdir)/libparticles.so.$(ABI)' \
    '$(LIBRARY)/libparticles.so' '$(DESTDIR)$(libdir)/libparticles.so' \
    '$(LIBRARY)/particles.pc' '$(DESTDIR)$(libdir)/pkgconfig/particles.pc'

install: $(PROGRAM) $(BUILD)/particles.1 $(BUILD)/particles-sweep.1 lib
	sh scripts/install 755 $(INSTALLED_PROGRAM)
	sh scripts/install 644 $(INSTALLED_FILES)

# Directories stay, but our own: others may have had them before.
uninstall:
	sh scripts/install --remove $(INSTALLED_PROGRAM) $(INSTALLED_FILES)
	rmdir '$(DESTDIR)$(datadir)/particles' 2>/dev/null || true

dist:
	sh scripts/dist $(BUILD)

test check: $(TEST_PROGRAMS)
	@BUILD='$(BUILD)' PROGRAM='$(abspath $(PROGRAM))' RUN_WITH='$(RUN_WITH)' sh tests/run.sh $(if $(TEST)$(PROGRAM_ONLY)$(LEFT_OUT),$(TESTED))

test-long:
	THOROUGH=1 $(MAKE) test

# The pages of --animate and --report in Chromium, where there is one.
test-browser: $(PROGRAM)
	@BUILD='$(BUILD)' PROGRAM='$(abspath $(PROGRAM))' sh tests/browser/browser.sh

# The page in which the program runs in a browser: one file, $(BUILD)/web/particles.html. Vectors are only those that
# are written by hand (include/base/simd.h): those that the compiler finds take longer than none. Debian's emcc looks
# for its parser where Debian's node has it, which another node does not know.
EMCC = emcc
WEB = $(BUILD)/web
WEB_FLAGS = -sMODULARIZE -sEXPORT_NAME=createProgram -sENVIRONMENT=worker -sINVOKE_RUN=0 -sEXIT_RUNTIME \
    -sALLOW_MEMORY_GROWTH -sFORCE_FILESYSTEM -sEXPORTED_RUNTIME_METHODS=FS,TTY,callMain
web:
	@for command in $(EMCC) node; do command -v $$command >/dev/null || { \
	    echo "make web needs $$command; on Debian: apt-get install emscripten" >&2; exit 1; }; done
	@NODE_PATH="$${NODE_PATH:-/usr/share/nodejs}" $(MAKE) $(WEB)/objects/particles.js CC='$(EMCC)' \
	    CFLAGS='-O3 -msimd128 -fno-vectorize' LDFLAGS='$(WEB_FLAGS)' BUILD='$(WEB)/objects' \
	    PROGRAM='$(WEB)/objects/particles.js' REQUIRED='$(filter-out -pthread -fPIC,$(REQUIRED))'
	node scripts/web '$(WEB)/objects/particles.js' '$(WEB)/particles.html'

# Whether that page gives the bytes of the program, under node and in Chromium, where there are these and emscripten.
test-web: $(PROGRAM)
	@BUILD='$(BUILD)' PROGRAM='$(abspath $(PROGRAM))' sh tests/web/web.sh

# The input files and pictures of the gallery, data/examples.
gallery: $(PROGRAM)
	sh data/examples/make data/examples
	sh data/examples/steps/make data/examples/steps
	PROGRAM='$(abspath $(PROGRAM))' sh data/examples/draw data/examples
	PROGRAM='$(abspath $(PROGRAM))' sh data/examples/plot data/examples

# What the assignment asks to hand in, as $(BUILD)/submission.zip; AUTHOR, which make passes on in
# the environment, is the name on it.
submission: $(PROGRAM)
	PROGRAM='$(abspath $(PROGRAM))' sh data/submission/make $(BUILD)/submission

# Grades what is in the folder CLASS, a zip or a folder for each student; OPTIONS are those of scripts/grade. Without
# settings the tolerance is that of Gradescope (data/grading/run_autograder).
CLASS = class
CASES = build/cases
grade: export CLASS := $(CLASS)
grade: $(PROGRAM)
	@test -d '$(CASES)' || sh scripts/cases --program='$(abspath $(PROGRAM))' --output='$(CASES)'
	@sh scripts/grade --program='$(abspath $(PROGRAM))' --cases='$(CASES)' --output=build/grades \
	    $(if $(findstring --settings,$(OPTIONS)),,--tolerance=2e-6) $(OPTIONS) -- "$$CLASS"/*

memcheck:
	QUICK=1 $(MAKE) test RUN_WITH='$(VALGRIND)' PROGRAM_ONLY=1

# Reports go to files. Some are no faults: the leak checker has looked at a thread that was just ending;
# and a test has tried whether there is memory for the sanitizer.
REPORTS = $(CURDIR)/build/sanitize/reports
sanitize:
	rm -rf '$(REPORTS)'
	mkdir -p '$(REPORTS)'
	chmod a+rwx '$(REPORTS)' # a test runs the program as another user
	ASAN_OPTIONS='log_path=$(REPORTS)/report' $(MAKE) test BUILD=build/sanitize \
	    PROGRAM=build/sanitize/particles CFLAGS='$(SANITIZED)' PROGRAM_ONLY=1; status=$$?; \
	! grep -rEv 'Unable to get registers from thread|ailed (to allocate|while trying to map) 0x' \
	    '$(REPORTS)' && exit $$status

# What uses threads, on all cores, with the thread sanitizer, to which addresses at random are a stumbling block.
test-threads:
	QUICK=1 OMP_NUM_THREADS=1024 setarch -R $(MAKE) check BUILD=build/threads PROGRAM=build/threads/particles \
	    CFLAGS='$(THREADED)' TEST="thread_pool ordered_pairs plain_lines overlap output test_event_log \
	    test_sensitivity test_tally test_report test_threads test_tiles test_tiles_alone test_tiles_tied \
	    test_tile_worker test_tile_regions"

# Looks for faults with made-up inputs, FUZZ_SECONDS for each target, or
# FUZZ_RUNS inputs; needs clang. What it finds stays in build/fuzz.
FUZZ_SECONDS = 600
FUZZ_RUNS = -1
fuzz:
	$(MAKE) fuzz-programs CC=clang BUILD=build/fuzz CFLAGS='$(FUZZED)'
	@FUZZ_SECONDS='$(FUZZ_SECONDS)' FUZZ_RUNS='$(FUZZ_RUNS)' sh scripts/fuzz $(FUZZ_NAMES)

fuzz-programs: $(FUZZ_NAMES:%=$(BUILD)/tests/fuzz/fuzz_%)

# Whether every compiler and machine at hand gives the same bytes; PORTABILITY names variants.
portability:
	@sh scripts/portability $(PORTABILITY)

# Which lines and branches the tests execute; fails if they are too few. (A test whose program
# cannot write its counts can fail here; that does not matter. Counts are atomic: gcov takes some of them from the differences of others, which
# must not be lost. Optimised like this the program takes half the time of -O0, and 999 of 1000 lines and
# branches are those of -O0.) Left out are long tests that execute next to nothing which others do not, and that of
# a small stack, for counting needs more of it.
COVERED = -Og -g --coverage -fno-inline -fno-ssa-phiopt -fno-tree-fre -fno-thread-jumps \
    --param=logical-op-non-short-circuit=0
coverage: LEFT_OUT = $(addprefix command/,bad_input cases checkpoint exact faults final forces gallery locale observers \
    out_of_memory small_stack stats structure tiles) \
    $(addprefix unit/,generate/test_generate input/test_plain_lines lattice/test_flow lattice/test_lattice \
    model/test_overlap model/test_polygon_check observe/test_answer_digest observe/test_checkpoint_damage \
    observe/test_gas observe/test_pair_distribution observe/test_sensitivity observe/test_structure_factor \
    run/test_advances run/test_billiard run/test_observer run/test_periodic run/test_simulation \
    run/test_simulation_gas run/test_stream_runs schedule/test_array schedule/test_predictor schedule/test_schedule \
    schedule/test_tiles_alone schedule/test_tiles_memory steps/test_damping steps/test_langevin steps/test_orders)
coverage:
	rm -rf build/coverage
	mkdir -p build
	-QUICK=1 GCOV_ERROR_FILE=/dev/null $(MAKE) test CC=gcc LEFT_OUT='$(LEFT_OUT)' BUILD=build/coverage \
	    PROGRAM=build/coverage/particles CFLAGS='$(COVERED)' PROGRAM_ONLY=1 >build/coverage.log 2>&1
	python3 scripts/coverage

# Whether long runs, of COLLISIONS collisions, stay right, and up to which time; some minutes.
COLLISIONS = 1e8
endurance: $(BUILD)/tests/measure/endurance $(BUILD)/tests/measure/endurance_polygons
	$(BUILD)/tests/measure/endurance $(COLLISIONS)
	$(BUILD)/tests/measure/endurance_polygons $(COLLISIONS)

bench: $(BUILD)/tests/measure/bench
	$<
	@echo "square roots of several pairs at a time in the sums of sph, as compiled:" \
	    $$(objdump -d $(BUILD)/src/steps/sph.o | grep -c 'v*sqrtpd\|fsqrt.*v.*2d')

# Compares the simulation with kinetic theory and geometry, in tables; about six minutes. What comes
# last, from periodic boxes on, runs at the same time as the rest, on two cores. LONG=4 makes the
# slowest runs 4 times as long.
physics: $(patsubst %,$(BUILD)/tests/measure/%,physics physics_stream physics_periodic physics_walls billiards free_molecules)
	@{ status=0; \
	    for name in "physics_periodic $(LONG)" physics_walls billiards free_molecules; do \
	        $(BUILD)/tests/measure/$$name || status=1; echo; done; \
	    exit $$status; } >$(BUILD)/physics.txt & other=$$!; \
	$(BUILD)/tests/measure/physics; status=$$?; echo; \
	$(BUILD)/tests/measure/physics_stream || status=1; wait $$other || status=1; \
	echo; cat $(BUILD)/physics.txt; exit $$status

# Compares time-stepped runs, and flows on a lattice, with theory, experiments and the exact answer, in
# tables, one program after the other; some minutes.
physics-steps: $(filter $(MEASUREMENTS),$(patsubst %,$(BUILD)/tests/measure/physics_%,pairs xpbd contact sph))
physics-lattice: $(BUILD)/tests/measure/physics_lattice
physics-steps physics-lattice:
	@status=0; for program in $^; do echo; $$program || status=1; done; exit $$status

format:
	clang-format -i $$(find src include tests data -name '*.[ch]')

clean:
	rm -rf '$(BUILD)' '$(PROGRAM)'

-include $(wildcard $(patsubst %,$(BUILD)/%/*.d,src src/* tests/* tests/unit/*))

.PHONY: all lib FORCE install uninstall dist test check test-long test-browser web test-web memcheck sanitize fuzz fuzz-programs bench \
    endurance coverage portability physics physics-steps physics-lattice gallery submission grade format clean
.SECONDARY:
