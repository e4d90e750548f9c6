#include <typeinfo>
struct a { virtual __device__ void f() { } };
__global__ void k(a *p, int *n)
{
    *n = typeid(*p) == typeid(a); // refused
}
int main() { k<<<1, 1>>>(nullptr, nullptr); }
