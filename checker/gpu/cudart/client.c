/* client.c: see client.h. */
#define _GNU_SOURCE
#include "gpu/cudart/client.h"

#include "gpu/cudart/actions.h"
#include "gpu/cudart/lock.h"

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    DEPTH_MAX = 16,
    FRAMES_MAX = 64,
    WAIT_SECONDS = 2,
    ACTIONS_BYTES = 256 * sizeof(struct wire_action)
};

/* A reply as it arrives. A call may be made while another one's reply is at work, so there are a
 * few. */
struct incoming {
    struct wire_reply reply;
    unsigned char rest[ACTIONS_BYTES + WIRE_PAYLOAD];
};

static struct {
    int socket;    /* -1: there is no GPU */
    pid_t process; /* that is connected */
    bool child;    /* started by its GPU */
    uint64_t base, bytes;
    uintptr_t low, high;  /* the program's code and data */
    bool used[DEPTH_MAX]; /* of `replies` */
    bool called;          /* the program has made a call of CUDA */
    bool forked_early;    /* the parent of this process had made none */
} client = {.socket = -1};

static struct incoming replies[DEPTH_MAX];

static __thread uint64_t thread_number;
static __thread bool exchanging; /* between a request and its reply */

bool client_is_connected(void)
{
    return client.socket >= 0 && getpid() == client.process;
}

bool client_is_child(void)
{
    return client.child;
}

bool client_is_gpu_address(const void *address)
{
    return (uint64_t)(uintptr_t)address - client.base < client.bytes;
}

bool client_is_program(const void *pc)
{
    return (uintptr_t)pc >= client.low && (uintptr_t)pc < client.high;
}

/* ---- messages ------------------------------------------------------------------------------- */

static _Noreturn void gpu_has_ended(void)
{
    static const char text[] = "warp-up: the simulated GPU has ended\n";
    /* If it ends immediately, it has said why. */
    if (client.bytes > 0 && write(2, text, sizeof text - 1) < 0) errno = 0;
    end_quickly(2);
}

static void send_request(const struct wire_request *request, const struct span *payload, int file)
{
    struct iovec parts[1 + WIRE_SPANS] = {{(void *)(uintptr_t)request, sizeof *request}};
    struct msghdr header = {.msg_iov = parts, .msg_iovlen = 1};
    for (int i = 0; payload != NULL && i < WIRE_SPANS; i++)
        if (payload[i].bytes > 0)
            parts[header.msg_iovlen++] =
                (struct iovec){(void *)(uintptr_t)payload[i].data, payload[i].bytes};
    union {
        char bytes[CMSG_SPACE(sizeof file)];
        struct cmsghdr align;
    } control = {{0}};
    if (file >= 0) {
        header.msg_control = &control;
        header.msg_controllen = sizeof control;
        control.align = (struct cmsghdr){CMSG_LEN(sizeof file), SOL_SOCKET, SCM_RIGHTS};
        memcpy(CMSG_DATA(&control.align), &file, sizeof file);
    }
    ssize_t sent;
    do
        sent = sendmsg(client.socket, &header, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    if (sent < 0) gpu_has_ended();
}

static void receive_reply(struct incoming *incoming)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control;
    struct iovec part = {incoming, sizeof *incoming};
    struct msghdr header = {.msg_iov = &part,
                            .msg_iovlen = 1,
                            .msg_control = &control,
                            .msg_controllen = sizeof control};
    ssize_t length;
    do
        length = recvmsg(client.socket, &header, MSG_CMSG_CLOEXEC);
    while (length < 0 && errno == EINTR);
    if (length < (ssize_t)sizeof incoming->reply) gpu_has_ended();
    struct cmsghdr *file = CMSG_FIRSTHDR(&header);
    if (file != NULL && file->cmsg_type == SCM_RIGHTS) {
        int number;
        memcpy(&number, CMSG_DATA(file), sizeof number);
        actions_take_file(number);
    }
}

static int free_slot(void)
{
    for (int i = 0; i < DEPTH_MAX; i++)
        if (!client.used[i]) {
            client.used[i] = true;
            return i;
        }
    gpu_has_ended(); /* calls in calls in calls */
}

static void store_answer(struct remote *remote, const unsigned char *answer, size_t left)
{
    for (int i = 0; i < WIRE_SPANS && left > 0; i++) {
        if (remote->answer[i].target == NULL) continue;
        size_t bytes = left < remote->answer[i].bytes ? left : remote->answer[i].bytes;
        memcpy(remote->answer[i].target, answer, bytes);
        answer += bytes;
        left -= bytes;
    }
}

