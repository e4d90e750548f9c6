/* record.c: see record.h. */
#include "gpu/time/record.h"

#include "gpu/memory/sample.h"
#include "gpu/time/counts.h"
#include "gpu/time/profile.h"
#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the kernel ----------------------------------------------------------------------------- */

static void write_counts(const char *kind, const struct access_counts *counts)
{
    char format[120];
    snprintf(format, sizeof format, "%s_requests:%%lu %s_sectors:%%lu %s_ideal:%%lu %s_bytes:%%lu",
             kind, kind, kind, kind);
    trace_fields(format, counts->requests, counts->sectors, counts->ideal, counts->bytes);
}

static void write_arithmetic(const uint64_t count[ARITHMETIC_KINDS])
{
    trace_fields("floats:%lu float_divisions:%lu doubles:%lu double_divisions:%lu",
                 count[FLOAT_OPERATIONS], count[FLOAT_DIVISIONS], count[DOUBLE_OPERATIONS],
                 count[DOUBLE_DIVISIONS]);
    trace_fields("conversions:%lu divisions:%lu divisions_64:%lu", count[CONVERSIONS],
                 count[DIVISIONS], count[DIVISIONS_64]);
}

static void write_terms(const struct kernel_time *time)
{
    trace_fields("start_ns:%g dram_ns:%g l2_ns:%g l1_ns:%g issue_ns:%g", time->start_ns,
                 time->dram_ns, time->l2_ns, time->l1_ns, time->issue_ns);
    trace_fields("latency_ns:%g blocks_ns:%g compute_ns:%g bus_ns:%g", time->latency_ns,
                 time->blocks_ns, time->compute_ns, time->bus_ns);
    trace_fields("doubles_cost_ns:%g divisions_cost_ns:%g part_ns:%g", time->doubles_cost_ns,
                 time->divisions_cost_ns, time->part_ns);
    trace_fields("atomics_ns:%g hot_ns:%g stores_ns:%g", time->atomics_ns, time->hot_ns,
                 time->stores_ns);
}

static void write_lost_value(const struct tally *tally)
{
    uint64_t location = tally->lost_location;
    if (location == 0 || location >= tally->module->location_count ||
        tally->module->locations[location].file == NULL)
        return;
    trace_string("lost_file", tally->module->locations[location].file);
    trace_integer("lost_line", tally->module->locations[location].line);
}

/* Threads that would be needed if each moved as many bytes as the busiest one. */
static uint64_t even_threads(const struct tally *tally)
{
    return tally->busiest_bytes > 0 ? tally->thread_bytes / tally->busiest_bytes : 0;
}

void record_kernel(const struct launch *launch, const struct tally *tally,
                   const struct kernel_time *time, const struct kernel_record *record)
{
    const struct ptx_function *kernel = launch->kernel;
    if (!trace_is_open()) return;
    struct counts counts = counts_of(launch->kernel, tally);
    trace_begin("kernel");
    trace_fields("id:%lu start:%ld end:%ld", launch->id, record->start, record->end);
    if (record->library != NULL) trace_string("library", record->library);
    trace_flag("aborted", record->aborted);
    if (record->repeats) trace_flag("repeats", true);
    if (!kernel->module->source_build && kernel->registers > 0)
        trace_integer("registers", kernel->registers);
    trace_fields("threads:%lu even_threads:%lu static_shared:%u blocks_per_sm:%u", tally->threads,
                 even_threads(tally), kernel->static_shared, time->blocks_per_sm);
    write_counts("load", &tally->global[CLASS_LOAD]);
    write_counts("store", &tally->global[CLASS_STORE]);
    write_counts("atomic", &tally->global[CLASS_ATOMIC]);
    trace_fields("dram_bytes:%lu moved_bytes:%lu bus_bytes:%lu overlap_bytes:%lu",
                 tally->dram_bytes, tally->moved_bytes, tally->bus_bytes, tally->overlap_bytes);
    trace_fields("tensor_flops:%lu", tally->tensor_flops);
    write_arithmetic(counts.arithmetic);
    trace_string("kind", time->kind);
    write_terms(time);
    write_lost_value(tally);
    trace_end();
}

