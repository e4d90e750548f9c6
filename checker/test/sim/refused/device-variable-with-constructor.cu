struct s { int n; __device__ s() : n(1) { } };
__device__ s one; // refused
int main() { }
