// A program of 8 TB.
static char zeros[1ul << 43] = {1};
int main()
{
    return zeros[1ul << 40];
}
