__global__ int main() { } // refused
