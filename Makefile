# The commands for development. `prepare` installs the missing packages, and prints their names.

SWIFT  ?= swift
ROUNDS ?= 20
STEPS  ?= 100000
TARGETS ?= $(shell cat Tests/FuzzCorpus/targets)
ONLY   ?=
SKIP   ?=
MEGABYTES ?= 5
CHECKS ?= 10000000
MODE   ?=
SEED   ?=
SECONDS ?=
STORE  ?=
SANITIZER ?= thread
EXT4   ?=
# What a build needs, and libedit, with which the shell of the inspector edits lines.
BUILD_PACKAGES = libsqlite3-dev libgdbm-dev zlib1g-dev libmd-dev libedit2
# In the tests, gdbmtool reads databases that the toolkit has written, strace records the system calls
# of a writer, and Python and the tools of LMDB and Berkeley DB write files for the inspector. mandoc
# checks manual pages, zsh and fish run completion scripts, synchronisation servers use PostgreSQL, and
# openssl makes their certificates.
PACKAGES = $(BUILD_PACKAGES) gdbmtool sqlite3 strace python3 lmdb-utils db5.3-util mandoc zsh fish \
  libpq-dev postgresql openssl
# SwiftPM passes the enabled traits to the compiler in the order of a set. Without a fixed seed of hash
# values, the order changes from build to build, and every build compiles everything again.
BUILD = SWIFT_DETERMINISTIC_HASHING=1 $(SWIFT) build
# All debug builds enable the same traits, because others would compile everything again.
DEBUG_BUILD = $(BUILD) --enable-all-traits
DEBUG_TEST = $(SWIFT) test --enable-all-traits --skip-build
DEBUG_TOOLS = $$($(DEBUG_BUILD) --show-bin-path)
# Where `install` puts the inspector. DESTDIR is a folder that stands for the root, for packages.
PREFIX ?= /usr/local
DESTDIR ?=
TOOL   ?= .build-release/release/undercroft
BUILD_TOOL = $(BUILD) -c release --product undercroft --static-swift-stdlib --scratch-path .build-release
SYNC_SERVER = .build-network-release/release/undercroft-sync-server
BUILD_SYNC_SERVER = $(BUILD) -c release --product undercroft-sync-server --enable-all-traits \
  --scratch-path .build-network-release

.PHONY: help prepare demo demo-sync build test test-fast check-install traits lint imports check format kills crashlab nightly simulate simulate-model transactions sanitize \
  golden sessions fuzz behaviours bench fixtures docs api api-baseline install uninstall

