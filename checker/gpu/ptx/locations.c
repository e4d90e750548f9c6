/*
 * locations.c: .loc and .file as locations in the student's own files. Where a header of CUDA or of
 * the lab was inlined, the location is that of the call; files whose path contains one of
 * `system_folders` are headers.
 */
#include "gpu/ptx/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const system_folders[] = {"/usr/include/",
                                             "/usr/lib/",
                                             "/usr/local/cuda",
                                             "/targets/x86_64-linux/include/",
                                             "/targets/sbsa-linux/include/",
                                             "/checker/gpu/include/",
                                             NULL};

static bool is_system(const char *file)
{
    for (const char *const *one = system_folders; *one != NULL; one++)
        if (strstr(file, *one) != NULL) return true;
    return false;
}

/* A line of a file as .loc said it, and the location that was made of it. */
struct spot {
    uint32_t file, line, column, location;
};

enum { FILES_MAX = 1 << 20, SPOTS = 64, LOCATION_BUCKETS = 1024 };

struct locations {
    struct file {
        const char *name;
        bool system;
    } * files;
    size_t file_room;
    struct spot spots[SPOTS]; /* the last ones of this function, for inlined_at */
    uint32_t spot_count;
    uint32_t *next; /* by location: the next one of the same hash */
    size_t next_count, next_room, location_room;
    uint32_t buckets[LOCATION_BUCKETS];
};

static void set_file(struct reader *reader, uint64_t number, const char *name)
{
    struct locations *locations = reader->locations;
    if (number >= FILES_MAX) return;
    size_t old = locations->file_room;
    if (number >= old) {
        size_t room = old == 0 ? 64 : old;
        while (room <= number)
            room *= 2;
        struct file *files = arena_new(reader->arena, room * sizeof *files);
        if (old != 0) memcpy(files, locations->files, old * sizeof *files);
        locations->files = files;
        locations->file_room = room;
    }
    locations->files[number] = (struct file){.name = name, .system = is_system(name)};
}

/* .file 1 "name" or .file 1 "folder" "name": they often come last in the text, so they are read
 * before everything. */
static void read_files(struct reader *reader)
{
    const char *text = reader->module->text, *end = reader->lexer.end;
    for (const char *at = text; (at = strstr(at, ".file")) != NULL; at += 5) {
        const char *line = at;
        while (line > text && (line[-1] == ' ' || line[-1] == '\t'))
            line--;
        if ((line > text && line[-1] != '\n') || (at[5] != ' ' && at[5] != '\t')) continue;
        struct lexer lexer;
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        lexer_begin(&lexer, at + 5, (size_t)((stop == NULL ? end : stop) - (at + 5)));
        uint64_t number = lexer.token.value;
        if (lexer.token.kind != TOKEN_NUMBER) continue;
        lexer_next(&lexer);
        if (lexer.token.kind != TOKEN_STRING) continue;
        struct token folder = lexer.token, name;
        lexer_next(&lexer);
        name = lexer.token.kind == TOKEN_STRING ? lexer.token : folder;
        bool whole = lexer.token.kind != TOKEN_STRING || name.text[0] == '/';
        char *path = arena_new(reader->arena, folder.length + name.length + 2);
        snprintf(path, folder.length + name.length + 2, "%.*s%s%.*s",
                 whole ? 0 : (int)folder.length, folder.text, whole ? "" : "/", (int)name.length,
                 name.text);
        set_file(reader, number, path);
    }
}

static uint32_t location_of(struct reader *reader, const char *file, uint32_t line, uint32_t column,
                            uint32_t inlined_at)
{
    struct ptx_module *module = reader->module;
    struct locations *locations = reader->locations;
    uint32_t hash = ((uint32_t)((uintptr_t)file >> 4) ^ line * 2654435761u ^ column * 40503u ^
                     inlined_at * 97u);
    uint32_t *bucket = &locations->buckets[(hash ^ hash >> 16) % LOCATION_BUCKETS];
    for (uint32_t k = *bucket; k != 0; k = locations->next[k]) {
        const struct ptx_location *one = &module->locations[k];
        if (one->file == file && one->line == (int)line && one->column == (int)column &&
            one->inlined_at == inlined_at)
            return k;
    }
    uint32_t number = module->location_count;
    ADD(locations->next, locations->next_count, locations->next_room) = *bucket;
    ADD(module->locations, module->location_count, locations->location_room) =
        (struct ptx_location){
            .file = file, .line = (int)line, .column = (int)column, .inlined_at = inlined_at};
    return *bucket = number;
}

