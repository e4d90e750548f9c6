/*
 * memory_races.c: tests of races and of what orders threads: small schedules, whose accesses are
 * announced one after the other, and the faults that they must give. A step is
 * BLOCK.THREAD:WHAT:PLACE. Places: x, y, z are words of global memory, s, t of shared memory; x+2/2
 * are two bytes of x. A store's value may follow: x=1. Prints "N passed".
 */
#include "memory_schedule.h"

#include "gpu/memory/memory.h"

/* ld, st: plain; vl, vs: volatile; at: an atomic whose result is used, rd: one whose result is not,
 * atb, rdb: within the block;
 * f, fb: fences; bar: the whole block, barN: the first N warps; sync: the thread's whole warp,
 * meetN: its first N lanes; lda, sta: of 32 lanes side by side; ate, lde, ste: of 32 lanes at one
 * place; grid: the whole grid; arrive, wait: a barrier object; allarrive,
 * allwait: the whole warp */
static const struct {
    const char *steps, *faults;
    bool depends;
} cases[] = {
    /* between the threads of a block */
    {"0.0:st:x 0.0:ld:x", "", false},
    {"0.0:st:x 0.1:ld:x", "race-in-block", false},
    {"0.0:st:x 0.32:ld:x", "race-in-block", false},
    {"0.0:ld:x 0.32:ld:x", "", false},
    {"0.0:ld:x 0.32:st:x", "race-in-block", false},
    {"0.0:ld:x 0.32:ld:x 0.0:st:x", "race-in-block", false},
    {"0.0:ld:x 0.1:ld:x 0.0:st:x", "race-in-block", false},
    {"0.0:st:x 0.0:bar 0.32:ld:x 0.40:ld:x 0.0:bar 0.1:st:x", "", false},
    {"0.0:st:x 0.0:sync 0.1:ld:x", "", false},
    {"0.0:st:x 0.0:sync 0.32:ld:x", "race-in-block", false},
    {"0.0:st:x 0.32:sync 0.32:ld:x", "race-in-block", false},
    {"0.0:st:x 0.0:meet2 0.1:ld:x", "", false},
    {"0.0:st:x 0.0:meet2 0.2:ld:x", "race-in-block", false},
    {"0.2:st:x 0.0:meet2 0.1:ld:x", "race-in-block", false},
    {"0.0:st:x 0.0:meet2 0.1:st:y 0.0:meet3 0.2:ld:x 0.2:ld:y", "", false},
    {"0.0:st:x 0.0:bar2 0.32:ld:x", "", false},
    {"0.64:st:x 0.0:bar2 0.32:ld:x", "race-in-block", false},
    {"0.0:st:x 0.0:bar2 0.32:st:y 0.0:bar3 0.64:ld:x 0.64:ld:y", "", false},
    {"0.0:ld:x 0.32:ld:x 0.64:ld:x 0.0:bar2 0.0:st:x", "race-in-block", false},
    {"0.0:ld:x 0.32:ld:x 0.0:bar2 0.0:st:x", "", false},
    {"0.0:st:x=0 0.32:st:x=0", "", false},
    {"0.0:st:x=1 0.32:st:x=2", "race-in-block", false},
    {"0.0:st:s 0.32:ld:s", "race-in-block", false},
    {"0.0:st:s 0.0:bar 0.32:ld:s", "", false},
    {"0.0:st:s 0.0:bar 0.32:ld:s 0.0:ld:s 0.0:bar 0.64:st:s", "", false},
    {"0.0:st:s 0.0:bar 0.32:ld:s 0.0:ld:s 0.64:ld:s 0.64:st:s", "race-in-block", false},
    {"0.0:st:s 0.0:sync 0.1:ld:s 0.0:ld:s 0.0:sync 0.2:st:s", "", false},
    {"0.0:ld:s", "uninitialised-read", false},
    /* warp-synchronous tricks are races */
    {"0.1:vs:s 0.0:vl:s", "race-in-block", false},
    {"0.1:vs:s 0.0:sync 0.0:vl:s", "", false},
    /* rows */
    {"0.0:sta:x 0.0:lda:x", "", false},
    {"0.0:sta:x 0.1:ld:x", "race-in-block", false},
    {"0.0:sta:x 0.0:ld:x", "", false},
    {"0.0:sta:x 0.33:ld:x", "race-in-block", false},
    {"0.0:sta:x 0.0:bar 0.32:lda:x 0.64:lda:x 0.0:lda:x", "", false},
    {"0.0:sta:x 0.0:bar 0.32:lda:x 0.64:lda:x 0.0:sta:x", "race-in-block", false},
    {"0.32:lda:x 0.0:sta:x", "race-in-block", false},
    {"0.0:lda:x 0.32:lda:x 0.64:lda:x 0.0:bar 0.0:sta:x", "", false},
    {"0.0:lda:s 0.32:lda:s", "uninitialised-read", false},
    {"0.0:sta:s 0.0:bar 0.0:lda:s 0.32:lda:s 0.64:lda:s 0.0:bar 0.64:sta:s", "", false},
    {"0.0:sta:s 0.0:bar 0.0:lda:s 0.32:lda:s 0.32:sta:s", "race-in-block", false},
    {"0.0:sta:s 0.0:bar 0.32:lda:s 0.32:sync 0.32:lda:s 0.32:sta:s", "", false},
    /* atomics */
    {"0.0:rd:x 0.32:rd:x 1.0:rd:x", "", false},
    {"0.0:at:x 0.32:at:x 0.1:at:x", "", false},
    {"0.0:at:x 1.0:at:x", "", true},
    {"0.0:at:x 0.32:ld:x", "race-in-block", false},
    {"0.32:ld:x 0.0:rd:x", "race-in-block", false},
    {"0.0:rd:x 1.0:ld:x", "race-between-blocks", true},
    {"0.0:rd:x 0.32:rd:x 0.0:bar 0.64:ld:x", "", false},
    {"0.0:rd:s=0 0.32:rd:s 0.0:bar 0.64:ld:s", "uninitialised-read", false},
    {"0.0:st:s 0.0:bar 0.0:rd:s 0.32:rd:s 0.0:bar 0.64:ld:s", "", false},
    {"0.0:st:s 0.0:bar 0.0:rd:s 0.32:rd:s 0.64:ld:s", "race-in-block", false},
    {"0.0:at:x 0.32:at:x 0.64:at:x 0.0:at:x", "", false},
    {"0.0:st:s 0.0:bar 0.0:ate:s 0.32:ate:s 0.0:ate:s", "", false},
    {"0.0:st:x 0.0:bar 0.0:ate:x 0.32:ate:x 0.0:ate:x", "", false},
    {"0.0:st:s 0.0:bar 0.0:ate:s 0.32:fb 0.32:at:s 0.0:ate:s", "", false},
    {"0.0:st:s 0.0:bar 0.0:lde:s 0.32:lde:s 0.0:bar 0.32:ste:s", "", false},
    /* between blocks */
    {"0.0:st:x 1.0:ld:x", "race-between-blocks", true},
    {"0.0:ld:x 1.0:st:x", "race-between-blocks", true},
    {"0.0:ld:x 1.0:ld:x 2.0:ld:x", "", false},
    {"0.0:ld:x 1.0:ld:x 1.0:st:x", "race-between-blocks", true},
    {"0.0:st:x=0 1.0:st:x=0", "race-between-blocks", true},
    {"0.0:st:x 0.0:bar 1.0:bar 1.0:ld:x", "race-between-blocks", true},
    {"0.0:st:x 0.0:grid 1.0:ld:x", "", false},
    {"0.0:lda:x 1.0:lda:x 2.0:sta:x", "race-between-blocks", true},
    {"0.0:sta:x 1.0:lda:x", "race-between-blocks", true},
    {"0.0:sta:x 0.0:grid 1.0:lda:x 2.0:lda:x 0.0:grid 0.0:sta:x", "", false},
    /* atomics that only hold within a block */
    {"0.0:rdb:x 0.32:rdb:x 0.32:rd:x 0.64:atb:x", "", false},
    {"0.0:rdb:x 1.0:rdb:x", "race-between-blocks", true},
    {"0.0:rd:x 1.0:rdb:x", "race-between-blocks", true},
    {"0.0:atb:x 1.0:at:x", "race-between-blocks", true},
    {"0.0:rdb:x 0.0:grid 1.0:rdb:x", "", false},
    {"0.0:atb:s 0.32:rdb:s", "uninitialised-read", false},
    /* a fence and an atomic whose result is used */
    {"0.0:st:x 0.0:f 0.0:rd:y 1.0:at:y 1.0:ld:x", "", true},
    {"0.0:st:x 0.0:f 0.0:at:y 1.0:at:y 1.0:ld:x", "", true},
    {"0.0:st:x 0.0:f 0.0:rd:y 1.0:rd:y 1.0:ld:x", "race-between-blocks", true},
    {"0.0:st:x 0.0:rd:y 1.0:f 1.0:at:y 1.0:ld:x", "race-between-blocks", true},
    {"0.0:st:x 0.0:f 0.0:rd:y 1.0:at:z 1.0:ld:x", "race-between-blocks", true},
    {"0.0:f 0.0:st:x 0.0:rd:y 1.0:at:y 1.0:ld:x", "race-between-blocks", true},
    {"0.0:st:x 0.0:fb 0.0:rd:y 1.0:at:y 1.0:ld:x", "race-between-blocks", true},
    {"0.32:st:x 0.0:f 0.0:rd:y 1.0:at:y 1.0:ld:x", "race-between-blocks", true},
    {"0.32:st:x 0.0:bar 0.0:f 0.0:rd:y 1.0:at:y 1.0:ld:x", "", true},
    {"0.32:st:x 0.32:f 0.0:bar 0.0:rd:y 1.0:at:y 1.0:ld:x", "", true},
    {"0.33:st:x 0.32:f 0.0:bar 0.0:rd:y 1.0:at:y 1.0:ld:x", "race-between-blocks", true},
    {"0.0:st:x 0.0:f 0.0:rd:y 1.0:at:y 1.32:ld:x", "race-between-blocks", true},
    {"0.0:st:x 0.0:f 0.0:rd:y 1.0:at:y 1.0:bar 1.32:ld:x", "", true},
    {"0.0:st:x 0.0:f 0.0:rd:y 1.0:at:y 1.0:sync 1.5:ld:x", "", true},
    {"0.0:st:x 0.0:f 0.0:rd:y 1.0:at:y 1.1:ld:x", "race-between-blocks", true},
    {"0.0:st:x 0.0:f 0.0:at:y 1.0:at:y 1.0:f 1.0:at:z 2.0:at:z 2.0:ld:x", "", true},
    {"0.0:st:x 0.0:f 0.0:at:y 1.0:at:y 1.0:at:z 2.0:at:z 2.0:ld:x", "race-between-blocks", true},
    {"0.0:ld:x 0.0:f 0.0:at:y 1.0:at:y 1.0:st:x", "", true},
    {"0.0:ld:x 2.0:ld:x 0.0:f 0.0:at:y 1.0:at:y 1.0:st:x", "race-between-blocks", true},
    {"0.0:ld:x 2.0:ld:x 0.0:f 0.0:at:y 2.0:f 2.0:at:y 1.0:at:y 1.0:st:x", "", true},
    {"0.0:lda:x 2.0:lda:x 0.0:sync 0.0:f 0.0:at:y+4096 2.0:sync 2.0:f 2.0:at:y+4096 1.0:at:y+4096 "
     "1.0:sync 1.0:sta:x",
     "", true},
    {"0.0:rd:x 0.0:f 0.0:at:y 1.0:rd:x 1.0:f 1.0:at:y 2.0:at:y 2.0:ld:x", "", true},
    {"0.0:rd:x 0.0:f 0.0:at:y 1.0:rd:x 2.0:at:y 2.0:ld:x", "race-between-blocks", true},
    /* flags */
    {"0.0:st:x 0.0:f 0.0:vs:y 1.0:vl:y 1.0:ld:x", "", true},
    {"0.0:st:x 0.0:f 0.0:st:y 1.0:vl:y 1.0:ld:x", "", true},
    {"1.0:vl:y 0.0:st:x 0.0:f 0.0:st:y 1.0:vl:y 1.0:ld:x", "", true},
    {"0.0:st:x 0.0:vs:y 1.0:vl:y 1.0:ld:x", "race-between-blocks", true},
    {"0.0:st:x 0.0:f 0.0:st:y 1.0:ld:y", "race-between-blocks", true},
    {"0.0:st:x 0.0:f 0.0:vs:y 1.0:vl:y 1.0:f 1.0:vs:z 2.0:vl:z 2.0:ld:x", "", true},
    {"0.32:st:s 0.32:fb 0.32:at:x 0.0:at:x 0.0:ld:s", "", false},
    {"0.32:st:s 0.32:fb 0.32:vs:x 0.0:vl:x 0.0:ld:s", "", false},
    {"0.32:st:s 0.33:fb 0.33:at:x 0.0:at:x 0.0:ld:s", "race-in-block", false},
    {"0.33:st:s 0.32:fb 0.32:sync 0.32:at:x 0.0:at:x 0.0:ld:s", "race-in-block", false},
    {"0.33:st:s 0.33:fb 0.32:sync 0.32:at:x 0.0:at:x 0.0:ld:s", "", false},
    {"0.33:st:s 0.33:fb 0.32:sync 0.33:st:t 0.32:at:x 0.0:at:x 0.0:ld:t", "race-in-block", false},
    {"0.0:at:s=0 0.1:at:s 0.2:at:s 0.32:at:s", "uninitialised-read", false},
    {"0.33:st:s 0.32:sync 0.32:fb 0.32:at:x 0.0:at:x 0.0:ld:s", "", false},
    {"0.0:st:s 0.0:arrive 0.32:wait 0.32:ld:s", "", false},
    {"0.0:arrive 0.0:st:s 0.32:wait 0.32:ld:s", "race-in-block", false},
    {"0.0:sta:s 0.0:allarrive 0.32:allarrive 0.32:allwait 0.32:lda:s", "", false},
    {"0.0:lda:x 0.0:allarrive 0.32:allwait 0.40:st:x", "", false},
    {"0.0:sta:s 0.0:allarrive 0.32:wait 0.32:ld:s", "", false},
    {"0.0:sta:s 0.0:allarrive 0.32:wait 0.33:ld:s", "race-in-block", false},
    {"0.0:sta:s 0.0:arrive 0.32:allwait 0.32:lda:s", "race-in-block", false},
    {"0.0:allarrive 0.0:sta:s 0.32:allwait 0.32:lda:s", "race-in-block", false},
    {"0.3:st:s 0.0:allarrive 0.0:allwait 0.0:ld:s", "", false},
    {"0.3:st:s 0.0:allarrive 0.0:ld:s 0.0:allwait", "race-in-block", false},
    {"0.0:st:s 0.0:allarrive 0.32:allwait 0.32:allarrive 0.64:allwait 0.64:ld:s", "", false},
    {"0.0:st:s 0.0:arrive 0.32:allwait 0.32:allarrive 0.64:allwait 0.64:ld:s", "", false},
    /* the block that comes last puts the counter back */
    {"0.0:ld:x 0.0:f 0.0:at:y 1.0:ld:x 1.0:f 1.0:at:y 1.0:st:y 1.0:st:x", "", true},
    {"0.0:rd:x 0.1:rd:x 0.1:st:x", "race-in-block", false},
    {"0.0:at:x 0.1:at:x 0.1:st:x", "", false},
    /* a lock: only its holder is ordered */
    {"0.0:at:y 0.0:ld:x 0.0:st:x 0.0:f 0.0:at:y 1.0:at:y 1.0:ld:x 1.0:st:x", "", true},
    {"0.0:at:y 0.1:ld:x 0.1:st:x 0.0:f 0.0:at:y 1.0:at:y 1.1:ld:x", "race-between-blocks", true},
    /* elements of 1 and 2 bytes */
    {"0.0:st:x+0/2 0.1:st:x+2/2", "", false},
    {"0.0:st:x+0/2 0.1:ld:x+0/2", "race-in-block", false},
    {"0.0:st:x+0/1 0.32:st:x+1/1 0.0:ld:x+0/1", "", false},
    {"0.0:st:x+0/1 0.32:ld:x", "race-in-block", false},
    {"0.0:st:x 0.32:ld:x+3/1", "race-in-block", false},
    {"0.0:st:s+0/2 0.1:st:s+2/2 0.0:bar 0.32:ld:s", "", false},
    {"0.0:st:s+0/2 0.0:bar 0.32:ld:s", "uninitialised-read", false},
    {"0.0:st:s+0/2 0.32:ld:s+0/2", "race-in-block", false},
    {"0.0:st:s 0.0:bar 0.32:ld:s+2/2 0.0:st:s+0/2", "", false},
    {"0.0:sta:x 0.0:bar 0.32:ld:x+4/1 0.33:st:x+5/1", "", false},
    {"0.0:sta:x 0.32:ld:x+4/1", "race-in-block", false},
    {"0.0:st:x+0/2 1.0:st:x+2/2", "", false},
    {"0.0:st:x+0/2 1.0:ld:x+0/2", "race-between-blocks", true},
};