help:
	@echo "make demo        install what is missing, build, catalogue this computer's software"
	@echo "make demo-sync   synchronise two homes of the demo through a server, and make them conflict"
	@echo "make install     build the inspector, and install it with manual pages and completions: PREFIX=\$$HOME/.local DESTDIR="
	@echo "make uninstall   remove what make install has installed: PREFIX=/usr/local DESTDIR="
	@echo "make test        install what is missing, build, run every test"
	@echo "make test-fast   run the tests that take little time, within a minute after a build"
	@echo "make check-install install the optimised inspector in a temporary folder, and run its commands: TOOL=PROGRAM to build none"
	@echo "make traits      test an application that enables no trait, and so has no cryptography"
	@echo "make check       lint, import check and all these tests: what the continuous integration runs"
	@echo "make kills       kill writers at random: ROUNDS=1000, ONLY=sqlite, ONLY=migration MEGABYTES=200, ONLY=sync"
	@echo "                 over a network, on SQLite or PostgreSQL: ONLY=network STORE=postgres ROUNDS=100"
	@echo "make crashlab    what power cuts, kills and failing calls leave: ONLY=gdbm SECONDS=600 SEED=7 EXT4=1"
	@echo "make nightly     compare random cases with models: CHECKS=200000, MODE=joins, SEED=7 CHECKS=1 to repeat a case"
	@echo "                 synchronise 50 devices while requests fail: MODE=soak SECONDS=1800 STORE=postgres"
	@echo "make simulate    synchronise devices with random faults: FIRST=1 SEEDS=10000, SEED=7 to repeat one, SHRINK=1"
	@echo "make simulate-model compare histories with the executable model of the protocol: SEEDS=1000, SEED=7"
	@echo "make transactions random transactions, compared with what a second process reads: STEPS=1000000, SEED=1"
	@echo "make sanitize    find data races in the core, the backends and SQLite: SANITIZER=address finds memory errors"
	@echo "make golden      write the expected output of the inspector, which the tests compare"
	@echo "make sessions    write the output of the commands in the guides, which tests compare"
	@echo "make fuzz        fuzz every parser, SECONDS=60 each: TARGETS='journal vault'"
	@echo "make behaviours  which required behaviours have a passing test: ONLY='A-CT-I|A-CT-F'"
	@echo "make bench       speed beside GDBM, SQLite and UserDefaults, after some minutes of building: SMOKE=1, ONLY=gdbm, ONLY=inspector,"
	@echo "                 SKIP=sync-http to build no package of a network"
	@echo "make bench ONLY=sync-http  the speed of synchronisation over HTTP, with SQLite and PostgreSQL"
	@echo "make fixtures    write stores of every format beside the old ones, for the tests: VERSION=1.0"
	@echo "make docs        build the documentation; every warning is an error"
	@echo "make api         compare the public API with Docs/PublicInterface, and fail on a breaking change"
	@echo "make api-baseline accept the changes of the public API"
	@echo "make format      lay out the sources"

prepare:
	@for package in $(PACKAGES); do \
	  if command -v dpkg-query >/dev/null \
	    && ! dpkg-query -W -f '$${Status}' $$package 2>/dev/null | grep -q 'ok installed'; then \
	    missing="$$missing $$package"; \
	  fi; \
	done; \
	if [ -n "$$missing" ]; then \
	  echo "installing$$missing"; \
	  sudo=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	  $$sudo apt-get update -qq && $$sudo apt-get install -y -qq --no-install-recommends $$missing; \
	fi

# The home directory remains, so that a second run finds the data of the first.
demo: prepare
	$(DEBUG_BUILD) --product shelf
	$(DEBUG_BUILD) --product undercroft
	@$(DEBUG_TOOLS)/shelf --home .build/shelf
	@echo
	@$(DEBUG_TOOLS)/undercroft ls .build/shelf

# A server and two homes of the demo, whose data is created again.
demo-sync: PACKAGES = $(BUILD_PACKAGES) libpq-dev
demo-sync: prepare
	$(DEBUG_BUILD) --product shelf
	$(DEBUG_BUILD) --product undercroft-sync-server
	@Sources/Shelf/demo-sync $(DEBUG_TOOLS) .build/demo-sync

# The separate scratch path preserves the debug build. With the Swift libraries linked statically, the
# tool also runs where Swift is not installed.
install: PACKAGES = $(BUILD_PACKAGES)
install: prepare
	$(BUILD_TOOL)
	install -d $(addprefix "$(DESTDIR)$(PREFIX)"/,bin $(MANUALS) $(dir $(COMPLETIONS)))
	install -m 755 $(TOOL) "$(DESTDIR)$(PREFIX)/bin/undercroft"
	$(TOOL) man --output-directory "$(DESTDIR)$(PREFIX)/$(MANUALS)"
	$(foreach file,$(COMPLETIONS),$(TOOL) completion $(call shell_of,$(file)) \
	  > "$(DESTDIR)$(PREFIX)/$(file)" &&) chmod 644 "$(DESTDIR)$(PREFIX)/$(MANUALS)"/undercroft*.1 \
	  $(addprefix "$(DESTDIR)$(PREFIX)"/,$(COMPLETIONS))

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/undercroft" "$(DESTDIR)$(PREFIX)/$(MANUALS)"/undercroft.1 \
	  "$(DESTDIR)$(PREFIX)/$(MANUALS)"/undercroft-*.1 $(addprefix "$(DESTDIR)$(PREFIX)"/,$(COMPLETIONS))

