__global__ void k()
{
    __constant__ int c; // refused
}
int main() { k<<<1, 1>>>(); }
