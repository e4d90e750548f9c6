# Warp-up's front desk. Each exercise has a Makefile of its own; `make -C ex01_axpy help` lists it.
# GPU=sim or GPU=real chooses the device, LAUNCH="srun -n 1 --gres=gpu:1" runs behind a launcher.

SHELL := bash

complete := $(patsubst %/checker/ladder.tsv,%,$(wildcard */checker/ladder.tsv))
first := $(firstword $(complete))
archive := build/warpup.tar.gz

include checker/explain.mk

.DEFAULT_GOAL := help
.PHONY: help tour check explain test fuzz sanitize verify bench quiz slides dist clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' Makefile
	@echo '  make -C $(first) help      the targets of an exercise'
	@echo '  GPU=sim or GPU=real chooses the device; LAUNCH="srun -n 1 --gres=gpu:1" runs behind a launcher'

tour: ## see it: the first exercise climbs its ladder on this machine; installs what it misses
	@checker/bin/setup && checker/bin/summary stages $(first)

check: ## every exercise, a line each: rung, rate, share of the limit, next step
	@checker/bin/summary exercises $(complete)

explain: ## NAME=leak: what a diagnosis of a check means; without NAME, which there are
	@checker/bin/explain "$(EXPLAINED)"

test: ## everything that proves the lab itself; installs what it misses
	@checker/bin/setup --test && checker/test/all

fuzz: ## SECONDS=60 of inputs made up by libFuzzer for the rewriter, the trace reader and the judge
	@checker/test/fuzz/fuzz $(or $(SECONDS),60)

sanitize: ## the tests once more under AddressSanitizer, UBSan and valgrind; FILES="..." only some
	@checker/bin/setup --sanitize && checker/test/sanitize $(FILES)

verify: ## prove all ladders: stage k earns rung k and misses the next one
	@checker/bin/setup && for exercise in $(complete); do solutions/stage $$exercise verify || exit; done

bench: ## time all stages on this machine, and what a check costs
	@checker/bin/setup && for exercise in $(complete); do solutions/bench $$exercise || exit; done

ifneq ($(wildcard slides),)
quiz: ## the questions of the day; DECK=2 asks those of one deck
	@day1/quiz/quiz ask $(DECK)

slides: ## the lectures: slides/build/N-name.html and .pdf; installs what they miss
	@checker/bin/setup --slides && $(MAKE) -s -C slides
else
quiz slides:
	@echo "make $@: this copy of the lab has no lectures"; exit 2
endif

# The lectures show the solutions, and the quiz takes its answers from them.
dist: ## an archive to hand out, without the solutions, the lectures and the lab's own tests
	@mkdir -p build && tar -czf $(archive) --transform 's,^\.,warpup,' --exclude='./.[a-z]*' \
	    --exclude=./build --exclude='./*/build' --exclude=node_modules --exclude='*.cu.[0-9]*' --exclude='*.stage[0-9]*.cu' \
	    --exclude=./solutions --exclude='./*/solutions' --exclude=./slides --exclude=./day1/quiz --exclude=./checker/test . \
	    && echo $(archive)

clean: ## remove all that was built
	@rm -rf build */build
