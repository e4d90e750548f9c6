__global__ void k(int n) { }
int main()
{
    k<<<1, 1>>>(1, 2); // refused
}
