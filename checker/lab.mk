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
# libraries in lib/ beside them. An unpacked bundle has build/bundle: only what needs that machine's g++ or CUDA is
# built there.

BUILD := $(or $(WARPUP_BUILD),build)
OBJ := $(BUILD)/obj

CC := gcc
CFLAGS := -std=c11 -O2 -g -fPIC -fsigned-char -Wall -Wextra -Werror
CPPFLAGS = -Ichecker -MMD -MP -MF $(@:.o=.d) -MT $@

# A build may be killed: what a command makes gets its name once it is whole.
whole = $@.part && mv -f $@.part $@

# An arena whose pieces are apart (CHUNK_BYTES=0) shows where each one ends. Under sanitizers gcc's
# warnings are not to be trusted. gcc 13 and later would keep local variables away from the stack, to find uses after
# a return; at a switch to another fiber AddressSanitizer frees them.
ifdef SANITIZE
CC += -fsanitize=$(SANITIZE) --param=asan-use-after-return=0 -fno-omit-frame-pointer -w
CPPFLAGS += -DCHUNK_BYTES=0
endif

comma := ,

# Boost.Context is linked in where its archive is there, so that build/ can be carried elsewhere.
boost-archive := $(shell $(CC) -print-file-name=libboost_context.a 2>/dev/null)
boost := $(if $(findstring /,$(boost-archive)),$(boost-archive),-lboost_context)
jansson := $(if $(BUNDLE),-l:libjansson.a,-ljansson)

beside := $(if $(BUNDLE),-Wl$(comma)-rpath$(comma)'$$ORIGIN/lib')

NVCC := $(realpath $(shell command -v nvcc 2>/dev/null))
CUDA := $(NVCC:/bin/nvcc=)
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
rewrite-objects := $(call objects,$(call sources,sim/translate))
sim-objects := $(filter-out $(rewrite-objects),$(call objects,$(call sources,sim)))
judge-objects := $(call objects,$(call sources,judge))
run-objects := $(call objects,$(call sources,run))
show-objects := $(call objects,$(call sources,show))
progress-objects := $(call objects,$(call sources,progress))
view-objects := $(call objects,$(call sources,view))
tracer-objects := $(call objects,$(call sources,tracer))
cage-objects := $(call objects,$(call sources,cage))

brought := $(BUILD)/files \
    $(if $(run-objects),$(BUILD)/run) \
    $(if $(show-objects),$(BUILD)/show) \
    $(if $(progress-objects),$(BUILD)/progress) \
    $(if $(view-objects),$(BUILD)/view) \
    $(if $(cage-objects),$(BUILD)/cage) \
    $(if $(rewrite-objects),$(BUILD)/rewrite) \
    $(if $(sim-objects),$(BUILD)/libsimgpu.so) \
    $(if $(judge-objects),$(BUILD)/judge.a $(exercises:%=$(BUILD)/%/judge))

tools := $(if $(wildcard $(BUILD)/bundle),,$(brought)) \
    $(if $(sim-objects),$(if $(BUNDLE),,$(BUILD)/headers/start.h)) \
    $(if $(cupti-header),$(if $(tracer-objects),$(BUILD)/tracer.so) \
        $(if $(wildcard checker/tracer/copyrate.cu),$(BUILD)/copyrate)) \
    $(if $(cublas-header),$(BUILD)/blasrate)

.PHONY: all clean brought list
all: $(tools)

# All tools, for bin/lab.bash: one a line
list:
	@printf '%s\n' $(patsubst $(BUILD)/%,%,$(tools))

# What a bundle brings, for bin/bundle: a tool a line
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

# What bin/lab.bash holds its lock with. It is built without that lock, so it appears in one step.

ifeq ($(wildcard $(BUILD)/bundle),)
$(BUILD)/files: checker/files/files.c checker/lab.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -o $@.$$$$ $< && mv -f $@.$$$$ $@
endif

# The runner

$(BUILD)/run: $(run-objects)
	$(CC) $^ -o $(whole)

# What runs a step of a check in a sandbox

$(BUILD)/cage: $(cage-objects)
	$(CC) $^ -o $(whole)

# What shows a verdict

$(BUILD)/show: $(show-objects)
	$(CC) $^ $(jansson) -o $(whole)

# What remembers the verdicts. It prints as the program above does.

$(BUILD)/progress: $(progress-objects) $(patsubst %,$(OBJ)/show/%.o,pretty print terminal words)
	$(CC) $^ $(jansson) -o $(whole)

# What writes the page of make view

$(BUILD)/view: $(view-objects) $(occupancy-objects)
	$(CC) $^ $(jansson) -lm -o $(whole)

# The simulated GPU

# Most of these machines have AVX2, which checks a row of words in half the time.
avx2 := $(if $(BUNDLE),,$(shell grep -m1 '^flags.* fma .* movbe .* avx2 .* bmi2 ' /proc/cpuinfo 2>/dev/null))
machine := $(if $(findstring x86_64,$(shell $(CC) -dumpmachine 2>/dev/null)),-mpopcnt -mcx16 \
    $(if $(avx2),-mavx2 -mfma -mbmi -mbmi2 -mmovbe -mlzcnt -mf16c,-msse4.2))

# Speed is what makes it usable: every access of a kernel comes through here.
$(sim-objects): CPPFLAGS += -Ichecker/sim/include
$(sim-objects): CFLAGS += -O3 $(machine) -ffp-contract=off -ftls-model=initial-exec \
    -fno-semantic-interposition

$(BUILD)/rewrite: $(rewrite-objects) $(OBJ)/sim/ptx/ptx_text.o
	$(CC) $^ -o $(whole)

$(BUILD)/libsimgpu.so: $(sim-objects) $(occupancy-objects) $(trace-objects) checker/sim/exports.map
	$(CC) -shared -Wl,-Bsymbolic,-z,defs,-z,relro,-z,now,--version-script=checker/sim/exports.map \
	    $(sim-objects) $(occupancy-objects) $(trace-objects) $(boost) $(beside) -ldw -lstdc++ -lpthread -ldl -lm \
	    -o $(whole)

# CUDA's headers, compiled once for all programs: where that fails, every compilation reads them. A lab that was
# moved compiles them again; labs that share one build/ do not do so in turn.
ifneq ($(or $(WARPUP_BUILD),$(file <$(BUILD)/headers/place)),$(or $(WARPUP_BUILD),$(CURDIR)/checker/sim))
.PHONY: $(BUILD)/headers/start.h
endif
$(BUILD)/headers/start.h: checker/sim/compile $(wildcard $(addprefix checker/sim/include/,*.h */*.h */*/*.h))
	-@checker/sim/compile --headers $(BUILD)/headers

# The judge: an archive, and one program for each exercise, which brings its own oracle

$(judge-objects): CFLAGS += -fopenmp

$(BUILD)/judge.a: $(judge-objects) $(occupancy-objects) $(OBJ)/trace/seal.o
	@rm -f $@.part
	ar rcs $@.part $^ && mv -f $@.part $@

$(BUILD)/%/judge: $(OBJ)/%/oracle.o $(BUILD)/judge.a
	@mkdir -p $(@D)
	$(CC) -fopenmp $^ $(jansson) -lm -o $(whole)

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
