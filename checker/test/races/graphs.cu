/*
 * graphs.cu: kernels in the manner of irregular graph codes, right ones and wrong ones, and an
 * oracle that says for each of them and each input whether two threads conflict, or one leaves its
 * arrays.
 *
 * A kernel is a point in a space of choices (struct choices): who works on what (a thread per
 * vertex or per edge, a warp or a block per vertex), what it does (pulls from neighbours, pushes to
 * them, with or without atomics, in place or not), in which order, with which condition, with which
 * bound, how often, and which barrier is missing. body() is the code of all of them. The GPU runs
 * it with `struct device`, which accesses memory; the host runs it for each thread with `struct
 * recorder`, which notes who accesses what, before or after which barriers. What is accessed does
 * not depend on what the threads compute: so the oracle is exact.
 *
 *   program FIRST INPUT   from this kernel and input on: a line "launch kernel input expected" for
 * each launch. Exits with 3 after a launch that leaves its arrays, because no other can follow;
 * with 0 after the last one. FROM and TO (compiled in) say which kernels of the space the program
 * has.
 */
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

enum { VERTICES = 70, THREADS = 64, BLOCKS = 3, WARP = 32, INPUTS = 5 };

enum work { BY_VERTEX, BY_EDGE, BY_WARP, BY_BLOCK };
enum update { PULL, PULL_IN_PLACE, PUSH_STORE, PUSH_SUM, PUSH_ATOMIC, PUSH_AND_LOOK };
enum order { FORWARDS, BACKWARDS, FIRST_ONLY };
enum missing { NO_BARRIER, BEFORE_USE, BEFORE_REUSE, NOTHING };

struct choices {
    int work, update, order, missing;
    bool guarded, too_far, repeats;
};

/* The choices of kernel `index`; work < 0: there is no such kernel. */
__host__ __device__ constexpr choices choices_of(int index)
{
    for (int work = BY_VERTEX; work <= BY_BLOCK; work++)
        for (int update = PULL; update <= PUSH_AND_LOOK; update++) {
            bool pulls = update <= PULL_IN_PLACE;
            if (pulls && work == BY_EDGE) continue;
            int orders = work == BY_EDGE ? 1 : 3;
            int barriers = !pulls ? 1 : work == BY_WARP ? 2 : work == BY_BLOCK ? 3 : 1;
            int here = orders * barriers * 8;
            if (index >= here) {
                index -= here;
                continue;
            }
            int missing = index / 8 % barriers;
            return {work,
                    update,
                    index / 8 / barriers,
                    missing == 0 ? NOTHING : missing,
                    (index & 1) != 0,
                    (index & 2) != 0,
                    (index & 4) != 0};
        }
    return {-1, 0, 0, 0, false, false, false};
}

enum array { OUT, IN, SHARED, ROW, COLUMN, SOURCE, WEIGHT, ARRAYS };

struct arrays {
    int *at[ARRAYS]; /* but SHARED */
    int vertices, edges;
};

/* ---- the kernels ---------------------------------------------------------------------------- */

template <int K, class M> __host__ __device__ void visit(M &m, int v, int e, int &sum)
{
    constexpr choices c = choices_of(K);
    if (c.guarded && m.load(WEIGHT, e) % 2 != 0) return;
    int other = m.load(COLUMN, e), mine = m.unique();
    if constexpr (c.update == PULL) sum += m.load(IN, other);
    if constexpr (c.update == PULL_IN_PLACE) sum += m.load(OUT, other);
    if constexpr (c.update == PUSH_STORE) m.store(OUT, other, mine);
    if constexpr (c.update == PUSH_SUM) m.store(OUT, other, m.load(OUT, other) + mine);
    if constexpr (c.update == PUSH_ATOMIC) m.add(OUT, other, mine);
    if constexpr (c.update == PUSH_AND_LOOK) {
        m.add(OUT, other, mine);
        sum += m.load(OUT, v);
    }
}

/* The lane's part, of `lanes`, of the vertex's edges. */
template <int K, class M> __host__ __device__ int visit_edges(M &m, int v, int lane, int lanes)
{
    constexpr choices c = choices_of(K);
    int from = m.load(ROW, v), to = m.load(ROW, v + 1), sum = 0;
    if (c.order == FIRST_ONLY && to > from + lanes) to = from + lanes;
    for (int i = from + lane; i < to; i += lanes)
        visit<K>(m, v, c.order == BACKWARDS ? from + to - 1 - i : i, sum);
    return sum;
}

