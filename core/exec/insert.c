/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * insert.c: tuples to mutations of all schemas, in chunks.
 *
 * Where every address depends on the key alone, the new tuple says it all: its cells are put, and
 * those it leaves out are deleted, without reading. Where another attribute stands in an address
 * the old tuple is read first, under the locks of the keys, and its addresses that the new one does
 * not use are deleted.
 */
#include "config.h"

#include "core/exec/insert.h"

#define CHUNK_TUPLES 1000

/* ---- tuples to be replaced */

gboolean
kvsql_entry_needs_old_tuples (const KvsqlCatalogEntry *entry)
{
  for (guint i = 0; i < entry->n_schemas; i++)
    if (!entry->schemas[i]->is_addressed_by_key)
      return TRUE;
  return FALSE;
}

void
kvsql_tuple_locks (const KvsqlRelation *relation, const KvsqlValue *const *tuples, guint n_tuples,
                   KvsqlKeyLocks *out_locks)
{
  KvsqlBuffer key = { 0 };

  *out_locks = (KvsqlKeyLocks){ 0 };
  for (guint i = 0; i < n_tuples; i++)
    {
      key.size = 0;
      kvsql_tuple_append_key (relation, tuples[i], &key);
      kvsql_key_locks_add (out_locks, kvsql_buffer_slice (&key));
    }
  kvsql_buffer_clear (&key);
}

void
kvsql_lock_tuples (KvsqlEngine *engine, const KvsqlRelation *relation,
                   const KvsqlValue *const *tuples, guint n_tuples, KvsqlKeyLocks *out_locks)
{
  kvsql_tuple_locks (relation, tuples, n_tuples, out_locks);
  kvsql_engine_lock (engine, out_locks);
}

/* ---- applying */

