__device__ void f(int n) { }
int main()
{
    f<<<1, 1>>>(1); // refused
}
