/*
 * random.c: curand's generators of pseudorandom numbers. XORWOW is that of G. Marsaglia ("Xorshift
 * RNGs", 2003) with a sum. As the documentation of cuRAND says, 4096 threads make the numbers in
 * turn, from sequences that are 2^67 numbers apart. How a seed becomes a state is from cuRAND's
 * header; the numbers were compared with those of cuRAND 10.4 on the host.
 */
#include "gpu/blas/random.h"

#include "gpu/blas/call.h"
#include "gpu/runtime/handle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    THREADS = 4096,
    APART = 67, /* the exponent */
    WORDS = 5,
    BITS = 32 * WORDS,
    STEP_OF_SUM = 362437,
    SEEDED_SUM = 6615241
};

enum status { SUCCESS, NOT_INITIALIZED = 101, ALLOCATION_FAILED, TYPE_ERROR, NOT_MULTIPLE = 105 };

struct state {
    uint32_t word[WORDS];
};

struct generator {
    uint64_t number, stream_handle, seed, offset;
    bool on_host, begun;
    struct state state[THREADS];
    uint32_t sum[THREADS];
    unsigned next; /* whose turn it is */
};

/* ---- numbers -------------------------------------------------------------------------------- */

static void step(struct state *state)
{
    uint32_t *w = state->word, first = w[0] ^ w[0] >> 2, last = w[4];
    memmove(w, w + 1, (WORDS - 1) * sizeof *w);
    w[4] = last ^ last << 4 ^ first ^ first << 1;
}

/* A linear map of the bits of a state: what each of them becomes. */
struct map {
    struct state of[BITS];
};

static struct state apply(const struct map *map, const struct state *state)
{
    struct state result = {{0}};
    for (int i = 0; i < BITS; i++)
        for (int k = 0; state->word[i / 32] >> i % 32 & 1 && k < WORDS; k++)
            result.word[k] ^= map->of[i].word[k];
    return result;
}

/* The map from a sequence to the next one: the step's, squared again and again. */
static const struct map *to_next_sequence(void)
{
    static struct map map, square;
    static bool known;
    for (int i = 0; i < BITS && !known; i++) {
        map.of[i] = (struct state){{0}};
        map.of[i].word[i / 32] = UINT32_C(1) << i % 32;
        step(&map.of[i]);
    }
    for (int k = 0; k < APART && !known; k++, map = square)
        for (int i = 0; i < BITS; i++)
            square.of[i] = apply(&map, &map.of[i]);
    known = true;
    return &map;
}

static uint32_t next_word(struct generator *generator, unsigned thread)
{
    step(&generator->state[thread]);
    generator->sum[thread] += STEP_OF_SUM;
    return generator->state[thread].word[4] + generator->sum[thread];
}

/* Sets the states to those of the seed, after as many numbers as the offset says. */
static void begin(struct generator *generator)
{
    const struct map *map = to_next_sequence();
    uint32_t low = 1099087573u * ((uint32_t)generator->seed ^ 0xaad26b49u),
             high = 2591861531u * ((uint32_t)(generator->seed >> 32) ^ 0xf7dcefddu);
    struct state state = {
        {123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high, 5783321u + low}};
    for (unsigned i = 0; i < THREADS; i++) {
        generator->state[i] = state;
        generator->sum[i] = SEEDED_SUM + low + high;
        uint64_t made = generator->offset / THREADS + (i < generator->offset % THREADS);
        while (made-- > 0)
            next_word(generator, i);
        state = apply(map, &state);
    }
    generator->next = (unsigned)(generator->offset % THREADS);
    generator->begun = true;
}

static const double TURN = 6.283185307179586;

/* Between 0 and 1, which it may be */
static float uniform(uint32_t word)
{
    return (float)word * 0x1p-32f + 0x1p-33f;
}

static double uniform_double(uint32_t low, uint32_t high)
{
    return (double)((uint64_t)low ^ (uint64_t)high << 21) * 0x1p-53 + 0x1p-54;
}

/* The next numbers of the thread whose turn it is, by Box and Muller where they are normal; returns
 * how many there are. */
static size_t make(struct generator *generator, enum random_kind kind, const double arguments[2],
                   void *to)
{
    unsigned thread = generator->next;
    uint32_t a = next_word(generator, thread), b = 0;
    float *floats = to;
    double *doubles = to, radius, angle;
    generator->next = (thread + 1) % THREADS;
    if (kind != RANDOM_WORDS && kind != RANDOM_UNIFORM) b = next_word(generator, thread);
    switch (kind) {
    case RANDOM_WORDS: return memcpy(to, &a, sizeof a), 1;
    case RANDOM_UNIFORM: return *floats = uniform(a), 1;
    case RANDOM_UNIFORM_DOUBLE: return *doubles = uniform_double(a, b), 1;
    default: break;
    }
    bool is_double = kind % 2 != 0, is_log = kind >= RANDOM_LOG_NORMAL;
    radius = is_double ? uniform_double(a, b) : (double)uniform(a);
    if (is_double) a = next_word(generator, thread), b = next_word(generator, thread);
    angle = TURN * (is_double ? uniform_double(a, b) : (double)uniform(b));
    radius = sqrt(-2 * log(radius));
    const double pair[] = {radius * sin(angle), radius * cos(angle)};
    for (int i = 0; i < 2; i++) {
        double number = arguments[0] + arguments[1] * pair[i];
        if (is_log) number = exp(number);
        if (is_double)
            doubles[i] = number;
        else
            floats[i] = (float)number;
    }
    return 2;
}

