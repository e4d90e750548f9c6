/* connection.c: see connection.h. */
#define _GNU_SOURCE
#include "gpu/server/connection.h"

#include "gpu/wire/calls.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { BOX_BYTES_MIN = 64 << 10, UNAVAILABLE = 46 /* cudaErrorDevicesUnavailable */ };

static struct {
    int socket;
    unsigned char *box;
    size_t box_bytes;
    pid_t program; /* the process that may speak; 0 before its first message */
    int64_t sent;
} link_ = {.socket = -1};

void (*connection_lost)(void);

_Noreturn void connection_refuse(const char *what)
{
    fprintf(stderr, "warp-up: %s: the run ends here\n", what);
    if (connection_lost != NULL) connection_lost();
    _exit(2);
}

static int64_t ns_of(const struct timespec *time)
{
    return time->tv_sec * INT64_C(1000000000) + time->tv_nsec;
}

int64_t connection_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return ns_of(&time);
}

/* How long ago the kernel stamped a message: a busy machine may let it lie for milliseconds. */
static int64_t age_of(const struct timespec *stamp)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int64_t age = ns_of(&now) - ns_of(stamp);
    return age > 0 ? age : 0;
}

bool connection_open(int socket, int box)
{
    struct stat status;
    int on = 1;
    if (fstat(box, &status) != 0 || status.st_size < BOX_BYTES_MIN) return false;
    if (setsockopt(socket, SOL_SOCKET, SO_PASSCRED, &on, sizeof on) != 0) return false;
    setsockopt(socket, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on); /* not every kernel has it */
    link_.box_bytes = (size_t)status.st_size;
    link_.box = mmap(NULL, link_.box_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, box, 0);
    close(box);
    link_.socket = socket;
    return link_.box != MAP_FAILED;
}

unsigned char *connection_box(size_t *bytes)
{
    *bytes = link_.box_bytes;
    return link_.box;
}

void connection_shut(void)
{
    shutdown(link_.socket, SHUT_RDWR);
}

pid_t connection_program(void)
{
    return link_.program;
}

int64_t connection_sent(void)
{
    return link_.sent;
}

/* The sender's process, the time at which it sent the message, and the descriptor that came with
 * it. */
static void read_control(struct msghdr *header, pid_t *sender, struct message *message)
{
    for (struct cmsghdr *one = CMSG_FIRSTHDR(header); one != NULL; one = CMSG_NXTHDR(header, one)) {
        if (one->cmsg_level != SOL_SOCKET) continue;
        if (one->cmsg_type == SCM_CREDENTIALS) {
            struct ucred credentials;
            memcpy(&credentials, CMSG_DATA(one), sizeof credentials);
            *sender = credentials.pid;
        } else if (one->cmsg_type == SCM_TIMESTAMPNS) {
            struct timespec stamp;
            memcpy(&stamp, CMSG_DATA(one), sizeof stamp);
            message->sent -= age_of(&stamp);
        } else if (one->cmsg_type == SCM_RIGHTS) {
            int files[CONNECTION_FILES + 1];
            size_t count = (one->cmsg_len - CMSG_LEN(0)) / sizeof files[0];
            memcpy(files, CMSG_DATA(one), one->cmsg_len - CMSG_LEN(0));
            for (size_t i = 1; i < count; i++)
                close(files[i]);
            if (count > 0) message->file = files[0];
        }
    }
}

static bool receive(struct message *message, pid_t *sender, size_t *bytes)
{
    union {
        char bytes[CMSG_SPACE(sizeof(struct ucred)) + CMSG_SPACE(sizeof(struct timespec)) +
                   CMSG_SPACE(CONNECTION_FILES * sizeof(int))];
        struct cmsghdr align;
    } control;
    struct iovec parts[] = {{&message->request, sizeof message->request},
                            {message->payload, sizeof message->payload}};
    struct msghdr header = {.msg_iov = parts,
                            .msg_iovlen = 2,
                            .msg_control = &control,
                            .msg_controllen = sizeof control};
    ssize_t length;
    do
        length = recvmsg(link_.socket, &header, MSG_CMSG_CLOEXEC);
    while (length < 0 && errno == EINTR);
    if (length <= 0) return false;
    message->received = message->sent = connection_now();
    message->file = -1;
    *sender = 0;
    *bytes = (size_t)length;
    read_control(&header, sender, message);
    if (header.msg_flags & (MSG_TRUNC | MSG_CTRUNC))
        connection_refuse("a message to the GPU is too long");
    return true;
}

/* A script may start several programs; the first one has the GPU. */
static bool is_late_greeting(const struct message *message, pid_t sender, size_t bytes)
{
    return sender != link_.program && bytes == sizeof message->request &&
           message->request.call == WIRE_hello;
}

bool connection_receive(struct message *message)
{
    static const struct wire_reply unavailable = {.error = UNAVAILABLE};
    pid_t sender;
    size_t bytes;
    for (;;) {
        if (!receive(message, &sender, &bytes)) return false;
        if (link_.program == 0) link_.program = sender;
        if (!is_late_greeting(message, sender, bytes)) break;
        if (message->file >= 0) close(message->file);
        connection_send(&unavailable, NULL, NULL, -1);
    }
    if (sender != link_.program) connection_refuse("another process speaks to the program's GPU");
    if (bytes < sizeof message->request ||
        bytes != sizeof message->request + message->request.payload)
        connection_refuse("a message to the GPU has a wrong size");
    if (message->request.call >= WIRE_CALLS)
        connection_refuse("the GPU does not know a call of the program");
    return true;
}

void connection_send(const struct wire_reply *reply, const struct wire_action *actions,
                     const void *answer, int file)
{
    struct iovec parts[] = {{(void *)(uintptr_t)reply, sizeof *reply},
                            {(void *)(uintptr_t)actions, reply->actions * sizeof *actions},
                            {(void *)(uintptr_t)answer, reply->payload}};
    struct msghdr header = {.msg_iov = parts, .msg_iovlen = 3};
    union {
        char bytes[CMSG_SPACE(sizeof file)];
        struct cmsghdr align;
    } control;
    if (file >= 0) {
        header.msg_control = &control;
        header.msg_controllen = sizeof control;
        control.align = (struct cmsghdr){CMSG_LEN(sizeof file), SOL_SOCKET, SCM_RIGHTS};
        memcpy(CMSG_DATA(&control.align), &file, sizeof file);
    }
    link_.sent = connection_now();
    ssize_t sent;
    do
        sent = sendmsg(link_.socket, &header, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    /* A program that has ended is noticed by the next connection_receive(). */
}
