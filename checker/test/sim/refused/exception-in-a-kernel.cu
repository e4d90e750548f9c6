__global__ void k()
{
    throw 1; // refused
}
int main() { k<<<1, 1>>>(); }
