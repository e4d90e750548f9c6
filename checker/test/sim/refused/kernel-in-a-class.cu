struct s {
    __global__ void k() { } // refused
};
int main() { }
