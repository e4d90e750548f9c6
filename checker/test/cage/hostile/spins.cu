// Computes for ever.
int main()
{
    for (volatile int i = 0;; i = i + 1)
        continue;
}
