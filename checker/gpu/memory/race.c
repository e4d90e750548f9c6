/* race.c: the rules of races, for one access to one word (race.h). */
#include "gpu/memory/race.h"

#include "gpu/memory/memory.h"
#include "gpu/memory/release.h"

#include <stdio.h>
#include <string.h>

enum { SET_MAX = 256 };

/* ---- what is harmless ----------------------------------------------------------------------- */

static bool is_own_warp(const struct access *access, uint32_t tag)
{
    const struct segment *entry = &segments[tag_number(tag)];
    return entry->block == access->warp->block->index && entry->warp == access->warp->index;
}

static bool is_foreign(const struct access *access, uint32_t tag)
{
    return tag_is_blocks(tag) || segments[tag_number(tag)].block != access->warp->block->index;
}

/* Are both atomics, one of which only holds within its block, and are these two? */
static bool is_out_of_scope(const struct access *access, uint32_t tag)
{
    bool scoped = tag_form(tag) == FORM_SCOPED_ATOMIC || (access->scoped && tag_is_atomic(tag));
    return scoped && is_foreign(access, tag);
}

/* Is an earlier store or atomic harmless to this access, whatever their order? */
static bool is_harmless_write(const struct access *access, uint32_t tag)
{
    bool atomic = tag_is_atomic(tag), own_warp = is_own_warp(access, tag);
    if (access->form == FORM_PLAIN || is_out_of_scope(access, tag)) return false;
    if (tag_is_blocks(tag) || tag_is_warps(tag)) return true;
    if (atomic || tag_is_volatile(tag)) return atomic || access->form == FORM_ATOMIC || !own_warp;
    return !own_warp && release_is_fenced(access->warp, tag);
}

/* Is an earlier load harmless to this access? */
static bool is_harmless_read(const struct access *access, uint32_t tag)
{
    if (!tag_is_volatile(tag)) return false;
    if (access->form == FORM_ATOMIC) return true;
    if (!tag_is_blocks(tag) && !tag_is_warps(tag) && is_own_warp(access, tag)) return false;
    return access->form == FORM_VOLATILE || release_has_fenced(access->warp, access->lane);
}

/* Is nothing known that orders the access of one segment before this one? Of several blocks or
 * warps it is not known which they are: they are unordered if nothing but barriers could order
 * them. */
static bool is_unordered(const struct access *access, uint32_t tag)
{
    const struct watched_block *block = access->warp->block;
    if (tag < tag_first) return false;
    if (tag_is_blocks(tag)) return order_is_plain;
    if (tag_is_warps(tag))
        return tag_base(tag) >= block->floor && block->clock == NULL && order_is_plain;
    return !order_is_before(access->warp, access->lane, tag);
}

/* The members of a tag, one after the other: those of a set, or itself. */
struct member {
    uint32_t tag, rest; /* rest: the set of those that come after it; 0: none do */
    bool row;           /* the tag is that of a row */
};

static bool next_member(struct member *member)
{
    if (member->rest < tag_first) return false;
    const struct segment *entry = &segments[tag_number(member->rest)];
    bool set = tag_form(member->rest) == FORM_SET;
    if (set) member->row = SET_ROW(entry) != 0;
    member->tag = set ? SET_MEMBER(entry) : member->rest;
    member->rest = set ? SET_OTHERS(entry) : 0;
    return true;
}

#define EACH_MEMBER(member, of) for (struct member member = {.rest = (of)}; next_member(&member);)

/* The member's tag for the word `index` of its row. */
static uint32_t member_of_word(const struct member *member, uint32_t index)
{
    return member->row ? tag_of_word(member->tag, index) : member->tag;
}

/* Finds the earlier access, or one of a set of them, that races with this access; 0: none does. */
static uint32_t find_race(const struct access *access, uint32_t tag, uint32_t index, bool write)
{
    EACH_MEMBER (member, tag) {
        uint32_t one = member_of_word(&member, index);
        bool harmless = write ? is_harmless_write(access, one) : is_harmless_read(access, one);
        if (!harmless && one != race_mine(access) && is_unordered(access, one)) return one;
    }
    return 0;
}

