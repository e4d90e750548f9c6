/* driver.c: see driver.h. A check that ends early leaves through exit(): what has to end or to be
 * removed then is registered with atexit(). */
#define _GNU_SOURCE
#include "driver/driver.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_COLUMNS = 78 };
enum { EXIT_COULD_NOT_CHECK = 2, EXIT_OF_SIGNAL = 128 };

struct request request;
struct arena arena;
const char *directory;

static volatile sig_atomic_t interrupted; /* the signal */
static bool is_doing;                     /* a line says what happens */

static void note_signal(int number)
{
    interrupted = number;
}

/* The judge has met something that it cannot bear. */
static void say_broken(int number)
{
    static const char text[] = "could not check: the lab's judge failed\n";
    (void)number;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(EXIT_COULD_NOT_CHECK);
    _exit(EXIT_COULD_NOT_CHECK);
}

void watch_signals(void)
{
    static const int asks[] = {SIGINT, SIGTERM, SIGHUP},
                     breaks[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
    struct sigaction action = {.sa_handler = note_signal}; /* without SA_RESTART: waits end */
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++)
        sigaction(asks[i], &action, NULL);
    for (size_t i = 0; i < sizeof breaks / sizeof *breaks; i++)
        signal(breaks[i], say_broken);
    signal(SIGPIPE, SIG_IGN);
}

void stop_if_interrupted(void)
{
    int number = interrupted;
    if (number == 0) return;
    doing("%s", "");
    exit(EXIT_OF_SIGNAL + number);
}

void cannot(const char *format, ...)
{
    va_list arguments;
    doing("%s", "");
    va_start(arguments, format);
    fputs("could not check: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(EXIT_COULD_NOT_CHECK);
}

/* True if escape sequences are wanted on stderr, and work there; ../show/terminal.h has the rules.
 */
static bool shows_escapes(void)
{
    const char *term = getenv("TERM"), *plain = getenv("WARPUP_PLAIN");
    return isatty(STDERR_FILENO) && term != NULL && strcmp(term, "dumb") != 0 &&
           (plain == NULL || strcmp(plain, "0") == 0);
}

void doing(const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if ((text[0] == '\0' && !is_doing) || !shows_escapes()) return;
    is_doing = text[0] != '\0';
    fprintf(stderr, "\r\033[K%.*s", LINE_COLUMNS, text);
}
