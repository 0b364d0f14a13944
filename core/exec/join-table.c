/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-table.c: see the header.
 *
 * Rows with the same bucket are a chain, in ascending order.
 */
#include "config.h"

#include "core/exec/join-table.h"

#include "core/base/decimal.h"
#include "core/base/duration.h"
#include "core/base/hash.h"
#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "core/exec/result-builder.h"

#include <math.h>

/* Bytes of a row besides its columns: hash, chain, and at most two buckets. */
#define ROW_OVERHEAD 20

/* How a key is hashed and compared. */
typedef enum
{
  KEY_INTEGER, /* the number */
  KEY_TIME,    /* a DATE and a TIMESTAMP: milliseconds */
  KEY_BOOLEAN,
  KEY_BYTES,
  KEY_REAL, /* numbers of several types, and INTERVAL: as DOUBLE */
} KeyKind;

typedef struct
{
  KeyKind kind;
  gboolean is_exact;
  guint column; /* of the rows */
} Key;

struct _KvsqlJoinTable
{
  KvsqlArena *arena;
  KvsqlBatch *rows;
  Key *keys;
  guint n_keys;
  guint32 *buckets; /* the first row of each chain; n_buckets is a power of 2 */
  guint64 n_buckets;
  guint32 *next;   /* of each row */
  guint64 *hashes; /* of each row */
};

/* ---- keys */

static KeyKind
kind_of (KvsqlType a, KvsqlType b)
{
  KvsqlTypeClass class = kvsql_type_get_class (a);

  if (class == KVSQL_CLASS_INTEGER && kvsql_type_get_class (b) == KVSQL_CLASS_INTEGER)
    return (a == KVSQL_TYPE_DATE) != (b == KVSQL_TYPE_DATE) ? KEY_TIME : KEY_INTEGER;
  if (a != b || !kvsql_type_has_one_form (a))
    return KEY_REAL;
  return class == KVSQL_CLASS_BOOLEAN ? KEY_BOOLEAN : KEY_BYTES;
}

static gint64
time_of (const KvsqlVector *column, guint32 row)
{
  return column->type == KVSQL_TYPE_DATE ? column->integers[row] * KVSQL_MS_PER_DAY
                                         : column->integers[row];
}

static gdouble
real_of_slice (KvsqlType type, KvsqlSlice text)
{
  KvsqlDuration duration;

  if (type != KVSQL_TYPE_INTERVAL)
    return kvsql_decimal_to_double (text);
  duration = kvsql_duration_from_text (text);
  return (gdouble)kvsql_duration_get_total (&duration);
}

static gdouble
real_of (const KvsqlVector *column, guint32 row)
{
  gdouble real;

  switch (kvsql_type_get_class (column->type))
    {
    case KVSQL_CLASS_INTEGER:
      return (gdouble)column->integers[row];
    case KVSQL_CLASS_REAL:
      real = column->reals[row];
      break;
    default:
      real = real_of_slice (column->type, column->slices[row]);
      break;
    }
  /* equal values have equal bytes */
  return isnan (real) ? (gdouble)NAN : real + 0.0;
}

static guint64
hash_integer (guint64 value, guint64 seed)
{
  return kvsql_hash (seed, &value, sizeof value);
}

static guint64
hash_value (KeyKind kind, const KvsqlVector *column, guint32 row, guint64 seed)
{
  gdouble real;
  guint64 bits;

  switch (kind)
    {
    case KEY_INTEGER:
      return hash_integer ((guint64)column->integers[row], seed);
    case KEY_TIME:
      return hash_integer ((guint64)time_of (column, row), seed);
    case KEY_BOOLEAN:
      return hash_integer (column->booleans[row] != 0, seed);
    case KEY_BYTES:
      return kvsql_hash (seed, column->slices[row].data, column->slices[row].size);
    default:
      real = real_of (column, row);
      memcpy (&bits, &real, sizeof bits);
      return hash_integer (bits, seed);
    }
}

gboolean
kvsql_join_table_hash (const KvsqlJoinTable *self, const KvsqlVector *const *keys, guint32 row,
                       guint64 seed, guint64 *out)
{
  guint64 hash = seed;

  for (guint i = 0; i < self->n_keys; i++)
    {
      if (kvsql_vector_is_null (keys[i], row))
        return FALSE;
      hash = hash_value (self->keys[i].kind, keys[i], row, hash);
    }
  *out = hash;
  return TRUE;
}

static gboolean
is_equal (const Key *key, const KvsqlVector *a, guint32 row, const KvsqlVector *b, guint32 other)
{
  if (!key->is_exact)
    return TRUE;
  switch (key->kind)
    {
    case KEY_INTEGER:
      return a->integers[row] == b->integers[other];
    case KEY_BOOLEAN:
      return (a->booleans[row] != 0) == (b->booleans[other] != 0);
    default:
      g_assert (key->kind == KEY_BYTES);
      return kvsql_slice_equal (a->slices[row], b->slices[other]);
    }
}

