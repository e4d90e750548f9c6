/*
 * ptx.c: tests of the reader of PTX: what a text becomes, what is refused, which local variables
 * become registers.
 */
#include "test/gpu/ptx_reading.h"

/* --- Decoding --- */

static void test_operands(void)
{
    struct ptx_module *module =
        read_kernel("", ".param .u64 a, .param .u32 n",
                    "ld.param.u32 %r1, [n];\nmad.lo.s32 %r2, %tid.x, %ntid.x, -7;\nsetp.lt.and.s32 "
                    "%p1|%p2, %r1, %r2, !%p3;\n"
                    "@!%p1 st.shared.v2.f32 [%r2+12], {%f1, 0f3F800000};\nmov.b64 {%r3, _}, "
                    "%rd1;\nfma.rn.f64 %fd1, 0d4000000000000000, %fd2, 1.5;\n"
                    "shl.b64 %rd2, %rd1, 3;\nmul.wide.s32 %rd3, %r1, -4;\nst.global.u64 [%rd3], "
                    "%rd2;\nst.f64 [%rd3], %fd1;\nst.u32 [%rd3], %r3;ret;");
    CHECK(module->error_count == 0);
    CHECK(module->version == 80 && module->target == 80);
    const struct ptx_function *kernel = ptx_function(module, "k");
    CHECK(kernel->entry && kernel->param_count == 2 && kernel->params[1].at == 8 &&
          kernel->param_bytes == 12);
    const struct ptx_instruction *one = instruction(module, 0);
    CHECK(one->opcode == OP_ld && one->space == SPACE_PARAM && one->access == -1);
    CHECK(one->operand[1].kind == OPERAND_PARAM && one->operand[1].own &&
          one->operand[1].offset == 8);
    one = find(module, OP_mad);
    CHECK(one->operand[1].base == BASE_SPECIAL && one->operand[1].at == 128 * SPECIAL_tid_x);
    CHECK(one->operand[3].immediate && one->operand[3].bytes == 4 &&
          (int32_t)one->operand[3].value == -7);
    CHECK((int32_t)constant(module, &one->operand[3]) == -7);
    one = find(module, OP_setp);
    CHECK(one->results == 2 && one->operand_count == 5 && one->operand[4].negated &&
          ptx_has(one, M_lt) && ptx_has(one, M_and));
    one = find(module, OP_st);
    CHECK(one->guard >= 0 && one->guard_negated && one->space == SPACE_SHARED && one->vector == 2 &&
          one->bytes == 4);
    CHECK(one->operand[0].kind == OPERAND_ADDRESS && one->operand[0].offset == 12 &&
          one->operand[0].bytes == 4 && one->offset == 12);
    CHECK(one->operand[1].kind == OPERAND_VECTOR && one->operand[1].count == 2);
    CHECK(constant(module, &kernel->elements[one->operand[1].first + 1]) == 0x3f800000);
    one = find(module, OP_mov);
    CHECK(one->operand[0].kind == OPERAND_VECTOR &&
          kernel->elements[one->operand[0].first + 1].kind == OPERAND_SINK);
    one = find(module, OP_fma);
    CHECK(one->operand[1].value == UINT64_C(0x4000000000000000) &&
          one->operand[3].value == UINT64_C(0x3ff8000000000000));
    CHECK(find(module, OP_shl)->operand[2].bytes == 4);
    CHECK(find(module, OP_mul)->operand[2].bytes == 4 &&
          find(module, OP_mul)->operand[0].bytes == 8);
    CHECK(kernel->code[kernel->code_count - 1].opcode == OP_ret);
    CHECK(module->access_count == 4 && module->accesses[0]->space == SPACE_SHARED);
    ptx_free(module);
}

