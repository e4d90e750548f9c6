/*
 * drop.c: leaves a small file about a check in the folder of a class's board. The folder is shared:
 * it may be missing, full, slow or hostile. So a process of its own writes there, and the check
 * waits for it only a moment. It writes beside the file's place and then renames, so a reader sees
 * all of it or nothing. The file names the student by a random number, which is kept in board.id
 * beside the exercises, and by WARPUP_NAME if that is set: only then the file has the best shares,
 * which compare students.
 */
#define _GNU_SOURCE
#include "progress/drop.h"

#include "show/words.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { WAIT_MS = 1000 };      /* of the check, for the folder */
enum { WRITER_SECONDS = 60 }; /* after this the folder does not answer, and the writer ends */
enum { ID_BYTES = 8, ID_LETTERS = 2 * ID_BYTES, NAME_BYTES_MAX = 80 };
enum { FILES_OPEN_MAX = 256 }; /* more than a check has open when it calls this program */

static bool is_id(const char *text)
{
    return strspn(text, "0123456789abcdef") == ID_LETTERS;
}

/* Reads the student's number; false if there is none yet. */
static bool read_id(const char *path, char id[ID_LETTERS + 1])
{
    FILE *file = fopen(path, "re");
    if (file == NULL) return false;
    bool whole = fread(id, 1, ID_LETTERS, file) == ID_LETTERS;
    fclose(file);
    id[ID_LETTERS] = '\0';
    return whole && is_id(id);
}

/* Sets `id` to the student's number, and makes it at the first time. Of two checks that do so at
 * the same time, the first one counts. */
static bool find_id(const char *path, char id[ID_LETTERS + 1])
{
    unsigned char bytes[ID_BYTES];
    char beside[PATH_MAX];
    if (read_id(path, id)) return true;
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) return false;
    if (snprintf(beside, sizeof beside, "%s.%ld", path, (long)getpid()) >= (int)sizeof beside)
        return false;
    FILE *file = fopen(beside, "wex");
    if (file == NULL) return false;
    for (size_t i = 0; i < sizeof bytes; i++)
        fprintf(file, "%02x", bytes[i]);
    fputc('\n', file);
    bool written = fclose(file) == 0;
    if (written) (void)!link(beside, path);
    if (written && !read_id(path, id))
        rename(beside, path); /* damaged, or there are no links here */
    unlink(beside);
    return read_id(path, id);
}

/* WARPUP_NAME, cut to a length that is a name's, between two letters; NULL without one. */
static json_t *name_of_student(void)
{
    const char *name = getenv("WARPUP_NAME");
    size_t length = name != NULL ? strlen(name) : 0;
    if (length > NAME_BYTES_MAX)
        for (length = NAME_BYTES_MAX; length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80;)
            length--;
    return length > 0 ? json_stringn(name, length) : NULL;
}

/* The best shares of the limit, measured and modelled apart; NULL if none is known. */
static json_t *best_shares(const struct record *record)
{
    json_t *shares = json_object();
    for (size_t i = 0; i < record->rate_count; i++) {
        const struct rate *rate = &record->rates[i];
        if (rate->share > json_real_value(json_object_get(shares, rate->how)))
            json_object_set_new(shares, rate->how, json_real(rate->share));
    }
    if (json_object_size(shares) > 0) return shares;
    json_decref(shares);
    return NULL;
}

