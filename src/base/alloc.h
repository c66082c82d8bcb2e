/* SPDX-License-Identifier: MIT */
/* alloc.h - the one door to the heap, so that it can be counted and refused. Private. */
#ifndef QS_BASE_ALLOC_H
#define QS_BASE_ALLOC_H

#include <stddef.h>

/* NULL when memory runs out, or before: large blocks are held against what is free, because a system
 * that promises more than it has kills those who use it. Aligned for SIMD (64). Zeroed: large blocks come as fresh pages. */
void *qs_calloc(size_t count, size_t size); /* overflow of the product is refused too */
void *qs_realloc(void *p, size_t bytes);    /* of what qs_malloc gave; not aligned */
void *qs_malloc(size_t bytes);              /* not aligned; also what jansson is given */
char *qs_strdup(const char *text);          /* of NULL is NULL */
char *qs_strndup(const char *text, size_t n);
char *qs_format(const char *fmt, ...) __attribute__((format(printf, 1, 2))); /* owned text */
void qs_free(void *p); /* of any of the above; NULL is fine */

/* For libraries that do not survive a refusal: what is refused comes out of a small reserve, so that
 * they can be got out of in order. It counts as refused: see qs_memory_verdict(). */
void *qs_malloc_reserved(size_t bytes);

/* How many of its calls this thread was refused so far, and the bytes of the last: a tree that grew
 * meanwhile may lack something, and a library's complaint may mean nothing else. */
size_t qs_alloc_refusals(void);
size_t qs_alloc_refused_bytes(void);

/* Tests and reports only: calls and bytes so far, blocks not yet freed, and the call to refuse (1 is
 * the next, 0 none). */
size_t qs_alloc_calls(void);
size_t qs_alloc_bytes(void);
size_t qs_alloc_live(void);
void qs_alloc_refuse_nth(size_t nth);

#endif