/* ---- sets ----------------------------------------------------------------------------------- */

static uint32_t make_set(const struct access *access, uint32_t others, uint32_t member, bool row)
{
    struct watcher *watcher = access->warp->block->watcher;
    uint32_t size = tag_form(others) == FORM_SET ? SET_SIZE(&segments[tag_number(others)]) : 1;
    struct set_memo *memo = &watcher->memo[((others * UINT64_C(0x9e3779b97f4a7c15)) ^
                                            (member * UINT64_C(0xc4ceb9fe1a85ec53))) >>
                                           54];
    if (memo->others == others && memo->member == member && memo->row == row) return memo->set;
    uint32_t number = size < SET_MAX ? order_number(watcher) : 0;
    if (number == 0) return tag_first | FORM_BLOCKS;
    struct segment *entry = &segments[number];
    SET_MEMBER(entry) = member;
    SET_OTHERS(entry) = others;
    SET_SIZE(entry) = size + 1;
    SET_ROW(entry) = row;
    *memo = (struct set_memo){others, member, row, number << FORM_BITS | FORM_SET};
    return memo->set;
}

/* A set of tags as the access sees it: the tag that its own segment has in it, or 0; is another
 * block in it? Are all members before this access? */
struct content {
    uint32_t own;
    bool foreign, settled;
};

static struct content look_into(const struct access *access, uint32_t tag, uint32_t index)
{
    struct content content = {.settled = true};
    EACH_MEMBER (member, tag) {
        uint32_t word = member_of_word(&member, index);
        if (tag_base(member.tag) == access->own && content.own == 0) content.own = member.tag;
        content.foreign |= is_foreign(access, word);
        content.settled = content.settled && !is_unordered(access, word);
    }
    return content;
}

static bool is_running_interval(const struct access *access, uint32_t tag)
{
    return tag_base(tag) >= access->warp->block->floor &&
           segments[tag_number(tag)].block == access->warp->block->index;
}

/* The forms of tags that stand for several lanes, warps or blocks, by kind of access. */
static const struct forms {
    enum word_form several, warps, blocks;
} readers = {FORM_SEVERAL, FORM_WARPS, FORM_BLOCKS},
  volatile_readers = {FORM_SEVERAL_VOLATILE, FORM_WARPS_VOLATILE, FORM_BLOCKS_VOLATILE},
  atomics = {FORM_SEVERAL_ATOMIC, FORM_WARPS, FORM_BLOCKS};

/* The forms for this access and an earlier one: readers are volatile if both are. */
static const struct forms *forms_of(const struct access *access, uint32_t earlier)
{
    if (access->form == FORM_ATOMIC) return &atomics;
    return access->form == FORM_PLAIN || !tag_is_volatile(earlier) ? &readers : &volatile_readers;
}

uint32_t race_join(const struct access *access, uint32_t earlier, uint32_t mine, bool row,
                   uint32_t index)
{
    const struct forms *forms = forms_of(access, earlier);
    bool set = tag_form(earlier) == FORM_SET;
    if (earlier < tag_first || earlier == mine) return mine;
    if (tag_is_blocks(earlier)) return tag_first | forms->blocks;
    if (tag_is_warps(earlier) && is_running_interval(access, earlier))
        return tag_form(earlier) == forms->warps ? earlier : access->own | forms->warps;
    struct content content = look_into(access, earlier, index);
    uint32_t several = access->scoped ? mine : access->own | forms_of(access, content.own)->several;
    if (content.settled) return mine;
    if (content.own != 0 && (content.own == mine || content.own == several)) return earlier;
    if (content.own != 0) return set ? make_set(access, earlier, several, row) : several;
    if (content.foreign && (watching.parallel || order_is_plain)) return tag_first | forms->blocks;
    if (order_is_plain && !set) return access->own | forms->warps;
    return make_set(access, earlier, mine, row);
}

