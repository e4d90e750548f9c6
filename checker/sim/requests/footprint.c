/* footprint.c: see footprint.h. */
#include "sim/requests/footprint.h"

/* The index of the line in the footprint; print->count if it is new. */
static unsigned find_line(const struct footprint *print, uint64_t line)
{
    unsigned i = print->count;
    if (i == 0 || line > print->highest) return i; /* in most requests the addresses rise */
    while (i > 0 && print->line[i - 1] != line)
        i--;
    return i > 0 ? i - 1 : print->count;
}

void footprint_add(struct footprint *print, uint64_t offset, unsigned size)
{
    uint64_t line = offset / LINE_BYTES, words = (size + BANK_BYTES - 1) / BANK_BYTES;
    unsigned i = find_line(print, line);
    if (i == print->count) {
        if (i == 0 || line > print->highest) print->highest = line;
        print->line[i] = line;
        print->words[i] = 0;
        print->count++;
    }
    print->words[i] |= (uint32_t)(((1u << words) - 1) << offset / BANK_BYTES % BANKS);
}

unsigned footprint_sectors(uint32_t words)
{
    enum { SECTORS = LINE_BYTES / SECTOR_BYTES, SECTOR_WORDS = BANKS / SECTORS };
    unsigned sectors = 0;
    for (unsigned i = 0; i < SECTORS; i++)
        if (words >> i * SECTOR_WORDS & ((1u << SECTOR_WORDS) - 1)) sectors |= 1u << i;
    return sectors;
}

/* Counts for all banks together: digit[k] has a bit for each bank, which is digit k of its count.
 */
unsigned footprint_busiest_bank(const struct footprint *print)
{
    enum { DIGITS = 6 };
    uint32_t digit[DIGITS] = {0}, banks = ~UINT32_C(0);
    unsigned most = 0;
    for (unsigned i = 0; i < print->count; i++)
        for (uint32_t k = 0, carry = print->words[i]; carry != 0; k++) {
            uint32_t both = digit[k] & carry;
            digit[k] ^= carry;
            carry = both;
        }
    for (unsigned k = DIGITS; k-- > 0;) {
        most *= 2;
        if ((banks & digit[k]) == 0) continue;
        banks &= digit[k];
        most++;
    }
    return most;
}
