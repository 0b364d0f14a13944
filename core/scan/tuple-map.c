/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tuple-map.c: a hash table from key bytes to tuples in an arena.
 */
#include "config.h"

#include "core/base/hash.h"
#include "core/scan/tuple-key.h"
#include "core/scan/tuple-map.h"

struct _KvsqlTupleMap
{
  const KvsqlRelation *relation;
  gsize max_bytes;
  KvsqlArena *arena;
  GHashTable *by_key; /* KvsqlSlice (in the arena) -> tuple */
  GPtrArray *tuples;
  KvsqlBuffer key;
};

KvsqlTupleMap *
kvsql_tuple_map_new (const KvsqlRelation *relation, gsize max_bytes)
{
  KvsqlTupleMap *self = g_new0 (KvsqlTupleMap, 1);

  self->relation = relation;
  self->max_bytes = max_bytes;
  self->arena = kvsql_arena_new ();
  self->by_key = g_hash_table_new (kvsql_slice_hash_func, kvsql_slice_equal_func);
  self->tuples = g_ptr_array_new ();
  return self;
}

void
kvsql_tuple_map_free (KvsqlTupleMap *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->by_key);
  g_ptr_array_unref (self->tuples);
  kvsql_buffer_clear (&self->key);
  kvsql_arena_free (self->arena);
  g_free (self);
}

void
kvsql_tuple_map_clear (KvsqlTupleMap *self)
{
  g_hash_table_remove_all (self->by_key);
  g_ptr_array_set_size (self->tuples, 0);
  kvsql_arena_reset (self->arena);
}

guint
kvsql_tuple_map_get_size (const KvsqlTupleMap *self)
{
  return self->tuples->len;
}

KvsqlValue *
kvsql_tuple_map_get (const KvsqlTupleMap *self, guint index)
{
  return self->tuples->pdata[index];
}

static KvsqlSlice
key_of (KvsqlTupleMap *self, const KvsqlValue *tuple)
{
  self->key.size = 0;
  kvsql_tuple_append_key (self->relation, tuple, &self->key);
  return kvsql_buffer_slice (&self->key);
}

KvsqlValue *
kvsql_tuple_map_find (KvsqlTupleMap *self, const KvsqlValue *key)
{
  KvsqlSlice bytes = key_of (self, key);

  return g_hash_table_lookup (self->by_key, &bytes);
}

static void
set_times (const KvsqlTupleMap *self, KvsqlValue *tuple, KvsqlTimes times)
{
  tuple[self->relation->n_attributes].integer = times.oldest;
  tuple[self->relation->n_attributes + 1].integer = times.newest;
}

KvsqlTimes
kvsql_tuple_map_get_times (const KvsqlTupleMap *self, const KvsqlValue *tuple)
{
  return (KvsqlTimes){ .oldest = tuple[self->relation->n_attributes].integer,
                       .newest = tuple[self->relation->n_attributes + 1].integer };
}

KvsqlValue *
kvsql_tuple_map_obtain (KvsqlTupleMap *self, const KvsqlValue *key, GError **error)
{
  KvsqlSlice bytes = key_of (self, key), *kept;
  KvsqlValue *tuple = g_hash_table_lookup (self->by_key, &bytes);

  if (tuple != NULL)
    return tuple;
  if (self->max_bytes > 0 && kvsql_arena_get_size (self->arena) > self->max_bytes)
    {
      kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                       "putting the cells of tuples together needs more than %" G_GSIZE_FORMAT
                       " MiB",
                       self->max_bytes >> 20);
      kvsql_error_hint (
          error,
          "Narrow the predicate, or define a schema that keeps the cells of a tuple in one row.");
      return NULL;
    }
  /* two more values, for the timestamps */
  tuple = kvsql_arena_array (self->arena, KvsqlValue, self->relation->n_attributes + 2);
  set_times (self, tuple, KVSQL_NO_TIMES);
  for (guint a = 0; a < self->relation->n_attributes; a++)
    if (self->relation->attributes[a].is_key)
      tuple[a] = kvsql_value_dup (&key[a], self->arena);
  kept = kvsql_arena_new0 (self->arena, KvsqlSlice);
  *kept = kvsql_slice_dup (self->arena, bytes);
  g_hash_table_insert (self->by_key, kept, tuple);
  g_ptr_array_add (self->tuples, tuple);
  return tuple;
}

void
kvsql_tuple_map_add_time (const KvsqlTupleMap *self, KvsqlValue *tuple, gint64 timestamp)
{
  KvsqlTimes times = kvsql_tuple_map_get_times (self, tuple);

  kvsql_times_add (&times, timestamp);
  set_times (self, tuple, times);
}

gint64
kvsql_tuple_map_get_oldest (const KvsqlTupleMap *self, const KvsqlValue *tuple)
{
  return kvsql_tuple_map_get_times (self, tuple).oldest;
}

void
kvsql_tuple_map_set (KvsqlTupleMap *self, KvsqlValue *tuple, guint attribute,
                     const KvsqlValue *value)
{
  tuple[attribute] = kvsql_value_dup (value, self->arena);
}
