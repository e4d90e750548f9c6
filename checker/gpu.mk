# gpu.mk: builds the simulated GPU: build/gpu (its process), build/libcudart.so (the program's side) and build/cc (the
# compiler driver). lab.mk includes it: make -s -j2 -f checker/lab.mk gpu
# Every room is a folder of checker/gpu, and all its .c files belong to it.

ifndef lab
include checker/lab.mk
else

room = $(call objects,$(call sources,gpu/$(1)))

# Most of these machines have AVX2, which executes a warp's instruction in half the time.
avx2 := $(if $(BUNDLE),,$(shell grep -m1 '^flags.* fma .* movbe .* avx2 .* bmi2 ' /proc/cpuinfo 2>/dev/null))
machine := $(if $(findstring x86_64,$(shell $(CC) -dumpmachine 2>/dev/null)),-mpopcnt -mcx16 \
    $(if $(avx2),-mavx2 -mfma -mbmi -mbmi2 -mmovbe -mlzcnt -mf16c,-msse4.2))

# Speed is what makes it usable: every instruction of a kernel comes through here.
gpu-cflags := -O3 $(machine) -ffp-contract=off -fno-math-errno -fno-trapping-math
gpu-libraries := -ldw -lelf -lz -lstdc++ -lpthread -ldl -lm
$(OBJ)/gpu/%.o: CFLAGS += $(gpu-cflags)
$(OBJ)/gpu/%.o: CPPFLAGS += -Ichecker/gpu/include -I$(OBJ)

rooms := ptx memory warp time textures blas runtime server
shared-objects := $(call objects,$(call sources,trace)) $(call objects,$(call sources,occupancy))
gpu-objects := $(foreach r,$(rooms),$(call room,$(r))) $(shared-objects)

# Both sides of CUDA's calls, the program's and the server's: wire/sides.awk writes them
written := $(addprefix $(OBJ)/gpu/wire/,cuda.def serve.h client.c server.c cublas.def cublas_client.c)
$(OBJ)/gpu/wire/cuda.def: part := list
$(OBJ)/gpu/wire/serve.h: part := serve
$(OBJ)/gpu/wire/client.c: part := client
$(OBJ)/gpu/wire/server.c: part := server
$(OBJ)/gpu/wire/cublas.def: part := cublas
$(OBJ)/gpu/wire/cublas_client.c: part := cublas_client
$(written): checker/gpu/wire/sides.awk $(call sources,gpu/cudart) $(addprefix checker/gpu/include/,cuda_runtime_api.h cublas_v2.h)
	@mkdir -p $(@D)
	awk -v part=$(part) -f $^ >$(whole)
$(OBJ)/gpu/wire/%.o: $(OBJ)/gpu/wire/%.c
	$(CC) $(CFLAGS) $(CPPFLAGS) -c $< -o $(whole)
gpu-objects += $(OBJ)/gpu/wire/server.o
$(gpu-objects) $(call room,cudart) $(OBJ)/gpu/wire/client.o $(OBJ)/gpu/wire/cublas_client.o: | $(written)

# Each room and those below it
below-ptx := ptx
below-memory := ptx memory
below-warp := ptx memory textures warp
below-time := ptx memory textures warp time
below-runtime := ptx memory textures warp time blas runtime

# The parts that a check needs
gpu-tools = $(BUILD)/gpu $(BUILD)/cc $(cudart) $(cublas)

.PHONY: gpu $(rooms:%=room-%) room-cudart room-cc

