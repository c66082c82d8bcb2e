/* SPDX-License-Identifier: MIT */
/** @file device.h  What a network can run on here. */
#ifndef QUICKSTEP_DEVICE_H
#define QUICKSTEP_DEVICE_H

#include <stddef.h>

#include "quickstep/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One device, usable or not. Texts live as long as the process. */
typedef struct qs_device_info {
    const char *name;        /**< what `--device` takes: "cpu" */
    const char *description; /**< the maker's name for it */
    int usable;              /**< 0: see why */
    const char *why;         /**< the reason it cannot be used; NULL where it can */
    const char *rung;        /**< best kernels in use: "avx512", "avx2", "vec", "ref" */
    int threads;             /**< what the program would use by itself */
    size_t memory_bytes;     /**< 0 where unknown */
} qs_device_info;

QS_API int qs_device_count(void);

/**
 * Describe device @p index.
 * Errors  QS_E_ARG  no such index
 */
QS_API qs_status qs_device_describe(int index, qs_device_info *out, qs_error *err);

/**
 * Measure what @p threads cores can do in f32 multiply-adds and nothing else: flops per second, the
 * best of several short runs. Takes about 20 ms. Thread-safe.
 */
QS_API double qs_device_peak_flops(int threads);

#ifdef __cplusplus
}
#endif
#endif
