/*
 * canary.c: what hostile programs look for while they are checked: a process, a server on port 47123, and one at an
 * address without a file. It ends when its standard input does.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(47123)};
    struct sockaddr_un name = {AF_UNIX, "\0warpup-canary"};
    socklen_t length = offsetof(struct sockaddr_un, sun_path) + sizeof "warpup-canary";
    int one = 1, port = socket(AF_INET, SOCK_STREAM, 0), local = socket(AF_UNIX, SOCK_STREAM, 0);
    char byte;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(port, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(port, (struct sockaddr *)&address, sizeof address) != 0 || listen(port, 9) != 0) return 1;
    if (bind(local, (struct sockaddr *)&name, length) != 0 || listen(local, 9) != 0) return 1;
    while (read(0, &byte, 1) > 0)
        continue;
    return 0;
}
