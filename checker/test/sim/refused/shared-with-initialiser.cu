__global__ void k()
{
    __shared__ int n = 1; // refused
}
int main() { k<<<1, 1>>>(); }
