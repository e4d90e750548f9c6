#!/usr/bin/env bats
# sim_textures.bats: arrays, textures and surfaces. sim/textures.cu holds what both the simulated and a real GPU must do.
bats_require_minimum_version 1.5.0

setup() {
    load helper
    load sim/told
    make -s -C "$TOP" -f checker/lab.mk
    cd "$BATS_TEST_TMPDIR" || return
}

# One block of 32 threads with a texture t and a surface s of the same 32 x 4 floats
one_kernel() { # BODY [AFTER]: the kernel's line 2, the host's line before the array is freed
    cat >k.cu <<END
__global__ void k(cudaTextureObject_t t, cudaSurfaceObject_t s, float *out) { int i = threadIdx.x;
    $1
}
int main() {
    cudaArray_t a; float *out, zeros[128] = {0}; auto format = cudaCreateChannelDesc<float>();
    cudaMallocArray(&a, &format, 32, 4, cudaArraySurfaceLoadStore); cudaMalloc(&out, 128);
    cudaMemcpy2DToArray(a, 0, 0, zeros, 128, 128, 4, cudaMemcpyHostToDevice);
    cudaResourceDesc r = {}; r.resType = cudaResourceTypeArray; r.res.array.array = a; cudaTextureDesc d = {};
    cudaTextureObject_t t; cudaSurfaceObject_t s; cudaCreateTextureObject(&t, &r, &d, 0); cudaCreateSurfaceObject(&s, &r);
    k<<<1, 32>>>(t, s, out); cudaDeviceSynchronize();
    cudaDestroyTextureObject(t); cudaDestroySurfaceObject(s);
    ${2-cudaFreeArray(a);} cudaFree(out);
}
END
    told k.cu
}

@test "textures and surfaces: types, filters, address modes, arrays, pitched and linear memory" {
    run -0 told "$TOP/checker/test/sim/textures.cu"
    echo "$output"
    [ "$output" = "as expected" ]
}

@test "what is read through a texture is an access on the student's line" {
    run -0 one_kernel 'float v = tex2D<float>(t, i, 1); surf2Dwrite(v, s, 4 * i, 2); out[i] = v;'
    [ -z "$output" ]
    diff - <(jq -r 'select(.event == "access") | [.line, .kind, .space, .size, .requests, .sectors] | join(" ")' \
        run/trace.jsonl | sort) <<'END'
2 load global 4 1 4
2 store global 4 1 4
2 store global 4 1 4
END
}

@test "mistakes: past a surface's end, x without the element's size, an object that is gone, an array that is never freed" {
    run -0 one_kernel 'surf2Dwrite(1.0f, s, 4 * i, 4);'
    [ "$output" = "out-of-bounds 2" ]
    run -0 one_kernel 'out[i] = surf2Dread<float>(s, i, 0);'
    [ "$output" = "misaligned-access 2" ]
    run -0 one_kernel 'out[i] = tex2D<float>(t + 7, i, 0);'
    [ "$output" = "use-after-free 2" ]
    run -0 one_kernel 'out[i] = tex2D<float>(t, i, 0);' ''
    [ "$output" = "leak 6" ]
}

@test "textures of three dimensions are not known" {
    echo '__global__ void k(cudaTextureObject_t t, float *x) { *x = tex3D<float>(t, 0, 0, 0); } int main() { }' >three.cu
    run -2 "$BUILD/cc" three.cu out
    [ "$output" = 'three.cu:1: the simulated GPU does not know tex3D' ]
}