static struct schedule *s;
static char *globals;

struct step {
    uint32_t block, thread, bytes, value;
    uint64_t address;
    bool shared;
    char what[16];
};

static struct step read_step(const char *text)
{
    struct step step = {.bytes = 4, .value = 7};
    char location[32] = "x", *at = location + 1;
    EXPECT(sscanf(text, "%u.%u:%15[^: ]:%31[^ ]", &step.block, &step.thread, step.what, location) >=
           3);
    step.shared = location[0] == 's' || location[0] == 't';
    step.address = step.shared ? (location[0] == 's' ? 1024 : 1536)
                               : (uint64_t)(uintptr_t)globals + 1024 * (uint64_t)(location[0] - 'x');
    if (*at == '+') step.address += strtoul(at + 1, &at, 10);
    if (*at == '/') step.bytes = (uint32_t)strtoul(at + 1, &at, 10);
    if (*at == '=') step.value = (uint32_t)strtoul(at + 1, &at, 10);
    return step;
}

static void access_by(const struct step *step, enum access_kind kind, bool is_volatile)
{
    uint64_t address[LANES] = {0};
    unsigned char values[LANES * 4] = {0};
    bool all = step->what[2] == 'e', row = step->what[2] == 'a' || all;
    uint32_t lane = step->thread % 32;
    int error = 0;
    for (uint32_t i = 0; i < LANES; i++) {
        address[i] = step->address + (row && !all ? 4 * i : 0);
        memcpy(values + i * step->bytes, &step->value, step->bytes);
    }
    struct ptx_instruction instruction = s->instructions[0];
    instruction.modifiers[0] = M_cta;
    instruction.modifier_count = step->what[2] == 'b';
    struct request request = {.instruction = &instruction,
                              .kind = kind,
                              .mask = row ? UINT32_MAX : 1u << lane,
                              .bytes = step->bytes,
                              .element = step->bytes,
                              .address = address,
                              .is_volatile = is_volatile,
                              .values = kind == ACCESS_STORE ? values : NULL,
                              .consecutive = row && !all && !step->shared};
    struct watched_warp *warp = s->warp[step->block][step->thread / 32];
    EXPECT((step->shared ? watch_shared : watch_global)(warp, &request, &error) == request.mask);
    for (uint32_t i = 0; kind == ACCESS_STORE && i < LANES; i++)
        if (request.mask >> i & 1)
            memcpy(step->shared ? (char *)s->shared[step->block] + address[i]
                                : (char *)(uintptr_t)address[i],
                   values + i * step->bytes, step->bytes);
}

