# The targets of the whole lab. Each exercise has its own Makefile: `make -C ex01_axpy help` lists its targets.
# GPU=sim or GPU=real chooses the device, LAUNCH="srun -n 1 --gres=gpu:1" starts every run.

SHELL := bash

complete := $(patsubst %/checker/ladder.tsv,%,$(wildcard */checker/ladder.tsv))
first := $(firstword $(complete))
archive := build/warpup.tar.gz

include checker/explain.mk

.DEFAULT_GOAL := help
.PHONY: help tour check exercise explain test fuzz sanitize verify bench quiz slides dist clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' Makefile
	@echo '  make -C $(first) help      the targets of an exercise'
	@echo '  GPU=sim or GPU=real chooses the device; LAUNCH="srun -n 1 --gres=gpu:1" starts every run'

tour: ## the solution of the first exercise climbs its ladder on this machine; installs missing packages
	@checker/bin/setup && checker/bin/summary stages $(first)

check: ## check every exercise, one line each; fails only if one could not be checked
	@checker/bin/summary exercises $(complete) || [ $$? = 1 ]

exercise: ## NAME=ex05_dot: writes the skeleton of a new exercise
	@checker/bin/exercise create "$(NAME)"

explain: ## NAME=leak: what a diagnosis of a check means; without NAME, a list of all diagnoses
	@checker/bin/explain "$(EXPLAINED)"

test: ## test the lab itself; installs missing packages
	@checker/bin/setup --test && checker/test/all

fuzz: ## SECONDS=60: libFuzzer tests the rewriter, the trace reader and the judge
	@checker/test/fuzz/fuzz $(or $(SECONDS),60)

sanitize: ## run the tests with AddressSanitizer, UBSan and valgrind; FILES="..." chooses some
	@checker/bin/setup --sanitize && checker/test/sanitize $(FILES)

verify: ## test all ladders: stage k reaches rung k and does not reach the next one
	@checker/bin/setup && for exercise in $(complete); do solutions/stage $$exercise verify || exit; done

bench: ## time all stages on this machine, and what a check costs
	@checker/bin/setup && for exercise in $(complete); do solutions/bench $$exercise || exit; done

ifneq ($(wildcard slides),)
quiz: ## ask the questions of the lectures; DECK=2 asks those of one deck
	@day1/quiz/quiz ask $(DECK)

slides: ## build the lectures: slides/build/N-name.html and .pdf; installs missing packages
	@checker/bin/setup --slides && $(MAKE) -s -C slides
else
quiz slides:
	@echo "make $@: this copy of the lab has no lectures"; exit 2
endif

# The lectures and the quiz contain solutions.
dist: ## make an archive for students, without solutions, lectures and the lab's own tests
	@mkdir -p build && tar -czf $(archive) --transform 's,^\.,warpup,' --exclude='./.[a-z]*' \
	    --exclude=./build --exclude='./*/build' --exclude=node_modules --exclude='*.cu.[0-9]*' --exclude='*.stage[0-9]*.cu' \
	    --exclude=./solutions --exclude='./*/solutions' --exclude=./slides --exclude=./day1/quiz --exclude=./checker/test . \
	    && echo $(archive)

clean: ## remove everything that was built
	@rm -rf build */build
