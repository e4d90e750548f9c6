__global__ void k(int n, int *x)
{
    int a[n]; // refused
    a[0] = 1;
    x[0] = a[0];
}
int main() { k<<<1, 1>>>(1, nullptr); }
