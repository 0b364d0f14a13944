/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * storage-private.h: for storage.c, key-locks.c and timestamps.c.
 */
#pragma once

#include "core/write/storage.h"
#include "core/write/lock-table.h"

#define KVSQL_N_STRIPES 256

/* State of all keys that have the same hash modulo KVSQL_N_STRIPES. */
typedef struct
{
  gint64 newest; /* newest timestamp given to a write of these keys */
  guint64 age;   /* atomic; incremented while one of these keys is locked */
} KvsqlStripe;

struct _KvsqlStorage
{
  KvsqlStore *store;
  KvsqlWriteLog *log; /* nullable */
  gint64 delete_grace_ms;
  gint64 late_ms;
  KvsqlLaterFunc later; /* nullable */
  gpointer later_data;
  KvsqlTimeFunc time;   /* nullable: the machine's clock */
  KvsqlStampFunc stamp; /* with @time */
  gpointer time_data;
  gint early_us; /* atomic; how far ahead of the clock an early timestamp is */
  KvsqlLockTable locks;
  GMutex newest_mutex; /* protects stripes[].newest */
  KvsqlStripe stripes[KVSQL_N_STRIPES];
  KvsqlKeyForecast forecast;
  GMutex tables_mutex;
  GHashTable *tables; /* GBytes: table \0 family */
};

static inline guint
kvsql_stripe_of (guint64 hash)
{
  G_STATIC_ASSERT (KVSQL_N_STRIPES == 256);
  return (guint)(hash & 0xff);
}

/* The timestamp of a write of these keys: at least @clock, @newest and every timestamp that one of
 * the keys had; with @above, greater than the latter two. 0: error, from the KvsqlStampFunc. */
gint64 kvsql_storage_advance_newest (KvsqlStorage *self, const KvsqlKeyLocks *locks, gint64 clock,
                                     gint64 newest, gboolean above, GError **error);
