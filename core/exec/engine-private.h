/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * engine-private.h: for engine.c, key-locks.c and timestamps.c.
 */
#pragma once

#include "core/exec/engine.h"
#include "core/exec/held-keys.h"

#define KVSQL_N_STRIPES 256

/* What is known of keys, which share it by their hash. */
typedef struct
{
  gint64 newest; /* timestamp that was given to a write of these keys */
  guint64 age;   /* atomic; changed while one of them is locked */
} KvsqlStripe;

struct _KvsqlEngine
{
  KvsqlStore *store;
  KvsqlTimeFunc time; /* nullable: the machine's clock */
  gpointer time_data;
  KvsqlHeldKeys held;
  GMutex newest_mutex; /* of stripes[].newest */
  KvsqlStripe stripes[KVSQL_N_STRIPES];
  GMutex tables_mutex;
  GHashTable *tables; /* GBytes: table \0 family */
};

static inline guint
kvsql_stripe_of (guint64 hash)
{
  G_STATIC_ASSERT (KVSQL_N_STRIPES == 256);
  return (guint)(hash & 0xff);
}

/* The time of a write of these keys: no less than @clock, @newest and any that one of them had, or
 * @above the latter two. */
gint64 kvsql_engine_advance_newest (KvsqlEngine *self, const KvsqlKeyLocks *locks, gint64 clock,
                                    gint64 newest, gboolean above);
