__global__ void k(int n, ...) { } // refused
int main() { k<<<1, 1>>>(1); }
