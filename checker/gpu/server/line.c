/* line.c: places in the source, by libdw. See line.h. Only the serving thread asks. */
#define _GNU_SOURCE
#include "gpu/server/line.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { ANSWERS = 1024 /* a power of two */ };

static struct {
    int file;
    uint64_t bias;
    Dwarf *dwarf;
    struct answer {
        uint64_t pc;
        struct line line;
    } answers[ANSWERS];
} program = {.file = -1};

void line_begin(int file, uint64_t bias)
{
    program.file = file;
    program.bias = bias;
}

/* True for a file that is not the student's: the lab's, or the system's. */
static bool is_foreign(const char *file)
{
    return strstr(file, "/gpu/include/") != NULL || strncmp(file, "/usr/", 5) == 0;
}

/* The file's name as given to the compiler: without the folder in which the compiler ran. */
static const char *as_given(Dwarf_Die *unit, const char *file)
{
    Dwarf_Attribute attribute;
    const char *folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
    size_t length = folder == NULL ? 0 : strlen(folder);
    bool inside = length > 0 && strncmp(file, folder, length) == 0 && file[length] == '/';
    return inside ? file + length + 1 : file;
}

/* The student's line that called the innermost function in `scopes` that was inlined from a foreign
 * file. */
static struct line location_of_call(Dwarf_Die *unit, Dwarf_Die *scopes, int count)
{
    Dwarf_Files *files;
    size_t file_count;
    if (dwarf_getsrcfiles(unit, &files, &file_count) != 0) return (struct line){0};
    for (int i = 0; i < count; i++) {
        Dwarf_Attribute attribute;
        Dwarf_Word file_index, line;
        if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine ||
            dwarf_formudata(dwarf_attr(&scopes[i], DW_AT_call_file, &attribute), &file_index) ||
            dwarf_formudata(dwarf_attr(&scopes[i], DW_AT_call_line, &attribute), &line))
            continue;
        const char *file = dwarf_filesrc(files, file_index, NULL, NULL);
        if (file != NULL && !is_foreign(file))
            return (struct line){as_given(unit, file), (int)line};
    }
    return (struct line){0};
}

/* The compilation unit that has code at the address. clang writes no table of addresses
 * (.debug_aranges). */
static bool find_unit(Dwarf_Addr address, Dwarf_Die *unit)
{
    if (dwarf_addrdie(program.dwarf, address, unit) != NULL) return true;
    Dwarf_Off offset = 0, next;
    size_t header;
    for (; dwarf_nextcu(program.dwarf, offset, &next, &header, NULL, NULL, NULL) == 0;
         offset = next)
        if (dwarf_offdie(program.dwarf, offset + header, unit) != NULL &&
            dwarf_haspc(unit, address) == 1)
            return true;
    return false;
}

/* The place of an address in the program's file. */
static struct line find(Dwarf_Addr address)
{
    Dwarf_Die unit, *scopes, *around;
    struct line location;
    if (program.dwarf == NULL && program.file >= 0)
        program.dwarf = dwarf_begin(program.file, DWARF_C_READ);
    if (program.dwarf == NULL || !find_unit(address, &unit)) return (struct line){0};
    Dwarf_Line *line = dwarf_getsrc_die(&unit, address);
    const char *source = line == NULL ? NULL : dwarf_linesrc(line, NULL, NULL);
    if (source == NULL || dwarf_lineno(line, &location.line) != 0) return (struct line){0};
    location.file = as_given(&unit, source);
    if (!is_foreign(source)) return location;

    if (dwarf_getscopes(&unit, address, &scopes) <= 0) return (struct line){0};
    Dwarf_Die innermost = scopes[0];
    free(scopes);
    int count = dwarf_getscopes_die(&innermost, &around); /* functions that it is inlined in */
    if (count <= 0) return (struct line){0};
    location = location_of_call(&unit, around, count);
    free(around);
    return location;
}

struct line line_of(const uint64_t *frames, int count)
{
    for (int i = 0; i < count && frames[i] != 0; i++) {
        uint64_t pc = frames[i];
        struct answer *answer = &program.answers[(pc ^ pc >> 10) & (ANSWERS - 1)];
        if (answer->pc != pc) *answer = (struct answer){pc, find(pc - 1 - program.bias)};
        if (answer->line.line > 0) return answer->line;
    }
    return (struct line){0};
}
