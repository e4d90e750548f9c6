/*
 * raw.c: a program that speaks to its GPU without libcudart.so, as an attacker would. It is started
 * by build/gpu, and its first argument says what it sends. It prints what came back.
 */
#define _GNU_SOURCE
#include "gpu/wire/calls.h"
#include "gpu/wire/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int connection;
static uint64_t last_result;

/* Sends `bytes` bytes from the request on; prints the error of the reply and its first result. */
static void say(struct wire_request *request, size_t bytes)
{
    static struct {
        struct wire_reply reply;
        char rest[1 << 17];
    } answer;
    if (send(connection, request, bytes, MSG_NOSIGNAL) < 0) {
        printf("cannot send\n");
        exit(0);
    }
    ssize_t length = recv(connection, &answer, sizeof answer, 0);
    if (length <= 0) {
        printf("closed\n");
        exit(0);
    }
    printf("error %d\n", answer.reply.error);
    last_result = answer.reply.result[0];
}

static void call(uint32_t number, uint64_t a, uint64_t b, uint64_t c)
{
    static struct wire_request request;
    request = (struct wire_request){.call = number, .thread = 1, .argument = {a, b, c}};
    say(&request, sizeof request);
}

/* Reads the clock, works for 0.1 s, and reads it again, as another thread says that it is. Prints
 * what the GPU believes, in ms. */
static void lie(uint64_t thread)
{
    struct wire_request request = {
        .call = WIRE_clock_read, .thread = (uint64_t)gettid(), .argument = {1}};
    say(&request, sizeof request);
    uint64_t before = last_result;
    for (clock_t begin = clock(); clock() - begin < CLOCKS_PER_SEC / 10;)
        continue;
    request.thread = thread;
    say(&request, sizeof request);
    printf("ms %lu\n", (unsigned long)((last_result - before) / 1000000));
}

int main(int argc, char **argv)
{
    struct {
        struct wire_request request;
        char payload[1 << 17];
    } big = {{0}, {0}};
    const char *what = argc > 1 ? argv[1] : "";
    if (sscanf(getenv(WIRE_ENVIRONMENT), "%d", &connection) != 1) return 2;
    setvbuf(stdout, NULL, _IONBF, 0);
    if (strcmp(what, "short") == 0) say(&big.request, 10);
    if (strcmp(what, "long") == 0) say(&big.request, sizeof big);
    if (strcmp(what, "size") == 0) {
        big.request.payload = 1000;
        say(&big.request, sizeof big.request + 10);
    }
    if (strcmp(what, "number") == 0) call(100000, 0, 0, 0);
    if (strcmp(what, "before") == 0) call(WIRE_cudaMalloc, 1, 64, 0);
    call(WIRE_hello, 0, 0, 0);
    if (strcmp(what, "twice") == 0) call(WIRE_hello, 0, 0, 0);
    if (strcmp(what, "go") == 0) call(WIRE_go_on, 0, 0, 0);
    if (strcmp(what, "honest") == 0) lie((uint64_t)gettid());
    if (strcmp(what, "other") == 0) lie(12345678);
    if (strcmp(what, "handles") == 0) {
        call(WIRE_cudaFree, 0x123456789, 0, 0);
        call(WIRE_cudaStreamSynchronize, 0x123456789, 0, 0);
        call(WIRE_cudaEventRecord, 0x123456789, 0, 0);
        call(WIRE_cudaGraphLaunch, 0x123456789, 0, 0);
        call(WIRE_cudaGraphDestroy, 0x123456789, 0, 0);
        call(WIRE_cudaFreeArray, 0x123456789, 0, 0);
        call(WIRE_cudaDestroyTextureObject, 0x123456789, 0, 0);
        call(WIRE_cudaLaunchKernel, 0x123456789, 1, 0);
        call(WIRE_cudaMemcpyToSymbol, 0x123456789, 1, 0);
        call(WIRE_parameters, 0x123456789, 1, 0);
        call(WIRE_clock_read, 12345, 1, 0);
        call(WIRE_touched, 0, 1, 0);
    }
    if (strcmp(what, "every") == 0) {
        srand(argc > 2 ? atoi(argv[2]) : 1);
        for (uint32_t i = 0; i < 2000; i++) {
            uint32_t number = 8 + (uint32_t)rand() % (WIRE_CALLS - 8);
            big.request = (struct wire_request){
                .call = number, .thread = 1, .payload = (uint32_t)rand() % 300};
            for (int k = 0; k < WIRE_ARGUMENTS; k++)
                big.request.argument[k] = (uint64_t)rand() % 5;
            if (number == WIRE_go_on || number == WIRE_finished) continue;
            if (send(connection, &big, sizeof big.request + big.request.payload, MSG_NOSIGNAL) < 0)
                break;
            struct wire_reply *reply = (void *)big.payload;
            while (recv(connection, big.payload, sizeof big.payload, 0) > 0 && reply->unfinished) {
                struct wire_request again = {.call = WIRE_go_on, .thread = 1};
                if (send(connection, &again, sizeof again, MSG_NOSIGNAL) < 0) break;
            }
        }
    }
    printf("end\n");
    return 0;
}
