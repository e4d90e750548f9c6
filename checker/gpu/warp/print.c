/*
 * print.c: printf in kernels. The format and its arguments are in the GPU's memory; each conversion
 * is handed to this machine's snprintf with its own argument. The text is printed after the kernel,
 * in the order of blocks.
 */
#include "gpu/memory/memory.h"
#include "gpu/warp/control.h"
#include "gpu/warp/log.h"
#include "gpu/warp/natives.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- what a lane's pointer points to, without counting it ----------------------------------- */

static bool peek(const struct warp *warp, uint32_t lane, uint64_t address, void *to, size_t bytes)
{
    const struct control *control = warp->control;
    unsigned char *byte = to;
    for (size_t i = 0; i < bytes; i++, address++) {
        if (address - SHARED_WINDOW < warp->block->run->shared_bytes)
            byte[i] = warp->block->shared[address - SHARED_WINDOW];
        else if (address - LOCAL_WINDOW < control->local_bytes)
            byte[i] = control->local[((address - LOCAL_WINDOW) / 4 * LANES + lane) * 4 +
                                     (address - LOCAL_WINDOW) % 4];
        else if (memory_owns((const void *)(uintptr_t)address))
            byte[i] = *(const unsigned char *)(uintptr_t)address;
        else
            return false;
    }
    return true;
}

bool peek_text(const struct warp *warp, uint32_t lane, uint64_t address, char *text, size_t room)
{
    size_t length = 0;
    while (length + 1 < room) {
        if (!peek(warp, lane, address + length, &text[length], 1)) break;
        if (text[length] == '\0') return true;
        length++;
    }
    text[length] = '\0';
    return length > 0;
}

/* ---- printf --------------------------------------------------------------------------------- */

/* One conversion: "%", flags, width and precision as numbers, and what comes after them. */
struct conversion {
    char form[64]; /* without length modifier and letter */
    bool is_long;  /* of 8 bytes */
    char letter;
};

struct arguments {
    struct warp *warp;
    uint32_t lane;
    uint64_t at;
    uint32_t count;
    bool failed;
};

static uint64_t next_argument(struct arguments *arguments, uint32_t bytes)
{
    uint64_t value = 0;
    arguments->at = (arguments->at + bytes - 1) / bytes * bytes;
    if (!peek(arguments->warp, arguments->lane, arguments->at, &value, bytes))
        arguments->failed = true;
    arguments->at += bytes;
    arguments->count++;
    return value;
}

/* Reads a conversion after its "%". Returns what comes after it. */
static const char *read_conversion(const char *text, struct conversion *conversion,
                                   struct arguments *arguments)
{
    size_t length = 1;
    memset(conversion, 0, sizeof *conversion);
    conversion->form[0] = '%';
    for (; *text != '\0' && strchr("-+ #0123456789.*", *text) != NULL; text++) {
        if (length + 16 > sizeof conversion->form) continue;
        if (*text == '*') {
            int number = (int)next_argument(arguments, 4);
            length += (size_t)snprintf(conversion->form + length, 13, "%d", number);
        } else
            conversion->form[length++] = *text;
    }
    for (; *text != '\0' && strchr("hlLqjzt", *text) != NULL; text++)
        conversion->is_long = conversion->is_long || *text != 'h';
    conversion->letter = *text;
    return *text != '\0' ? text + 1 : text;
}

/* One argument as text. */
static int convert(const struct conversion *one, struct arguments *arguments, char *to, size_t room)
{
    char form[80], text[1024];
    if (strchr("eEfFgGaA", one->letter) != NULL) {
        uint64_t bits = next_argument(arguments, 8);
        double value;
        memcpy(&value, &bits, sizeof value);
        snprintf(form, sizeof form, "%s%c", one->form, one->letter);
        return snprintf(to, room, form, value);
    }
    if (one->letter == 's') {
        uint64_t address = next_argument(arguments, 8);
        snprintf(form, sizeof form, "%ss", one->form);
        if (address == 0)
            snprintf(text, sizeof text, "(null)");
        else if (!peek_text(arguments->warp, arguments->lane, address, text, sizeof text))
            text[0] = '\0';
        return snprintf(to, room, form, text);
    }
    if (one->letter == 'p') {
        snprintf(form, sizeof form, "%sp", one->form);
        return snprintf(to, room, form, (void *)(uintptr_t)next_argument(arguments, 8));
    }
    if (one->letter == '\0' || strchr("dicouxX", one->letter) == NULL)
        return snprintf(to, room, "%s%c", one->form, one->letter);
    if (one->is_long) {
        snprintf(form, sizeof form, "%sll%c", one->form, one->letter);
        return snprintf(to, room, form, (long long)next_argument(arguments, 8));
    }
    snprintf(form, sizeof form, "%s%c", one->form, one->letter);
    return snprintf(to, room, form, (int)next_argument(arguments, 4));
}

int print_formatted(struct warp *warp, uint32_t lane, const char *format, uint64_t at)
{
    struct arguments arguments = {.warp = warp, .lane = lane, .at = at};
    struct log *log = warp->block->log;
    while (*format != '\0') {
        size_t plain = strcspn(format, "%");
        log_print(log, format, plain);
        format += plain;
        if (*format == '\0') break;
        if (format[1] == '%') {
            log_print(log, "%", 1);
            format += 2;
            continue;
        }
        struct conversion conversion;
        char text[2048];
        format = read_conversion(format + 1, &conversion, &arguments);
        int length = convert(&conversion, &arguments, text, sizeof text);
        if (length < 0 || arguments.failed) return -1;
        log_print(log, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
    }
    return (int)arguments.count;
}
