/*
 * aarch64_accesses.c: does gpu/cudart/registers.c know which instructions of aarch64 write? Runs
 * each one on a closed page. The handler of the signal asks registers_write(), and opens the page.
 * Prints each instruction for which the answer is wrong; exit code 1 when there is one. The script
 * `aarch64` compiles it together with registers.c.
 */
#define _GNU_SOURCE
#include "gpu/cudart/registers.h"

#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>

enum { PAGE_BYTES = 65536 }; /* the largest page that aarch64 has */

/* A name, the instruction, which accesses memory at the address in x0, and whether it writes */
#define INSTRUCTIONS(ONE)                                                                          \
    ONE(ldr, "ldr x1, [x0]", false)                                                                \
    ONE(ldrsw, "ldrsw x1, [x0]", false)                                                            \
    ONE(ldrb, "ldrb w1, [x0, #1]!", false)                                                         \
    ONE(ldur, "ldur x1, [x0, #1]", false)                                                          \
    ONE(ldp, "ldp x1, x2, [x0]", false)                                                            \
    ONE(ldr_16, "ldr q1, [x0]", false)                                                             \
    ONE(ld1, "ld1 {v1.4s}, [x0]", false)                                                           \
    ONE(ldxr, "ldxr w1, [x0]", false)                                                              \
    ONE(ldar, "ldar w1, [x0]", false)                                                              \
    ONE(ldapr, "ldapr w1, [x0]", false)                                                            \
    ONE(ldapur, "ldapur w1, [x0, #4]", false)                                                      \
    ONE(ldapursw, "ldapursw x1, [x0, #4]", false)                                                  \
    ONE(sve_ld1, "ptrue p1.s\n ld1w {z1.s}, p1/z, [x0]", false)                                    \
    ONE(sve_ldr, "ldr z1, [x0]", false)                                                            \
    ONE(str, "str x1, [x0]", true)                                                                 \
    ONE(strh, "strh w1, [x0], #2", true)                                                           \
    ONE(stur, "stur w1, [x0, #1]", true)                                                           \
    ONE(stp, "stp x1, x2, [x0]", true)                                                             \
    ONE(str_16, "str q1, [x0]", true)                                                              \
    ONE(st1, "st1 {v1.4s}, [x0]", true)                                                            \
    ONE(stlr, "stlr w1, [x0]", true)                                                               \
    ONE(stlur, "stlur w1, [x0, #4]", true)                                                         \
    ONE(dc, "dc zva, x0", true)                                                                    \
    ONE(swp, "swp w1, w2, [x0]", true)                                                             \
    ONE(ldadd, "ldadd w1, w2, [x0]", true)                                                         \
    ONE(ldaddal, "ldaddal x1, x2, [x0]", true)                                                     \
    ONE(stset, "stset w1, [x0]", true)                                                             \
    ONE(cas, "cas w1, w2, [x0]", true)                                                             \
    ONE(casal, "casal x1, x2, [x0]", true)                                                         \
    ONE(caspal, "caspal x2, x3, x4, x5, [x0]", true)                                               \
    ONE(sve_st1, "ptrue p1.b\n st1b {z1.b}, p1, [x0]", true)                                       \
    ONE(sve_str, "str z1, [x0]", true)

#define FUNCTION(name, text, writes)                                                               \
    static void run_##name(char *at)                                                               \
    {                                                                                              \
        register char *x0 __asm__("x0") = at;                                                      \
        __asm__ volatile(text : "+r"(x0) : : "x1", "x2", "x3", "x4", "x5", "v1", "p1", "memory");  \
    }
INSTRUCTIONS(FUNCTION)

#define ROW(name, text, writes) {text, writes, run_##name},
static const struct {
    const char *text;
    bool writes;
    void (*run)(char *at);
} instructions[] = {INSTRUCTIONS(ROW)};

static char *page;
static volatile int asked, said;

static void handle(int number, siginfo_t *info, void *context)
{
    (void)number, (void)info;
    asked++;
    said = registers_write(context);
    mprotect(page, PAGE_BYTES, PROT_READ | PROT_WRITE);
}

int main(void)
{
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
    int wrong = 0;
    page = mmap(NULL, PAGE_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED || sigaction(SIGSEGV, &action, NULL) != 0) return 2;
    for (size_t i = 0; i < sizeof instructions / sizeof instructions[0]; i++) {
        mprotect(page, PAGE_BYTES, PROT_NONE);
        asked = 0;
        instructions[i].run(page);
        if (asked == 1 && said == instructions[i].writes) continue;
        printf("%s: asked %d times, %s\n", instructions[i].text, asked, said ? "writes" : "reads");
        wrong = 1;
    }
    return wrong;
}
