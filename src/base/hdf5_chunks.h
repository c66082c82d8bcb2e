/* SPDX-License-Identifier: MIT */
/* hdf5_chunks.h - look over a data set's chunks before libhdf5 reads them. Private.
 *
 * libhdf5 1.10 does not ask whether a chunk unpacks to as many bytes as a chunk has, and reads on
 * behind one that is short.
 */
#ifndef QS_BASE_HDF5_CHUNKS_H
#define QS_BASE_HDF5_CHUNKS_H

#include <hdf5.h>

#include "base/fail.h"

/* QS_OK for a set that is not chunked, too. Errors: QS_E_FORMAT a chunk is short or damaged;
 * QS_E_UNSUPPORTED a filter that is not deflate, shuffle or fletcher32; QS_E_NOMEM. */
qs_status qs_hdf5_chunks_check(hid_t set, qs_error *err);

#endif
