/* SPDX-License-Identifier: MIT */
/** @file status.h  What can go wrong, and how a call says so. */
#ifndef QUICKSTEP_STATUS_H
#define QUICKSTEP_STATUS_H

#include <stddef.h>

#if defined(__GNUC__)
#define QS_API                     __attribute__((visibility("default")))
#define QS_PRINTF(fmt_at, args_at) __attribute__((format(printf, fmt_at, args_at)))
#else
#define QS_API
#define QS_PRINTF(fmt_at, args_at)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Every status there is: X(name, value, exit code, text). Values never change once released. */
#define QS_STATUS_LIST(X)                                                                          \
    X(OK, 0, 0, "ok")                                                                              \
    X(E_ARG, -1, 2, "invalid argument")                                                            \
    X(E_SHAPE, -2, 2, "shapes do not fit")                                                         \
    X(E_NOMEM, -3, 1, "out of memory")                                                             \
    X(E_IO, -4, 1, "reading or writing failed")                                                    \
    X(E_FORMAT, -5, 2, "malformed file")                                                           \
    X(E_UNSUPPORTED, -6, 2, "not supported")                                                       \
    X(E_DEVICE, -7, 1, "device failure")                                                           \
    X(E_DATA, -8, 2, "bad sample or label")                                                        \
    X(E_NAN, -9, 1, "a number is not finite")                                                      \
    X(E_MISSING, -10, 2, "not found")                                                              \
    X(E_STOPPED, -11, 130, "stopped on request")

typedef enum qs_status {
#define X(name, value, code, text) QS_##name = (value),
    QS_STATUS_LIST(X)
#undef X
} qs_status;

/**
 * The story of one failure. The caller owns it, on the stack; passing NULL wherever a qs_error is
 * asked for means "the status alone will do". Text is written only when a call fails.
 */
typedef struct qs_error {
    qs_status code;
    char text[512]; /* outermost context first: "net.json: layer 2 (dense): units must be > 0" */
} qs_error;

/** A fixed English phrase for @p code; never NULL. */
QS_API const char *qs_status_text(qs_status code);

/**
 * What a mistyped name may have meant, to put behind it in a message: " (did you mean 'relu' or
 * 'elu'?)", " (nearest: 'relu', 'elu')" where none is a plausible slip, "" where there are no names.
 * @p names ends with NULL. Returns @p text.
 */
QS_API const char *qs_nearest(const char *name, const char *const *names, char *text, size_t bytes);

/** The exit code that a program should end with for @p code: 0, 1, 2 or 130. */
QS_API int qs_status_exit(qs_status code);

#ifdef __cplusplus
}
#endif
#endif
