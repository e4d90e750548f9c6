__global__ void k(float *x) { x[0] = y; }
int main() { k<<<1, 1>>>(nullptr); }
