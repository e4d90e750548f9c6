// Leaves directories inside of directories, which are hard to remove.
#include <sys/stat.h>
#include <unistd.h>

int main()
{
    for (int i = 0; i < 5000; i++)
        if (mkdir("d", 0700) != 0 || chdir("d") != 0) break;
    chmod(".", 0);
    return 1;
}