gboolean
kvsql_mutation_list_ensure_tables (const KvsqlMutationList *list, KvsqlEngine *engine,
                                   const KvsqlCall *call, GError **error)
{
  const KvsqlMutation *mutations = (const KvsqlMutation *)(gpointer)list->mutations->data;
  const KvsqlMutation *known = NULL;

  for (guint i = 0; i < list->mutations->len; i++)
    {
      if (known != NULL && kvsql_slice_equal (known->table, mutations[i].table)
          && kvsql_slice_equal (known->family, mutations[i].family))
        continue;
      known = &mutations[i];
      if (!kvsql_engine_ensure_table (engine, list->schemas->pdata[i], known->table, known->family,
                                      call, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
kvsql_mutation_list_apply (KvsqlMutationList *list, KvsqlEngine *engine, const KvsqlCall *call,
                           GError **error)
{
  KvsqlStore *store = kvsql_engine_get_store (engine);
  const KvsqlMutation *mutations = (const KvsqlMutation *)(gpointer)list->mutations->data;
  g_autoptr (GError) failure = NULL;

  if (!kvsql_mutation_list_ensure_tables (list, engine, call, error))
    return FALSE;
  if (list->mutations->len == 0
      || kvsql_store_apply (store, mutations, list->mutations->len, call, &failure))
    return TRUE;
  if ((store->capabilities.flags & KVSQL_STORE_IMPLICIT_TABLES) != 0
      || !g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_STORE))
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  /* Somebody may have dropped a table that was known to exist. Timestamps are fixed, so it does no
   * harm that some rows are written twice. */
  kvsql_engine_forget_tables (engine);
  return kvsql_mutation_list_ensure_tables (list, engine, call, error)
         && kvsql_store_apply (store, mutations, list->mutations->len, call, error);
}

void
kvsql_mutation_list_explain (const KvsqlMutationList *list, KvsqlCalls *calls)
{
  const KvsqlMutation *mutations = (const KvsqlMutation *)(gpointer)list->mutations->data;

  for (guint i = 0, j; i < list->mutations->len; i = j)
    {
      const KvsqlSchema *schema = list->schemas->pdata[i];
      for (j = i + 1; j < list->mutations->len && list->schemas->pdata[j] == schema; j++)
        ;
      kvsql_calls_add_mutations (calls, schema->name, mutations + i, j - i);
    }
}

/* ---- one chunk */

static guint
hash_key (gconstpointer key)
{
  return kvsql_slice_hash (*(const KvsqlSlice *)key);
}

static gboolean
equal_keys (gconstpointer a, gconstpointer b)
{
  return kvsql_slice_equal (*(const KvsqlSlice *)a, *(const KvsqlSlice *)b);
}

/* Of several tuples with one key the last counts. Returns how many are left. */
static guint
keep_last_of_each_key (const KvsqlRelation *relation, const KvsqlValue *const *tuples,
                       guint n_tuples, const KvsqlValue **out)
{
  g_autoptr (GHashTable) seen = NULL;
  g_autoptr (KvsqlArena) arena = NULL;
  KvsqlBuffer key = { 0 };
  guint n = 0;

  if (n_tuples == 1)
    {
      out[0] = tuples[0];
      return 1;
    }
  arena = kvsql_arena_new ();
  seen = g_hash_table_new (hash_key, equal_keys);
  for (guint i = 0; i < n_tuples; i++)
    {
      KvsqlSlice *kept = kvsql_arena_new0 (arena, KvsqlSlice);
      gpointer at;

      key.size = 0;
      kvsql_tuple_append_key (relation, tuples[i], &key);
      *kept = kvsql_slice_dup (arena, kvsql_buffer_slice (&key));
      if (g_hash_table_lookup_extended (seen, kept, NULL, &at))
        out[GPOINTER_TO_UINT (at)] = tuples[i];
      else
        {
          out[n] = tuples[i];
          g_hash_table_insert (seen, kept, GUINT_TO_POINTER (n++));
        }
    }
  kvsql_buffer_clear (&key);
  return n;
}

static gboolean
leaves_out (const KvsqlCatalogEntry *entry, const KvsqlValue *const *tuples, guint n_tuples)
{
  for (guint s = 0; s < entry->n_schemas; s++)
    for (guint i = 0; i < n_tuples; i++)
      if (kvsql_schema_may_leave_out (entry->schemas[s], tuples[i]))
        return TRUE;
  return FALSE;
}

static KvsqlAttributeSet
address_attributes (const KvsqlCatalogEntry *entry)
{
  KvsqlAttributeSet result = entry->relation->keys;

  for (guint s = 0; s < entry->n_schemas; s++)
    kvsql_attribute_set_add_all (&result, &entry->schemas[s]->address_attributes);
  return result;
}

/* Everything that writing these tuples means; the keys are locked by the caller. */
static gboolean
make_mutations (KvsqlEngine *engine, const KvsqlCatalogEntry *entry,
                const KvsqlValue *const *tuples, guint n_tuples, gint64 timestamp,
                const KvsqlCall *call, KvsqlMutationList *list, KvsqlCalls *calls,
                const KvsqlValue **out_refused, GError **error)
{
  gboolean needs_old = kvsql_entry_needs_old_tuples (entry);
  g_autoptr (KvsqlTupleMap) old = NULL;

  if (needs_old)
    {
      KvsqlAttributeSet wanted = address_attributes (entry);
      old = kvsql_tuple_map_new (entry->relation, 0);
      if (!kvsql_read_by_keys (engine, entry, tuples, n_tuples, &wanted, call, old, calls, error))
        return FALSE;
    }
  if (timestamp == 0)
    timestamp
        = kvsql_engine_next_timestamp (engine, needs_old || leaves_out (entry, tuples, n_tuples));
  for (guint i = 0; i < n_tuples; i++)
    {
      const KvsqlValue *before = old == NULL ? NULL : kvsql_tuple_map_find (old, tuples[i]);

      for (guint s = 0; s < entry->n_schemas; s++)
        if (!kvsql_mutation_list_add_puts (list, entry->schemas[s], tuples[i], timestamp, error))
          {
            *out_refused = tuples[i];
            return FALSE;
          }
      for (guint s = 0; before != NULL && s < entry->n_schemas; s++)
        if (!entry->schemas[s]->is_addressed_by_key
            && !kvsql_mutation_list_add_deletes (list, entry->schemas[s], before, timestamp - 1,
                                                 error))
          return FALSE;
    }
  return TRUE;
}

static gboolean
write_chunk (KvsqlEngine *engine, const KvsqlCatalogEntry *entry, const KvsqlValue *const *tuples,
             guint n_tuples, gint64 timestamp, const KvsqlCall *call, KvsqlCalls *calls,
             const KvsqlValue **out_refused, GError **error)
{
  g_autofree const KvsqlValue **kept = g_new (const KvsqlValue *, n_tuples);
  guint n = keep_last_of_each_key (entry->relation, tuples, n_tuples, kept);
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();
  KvsqlKeyLocks locks;
  gboolean ok;

  kvsql_lock_tuples (engine, entry->relation, kept, n, &locks);
  ok = make_mutations (engine, entry, kept, n, timestamp, call, list, calls, out_refused, error);
  if (ok && calls != NULL)
    kvsql_mutation_list_explain (list, calls);
  else if (ok)
    ok = kvsql_mutation_list_apply (list, engine, call, error);
  kvsql_engine_unlock (engine, &locks);
  return ok;
}

/* Which of many rows it was, and what had been done before. */
static void
explain_failure (const KvsqlValue *const *tuples, guint n_tuples, guint n_written,
                 const KvsqlValue *refused, GError **error)
{
  guint row = 0;

  for (guint i = 0; refused != NULL && i < n_tuples; i++)
    if (tuples[i] == refused)
      row = i + 1;
  if (n_tuples < 2)
    return;
  if (row > 0 && n_written > 0)
    kvsql_error_detail (error, "This is row %u of %u; %u tuples had been written before.", row,
                        n_tuples, n_written);
  else if (row > 0)
    kvsql_error_detail (error, "This is row %u of %u.", row, n_tuples);
  else if (n_written > 0)
    kvsql_error_detail (error, "%u of %u tuples had been written before.", n_written, n_tuples);
}

static gboolean
write_all (KvsqlEngine *engine, const KvsqlCatalogEntry *entry, const KvsqlValue *const *tuples,
           guint n_tuples, gint64 timestamp, const KvsqlCall *call, guint64 *out_written,
           KvsqlCalls *calls, GError **error)
{
  const KvsqlValue *refused = NULL;

  *out_written = 0;
  for (guint i = 0; i < n_tuples; i += CHUNK_TUPLES)
    {
      guint n = MIN (CHUNK_TUPLES, n_tuples - i);

      if (!kvsql_call_check (call, error)
          || !write_chunk (engine, entry, tuples + i, n, timestamp, call, calls, &refused, error))
        {
          explain_failure (tuples, n_tuples, calls == NULL ? i : 0, refused, error);
          return FALSE;
        }
      *out_written += n;
    }
  return TRUE;
}

gboolean
kvsql_insert_run (KvsqlEngine *engine, const KvsqlCatalogEntry *entry,
                  const KvsqlValue *const *tuples, guint n_tuples, const KvsqlCall *call,
                  guint64 *out_written, GError **error)
{
  return write_all (engine, entry, tuples, n_tuples, 0, call, out_written, NULL, error);
}

gboolean
kvsql_insert_run_at (KvsqlEngine *engine, const KvsqlCatalogEntry *entry,
                     const KvsqlValue *const *tuples, guint n_tuples, gint64 timestamp,
                     const KvsqlCall *call, guint64 *out_written, GError **error)
{
  return write_all (engine, entry, tuples, n_tuples, timestamp, call, out_written, NULL, error);
}

gboolean
kvsql_insert_explain (KvsqlEngine *engine, const KvsqlCatalogEntry *entry,
                      const KvsqlValue *const *tuples, guint n_tuples, const KvsqlCall *call,
                      KvsqlCalls *calls, GError **error)
{
  guint64 unused;

  return write_all (engine, entry, tuples, n_tuples, 0, call, &unused, calls, error);
}
