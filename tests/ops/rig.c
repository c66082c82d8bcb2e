/* SPDX-License-Identifier: MIT */
/* rig.c - buffers between guard zones, and what may be in them. */
#include "rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/rng.h"

enum { GUARD = 64 };                        /* floats before and after a buffer */
static const uint32_t PATTERN = 0x7fa5a5a5; /* a NaN: what is read there shows, too */

/* ---- random sizes and numbers ---- */

double rig_between(rig *r, double low, double high)
{
    return low + (high - low) * qs_uniform(r->key, r->next++);
}

bool rig_flip(rig *r)
{
    return rig_between(r, 0, 1) < 0.5;
}

size_t rig_pick(rig *r, size_t most)
{
    static const size_t edge[] = {1, 2, 3, 15, 16, 17, 24, 31, 33, 47, 48, 49, 63, 65, 96, 97, 100};
    const size_t edges = sizeof edge / sizeof *edge;
    if (r->large)
        return most;
    const size_t n = edge[(size_t)rig_between(r, 0, (double)edges)];
    if (n <= most && rig_flip(r))
        return n;
    return 1 + (size_t)rig_between(r, 0, (double)most);
}

/* ---- buffers ---- */

static size_t lanes_of(const rig *r)
{
    return qs_slice_first(&r->slicing, r->slicing.slices);
}

static size_t floats_of(const rig *r, const rig_buffer *b)
{
    switch (b->layout) {
    case RIG_LANES:
        return b->rows * lanes_of(r);
    case RIG_PACKED:
        return b->rows * qs_blocked_size(lanes_of(r), b->cols);
    case RIG_BLOCKED:
        return qs_blocked_size(b->rows, b->cols);
    default:
        return b->rows * qs_round_up(b->cols, QS_LANE);
    }
}

/* Row and column of float i of a matrix in blocks. */
static void place_in_blocks(size_t rows, size_t cols, size_t i, size_t *row, size_t *col)
{
    const size_t block = i / (rows * QS_BLOCK), within = i - qs_block_start(rows, block);
    const size_t width = qs_block_width(cols, block);
    *row = within / width;
    *col = block * QS_BLOCK + within % width;
}

/* Lane of float i among all lanes, and its feature. */
static void place_in_lanes(const rig *r, const rig_buffer *b, size_t i, size_t *feature,
                           size_t *lane)
{
    size_t slice = 0;
    while (i >= b->rows * qs_slice_first(&r->slicing, slice + 1))
        slice++;
    const size_t first = qs_slice_first(&r->slicing, slice);
    const size_t lanes = qs_slice_lanes(&r->slicing, slice);
    *feature = (i - b->rows * first) / lanes;
    *lane = first + (i - b->rows * first) % lanes;
}

/* Where float i belongs; true where that is padding. */
static bool place(const rig *r, const rig_buffer *b, size_t i, size_t *row, size_t *col)
{
    const size_t stride = qs_round_up(b->cols, QS_LANE);
    switch (b->layout) {
    case RIG_LANES:
        place_in_lanes(r, b, i, row, col);
        return *col >= r->n;
    case RIG_PACKED:
        place_in_blocks(lanes_of(r), b->cols, i % qs_blocked_size(lanes_of(r), b->cols), row, col);
        return *row >= r->n || *col >= b->cols;
    case RIG_BLOCKED:
        place_in_blocks(b->rows, b->cols, i, row, col);
        return *col >= b->cols;
    default:
        *row = i / stride;
        *col = i % stride;
        return *col >= b->cols;
    }
}

static bool is_padding(const rig *r, const rig_buffer *b, size_t i)
{
    size_t row, col;
    return place(r, b, i, &row, &col);
}

/* `floats` between two guard zones, aligned to a cache line. */
static float *guarded(size_t floats)
{
    const size_t all = floats + (size_t)2 * GUARD;
    float *block = aligned_alloc(64, qs_round_up(all * sizeof *block, 64));
    if (!block) {
        fprintf(stderr, "no memory for %zu floats\n", all);
        exit(2);
    }
    for (size_t i = 0; i < all; i++)
        memcpy(&block[i], &PATTERN, sizeof *block);
    return block + GUARD;
}

void rig_fill(rig *r, int buffer, double low, double high)
{
    rig_buffer *b = &r->buffer[buffer];
    for (size_t i = 0; i < b->floats; i++)
        b->start[i] = (float)rig_between(r, low, high);
    if (b->layout != RIG_LANES)
        rig_clear_padding(r, buffer);
}