/* The writer's tag after an atomic: earlier atomics that nothing orders before it stay in it. One
 * whose result is used has seen those before it: the block that comes last may put a counter back.
 */
static uint32_t join_atomics(const struct access *access, uint32_t writer, uint32_t index)
{
    uint32_t form = tag_form(writer);
    bool atomic =
        form == FORM_SET || form == FORM_BLOCKS || form == FORM_WARPS || tag_is_atomic(writer);
    uint32_t mine = race_mine(access);
    return atomic && !access->reads ? race_join(access, writer, mine, false, index) : mine;
}

/* ---- reports -------------------------------------------------------------------------------- */

/* Where the bytes are that the access is about to store, and those that are there now. */
static const unsigned char *new_bytes(const struct access *access, uint32_t lane)
{
    const struct request *request = access->looked->request;
    return (const unsigned char *)request->values + (size_t)lane * request->bytes;
}

static const unsigned char *old_bytes(const struct access *access)
{
    const struct request *request = access->looked->request;
    uint64_t at = request->address[access->lane] + access->done;
    return access->looked->shared ? access->warp->block->shared + at
                                  : (const unsigned char *)(uintptr_t)at;
}

/* Does the lane store what is there already, or what another lane of the request stores there? */
static bool stores_same(const struct access *access, uint32_t other)
{
    const struct request *request = access->looked->request;
    if (request->kind != ACCESS_STORE || request->values == NULL) return false;
    const unsigned char *new = new_bytes(access, access->lane) + access->done;
    if (memcmp(new, old_bytes(access), access->size) == 0) return true;
    if (tag_base(other) != access->own || !tag_is_lane(other)) return false;
    uint32_t lane = other % LANES;
    uint64_t apart = request->address[access->lane] + access->done - request->address[lane];
    return (access->looked->mask >> lane & 1) && apart < request->bytes &&
           memcmp(new, new_bytes(access, lane) + apart, access->size) == 0;
}

static void describe_fence(struct fault *fault, const struct access *access, uint32_t other,
                           uint32_t store_location)
{
    bool flag;
    uint32_t signal = release_missing_fence(access->warp->block, other, &flag);
    const struct ptx_module *module = watching.module;
    if (signal == 0 || signal >= module->location_count || store_location == 0) return;
    snprintf(fault->detail, sizeof fault->detail,
             "no __threadfence() between the store at line %d and the %s at line %d",
             module->locations[store_location].line, flag ? "flag" : "atomic",
             module->locations[signal].line);
}

static void report(struct access *access, uint32_t other, const char *other_kind)
{
    bool between = !access->looked->shared && is_foreign(access, other);
    struct fault fault = fault_of_lane(access->warp, access->looked, access->lane,
                                       between ? "race-between-blocks" : "race-in-block");
    const struct segment *entry = &segments[tag_number(other)];
    fault.other_kind = other_kind;
    if (!tag_is_blocks(other) && !tag_is_warps(other)) {
        bool stored = strcmp(other_kind, "store") == 0 && !access->looked->shared &&
                      entry->store_location != UINT32_MAX;
        uint32_t lane = tag_is_lane(other) ? other % LANES : LANES;
        if (lane < LANES) fault_set_other(&fault, entry->block, entry->warp * LANES + lane);
        fault.same_warp = is_own_warp(access, other);
        if (stored && entry->store_location < watching.module->location_count)
            fault.other_location = entry->store_location;
        if (between && !access->writes) describe_fence(&fault, access, other, fault.other_location);
        if (is_out_of_scope(access, other))
            snprintf(fault.detail, sizeof fault.detail,
                     "an atomic whose name ends in _block is one only for threads of its block");
    }
    access->reported = true;
    fault_note(&fault);
}

/* ---- one access ----------------------------------------------------------------------------- */

/* The number of a word as an object of releases. */
static uint64_t key_of(const struct access *access)
{
    uint64_t word = (access->looked->offset[access->lane] + access->done) / 4;
    return access->looked->shared
               ? UINT64_C(1) << 62 | (uint64_t)access->warp->block->index << 24 | word
               : word;
}

