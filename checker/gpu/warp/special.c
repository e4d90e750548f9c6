/*
 * special.c: special registers. Those that say where a thread is are rows of 32 values; only the
 * block's place changes from block to block. Clocks go on with the instructions that a warp
 * executes, so they are the same in each run.
 */
#include "gpu/warp/control.h"

enum { CLOCKS_PER_INSTRUCTION = 4, CLOCKS_PER_READ = 36 };

static uint32_t *row_of(struct warp *warp, enum ptx_special which)
{
    return VALUES(warp, uint32_t, BASE_SPECIAL, 128 * (int)which);
}

static void set(struct warp *warp, enum ptx_special which, uint32_t value)
{
    uint32_t *row = row_of(warp, which);
    for (int lane = 0; lane < LANES; lane++)
        row[lane] = value;
}

static void set_lanes(struct warp *warp, uint32_t lane)
{
    uint32_t at[3], bit = 1u << lane;
    thread_at(warp, lane, at);
    for (int i = 0; i < 3; i++)
        row_of(warp, SPECIAL_tid_x + i)[lane] = at[i];
    row_of(warp, SPECIAL_laneid)[lane] = lane;
    row_of(warp, SPECIAL_lanemask_eq)[lane] = bit;
    row_of(warp, SPECIAL_lanemask_lt)[lane] = bit - 1;
    row_of(warp, SPECIAL_lanemask_le)[lane] = bit | (bit - 1);
    row_of(warp, SPECIAL_lanemask_ge)[lane] = ~(bit - 1);
    row_of(warp, SPECIAL_lanemask_gt)[lane] = ~(bit | (bit - 1));
}

void special_begin_launch(struct warp *warp)
{
    const struct execution *run = warp->block->run;
    const struct launch *launch = run->launch;
    uint32_t cluster = launch->cluster[0] * launch->cluster[1] * launch->cluster[2];
    for (uint32_t lane = 0; lane < LANES; lane++)
        set_lanes(warp, lane);
    for (int i = 0; i < 3; i++) {
        set(warp, SPECIAL_ntid_x + i, launch->block[i]);
        set(warp, SPECIAL_nctaid_x + i, launch->grid[i]);
        set(warp, SPECIAL_cluster_nctaid_x + i, launch->cluster[i]);
        set(warp, SPECIAL_nclusterid_x + i, launch->grid[i] / launch->cluster[i]);
    }
    set(warp, SPECIAL_warpid, warp->index);
    set(warp, SPECIAL_nwarpid, run->warps);
    set(warp, SPECIAL_nsmid, launch->sms > 0 ? launch->sms : 1);
    set(warp, SPECIAL_dynamic_smem_size, launch->dynamic_shared);
    set(warp, SPECIAL_total_smem_size, run->kernel->static_shared + launch->dynamic_shared);
    set(warp, SPECIAL_aggr_smem_size, run->kernel->static_shared + launch->dynamic_shared);
    set(warp, SPECIAL_cluster_nctarank, cluster);
    set(warp, SPECIAL_gridid, (uint32_t)launch->id);
    *VALUES(warp, uint32_t, BASE_SPECIAL, 128 * SPECIAL_is_explicit_cluster) =
        cluster > 1 ? FULL_MASK : 0;
    set(warp, SPECIAL_envreg1, (uint32_t)(run->workspace >> 32));
    set(warp, SPECIAL_envreg2, (uint32_t)run->workspace);
}

void special_begin_block(struct warp *warp)
{
    const struct block *block = warp->block;
    const struct launch *launch = block->run->launch;
    for (int i = 0; i < 3; i++)
        if (row_of(warp, SPECIAL_ctaid_x + i)[0] != block->at[i])
            set(warp, SPECIAL_ctaid_x + i, block->at[i]);
    set(warp, SPECIAL_smid, launch->sms > 0 ? (uint32_t)(block->index % launch->sms) : 0);
    if (!block->run->clusters) return;
    const uint32_t *size = launch->cluster;
    uint32_t in[3];
    for (int i = 0; i < 3; i++) {
        in[i] = block->at[i] % size[i];
        set(warp, SPECIAL_clusterid_x + i, block->at[i] / size[i]);
        set(warp, SPECIAL_cluster_ctaid_x + i, in[i]);
    }
    set(warp, SPECIAL_cluster_ctarank, (in[2] * size[1] + in[1]) * size[0] + in[0]);
}