# The folders in which man and the three shells search.
MANUALS = share/man/man1
COMPLETIONS = share/bash-completion/completions/undercroft share/zsh/site-functions/_undercroft \
  share/fish/vendor_completions.d/undercroft.fish
shell_of = $(firstword $(subst -, ,$(word 2,$(subst /, ,$(1)))))

# Also reports imports of modules that are not declared as dependencies in the manifest.
build: prepare
	$(DEBUG_BUILD) --build-tests --explicit-target-dependency-import-check error

test: build
	$(RUN_TESTS)

# The tests run debug builds. A release build of the inspector takes about four minutes.
check-install: prepare
	Tests/InstalledTool/run

# Writes the files in Tests/UndercroftInspectionTests/Golden. Review the changes before a commit.
golden: export UNDERCROFT_GOLDEN = write
golden: build
	$(DEBUG_TEST) --filter GoldenTests

sessions: export UNDERCROFT_SESSIONS = write
sessions: build
	$(DEBUG_TEST) --filter 'InspectorSessionTests|SyncDemoTests'

# Leaves out the tests with the trait .heavy.
test-fast: export UNDERCROFT_TESTS = fast
test-fast: build
	$(RUN_TESTS)

# Few tests run at a time, because the tasks of a test, such as those of a sync engine, otherwise
# wait for minutes behind thousands of tests. Older toolchains may lack the option.
WIDTH = $(addsuffix $() 16,$(findstring --experimental-maximum-parallelization-width,$(shell \
  $(SWIFT) test --help-hidden)))

# Prints the failures again at the end of the output.
define RUN_TESTS
@log=$$(mktemp); status=$$(mktemp); \
{ $(DEBUG_TEST) $(WIDTH) 2>&1; echo $$? > $$status; } | tee $$log; \
code=$$(cat $$status); \
if [ "$$code" != 0 ]; then grep -E "✘|error:" $$log | tail -40; fi; \
rm -f $$log $$status; exit $$code
endef

# Builds the toolkit as a dependency of a separate package. The separate scratch path preserves the
# debug build. Without swift-crypto, a first build takes about a minute.
traits: prepare
	$(SWIFT) test --package-path Tests/WithoutTraits --scratch-path .build-traits

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Backends Tests

imports: build

check: lint imports traits test

format:
	$(SWIFT) format --in-place --recursive Package.swift Sources Backends Tests

# KillWriter with the work over a network, and the server that it starts.
define BUILD_NETWORK
$(DEBUG_BUILD) --product undercroft-sync-server
$(DEBUG_BUILD) --product KillWriter
endef
KILL_WRITER = $(DEBUG_TOOLS)/KillWriter

# In the works `sync` and `network`, each round kills two clients and a server. In `network`, a proxy
# disturbs requests, and PostgreSQL has three servers and is restarted twice.
kills: prepare
	$(BUILD_NETWORK)
	$(if $(filter migration network sync,$(ONLY)),,$(KILL_WRITER) loop \
	  --rounds $(ROUNDS) $(if $(ONLY),--store $(ONLY)))
	$(if $(filter-out migration,$(ONLY)),,$(KILL_WRITER) migrate \
	  --rounds $(ROUNDS) --megabytes $(MEGABYTES))
	$(if $(filter-out sync,$(ONLY)),,$(KILL_WRITER) sync \
	  --rounds $(ROUNDS) $(if $(SEED),--seed $(SEED)))
	$(if $(filter-out network,$(ONLY)),,$(KILL_WRITER) network \
	  --rounds $(ROUNDS) $(if $(STORE),--store $(STORE)) $(if $(SEED),--seed $(SEED)))

