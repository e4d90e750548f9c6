/*
 * matrix_memory.c: matrices of a warp in memory: wmma.load and wmma.store, ldmatrix and stmatrix,
 * and movmatrix, which only exchanges. Each access is one of all lanes: words of 4 bytes of a
 * factor, two neighbouring sums; rows of 16 bytes for ldmatrix and stmatrix.
 */
#include "gpu/warp/matrix.h"

enum { ROW_BYTES = 16, MATRICES_MAX = 4 };

/* ---- addresses ------------------------------------------------------------------------------ */

static enum ptx_space space_of(const struct ptx_instruction *i)
{
    for (int k = 0; k < i->modifier_count; k++)
        switch (i->modifiers[k]) {
        case M_global: return SPACE_GLOBAL;
        case M_shared:
        case M_shared_cta: return SPACE_SHARED;
        default: break;
        }
    return SPACE_GENERIC;
}

static bool is_address(const struct ptx_operand *operand)
{
    return operand->kind == OPERAND_ADDRESS && !operand->local &&
           (operand->bytes == 4 || operand->bytes == 8);
}

static void take_addresses(uint64_t address[LANES], const struct warp *warp,
                           const struct ptx_operand *operand)
{
    const void *base = OPERAND_OF(warp, operand, char);
    for (unsigned l = 0; l < LANES; l++)
        address[l] = lane_bits(base, operand->bytes, l) + (uint64_t)operand->offset;
}

/* ---- wmma.load and wmma.store --------------------------------------------------------------- */

/* The fragment that wmma.load or .store names, and how it is in memory. */
struct in_memory {
    struct fragment shape;
    bool by_rows, store;
};

static bool in_memory_of(const struct ptx_instruction *i, struct in_memory *one)
{
    *one = (struct in_memory){{.type = i->types[0]}, ptx_has(i, M_row), ptx_has(i, M_store)};
    bool is_a = ptx_has(i, M_a), is_b = ptx_has(i, M_b),
         is_sum = ptx_has(i, M_c) || ptx_has(i, M_d);
    one->shape.use = is_a ? MATRIX_A : is_b ? MATRIX_B : MATRIX_SUM;
    return find_shape(i, &one->shape) && is_a + is_b + is_sum == 1 &&
           one->by_rows != ptx_has(i, M_col);
}

static size_t offset_of(const struct in_memory *one, struct element_place place, uint64_t stride)
{
    return one->by_rows ? (size_t)place.row * stride + place.column
                        : (size_t)place.column * stride + place.row;
}

/* Factors of 2 bytes whose neighbours along k are apart: a GPU loads words, too, and then exchanges
 * rows and columns of each block of 8 x 8 among the threads. */
static bool is_turned(const struct in_memory *one)
{
    bool along_k = one->by_rows == (one->shape.use == MATRIX_A);
    return one->shape.use != MATRIX_SUM && element_bytes(one->shape.type) == 2 && !along_k;
}

/* The j-th element of the access that begins with a lane's i-th element. */
static struct element_place accessed(const struct in_memory *one, unsigned lane, unsigned i,
                                     unsigned j)
{
    if (!is_turned(one)) return fragment_place(one->shape, lane, i + j);
    struct element_place place = fragment_place(one->shape, lane, i);
    unsigned row = place.column % BLOCK_SIDE + place.row / BLOCK_SIDE * BLOCK_SIDE;
    unsigned column = place.row % BLOCK_SIDE + place.column / BLOCK_SIDE * BLOCK_SIDE;
    return one->by_rows ? (struct element_place){row, column + j}
                        : (struct element_place){row + j, column};
}

/* How many elements from the i-th on each lane accesses together: a word of a factor, two sums; one
 * where these are not neighbours in memory. */
static unsigned neighbours(const struct in_memory *one, unsigned i, const uint64_t stride[LANES],
                           uint32_t mask)
{
    unsigned bytes = element_bytes(one->shape.type);
    unsigned most = one->shape.use == MATRIX_SUM ? 2
                    : bytes < WORD_BYTES         ? WORD_BYTES / bytes
                                                 : 1,
             count = 1;
    if (is_turned(one)) return 2;
    for (; count < most && i + count < fragment_share(one->shape); count++)
        EACH_LANE (l, mask) {
            size_t first = offset_of(one, fragment_place(one->shape, l, i), stride[l]);
            if (offset_of(one, fragment_place(one->shape, l, i + count), stride[l]) !=
                first + count)
                return count;
        }
    return count;
}

/* The bits of a matrix's elements. */
typedef uint64_t raw_matrix[SIDE_MAX * SIDE_MAX];

