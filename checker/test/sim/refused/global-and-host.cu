__host__ __global__ void k() { } // refused
int main() { }
