#include "../ex01_axpy/solutions/series"
int main() {}
