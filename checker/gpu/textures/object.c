/* object.c: see object.h. Objects are numbered from 1; each number is used again after its object
 * was destroyed. */
#include "gpu/textures/object.h"

enum { OBJECTS = 4096 };

static struct {
    bool live;
    struct texture_object object;
} objects[OBJECTS];

const struct texture_object *texture_find(uint64_t number, bool surface)
{
    bool there = number > 0 && number <= OBJECTS && objects[number - 1].live &&
                 objects[number - 1].object.surface == surface;
    return there ? &objects[number - 1].object : NULL;
}

uint64_t texture_add(const struct texture_object *object)
{
    for (size_t i = 0; i < OBJECTS; i++) {
        if (objects[i].live) continue;
        objects[i].object = *object;
        objects[i].live = true;
        return i + 1;
    }
    return 0;
}

bool texture_drop(uint64_t number, bool surface)
{
    if (texture_find(number, surface) == NULL) return false;
    objects[number - 1].live = false;
    return true;
}

/* Parts of 8, 16 or 32 bits: one, two or four of the same size */
size_t format_bytes(const cudaChannelFormatDesc *format)
{
    int bits = format->x, count = 1 + (format->y != 0) + (format->z != 0) + (format->w != 0);
    bool same = (format->y == 0 || format->y == bits) && (format->z == 0 || format->z == bits) &&
                (format->w == 0 || format->w == bits);
    bool in_order = (format->y != 0 || format->z == 0) && (format->z != 0) == (format->w != 0);
    bool valid = (bits == 8 && format->f != cudaChannelFormatKindFloat) || bits == 16 || bits == 32;
    if (!valid || !same || !in_order || format->f == cudaChannelFormatKindNone) return 0;
    return (size_t)(count * bits / 8);
}