static void test_forms(void)
{
    struct ptx_module *module =
        read_kernel(".extern .shared .align 16 .b8 dyn[];\n.shared .align 4 .b8 tile[64];\n", "",
                    "bar.sync 0;\nbar.sync 1, 64;\nbarrier.sync.aligned %r1, 32;\nbar.red.popc.u32 "
                    "%r1, 0, !%p1;\nbar.warp.sync -1;\n"
                    "shfl.sync.down.b32 %r1|%p1, %r2, 1, 31, -1;\nshfl.sync.idx.b32 %r1, %r2, %r3, "
                    "0x1f, -1;\nvote.sync.ballot.b32 %r1, %p1, -1;\n"
                    "atom.shared.cas.b32 %r30, [%r2], 0, 1;\natom.global.add.f64 %fd1, [%rd1+8], "
                    "%fd2;\nred.global.add.u32 [%rd1], 1;\n"
                    "cp.async.ca.shared.global [%r1], [%rd1], 4, "
                    "4;\ncp.async.commit_group;\ncp.async.wait_group 0;\n"
                    "mbarrier.init.shared.b64 [%r1], 32;\nmbarrier.arrive.shared::cta.b64 _, "
                    "[%r1];\nmbarrier.try_wait.shared.b64 %p1, [%r1], %rd1;\n"
                    "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1,%r2,%r3,%r4}, [%r5];\n"
                    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, "
                    "{%r1,%r2,%r3,%r4}, {%r5,%r6}, {%f1,%f2,%f3,%f4};\n"
                    "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5, %f6}];\nsust.b.2d.b32.trap "
                    "[%rd1, {%r1, %r2}], {%r3};\n"
                    "lop3.b32 %r1, %r2, %r3, %r4, 0x96;\nprmt.b32 %r1, %r2, %r3, "
                    "0x3210;\ncvta.to.shared.u64 %rd1, %rd2;\n"
                    "mov.u32 %r7, dyn;\nmov.u32 %r8, tile+16;\nadd.cc.u32 %r1, %r2, "
                    "3;\nfence.acq_rel.gpu;\nmembar.gl;\nactivemask.b32 %r3;\n"
                    "st.shared.u32 [tile+8], %r7;\nst.shared.u32 [%r8], "
                    "%r1;\nst.volatile.shared.u32 [%r8], %r3;\nprefetch.global.L2 [%rd1];trap;");
    CHECK(module->error_count == 0);
    CHECK(instruction(module, 0)->flow == FLOW_BARRIER && instruction(module, 3)->results == 1);
    CHECK(find(module, OP_shfl)->results == 2 && find(module, OP_shfl)->flow == FLOW_MEET &&
          find(module, OP_shfl)->operand_count == 6);
    CHECK(find(module, OP_atom)->operand_count == 4 && find(module, OP_atom)->unused);
    CHECK(find(module, OP_cp)->access >= 0 && find(module, OP_cp)->operand_count == 4);
    CHECK(find(module, OP_mbarrier)->results == 0);
    CHECK(find(module, OP_tex)->operand_count == 3 &&
          find(module, OP_tex)->operand[1].kind == OPERAND_VALUE &&
          find(module, OP_tex)->bytes == 4);
    CHECK(find(module, OP_lop3)->operand[4].value == 0x96);
    CHECK(find(module, OP_prefetch)->flow == FLOW_NOTHING);
    struct ptx_variable *tile = ptx_variable(module, "tile"), *dyn = ptx_variable(module, "dyn");
    CHECK(dyn->external && dyn->bytes == 0 && !tile->external && tile->bytes == 64 &&
          tile->align == 4);
    tile->address = 256;
    dyn->address = 512;
    ptx_set_addresses(module);
    const struct ptx_function *kernel = ptx_function(module, "k");
    unsigned seen = 0;
    for (uint32_t k = 0; k < kernel->code_count; k++) {
        const struct ptx_instruction *one = &kernel->code[k];
        if (one->opcode == OP_mov)
            CHECK(constant(module, &one->operand[1]) == (seen++ == 0 ? 512 : 256 + 16));
        if (one->opcode == OP_st && one->offset == 8)
            CHECK(constant(module, &one->operand[0]) == 256);
    }
    CHECK(seen == 2 && kernel->static_shared == 64 && kernel->shared_used_count == 2);
    ptx_free(module);
}

