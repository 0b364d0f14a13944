/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * usage.h: what was asked of a store, counted where every call passes (store.c).
 *
 * Threads: numbers are added and read by any, without a lock and in no order; a reader may see
 * one number newer than another.
 */
#pragma once

#include "core/base/account.h"

G_BEGIN_DECLS

typedef gint64 KvsqlCount;

static inline void
kvsql_count_add (KvsqlCount *self, gint64 n)
{
  __atomic_fetch_add (self, n, __ATOMIC_RELAXED);
}

static inline gint64
kvsql_count_get (const KvsqlCount *self)
{
  return __atomic_load_n (self, __ATOMIC_RELAXED);
}

static inline void
kvsql_count_set (KvsqlCount *self, gint64 n)
{
  __atomic_store_n (self, n, __ATOMIC_RELAXED);
}

/* Of one statement. */
typedef struct
{
  KvsqlCount n_calls;
  KvsqlCount n_rows; /* read */

  /* Its bounds of memory, which kvsql_call_check() looks at; all may be zero. */
  KvsqlAccount *account;       /* of the statement; borrowed */
  gsize max_bytes;             /* of it */
  KvsqlAccount *all;           /* of all statements; borrowed */
  gsize max_all_bytes;         /* beyond it, who has more than an equal share has to go */
  const KvsqlCount *n_sharers; /* statements that run now */
} KvsqlUsage;

/* FALSE with KVSQL_ERROR_LIMIT if the statement holds more than it may. */
gboolean kvsql_usage_check_memory (const KvsqlUsage *self, GError **error);

/* Durations, in a bucket for each bound and one for all above. */
#define KVSQL_N_BUCKETS 12
extern const gint64 kvsql_bucket_bounds_us[KVSQL_N_BUCKETS];

typedef struct
{
  KvsqlCount buckets[KVSQL_N_BUCKETS + 1];
  KvsqlCount sum_us;
} KvsqlHistogram;

void kvsql_histogram_add (KvsqlHistogram *self, gint64 duration_us);

typedef enum
{
  KVSQL_STORE_CALL_SCAN, /* a batch of a scan, or its opening */
  KVSQL_STORE_CALL_GET,
  KVSQL_STORE_CALL_WRITE,
  KVSQL_STORE_CALL_OTHER, /* of tables, and proofs of life */
  KVSQL_N_STORE_CALLS,
} KvsqlStoreCallKind;

const gchar *kvsql_store_call_get_name (KvsqlStoreCallKind kind);

/* Of all calls of a store. */
typedef struct
{
  KvsqlHistogram durations[KVSQL_N_STORE_CALLS];
  KvsqlCount n_errors[KVSQL_N_STORE_CALLS];
  KvsqlCount n_rows_read;
  KvsqlCount n_mutations;
} KvsqlStoreUsage;

G_END_DECLS