/* Lane 0 adds up what all lanes have found, and stores it. */
template <int K, class M>
__host__ __device__ void collect(M &m, int v, int lane, int lanes, int sum)
{
    constexpr choices c = choices_of(K);
    int first = m.thread() - lane;
    m.store(SHARED, m.thread(), sum + m.unique());
    if (c.missing != BEFORE_USE) m.meet(lanes);
    for (int i = 1; lane == 0 && i < lanes; i++)
        sum += m.load(SHARED, first + i);
    if (lane == 0) m.store(OUT, v, sum + m.unique());
    if (c.missing != BEFORE_REUSE) m.meet(lanes);
}

template <int K, class M> __host__ __device__ void body(M &m)
{
    constexpr choices c = choices_of(K);
    constexpr int lanes = c.work == BY_BLOCK ? THREADS : c.work == BY_WARP ? WARP : 1;
    int all = BLOCKS * THREADS / lanes, index = (m.block() * THREADS + m.thread()) / lanes;
    int end = (c.work == BY_EDGE ? m.edges() : m.vertices()) + (c.too_far ? 1 : 0);
    for (int i = index; i < end && (c.repeats || i == index); i += all) {
        int sum = 0, lane = m.thread() % lanes;
        if constexpr (c.work == BY_EDGE) {
            visit<K>(m, m.load(SOURCE, i), i, sum);
        } else {
            sum = visit_edges<K>(m, i, lane, lanes);
            if constexpr (c.update <= PULL_IN_PLACE) {
                if constexpr (lanes > 1)
                    collect<K>(m, i, lane, lanes, sum);
                else
                    m.store(OUT, i, sum + m.unique());
            }
        }
        m.use(sum);
    }
}

/* ---- on the GPU ----------------------------------------------------------------------------- */

struct device {
    arrays all;
    int *shared, count;
    __device__ int thread()
    {
        return threadIdx.x;
    }
    __device__ int block()
    {
        return blockIdx.x;
    }
    __device__ int vertices()
    {
        return all.vertices;
    }
    __device__ int edges()
    {
        return all.edges;
    }
    __device__ int *place(array a, int i)
    {
        return (a == SHARED ? shared : all.at[a]) + i;
    }
    __device__ int load(array a, int i)
    {
        return *place(a, i);
    }
    __device__ void store(array a, int i, int value)
    {
        *place(a, i) = value;
    }
    __device__ void add(array a, int i, int value)
    {
        atomicAdd(place(a, i), value);
    }
    __device__ int unique()
    {
        return (++count << 8 | thread()) * BLOCKS + block() + 1;
    }
    __device__ void use(int sum)
    {
        if (sum == -1) count = 0; /* never: so that what is loaded is used */
    }
    __device__ void meet(int lanes)
    {
        if (lanes == WARP)
            __syncwarp();
        else
            __syncthreads();
    }
};

template <int K> __global__ void kernel(arrays all)
{
    __shared__ int shared[THREADS];
    device m = {all, shared, 0};
    body<K>(m);
}

/* ---- the oracle ----------------------------------------------------------------------------- */

struct seen {
    int array, word, block, thread, barriers, meetings;
    bool writes, atomic;
};

struct recorder {
    const arrays &all; /* the host's copies */
    std::vector<seen> &list;
    bool &left;
    int my_block, my_thread, barriers = 0, meetings = 0;
    int thread()
    {
        return my_thread;
    }
    int block()
    {
        return my_block;
    }
    int vertices()
    {
        return all.vertices;
    }
    int edges()
    {
        return all.edges;
    }
    int unique()
    {
        return 0;
    }
    void use(int)
    {
    }
    void meet(int lanes)
    {
        (lanes == WARP ? meetings : barriers)++;
    }
    void note(array a, int i, bool writes, bool atomic)
    {
        int sizes[ARRAYS] = {all.vertices, all.vertices, THREADS,  all.vertices + 1,
                             all.edges,    all.edges,    all.edges};
        left = left || i < 0 || i >= sizes[a];
        if (a <= SHARED)
            list.push_back({a, i, my_block, my_thread, barriers, meetings, writes, atomic});
    }
    int load(array a, int i)
    {
        note(a, i, false, false);
        return left || a <= SHARED ? 0 : all.at[a][i];
    }
    void store(array a, int i, int)
    {
        note(a, i, true, false);
    }
    void add(array a, int i, int)
    {
        note(a, i, true, true);
    }
};

static bool is_same_word(const seen &a, const seen &b)
{
    return a.array == b.array && a.word == b.word && (a.array != SHARED || a.block == b.block);
}

static bool is_ordered(const seen &a, const seen &b)
{
    if (a.block != b.block) return false;
    if (a.barriers != b.barriers || a.thread == b.thread) return true;
    return a.thread / WARP == b.thread / WARP && a.meetings != b.meetings;
}

