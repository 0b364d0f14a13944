/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * attempts.c: see attempts.h.
 */
#include "config.h"

#include "daemon/identity/attempts.h"

#define FIRST_DELAY_US (100 * G_TIME_SPAN_MILLISECOND)
#define MAX_DOUBLINGS 5
#define MEMORY_US (60 * G_TIME_SPAN_SECOND)
#define SHARED "" /* the key of peers beyond the limit */

typedef struct
{
  guint n;
  gint64 last_us;
} Failures;

struct _KvsqldAttempts
{
  GMutex mutex;
  GHashTable *peers; /* name -> Failures */
};

KvsqldAttempts *
kvsqld_attempts_new (void)
{
  KvsqldAttempts *self = g_new0 (KvsqldAttempts, 1);

  g_mutex_init (&self->mutex);
  self->peers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return self;
}

void
kvsqld_attempts_free (KvsqldAttempts *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->peers);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

static gboolean
is_forgotten (gpointer key, gpointer value, gpointer now_us)
{
  return *(const gint64 *)now_us - ((const Failures *)value)->last_us > MEMORY_US;
}

/* The lock is held. */
static Failures *
find (KvsqldAttempts *self, const gchar *peer, gint64 now_us)
{
  Failures *failures = g_hash_table_lookup (self->peers, peer);

  if (failures != NULL)
    return failures;
  if (g_hash_table_size (self->peers) >= KVSQLD_ATTEMPTS_MAX_PEERS)
    g_hash_table_foreach_remove (self->peers, is_forgotten, &now_us);
  if (g_hash_table_size (self->peers) >= KVSQLD_ATTEMPTS_MAX_PEERS)
    {
      peer = SHARED;
      failures = g_hash_table_lookup (self->peers, peer);
    }
  if (failures == NULL)
    {
      failures = g_new0 (Failures, 1);
      g_hash_table_insert (self->peers, g_strdup (peer), failures);
    }
  return failures;
}

gint64
kvsqld_attempts_note_failure (KvsqldAttempts *self, const gchar *peer, gint64 now_us)
{
  Failures *failures;
  gint64 delay_us;

  g_mutex_lock (&self->mutex);
  failures = find (self, peer, now_us);
  if (now_us - failures->last_us > MEMORY_US)
    failures->n = 0;
  delay_us = FIRST_DELAY_US << MIN (failures->n, MAX_DOUBLINGS);
  failures->n++;
  failures->last_us = now_us;
  g_mutex_unlock (&self->mutex);
  return delay_us;
}
