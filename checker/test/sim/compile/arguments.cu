__global__ void k(int n, float *x) { x[n] = 1; }

int main()
{
    float *x;
    k<<<1, 1>>>(x, 3);
}
