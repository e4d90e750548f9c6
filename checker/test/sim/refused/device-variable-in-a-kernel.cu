__global__ void k()
{
    __device__ int c; // refused
}
int main() { k<<<1, 1>>>(); }