void record_library_kernel(uint64_t launch, const struct kernel_record *record, uint64_t load_bytes,
                           uint64_t store_bytes)
{
    if (!trace_is_open()) return;
    trace_begin("kernel");
    trace_fields("id:%lu library:%s start:%ld end:%ld", launch, record->library, record->start,
                 record->end);
    trace_flag("aborted", record->aborted);
    trace_fields("load_bytes:%lu store_bytes:%lu dram_bytes:%lu start_ns:%g", load_bytes,
                 store_bytes, load_bytes + store_bytes, profile()->kernel_start_ns);
    trace_end();
}

/* ---- accesses by place ---------------------------------------------------------------------- */

/* All access instructions of one place, of one kind and size: an unrolled loop has many. */
struct group {
    const struct ptx_instruction *first;
    bool shared;
    enum access_class class;
    uint32_t bytes; /* per lane */
    struct access_counts counts, poor;
    uint32_t worst_lanes, worst_used;
    uint32_t sampled; /* the first of them that has samples: it gets those of the others */
    bool has_samples;
};

static enum access_class class_of(const struct ptx_instruction *instruction)
{
    switch (instruction->opcode) {
    case OP_atom:
    case OP_red:
    case OP_sured: return CLASS_ATOMIC;
    case OP_st:
    case OP_stmatrix:
    case OP_sust: return CLASS_STORE;
    case OP_wmma: /* wmma.store has its address first */
        return instruction->operand_count > 0 && instruction->operand[0].kind == OPERAND_ADDRESS
                   ? CLASS_STORE
                   : CLASS_LOAD;
    default: return CLASS_LOAD;
    }
}

/* An asynchronous copy loads from global memory and stores to shared memory. */
static enum access_class class_in(const struct ptx_instruction *instruction, bool shared)
{
    return instruction->opcode == OP_cp && shared ? CLASS_STORE : class_of(instruction);
}

static bool is_same_location(const struct ptx_module *module, uint32_t a, uint32_t b)
{
    if (a == b) return true;
    const struct ptx_location *one = &module->locations[a], *other = &module->locations[b];
    return a != 0 && b != 0 && one->line == other->line && one->column == other->column &&
           one->inlined_at == other->inlined_at && one->file != NULL && other->file != NULL &&
           strcmp(one->file, other->file) == 0;
}

static uint32_t bytes_of(const struct access_counts *counts)
{
    return counts->lanes == 0 ? 0 : (uint32_t)(counts->bytes / counts->lanes);
}

static bool belongs(const struct ptx_module *module, const struct group *group,
                    const struct group *more)
{
    return group->shared == more->shared && group->class == more->class &&
           group->bytes == more->bytes &&
           is_same_location(module, group->first->location, more->first->location);
}

static void add_to(struct group *group, const struct group *more, const struct tally *tally)
{
    tally_add_counts(&group->counts, &more->counts);
    tally_add_counts(&group->poor, &more->poor);
    if ((uint64_t)more->worst_used * group->worst_lanes >
        (uint64_t)group->worst_used * more->worst_lanes) {
        group->worst_used = more->worst_used;
        group->worst_lanes = more->worst_lanes;
    }
    if (group->has_samples) {
        sample_join(tally, group->sampled, more->sampled, group->shared);
    } else if (more->has_samples) {
        group->has_samples = true;
        group->sampled = more->sampled;
    }
}

static struct group group_of(const struct tally *tally, uint32_t access, bool shared)
{
    const struct access_site *site = &tally->sites[access];
    const struct ptx_instruction *instruction = tally->module->accesses[access];
    const struct access_counts *counts = shared ? &site->shared : &site->global;
    return (struct group){.first = instruction,
                          .shared = shared,
                          .class = class_in(instruction, shared),
                          .bytes = bytes_of(counts),
                          .counts = *counts,
                          .poor = shared ? (struct access_counts){0} : site->poor,
                          .worst_lanes = shared ? site->worst_shared_lanes : site->worst_lanes,
                          .worst_used = shared ? site->worst_wavefronts : site->worst_sectors,
                          .sampled = access,
                          .has_samples = sample_any(tally, access, shared)};
}

