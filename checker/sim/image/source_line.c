/* source_line.c: places in the source, by libdw. See source_line.h. */
#define _GNU_SOURCE
#include "sim/image/source_line.h"

#include "sim/image/program.h"

#include "trace/trace.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { IMAGES = 2, FRAMES_MAX = 64, ANSWERS = 1024 /* a power of two */ };

static struct {
    pthread_mutex_t lock;
    struct debug {
        int file; /* descriptor, as program_image() gives it */
        Dwarf *dwarf;
    } images[IMAGES];
    int count;
    struct answer {
        uintptr_t pc;
        struct source_place place; /* file NULL: not known */
    } answers[ANSWERS];
} symbols = {.lock = PTHREAD_MUTEX_INITIALIZER};

static Dwarf *debug_information(int file)
{
    for (int i = 0; i < symbols.count; i++)
        if (symbols.images[i].file == file) return symbols.images[i].dwarf;
    if (symbols.count == IMAGES) return NULL;
    struct debug *image = &symbols.images[symbols.count++];
    image->file = file;
    image->dwarf = dwarf_begin(file, DWARF_C_READ);
    return image->dwarf;
}

/* True for a file that is not the student's: the lab's, or the system's. */
static bool is_foreign(const char *file)
{
    return strstr(file, "/sim/include/") != NULL || strncmp(file, "/usr/", 5) == 0;
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
static bool place_of_call(Dwarf_Die *unit, Dwarf_Die *scopes, int count, struct source_place *place)
{
    Dwarf_Files *files;
    size_t file_count;
    if (dwarf_getsrcfiles(unit, &files, &file_count) != 0) return false;
    for (int i = 0; i < count; i++) {
        Dwarf_Attribute attribute;
        Dwarf_Word file_index, line;
        if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine ||
            dwarf_formudata(dwarf_attr(&scopes[i], DW_AT_call_file, &attribute), &file_index) ||
            dwarf_formudata(dwarf_attr(&scopes[i], DW_AT_call_line, &attribute), &line))
            continue;
        const char *file = dwarf_filesrc(files, file_index, NULL, NULL);
        if (file == NULL || is_foreign(file)) continue;
        *place = (struct source_place){as_given(unit, file), (int)line};
        return true;
    }
    return false;
}

static bool find_place(uintptr_t pc, struct source_place *place)
{
    int file;
    uintptr_t bias;
    if (!program_image(pc - 1, &file, &bias)) return false;
    Dwarf *dwarf = debug_information(file);
    Dwarf_Addr address = pc - 1 - bias;
    Dwarf_Die unit, *scopes;
    if (dwarf == NULL || dwarf_addrdie(dwarf, address, &unit) == NULL) return false;
    Dwarf_Line *line = dwarf_getsrc_die(&unit, address);
    const char *source = line == NULL ? NULL : dwarf_linesrc(line, NULL, NULL);
    if (source == NULL || dwarf_lineno(line, &place->line) != 0) return false;
    place->file = as_given(&unit, source);
    if (!is_foreign(source)) return true;

    if (dwarf_getscopes(&unit, address, &scopes) <= 0) return false;
    Dwarf_Die innermost = scopes[0], *around;
    free(scopes);
    int count = dwarf_getscopes_die(&innermost, &around); /* functions that it is inlined in */
    if (count <= 0) return false;
    bool found = place_of_call(&unit, around, count, place);
    free(around);
    return found;
}

bool source_line_of(uintptr_t pc, struct source_place *place)
{
    if (pc == 0) return false;
    pthread_mutex_lock(&symbols.lock);
    struct answer *answer = &symbols.answers[(pc ^ pc >> 10) & (ANSWERS - 1)];
    if (answer->pc != pc) {
        answer->pc = pc;
        if (!find_place(pc, &answer->place)) answer->place.file = NULL;
    }
    *place = answer->place;
    pthread_mutex_unlock(&symbols.lock);
    return place->file != NULL;
}

uintptr_t source_line_caller_pc(uintptr_t pc)
{
    int file;
    uintptr_t bias;
    if (program_image(pc, &file, &bias)) return pc;
    void *frames[FRAMES_MAX];
    int count = backtrace(frames, FRAMES_MAX);
    for (int i = 0; i < count; i++)
        if (program_image((uintptr_t)frames[i], &file, &bias)) return (uintptr_t)frames[i];
    return pc;
}

bool source_line_of_caller(uintptr_t pc, struct source_place *place)
{
    return source_line_of(source_line_caller_pc(pc), place);
}

void source_line_write(uintptr_t pc)
{
    struct source_place place;
    if (trace_is_open() && source_line_of_caller(pc, &place)) trace_source(place.file, place.line);
}
