// A file without an end.
#include "/dev/zero"
int main() {}
