int main()
{
    kernl<<<1, 1>>>(3);
    cudaMalocc(0, 3);
}