void rig_clear_padding(rig *r, int buffer)
{
    rig_buffer *b = &r->buffer[buffer];
    for (size_t i = 0; i < b->floats; i++)
        if (is_padding(r, b, i))
            b->start[i] = 0;
}

/* What sums over samples must not look at those that are not there. */
static void spoil_padding(rig *r, rig_buffer *b)
{
    const bool lanes = b->layout == RIG_LANES || b->layout == RIG_PACKED;
    for (size_t i = 0; lanes && b->use == RIG_READ && i < b->floats; i++) {
        size_t row, col;
        place(r, b, i, &row, &col);
        if ((b->layout == RIG_LANES ? col : row) >= r->n)
            b->start[i] = NAN;
    }
}

void rig_need_zero(rig *r, int buffer)
{
    r->buffer[buffer].zero = true;
    if (r->buffer[buffer].use != RIG_WRITE)
        rig_clear_padding(r, buffer);
}

/* NaN where the kernel must write; what memory starts with where it need not. */
static void spoil(const rig *r, rig_buffer *b)
{
    for (size_t i = 0; i < b->floats; i++)
        b->start[i] =
            b->layout != RIG_LANES && b->layout != RIG_PACKED && is_padding(r, b, i) ? 0 : NAN;
}

int rig_add(rig *r, const char *name, rig_layout layout, rig_use use, size_t rows, size_t cols)
{
    rig_buffer *b = &r->buffer[r->buffers];
    *b = (rig_buffer){.name = name, .layout = layout, .use = use, .rows = rows, .cols = cols};
    b->floats = floats_of(r, b);
    b->now = guarded(b->floats);
    b->start = guarded(b->floats);
    b->want = guarded(b->floats);
    if (use == RIG_WRITE)
        spoil(r, b);
    else
        rig_fill(r, r->buffers, -1, 1);
    return r->buffers++;
}

int rig_lanes(rig *r, const char *name, rig_use use, size_t features)
{
    return rig_add(r, name, RIG_LANES, use, features, 0);
}

void *rig_store(rig *r, size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), body = qs_round_up(bytes + 1, page);
    char *at = mmap(NULL, body + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED || mprotect(at + body, page, PROT_NONE) != 0) {
        fprintf(stderr, "no memory for %zu bytes\n", bytes);
        exit(2);
    }
    r->stored[r->stores].at = at;
    r->stored[r->stores++].bytes = body + page;
    return at + body - bytes;
}

void rig_param(rig *r, struct rig_param *p, bool matrix, size_t rows, size_t cols, bool kept)
{
    static const char *const slots[] = {"slot 0", "slot 1", "slot 2", "slot 3"};
    p->used = true;
    p->args = (qs_param_args){.matrix = matrix, .rows = rows, .cols = cols};
    p->weight = rig_add(r, "weight", RIG_BLOCKED, RIG_CHANGE, rows, cols);
    rig_need_zero(r, p->weight);
    p->grad = RIG_NONE;
    if (kept) {
        p->grad = rig_add(r, "gradient", RIG_BLOCKED, RIG_CHANGE, rows, cols);
        rig_need_zero(r, p->grad);
    }
    for (int k = 0; k < QS_OPTIM_SLOTS; k++) {
        p->slot[k] = rig_add(r, slots[k], RIG_BLOCKED, RIG_CHANGE, rows, cols);
        rig_fill(r, p->slot[k], k ? 0 : 0.5, k ? 0.5 : 1.5); /* variance above a square of a mean */
    }
}

/* ---- opening, closing ---- */

static qs_axis axis_of(qs_op op)
{
    static const qs_axis axes[QS_OPS] = {
#define QS_OP(name, axis) [QS_OP_##name] = QS_AXIS_##axis,
#include "kernels/ops.def"
#undef QS_OP
    };
    return axes[op];
}

static void no_operands(rig *r)
{
    for (int i = 0; i < QS_IN; i++)
        r->in[i] = RIG_NONE;
    for (int i = 0; i < QS_OUT; i++)
        r->out[i] = RIG_NONE;
}

