/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * map-gather.c: a list of entries for each tuple, sorted when the map is asked for.
 */
#include "config.h"

#include "core/scan/map-gather.h"

typedef struct _Link Link;
struct _Link
{
  const Link *before;
  KvsqlMapEntry entry;
};

typedef struct
{
  const Link *last;
  guint n;
} Entries;

struct _KvsqlMapGather
{
  KvsqlType type;
  gsize max_bytes;
  KvsqlArena *arena;
  GHashTable *by_tuple; /* pointer to a tuple -> Entries, in the arena */
};

KvsqlMapGather *
kvsql_map_gather_new (KvsqlType type, gsize max_bytes)
{
  KvsqlMapGather *self = g_new0 (KvsqlMapGather, 1);

  self->type = type;
  self->max_bytes = max_bytes;
  self->arena = kvsql_arena_new ();
  self->by_tuple = g_hash_table_new (NULL, NULL);
  return self;
}

void
kvsql_map_gather_free (KvsqlMapGather *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->by_tuple);
  kvsql_arena_free (self->arena);
  g_free (self);
}

void
kvsql_map_gather_clear (KvsqlMapGather *self)
{
  g_hash_table_remove_all (self->by_tuple);
  kvsql_arena_reset (self->arena);
}

static gboolean
check_room (const KvsqlMapGather *self, const Entries *entries, GError **error)
{
  if (entries->n == KVSQL_COLLECTION_MAX_ELEMENTS)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                            "a map with more than %d elements is stored",
                            KVSQL_COLLECTION_MAX_ELEMENTS);
  if (self->max_bytes > 0 && kvsql_arena_get_size (self->arena) > self->max_bytes)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                            "putting the entries of maps together needs more than %" G_GSIZE_FORMAT
                            " MiB",
                            self->max_bytes >> 20);
  return TRUE;
}

gboolean
kvsql_map_gather_add (KvsqlMapGather *self, gconstpointer tuple, KvsqlSlice key,
                      const KvsqlValue *value, GError **error)
{
  Entries *entries = g_hash_table_lookup (self->by_tuple, tuple);
  Link *link;

  if (entries == NULL)
    {
      entries = kvsql_arena_new0 (self->arena, Entries);
      g_hash_table_insert (self->by_tuple, (gpointer)tuple, entries);
    }
  if (!check_room (self, entries, error))
    return FALSE;
  link = kvsql_arena_new0 (self->arena, Link);
  link->before = entries->last;
  link->entry.key = kvsql_slice_dup (self->arena, key);
  link->entry.value = kvsql_value_dup (value, self->arena);
  entries->last = link;
  entries->n++;
  return TRUE;
}

void
kvsql_map_gather_get (KvsqlMapGather *self, gconstpointer tuple, KvsqlArena *arena, KvsqlValue *out)
{
  const Entries *entries = g_hash_table_lookup (self->by_tuple, tuple);
  g_autofree KvsqlMapEntry *list = NULL;
  guint n = 0;

  *out = KVSQL_VALUE_NULL;
  if (entries == NULL)
    return;
  list = g_new (KvsqlMapEntry, entries->n);
  for (const Link *link = entries->last; link != NULL; link = link->before)
    list[n++] = link->entry;
  g_assert (n == entries->n);
  out->type = self->type;
  out->bytes = kvsql_map_join (list, n, arena);
}
