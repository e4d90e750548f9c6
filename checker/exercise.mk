# exercise.mk: the targets of every exercise. An exercise's Makefile sets NAME (the program; its
# source is NAME.cu) and ARGS (what `make run` gives it) and includes this file. Variables on the
# command line reach the scripts through the environment: GPU, LAUNCH, PROFILE, LAB_SEED.

CHECKER := ../checker
SOLUTIONS := ../solutions
FORMAT ?= pretty

include $(CHECKER)/explain.mk

.DEFAULT_GOAL := build
.PHONY: build run check explain hint reset roofline scan stages diff stage verify bench clean help

build: ## build the program: with nvcc where there is one, else for the simulated GPU
	@$(CHECKER)/bin/exercise build .

run: ## build the program and run it; ARGS="..." are its arguments
	@$(CHECKER)/bin/exercise run . $(ARGS)

check: ## how far up the ladder the program is; FORMAT=tap, junit or json for machines
	@$(CHECKER)/bin/check . --format "$(FORMAT)"

explain: ## NAME=leak: what a diagnosis of a check means; without NAME, which there are
	@$(CHECKER)/bin/explain "$(EXPLAINED)"

hint: ## a hint for the next rung, and no further
	@$(CHECKER)/bin/check . --hint

reset: ## the starter back; your file is kept aside
	@$(CHECKER)/bin/exercise reset .

roofline: ## draw the latest check and the stages under this GPU's roof
	@$(CHECKER)/bin/roofline .

scan: ## rates of the program and the stages over the values of checker/scan.tsv, if there is one
	@$(CHECKER)/bin/scan .

clean: ## remove what was built, and the last check
	@rm -rf build

ifneq ($(wildcard $(SOLUTIONS)/stage),)

stages: ## for the instructor: the stages of the solution, a line each
	@$(SOLUTIONS)/stage . list

diff: ## for the instructor: FROM=3 TO=4, what changes from stage to stage and what it gained
	@$(SOLUTIONS)/stage . diff "$(FROM)" "$(TO)"

stage: ## for the instructor: STAGE=4, writes that stage out beside the student's file
	@$(SOLUTIONS)/stage . write "$(STAGE)"

verify: ## for the instructor: prove that stage k earns rung k and misses the next one
	@$(CHECKER)/bin/setup && $(SOLUTIONS)/stage . verify

bench: ## for the instructor: time all stages
	@$(CHECKER)/bin/setup && $(SOLUTIONS)/bench .

else

stages diff stage verify bench:
	@echo "make $@: this copy of the lab has no solutions"; exit 2

endif

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo '  GPU=sim or GPU=real chooses the device; LAUNCH="srun -n 1 --gres=gpu:1" runs behind a launcher'