static void test_variables(void)
{
    struct ptx_module *module =
        read_text(".visible .global .align 4 .u32 counter = 7;\n.global .align 8 .u64 table[3] = "
                  "{generic(counter)+4, f, 0};\n"
                  ".const .align 4 .f32 c[4] = {0f3F800000, 2.0, -1.5};\n.global "
                  ".attribute(.managed) .align 4 .u32 m;\n"
                  ".global .align 1 .b8 bytes[10] = {255, -1, 0xFF00(counter)};\n.global .align 4 "
                  ".b8 huge[1000000000000];\n"
                  ".global .align 8 .b8 _ZZ1kPfE4tile[8];\n.func f() { ret; }\n");
    /* f is used before it is declared, as ptxas refuses too. */
    CHECK(module->error_count == 1 && strstr(module->errors[0].text, "'f'") != NULL);
    ptx_free(module);
    module = read_text(".func f();\n.visible .global .align 4 .u32 counter = 7;\n"
                       ".global .align 8 .u64 table[3] = {generic(counter)+4, f, 0};\n"
                       ".const .align 4 .f32 c[4] = {0f3F800000, 2.0, -1.5};\n.global "
                       ".attribute(.managed) .align 4 .u32 m;\n"
                       ".global .align 1 .b8 bytes[10] = {255, -1, 0xFF00(counter)};\n.global "
                       ".align 4 .b8 huge[1000000000000];\n"
                       ".shared .align 8 .b8 _ZZ4gpu_PfE4tile[8];\n.func f() { ret; }\n");
    CHECK(module->error_count == 0);
    uint32_t seven;
    memcpy(&seven, ptx_variable(module, "counter")->initial, 4);
    CHECK(seven == 7);
    const struct ptx_variable *table = ptx_variable(module, "table");
    CHECK(table->fixup_count == 2 && table->fixups[0].add == 4 && table->fixups[0].generic &&
          table->fixups[1].at == 8);
    CHECK(table->fixups[1].function == ptx_function(module, "f"));
    float c[4];
    memcpy(c, ptx_variable(module, "c")->initial, sizeof c);
    CHECK(c[0] == 1 && c[1] == 2 && c[2] == -1.5f && c[3] == 0);
    CHECK(ptx_variable(module, "m")->managed && ptx_variable(module, "m")->initial == NULL);
    const struct ptx_variable *bytes = ptx_variable(module, "bytes");
    CHECK(bytes->initial[0] == 255 && bytes->initial[1] == 255 && bytes->fixup_count == 1 &&
          bytes->fixups[0].shift == 8);
    CHECK(ptx_variable(module, "huge")->bytes == UINT64_C(1000000000000));
    CHECK(strcmp(ptx_variable(module, "_ZZ4gpu_PfE4tile")->plain_name, "tile") == 0);
    ptx_free(module);
}

static void test_calls(void)
{
    struct ptx_module *module =
        read_kernel(".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
                    ".func (.param .b32 r) g (.param .b32 x, .param .align 8 .b8 y[12])\n{ .reg "
                    ".b32 %r<3>; ld.param.u32 %r1, [x];\n"
                    "ld.param.u32 %r2, [y+8]; st.param.u32 [r], %r1; ret; }\n",
                    ".param .u64 a",
                    "{ .param .b32 p0; st.param.b32 [p0], 1; .param .align 8 .b8 p1[12]; "
                    "st.param.b32 [p1+8], 2; .param .b32 q;\n"
                    "call.uni (q), g, (p0, p1); ld.param.b32 %r1, [q]; }\n{ .param .b32 p0; .param "
                    ".b32 q; st.param.b32 [p0], %r1;\n"
                    "pr : .callprototype (.param .b32 _) _ (.param .b32 _);\ncall (q), %rd1, (p0), "
                    "pr; ld.param.b32 %r2, [q]; }\n"
                    "mov.b64 %rd2, a; st.global.u32 [%rd2], %r2;");
    CHECK(module->error_count == 0);
    const struct ptx_function *kernel = ptx_function(module, "k"), *g = ptx_function(module, "g");
    CHECK(g->params[0].at == 4 && g->params[1].at == 8 && g->results[0].at == 0 &&
          g->call_bytes == 20);
    const struct ptx_instruction *call = find(module, OP_call);
    CHECK(call->callee == g && call->call->argument_count == 2 && call->call->argument[0] == 0 &&
          call->call->argument[1] == 8);
    CHECK(call->call->argument_bytes[1] == 12 && call->call->result_count == 1 &&
          call->call->result[0] == 20);
    CHECK(kernel->call_bytes == 24 && kernel->calls_pointers);
    const struct ptx_instruction *address = find(module, OP_mov);
    CHECK(constant(module, &address->operand[1]) == PARAM_WINDOW);
    CHECK(!ptx_function(module, "vprintf")->defined && ptx_function(module, "vprintf")->external);
    ptx_free(module);
}

