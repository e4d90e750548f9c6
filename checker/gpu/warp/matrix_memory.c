/*
 * matrix_memory.c: matrices of a warp in memory: wmma.load and wmma.store, ldmatrix and stmatrix,
 * and movmatrix, which only exchanges. Each access is one of all lanes: words of 4 bytes of a
 * factor, two neighbouring sums; rows of 16 bytes for ldmatrix and stmatrix.
 */
#include "gpu/warp/matrix.h"

enum { ROW_BYTES = 16, MATRICES_MAX = 4 };

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

/* The fragment that wmma.load or .store names, and how it is in memory: rows or columns that are
 * `stride` elements apart. */
struct in_memory {
    struct fragment shape;
    bool by_rows, store;
    uint64_t base[LANES], stride[LANES];
};

static bool in_memory_of(const struct ptx_instruction *i, struct in_memory *one)
{
    bool is_a = ptx_has(i, M_a), is_b = ptx_has(i, M_b),
         is_sum = ptx_has(i, M_c) || ptx_has(i, M_d);
    one->shape = (struct fragment){.type = i->types[0],
                                   .use = is_a   ? MATRIX_A
                                          : is_b ? MATRIX_B
                                                 : MATRIX_SUM};
    one->by_rows = ptx_has(i, M_row);
    one->store = ptx_has(i, M_store);
    return find_shape(i, &one->shape) && is_a + is_b + is_sum == 1 &&
           one->by_rows != ptx_has(i, M_col);
}

/* Where each lane's matrix is: the operands after the registers, the stride only if it is not as
 * long as a row or column. */
static void take_position(struct in_memory *one, const struct warp *warp,
                          const struct ptx_instruction *i)
{
    const struct fragment *shape = &one->shape;
    const struct ptx_operand *stride = &i->operand[2];
    unsigned rows = shape->use == MATRIX_B ? shape->k : shape->m,
             columns = shape->use == MATRIX_A ? shape->k : shape->n;
    take_addresses(one->base, warp, &i->operand[!one->store]);
    for (unsigned l = 0; l < LANES; l++)
        one->stride[l] = i->operand_count == 3
                             ? lane_bits(OPERAND_OF(warp, stride, char), stride->bytes, l)
                         : one->by_rows ? columns
                                        : rows;
}

static size_t offset_of(const struct in_memory *one, struct element_position position,
                        unsigned lane)
{
    uint64_t stride = one->stride[lane];
    return one->by_rows ? (size_t)position.row * stride + position.column
                        : (size_t)position.column * stride + position.row;
}

/* Factors of 2 bytes whose neighbours along k are apart: a GPU loads words, too, and then exchanges
 * rows and columns of each block of 8 x 8 among the threads. */
static bool is_turned(const struct in_memory *one)
{
    bool along_k = one->by_rows == (one->shape.use == MATRIX_A);
    return one->shape.use != MATRIX_SUM && ptx_type_bytes(one->shape.type) == 2 && !along_k;
}

/* The j-th element of the access that begins with a lane's i-th element. */
static struct element_position accessed(const struct in_memory *one, unsigned lane, unsigned i,
                                        unsigned j)
{
    if (!is_turned(one)) return fragment_position(one->shape, lane, i + j);
    struct element_position position = fragment_position(one->shape, lane, i);
    unsigned row = position.column % BLOCK_SIDE + position.row / BLOCK_SIDE * BLOCK_SIDE;
    unsigned column = position.row % BLOCK_SIDE + position.column / BLOCK_SIDE * BLOCK_SIDE;
    return one->by_rows ? (struct element_position){row, column + j}
                        : (struct element_position){row + j, column};
}

/* How many elements from the i-th on each lane accesses together: a word of a factor, two sums; one
 * where these are not neighbours in memory. */
static unsigned neighbours(const struct in_memory *one, unsigned i, uint32_t mask)
{
    unsigned most = one->shape.use == MATRIX_SUM ? 2 : in_register(one->shape.type), count = 1;
    if (is_turned(one)) return 2;
    for (; count < most && i + count < fragment_share(one->shape); count++)
        EACH_LANE (l, mask)
            if (offset_of(one, fragment_position(one->shape, l, i + count), l) !=
                offset_of(one, fragment_position(one->shape, l, i), l) + count)
                return count;
    return count;
}

/* The bits of a matrix's elements. */
typedef uint64_t raw_matrix[SIDE_MAX * SIDE_MAX];

static uint64_t *element_of(raw_matrix raw, struct element_position position)
{
    return &raw[position.row * SIDE_MAX + position.column];
}

static void move_elements(struct warp *warp, const struct ptx_instruction *i,
                          const struct in_memory *one, raw_matrix raw, uint32_t mask)
{
    unsigned bytes = ptx_type_bytes(one->shape.type), count;
    for (unsigned k = 0; k < fragment_share(one->shape); k += count) {
        uint64_t address[LANES] = {0};
        unsigned char data[LANES * ROW_BYTES] = {0};
        count = neighbours(one, k, mask);
        EACH_LANE (l, mask) {
            address[l] = one->base[l] + offset_of(one, accessed(one, l, k, 0), l) * bytes;
            for (unsigned j = 0; j < count && one->store; j++)
                memcpy(data + (l * count + j) * bytes, element_of(raw, accessed(one, l, k, j)),
                       bytes);
        }
        uint32_t done =
            access_values(warp, i, one->store, i->space, mask, address, count * bytes, data);
        EACH_LANE (l, one->store ? 0 : done)
            for (unsigned j = 0; j < count; j++)
                memcpy(element_of(raw, accessed(one, l, k, j)), data + (l * count + j) * bytes,
                       bytes);
    }
}

