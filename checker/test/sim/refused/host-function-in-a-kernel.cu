void f() { }
__global__ void k()
{
    f(); // refused
}
int main() { k<<<1, 1>>>(); }
