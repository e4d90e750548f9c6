#include <vector>
__global__ void k(int *n)
{
    std::vector<int> v(3); // refused
    *n = v[0];
}
int main() { k<<<1, 1>>>(nullptr); }
