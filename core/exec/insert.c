/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * insert.c: tuples to mutations of all schemas, in chunks.
 *
 * Where every address depends on the key alone, the new tuple says it all: its cells are put, and
 * those it leaves out are deleted, without reading. Where another attribute stands in an address
 * the old tuple is read first, under the locks of the keys, and its addresses that the new one does
 * not use are deleted. Where other daemons write to the store, too, each tuple is exchanged by a
 * compare-and-set then.
 */
#include "config.h"

#include "core/exec/change.h"
#include "core/exec/insert.h"
#include "core/exec/last-of-keys.h"
#include "core/exec/refusals.h"

#define CHUNK_TUPLES 1000
#define FEW_TUPLES 8

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
  *out_locks = (KvsqlKeyLocks){ 0 };
  kvsql_key_locks_add_tuples (out_locks, relation, tuples, n_tuples);
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
                const KvsqlValue *const *tuples, guint n_tuples, const KvsqlKeyLocks *locks,
                gint64 timestamp, const KvsqlCall *call, KvsqlMutationList *list, KvsqlCalls *calls,
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
    timestamp = kvsql_engine_next_timestamp (engine, locks,
                                             needs_old || leaves_out (entry, tuples, n_tuples));
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

/* A chunk and how it is written. */
typedef struct
{
  KvsqlEngine *engine;
  const KvsqlCatalogEntry *entry;
  gint64 timestamp;
  const KvsqlCall *call;
  KvsqlKeyLocks *locks;
  const KvsqlValue *refused; /* out: what cannot be written by any store */
} Chunk;

/* With the keys locked. */
static gboolean
write_locked (const KvsqlValue *const *tuples, guint n_tuples, gpointer data, GError **error)
{
  Chunk *self = data;
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();

  kvsql_mutation_list_reserve (list, n_tuples * self->entry->n_schemas);
  return make_mutations (self->engine, self->entry, tuples, n_tuples, self->locks, self->timestamp,
                         self->call, list, NULL, &self->refused, error)
         && kvsql_mutation_list_apply (list, self->engine, self->call, error);
}

/* Of tuples that were refused at once, writes those that it can and finds the others. */
static void
write_apart (Chunk *self, const KvsqlValue *const *tuples, guint n_tuples, guint n_before,
             GError **error)
{
  const KvsqlStore *store = kvsql_engine_get_store (self->engine);
  g_auto (KvsqlRefusals) refusals = { 0 };

  if (n_tuples > 1 && (store->capabilities.flags & KVSQL_STORE_ATOMIC_BATCH) == 0
      && g_error_matches (*error, KVSQL_ERROR, KVSQL_ERROR_STORE) && self->refused == NULL
      && kvsql_refusals_find (&refusals, tuples, n_tuples, write_locked, self, error))
    kvsql_refusals_tell (&refusals, self->entry->relation, n_before, error);
}

