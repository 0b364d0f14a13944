/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * deduplicate.c: an open-addressed hash table over the bytes of all keys, which lie in one buffer.
 *
 * Each key is encoded and hashed once, for the table and for its lock. The number of allocations
 * does not depend on the number of tuples.
 */
#include "config.h"

#include "core/write/deduplicate.h"

#include "core/base/hash.h"
#include "core/scan/tuple-key.h"

typedef struct
{
  guint64 hash;
  gsize begin; /* in @bytes */
  gsize size;
} Key;

typedef struct
{
  KvsqlBuffer bytes;
  Key *keys;      /* the distinct keys */
  guint32 *slots; /* index into @keys + 1; 0: free */
  guint mask;
} Table;

static void
table_init (Table *self, guint n)
{
  guint n_slots = 4;

  while (n_slots < 2 * n)
    n_slots *= 2;
  *self = (Table){ .keys = g_new (Key, n), .mask = n_slots - 1 };
  self->slots = g_new0 (guint32, n_slots);
}

static void
table_clear (Table *self)
{
  kvsql_buffer_clear (&self->bytes);
  g_free (self->keys);
  g_free (self->slots);
}

static gboolean
is_key (const Table *self, const Key *a, const Key *b)
{
  return a->hash == b->hash
         && kvsql_slice_equal (kvsql_slice (self->bytes.data + a->begin, a->size),
                               kvsql_slice (self->bytes.data + b->begin, b->size));
}

/* The number of @key among the distinct keys. If the key is new, adds it as number @n and returns
 * @n. */
static guint
table_find_or_add (Table *self, const Key *key, guint n)
{
  guint slot = (guint)(key->hash >> 8) & self->mask;

  for (; self->slots[slot] != 0; slot = (slot + 1) & self->mask)
    if (is_key (self, key, &self->keys[self->slots[slot] - 1]))
      return self->slots[slot] - 1;
  self->keys[n] = *key;
  self->slots[slot] = n + 1;
  return n;
}

guint
kvsql_deduplicate_by_key (const KvsqlRelation *relation, const KvsqlValue *const *tuples,
                          guint n_tuples, const KvsqlValue **out, KvsqlKeyLocks *out_locks)
{
  Table table;
  guint n = 0;

  *out_locks = (KvsqlKeyLocks){ 0 };
  if (n_tuples == 1)
    {
      kvsql_key_locks_add_tuples (out_locks, relation, tuples, 1);
      out[0] = tuples[0];
      return 1;
    }
  table_init (&table, n_tuples);
  kvsql_key_locks_reserve (out_locks, n_tuples);
  for (guint i = 0; i < n_tuples; i++)
    {
      Key key = { .begin = table.bytes.size };
      guint at;

      kvsql_tuple_append_key (relation, tuples[i], &table.bytes);
      key.size = table.bytes.size - key.begin;
      key.hash = kvsql_slice_hash (kvsql_slice (table.bytes.data + key.begin, key.size));
      kvsql_key_locks_add_hash (out_locks, key.hash);
      at = table_find_or_add (&table, &key, n);
      out[at] = tuples[i];
      if (at == n)
        n++;
      else
        table.bytes.size = key.begin;
    }
  table_clear (&table);
  return n;
}
