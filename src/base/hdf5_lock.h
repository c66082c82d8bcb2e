/* SPDX-License-Identifier: MIT */
/* hdf5_lock.h - HDF5 as it is usually built serves one thread at a time. Private.
 *
 * Every use of it, from opening a file to closing it, is between these two; they nest.
 */
#ifndef QS_BASE_HDF5_LOCK_H
#define QS_BASE_HDF5_LOCK_H

void qs_hdf5_lock(void);
void qs_hdf5_unlock(void);

#endif