static void test_scopes(void)
{
    struct ptx_module *module =
        read_kernel("", "",
                    "mov.u32 %r1, 1;\n{ .reg .pred p; .reg .b32 %r1; mov.u32 %r1, 2; setp.eq.u32 "
                    "p, %r1, 3;\n@p bra L; add.u32 %r1, %r1, 4;\nL: st.global.u32 [%rd1], %r1; }\n"
                    "{ .reg .pred p; setp.eq.u32 p, %r1, 5;\n@p bra L;\nadd.u32 %r1, %r1, 6;\nL: "
                    "@p bra OUT;\n}\nst.global.u32 [%rd1+4], %r1;\nOUT: ret;");
    CHECK(module->error_count == 0);
    CHECK(count(module, OP_st) == 2 && count(module, OP_setp) == 2);
    ptx_free(module);
    CHECK(refused("{ L: ret; } bra L;", false, "undefined label 'L'"));
    CHECK(refused("L: ret; L: ret;", false, "defined twice"));
    CHECK(refused("{ .reg .b32 q; } mov.u32 q, 1;", false, "undefined name 'q'"));
}

static void test_refused(void)
{
    CHECK(refused("mov.u32 %r1, %r99;", false, "undefined name '%r99'"));
    CHECK(refused("add.u32 %r1, %r2;", false, "an operand is missing"));
    CHECK(refused("add.u32 %r1, %r2, %r3, %r4;", false, "too many operands"));
    CHECK(refused("ld.global.u32 %r1, %rd1;", false, "an address is expected"));
    CHECK(refused("bra NOWHERE;", false, "undefined label"));
    CHECK(refused("wgmma.fence.sync.aligned;", true, "wgmma.fence.sync.aligned"));
    CHECK(refused("add.odd.u32 %r1, %r2, %r3;", true, "add.odd.u32"));
    CHECK(refused("call g, ();", false, "undefined name 'g'"));
    CHECK(refused("mov.u32 %r1, 1", false, "';' is missing"));
    CHECK(
        refused(".shared .b8 s[49153]; st.shared.u8 [s], %rs1;", false, "bytes of shared memory"));
    CHECK(refused("and.pred %p1, !!%p2, %p3;", false, "a number is expected"));
    CHECK(refused("{ { {", false, "end of a function is missing"));
    struct ptx_module *module = read_kernel(".func g();\n", "", "call g, ();");
    CHECK(module->error_count == 1 &&
          strstr(module->errors[0].text, "undefined function 'g'") != NULL);
    ptx_free(module);
    module = read_text(".visible .entry k() { .reg .b32 %r<1000000000>; ret; }");
    CHECK(module->error_count == 1);
    ptx_free(module);
}

static void test_heads(void)
{
    struct ptx_module *module =
        read_text(".visible .entry _Z10gpu_matmulILi32EEvPKfPfi(.param .u64 .ptr .global .align 4 "
                  "a, .param .align 8 .b8 s[24])\n"
                  ".maxntid 256, 2, 1\n.minnctapersm 2\n.maxnreg 64\n.reqnctapercluster 2, 1, "
                  "1\n.explicitcluster\n{ ret; }\n"
                  ".func _ZN6Matrix5scaleEf() .noreturn { ret; }\n");
    CHECK(module->error_count == 0);
    const struct ptx_function *kernel = module->functions[0];
    CHECK(strcmp(kernel->plain_name, "gpu_matmul<32>") == 0 &&
          strcmp(module->functions[1]->plain_name, "Matrix::scale") == 0);
    CHECK(kernel->max_threads_said && kernel->max_threads[0] == 256 &&
          kernel->max_threads[1] == 2 && !kernel->required_threads_said);
    CHECK(kernel->min_blocks == 2 && kernel->max_registers == 64 && kernel->cluster[0] == 2);
    CHECK(kernel->params[0].pointer && kernel->params[1].at == 8 && kernel->param_bytes == 32);
    ptx_free(module);
}