void locations_begin(struct reader *reader)
{
    struct locations *locations = arena_new(reader->arena, sizeof *locations);
    reader->locations = locations;
    ADD(reader->module->locations, reader->module->location_count, locations->location_room) =
        (struct ptx_location){.file = NULL};
    ADD(locations->next, locations->next_count, locations->next_room) = 0;
    read_files(reader);
}

void locations_end(struct reader *reader)
{
    struct ptx_module *module = reader->module;
    module->locations = arena_settled(reader->arena, module->locations,
                                      module->location_count * sizeof *module->locations);
    free(reader->locations->next);
}

void locations_function(struct reader *reader)
{
    reader->locations->spot_count = 0;
    reader->body.location = reader->body.own_location = 0;
}

/* Three numbers. */
static bool read_spot(struct reader *reader, struct spot *spot)
{
    struct lexer *lexer = &reader->lexer;
    uint32_t *numbers[3] = {&spot->file, &spot->line, &spot->column};
    for (int k = 0; k < 3; k++) {
        if (lexer->token.kind != TOKEN_NUMBER) {
            if (k < 2) reader_refuse(reader, ".loc needs a file and a line");
            return k == 2;
        }
        *numbers[k] = lexer->token.value > INT32_MAX ? 0 : (uint32_t)lexer->token.value;
        lexer_next(lexer);
    }
    return true;
}

/* The newest spot of this function with these numbers: what was inlined there; 0: none. */
static uint32_t spot_of(const struct locations *locations, const struct spot *wanted)
{
    for (uint32_t back = 1; back <= locations->spot_count && back <= SPOTS; back++) {
        const struct spot *one = &locations->spots[(locations->spot_count - back) % SPOTS];
        if (one->file == wanted->file && one->line == wanted->line && one->column == wanted->column)
            return one->location;
    }
    return 0;
}

/* The location of a line that was inlined at another location, if it was. */
static uint32_t make_location(struct reader *reader, const struct spot *spot, uint32_t inlined_at)
{
    struct locations *locations = reader->locations;
    const struct file *file =
        spot->file < locations->file_room ? &locations->files[spot->file] : NULL;
    if (file == NULL || file->name == NULL) return inlined_at;
    if (file->system) return inlined_at != 0 ? inlined_at : reader->body.own_location;
    uint32_t location = location_of(reader, file->name, spot->line, spot->column, inlined_at);
    reader->body.own_location = location;
    return location;
}

void read_loc(struct reader *reader)
{
    struct lexer *lexer = &reader->lexer;
    struct locations *locations = reader->locations;
    struct spot spot = {0}, call = {0};
    uint32_t inlined_at = 0;
    if (!read_spot(reader, &spot)) return;
    while (lexer_take(lexer, ',')) {
        bool inlined = token_word(lexer, "inlined_at");
        lexer_next(lexer);
        if (!inlined) {
            lexer_next(lexer); /* function_name and its label, which may have an offset */
            if (lexer_take(lexer, '+')) lexer_next(lexer);
            continue;
        }
        if (!read_spot(reader, &call)) return;
        inlined_at = spot_of(locations, &call);
        if (inlined_at == 0) inlined_at = make_location(reader, &call, 0);
    }
    if (spot.line == 0) return; /* no line of its own: that of what came before */
    spot.location = make_location(reader, &spot, inlined_at);
    locations->spots[locations->spot_count++ % SPOTS] = spot;
    if (spot.location != 0) reader->body.location = spot.location;
}
