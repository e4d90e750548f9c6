// Keeps the compiler busy with types that need twice as many types.
template <unsigned depth, unsigned path> struct tree {
    static constexpr unsigned value = tree<depth - 1, path * 2>::value + tree<depth - 1, path * 2 + 1>::value;
};
template <unsigned path> struct tree<0, path> {
    static constexpr unsigned value = path;
};
int main()
{
    return tree<30, 1>::value;
}