void rig_open(rig *r, qs_op op, int kind, uint64_t key, bool large, rig_setup setup)
{
    static const size_t samples[] = {1, 2, 15, 16, 17, 31, 33, 48, 64, 65, 100, 128, 130, 193, 200};
    static const float constants[] = {0.99f, 0.5f, 0.6f, 0.4f, 0.3f, 0.3f, 0.3f, 0.3f};
    *r = (rig){.op = op, .kind = kind, .key = key, .large = large, .items = 1};
    no_operands(r);
    r->n = large ? 128 : samples[(size_t)rig_between(r, 0, sizeof samples / sizeof *samples)];
    r->slicing = qs_slicing_of(r->n);
    r->step.rows.n = r->n;
    r->step.training = true;
    r->step.key = key;
    memcpy(r->step.optim, constants, sizeof constants);
    setup(r);
    for (int i = 0; i < r->buffers && axis_of(op) == QS_AXIS_ITEM; i++)
        spoil_padding(r, &r->buffer[i]);
    const size_t parts = r->slicing.slices;
    r->sum = calloc(parts * RIG_SUMS, sizeof *r->sum);
    r->sum_want = calloc(parts * RIG_SUMS, sizeof *r->sum_want);
    if (!r->sum || !r->sum_want)
        exit(2);
}

void rig_close(rig *r)
{
    for (int i = 0; i < r->buffers; i++) {
        free(r->buffer[i].now - GUARD);
        free(r->buffer[i].start - GUARD);
        free(r->buffer[i].want - GUARD);
    }
    for (int i = 0; i < r->stores; i++)
        munmap(r->stored[i].at, r->stored[i].bytes);
    free(r->sum);
    free(r->sum_want);
}

/* ---- running ---- */

static float *operand(const rig *r, int buffer, size_t first)
{
    if (buffer == RIG_NONE)
        return NULL;
    const rig_buffer *b = &r->buffer[buffer];
    return b->now + (b->layout == RIG_LANES ? b->rows * first : 0);
}

static const qs_param_args *point(const rig *r, struct rig_param *p)
{
    if (!p->used)
        return NULL;
    p->args.weight = operand(r, p->weight, 0);
    p->args.grad = operand(r, p->grad, 0);
    for (int k = 0; k < QS_OPTIM_SLOTS; k++)
        p->args.slot[k] = operand(r, p->slot[k], 0);
    return &p->args;
}

static qs_kernel_args args_of(rig *r, const qs_kernel_tables *tables, size_t slice)
{
    qs_kernel_args a = {.dim = r->dim,
                        .arg = r->arg,
                        .step = &r->step,
                        .slicing = &r->slicing,
                        .slice = slice,
                        .lanes = qs_slice_lanes(&r->slicing, slice),
                        .valid = qs_slice_valid(&r->slicing, slice),
                        .first = qs_slice_first(&r->slicing, slice),
                        .param = point(r, &r->param),
                        .bias = point(r, &r->bias),
                        .sum = r->sum + slice * RIG_SUMS,
                        .tables = tables};
    for (int i = 0; i < QS_IN; i++)
        a.in[i] = operand(r, r->in[i], a.first);
    for (int i = 0; i < QS_OUT; i++)
        a.out[i] = operand(r, r->out[i], a.first);
    return a;
}

static void run_items(rig *r, const qs_kernel_tables *tables, size_t item, size_t items)
{
    qs_kernel_args a = args_of(r, tables, 0);
    a.item = item;
    a.items = items;
    if (items)
        tables->op[r->op](&a);
}

void rig_prepare(rig *r)
{
    for (int i = 0; i < r->buffers; i++)
        memcpy(r->buffer[i].now, r->buffer[i].start, r->buffer[i].floats * sizeof(float));
    for (size_t s = 0; s < r->slicing.slices; s++)
        memcpy(r->sum + s * RIG_SUMS, r->sum_start, sizeof r->sum_start);
}

void rig_call(rig *r, const qs_kernel_tables *tables)
{
    if (axis_of(r->op) == QS_AXIS_ITEM) {
        run_items(r, tables, r->items / 3, r->items - r->items / 3);
        run_items(r, tables, 0, r->items / 3);
        return;
    }
    for (size_t s = r->slicing.slices; s > 0; s--) {
        const qs_kernel_args a = args_of(r, tables, s - 1);
        tables->op[r->op](&a);
    }
}

void rig_run(rig *r, const qs_kernel_tables *tables)
{
    rig_prepare(r);
    rig_call(r, tables);
}

void rig_keep(rig *r)
{
    for (int i = 0; i < r->buffers; i++)
        memcpy(r->buffer[i].want, r->buffer[i].now, r->buffer[i].floats * sizeof(float));
    memcpy(r->sum_want, r->sum, r->slicing.slices * RIG_SUMS * sizeof *r->sum);
}

