# lab.mk: builds the lab's own tools into build/ (WARPUP_BUILD moves it). Run it from the lab's top:
#     make -s -j2 -f checker/lab.mk
# Every part is one folder, checker/<part>/, and all its sources belong to it: a new file needs no
# new rule. CPATH and LIBRARY_PATH are honoured, as gcc does by itself. What needs CUDA is built
# only where nvcc and CUPTI are.
#
# SANITIZE=address,undefined builds the same with gcc's sanitizers, for test/sanitize; it needs a
# WARPUP_BUILD of its own.
#
# BUNDLE=yes builds what bin/bundle puts into an archive: tools for any x86-64 machine with SSE 4.2, which look for
# libraries in build/lib. An unpacked bundle has build/bundle: only what needs clang or that machine's CUDA is built
# there.

BUILD := $(or $(WARPUP_BUILD),build)
OBJ := $(BUILD)/obj

CC := gcc
CFLAGS := -std=c11 -O2 -g -fPIC -fsigned-char -Wall -Wextra -Werror
CPPFLAGS = -Ichecker -MMD -MP -MF $(@:.o=.d) -MT $@

# A build may be killed: what a command makes gets its name once it is whole.
whole = $@.$$$$.part && mv -f $@.$$$$.part $@

# An arena whose blocks are apart (ARENA_CHUNK_BYTES=0) shows where each one ends. Under sanitizers gcc's
# warnings are not to be trusted.
ifdef SANITIZE
CC += -fsanitize=$(SANITIZE) -fno-omit-frame-pointer -w
CPPFLAGS += -DARENA_CHUNK_BYTES=0
endif

comma := ,

jansson := $(if $(BUNDLE),-l:libjansson.a,-ljansson)
seccomp := $(if $(BUNDLE),-l:libseccomp.a,-lseccomp)

beside := $(if $(BUNDLE),-Wl$(comma)-rpath$(comma)'$$ORIGIN/lib:$$ORIGIN/../lib')

NVCC := $(realpath $(shell command -v nvcc 2>/dev/null))
CUDA := $(NVCC:/bin/nvcc=)
# Only who grades a class needs the sandbox, and libseccomp for it.
seccomp-header := $(firstword $(wildcard $(addsuffix /seccomp.h,$(subst :, ,$(CPATH)) /usr/include /usr/local/include)))

cupti-header := $(if $(CUDA),$(firstword $(wildcard \
    $(addprefix $(CUDA)/,include/cupti.h extras/CUPTI/include/cupti.h))))

cupti-library := $(if $(CUDA),$(firstword $(wildcard \
    $(addsuffix /libcupti.so*,$(CUDA)/lib64 $(CUDA)/extras/CUPTI/lib64))))

cublas-header := $(if $(CUDA),$(firstword $(wildcard $(CUDA)/include/cublas_v2.h)))

exercises := $(patsubst %/checker/oracle.c,%,$(wildcard */checker/oracle.c))

# $(call sources,PART): its C files, those of its rooms too. $(call objects,SOURCES): the object files of some.
sources = $(wildcard checker/$(1)/*.c checker/$(1)/*/*.c)
objects = $(patsubst checker/%.c,$(OBJ)/%.o,$(1))

occupancy-objects := $(call objects,$(call sources,occupancy))
trace-objects := $(call objects,$(call sources,trace))
judge-objects := $(call objects,$(call sources,judge))
driver-objects := $(call objects,$(call sources,driver))
run-objects := $(call objects,$(call sources,run))
show-objects := $(call objects,$(call sources,show))
progress-objects := $(call objects,$(call sources,progress))
view-objects := $(call objects,$(call sources,view))
tracer-objects := $(call objects,$(call sources,tracer))
cage-objects := $(call objects,$(call sources,cage))

.DEFAULT_GOAL := all

lab := yes
include checker/gpu.mk

brought := $(BUILD)/fsutil \
    $(if $(run-objects),$(BUILD)/run) \
    $(if $(show-objects),$(BUILD)/show) \
    $(if $(progress-objects),$(BUILD)/progress) \
    $(if $(view-objects),$(BUILD)/view) \
    $(if $(seccomp-header)$(BUNDLE),$(if $(cage-objects),$(BUILD)/cage)) \
    $(gpu-tools) \
    $(if $(judge-objects),$(BUILD)/judge.a $(exercises:%=$(BUILD)/%/judge) $(exercises:%=$(BUILD)/%/check))

