/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * engine.c: the clock, the locks on tuples, and the tables known to exist.
 */
#include "config.h"

#include "core/exec/engine.h"

#include <math.h>

#define N_STRIPES 256

struct _KvsqlEngine
{
  KvsqlStore *store;
  GMutex clock_mutex;
  gint64 last_timestamp;
  GMutex stripes[N_STRIPES];
  guint64 ages[N_STRIPES]; /* atomic; changed under the lock of the stripe */
  GMutex tables_mutex;
  GHashTable *tables; /* GBytes: table \0 family */
};

KvsqlEngine *
kvsql_engine_new (KvsqlStore *store)
{
  KvsqlEngine *self = g_new0 (KvsqlEngine, 1);

  self->store = store;
  self->last_timestamp = store->capabilities.newest_timestamp;
  g_mutex_init (&self->clock_mutex);
  g_mutex_init (&self->tables_mutex);
  for (guint i = 0; i < N_STRIPES; i++)
    g_mutex_init (&self->stripes[i]);
  self->tables
      = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
  return self;
}

void
kvsql_engine_free (KvsqlEngine *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->tables);
  for (guint i = 0; i < N_STRIPES; i++)
    g_mutex_clear (&self->stripes[i]);
  g_mutex_clear (&self->tables_mutex);
  g_mutex_clear (&self->clock_mutex);
  g_free (self);
}

KvsqlStore *
kvsql_engine_get_store (KvsqlEngine *self)
{
  return self->store;
}

/* ---- the clock */

gint64
kvsql_engine_next_timestamp (KvsqlEngine *self, gboolean deletes)
{
  gint64 now = g_get_real_time () / 1000, result;

  g_mutex_lock (&self->clock_mutex);
  result = MAX (now, self->last_timestamp + (deletes ? 1 : 0));
  self->last_timestamp = result;
  g_mutex_unlock (&self->clock_mutex);
  return result;
}

gint64
kvsql_engine_next_timestamp_after (KvsqlEngine *self, gint64 newest)
{
  g_mutex_lock (&self->clock_mutex);
  self->last_timestamp = MAX (self->last_timestamp, newest);
  g_mutex_unlock (&self->clock_mutex);
  return kvsql_engine_next_timestamp (self, TRUE);
}

/* ---- locks */

static guint
stripe_of (KvsqlSlice key)
{
  guint32 hash = kvsql_slice_hash (key);

  return (hash ^ hash >> 16) % N_STRIPES;
}

void
kvsql_key_locks_add (KvsqlKeyLocks *self, KvsqlSlice key)
{
  guint stripe = stripe_of (key);

  self->stripes[stripe / 64] |= G_GUINT64_CONSTANT (1) << (stripe % 64);
}

gboolean
kvsql_key_locks_contain (const KvsqlKeyLocks *self, const KvsqlKeyLocks *other)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->stripes); i++)
    if ((other->stripes[i] & ~self->stripes[i]) != 0)
      return FALSE;
  return TRUE;
}

/* Always in ascending order, so that two calls never wait for each other. */
void
kvsql_engine_lock (KvsqlEngine *self, const KvsqlKeyLocks *locks)
{
  for (guint word = 0; word < N_STRIPES / 64; word++)
    for (guint64 left = locks->stripes[word]; left != 0; left &= left - 1)
      g_mutex_lock (&self->stripes[word * 64 + __builtin_ctzll (left)]);
}

static void
unlock (KvsqlEngine *self, const KvsqlKeyLocks *locks, guint years)
{
  for (guint word = 0; word < N_STRIPES / 64; word++)
    for (guint64 left = locks->stripes[word]; left != 0; left &= left - 1)
      {
        guint stripe = word * 64 + __builtin_ctzll (left);
        __atomic_fetch_add (&self->ages[stripe], years, __ATOMIC_RELEASE);
        g_mutex_unlock (&self->stripes[stripe]);
      }
}

void
kvsql_engine_unlock (KvsqlEngine *self, const KvsqlKeyLocks *locks)
{
  unlock (self, locks, 1);
}

void
kvsql_engine_unlock_unchanged (KvsqlEngine *self, const KvsqlKeyLocks *locks)
{
  unlock (self, locks, 0);
}