# SECONDS applies to each store and each crash model. EXT4=1 simulates power failures on real file
# systems. A release build opens several times as many states as a debug build. The separate scratch
# path preserves the debug build.
crashlab: prepare
	$(BUILD) -c release --product KillWriter --scratch-path .build-release
	.build-release/release/KillWriter crash $(if $(EXT4),ext4,run) --failures $(CURDIR)/.build-release/crashes \
	  --seconds $(or $(SECONDS),20) $(if $(SEED),--seed $(SEED)) $(if $(ONLY),--only $(ONLY))

# The mode `soak` is a debug build. The other modes are a release build, whose separate scratch path
# preserves the debug build.
ifeq ($(MODE),soak)
nightly: prepare
	$(BUILD_NETWORK)
	$(KILL_WRITER) soak --seconds $(or $(SECONDS),1800) $(if $(STORE),--store $(STORE)) $(if $(SEED),--seed $(SEED))
else
nightly: prepare
	$(BUILD) -c release --product Nightly --scratch-path .build-release
	.build-release/release/Nightly --checks $(CHECKS) $(if $(MODE),--mode $(MODE)) $(if $(SEED),--seed $(SEED))
endif

# The order of sets and dictionaries, which is random otherwise, must not decide what a seed does.
simulate: export SWIFT_DETERMINISTIC_HASHING = 1
simulate: prepare
	$(BUILD) -c release --product Simulate --scratch-path .build-release
	.build-release/release/Simulate --first $(or $(FIRST),1) --seeds $(or $(SEEDS),10000) \
	  $(if $(SEED),--seed $(SEED)) $(if $(SHRINK),--shrink) $(if $(PROFILE),--profile $(PROFILE))

# Needs python3, in which the model is written.
simulate-model: prepare
	$(BUILD) -c release --product Simulate --scratch-path .build-release
	.build-release/release/Simulate --model --first $(or $(FIRST),1) --seeds $(or $(SEEDS),1000) \
	  $(if $(SEED),--seed $(SEED)) $(if $(PROFILE),--profile $(PROFILE))

transactions: prepare
	$(DEBUG_BUILD) --product KillWriter
	$(DEBUG_TOOLS)/KillWriter transactions --steps $(STEPS) $(if $(SEED),--seed $(SEED))

# Each test target has a separate run, because the tests of several targets together are slower. The
# heavy tests are skipped, because they run programs until a number of kills or rounds is reached. A
# run without any test is a failure. The suppressions are only for leaks, and not for data races and
# memory errors.
SANITIZED = UndercroftCoreTests UndercroftFileSystemTests UndercroftFilesTests UndercroftKeyValueTests UndercroftGDBMTests \
  UndercroftSecretsTests UndercroftInspectionTests UndercroftTests UndercroftTestingTests UndercroftSQLiteTests
SANITIZED_BUILD = .build-$(if $(filter address,$(SANITIZER)),asan,tsan)
sanitize: export LSAN_OPTIONS = suppressions=$(CURDIR)/Tests/LeakSanitizer.supp:print_suppressions=0

sanitize: prepare
	$(DEBUG_BUILD) --sanitize=$(SANITIZER) --build-tests --scratch-path $(SANITIZED_BUILD)
	@log=$$(mktemp); for tests in $(SANITIZED); do \
	  echo "$$tests under the $(SANITIZER) sanitizer"; \
	  { $(DEBUG_TEST) --sanitize=$(SANITIZER) --scratch-path $(SANITIZED_BUILD) \
	    --filter "^$$tests\." --skip HeavyTests || echo "sanitize: $$tests failed"; } >$$log 2>&1; \
	  if grep -q "^sanitize: " $$log || ! grep -q "Test run with [1-9].* passed" $$log; then \
	    grep -vE "^(◇|✔)" $$log; exit 1; \
	  fi; \
	  grep "Test run with" $$log; \
	done; rm -f $$log
	$(SANITIZED_BUILD)/debug/KillWriter misuse --count 50000