/* --- Places --- */

static const char *where(const struct ptx_module *module, const struct ptx_instruction *one)
{
    static char text[100];
    char *at = text;
    const struct ptx_location *location = &module->locations[one->location];
    *at = '\0';
    for (; location->file != NULL; location = &module->locations[location->inlined_at])
        at += sprintf(at, "%s:%d ", location->file, location->line);
    return text;
}

static void test_locations(void)
{
    struct ptx_module *module =
        read_kernel("", "",
                    ".loc 1 10 0\nmov.u32 %r1, 1;\n.loc 1 12 3\n.loc 2 99 1, function_name "
                    "$L__info, inlined_at 1 12 3\nadd.u32 %r1, %r1, 2;\n"
                    ".loc 1 0 3\nsub.u32 %r1, %r1, 3;\n.loc 1 5 1, function_name $L__info+4, "
                    "inlined_at 1 14 7\nxor.b32 %r1, %r1, 1;\n"
                    ".loc 3 7 7, function_name $L__info, inlined_at 1 5 1\nand.b32 %r1, %r1, "
                    "5;\n.loc 2 3 3\nor.b32 %r1, %r1, 4;\n"
                    ".loc 1 5 1, function_name $L__info+4, inlined_at 1 15 7\nnot.b32 %r1, "
                    "%r1;\nst.global.u32 [%rd1], %r1;\n"
                    "}\n.file 1 \"/home/me/axpy.cu\"\n.file 2 "
                    "\"/usr/local/cuda/include/x.h\"\n.file 3 \"/usr/local/cuda/y.h\"\n"
                    ".section .debug_str\n{\n$L__info:\n.b8 1,2\n");
    CHECK(module->error_count == 0);
    CHECK(strcmp(where(module, find(module, OP_mov)), "/home/me/axpy.cu:10 ") == 0);
    CHECK(strcmp(where(module, find(module, OP_add)), "/home/me/axpy.cu:12 ") == 0);
    CHECK(strcmp(where(module, find(module, OP_sub)), "/home/me/axpy.cu:12 ") == 0);
    CHECK(strcmp(where(module, find(module, OP_xor)), "/home/me/axpy.cu:5 /home/me/axpy.cu:14 ") ==
          0);
    CHECK(strcmp(where(module, find(module, OP_and)), "/home/me/axpy.cu:5 /home/me/axpy.cu:14 ") ==
          0);
    CHECK(strcmp(where(module, find(module, OP_not)), "/home/me/axpy.cu:5 /home/me/axpy.cu:15 ") ==
          0);
    CHECK(find(module, OP_not)->location != find(module, OP_xor)->location);
    ptx_free(module);
}

/* --- Local variables --- */

#define DEPOT "mov.u64 %rd30, __local_depot0;\ncvta.local.u64 %rd31, %rd30;\n"