/* The accesses of a launch, one group for each place. NULL if there is no memory, or no access. */
static struct group *make_groups(const struct tally *tally, size_t *count)
{
    const struct ptx_module *module = tally->module;
    struct group *groups = calloc(2 * (size_t)module->access_count + 1, sizeof *groups);
    *count = 0;
    for (uint32_t access = 0; access < module->access_count && groups != NULL; access++)
        for (int shared = 0; shared < 2; shared++) {
            struct group more = group_of(tally, access, shared != 0);
            if (more.counts.requests == 0) continue;
            size_t i = 0;
            while (i < *count && !belongs(module, &groups[i], &more))
                i++;
            if (i == *count)
                groups[(*count)++] = more;
            else
                add_to(&groups[i], &more, tally);
        }
    return groups;
}

static void write_location(const struct ptx_module *module, uint32_t location)
{
    if (location < module->location_count && module->locations[location].file != NULL)
        trace_source(module->locations[location].file, module->locations[location].line);
}

/* `number` is the group's in this launch. */
static void write_group(const struct group *group, const struct ptx_module *module, uint64_t launch,
                        uint64_t number)
{
    static const char *const kinds[ACCESS_CLASSES] = {"load", "store", "atomic"};
    const struct access_counts *counts = &group->counts;
    trace_begin("access");
    trace_fields("kernel:%lu site:%lu kind:%s space:%s size:%u requests:%lu", launch, number,
                 kinds[group->class], group->shared ? "shared" : "global", group->bytes,
                 counts->requests);
    trace_integer(group->shared ? "wavefronts" : "sectors",
                  (long long)(group->shared ? counts->wavefronts : counts->sectors));
    trace_fields("ideal:%lu lanes:%lu worst_lanes:%u", counts->ideal, counts->lanes,
                 group->worst_lanes);
    trace_integer(group->shared ? "worst_wavefronts" : "worst_sectors", group->worst_used);
    if (group->poor.requests > 0)
        trace_fields("poor_requests:%lu poor_sectors:%lu poor_ideal:%lu poor_lanes:%lu",
                     group->poor.requests, group->poor.sectors, group->poor.ideal,
                     group->poor.lanes);
    write_location(module, group->first->location);
    trace_end();
}

/* ---- arithmetic by line --------------------------------------------------------------------- */

struct line {
    const char *file; /* NULL: not known */
    int line;
    uint64_t count[ARITHMETIC_KINDS];
};

struct lines {
    const struct ptx_module *module;
    struct line *items;
    size_t count, room;
};

static bool is_at(const struct line *line, const struct ptx_location *location)
{
    if (line->file == NULL || location->file == NULL) return line->file == location->file;
    return line->line == location->line && strcmp(line->file, location->file) == 0;
}

static void add_operations(void *context, const struct ptx_instruction *instruction,
                           enum arithmetic_kind kind, uint64_t operations)
{
    struct lines *lines = context;
    const struct ptx_location *location = &lines->module->locations[instruction->location];
    size_t i = 0;
    while (i < lines->count && !is_at(&lines->items[i], location))
        i++;
    if (i == lines->count) {
        if (lines->count == lines->room) {
            struct line *more = realloc(lines->items, (2 * lines->room + 16) * sizeof *more);
            if (more == NULL) return;
            lines->items = more;
            lines->room = 2 * lines->room + 16;
        }
        lines->items[lines->count++] =
            (struct line){.file = location->file, .line = location->line};
    }
    lines->items[i].count[kind] += operations;
}

static void write_lines(const struct tally *tally, uint64_t launch)
{
    struct lines lines = {.module = tally->module};
    counts_visit(tally, add_operations, &lines);
    for (size_t i = 0; i < lines.count; i++) {
        trace_begin("arithmetic");
        trace_fields("kernel:%lu", launch);
        write_arithmetic(lines.items[i].count);
        trace_source(lines.items[i].file, lines.items[i].line);
        trace_end();
    }
    free(lines.items);
}

void record_accesses(const struct launch *launch, const struct tally *tally, bool repeats)
{
    size_t count;
    if (!trace_is_open()) return;
    struct group *groups = make_groups(tally, &count);
    for (size_t i = 0; i < count; i++) {
        write_group(&groups[i], tally->module, launch->id, i + 1);
        if (groups[i].has_samples && !repeats)
            sample_write(tally, groups[i].sampled, groups[i].shared, launch->id, i + 1);
    }
    free(groups);
    write_lines(tally, launch->id);
}