/* ---- filling */

KvsqlJoinTable *
kvsql_join_table_new (const KvsqlType *types, guint n_columns, const KvsqlJoinTableKey *keys,
                      guint n_keys)
{
  KvsqlJoinTable *self = kvsql_new0 (KvsqlJoinTable);

  self->arena = kvsql_arena_new ();
  self->n_keys = n_keys;
  self->keys = kvsql_arena_array (self->arena, Key, n_keys);
  for (guint i = 0; i < n_keys; i++)
    self->keys[i] = (Key){ .kind = kind_of (types[keys[i].column], keys[i].other),
                           .is_exact = keys[i].is_exact,
                           .column = keys[i].column };
  self->rows = kvsql_batch_new (types, n_columns, 16);
  return self;
}

void
kvsql_join_table_free (KvsqlJoinTable *self)
{
  if (self == NULL)
    return;
  kvsql_batch_free (self->rows);
  kvsql_arena_free (self->arena);
  g_free (self);
}

gboolean
kvsql_join_table_add (KvsqlJoinTable *self, const KvsqlBatch *batch, const guint *columns,
                      const guint32 *rows, guint n)
{
  if (n >= G_MAXINT32 - self->rows->n_rows)
    return FALSE;
  kvsql_result_builder_append (self->rows, batch, columns, rows, n, self->arena);
  return TRUE;
}

gsize
kvsql_join_table_get_size (const KvsqlJoinTable *self)
{
  gsize tables = self->buckets == NULL ? (gsize)self->rows->n_rows * ROW_OVERHEAD : 0;

  return kvsql_arena_get_size (self->arena) + self->rows->block_size
         + (self->n_keys > 0 ? tables : 0);
}

const KvsqlBatch *
kvsql_join_table_get_rows (const KvsqlJoinTable *self)
{
  return self->rows;
}

gboolean
kvsql_join_table_finish (KvsqlJoinTable *self, GError **error)
{
  guint n = self->rows->n_rows;
  g_autofree const KvsqlVector **keys = g_new (const KvsqlVector *, self->n_keys + 1);

  if (self->n_keys == 0)
    return TRUE;
  for (guint i = 0; i < self->n_keys; i++)
    keys[i] = &self->rows->columns[self->keys[i].column];
  for (self->n_buckets = 16; self->n_buckets < n; self->n_buckets *= 2)
    ;
  self->buckets = kvsql_arena_alloc (self->arena, self->n_buckets * sizeof *self->buckets);
  memset (self->buckets, 0xff, self->n_buckets * sizeof *self->buckets);
  self->next = kvsql_arena_alloc (self->arena, n * sizeof *self->next);
  self->hashes = kvsql_arena_alloc (self->arena, n * sizeof *self->hashes);
  for (guint32 row = n; row > 0 && kvsql_interrupt_tick (); row--)
    {
      guint64 hash;
      guint32 *bucket;

      if (!kvsql_join_table_hash (self, keys, row - 1, kvsql_hash_seed, &hash))
        continue;
      bucket = &self->buckets[hash & (self->n_buckets - 1)];
      self->hashes[row - 1] = hash;
      self->next[row - 1] = *bucket;
      *bucket = row - 1;
    }
  return kvsql_interrupt_poll (error); /* else rows are missing */
}

/* ---- searching */

/* The first row of the chain from @at on that may be a partner. */
static guint32
find (const KvsqlJoinTable *self, const KvsqlVector *const *keys, guint32 row, guint64 hash,
      guint32 at)
{
  for (; at != KVSQL_NO_ROW; at = self->next[at])
    {
      gboolean is_partner = self->hashes[at] == hash;

      for (guint i = 0; is_partner && i < self->n_keys; i++)
        is_partner = is_equal (&self->keys[i], keys[i], row,
                               &self->rows->columns[self->keys[i].column], at);
      if (is_partner)
        return at;
    }
  return KVSQL_NO_ROW;
}

guint32
kvsql_join_table_first (const KvsqlJoinTable *self, const KvsqlVector *const *keys, guint32 row)
{
  guint64 hash;

  if (self->n_keys == 0)
    return self->rows->n_rows > 0 ? 0 : KVSQL_NO_ROW;
  if (!kvsql_join_table_hash (self, keys, row, kvsql_hash_seed, &hash))
    return KVSQL_NO_ROW;
  return find (self, keys, row, hash, self->buckets[hash & (self->n_buckets - 1)]);
}

guint32
kvsql_join_table_next (const KvsqlJoinTable *self, const KvsqlVector *const *keys, guint32 row,
                       guint32 last)
{
  if (self->n_keys == 0)
    return last + 1 < self->rows->n_rows ? last + 1 : KVSQL_NO_ROW;
  return find (self, keys, row, self->hashes[last], self->next[last]);
}
