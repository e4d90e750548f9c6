/*
 * progress.c: what a student has reached so far, in every exercise:
 *     progress note FILE VERDICT SOURCE       adds a check of the program SOURCE to FILE
 *     progress show EXERCISE...               prints what EXERCISE/progress.tsv says, what is next
 *     progress next EXERCISE...               prints only what is next
 *     progress drop FOLDER EXERCISE VERDICT   leaves a small file for the board of a class
 *     progress ask EXERCISE                   prints the question about the next rung (predict.h)
 *     progress guess EXERCISE GUESS           keeps what the student expects of it
 *     progress compare EXERCISE               prints this beside what came
 *     progress require EXERCISE               exit code 1 if a guess for the next rung is missing
 *
 * A damaged FILE keeps what can be read of it, and the old one gets another name. Exit code: 0; 2
 * wrong arguments; 3 not possible, with one line on stderr.
 */
#define _POSIX_C_SOURCE 200809L
#include "progress/drop.h"
#include "progress/note.h"
#include "progress/predict.h"
#include "progress/table.h"
#include "show/terminal.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_USAGE = 2, EXIT_TROUBLE = 3 };
enum { ASIDE_MAX = 100 }; /* damaged files that are kept */

static int fail_to(const char *what, const char *name)
{
    fprintf(stderr, "progress: cannot %s %s: %s\n", what, name, strerror(errno));
    return EXIT_TROUBLE;
}

/* A sum of a file's bytes (FNV-1a), by which the same program is known again; 0 if it cannot be
 * read. */
static uint64_t sum_of(const char *path)
{
    FILE *file = fopen(path, "re");
    uint64_t sum = 0xcbf29ce484222325;
    int byte;
    if (file == NULL) return 0;
    while ((byte = getc(file)) != EOF)
        sum = (sum ^ (uint64_t)byte) * 0x100000001b3;
    fclose(file);
    return sum;
}

/* Gives a damaged file the first free name of FILE.damaged.1, .2, ... Where files can have two
 * names, it keeps its old one too, until the new file takes that. */
static bool put_aside(const char *path)
{
    char aside[PATH_MAX];
    for (int i = 1; i <= ASIDE_MAX; i++) {
        snprintf(aside, sizeof aside, "%s.damaged.%d", path, i);
        if (link(path, aside) != 0) {
            if (errno == EEXIST || access(aside, F_OK) == 0) continue;
            if (rename(path, aside) != 0) return false;
        }
        fprintf(stderr, "note: %s was damaged. It is now %s, and what could be read is kept\n",
                path, aside);
        return true;
    }
    return false;
}

static int note(const char *path, const char *verdict_path, const char *source)
{
    struct record record;
    json_error_t error;
    enum reading reading = read_record(path, &record);
    if (reading == UNREADABLE) return fail_to("read", path);
    json_t *verdict = json_load_file(verdict_path, 0, &error);
    if (!json_is_object(verdict)) {
        fprintf(stderr, "progress: %s: there is no verdict: %s\n", verdict_path, error.text);
        return EXIT_TROUBLE;
    }
    int code = 0;
    if (note_verdict(&record, verdict, sum_of(source), (int64_t)time(NULL))) {
        if (reading == DAMAGED && !put_aside(path))
            code = fail_to("rename", path);
        else if (!write_record(path, &record))
            code = fail_to("write", path);
    }
    json_decref(verdict);
    return code;
}

/* The board never makes a check fail. */
static int leave_for_board(const char *folder, const char *exercise, const char *verdict_path)
{
    struct record record;
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/progress.tsv", exercise);
    json_t *verdict = json_load_file(verdict_path, 0, NULL);
    read_record(path, &record);
    if (json_is_object(verdict)) drop(folder, exercise, &record, verdict);
    json_decref(verdict);
    return 0;
}

int main(int argc, char *argv[])
{
    struct view view = {.hints = "", .pages = "", .name = "", .with = ""};
    find_terminal(&view);
    if (argc == 5 && strcmp(argv[1], "note") == 0) return note(argv[2], argv[3], argv[4]);
    if (argc == 5 && strcmp(argv[1], "drop") == 0)
        return leave_for_board(argv[2], argv[3], argv[4]);
    if (argc == 3 && strcmp(argv[1], "ask") == 0) return ask(&view, argv[2]);
    if (argc == 4 && strcmp(argv[1], "guess") == 0) return keep_guess(argv[2], argv[3]);
    if (argc == 3 && strcmp(argv[1], "compare") == 0) return compare(&view, argv[2]);
    if (argc == 3 && strcmp(argv[1], "require") == 0) return require_guess(argv[2]);
    if (argc > 2 && strcmp(argv[1], "show") == 0)
        show_progress(&view, argc - 2, argv + 2);
    else if (argc > 2 && strcmp(argv[1], "next") == 0)
        show_what_is_next(&view, argc - 2, argv + 2);
    else {
        fputs(
            "usage: progress note FILE VERDICT SOURCE | show EXERCISE... | next EXERCISE... | "
            "drop FOLDER EXERCISE VERDICT | ask|compare|require EXERCISE | guess EXERCISE GUESS\n",
            stderr);
        return EXIT_USAGE;
    }
    return 0;
}