static bool is(const struct step *step, const char *what)
{
    return strncmp(step->what, what, strlen(what)) == 0;
}

static void order_by(const struct step *step)
{
    struct watched_warp *warp = s->warp[step->block][step->thread / 32];
    uint32_t lane = 1u << step->thread % 32,
             number = (uint32_t)strtoul(step->what + strcspn(step->what, "0123456789"), NULL, 10);
    if (is(step, "bar"))
        watch_barrier(s->block[step->block], number == 0 ? 0x7 : (1u << number) - 1);
    else if (is(step, "sync"))
        watch_meet(warp, UINT32_MAX);
    else if (is(step, "meet"))
        watch_meet(warp, (1u << number) - 1);
    else if (is(step, "fb"))
        watch_fence(warp, lane, FENCE_BLOCK);
    else if (is(step, "f"))
        watch_fence(warp, lane, FENCE_GPU);
    else if (is(step, "grid"))
        watch_order_all();
    else if (is(step, "arrive"))
        watch_release(warp, lane, 5);
    else if (is(step, "wait"))
        watch_acquire(warp, lane, 5);
    else if (is(step, "allarrive"))
        watch_release(warp, UINT32_MAX, 5);
    else if (is(step, "allwait"))
        watch_acquire(warp, UINT32_MAX, 5);
    else
        EXPECT(!"known step");
}