/* Sends the request and does what its replies ask for, until the last one. The lock is held. */
static cudaError_t exchange(struct remote *remote, int file)
{
    struct wire_request again = {.call = WIRE_go_on, .thread = remote->request.thread};
    int slot = free_slot();
    struct incoming *incoming = &replies[slot];
    exchanging = true;
    send_request(&remote->request, remote->payload, file);
    for (;;) {
        receive_reply(incoming);
        exchanging = false;
        const unsigned char *answer = actions_do(incoming->rest, incoming->reply.actions);
        if (!incoming->reply.unfinished) {
            store_answer(remote, answer, incoming->reply.payload);
            break;
        }
        exchanging = true;
        send_request(&again, NULL, -1);
    }
    client.used[slot] = false;
    memcpy(remote->result, incoming->reply.result, sizeof remote->result);
    return (cudaError_t)incoming->reply.error;
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* SIZE_MAX: more than a message can have. */
static size_t payload_bytes(const struct remote *remote)
{
    size_t bytes = 0;
    for (int i = 0; i < WIRE_SPANS; i++) {
        if (remote->payload[i].bytes > WIRE_PAYLOAD - bytes) return SIZE_MAX;
        bytes += remote->payload[i].bytes;
    }
    return bytes;
}

/* The return address, and those of its callers in the program if the call comes from a library. */
static void fill_frames(uint64_t frames[WIRE_FRAMES], const void *pc)
{
    void *all[FRAMES_MAX];
    frames[0] = (uintptr_t)pc;
    if (pc == NULL || client_is_program(pc)) return;
    int count = backtrace(all, FRAMES_MAX), found = 0;
    for (int i = 0; i < count && found < WIRE_FRAMES; i++)
        if (client_is_program(all[i])) frames[found++] = (uintptr_t)all[i];
}

static cudaError_t call_locked(struct remote *remote, enum wire_call call, int file)
{
    int error_number = errno;
    if (thread_number == 0) thread_number = (uint64_t)gettid();
    remote->request.call = call;
    remote->request.payload = (uint32_t)payload_bytes(remote);
    remote->request.thread = thread_number;
    cudaError_t error = exchange(remote, file);
    errno = error_number;
    return error;
}

/* A child that was forked before the first call of CUDA gets a GPU of its own with its first call.
 */
static bool start_own_gpu(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    if (client.forked_early) begin_alone();
    client.forked_early = false;
    pthread_mutex_unlock(&lock);
    return client_is_connected();
}

cudaError_t client_call(struct remote *remote, enum wire_call call, const void *pc)
{
    if (!client_is_connected() && !start_own_gpu()) return cudaErrorInitializationError;
    if (call != WIRE_clock_read && call != WIRE_slept) client.called = true;
    if (payload_bytes(remote) == SIZE_MAX) return cudaErrorInvalidValue;
    fill_frames(remote->request.frame, pc);
    lock_take(true);
    cudaError_t error = call_locked(remote, call, -1);
    lock_release();
    return error;
}

bool client_call_last(struct remote *remote, enum wire_call call, const void *pc, bool patience)
{
    if (!client_is_connected() || exchanging) return false;
    fill_frames(remote->request.frame, pc);
    if (!lock_take(patience)) return false;
    call_locked(remote, call, -1);
    lock_release();
    return true;
}

/* ---- the connection ------------------------------------------------------------------------- */

/* The parts of the program's file in memory: it is the first object. */
static int take_program(struct dl_phdr_info *info, size_t size, void *bias)
{
    (void)size;
    *(uint64_t *)bias = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + part->p_vaddr;
        if (part->p_type != PT_LOAD) continue;
        if (client.low == 0 || begin < client.low) client.low = begin;
        if (begin + part->p_memsz > client.high) client.high = begin + part->p_memsz;
    }
    return 1;
}

static void leave(void)
{
    if (client.socket < 0) return;
    close(client.socket);
    client.socket = -1;
    actions_leave(client.base, client.bytes);
    if (client.called) return;
    munmap((void *)(uintptr_t)client.base, client.bytes);
    thread_number = 0;
}

/* In a child that the program has forked */
static void leave_parent(void)
{
    client.forked_early = client.socket >= 0 && !client.called;
    leave();
}

static bool reserve(const struct remote *remote)
{
    client.base = remote->result[0];
    client.bytes = remote->result[1];
    void *wanted = (void *)(uintptr_t)client.base;
    void *got = mmap(wanted, client.bytes, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == wanted) return true;
    if (got != MAP_FAILED) munmap(got, client.bytes);
    return false;
}

/* The first messages, in which both agree on the GPU's addresses. */
static bool greet(uint64_t bias)
{
    struct remote remote = {.request.argument = {bias}};
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    cudaError_t error = call_locked(&remote, WIRE_hello, file);
    if (file >= 0) close(file);
    while (error == cudaSuccess && !reserve(&remote))
        error = call_locked(&remote, WIRE_reserve, -1);
    return error == cudaSuccess;
}

bool client_connect(int socket, int box, bool child)
{
    struct stat status;
    uint64_t bias = 0;
    if (fstat(box, &status) != 0) return false;
    void *memory = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, box, 0);
    close(box);
    if (memory == MAP_FAILED) return false;
    fcntl(socket, F_SETFD, FD_CLOEXEC);
    if (client.process == 0) pthread_atfork(NULL, NULL, leave_parent);
    actions_begin(memory);
    dl_iterate_phdr(take_program, &bias);
    client.socket = socket;
    client.process = getpid();
    client.child = child;
    if (greet(bias)) return true;
    leave();
    return false;
}