static void move_elements(struct warp *warp, const struct ptx_instruction *i,
                          const struct in_memory *one, raw_matrix raw, const uint64_t base[LANES],
                          const uint64_t stride[LANES], uint32_t mask)
{
    unsigned bytes = element_bytes(one->shape.type), count;
    for (unsigned k = 0; k < fragment_share(one->shape); k += count) {
        uint64_t address[LANES] = {0};
        unsigned char data[LANES * ROW_BYTES] = {0};
        count = neighbours(one, k, stride, mask);
        EACH_LANE (l, mask)
            for (unsigned j = 0; j < count; j++) {
                struct element_place place = accessed(one, l, k, j);
                if (j == 0) address[l] = base[l] + offset_of(one, place, stride[l]) * bytes;
                if (one->store)
                    memcpy(data + (l * count + j) * bytes,
                           &raw[place.row * SIDE_MAX + place.column], bytes);
            }
        uint32_t done =
            access_values(warp, i, one->store, space_of(i), mask, address, count * bytes, data);
        if (one->store) continue;
        EACH_LANE (l, done)
            for (unsigned j = 0; j < count; j++) {
                struct element_place place = accessed(one, l, k, j);
                memcpy(&raw[place.row * SIDE_MAX + place.column], data + (l * count + j) * bytes,
                       bytes);
            }
    }
}

/* The operands after the registers and the address: in rows or columns `stride` elements apart, or
 * side by side. */
static void take_strides(uint64_t stride[LANES], const struct warp *warp,
                         const struct ptx_instruction *i, const struct in_memory *one)
{
    const struct fragment *shape = &one->shape;
    unsigned rows = shape->use == MATRIX_B ? shape->k : shape->m,
             columns = shape->use == MATRIX_A ? shape->k : shape->n;
    for (unsigned l = 0; l < LANES; l++)
        stride[l] = i->operand_count == 3
                        ? lane_bits(OPERAND_OF(warp, &i->operand[2], char), i->operand[2].bytes, l)
                    : one->by_rows ? columns
                                   : rows;
}

static void wmma_load(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    const struct ptx_operand *registers = registers_of(i->detail, &i->operand[0]);
    struct in_memory one;
    raw_matrix raw;
    uint64_t base[LANES], stride[LANES];
    in_memory_of(i, &one);
    memset(raw, 0, sizeof raw);
    take_addresses(base, warp, &i->operand[1]);
    take_strides(stride, warp, i, &one);
    move_elements(warp, i, &one, raw, base, stride, mask);
    unsigned bytes = element_bytes(one.shape.type), share = fragment_share(one.shape);
    unsigned all = register_count(&i->operand[0]) * (bytes < WORD_BYTES ? WORD_BYTES / bytes : 1);
    EACH_LANE (l, mask)
        for (unsigned k = 0; k < all; k++) {
            struct element_place place = fragment_place(one.shape, l, k % share);
            hold_element(warp, registers, one.shape.type, l, k,
                         raw[place.row * SIDE_MAX + place.column]);
        }
}

static void wmma_store(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    const struct ptx_operand *registers = registers_of(i->detail, &i->operand[1]);
    struct in_memory one;
    raw_matrix raw;
    uint64_t base[LANES], stride[LANES];
    in_memory_of(i, &one);
    take_addresses(base, warp, &i->operand[0]);
    take_strides(stride, warp, i, &one);
    EACH_LANE (l, mask)
        for (unsigned k = 0; k < fragment_share(one.shape); k++) {
            struct element_place place = fragment_place(one.shape, l, k);
            raw[place.row * SIDE_MAX + place.column] =
                held_element(warp, registers, one.shape.type, l, k);
        }
    move_elements(warp, i, &one, raw, base, stride, mask);
}

static ptx_execute *select_wmma(const struct ptx_function *function, struct ptx_instruction *i)
{
    struct in_memory one;
    if (i->operand_count < 2 || i->operand_count > 3 || !in_memory_of(i, &one)) return NULL;
    const struct ptx_operand *registers = &i->operand[one.store],
                             *address = &i->operand[!one.store];
    if (i->operand_count == 3 && (i->operand[2].kind != OPERAND_VALUE || i->operand[2].bytes < 4))
        return NULL;
    if (!is_address(address) || !holds_fragment(function->elements, registers, one.shape))
        return NULL;
    i->detail = function->elements;
    return one.store ? wmma_store : wmma_load;
}

/* ---- ldmatrix, stmatrix, movmatrix ---------------------------------------------------------- */