static void test_local(void)
{
    /* Two scalars, whose addresses go nowhere, and one of one byte. */
    struct ptx_module *module = read_kernel(
        "", "",
        ".local .align 8 .b8 __local_depot0[32];\n" DEPOT
        "st.u32 [%rd31+4], %r1;\nst.u8 [%rd31+8], %r2;\nld.s32 %rd1, [%rd31+4];\n"
        "ld.s8 %rs1, [%rd31+8];\nst.global.u64 [%rd2], %rd1;\nst.global.u16 [%rd2+8], %rs1;");
    CHECK(module->error_count == 0 && module->access_count == 2);
    CHECK(count(module, OP_cvta) == 0 && count(module, OP_ld) == 0);
    ptx_free(module);
    /* An address that goes elsewhere keeps everything, for nothing is known about where variables
     * begin. */
    module = read_kernel("", "",
                         ".local .align 8 .b8 __local_depot0[32];\n" DEPOT
                         "cvt.u64.u32 %rd5, %r9;\nst.u32 [%rd31+4], %r1;\nadd.u64 %rd3, %rd31, "
                         "8;\nadd.s64 %rd4, %rd3, "
                         "%rd5;\nst.u32 [%rd4], %r2;\nld.u32 %r3, [%rd31+4];\n"
                         "st.global.u32 [%rd2], %r3;");
    CHECK(count(module, OP_ld) == 1 && find(module, OP_ld)->space == SPACE_LOCAL &&
          find(module, OP_ld)->operand[1].local);
    CHECK(find(module, OP_ld)->offset == 4);
    ptx_free(module);
    /* Debug information says that a variable begins at 4 and another at 8: only the second one is
     * kept. */
    module = read_kernel("", "",
                         ".local .align 8 .b8 __local_depot0[32];\n" DEPOT
                         "cvt.u64.u32 %rd5, %r9;\nst.u32 [%rd31+4], %r1;\nadd.u64 %rd3, %rd31, "
                         "8;\nadd.s64 %rd4, %rd3, "
                         "%rd5;\nst.u32 [%rd4], %r2;\nld.u32 %r3, [%rd31+4];\n"
                         "ld.u32 %r4, [%rd31+12];\nadd.u32 %r3, %r3, %r4;\nst.global.u32 [%rd2], "
                         "%r3;\n}\n.section .debug_info\n{\n"
                         ".b8 11\n.b8 3\n.b64 __local_depot0\n.b8 35\n.b8 4\n.b8 7\n.b8 11\n.b8 "
                         "3\n.b64 __local_depot0\n.b8 35\n.b8 8\n.b8 97\n.b8 98\n.b8 0\n");
    CHECK(find(module, OP_st)->local_from == 8 && find(module, OP_st)->local_to == 32);
    CHECK(strcmp(find(module, OP_st)->local_name, "ab") == 0);
    CHECK(module->error_count == 0 && count(module, OP_ld) == 1 &&
          find(module, OP_ld)->offset == 12);
    ptx_free(module);
    /* Halves of one variable are read: it becomes two registers. */
    module =
        read_kernel("", "",
                    ".local .align 8 .b8 __local_depot0[32];\n" DEPOT
                    "st.u64 [%rd31], %rd1;\nld.u32 %r1, [%rd31+4];\nst.global.u32 [%rd2], %r1;");
    CHECK(count(module, OP_ld) == 0 && find(module, OP_mov)->operand[0].kind == OPERAND_VECTOR);
    ptx_free(module);
    /* Pieces that do not fit stay in memory. */
    module =
        read_kernel("", "",
                    ".local .align 8 .b8 __local_depot0[32];\n" DEPOT
                    "st.u32 [%rd31], %r1;\nld.u8 %rs1, [%rd31+1];\nst.global.u16 [%rd2], %rs1;");
    CHECK(count(module, OP_ld) == 1 && find(module, OP_ld)->space == SPACE_LOCAL);
    ptx_free(module);
}

static void test_joined(void)
{
    struct ptx_module *module =
        read_kernel(".shared .align 16 .b8 tile[4096];\n", "",
                    "shl.b32 %r1, %tid.x, 7;\nmov.u32 %r2, tile;\nadd.s32 %r3, %r2, "
                    "%r1;\nld.shared.f32 %f1, [%r3];\nld.shared.f32 %f2, [%r3+4];\n"
                    "ld.shared.f32 %f3, [%r3+8];\nld.shared.f32 %f4, [%r3+12];\nld.shared.f32 %f5, "
                    "[%r3+16];\nadd.f32 %f1, %f1, %f2;\nadd.f32 %f3, %f3, %f4;\n"
                    "add.f32 %f1, %f1, %f3;\nadd.f32 %f1, %f1, %f5;\nst.shared.f32 [%r3], %f1;");
    CHECK(module->error_count == 0);
    const struct ptx_function *kernel = ptx_function(module, "k");
    int seen = 0;
    for (uint32_t k = 0; k < kernel->code_count; k++)
        if (kernel->code[k].opcode == OP_ld)
            CHECK(kernel->code[k].joined == (int[]){16, 0, 0, 0, -1}[seen++]);
    ptx_free(module);
}

