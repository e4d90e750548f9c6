# The targets of the whole lab. Each exercise has its own Makefile: `make -C ex01_axpy help` lists its targets.
# GPU=sim or GPU=real chooses the device, LAUNCH="srun -n 1 --gres=gpu:1" starts every run.

SHELL := bash

complete := $(patsubst %/checker/ladder.tsv,%,$(wildcard */checker/ladder.tsv))
first := $(firstword $(complete))

include checker/preflight.mk
include checker/explain.mk

.DEFAULT_GOAL := help
.PHONY: help check progress next explain calibrate clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo '  make -C $(first) help      the targets of an exercise'
	@echo '  GPU=sim or GPU=real chooses the device; LAUNCH="srun -n 1 --gres=gpu:1" starts every run'

check: ## check every exercise, one line each; fails only if one could not be checked
	@checker/bin/summary exercises $(complete) || [ $$? = 1 ]

progress: ## what you have reached in every exercise, when, and your best rates
	@checker/bin/progress show $(complete)

next: ## which exercise or rung comes next
	@checker/bin/progress next $(complete)

explain: ## NAME=leak: what a diagnosis of a check means; without NAME, a list of all diagnoses
	@checker/bin/explain "$(EXPLAINED)"

calibrate: ## measure this machine's GPU, and write its profile to TO=FILE; PROFILE=FILE in a check then uses it
	@checker/bin/calibrate "$(TO)" "$(TIMES)"

clean: ## remove everything that was built
	@rm -rf $(if $(wildcard build/bundle),build/cuda-headers,build) */build # what a bundle has brought stays

# The archive of make dist has no solutions, and so only the targets above.
ifneq ($(wildcard solutions/stage),)
include solutions/instructor.mk
else
tour exercise class board test fuzz sanitize verify bench quiz inventory gain slides book dist bundle:
	@echo "make $@: this copy of the lab is for students: it has no solutions, lectures and tests"; exit 2
endif