void
kvsql_engine_get_ages (KvsqlEngine *self, KvsqlKeyAges *out)
{
  G_STATIC_ASSERT (G_N_ELEMENTS (out->ages) == N_STRIPES);
  for (guint i = 0; i < N_STRIPES; i++)
    out->ages[i] = __atomic_load_n (&self->ages[i], __ATOMIC_ACQUIRE);
}

gboolean
kvsql_engine_is_untouched (KvsqlEngine *self, const KvsqlKeyAges *ages, KvsqlSlice key)
{
  guint stripe = stripe_of (key);

  return __atomic_load_n (&self->ages[stripe], __ATOMIC_ACQUIRE) == ages->ages[stripe];
}

/* ---- tables */

gboolean
kvsql_engine_ensure_table (KvsqlEngine *self, const KvsqlSchema *schema, KvsqlSlice table,
                           KvsqlSlice family, const KvsqlCall *call, GError **error)
{
  KvsqlTableSpec spec = { .name = table, .families = &family, .n_families = 1 };
  g_autoptr (GBytes) key = NULL;
  guint8 *bytes;
  gboolean is_known;

  if ((self->store->capabilities.flags & KVSQL_STORE_IMPLICIT_TABLES) != 0
      || !schema->options.create_tables)
    return TRUE;
  bytes = g_malloc (table.size + family.size + 1);
  memcpy (bytes, table.data, table.size);
  bytes[table.size] = 0;
  memcpy (bytes + table.size + 1, family.data, family.size);
  key = g_bytes_new_take (bytes, table.size + family.size + 1);

  g_mutex_lock (&self->tables_mutex);
  is_known = g_hash_table_contains (self->tables, key);
  g_mutex_unlock (&self->tables_mutex);
  if (is_known)
    return TRUE;
  spec.compression = schema->options.compression;
  spec.ttl_seconds = schema->options.ttl_seconds;
  spec.splits = schema->options.splits;
  spec.n_splits = schema->options.n_splits;
  if (!kvsql_store_ensure_table (self->store, &spec, call, NULL, error))
    return FALSE;
  g_mutex_lock (&self->tables_mutex);
  g_hash_table_add (self->tables, g_steal_pointer (&key));
  g_mutex_unlock (&self->tables_mutex);
  return TRUE;
}

void
kvsql_engine_forget_tables (KvsqlEngine *self)
{
  g_mutex_lock (&self->tables_mutex);
  g_hash_table_remove_all (self->tables);
  g_mutex_unlock (&self->tables_mutex);
}

/* ---- keys */

void
kvsql_tuple_append_key (const KvsqlRelation *relation, const KvsqlValue *tuple, KvsqlBuffer *out)
{
  for (guint a = 0; a < relation->n_attributes; a++)
    {
      const KvsqlValue *value = &tuple[a];
      guint8 *at;

      if (!relation->attributes[a].is_key)
        continue;
      switch (kvsql_type_get_class (relation->attributes[a].type))
        {
        case KVSQL_CLASS_BOOLEAN:
          kvsql_buffer_append_byte (out, value->boolean != FALSE);
          break;
        case KVSQL_CLASS_INTEGER:
          kvsql_put_be64 (kvsql_buffer_extend (out, 8), (guint64)value->integer);
          break;
        case KVSQL_CLASS_REAL:
          {
            gdouble real = value->real == 0 ? 0.0 : isnan (value->real) ? NAN : value->real;
            memcpy (kvsql_buffer_extend (out, 8), &real, 8);
            break;
          }
        default:
          at = kvsql_buffer_extend (out, 4 + value->bytes.size);
          kvsql_put_be32 (at, (guint32)value->bytes.size);
          if (value->bytes.size > 0)
            memcpy (at + 4, value->bytes.data, value->bytes.size);
          break;
        }
    }
}

gchar *
kvsql_tuple_print_key (const KvsqlRelation *relation, const KvsqlValue *tuple)
{
  GString *out = g_string_new (NULL);

  for (guint a = 0; a < relation->n_attributes; a++)
    if (relation->attributes[a].is_key)
      {
        g_string_append_printf (out, "%s%s = ", out->len > 0 ? ", " : "",
                                relation->attributes[a].name);
        kvsql_value_append_literal (&tuple[a], out);
      }
  return g_string_free (out, FALSE);
}