/* Where ptxas puts shared variables, and how many bytes they need, as its code of these kernels
 * says. */
static void test_shared_places(void)
{
#define USE(name) "mov.u32 %r1, " name "; st.shared.u8 [%r1], %r1;\n"
    static const char text[] =
        ".version 7.8\n.target sm_90\n.address_size 64\n"
        ".shared .align 1 .b8 A[3];\n.shared .align 4 .b8 B[5];\n"
        ".func f() { .shared .align 1 .b8 x[3]; .reg .b32 %r<2>;\n" USE(
            "x") "ret; }\n"
                 ".func g() { .shared .align 1 .b8 y[5]; .reg .b32 %r<2>;\n" USE(
                     "y") "call f; ret; }\n"
                          ".entry order() { .shared .align 1 .b8 a[1]; .shared .align 8 .b8 b[8];\n"
                          ".shared .align 2 .b8 c[2]; .shared .align 16 .b8 d[16]; .shared .f32 "
                          "e_$_0;\n"
                          ".shared .align 4 .b8 last[4]; .reg .b32 %r<2>;\n" USE("d") USE("c")
                              USE("b") USE("a") USE("e_$_0")
                                  USE("last") "ret; }\n"
                                              ".entry own() { .shared .align 1 .b8 m[3]; .shared "
                                              ".align 2 .b8 n[6];\n"
                                              ".reg .b32 %r<2>;\n" USE("B") USE("n") USE("m")
                                                  USE("A") "ret; }\n"
                                                           ".entry called() { .shared .align 1 .b8 "
                                                           "z[5]; .reg .b32 %r<2>;\n" USE("z")
                                                               USE("A") "call g; ret; }\n";
#undef USE
    static const struct {
        const char *kernel, *variable;
        uint64_t at, bytes;
    } rows[] = {{"order", "a", 0, 56},  {"order", "b", 8, 56},     {"order", "c", 16, 56},
                {"order", "d", 32, 56}, {"order", "last", 48, 56}, {"order", "e_$_0", 52, 56},
                {"own", "m", 0, 21},    {"own", "n", 4, 21},       {"own", "A", 10, 21},
                {"own", "B", 16, 21},   {"called", "z", 0, 16},    {"called", "A", 5, 16},
                {"called", "x", 8, 16}, {"called", "y", 11, 16}};
    struct ptx_module *module = ptx_read(text, sizeof text - 1);
    CHECK(module->error_count == 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct ptx_function *kernel = ptx_function(module, rows[i].kernel);
        CHECK(kernel->static_shared == rows[i].bytes);
        for (uint32_t k = 0; k < kernel->shared_used_count; k++)
            if (strcmp(module->variables[kernel->shared_used[k]]->name, rows[i].variable) == 0)
                CHECK(kernel->shared_at[k] == rows[i].at);
    }
    ptx_free(module);
}

static void test_frames(void)
{
    /* A chain of values needs few places, and places of different sizes do not overlap. */
    char body[20000], *at = body;
    at += sprintf(at, "mov.u32 %%r1, 1;\n.reg .b32 %%v<201>;\nmov.u32 %%v0, %%r1;\n");
    for (int k = 1; k <= 200; k++)
        at += sprintf(at, "add.u32 %%v%d, %%v%d, 1;\n", k, k - 1);
    sprintf(at, "st.global.u32 [%%rd1], %%v200;\n");
    struct ptx_module *module = read_kernel("", "", body);
    CHECK(module->error_count == 0 && ptx_function(module, "k")->frame_bytes <= 4 * 128 + 256);
    ptx_free(module);
}

int main(void)
{
    test_operands();
    test_forms();
    test_variables();
    test_calls();
    test_scopes();
    test_refused();
    test_heads();
    test_locations();
    test_local();
    test_joined();
    test_shared_places();
    test_frames();
    printf("%u passed\n", passed);
    return 0;
}