static gboolean
write_chunk (KvsqlEngine *engine, const KvsqlCatalogEntry *entry, const KvsqlValue *const *tuples,
             guint n_tuples, guint n_before, gint64 timestamp, const KvsqlCall *call,
             const KvsqlValue **out_refused, GError **error)
{
  g_autofree const KvsqlValue **kept = g_new (const KvsqlValue *, n_tuples);
  KvsqlKeyLocks locks;
  Chunk chunk
      = { .engine = engine, .entry = entry, .timestamp = timestamp, .call = call, .locks = &locks };
  guint n = kvsql_last_of_keys (entry->relation, tuples, n_tuples, kept, &locks);
  GError *failure = NULL;

  kvsql_engine_lock (engine, &locks);
  if (!write_locked (kept, n, &chunk, &failure))
    write_apart (&chunk, kept, n, n_before, &failure);
  kvsql_engine_unlock (engine, &locks);
  *out_refused = chunk.refused;
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

static gboolean
explain_chunk (KvsqlEngine *engine, const KvsqlCatalogEntry *entry, const KvsqlValue *const *tuples,
               guint n_tuples, gint64 timestamp, const KvsqlCall *call, KvsqlCalls *calls,
               const KvsqlValue **out_refused, GError **error)
{
  g_autofree const KvsqlValue **kept = g_new (const KvsqlValue *, n_tuples);
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();
  KvsqlKeyLocks locks;
  guint n = kvsql_last_of_keys (entry->relation, tuples, n_tuples, kept, &locks);
  gboolean ok;

  kvsql_engine_lock (engine, &locks);
  ok = make_mutations (engine, entry, kept, n, &locks, timestamp, call, list, calls, out_refused,
                       error);
  if (ok)
    kvsql_mutation_list_explain (list, calls);
  kvsql_engine_unlock (engine, &locks);
  return ok;
}

/* ---- beside other daemons */

/* Their locks are not ours: a tuple that takes the place of another is a compare-and-set, so that
 * nobody leaves the address of a tuple behind that somebody else has just moved. So is one that
 * takes nobody's, if it is one of few: put as it is, it could come after what another daemon did on
 * finding none, with an older timestamp, and would be gone though it was acknowledged. */
gboolean
kvsql_entry_must_exchange (const KvsqlCatalogEntry *entry, const KvsqlEngine *engine)
{
  return kvsql_entry_needs_old_tuples (entry) && kvsql_engine_has_others (engine);
}

/* With the keys locked. Tuples that another daemon was faster with stay in @tuples. Many that take
 * nobody's place are written at once: a load is not to pay for what only competitors need. */
static gboolean
exchange_locked (KvsqlEngine *engine, const KvsqlCatalogEntry *entry, const KvsqlValue **tuples,
                 guint *n_tuples, KvsqlKeyLocks *locks, const KvsqlCall *call,
                 const KvsqlValue **out_refused, GError **error)
{
  Chunk fresh = { .engine = engine, .entry = entry, .call = call, .locks = locks };
  g_autofree const KvsqlValue **new_ones = g_new (const KvsqlValue *, *n_tuples);
  g_autoptr (KvsqlTupleMap) stored = kvsql_tuple_map_new (entry->relation, 0);
  g_autofree KvsqlChange *changes = g_new0 (KvsqlChange, *n_tuples);
  gboolean are_few = *n_tuples <= FEW_TUPLES, ok;
  guint n_lost = 0, n_changes = 0, n_new = 0;

  for (guint i = 0; i < *n_tuples; i++)
    if (!kvsql_change_prepare (engine, entry, tuples[i], call, error))
      {
        *out_refused = tuples[i];
        return FALSE;
      }
  if (!kvsql_read_primary_by_keys (engine, entry, tuples, *n_tuples, &entry->relation->all, call,
                                   stored, NULL, error))
    return FALSE;
  for (guint i = 0; i < *n_tuples; i++)
    {
      const KvsqlValue *old = kvsql_tuple_map_find (stored, tuples[i]);

      if (old == NULL && !are_few)
        new_ones[n_new++] = tuples[i];
      else
        changes[n_changes++] = (KvsqlChange){ .old = old, .new = tuples[i] };
    }
  ok = kvsql_changes_apply (engine, entry, changes, n_changes, 0, call, NULL, error)
       && (n_new == 0 || write_locked (new_ones, n_new, &fresh, error));
  *out_refused = fresh.refused;
  for (guint i = 0; i < n_changes; i++)
    if (!changes[i].is_applied)
      tuples[n_lost++] = changes[i].new;
  *n_tuples = n_lost;
  return ok;
}

static gboolean
exchange_chunk (KvsqlEngine *engine, const KvsqlCatalogEntry *entry,
                const KvsqlValue *const *tuples, guint n_tuples, const KvsqlCall *call,
                const KvsqlValue **out_refused, GError **error)
{
  g_autofree const KvsqlValue **left = g_new (const KvsqlValue *, n_tuples);
  KvsqlKeyLocks locks;
  guint n_left = kvsql_last_of_keys (entry->relation, tuples, n_tuples, left, &locks);

  kvsql_key_locks_clear (&locks);
  while (n_left > 0)
    {
      gboolean ok;

      if (!kvsql_call_check (call, error))
        return FALSE;
      kvsql_lock_tuples (engine, entry->relation, left, n_left, &locks);
      ok = exchange_locked (engine, entry, left, &n_left, &locks, call, out_refused, error);
      kvsql_engine_unlock (engine, &locks);
      if (!ok)
        return FALSE;
    }
  return TRUE;
}

/* ---- */

/* Which of many rows it was, and what had been done before. */
static void
explain_failure (const KvsqlValue *const *tuples, guint n_tuples, guint n_written,
                 const KvsqlValue *refused, GError **error)
{
  guint row = 0;

  for (guint i = 0; refused != NULL && i < n_tuples; i++)
    if (tuples[i] == refused)
      row = i + 1;
  if (n_tuples < 2 || (error != NULL && kvsql_error_get_detail (*error) != NULL))
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
  gboolean exchanges = calls == NULL && timestamp == 0 && kvsql_entry_must_exchange (entry, engine);
  const KvsqlValue *refused = NULL;

  *out_written = 0;
  for (guint i = 0; i < n_tuples; i += CHUNK_TUPLES)
    {
      guint n = MIN (CHUNK_TUPLES, n_tuples - i);

      if (!kvsql_call_check (call, error)
          || !(calls != NULL ? explain_chunk (engine, entry, tuples + i, n, timestamp, call, calls,
                                              &refused, error)
               : exchanges   ? exchange_chunk (engine, entry, tuples + i, n, call, &refused, error)
                             : write_chunk (engine, entry, tuples + i, n, i, timestamp, call,
                                            &refused, error)))
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
