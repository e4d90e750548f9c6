# stages.mk: the targets of an exercise that need its solutions. checker/exercise.mk includes it where they are.

.PHONY: stages diff stage verify bench

stages: ## for the instructor: list the stages of the solution
	@$(SOLUTIONS)/stage . list

diff: ## for the instructor: FROM=3 TO=4, show what changes between two stages and how much faster it gets
	@$(SOLUTIONS)/stage . diff "$(FROM)" "$(TO)"

stage: ## for the instructor: STAGE=4, write that stage next to the student's file
	@$(SOLUTIONS)/stage . write "$(STAGE)"

verify: ## for the instructor: test that stage k reaches rung k and does not reach the next one
	@$(CHECKER)/bin/setup --stages && $(SOLUTIONS)/stage . verify

bench: ## for the instructor: time all stages
	@$(CHECKER)/bin/setup --stages && $(SOLUTIONS)/bench .
