/* actions.c: see actions.h. */
#define _GNU_SOURCE
#include "gpu/cudart/actions.h"

#include "gpu/cudart/lock.h"
#include "gpu/include/driver_types.h"
#include "gpu/wire/wire.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static struct {
    unsigned char *box;
    int file; /* shared memory; -1: none yet */
} shared = {.file = -1};

void actions_begin(unsigned char *box)
{
    shared.box = box;
}

void actions_take_file(int file)
{
    if (shared.file >= 0) close(shared.file);
    shared.file = file;
}

static void *at(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

static void copy_rows(const struct wire_action *action, bool to_box)
{
    unsigned char *box = shared.box + action->value;
    for (uint64_t i = 0; i < action->extra2; i++) {
        void *own = at(action->address + i * action->extra);
        memcpy(to_box ? box : own, to_box ? own : box, action->bytes);
        box += action->bytes;
    }
}

/* ---- pages ---------------------------------------------------------------------------------- */

/* Writes what is there into the file first: registered memory keeps its contents. */
static void write_file(const struct wire_action *action)
{
    for (uint64_t done = 0; done < action->bytes;) {
        ssize_t part = pwrite(shared.file, at(action->address + done), action->bytes - done,
                              (off_t)(action->value + done));
        if (part <= 0) return; /* pages that are not there stay empty */
        done += (uint64_t)part;
    }
}

static void map(const struct wire_action *action)
{
    if (action->extra == 1) write_file(action);
    mmap(at(action->address), action->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
         shared.file, (off_t)action->value);
}

/* Private memory with the same contents takes the place of these pages in one step. */
static void make_private(char *low, size_t bytes)
{
    char *copy = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED) return;
    mprotect(low, bytes, PROT_READ | PROT_WRITE);
    memcpy(copy, low, bytes);
    mremap(copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, low);
}

/* A file read line by line without malloc(), whose own memory may be registered. */
struct lines {
    int file;
    size_t at, bytes;
    char buffer[1024];
};

/* The next line, or as much of it as there is room for. */
static bool next_line(struct lines *lines, char *line, size_t room)
{
    size_t length = 0;
    for (;;) {
        if (lines->at == lines->bytes) {
            ssize_t more = read(lines->file, lines->buffer, sizeof lines->buffer);
            if (more <= 0) return false;
            lines->at = 0;
            lines->bytes = (size_t)more;
        }
        char c = lines->buffer[lines->at++];
        if (c == '\n') break;
        if (length + 1 < room) line[length++] = c;
    }
    line[length] = '\0';
    return true;
}

/* Gives memory back that is no longer registered: those pages that still are of the shared file.
 * The program may have freed it, and may use its addresses for something else. */
static void unregister(uint64_t low, uint64_t high)
{
    struct stat file;
    unsigned long begin, end, inode;
    unsigned major_number, minor_number;
    char line[128];
    struct lines maps = {.file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)};
    bool open = maps.file >= 0 && fstat(shared.file, &file) == 0;
    while (open && next_line(&maps, line, sizeof line)) {
        if (sscanf(line, "%lx-%lx %*s %*x %x:%x %lu", &begin, &end, &major_number, &minor_number,
                   &inode) != 5)
            continue;
        if (inode != file.st_ino || makedev(major_number, minor_number) != file.st_dev) continue;
        if (begin < low) begin = low;
        if (end > high) end = high;
        if (begin < end) make_private(at(begin), end - begin);
    }
    if (maps.file >= 0) close(maps.file);
}

void actions_leave(uint64_t base, uint64_t bytes)
{
    if (shared.file < 0) return;
    unregister(0, base);
    unregister(base + bytes, UINT64_MAX);
}

static void unmap(const struct wire_action *action)
{
    if (action->extra == 1) {
        unregister(action->address, action->address + action->bytes);
        return;
    }
    mmap(at(action->address), action->bytes, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

static void protect(const struct wire_action *action)
{
    static const int rights[] = {PROT_NONE, PROT_READ, PROT_READ | PROT_WRITE};
    if (action->value < 3) mprotect(at(action->address), action->bytes, rights[action->value]);
}

/* ---- all ------------------------------------------------------------------------------------ */

static void call_host(const struct wire_action *action)
{
    int depth = lock_pause();
    if (action->bytes == 0) {
        cudaHostFn_t function;
        *(void **)&function = at(action->address);
        function(at(action->value));
    } else {
        cudaStreamCallback_t function;
        *(void **)&function = at(action->address);
        function((cudaStream_t)at(action->extra), (cudaError_t)action->extra2, at(action->value));
    }
    lock_resume(depth);
}

static void act(const struct wire_action *action)
{
    switch ((enum wire_action_kind)action->kind) {
    case ACTION_PRINT: fwrite(shared.box + action->value, 1, action->bytes, stdout); break;
    case ACTION_MAP: map(action); break;
    case ACTION_UNMAP: unmap(action); break;
    case ACTION_PROTECT: protect(action); break;
    case ACTION_READ: copy_rows(action, true); break;
    case ACTION_WRITE: copy_rows(action, false); break;
    case ACTION_MOVE: memmove(at(action->address), at(action->value), action->bytes); break;
    case ACTION_CALL_HOST: call_host(action); break;
    }
}

const unsigned char *actions_do(const unsigned char *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++, list += sizeof(struct wire_action)) {
        struct wire_action action; /* a copy: another call may come in between */
        memcpy(&action, list, sizeof action);
        act(&action);
    }
    return list;
}
