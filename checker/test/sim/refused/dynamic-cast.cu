struct a { virtual __device__ void f() { } };
struct b : a { };
__global__ void k(a *p)
{
    b *q = dynamic_cast<b *>(p); // refused
    if (q) p->f();
}
int main() { k<<<1, 1>>>(nullptr); }
