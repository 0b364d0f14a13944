/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * usage.h: counters and durations of store calls. store.c counts every call.
 *
 * Threads: any thread adds and reads numbers, without a lock and without ordering: a reader may see
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

/* The usage of one statement. */
typedef struct _KvsqlUsage
{
  KvsqlCount n_calls;
  KvsqlCount n_rows;  /* read */
  KvsqlCount n_cells; /* read */

  /* Memory limits, which kvsql_call_check() enforces; all may be zero. */
  KvsqlAccount *account;       /* of the statement; borrowed */
  gsize max_bytes;             /* of @account */
  KvsqlAccount *all;           /* of all statements; borrowed */
  gsize max_all_bytes;         /* of @all; beyond it, statements above an equal share fail */
  gsize retained_bytes;        /* the part of @max_all_bytes that is held between requests, which
                                * statements do not share */
  const KvsqlCount *n_sharers; /* the number of running statements */

  /* Limits of a role. */
  const gchar *role;           /* nullable: none has limits; borrowed */
  KvsqlAccount *of_role;       /* nullable: of all its statements; borrowed */
  gsize max_role_bytes;        /* of @of_role; beyond it, statements above an equal share fail */
  const KvsqlCount *n_of_role; /* the number of its running statements */
  gboolean has_max_written;
  guint64 max_written; /* tuples that the statement may write */
  guint64 n_written;   /* of these */
} KvsqlUsage;

/* FALSE with KVSQL_ERROR_LIMIT if the statement exceeds its memory limits. */
gboolean kvsql_usage_check_memory (const KvsqlUsage *self,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Before @n tuples are written. FALSE with KVSQL_ERROR_LIMIT if that is more than the statement may
 * write. One thread counts. @self: nullable */
gboolean kvsql_usage_count_written (KvsqlUsage *self, guint64 n,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A histogram of durations: a bucket for each bound, and one for all durations above. */
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
  KVSQL_STORE_CALL_SCAN, /* opening a scan, or reading a batch of it */
  KVSQL_STORE_CALL_GET,
  KVSQL_STORE_CALL_WRITE,
  KVSQL_STORE_CALL_OTHER, /* calls about tables, and pings */
  KVSQL_N_STORE_CALLS,
} KvsqlStoreCallKind;

const gchar *kvsql_store_call_get_name (KvsqlStoreCallKind kind);

/* The usage of all calls of a store. */
typedef struct
{
  KvsqlHistogram durations[KVSQL_N_STORE_CALLS];
  KvsqlCount n_errors[KVSQL_N_STORE_CALLS];
  KvsqlCount n_rows_read;
  KvsqlCount n_mutations;
} KvsqlStoreUsage;

G_END_DECLS