/* ---- looking ---- */

static bool guard_holds(const float *zone)
{
    for (size_t i = 0; i < GUARD; i++)
        if (memcmp(&zone[i], &PATTERN, sizeof PATTERN) != 0)
            return false;
    return true;
}

static bool fault(const rig *r, char text[RIG_TEXT], const rig_buffer *b, const char *what)
{
    snprintf(text, RIG_TEXT, "%zu samples, dim %d %d %d %d, key %#llx: %s %s", r->n, r->dim[0],
             r->dim[1], r->dim[2], r->dim[3], (unsigned long long)r->key, b->name, what);
    return false;
}

static bool element_fault(const rig *r, char text[RIG_TEXT], const rig_buffer *b, size_t i,
                          const char *what)
{
    size_t row, col;
    char at[160];
    place(r, b, i, &row, &col);
    snprintf(at, sizeof at, "[%zu, %zu] is %.9g%s", row, col, (double)b->now[i], what);
    return fault(r, text, b, at);
}

static bool buffer_sound(const rig *r, const rig_buffer *b, char text[RIG_TEXT])
{
    if (!guard_holds(b->now - GUARD))
        return fault(r, text, b, "was written before its start");
    if (!guard_holds(b->now + b->floats))
        return fault(r, text, b, "was written past its end");
    if (b->use == RIG_READ)
        return memcmp(b->now, b->start, b->floats * sizeof(float)) == 0 ||
               fault(r, text, b, "is an input and was changed");
    for (size_t i = 0; i < b->floats; i++) {
        if (!isfinite(b->now[i]))
            return element_fault(r, text, b, i, is_padding(r, b, i) ? ": padding" : "");
        if (b->zero && b->now[i] != 0 && is_padding(r, b, i))
            return element_fault(r, text, b, i, ": padding that must be zero");
    }
    return true;
}

bool rig_sound(const rig *r, char text[RIG_TEXT])
{
    for (int i = 0; i < r->buffers; i++)
        if (!buffer_sound(r, &r->buffer[i], text))
            return false;
    return true;
}

double rig_allowed(const rig_buffer *b, double rms, double want)
{
    const double products = 1e-6 * sqrt(b->depth) * fmax(rms, fabs(want));
    const double elementwise = 2e-6 * fmax(fmin(4 * rms, 1), fabs(want));
    return b->depth > 0 ? products + (b->activated ? elementwise : 0) : elementwise;
}

static double rms_of(const rig *r, const rig_buffer *b)
{
    double square = 0, count = 0;
    for (size_t i = 0; i < b->floats; i++)
        if (!is_padding(r, b, i)) {
            square += (double)b->want[i] * (double)b->want[i];
            count++;
        }
    return count > 0 ? sqrt(square / count) : 0;
}

static bool buffer_matches(const rig *r, const rig_buffer *b, char text[RIG_TEXT])
{
    const double rms = rms_of(r, b);
    for (size_t i = 0; i < b->floats; i++) {
        const double want = (double)b->want[i], off = fabs((double)b->now[i] - want);
        char what[80];
        if (is_padding(r, b, i) || off <= rig_allowed(b, rms, want))
            continue;
        snprintf(what, sizeof what, ", ref gives %.9g (allowed %.2g)", want,
                 rig_allowed(b, rms, want));
        return element_fault(r, text, b, i, what);
    }
    return true;
}

static bool sums_match(const rig *r, char text[RIG_TEXT])
{
    const rig_buffer sums = {.name = "sum", .depth = r->exact_sums ? 0 : 4};
    for (size_t i = 0; i < r->slicing.slices * RIG_SUMS; i++) {
        const double want = r->sum_want[i], off = fabs(r->sum[i] - want);
        char what[120];
        if (off <= (r->exact_sums ? 0 : rig_allowed(&sums, 1, want)))
            continue;
        snprintf(what, sizeof what, "%zu of slice %zu is %.9g, ref gives %.9g", i % RIG_SUMS,
                 i / RIG_SUMS, r->sum[i], want);
        return fault(r, text, &sums, what);
    }
    return true;
}

bool rig_matches(const rig *r, char text[RIG_TEXT])
{
    for (int i = 0; i < r->buffers; i++)
        if (r->buffer[i].use != RIG_READ && !buffer_matches(r, &r->buffer[i], text))
            return false;
    return sums_match(r, text);
}
