# fuzz.mk: builds the fuzz targets ptx, trace and judge into OUT. Run it from the lab's top:
#     make -s -f checker/test/fuzz/fuzz.mk                       with clang, whose libFuzzer makes inputs
#     make -s -f checker/test/fuzz/fuzz.mk OUT=DIR REPLAY=yes    with gcc, to run them on files
# Both have AddressSanitizer and UBSan; optimising for a replay would take longer than the replay. STATIC=yes links in
# what another machine may not have.

OUT := build/fuzz
OBJ := $(OUT)/obj
TARGETS := ptx trace judge

CC := $(if $(REPLAY),gcc,clang)
SANITIZERS := address,undefined
CFLAGS := -std=c11 $(if $(REPLAY),-O0,-O1) -g -fno-omit-frame-pointer -fno-sanitize-recover=all -Wall -Wextra -Wno-unused-function -Wno-unknown-pragmas \
    -fsanitize=$(if $(REPLAY),,fuzzer-no-link,)$(SANITIZERS)
CPPFLAGS := -Ichecker -DARENA_CHUNK_BYTES=0 -MMD -MP
LDFLAGS := -fsanitize=$(if $(REPLAY),,fuzzer,)$(SANITIZERS) $(if $(STATIC),-static-libstdc++ -static-libgcc)
LDLIBS := $(if $(STATIC),-l:libjansson.a,-ljansson) -lm

# $(call objects,SOURCES): the object files of some.
objects = $(patsubst checker/%.c,$(OBJ)/%.o,$(1))

extra := $(if $(REPLAY),$(OBJ)/test/fuzz/replay.o) $(if $(STATIC),$(OBJ)/test/fuzz/older.o)
judge-objects := $(call objects,$(wildcard checker/judge/*.c checker/judge/*/*.c))

# Stages whose device code the fuzzer of PTX begins with, EXERCISE.STAGE. A replay takes one of them.
stages := ex03_matvec.5 $(if $(REPLAY),,ex01_axpy.5 ex02_rot.2 ex03_matvec.3 ex04_matmul.2)

.PHONY: all
all: $(TARGETS:%=$(OUT)/%) $(stages:%=$(OUT)/stages/%/program)

# Beside the program stays its PTX, near the source and optimised.
$(OUT)/stages/%/program:
	@mkdir -p $(@D)
	solutions/stage $(basename $*) print $(patsubst .%,%,$(suffix $*)) >$(@D)/$*.cu
	WARPUP_KEEP=1 $${WARPUP_BUILD:-build}/cc $(@D)/$*.cu $(@D)

$(OBJ)/%.o: checker/%.c checker/test/fuzz/fuzz.mk
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -c -o $@ $<

$(OBJ)/judge/main.o: CPPFLAGS += -Dmain=judge_main

$(OUT)/ptx: $(call objects,$(wildcard checker/gpu/ptx/*.c))
$(OUT)/ptx: LDLIBS += -lstdc++
$(OUT)/trace: $(filter %/trace_read.o %/json_read.o %/arena.o,$(judge-objects))
$(OUT)/judge: $(judge-objects) $(OBJ)/occupancy/occupancy.o $(OBJ)/trace/mac.o $(OBJ)/test/judge/oracle.o

$(TARGETS:%=$(OUT)/%): $(OUT)/%: $(OBJ)/test/fuzz/%.o $(extra)
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

.SECONDARY:
.DELETE_ON_ERROR:
-include $(shell find $(OBJ) -name '*.d' 2>/dev/null)