/* A verdict for the board, as one line of JSON, which the caller frees. */
static char *text_of_check(const char *name, const struct record *record, const json_t *verdict)
{
    const json_t *first = json_array_get(json_object_get(verdict, "diagnoses"), 0);
    int reached = highest_rung(record);
    int64_t since = record->reached[reached] != 0 ? time(NULL) - record->reached[reached] : 0;
    json_t *all =
        json_pack("{s:s, s:s, s:i, s:i, s:i, s:I, s:s}", "exercise", name, "status",
                  text_of(verdict, "status"), "rung", number_of(verdict, "rung"), "reached",
                  reached, "attempts", record->attempts, "since",
                  (json_int_t)(since > 0 ? since : 0), "diagnosis", text_of(first, "name"));
    json_t *guesses = json_object();
    for (int rung = 1; rung <= RUNGS_MAX; rung++) {
        char key[16];
        snprintf(key, sizeof key, "%d", rung);
        if (record->guess[rung] > 0)
            json_object_set_new(guesses, key, json_real(record->guess[rung]));
    }
    if (json_object_size(guesses) > 0) json_object_set(all, "guesses", guesses);
    json_decref(guesses);
    json_t *student = name_of_student();
    json_t *shares = student != NULL ? best_shares(record) : NULL;
    if (student != NULL) json_object_set_new(all, "name", student);
    if (shares != NULL) json_object_set_new(all, "shares", shares);
    char *text = json_dumps(all, JSON_COMPACT);
    json_decref(all);
    return text;
}

/* Writes a text as FOLDER/NAME, whole or not at all. Returns 0 or errno. */
static int write_whole(const char *folder, const char *name, const char *text)
{
    char beside[NAME_MAX + 1];
    int directory = open(folder, O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) return errno;
    snprintf(beside, sizeof beside, ".%.200s.%ld", name, (long)getpid());
    int file =
        openat(directory, beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (file < 0) return errno;
    size_t length = strlen(text);
    errno = ENOSPC;
    int reason =
        write(file, text, length) == (ssize_t)length && fchmod(file, 0644) == 0 ? 0 : errno;
    if (close(file) != 0 && reason == 0) reason = errno; /* NFS reports a full disk here */
    if (reason == 0 && renameat(directory, beside, directory, name) != 0) reason = errno;
    if (reason != 0) unlinkat(directory, beside, 0);
    return reason;
}

/* In a process of its own: writes the file, and reports errno through the pipe. It has none of the
 * files of the check open, so nobody waits for it who waits for the check. */
static _Noreturn void write_and_report(int report, const char *folder, const char *name,
                                       const char *text)
{
    setsid();
    alarm(WRITER_SECONDS);
    int nothing = open("/dev/null", O_RDWR);
    for (int i = 0; i < FILES_OPEN_MAX; i++)
        if (i < 3)
            dup2(nothing, i);
        else if (i != report)
            close(i);
    int reason = write_whole(folder, name, text);
    _exit(write(report, &reason, sizeof reason) == sizeof reason ? 0 : 1);
}

/* Waits a moment for what the writer reports. */
static void wait_for_report(int report, const char *folder)
{
    struct pollfd ready = {.fd = report, .events = POLLIN};
    int reason = 0;
    if (poll(&ready, 1, WAIT_MS) <= 0)
        fprintf(stderr, "note: %s is slow; the board gets this check later\n", folder);
    else if (read(report, &reason, sizeof reason) != sizeof reason)
        fprintf(stderr, "note: the board does not get this check\n");
    else if (reason != 0)
        fprintf(stderr, "note: the board does not get this check: %s: %s\n", folder,
                strerror(reason));
}

static void write_beside(const char *folder, const char *name, const char *text)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    pid_t writer = fork();
    if (writer == 0) write_and_report(ends[1], folder, name, text);
    close(ends[1]);
    if (writer > 0) wait_for_report(ends[0], folder);
    close(ends[0]);
}

void drop(const char *folder, const char *exercise, const struct record *record,
          const json_t *verdict)
{
    char path[PATH_MAX], file[NAME_MAX + 1], id[ID_LETTERS + 1];
    const char *name = strrchr(exercise, '/');
    name = name != NULL ? name + 1 : exercise;
    snprintf(path, sizeof path, "%s/../board.id", exercise);
    if (!find_id(path, id)) {
        fprintf(stderr, "note: the board does not get this check: cannot write %s\n", path);
        return;
    }
    char *text = text_of_check(name, record, verdict);
    snprintf(file, sizeof file, "%s-%.100s.json", id, name);
    if (text != NULL) write_beside(folder, file, text);
    free(text);
}
