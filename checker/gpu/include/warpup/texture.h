/*
 * texture.h: textures and surfaces of one and two dimensions, by their objects. Filters and address
 * modes are in the runtime (texture.c), which also announces the accesses.
 */
#ifndef WARPUP_TEXTURE_H
#define WARPUP_TEXTURE_H

#include "device.h"

#include <type_traits>

extern "C" {
/* The four parts of an element; `words` hold floats or integers. */
void warpup_texture_element(cudaTextureObject_t object, int index, uint32_t words[4]);
void warpup_texture_sample(cudaTextureObject_t object, int dimensions, float x, float y,
                           uint32_t words[4]);
/* Bytes from byte x of row y on. */
void warpup_surface_load(cudaSurfaceObject_t object, void *to, unsigned int bytes, int x, int y,
                         int boundary);
void warpup_surface_store(cudaSurfaceObject_t object, const void *from, unsigned int bytes, int x,
                          int y, int boundary);
}

namespace warpup
{

template <class C> WARPUP_INLINE C texel_part(uint32_t word)
{
    if constexpr (std::is_floating_point<C>::value)
        return (C) __builtin_bit_cast(float, word);
    else
        return (C)word;
}

/* The type of each part, how many a type has, and the type made of them */
template <class T> struct texel {
    static constexpr int parts = 1;
    typedef T part;
    static inline __attribute__((always_inline)) T make(const uint32_t w[4])
    {
        return texel_part<T>(w[0]);
    }
};
#define WARPUP_TEXELS(name, C)                                                                     \
    template <> struct texel<name##1> {                                                            \
        static constexpr int parts = 1;                                                            \
        typedef C part;                                                                            \
        static inline __attribute__((always_inline)) name##1 make(const uint32_t w[4])             \
        {                                                                                          \
            return {texel_part<C>(w[0])};                                                          \
        }                                                                                          \
    };                                                                                             \
    template <> struct texel<name##2> {                                                            \
        static constexpr int parts = 2;                                                            \
        typedef C part;                                                                            \
        static inline __attribute__((always_inline)) name##2 make(const uint32_t w[4])             \
        {                                                                                          \
            return {texel_part<C>(w[0]), texel_part<C>(w[1])};                                     \
        }                                                                                          \
    };                                                                                             \
    template <> struct texel<name##4> {                                                            \
        static constexpr int parts = 4;                                                            \
        typedef C part;                                                                            \
        static inline __attribute__((always_inline)) name##4 make(const uint32_t w[4])             \
        {                                                                                          \
            return {texel_part<C>(w[0]), texel_part<C>(w[1]), texel_part<C>(w[2]),                 \
                    texel_part<C>(w[3])};                                                          \
        }                                                                                          \
    };
WARPUP_TEXELS(char, signed char)
WARPUP_TEXELS(uchar, unsigned char)
WARPUP_TEXELS(short, short)
WARPUP_TEXELS(ushort, unsigned short)
WARPUP_TEXELS(int, int)
WARPUP_TEXELS(uint, unsigned int)
WARPUP_TEXELS(float, float)
#undef WARPUP_TEXELS

} // namespace warpup

WARPUP_INLINE cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                          cudaChannelFormatKind kind)
{
    return {x, y, z, w, kind};
}
template <class T> WARPUP_INLINE cudaChannelFormatDesc cudaCreateChannelDesc()
{
    typedef typename warpup::texel<T>::part part;
    const int bits = 8 * sizeof(part), parts = warpup::texel<T>::parts;
    return {bits, parts > 1 ? bits : 0, parts > 2 ? bits : 0, parts > 2 ? bits : 0,
            std::is_floating_point<part>::value ? cudaChannelFormatKindFloat
            : std::is_signed<part>::value       ? cudaChannelFormatKindSigned
                                                : cudaChannelFormatKindUnsigned};
}

template <class T> WARPUP_INLINE T tex1Dfetch(cudaTextureObject_t object, int index)
{
    uint32_t words[4];
    warpup_texture_element(object, index, words);
    return warpup::texel<T>::make(words);
}
template <class T> WARPUP_INLINE T tex1D(cudaTextureObject_t object, float x)
{
    uint32_t words[4];
    warpup_texture_sample(object, 1, x, 0, words);
    return warpup::texel<T>::make(words);
}
template <class T> WARPUP_INLINE T tex2D(cudaTextureObject_t object, float x, float y)
{
    uint32_t words[4];
    warpup_texture_sample(object, 2, x, y, words);
    return warpup::texel<T>::make(words);
}
template <class T> WARPUP_INLINE void tex1Dfetch(T *to, cudaTextureObject_t object, int index)
{
    *to = tex1Dfetch<T>(object, index);
}
template <class T> WARPUP_INLINE void tex1D(T *to, cudaTextureObject_t object, float x)
{
    *to = tex1D<T>(object, x);
}
template <class T> WARPUP_INLINE void tex2D(T *to, cudaTextureObject_t object, float x, float y)
{
    *to = tex2D<T>(object, x, y);
}

template <class T>
WARPUP_INLINE T surf2Dread(cudaSurfaceObject_t object, int x, int y,
                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)
{
    T value;
    warpup_surface_load(object, &value, sizeof value, x, y, mode);
    return value;
}
template <class T>
WARPUP_INLINE void surf2Dread(T *to, cudaSurfaceObject_t object, int x, int y,
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)
{
    *to = surf2Dread<T>(object, x, y, mode);
}
template <class T>
WARPUP_INLINE void surf2Dwrite(T value, cudaSurfaceObject_t object, int x, int y,
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)
{
    warpup_surface_store(object, &value, sizeof value, x, y, mode);
}
template <class T>
WARPUP_INLINE T surf1Dread(cudaSurfaceObject_t object, int x,
                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)
{
    return surf2Dread<T>(object, x, 0, mode);
}
template <class T>
WARPUP_INLINE void surf1Dread(T *to, cudaSurfaceObject_t object, int x,
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)
{
    *to = surf2Dread<T>(object, x, 0, mode);
}
template <class T>
WARPUP_INLINE void surf1Dwrite(T value, cudaSurfaceObject_t object, int x,
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)
{
    surf2Dwrite(value, object, x, 0, mode);
}

#endif
