__global__ void k() { }
int main()
{
    k(); // refused
}