# A release build, which has the same trapping checks as a debug build. Inputs that reveal a defect
# belong in Tests/FuzzCorpus, which the tests replay. Swift's backtraces are disabled: they would
# catch the signal by which libFuzzer detects a defect, and the input would be lost.
fuzz: prepare
	$(BUILD) -c release --sanitize=fuzzer -Xswiftc -DFUZZING --product Fuzzer --scratch-path .build-fuzz
	@for target in $(TARGETS); do \
	  echo "fuzzing $$target for $(or $(SECONDS),60) s"; \
	  mkdir -p .build-fuzz/corpus/$$target .build-fuzz/defects Tests/FuzzCorpus/$$target; \
	  SWIFT_BACKTRACE=enable=no FUZZ_TARGET=$$target FUZZ_SEEDS=.build-fuzz/corpus/$$target \
	    .build-fuzz/release/Fuzzer \
	    -max_total_time=$(or $(SECONDS),60) -timeout=20 -rss_limit_mb=2048 -max_len=8192 -print_final_stats=1 \
	    -artifact_prefix=.build-fuzz/defects/$$target- .build-fuzz/corpus/$$target Tests/FuzzCorpus/$$target \
	    >.build-fuzz/$$target.log 2>&1 \
	    || { tail -30 .build-fuzz/$$target.log; exit 1; }; \
	  grep -E "^Done|number_of_executed_units|average_exec|peak_rss" .build-fuzz/$$target.log; \
	done

behaviours: prepare
	ONLY='$(ONLY)' Tests/Behaviours/run

# A set is never overwritten: later versions are tested with what this one wrote.
fixtures: prepare
	@test -n "$(VERSION)" || { echo "make fixtures: name the set, such as VERSION=1.0"; exit 2; }
	$(DEBUG_BUILD) --product FixtureMaker
	$(DEBUG_TOOLS)/FixtureMaker Tests/FormatFixtures/$(VERSION)

# A release build of a separate package, so that the compared libraries are no dependencies of the
# toolkit. The benchmarks over a network need other packages, whose first build takes minutes: they are
# built only if these benchmarks are selected, and in a folder of their own, because an enabled trait
# compiles all sources of the toolkit again.
BENCH_NETWORK = $(if $(filter sync-http,$(SKIP)),,$(if $(ONLY),$(findstring sync-http,$(ONLY)),all))
BENCH_BUILD = .build/benchmarks$(if $(BENCH_NETWORK),-network)
bench: prepare
	@# SwiftPM plans a package again only if its manifest is newer. Without this, files that were added
	@# to the toolkit since the last build would be missing.
	@touch Tests/Benchmarks/Package.swift
	$(BUILD) -c release --package-path Tests/Benchmarks --scratch-path $(BENCH_BUILD) \
	  $(if $(BENCH_NETWORK),--traits SyncHTTP)
	@# The inspector is measured as the program that make install installs.
	$(if $(filter-out inspector,$(ONLY)),,$(BUILD_TOOL))
	$(if $(BENCH_NETWORK),$(BUILD_SYNC_SERVER))
	$(BENCH_BUILD)/release/Benchmarks --json .build/bench.json $(if $(SMOKE),--smoke) $(if $(ONLY),--only $(ONLY)) \
	  $(if $(SKIP),--skip $(SKIP)) \
	  $(if $(filter-out inspector,$(ONLY)),,--inspector $(TOOL)) \
	  $(if $(BENCH_NETWORK),--sync-server $(SYNC_SERVER))

# The pages of Docs and the symbols of all library products, in .build-docs.
docs: prepare
	Tests/Documentation/run

api: prepare
	Tests/Documentation/interface

api-baseline: prepare
	Tests/Documentation/interface --write