$(rooms:%=room-%) room-cudart room-cc: room-%:
	@$(MAKE) -s -f checker/lab.mk $(patsubst checker/%.c,$(OBJ)/%.o,$(wildcard checker/gpu/$*/*.c))

$(BUILD)/gpu: $(gpu-objects)
	$(CC) $^ $(beside) $(gpu-libraries) -o $(whole)

# The program's side, once for each CUDA whose programs may use it: they ask for libcudart.so.13, and for its names with
# this version. Programs that build/cc compiles with clang use libcudart.so, which has no versions.
cudart-majors := 11.0 12 13
cudart-objects := $(filter-out %/version.o %/cublas.o %/cublas_lt.o %/curand.o,$(call room,cudart)) $(OBJ)/gpu/wire/client.o
cudart := $(BUILD)/libcudart.so $(cudart-majors:%=$(BUILD)/libcudart.so.%)
cublas := $(foreach l,libcublas libcublasLt,$(BUILD)/$(l).so $(patsubst %,$(BUILD)/$(l).so.%,11 12 13)) \
    $(BUILD)/libcurand.so $(BUILD)/libcurand.so.10
gpu: $(gpu-tools) $(BUILD)/cuda-headers/flags

$(cudart-majors:%=$(OBJ)/gpu/cudart/version-%.o): $(OBJ)/gpu/cudart/version-%.o: checker/gpu/cudart/version.c | $(written)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -DCUDART_MAJOR=$(firstword $(subst ., ,$*)) $(CPPFLAGS) -c $< -o $(whole)

# $(1): soname; $(2): its version node, or nothing
link-cudart = sed 's/^\#.*//; s/VERSION/$(2)/' $(filter %.map,$^) >$@.$$$$.map && \
    $(CC) -shared -Wl,-Bsymbolic,-z,relro,-z,now,-soname,$(1),--version-script=$@.$$$$.map $(filter %.o,$^) \
    -lpthread -ldl -o $@.$$$$ && mv -f $@.$$$$ $@ && rm -f $@.$$$$.map

$(BUILD)/libcudart.so: $(cudart-objects) $(OBJ)/gpu/cudart/version-12.o checker/gpu/cudart/exports.map
	@mkdir -p $(@D)
	$(call link-cudart,$(@F),)
$(BUILD)/libcudart.so.%: $(cudart-objects) $(OBJ)/gpu/cudart/version-%.o checker/gpu/cudart/exports.map
	@mkdir -p $(@D)
	$(call link-cudart,$(@F),$(@F))

# Drop-ins for the other libraries. They find client_call() in the libcudart.so that the program has loaded.
# $(1): library; $(2): its objects
define drop-in
$(BUILD)/lib$(1).so: $(2:%=$(OBJ)/gpu/%.o) checker/gpu/cudart/libraries.map
	@mkdir -p $$(@D)
	$$(call link-cudart,$$(@F),)
$(BUILD)/lib$(1).so.%: $(2:%=$(OBJ)/gpu/%.o) checker/gpu/cudart/libraries.map
	@mkdir -p $$(@D)
	$$(call link-cudart,$$(@F),$$(@F))
endef
$(eval $(call drop-in,cublas,cudart/cublas wire/cublas_client))
$(eval $(call drop-in,cublasLt,cudart/cublas_lt))
$(eval $(call drop-in,curand,cudart/curand))

# It reads PTX as the simulated GPU does, with the same code.
$(BUILD)/cc: $(call room,cc) $(foreach r,$(below-warp),$(call room,$(r))) $(shared-objects)
	$(CC) $^ $(gpu-libraries) -o $(whole)

# CUDA's headers, compiled once, save most of a compilation's time. Without clang there are none. A bundle brings build/cc.
$(BUILD)/cuda-headers/flags: $(if $(wildcard $(BUILD)/bundle),,$(BUILD)/cc) $(wildcard $(addprefix checker/gpu/include/,*.h */*.h */*/*.h))
	@mkdir -p $(@D)
	@$(BUILD)/cc --headers $(@D) || : >$@
	@touch $@

# The unit tests: each tests one room, and is linked with that room and those below it. Tests of matrices and textures
# bring memory of their own: their access_values() goes before the room's.
own-memory := -Wl,-z,muldefs
own-warp_matrix := $(own-memory)
own-warp_texture := $(own-memory)
own-warp_mathematics := $(own-memory)
own-runtime_calls := $(OBJ)/gpu/wire/server.o
unit-%: $(BUILD)/unit/%
	@$<
$(BUILD)/unit/%: checker/test/gpu/%.c checker/gpu.mk
	@mkdir -p $(@D)
	@$(MAKE) -s -f checker/lab.mk $(foreach r,$(below-$(firstword $(subst _, ,$*))),$(call room,$(r))) $(shared-objects) $(filter %.o,$(own-$*))
	$(CC) $(CFLAGS) $(gpu-cflags) -Ichecker -Ichecker/gpu/include -I$(OBJ) $< $(own-$*) \
	    $(foreach r,$(below-$(firstword $(subst _, ,$*))),$(call room,$(r))) $(shared-objects) $(gpu-libraries) -o $@

endif
