__global__ void k(float2 *v) { v[0].z = 1; } // refused
int main() { k<<<1, 1>>>(nullptr); }
