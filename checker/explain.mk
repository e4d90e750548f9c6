# explain.mk: lets `make explain` take its name as a second word: `make explain leak` does the same
# as `make explain NAME=leak`. EXPLAINED is that name; it ignores the NAME of an exercise.

EXPLAINED := $(if $(filter command,$(origin NAME)),$(NAME))

ifeq ($(firstword $(MAKECMDGOALS)),explain)
ifneq ($(word 2,$(MAKECMDGOALS)),)
EXPLAINED := $(word 2,$(MAKECMDGOALS))
.PHONY: $(EXPLAINED)
$(EXPLAINED): explain
	@:
endif
endif