/* ---- calls: their arguments are in the payload, the status is their first result ------------- */

static cudaError_t end(struct call *call, enum status status)
{
    static const char *const names[] = {
        [NOT_INITIALIZED - NOT_INITIALIZED] = "CURAND_STATUS_NOT_INITIALIZED",
        [ALLOCATION_FAILED - NOT_INITIALIZED] = "CURAND_STATUS_ALLOCATION_FAILED",
        [TYPE_ERROR - NOT_INITIALIZED] = "CURAND_STATUS_TYPE_ERROR",
        [NOT_MULTIPLE - NOT_INITIALIZED] = "CURAND_STATUS_LENGTH_NOT_MULTIPLE"};
    if (status != SUCCESS)
        errors_record(call, &(struct code_text){status, names[status - NOT_INITIALIZED],
                                                "the call has failed"});
    call->reply->result[0] = status;
    return call->error;
}

cudaError_t serve_curandCreate(struct call *call)
{
    struct blas_call begun = blas_begin_any(call, "curandCreateGenerator");
    uint64_t type = begun.argument[1];
    if (begun.argument[0] == 0) return end(call, NOT_INITIALIZED);
    if (type < 100 || type > 161) return end(call, TYPE_ERROR);
    struct generator *made = calloc(1, sizeof *made);
    if (made == NULL || (made->number = handle_make(HANDLE_RANDOM, made)) == 0)
        return end(call, ALLOCATION_FAILED);
    made->on_host = begun.argument[2] != 0;
    call->reply->result[1] = made->number;
    return end(call, SUCCESS);
}

cudaError_t serve_curandDestroy(struct call *call)
{
    struct blas_call begun = blas_begin_any(call, "curandDestroyGenerator");
    struct generator *generator = handle_find(HANDLE_RANDOM, begun.argument[0]);
    if (generator == NULL) return end(call, NOT_INITIALIZED);
    handle_drop(HANDLE_RANDOM, generator->number);
    free(generator);
    return end(call, SUCCESS);
}

cudaError_t serve_curandSet(struct call *call)
{
    struct blas_call begun = blas_begin_any(call, "curandSet");
    struct generator *generator = handle_find(HANDLE_RANDOM, begun.argument[0]);
    if (generator == NULL) return end(call, NOT_INITIALIZED);
    if (begun.argument[1] == RANDOM_STREAM) {
        generator->stream_handle = begun.argument[2];
    } else {
        *(begun.argument[1] == RANDOM_SEED ? &generator->seed : &generator->offset) =
            begun.argument[2];
        generator->begun = false;
    }
    return end(call, SUCCESS);
}

static void fill(struct generator *generator, enum random_kind kind, const double arguments[2],
                 char *to, size_t n)
{
    size_t element = kind % 2 != 0 ? sizeof(double) : sizeof(float);
    if (!generator->begun) begin(generator);
    for (size_t i = 0; i < n;)
        i += make(generator, kind, arguments, to + i * element);
}

cudaError_t serve_curandGenerate(struct call *call)
{
    static const char *const names[RANDOM_KINDS] = {
        "curandGenerate",          "",
        "curandGenerateUniform",   "curandGenerateUniformDouble",
        "curandGenerateNormal",    "curandGenerateNormalDouble",
        "curandGenerateLogNormal", "curandGenerateLogNormalDouble"};
    struct blas_call begun = blas_begin_any(call, "curandGenerate");
    struct generator *generator = handle_find(HANDLE_RANDOM, begun.argument[0]);
    uint64_t kind = begun.argument[1], to = begun.argument[2], n = begun.argument[3];
    double arguments[2];
    memcpy(arguments, &begun.argument[4], sizeof arguments);
    if (generator == NULL || kind >= RANDOM_KINDS) return end(call, NOT_INITIALIZED);
    if (kind >= RANDOM_NORMAL && n % 2 != 0) return end(call, NOT_MULTIPLE);
    begun.name = names[kind];
    begun.element = kind % 2 != 0 ? sizeof(double) : sizeof(float);
    if (n == 0 || n > SIZE_MAX / begun.element) return end(call, SUCCESS);
    if (generator->on_host && !is_ours(to)) {
        char *numbers = malloc(n * begun.element);
        if (numbers == NULL) return end(call, ALLOCATION_FAILED);
        fill(generator, (enum random_kind)kind, arguments, numbers, n);
        call_write(to, numbers, n * begun.element);
        free(numbers);
        return end(call, SUCCESS);
    }
    struct stream *stream = stream_find(call, generator->stream_handle);
    begun.stream = stream != NULL ? stream : stream_default();
    blas_vector(&begun, "outputPtr", here(gpu_address(to)), (int64_t)n, 1, false, true);
    if (blas_run(&begun))
        fill(generator, (enum random_kind)kind, arguments, here(gpu_address(to)), n);
    return blas_end(&begun, &(struct blas_work){.kind = BLAS_STREAM});
}
