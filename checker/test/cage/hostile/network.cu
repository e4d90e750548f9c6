// Calls a server on this machine, by its address and by a name without a file.
#include <arpa/inet.h>
#include <cstdlib>
#include <cstring>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main()
{
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(47123);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    sockaddr_un name = {AF_UNIX, "\0warpup-canary"};
    const socklen_t length = offsetof(sockaddr_un, sun_path) + sizeof "warpup-canary";
    if (connect(socket(AF_INET, SOCK_STREAM, 0), (sockaddr *)&address, sizeof address) == 0) _Exit(77);
    if (connect(socket(AF_UNIX, SOCK_STREAM, 0), (sockaddr *)&name, length) == 0) _Exit(77);
    return 1;
}
