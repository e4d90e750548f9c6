/*
 * objects.c: where local variables begin. Debug information describes a variable in local memory by
 * a block of bytes
 *
 *     .b8 11          its length
 *     .b8 3           an address follows
 *     .b64 __local_depot1
 *     .b8 35          something is added to it, unless the length is 9:
 *     .b8 24          a number in pieces of 7 bits
 *
 * The variable's name often follows, letter by letter. Compilers give every variable of a program
 * an object of its own, but not every object is such a variable. So between two starts there may be
 * more than one object, but none goes across a start.
 */
#include "gpu/ptx/local.h"

#include <stdlib.h>
#include <string.h>

/* The number that ends before `at`, where only digits are; -1: there is none. Moves `at` in front
 * of it. */
static int number_before(const char *text, const char **at)
{
    const char *end = *at;
    while (end > text && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\n' || end[-1] == '\r' ||
                          end[-1] == ','))
        end--;
    const char *begin = end;
    while (begin > text && begin[-1] >= '0' && begin[-1] <= '9')
        begin--;
    *at = begin;
    if (begin == end || end - begin > 3) return -1;
    /* ".b8 11": the directive in front of the number is skipped too. */
    if (begin - text >= 4 && memcmp(begin - 4, ".b8 ", 4) == 0) *at = begin - 4;
    if (begin - text >= 4 && memcmp(begin - 4, ".b8\t", 4) == 0) *at = begin - 4;
    return atoi(begin);
}

/* The next byte of debug information after `at`; -1: there is none. */
static int byte_after(const char **at)
{
    const char *next = *at + strspn(*at, " \t\r\n,");
    if (strncmp(next, ".b8", 3) == 0) next += 3 + strspn(next + 3, " \t");
    if (*next < '0' || *next > '9') return -1;
    *at = next + strspn(next, "0123456789");
    return atoi(next);
}

/* The number that is added to the address; -1: this does not describe a variable. */
static int64_t offset_behind(const char *text, const char *name, const char **end)
{
    const char *before = name;
    while (before > text && before[-1] != '.')
        before--;
    before--; /* in front of ".b64 name" */
    if (before < text || number_before(text, &before) != 3) return -1;
    int length = number_before(text, &before);
    if (length == 9) return 0;
    if (length < 11 || byte_after(end) != 35) return -1;
    uint64_t offset = 0;
    for (int shift = 0; shift < 35; shift += 7) {
        int byte = byte_after(end);
        if (byte < 0 || byte > 255) return -1;
        offset |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) return (int64_t)offset;
    }
    return -1;
}

/* The variable's name, if it comes next; NULL otherwise. */
static const char *name_behind(struct arena *arena, const char *at)
{
    char name[64];
    for (size_t length = 0; length < sizeof name; length++) {
        int letter = byte_after(&at);
        bool digit = letter >= '0' && letter <= '9';
        bool fits = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                    letter == '_' || digit;
        if (letter == 0 && length > 0) return arena_text(arena, name, length);
        if (!fits || (digit && length == 0)) return NULL;
        name[length] = (char)letter;
    }
    return NULL;
}

static int ascending(const void *a, const void *b)
{
    const struct object_start *x = a, *y = b;
    if (x->depot != y->depot) return x->depot < y->depot ? -1 : 1;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

static const char depot_name[] = "__local_depot";
enum { NAME_LENGTH = sizeof depot_name - 1 };

/* All starts of all functions, sorted. */
static void find_all(struct reader *reader)
{
    const char *text = reader->module->text, *at = strstr(text, ".section");
    reader->starts = arena_grown(NULL, 0, &reader->start_room, sizeof *reader->starts);
    for (; at != NULL && (at = strstr(at, depot_name)) != NULL; at += NAME_LENGTH) {
        char *end;
        unsigned long depot = strtoul(at + NAME_LENGTH, &end, 10);
        int64_t offset =
            end == at + NAME_LENGTH ? -1 : offset_behind(text, at, (const char **)&end);
        if (offset < 0 || depot > UINT32_MAX) continue;
        const char *name = name_behind(reader->arena, end);
        ADD(reader->starts, reader->start_count, reader->start_room) =
            (struct object_start){(uint32_t)depot, (uint32_t)offset, name};
    }
    qsort(reader->starts, reader->start_count, sizeof *reader->starts, ascending);
}

struct objects objects_of(struct reader *reader, const struct token *name)
{
    struct objects objects = {NULL, 0};
    if (reader->starts == NULL) find_all(reader);
    if (name->length <= NAME_LENGTH || memcmp(name->text, depot_name, NAME_LENGTH) != 0)
        return objects;
    uint32_t depot = (uint32_t)strtoul(name->text + NAME_LENGTH, NULL, 10);
    for (size_t k = 0; k < reader->start_count; k++) {
        if (reader->starts[k].depot != depot) continue;
        if (objects.count++ == 0) objects.starts = &reader->starts[k];
    }
    return objects;
}
