// Since Volta, the lanes of a warp do not run in step: warp functions take a mask.
__global__ void add_up(float *y)
{
    y[0] += __shfl_down(y[0], 16); // refused
}

int main()
{
    add_up<<<1, 32>>>(nullptr);
}
