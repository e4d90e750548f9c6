/* own_time.c: see own_time.h. Linux tells in /proc how long a thread has run and has waited. */
#define _GNU_SOURCE
#include "sim/gpu/own_time.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

enum { THREADS_MAX = 64 }; /* that call CUDA or read a clock; the waits of more do not count */

struct schedule {
    int64_t ran, waited; /* ns, since the thread began */
};

static struct {
    int file;             /* with the thread's schedule; -1: the place is free */
    struct schedule mark; /* at the mark */
} threads[THREADS_MAX];
static int count; /* of the places that were ever used */
static __thread bool known;

static bool read_schedule(int file, struct schedule *schedule)
{
    char text[80];
    long long ran, waited;
    ssize_t length = file < 0 ? 0 : pread(file, text, sizeof text - 1, 0);
    if (length <= 0) return false; /* the thread has ended, or the system keeps no such file */
    text[length] = '\0';
    if (sscanf(text, "%lld %lld", &ran, &waited) != 2) return false;
    *schedule = (struct schedule){ran, waited};
    return true;
}

/* What a thread did before it became known counts as done since the mark, as far as there was time.
 */
static void add_this_thread(void)
{
    int place = 0;
    known = true;
    while (place < count && threads[place].file >= 0)
        place++;
    if (place == THREADS_MAX) return;
    threads[place].file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    threads[place].mark = (struct schedule){0};
    if (place == count) count++;
}

void own_time_mark(void)
{
    if (!known) add_this_thread();
    for (int i = 0; i < count; i++) {
        if (threads[i].file < 0 || read_schedule(threads[i].file, &threads[i].mark)) continue;
        close(threads[i].file);
        threads[i].file = -1;
    }
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int64_t own_time(int64_t elapsed)
{
    int64_t waited = 0, ran = 0;
    if (!known) add_this_thread();
    for (int i = 0; i < count; i++) {
        struct schedule now;
        if (!read_schedule(threads[i].file, &now)) continue;
        waited += lesser(now.waited - threads[i].mark.waited, elapsed);
        int64_t own = lesser(now.ran - threads[i].mark.ran, elapsed);
        if (own > ran) ran = own;
    }
    return elapsed - waited > ran ? elapsed - waited : ran;
}