/* The lane waits for a flag, or for what atomics did. */
static void synchronise(const struct access *access, uint32_t writer)
{
    struct watched_warp *warp = access->warp;
    bool one = tag_form(writer) < FORM_SPECIAL && writer >= tag_first;
    if (access->reads) {
        release_take(warp, access->lane, key_of(access));
        if (one && !tag_is_atomic(writer) && !is_own_warp(access, writer))
            release_take_flag(warp, access->lane, writer);
    }
    if (access->form == FORM_ATOMIC) release_on(warp, access->lane, key_of(access));
    if (!access->looked->shared)
        release_note_signal(warp, access->lane, access->looked->request->instruction->location,
                            access->reads, access->writes, access->form == FORM_VOLATILE);
}

static bool comes_from_others(const struct access *access, uint32_t tag)
{
    return tag_form(tag) == FORM_SET ? look_into(access, tag, 0).foreign : is_foreign(access, tag);
}

/* Blocks depend on each other if one reads what another has written, or if both write, but not by
 * atomics alone. */
static void note_dependence(const struct access *access, uint32_t writer, uint32_t reader)
{
    if (access->looked->shared) return;
    bool set = tag_form(writer) == FORM_SET,
         commutes = set || tag_is_atomic(writer) || tag_is_blocks(writer) || tag_is_warps(writer);
    commutes = commutes && access->form == FORM_ATOMIC && !access->reads && !access->scoped;
    if (writer >= tag_first && !commutes && comes_from_others(access, writer))
        order_note_dependence();
    if (reader >= tag_first && access->writes && comes_from_others(access, reader))
        order_note_dependence();
}

/* Races with other blocks are found out by the worker that runs the launch alone. */
static bool is_reported(const struct access *access, uint32_t other)
{
    return access->looked->shared || !watching.parallel || !is_foreign(access, other);
}

static void check_writer(struct access *access, uint32_t writer, uint32_t index)
{
    uint32_t other = find_race(access, writer, index, true);
    if (other == 0 || access->reported || !is_reported(access, other)) return;
    bool own_block = access->looked->shared || !is_foreign(access, other);
    if (own_block && stores_same(access, other)) return;
    bool atomic = tag_is_atomic(other) || tag_is_blocks(other) || tag_is_warps(other);
    report(access, other, atomic ? "atomic" : "store");
}

static void check_readers(struct access *access, uint32_t reader, uint32_t index)
{
    uint32_t other = find_race(access, reader, index, false);
    if (other != 0 && !access->reported && is_reported(access, other))
        report(access, other, "load");
}

void race_check(struct access *access, struct tags *tags, uint32_t index)
{
    uint32_t mine = race_mine(access), writer = tags->writer, reader = tags->reader;
    note_dependence(access, writer, reader);
    if (access->form != FORM_PLAIN) synchronise(access, writer);
    if (writer >= tag_first && writer != mine) check_writer(access, writer, index);
    if (access->writes && reader >= tag_first && reader != mine)
        check_readers(access, reader, index);
    if (access->writes)
        tags->writer = access->form == FORM_ATOMIC ? join_atomics(access, writer, index) : mine;
    if (access->reads && access->form != FORM_ATOMIC)
        tags->reader = race_join(access, reader, mine, false, index);
}

/* ld.acquire, st.release and atomics with an order have their fence with them. */
void race_begin(struct watched_warp *warp, const struct looked *looked)
{
    const struct ptx_instruction *instruction = looked->request->instruction;
    if (order_is_plain) return;
    bool releases = ptx_has(instruction, M_release) || ptx_has(instruction, M_acq_rel) ||
                    ptx_has(instruction, M_sc);
    if (releases && !is_load(looked->request->kind))
        watch_fence(warp, looked->mask, ptx_has(instruction, M_cta) ? FENCE_BLOCK : FENCE_GPU);
}