/* Clocks of the SM since the kernel began. */
static uint64_t clock_of(struct warp *warp)
{
    struct control *control = warp->control;
    control->clock += CLOCKS_PER_READ;
    return 1000 + control->instructions * CLOCKS_PER_INSTRUCTION + control->clock;
}

static uint64_t special_read(struct warp *warp, enum ptx_special which)
{
    uint64_t clock = clock_of(warp), ns = warp->block->run->started_ns + clock * 2 / 3;
    switch (which) {
    case SPECIAL_clock: return (uint32_t)clock;
    case SPECIAL_clock_hi: return clock >> 32;
    case SPECIAL_globaltimer_lo: return (uint32_t)ns;
    case SPECIAL_globaltimer_hi: return ns >> 32;
    case SPECIAL_globaltimer: return ns;
    default: return clock;
    }
}

/* nanosleep: time passes, and others run. */
static void sleep_for(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    const struct ptx_operand *ns = &at->operand[0];
    uint32_t most = 0;
    EACH_LANE (lane, mask) {
        uint32_t one = VALUES(warp, const uint32_t, ns->base, ns->at)[lane];
        if (one > most) most = one;
    }
    warp->control->clock += (uint64_t)most * 3 / 2;
    warp->control->paused = warp->control->other_polls = true;
}

static void fence(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    enum fence_scope scope = ptx_has(at, M_cta)                        ? FENCE_BLOCK
                             : ptx_has(at, M_sys)                      ? FENCE_SYSTEM
                             : ptx_has(at, M_gl) || ptx_has(at, M_gpu) ? FENCE_GPU
                                                                       : FENCE_BLOCK;
    watch_fence(warp->watched, mask, scope);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static void trap(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    warp_fault(warp, at, (uint32_t)__builtin_ctz(mask), "assert-failed", "__trap() was called");
    warp_fail(warp, LAUNCH_FAILED);
}

static void nothing(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    (void)warp, (void)at, (void)mask;
}

static void set_value(struct warp *warp, const struct ptx_instruction *at, uint32_t mask,
                      uint64_t value)
{
    const struct ptx_operand *d = &at->operand[0];
    EACH_LANE (lane, mask)
        if (d->bytes == 8)
            VALUES(warp, uint64_t, d->base, d->at)[lane] = value;
        else
            VALUES(warp, uint32_t, d->base, d->at)[lane] = (uint32_t)value;
}

/* The address of a local variable: of this activation. */
static void local_address(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    set_value(warp, at, mask, at->operand[1].value + warp->control->running_in->local);
}

/* mov of a special register that changes while the warp runs. The row of the last one is twice as
 * long. */
static enum ptx_special special_of(const struct ptx_operand *from)
{
    unsigned row = (unsigned)from->at / (4 * LANES);
    return row <= SPECIAL_clock64 ? row : SPECIAL_globaltimer;
}

static void move_special(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    set_value(warp, at, mask, special_read(warp, special_of(&at->operand[1])));
}

static ptx_execute *select_mov(const struct ptx_instruction *at)
{
    const struct ptx_operand *d = &at->operand[0], *from = &at->operand[1];
    if (at->operand_count != 2 || d->kind != OPERAND_VALUE) return NULL;
    if (from->local) return local_address;
    if (from->kind != OPERAND_VALUE || from->base != BASE_SPECIAL ||
        special_of(from) < SPECIAL_READ)
        return NULL;
    return d->bytes == 8 || (d->bytes == 4 && special_of(from) < SPECIAL_clock64) ? move_special
                                                                                  : NULL;
}

ptx_execute *special_select(struct ptx_instruction *at)
{
    switch (at->opcode) {
    case OP_nanosleep: at->flow = FLOW_PAUSE; return sleep_for;
    case OP_membar:
    case OP_fence: return fence;
    case OP_trap:
    case OP_brkpt: return trap;
    case OP_prefetch:
    case OP_prefetchu:
    case OP_discard:
    case OP_applypriority:
    case OP_pmevent:
    case OP_setmaxnreg:
    case OP_griddepcontrol: at->flow = FLOW_NOTHING; return nothing;
    case OP_mov: return select_mov(at);
    default: return NULL;
    }
}
