/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * backfill.c: encodes tuples as cells of one schema, in portions.
 */
#include "config.h"

#include "core/maintain/backfill.h"
#include "core/scan/tuple-key.h"
#include "core/write/apply.h"
#include "core/write/checked-current.h"

/* Tuples that are locked together: other statements wait for them. */
#define PORTION_TUPLES 250

typedef struct
{
  KvsqlStorage *storage;
  const KvsqlCatalogEntry *entry;
  const KvsqlSchema *schema;
  const KvsqlCall *call;
} Fill;

static gboolean
add_tuple (const Fill *self, const KvsqlTupleChunk *chunk, guint i, KvsqlMutationList *list,
           GError **error)
{
  const KvsqlValue *tuple = chunk->tuples->pdata[i];
  gint64 timestamp = g_array_index (chunk->timestamps, gint64, i);
  g_autofree gchar *key = NULL;

  if (kvsql_mutation_list_add_puts (list, self->schema, tuple, timestamp, error))
    return TRUE;
  key = kvsql_tuple_print_key (self->entry->relation, tuple);
  return kvsql_error_detail (error, "It is the tuple with %s.", key);
}

/* Encodes the untouched tuples of the portion, then those that were read again. */
static gboolean
encode (const Fill *self, KvsqlTupleChunk *chunk, guint first, guint n, const gboolean *untouched,
        const KvsqlTupleChunk *fresh, KvsqlMutationList *list, GError **error)
{
  for (guint i = 0; i < n; i++)
    if ((untouched == NULL || untouched[i]) && !add_tuple (self, chunk, first + i, list, error))
      return FALSE;
  for (guint i = 0; fresh != NULL && i < fresh->tuples->len; i++)
    if (!add_tuple (self, fresh, i, list, error))
      return FALSE;
  return TRUE;
}

static gboolean
fill_locked (const Fill *self, KvsqlTupleChunk *chunk, guint first, guint n, GError **error)
{
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();
  g_autoptr (KvsqlTupleChunk) fresh = kvsql_tuple_chunk_new ();
  gboolean untouched[PORTION_TUPLES];

  return kvsql_tuple_chunk_refresh (chunk, first, n, self->storage, self->entry, self->call,
                                    untouched, fresh, error)
         && encode (self, chunk, first, n, untouched, fresh, list, error)
         && kvsql_mutation_list_apply (list, self->storage, self->call, error);
}

/* The row may be older than its anchor, or already newer than a write that is not finished. */
static gboolean
fill_current (const Fill *self, KvsqlTupleChunk *chunk, guint first, guint n, GError **error)
{
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();
  g_autoptr (KvsqlTupleChunk) current = kvsql_tuple_chunk_new ();

  return kvsql_tuple_chunk_add_current (current, chunk, first, n, TRUE, self->storage, self->entry,
                                        self->call, error)
         && encode (self, current, 0, current->tuples->len, NULL, NULL, list, error)
         && kvsql_mutation_list_apply (list, self->storage, self->call, error);
}

static gboolean
fill_portion (const Fill *self, KvsqlTupleChunk *chunk, guint first, guint n, GError **error)
{
  const KvsqlStore *store = kvsql_storage_get_store (self->storage);
  KvsqlKeyLocks locks;
  gboolean ok;

  if (kvsql_entry_has_anchors (self->entry, self->storage))
    return fill_current (self, chunk, first, n, error);
  if ((store->capabilities.flags & KVSQL_STORE_ATOMIC_BATCH) == 0)
    {
      g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();
      return encode (self, chunk, first, n, NULL, NULL, list, error)
             && kvsql_mutation_list_apply (list, self->storage, self->call, error);
    }
  if (!kvsql_lock_tuples (self->storage, self->entry->relation,
                          (const KvsqlValue *const *)chunk->tuples->pdata + first, n, self->call,
                          &locks, error))
    return FALSE;
  ok = fill_locked (self, chunk, first, n, error);
  kvsql_storage_unlock_unchanged (self->storage, &locks);
  return ok;
}

gboolean
kvsql_backfill_chunk (KvsqlTupleChunk *chunk, KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                      const KvsqlSchema *schema, const KvsqlCall *call, guint64 *out_n,
                      GError **error)
{
  Fill self = { storage, entry, schema, call };

  *out_n = 0;
  for (guint first = 0, n; first < chunk->tuples->len; first += n)
    {
      n = MIN (PORTION_TUPLES, chunk->tuples->len - first);
      if (!kvsql_call_check (call, error) || !fill_portion (&self, chunk, first, n, error))
        return FALSE;
      *out_n += n;
    }
  return TRUE;
}