static unsigned matrix_count(const struct ptx_instruction *i)
{
    return ptx_has(i, M_x4) ? 4 : ptx_has(i, M_x2) ? 2 : 1;
}

/* The word of a lane: two neighbours of row lane / 4; or, transposed, of column lane / 4. */
static uint32_t word_of(const uint16_t rows[BLOCK_SIDE][BLOCK_SIDE], unsigned lane, bool turned)
{
    unsigned row = lane / 4, first = lane % 4 * 2;
    uint32_t low = turned ? rows[first][row] : rows[row][first];
    uint32_t high = turned ? rows[first + 1][row] : rows[row][first + 1];
    return low | high << 16;
}

static void set_word(uint16_t rows[BLOCK_SIDE][BLOCK_SIDE], unsigned lane, bool turned,
                     uint32_t word)
{
    unsigned row = lane / 4, first = lane % 4 * 2;
    for (unsigned j = 0; j < 2; j++)
        *(turned ? &rows[first + j][row] : &rows[row][first + j]) = (uint16_t)(word >> 16 * j);
}

/* Lanes 8 k … 8 k + 7 have the addresses of the rows of matrix k. */
static void ldmatrix(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    const struct ptx_operand *registers = registers_of(i->detail, &i->operand[0]);
    uint16_t rows[MATRICES_MAX][BLOCK_SIDE][BLOCK_SIDE] = {0};
    uint64_t address[LANES];
    unsigned count = matrix_count(i);
    uint32_t first = count == 4 ? FULL_MASK : (UINT32_C(1) << 8 * count) - 1;
    take_addresses(address, warp, &i->operand[1]);
    if ((mask & first) != 0)
        access_values(warp, i, false, space_of(i), mask & first, address, ROW_BYTES, rows);
    for (unsigned k = 0; k < count; k++)
        EACH_LANE (l, mask)
            OPERAND_OF(warp, &registers[k], uint32_t)[l] = word_of(rows[k], l, ptx_has(i, M_trans));
}

static void stmatrix(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    const struct ptx_operand *registers = registers_of(i->detail, &i->operand[1]);
    uint16_t rows[MATRICES_MAX][BLOCK_SIDE][BLOCK_SIDE] = {0};
    uint64_t address[LANES];
    unsigned count = matrix_count(i);
    uint32_t first = count == 4 ? FULL_MASK : (UINT32_C(1) << 8 * count) - 1;
    for (unsigned k = 0; k < count; k++)
        EACH_LANE (l, mask)
            set_word(rows[k], l, ptx_has(i, M_trans), OPERAND_OF(warp, &registers[k], uint32_t)[l]);
    take_addresses(address, warp, &i->operand[0]);
    if ((mask & first) != 0)
        access_values(warp, i, true, space_of(i), mask & first, address, ROW_BYTES, rows);
}

static void movmatrix(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    uint16_t rows[BLOCK_SIDE][BLOCK_SIDE] = {0};
    EACH_LANE (l, mask)
        set_word(rows, l, false, A_OF(warp, i, uint32_t)[l]);
    EACH_LANE (l, mask)
        D_OF(warp, i, uint32_t)[l] = word_of(rows, l, true);
}

static ptx_execute *select_rows(const struct ptx_function *function, struct ptx_instruction *i)
{
    bool store = i->opcode == OP_stmatrix;
    if (i->operand_count != 2 || i->types[0] != TYPE_b16 || !ptx_has(i, M_m8n8)) return NULL;
    const struct ptx_operand *operand = &i->operand[store],
                             *registers = registers_of(function->elements, operand);
    if (operand->kind != OPERAND_VALUE && operand->kind != OPERAND_VECTOR) return NULL;
    if (!is_address(&i->operand[!store]) || register_count(operand) != matrix_count(i)) return NULL;
    for (unsigned k = 0; k < matrix_count(i); k++)
        if (registers[k].kind != OPERAND_VALUE || registers[k].bytes != 4) return NULL;
    i->detail = function->elements;
    return store ? stmatrix : ldmatrix;
}

/* ---- choosing ------------------------------------------------------------------------------- */

ptx_execute *select_matrix_memory(const struct ptx_function *function, struct ptx_instruction *i)
{
    switch (i->opcode) {
    case OP_wmma: return ptx_has(i, M_mma) ? NULL : select_wmma(function, i);
    case OP_ldmatrix:
    case OP_stmatrix: return select_rows(function, i);
    case OP_movmatrix: return has_sizes(i, "44") ? movmatrix : NULL;
    default: return NULL;
    }
}
