// The name of the file is put together.
#define TEXT(name) #name
#define FILE_OF(name) TEXT(/etc/name)
#include FILE_OF(shadow)
int main() {}
