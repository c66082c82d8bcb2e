/* SPDX-License-Identifier: MIT */
/* activation.c - elementwise activations and their slopes, one line of mathematics each.
 *
 * A slope is written in terms of y, what the activation gave, where that is enough: then x need not
 * be kept. qs_activation_needs_input() in kernels.c lists those that need x instead.
 */
#include <math.h>

#include "kernels/kernels.h"
#include "kernels/math.h"
#include "kernels/vec/ops.h"

/* x: input, y: output (in the slope: whichever is kept), c: arguments in the order of the kind. */
#define ACTIVATION(name, value, slope)                                                             \
    static void name##_value(size_t n, const float *xs, float *ys, const float *c)                 \
    {                                                                                              \
        (void)c;                                                                                   \
        for (size_t i = 0; i < n; i++) {                                                           \
            const float x = xs[i];                                                                 \
            ys[i] = (value);                                                                       \
        }                                                                                          \
    }                                                                                              \
    static void name##_slope(size_t n, const float *dy, const float *xys, float *dx,               \
                             const float *c)                                                       \
    {                                                                                              \
        (void)c;                                                                                   \
        for (size_t i = 0; i < n; i++) {                                                           \
            const float x = xys[i], y = x;                                                         \
            (void)x, (void)y;                                                                      \
            dx[i] = dy[i] * (slope);                                                               \
        }                                                                                          \
    }

static const float SELU_ALPHA = 1.6732632423543772f, SELU_SCALE = 1.0507009873554805f;
static const float SQRT_HALF = 0.70710678f, SQRT_2_PI = 0.79788456f, PDF_0 = 0.39894228f;

static inline float gelu_slope_exact(float x)
{
    return 0.5f * (1 + qs_erff(x * SQRT_HALF)) + x * PDF_0 * qs_expf(-0.5f * x * x);
}

static inline float gelu_tanh(float x)
{
    return qs_tanhf(SQRT_2_PI * (x + 0.044715f * x * x * x));
}

static inline float gelu_slope_tanh(float x)
{
    const float t = gelu_tanh(x);
    return 0.5f * (1 + t) + 0.5f * x * (1 - t * t) * SQRT_2_PI * (1 + 3 * 0.044715f * x * x);
}

static inline float slope_of_mish(float x)
{
    const float t = qs_tanhf(qs_softplusf(x));
    return t + x * (1 - t * t) * qs_sigmoidf(x);
}

static inline float slope_of_silu(float x)
{
    const float s = qs_sigmoidf(x);
    return s * (1 + x * (1 - s));
}

/* relu(negative_slope, max_value, threshold): max(0, x) unless the arguments say more. */
static inline float relu_full(float x, const float *c)
{
    const float y = x >= c[2] ? x : c[0] * (x - c[2]);
    return y < c[1] ? y : c[1];
}

static inline float relu_full_slope(float x, const float *c)
{
    const float s = x >= c[2] ? 1 : c[0];
    return x < c[1] ? s : 0;
}

ACTIVATION(linear, x, 1)
ACTIVATION(relu, x > 0 ? x : 0, y > 0 ? 1.f : 0.f)
ACTIVATION(relu_general, relu_full(x, c), relu_full_slope(x, c))
ACTIVATION(relu6, x > 0 ? (x < 6 ? x : 6) : 0, (y > 0 ? 1.f : 0.f) * (y < 6 ? 1.f : 0.f))
ACTIVATION(leaky_relu, x > 0 ? x : c[0] * x, x > 0 ? 1 : c[0])
ACTIVATION(elu, x > 0 ? x : c[0] * qs_expm1f(x), x > 0 ? 1 : c[0] * qs_expf(x))
ACTIVATION(selu, SELU_SCALE *(x > 0 ? x : SELU_ALPHA * qs_expm1f(x)),
           y > 0 ? SELU_SCALE : y + SELU_SCALE * SELU_ALPHA)
ACTIVATION(sigmoid, qs_sigmoidf(x), y *(1 - y))
ACTIVATION(tanh, qs_tanhf(x), 1 - y * y)
ACTIVATION(softplus, qs_softplusf(x), qs_sigmoidf(x))
ACTIVATION(softsign, x / (1 + fabsf(x)), (1 - fabsf(y)) * (1 - fabsf(y)))
ACTIVATION(silu, x *qs_sigmoidf(x), slope_of_silu(x))
ACTIVATION(exponential, qs_expf(x), y)
ACTIVATION(mish, x *qs_tanhf(qs_softplusf(x)), slope_of_mish(x))
ACTIVATION(gelu, 0.5f * x * (1 + qs_erff(x * SQRT_HALF)), gelu_slope_exact(x))
ACTIVATION(gelu_approximate, 0.5f * x * (1 + gelu_tanh(x)), gelu_slope_tanh(x))
ACTIVATION(hard_sigmoid, fminf(fmaxf(x / 6 + 0.5f, 0), 1),
           (y > 0 ? 1.f / 6 : 0) * (y < 1 ? 1.f : 0.f))
ACTIVATION(hard_silu, x *fminf(fmaxf(x / 6 + 0.5f, 0), 1),
           x <= -3 ? 0 : (x >= 3 ? 1 : x / 3 + 0.5f))

typedef void (*value_fn)(size_t n, const float *x, float *y, const float *c);
typedef void (*slope_fn)(size_t n, const float *dy, const float *xy, float *dx, const float *c);

static const struct {
    value_fn value;
    slope_fn slope;
} activations[] = {
#define QS_ACTIVATION(name) {name##_value, name##_slope},
#include "kernels/activations.def"
#undef QS_ACTIVATION
};

void QS_RUNG(qs_activate)(int id, size_t n, const float *x, float *y, const float *arg)
{
    activations[id].value(n, x, y, arg);
}

void QS_RUNG(qs_activate_grad)(int id, size_t n, const float *dy, const float *xy, float *dx,
                               const float *arg)
{
    activations[id].slope(n, dy, xy, dx, arg);
}
