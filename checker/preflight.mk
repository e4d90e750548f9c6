# preflight.mk: what is wrong with the folder that the lab is in, as far as make can see it. The Makefiles include it, because
# then no script of the lab can start. It reads a file and asks for its permissions.

script := $(dir $(lastword $(MAKEFILE_LIST)))bin/check

ifneq ($(findstring $(shell printf '\r'),$(file <$(script))),)
$(error the lab's files have the line ends of Windows. Repair them in its top folder: grep -rlIZ $$'\r' . | xargs -0 sed -i 's/\r$$//')
endif

ifeq ($(shell test -x $(script) && echo yes),)
$(error $(script) cannot be executed: the file system forbids it (noexec), or a copy lost the permissions (chmod -R +x .))
endif
