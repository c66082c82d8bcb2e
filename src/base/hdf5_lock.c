/* SPDX-License-Identifier: MIT */
/* hdf5_lock.c - one recursive lock for the whole program. */
#include "base/hdf5_lock.h"

#include <hdf5.h>
#include <pthread.h>

static pthread_mutex_t lock;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* A damaged file leaves objects open inside libhdf5, of which its tidying up at exit would complain
 * on stderr; nothing of ours is left to be flushed then. */
static void make_lock(void)
{
    H5dont_atexit();
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &kind);
    pthread_mutexattr_destroy(&kind);
}

void qs_hdf5_lock(void)
{
    pthread_once(&once, make_lock);
    pthread_mutex_lock(&lock);
}

void qs_hdf5_unlock(void)
{
    pthread_mutex_unlock(&lock);
}
