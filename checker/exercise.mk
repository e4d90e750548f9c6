# exercise.mk: the targets of every exercise. An exercise's Makefile sets NAME (the program; its
# source is NAME.cu) and ARGS (its arguments in `make run`) and includes this file. Variables on the
# command line reach the scripts through the environment: GPU, LAUNCH, PROFILE, WARPUP_SEED.

CHECKER := ../checker
SOLUTIONS := ../solutions
FORMAT ?= pretty

include $(CHECKER)/preflight.mk
include $(CHECKER)/explain.mk

.DEFAULT_GOAL := build
.PHONY: build run check predict view watch editor explain hint reset progress next roofline scan clean help

build: ## build the program, with nvcc if there is one, otherwise for the simulated GPU
	@$(CHECKER)/bin/exercise build .

run: ## build the program and run it; ARGS="..." are its arguments
	@$(CHECKER)/bin/exercise run . $(ARGS)

check: ## find the rung of the program; FORMAT=gcc is for editors; tap, junit, sarif or json for scripts
	@$(CHECKER)/bin/check . --format "$(FORMAT)" || [ $$? = 1 ]

predict: ## write down what you expect of your next rung; the check shows it beside what came
	@$(CHECKER)/bin/predict . $(GUESS)

view: ## write build/view.html, which shows what each warp did; BEFORE=1 compares it with your version before
	@$(CHECKER)/bin/view . $(if $(BEFORE),--before,$(if $(FROM)$(TO),--stages "$(FROM)" "$(TO)"))

watch: ## check at every save and show the verdict; keys show a hint, an explanation, what changed; q ends
	@$(CHECKER)/bin/watch . --format "$(FORMAT)"

editor: ## write what clangd and VS Code need: compile_flags.txt and .vscode/tasks.json
	@$(CHECKER)/bin/editor .

explain: ## NAME=leak: what a diagnosis of a check means; without NAME, a list of all diagnoses
	@$(CHECKER)/bin/explain "$(EXPLAINED)"

hint: ## a hint for the next rung
	@$(CHECKER)/bin/check . --hint

reset: ## restore the starter; your file is saved under another name
	@$(CHECKER)/bin/exercise reset .

progress: ## what you have reached in every exercise, when, and your best rates
	@$(MAKE) -s --no-print-directory -C .. progress

next: ## which exercise or rung comes next
	@$(MAKE) -s --no-print-directory -C .. next

roofline: ## draw the latest check and the stages that you have reached under this GPU's roofline; STAGES=all: all
	@$(CHECKER)/bin/roofline .

scan: ## draw the rates of your program and of the stages that you have reached; STAGES=all: of all
	@$(CHECKER)/bin/scan .

clean: ## remove what was built, and the last check
	@rm -rf build

ifneq ($(wildcard $(SOLUTIONS)/stage),)

include $(SOLUTIONS)/stages.mk

else

stages diff stage verify bench:
	@echo "make $@: this copy of the lab has no solutions"; exit 2

endif

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo '  GPU=sim or GPU=real chooses the device; LAUNCH="srun -n 1 --gres=gpu:1" starts every run'
