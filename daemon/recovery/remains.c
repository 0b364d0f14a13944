/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * remains.c: see the header.
 */
#include "config.h"

#include "daemon/recovery/remains.h"

#include "core/base/hash.h"

#define FIRST_PAUSE_US G_USEC_PER_SEC

struct _KvsqldRemains
{
  gint64 late_us;
  GHashTable *entries; /* set of KvsqldRemain, by @daemon_id and @number */
};

static guint
hash (gconstpointer data)
{
  const KvsqldRemain *remain = data;

  return (guint)kvsql_hash (remain->daemon_id, &remain->number, sizeof remain->number);
}

static gboolean
equal (gconstpointer a, gconstpointer b)
{
  const KvsqldRemain *first = a, *second = b;

  return first->daemon_id == second->daemon_id && first->number == second->number;
}

KvsqldRemains *
kvsqld_remains_new (gint64 late_us)
{
  KvsqldRemains *self = g_new0 (KvsqldRemains, 1);

  self->late_us = late_us;
  self->entries = g_hash_table_new_full (hash, equal, g_free, NULL);
  return self;
}

void
kvsqld_remains_free (KvsqldRemains *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->entries);
  g_free (self);
}

KvsqldRemain *
kvsqld_remains_find (KvsqldRemains *self, const KvsqlLogEntry *entry, gboolean has_ended,
                     gint64 now_us)
{
  const KvsqldRemain key = { .daemon_id = entry->daemon_id, .number = entry->number };
  KvsqldRemain *remain = g_hash_table_lookup (self->entries, &key);

  if (remain == NULL)
    {
      remain = g_memdup2 (&key, sizeof key);
      remain->begun_ms = entry->begun_ms;
      remain->found_us = remain->look_us = now_us;
      g_hash_table_add (self->entries, remain);
    }
  remain->is_seen = TRUE;
  if (!has_ended)
    remain->ended_us = 0;
  else if (remain->ended_us == 0)
    remain->ended_us = now_us;
  return remain;
}

gboolean
kvsqld_remain_is_last_look (const KvsqldRemains *self, const KvsqldRemain *remain, gint64 now_us)
{
  return remain->ended_us != 0 && now_us >= remain->ended_us + self->late_us;
}

/* Twice as long after the writer was gone as this time, but not after the last look. */
static gint64
next_look (const KvsqldRemains *self, const KvsqldRemain *remain, gint64 now_us)
{
  gint64 next_us = now_us + MAX (now_us - remain->found_us, FIRST_PAUSE_US);

  return remain->ended_us == 0 ? next_us : MIN (next_us, remain->ended_us + self->late_us);
}

void
kvsqld_remains_note_look (const KvsqldRemains *self, KvsqldRemain *remain, gboolean is_done,
                          gint64 now_us)
{
  remain->is_done = is_done;
  remain->look_us = is_done ? next_look (self, remain, now_us) : now_us + FIRST_PAUSE_US;
}

void
kvsqld_remains_forget_others (KvsqldRemains *self)
{
  GHashTableIter iter;
  gpointer data;

  g_hash_table_iter_init (&iter, self->entries);
  while (g_hash_table_iter_next (&iter, &data, NULL))
    {
      KvsqldRemain *remain = data;

      if (remain->is_seen)
        remain->is_seen = FALSE;
      else
        g_hash_table_iter_remove (&iter);
    }
}

guint
kvsqld_remains_count_of (const KvsqldRemains *self, guint64 daemon_id)
{
  GHashTableIter iter;
  gpointer data;
  guint n = 0;

  g_hash_table_iter_init (&iter, self->entries);
  while (g_hash_table_iter_next (&iter, &data, NULL))
    n += ((const KvsqldRemain *)data)->daemon_id == daemon_id;
  return n;
}

void
kvsqld_remains_count (const KvsqldRemains *self, guint *out_n, guint *out_n_undone,
                      gint64 *out_oldest_ms)
{
  GHashTableIter iter;
  gpointer data;

  *out_n = g_hash_table_size (self->entries);
  *out_n_undone = 0;
  *out_oldest_ms = 0;
  g_hash_table_iter_init (&iter, self->entries);
  while (g_hash_table_iter_next (&iter, &data, NULL))
    {
      const KvsqldRemain *remain = data;

      if (remain->is_done)
        continue;
      (*out_n_undone)++;
      *out_oldest_ms
          = *out_oldest_ms == 0 ? remain->begun_ms : MIN (*out_oldest_ms, remain->begun_ms);
    }
}