static const char *conflicts(std::vector<seen> &list)
{
    bool inside = false, between = false;
    std::sort(list.begin(), list.end(), [](const seen &a, const seen &b) {
        return a.array != b.array ? a.array < b.array : a.word < b.word;
    });
    for (size_t i = 0; i < list.size(); i++)
        for (size_t k = i + 1;
             k < list.size() && list[k].array == list[i].array && list[k].word == list[i].word;
             k++) {
            const seen &a = list[i], &b = list[k];
            if (!is_same_word(a, b) || !(a.writes || b.writes) || (a.atomic && b.atomic) ||
                is_ordered(a, b))
                continue;
            (a.block == b.block ? inside : between) = true;
        }
    return inside && between ? "both" : inside ? "inside" : between ? "between" : "none";
}

template <int K> const char *expected(const arrays &host)
{
    std::vector<seen> list;
    bool left = false;
    for (int block = 0; block < BLOCKS && !left; block++)
        for (int thread = 0; thread < THREADS && !left; thread++) {
            recorder m = {host, list, left, block, thread};
            body<K>(m);
        }
    return left ? "bounds" : conflicts(list);
}

/* ---- inputs --------------------------------------------------------------------------------- */

static unsigned random_below(unsigned &state, unsigned end)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % end;
}

/* How many edges a vertex has, and where the k-th one goes: a chain, a tree to few vertices, a few
 * random ones, a star and pairs that do not meet. */
static int degree(int input, int v, unsigned &state)
{
    if (input == 0) return v + 1 < VERTICES;
    if (input == 1) return v > 0;
    if (input == 2) return (int)random_below(state, 6);
    if (input == 3) return v == 7 ? VERTICES - 1 : 1;
    return v % 2 == 0;
}

static int target(int input, int v, int k, unsigned &state)
{
    if (input == 0) return v + 1;
    if (input == 1) return (v - 1) / 2;
    if (input == 2) return (int)random_below(state, VERTICES);
    if (input == 3) return v == 7 ? (k < 7 ? k : k + 1) : 7;
    return v + 1;
}

static arrays make_input(int input)
{
    static std::vector<int> of[ARRAYS];
    unsigned state = 1 + (unsigned)input;
    for (auto &one : of)
        one.clear();
    of[ROW].push_back(0);
    for (int v = 0; v < VERTICES; v++) {
        int count = degree(input, v, state);
        for (int k = 0; k < count; k++) {
            of[COLUMN].push_back(target(input, v, k, state));
            of[SOURCE].push_back(v);
            of[WEIGHT].push_back((int)random_below(state, 2));
        }
        of[ROW].push_back((int)of[COLUMN].size());
    }
    of[IN].assign(VERTICES, 5);
    of[OUT].assign(VERTICES, 3);
    arrays host = {{}, VERTICES, (int)of[COLUMN].size()};
    for (int a = 0; a < ARRAYS; a++)
        host.at[a] = of[a].data();
    return host;
}

static arrays copy_to_gpu(const arrays &host)
{
    arrays copy = host;
    for (int a = 0; a < ARRAYS; a++) {
        int count = a <= IN ? host.vertices : a == ROW ? host.vertices + 1 : host.edges;
        if (a == SHARED) continue;
        cudaMalloc(&copy.at[a], count * sizeof(int));
        cudaMemcpy(copy.at[a], host.at[a], count * sizeof(int), cudaMemcpyHostToDevice);
    }
    return copy;
}

/* ---- all of them ---------------------------------------------------------------------------- */

static int launches;

template <int K> void run(int first, int first_input)
{
    if (choices_of(K).work < 0 || K < first) return;
    for (int input = K == first ? first_input : 0; input < INPUTS; input++) {
        arrays host = make_input(input), gpu = copy_to_gpu(host);
        const char *what = expected<K>(host);
        kernel<K><<<BLOCKS, THREADS>>>(gpu);
        cudaDeviceSynchronize();
        printf("%d %d %d %s\n", ++launches, K, input, what);
        fflush(stdout);
        if (strcmp(what, "bounds") == 0) exit(3);
        for (int a = 0; a < ARRAYS; a++)
            if (a != SHARED) cudaFree(gpu.at[a]);
    }
}

template <int... K> void run_all(int first, int input, std::integer_sequence<int, K...>)
{
    (run<FROM + K>(first, input), ...);
}

int main(int argc, char **argv)
{
    run_all(argc > 1 ? atoi(argv[1]) : 0, argc > 2 ? atoi(argv[2]) : 0,
            std::make_integer_sequence<int, TO - FROM>());
}