tools := $(if $(wildcard $(BUILD)/bundle),,$(brought)) \
    $(if $(BUNDLE),,$(BUILD)/cuda-headers/flags) \
    $(if $(cupti-header),$(if $(tracer-objects),$(BUILD)/tracer.so) \
        $(if $(wildcard checker/tracer/copyrate.cu),$(BUILD)/copyrate)) \
    $(if $(cublas-header),$(BUILD)/blasrate)

.PHONY: all clean brought list
all: $(tools)

# All tools, for bin/lab.bash: one a line
list:
	@printf '%s\n' $(patsubst $(BUILD)/%,%,$(tools))

# The tools of a bundle, for bin/bundle: one per line
brought:
	@printf '%s\n' $(patsubst $(BUILD)/%,%,$(filter-out %.a,$(brought)))

clean:
	rm -rf $(BUILD)

# The pattern rules

$(OBJ)/%.o: checker/%.c checker/lab.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -c $< -o $(whole)

$(OBJ)/%/oracle.o: %/checker/oracle.c checker/lab.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -c $< -o $(whole)

# The program with which bin/lab.bash holds its lock. It is built without that lock, so it appears in one step.

ifeq ($(wildcard $(BUILD)/bundle),)
$(BUILD)/fsutil: checker/fsutil/fsutil.c checker/lab.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -o $@.$$$$ $< && mv -f $@.$$$$ $@
endif

# The runner

$(BUILD)/run: $(run-objects)
	$(CC) $^ -o $(whole)

# The program that runs a step of a check in a sandbox

$(BUILD)/cage: $(cage-objects)
	$(CC) $^ $(seccomp) -o $(whole)

# The program that shows a verdict

$(BUILD)/show: $(show-objects)
	$(CC) $^ $(jansson) -o $(whole)

# The program that remembers the verdicts. It prints as the program above does.

$(BUILD)/progress: $(progress-objects) $(patsubst %,$(OBJ)/show/%.o,pretty print terminal words)
	$(CC) $^ $(jansson) -o $(whole)

# The program that writes the page of make view

$(BUILD)/view: $(view-objects) $(occupancy-objects)
	$(CC) $^ $(jansson) -lm -o $(whole)

# The judge: an archive, and one program for each exercise, which brings its own oracle

$(judge-objects): CFLAGS += -fopenmp

$(BUILD)/judge.a: $(judge-objects) $(occupancy-objects) $(OBJ)/trace/mac.o
	ar rcs $@.$$$$.part $^ && mv -f $@.$$$$.part $@

$(BUILD)/%/judge: $(OBJ)/%/oracle.o $(BUILD)/judge.a
	@mkdir -p $(@D)
	$(CC) -fopenmp $^ $(beside) $(jansson) -lm -o $(whole)

# A whole check: the driver, with the judge and the oracle of its exercise

$(BUILD)/%/check: $(driver-objects) $(OBJ)/fsutil/folders.o $(OBJ)/%/oracle.o $(BUILD)/judge.a
	@mkdir -p $(@D)
	$(CC) -fopenmp $^ $(beside) $(jansson) -lm -o $(whole)

# The tracer, and the copy rate and cuBLAS's rate of a real GPU

$(tracer-objects): CPPFLAGS += -I$(CUDA)/include -I$(dir $(cupti-header))

$(BUILD)/tracer.so: $(tracer-objects) $(trace-objects)
	$(CC) -shared $^ $(cupti-library) -Wl,-rpath,$(dir $(cupti-library)) -lpthread -lm -o $(whole)

$(BUILD)/copyrate: checker/tracer/copyrate.cu
	@mkdir -p $(@D)
	nvcc -O3 $< -o $(whole)

$(BUILD)/blasrate: checker/tracer/blasrate.cu
	@mkdir -p $(@D)
	nvcc -O3 $< -lcublas -o $(whole)


.SECONDARY:
.DELETE_ON_ERROR:
-include $(wildcard $(OBJ)/*/*.d $(OBJ)/*/*/*.d)
