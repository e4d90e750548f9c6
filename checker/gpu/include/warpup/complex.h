/*
 * complex.h: the complex numbers of libcu++ and of thrust, for the host and for kernels. One is
 * aligned like a vector of two members, so that a kernel moves it with one access. Each of the two
 * has a type of its own: thrust/complex.h and cuda/std/complex include this file inside of their
 * namespace.
 */
template <class T> class alignas(2 * sizeof(T)) complex
{
    T real_, imag_;

  public:
    typedef T value_type;

#ifdef __CUDA_ARCH__ /* as vectors are copied (vector_types.h) */
    complex(const complex &) = default;
    WARPUP_MEMBER complex &operator=(const complex &z)
    {
        T re = z.real_, im = z.imag_;
        real_ = re, imag_ = im;
        return *this;
    }
#endif

    WARPUP_MEMBER constexpr complex(const T &real = T(), const T &imag = T())
        : real_(real), imag_(imag)
    {
    }
    template <class U>
    WARPUP_MEMBER constexpr complex(const complex<U> &z) : real_(T(z.real())), imag_(T(z.imag()))
    {
    }
    WARPUP_MEMBER constexpr T real() const { return real_; }
    WARPUP_MEMBER constexpr T imag() const { return imag_; }
    WARPUP_MEMBER constexpr void real(T value) { real_ = value; }
    WARPUP_MEMBER constexpr void imag(T value) { imag_ = value; }
    WARPUP_MEMBER complex &operator+=(const complex &z) { return *this = *this + z; }
    WARPUP_MEMBER complex &operator-=(const complex &z) { return *this = *this - z; }
    WARPUP_MEMBER complex &operator*=(const complex &z) { return *this = *this * z; }
    WARPUP_MEMBER complex &operator/=(const complex &z) { return *this = *this / z; }
    friend WARPUP_MEMBER constexpr complex operator+(const complex &a, const complex &b)
    {
        return complex(a.real_ + b.real_, a.imag_ + b.imag_);
    }
    friend WARPUP_MEMBER constexpr complex operator-(const complex &a, const complex &b)
    {
        return complex(a.real_ - b.real_, a.imag_ - b.imag_);
    }
    friend WARPUP_MEMBER constexpr complex operator*(const complex &a, const complex &b)
    {
        return complex(a.real_ * b.real_ - a.imag_ * b.imag_,
                       a.real_ * b.imag_ + a.imag_ * b.real_);
    }
    friend WARPUP_MEMBER constexpr complex operator/(const complex &a, const complex &b)
    {
        T square = b.real_ * b.real_ + b.imag_ * b.imag_;
        return complex((a.real_ * b.real_ + a.imag_ * b.imag_) / square,
                       (a.imag_ * b.real_ - a.real_ * b.imag_) / square);
    }
    friend WARPUP_MEMBER constexpr complex operator+(const complex &z) { return z; }
    friend WARPUP_MEMBER constexpr complex operator-(const complex &z)
    {
        return complex(-z.real_, -z.imag_);
    }
    friend WARPUP_MEMBER constexpr bool operator==(const complex &a, const complex &b)
    {
        return a.real_ == b.real_ && a.imag_ == b.imag_;
    }
    friend WARPUP_MEMBER constexpr bool operator!=(const complex &a, const complex &b)
    {
        return !(a == b);
    }
};

template <class T> WARPUP_BOTH constexpr T real(const complex<T> &z) { return z.real(); }
template <class T> WARPUP_BOTH constexpr T imag(const complex<T> &z) { return z.imag(); }
template <class T> WARPUP_BOTH constexpr T norm(const complex<T> &z)
{
    return z.real() * z.real() + z.imag() * z.imag();
}
template <class T> WARPUP_BOTH constexpr complex<T> conj(const complex<T> &z)
{
    return complex<T>(z.real(), -z.imag());
}
template <class T> WARPUP_BOTH T abs(const complex<T> &z)
{
    return ::std::hypot(z.real(), z.imag());
}
template <class T> WARPUP_BOTH T arg(const complex<T> &z)
{
    return ::std::atan2(z.imag(), z.real());
}
template <class T> WARPUP_BOTH complex<T> polar(const T &length, const T &angle = T())
{
    return complex<T>(length * ::std::cos(angle), length * ::std::sin(angle));
}
template <class T> WARPUP_BOTH complex<T> exp(const complex<T> &z)
{
    return polar(T(::std::exp(z.real())), z.imag());
}
