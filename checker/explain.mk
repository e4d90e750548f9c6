# explain.mk: lets `make explain` take its name as a second word: `make explain leak` is what
# `make explain NAME=leak` is. EXPLAINED is that name; an exercise's own NAME does not count.

EXPLAINED := $(if $(filter command,$(origin NAME)),$(NAME))

ifeq ($(firstword $(MAKECMDGOALS)),explain)
ifneq ($(word 2,$(MAKECMDGOALS)),)
EXPLAINED := $(word 2,$(MAKECMDGOALS))
.PHONY: $(EXPLAINED)
$(EXPLAINED): explain
	@:
endif
endif