static void wmma_move(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    struct in_memory one;
    raw_matrix raw;
    in_memory_of(i, &one);
    take_position(&one, warp, i);
    const struct ptx_operand *operand = &i->operand[one.store],
                             *registers = registers_of(i->detail, operand);
    unsigned share = fragment_share(one.shape),
             all = register_count(operand) * in_register(one.shape.type);
    memset(raw, 0, sizeof raw);
    EACH_LANE (l, one.store ? mask : 0)
        for (unsigned k = 0; k < share; k++)
            *element_of(raw, fragment_position(one.shape, l, k)) =
                held_element(warp, registers, one.shape.type, l, k);
    move_elements(warp, i, &one, raw, mask);
    EACH_LANE (l, one.store ? 0 : mask)
        for (unsigned k = 0; k < all; k++)
            hold_element(warp, registers, one.shape.type, l, k,
                         *element_of(raw, fragment_position(one.shape, l, k % share)));
}

static ptx_execute *select_wmma(const struct ptx_function *function, struct ptx_instruction *i)
{
    struct in_memory one;
    if (i->operand_count < 2 || i->operand_count > 3 || !in_memory_of(i, &one)) return NULL;
    if (i->operand_count == 3 && (i->operand[2].kind != OPERAND_VALUE || i->operand[2].bytes < 4))
        return NULL;
    if (!is_address(&i->operand[!one.store]) ||
        !holds_fragment(function->elements, &i->operand[one.store], one.shape))
        return NULL;
    i->detail = function->elements;
    return wmma_move;
}

/* ---- ldmatrix, stmatrix, movmatrix ---------------------------------------------------------- */

static unsigned matrix_count(const struct ptx_instruction *i)
{
    return ptx_has(i, M_x4) ? 4 : ptx_has(i, M_x2) ? 2 : 1;
}

/* The word of a lane: two neighbours of row lane / 4; or, transposed, of column lane / 4. */
static void move_word(uint16_t rows[BLOCK_SIDE][BLOCK_SIDE], unsigned lane, bool turned, bool store,
                      uint32_t *word)
{
    unsigned row = lane / 4, first = lane % 4 * 2;
    for (unsigned j = 0; j < 2; j++) {
        uint16_t *element = turned ? &rows[first + j][row] : &rows[row][first + j];
        bits_16 *half = (bits_16 *)word + j;
        *(store ? (bits_16 *)element : half) = store ? *half : *element;
    }
}

/* Lanes 8 k … 8 k + 7 have the addresses of the rows of matrix k. */
static void move_rows(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    bool store = i->opcode == OP_stmatrix;
    const struct ptx_operand *registers = registers_of(i->detail, &i->operand[store]);
    uint16_t rows[MATRICES_MAX][BLOCK_SIDE][BLOCK_SIDE] = {0};
    uint64_t address[LANES];
    unsigned count = matrix_count(i);
    uint32_t first = mask & (count == 4 ? FULL_MASK : (UINT32_C(1) << 8 * count) - 1);
    take_addresses(address, warp, &i->operand[!store]);
    if (!store && first != 0)
        access_values(warp, i, store, i->space, first, address, ROW_BYTES, rows);
    for (unsigned k = 0; k < count; k++)
        EACH_LANE (l, mask)
            move_word(rows[k], l, ptx_has(i, M_trans), store,
                      &OPERAND_OF(warp, &registers[k], uint32_t)[l]);
    if (store && first != 0)
        access_values(warp, i, store, i->space, first, address, ROW_BYTES, rows);
}

static void movmatrix(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    uint16_t rows[BLOCK_SIDE][BLOCK_SIDE] = {0};
    EACH_LANE (l, mask)
        move_word(rows, l, false, true, &VALUES(warp, uint32_t, i->a_base, i->a)[l]);
    EACH_LANE (l, mask)
        move_word(rows, l, true, false, &D_OF(warp, i, uint32_t)[l]);
}

static ptx_execute *select_rows(const struct ptx_function *function, struct ptx_instruction *i)
{
    bool store = i->opcode == OP_stmatrix;
    const struct ptx_operand *operand = &i->operand[store],
                             *registers = registers_of(function->elements, operand);
    if (i->operand_count != 2 || i->types[0] != TYPE_b16 || !ptx_has(i, M_m8n8)) return NULL;
    if (operand->kind != OPERAND_VALUE && operand->kind != OPERAND_VECTOR) return NULL;
    if (!is_address(&i->operand[!store]) || register_count(operand) != matrix_count(i)) return NULL;
    for (unsigned k = 0; k < matrix_count(i); k++)
        if (registers[k].kind != OPERAND_VALUE || registers[k].bytes != 4) return NULL;
    i->detail = function->elements;
    return move_rows;
}

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