static void do_step(const struct step *step)
{
    if (is(step, "ld"))
        access_by(step, ACCESS_LOAD, false);
    else if (is(step, "st"))
        access_by(step, ACCESS_STORE, false);
    else if (is(step, "vl"))
        access_by(step, ACCESS_LOAD, true);
    else if (is(step, "vs"))
        access_by(step, ACCESS_STORE, true);
    else if (is(step, "at"))
        access_by(step, ACCESS_ATOMIC, false);
    else if (is(step, "rd"))
        access_by(step, ACCESS_REDUCTION, false);
    else
        order_by(step);
}

static bool releases(const char *steps)
{
    return strstr(steps, ":f") != NULL || strstr(steps, "arrive") != NULL ||
           strstr(steps, ":bar2") != NULL;
}

/* In single file. `workers` of 2: nothing is reported between blocks, but the dependence is found.
 */
static void run(const char *steps, const char *faults, bool depends, uint32_t workers)
{
    memset(globals, 1, 1 << 16);
    last_fault();
    schedule_module();
    schedule_releases = releases(steps);
    s = schedule_begin(3, 96, workers);
    for (const char *at = steps; *at != '\0'; at += strspn(at, " ")) {
        struct step step = read_step(at);
        do_step(&step);
        at += strcspn(at, " ");
    }
    schedule_end(s);
    const char *found = last_fault();
    bool between = strstr(faults, "between") != NULL;
    if (strcmp(found, workers > 1 && between ? "" : faults) != 0 ||
        watch_depends_on_order() != depends) {
        fprintf(stderr, "%s (%u workers): faults \"%s\" instead of \"%s\"; %s\n", steps, workers,
                found, faults, watch_depends_on_order() ? "depends" : "does not depend");
        failed++;
    }
    expected++;
}

int main(void)
{
    struct allocation *a = memory_allocate(SPACE_DEVICE, 1 << 16, NULL, 0);
    globals = a->base;
    memory_written(a->base, a->bytes);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run(cases[i].steps, cases[i].faults, cases[i].depends, 1);
        run(cases[i].steps, cases[i].faults, cases[i].depends, 2);
    }
    printf("%d %s\n", failed > 0 ? failed : expected, failed > 0 ? "failed" : "passed");
    return failed > 0;
}
