/*
 * small_types.h: the types of small_floats.h, which includes this file: a number, a pair, and their
 * bits. As in NVIDIA's headers, every number converts to the type implicitly, and back.
 */
#define WARPUP_MEMBER __host__ __device__ WARPUP_HIDDEN
#define WARPUP_RAW    WARPUP_JOIN(WARPUP_SMALL, _, raw)
#define WARPUP_RAW2   WARPUP_JOIN(WARPUP_SMALL, 2_, raw)

/* The bits alone */
struct WARPUP_RAW {
    unsigned short x;
};
struct __align__(4) WARPUP_RAW2 { unsigned short x, y; };

struct __align__(2) WARPUP_SMALL
{
  protected:
    unsigned short __x;

  public:
    WARPUP_SMALL() = default;
    WARPUP_MEMBER constexpr WARPUP_SMALL(const WARPUP_RAW &raw) : __x(raw.x) {}
    WARPUP_MEMBER operator WARPUP_RAW() const { return {__x}; }
    WARPUP_MEMBER operator bool() const { return (__x & 0x7fff) != 0; }
    WARPUP_MEMBER operator float() const { return WARPUP_CONVERTED(to)(__x); }

#define WARPUP_OF(T)                                                                               \
    WARPUP_MEMBER WARPUP_SMALL(T value)                                                            \
        : __x(WARPUP_CONVERTED(from) < ::warpup::mode_rn > (::warpup::odd(value)))                 \
    {                                                                                              \
    }
#define WARPUP_TO(I)                                                                               \
    WARPUP_MEMBER operator I() const { return ::warpup::to_integer<I>(WARPUP_CONVERTED(to)(__x)); }
    WARPUP_OF(float)
    WARPUP_OF(double)
    WARPUP_OF(short)
    WARPUP_OF(unsigned short)
    WARPUP_OF(int)
    WARPUP_OF(unsigned int)
    WARPUP_OF(long)
    WARPUP_OF(unsigned long)
    WARPUP_OF(long long)
    WARPUP_OF(unsigned long long)
    WARPUP_TO(char)
    WARPUP_TO(signed char)
    WARPUP_TO(unsigned char)
    WARPUP_TO(short)
    WARPUP_TO(unsigned short)
    WARPUP_TO(int)
    WARPUP_TO(unsigned int)
    WARPUP_TO(long)
    WARPUP_TO(unsigned long)
    WARPUP_TO(long long)
    WARPUP_TO(unsigned long long)
#undef WARPUP_TO
#undef WARPUP_OF
};

/* Two of them, loaded and stored in one piece */
struct __align__(4) WARPUP_PAIR
{
    WARPUP_SMALL x, y;

    WARPUP_PAIR() = default;
    WARPUP_MEMBER WARPUP_PAIR(const WARPUP_SMALL &low, const WARPUP_SMALL &high) : x(low), y(high)
    {
    }
    WARPUP_MEMBER constexpr WARPUP_PAIR(const WARPUP_RAW2 &raw)
        : x(WARPUP_RAW{raw.x}), y(WARPUP_RAW{raw.y})
    {
    }
    WARPUP_MEMBER operator WARPUP_RAW2() const { return __builtin_bit_cast(WARPUP_RAW2, *this); }
};
#undef WARPUP_MEMBER
#undef WARPUP_RAW
#undef WARPUP_RAW2
