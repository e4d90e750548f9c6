__global__ int k() { return 1; } // refused
int main() { k<<<1, 1>>>(); }
