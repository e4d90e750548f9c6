/*
 * judge.c: fuzz target: a whole check directory through the judge, with the oracle of the judge's
 * own tests. The input is the directory as one text: each file follows a line
 *
 *   -- sim-0/trace.jsonl --
 *
 * and ends before the line break in front of the next such line, or before the last one. Whatever
 * it holds, the judge writes a whole verdict, and its exit code is that of the verdict's status.
 */
#define _GNU_SOURCE
#include "target.h"

#include <jansson.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int judge_main(int argc, char *argv[]);

enum { FILES_MAX = 64, NAME_MAX_BYTES = 48, PATH_BYTES = 128 };

/* The check directory, and where the judge's stdout goes. */
static struct {
    int output;
    char directory[64], source[PATH_BYTES];
    char files[FILES_MAX][PATH_BYTES];
    size_t count;
} box;

static void remove_box(void)
{
    rmdir(box.directory);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    const char *scratch = getenv("TMPDIR");
    snprintf(box.directory, sizeof box.directory, "%.40s/fuzz-XXXXXX",
             scratch != NULL                 ? scratch
             : access("/dev/shm", W_OK) == 0 ? "/dev/shm"
                                             : "/tmp");
    MUST(mkdtemp(box.directory) != NULL);
    atexit(remove_box);
    snprintf(box.source, sizeof box.source, "%s/program.cu", box.directory);
    box.output = memfd_create("verdict.json", MFD_CLOEXEC);
    MUST(box.output >= 0 && dup2(box.output, STDOUT_FILENO) == STDOUT_FILENO);
    return 0;
}

/* `file` or `directory/file`, of plain characters. */
static bool is_name(const char *name, size_t length)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    size_t first = strspn(name, plain), second = 0;
    if (first < length && name[first] == '/') second = strspn(name + first + 1, plain);
    bool dots = name[0] == '.' || (second > 0 && name[first + 1] == '.');
    return length > 0 && length <= NAME_MAX_BYTES && first > 0 && !dots &&
           length == first + (second > 0 ? second + 1 : 0);
}

/* When a header begins at `at`: its name, and where its file does. */
static bool read_header(const char *text, size_t at, size_t *length, size_t *body)
{
    static const char opens[] = "-- ", closes[] = " --\n";
    if ((at > 0 && text[at - 1] != '\n') || strncmp(text + at, opens, strlen(opens)) != 0)
        return false;
    const char *name = text + at + strlen(opens), *end = strstr(name, closes);
    if (end == NULL || !is_name(name, (size_t)(end - name))) return false;
    *length = (size_t)(end - name);
    *body = (size_t)(end - text) + strlen(closes);
    return true;
}

static void write_file(const char *name, size_t length, const char *data, size_t size)
{
    if (box.count == FILES_MAX) return;
    char *path = box.files[box.count];
    int root = snprintf(path, PATH_BYTES, "%s/", box.directory);
    snprintf(path + root, (size_t)(PATH_BYTES - root), "%.*s", (int)length, name);
    char *slash = strchr(path + root, '/');
    if (slash != NULL) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    FILE *stream = fopen(path, "wb");
    if (stream == NULL) return; /* its name is a directory's, or the other way round */
    MUST(fwrite(data, 1, size, stream) == size);
    MUST(fclose(stream) == 0);
    box.count++;
}

/* Unpacks the input; `text` ends with a '\0' that is not part of it. */
static void unpack(const char *text, size_t size)
{
    size_t length = 0, body = 0, next_length, next_body;
    bool open = false;
    for (size_t at = 0; at <= size; at++) {
        bool header = at < size && read_header(text, at, &next_length, &next_body);
        if (!header && at < size) continue;
        if (open) {
            size_t end = at > body && text[at - 1] == '\n' ? at - 1 : at;
            write_file(text + body - length - 4, length, text + body, end - body);
        }
        if (!header) return;
        open = true;
        length = next_length;
        body = next_body;
        at = body - 1;
    }
}

static void clear_box(void)
{
    for (; box.count > 0; box.count--) {
        char *path = box.files[box.count - 1];
        unlink(path);
        *strrchr(path, '/') = '\0';
        if (strcmp(path, box.directory) != 0) rmdir(path); /* when it was the last file there */
    }
}

/* The verdict that the judge wrote; the output is empty again afterwards. */
static json_t *take_verdict(void)
{
    struct stat status;
    MUST(fflush(stdout) == 0 && fstat(box.output, &status) == 0 && status.st_size > 0);
    char *text = malloc((size_t)status.st_size);
    MUST(text != NULL && pread(box.output, text, (size_t)status.st_size, 0) == status.st_size);
    json_t *verdict = json_loadb(text, (size_t)status.st_size, JSON_REJECT_DUPLICATES, NULL);
    free(text);
    MUST(ftruncate(box.output, 0) == 0 && lseek(box.output, 0, SEEK_SET) == 0);
    return verdict;
}

static void must_have(const json_t *object, const char *const names[])
{
    for (size_t i = 0; names[i] != NULL; i++) {
        if (json_object_get(object, names[i]) != NULL) continue;
        fprintf(stderr, "the field `%s` is missing\n", names[i]);
        abort();
    }
}

static void look_at(const json_t *verdict, int code)
{
    static const char *const statuses[] = {"reached", "not yet", "could not check"};
    static const char *const fields[] = {
        "exercise",  "source",    "status",    "rung", "rungs",           "required", "seed",
        "undecided", "devices",   "criteria",  "rate", "limit",           "share",    "work",
        "intensity", "occupancy", "diagnoses", "next", "internal_errors", "notes",    NULL};
    static const char *const of_criterion[] = {"id", "text", "passed", "seen", NULL};
    static const char *const of_diagnosis[] = {"name",      "file",     "line",    "text",
                                               "criterion", "evidence", "explain", NULL};
    size_t i;
    json_t *entry;
    MUST(json_is_object(verdict) && code >= 0 && code <= 2);
    must_have(verdict, fields);
    const char *status = json_string_value(json_object_get(verdict, "status"));
    MUST(strcmp(status, statuses[code]) == 0 || (code == 1 && strcmp(status, "undecided") == 0));
    json_int_t rung = json_integer_value(json_object_get(verdict, "rung"));
    MUST(rung >= 0 && rung <= json_integer_value(json_object_get(verdict, "rungs")));
    json_array_foreach (json_object_get(verdict, "criteria"), i, entry)
        must_have(entry, of_criterion);
    json_array_foreach (json_object_get(verdict, "diagnoses"), i, entry)
        must_have(entry, of_diagnosis);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *arguments[] = {"judge",     "--exercise",  "ex00_test", "--source",    box.source,
                         "--checker", box.directory, "--runs",    box.directory, NULL};
    char *text = malloc(size + 1);
    MUST(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    unpack(text, size);
    free(text);
    int code = judge_main((int)(sizeof arguments / sizeof arguments[0]) - 1, arguments);
    clear_box();
    json_t *verdict = take_verdict();
    look_at(verdict, code);
    json_decref(verdict);
    return 0;
}
