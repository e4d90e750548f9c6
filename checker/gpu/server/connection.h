/*
 * connection.h: the socket and the box that the GPU's process shares with the program. Every
 * message is checked here: its sender, its size, its call's number. One that is wrong ends the run.
 */
#ifndef WARPUP_CONNECTION_H
#define WARPUP_CONNECTION_H

#include "gpu/wire/wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { CONNECTION_FILES = 1 /* descriptors that a message may carry */ };

struct message {
    struct wire_request request;
    unsigned char payload[WIRE_PAYLOAD];
    int file; /* a descriptor that came with it; -1: none. The receiver closes it */
    int64_t received,
        sent; /* CLOCK_MONOTONIC, ns; sent: as the kernel knows it, else when received */
};

/* Takes both over. False: they are not a socket and a box. */
bool connection_open(int socket, int box);

/* Waits for the next message. False: the program has ended, or has closed its side. */
bool connection_receive(struct message *message);

/* Sends a reply with `actions` and `answer`, as reply->actions and reply->payload say, and a
 * descriptor (-1: none). */
void connection_send(const struct wire_reply *reply, const struct wire_action *actions,
                     const void *answer, int file);

/* CLOCK_MONOTONIC, ns: now, and when the last reply was sent. */
int64_t connection_now(void);
int64_t connection_sent(void);

/* The program's process; 0 before its first message. */
pid_t connection_program(void);

/* Nothing more can be received: connection_receive() returns false from now on. May be called by a
 * signal handler. */
void connection_shut(void);

unsigned char *connection_box(size_t *bytes);

/* Ends the run with one line on stderr: the program does not speak as cudart/ does. */
_Noreturn void connection_refuse(const char *what);

/* Called before the process ends because the connection is lost: the program must end too. */
extern void (*connection_lost)(void);

#endif
