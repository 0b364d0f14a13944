/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * delete.c: finds tuples, locks their keys, reads them again where necessary, and deletes them.
 */
#include "config.h"

#include "core/write/delete.h"
#include "core/scan/predicate-filter.h"
#include "core/scan/named-keys.h"
#include "core/scan/read-by-keys.h"
#include "core/write/blind-write.h"
#include "core/write/old-tuples.h"

#define CHUNK_TUPLES 1000

/* The tuples of a page, by attribute. */
static const KvsqlValue **
tuples_of_page (const KvsqlSelectPlan *plan, const KvsqlBatch *page, KvsqlArena *arena)
{
  const KvsqlValue **tuples = kvsql_arena_array (arena, const KvsqlValue *, page->n_rows + 1);

  for (guint row = 0; row < page->n_rows; row++)
    {
      KvsqlValue *tuple
          = kvsql_arena_array (arena, KvsqlValue, plan->entry->relation->n_attributes);
      for (guint i = 0; i < plan->n_items; i++)
        tuple[plan->items[i]] = kvsql_vector_get (&page->columns[i], row);
      tuples[row] = tuple;
    }
  return tuples;
}

/* Whether another write may have changed values that the predicate or the cell keys depend on. */
static gboolean
must_read_again (const KvsqlSelectPlan *plan)
{
  KvsqlAttributeSet used = { 0 };

  kvsql_predicate_collect (plan->predicate, &used);
  return kvsql_entry_needs_old_tuples (plan->entry)
         || !kvsql_attribute_set_contains (&plan->entry->relation->keys, &used);
}

static gboolean
add_deletes (const KvsqlSelectPlan *plan, const KvsqlValue *tuple, gint64 timestamp,
             KvsqlMutationList *list, GError **error)
{
  for (guint s = 0; s < plan->entry->n_schemas; s++)
    if (!kvsql_mutation_list_add_deletes (list, plan->entry->schemas[s], tuple, timestamp, error))
      return FALSE;
  return TRUE;
}

/* The caller holds the key locks. @out: the tuples that are deleted. */
static gboolean
make_deletes (KvsqlStorage *storage, const KvsqlSelectPlan *plan, const KvsqlValue **tuples,
              guint n_tuples, const KvsqlKeyLocks *locks, const KvsqlCall *call,
              KvsqlMutationList *list, const KvsqlValue **deleted, KvsqlBlindWrite *out,
              GError **error)
{
  g_autoptr (KvsqlTupleMap) current = NULL;
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  gint64 timestamp;

  *out = (KvsqlBlindWrite){ .tuples = deleted, .is_delete = TRUE };
  if (must_read_again (plan))
    {
      current = kvsql_tuple_map_new (plan->entry->relation, 0);
      if (!kvsql_read_by_keys (kvsql_storage_get_store (storage), plan->entry, tuples, n_tuples,
                               &plan->needed, call, current, error))
        return FALSE;
    }
  timestamp = kvsql_storage_next_timestamp (storage, locks, TRUE, error);
  if (timestamp == 0)
    return FALSE;
  out->timestamp = timestamp;
  for (guint i = 0; i < n_tuples; i++)
    {
      const KvsqlValue *tuple
          = current == NULL ? tuples[i] : kvsql_tuple_map_find (current, tuples[i]);
      gboolean admits = FALSE;

      kvsql_arena_reset (arena);
      if (tuple != NULL && !kvsql_predicate_admits (plan->predicate, tuple, arena, &admits, error))
        return FALSE;
      if (!admits)
        continue;
      if (!add_deletes (plan, tuple, timestamp - 1, list, error))
        return FALSE;
      deleted[out->n++] = tuples[i];
    }
  return TRUE;
}

static gboolean
delete_chunk (KvsqlStorage *storage, const KvsqlSelectPlan *plan, const KvsqlValue **tuples,
              guint n_tuples, const KvsqlCall *call, guint *out_n, GError **error)
{
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();
  g_autofree const KvsqlValue **deleted = g_new (const KvsqlValue *, n_tuples);
  KvsqlBlindWrite write;
  KvsqlKeyLocks locks;
  gboolean ok;

  *out_n = 0;
  if (!kvsql_lock_tuples (storage, plan->entry->relation, tuples, n_tuples, call, &locks, error))
    return FALSE;
  ok = make_deletes (storage, plan, tuples, n_tuples, &locks, call, list, deleted, &write, error);
  if (ok)
    ok = kvsql_blind_apply (storage, plan->entry, &write, list, call, error);
  kvsql_storage_unlock (storage, &locks);
  *out_n = write.n;
  return ok;
}

/* Deletes what the search can find. @found: nullable: gets the keys. */
static gboolean
delete_found (KvsqlStorage *storage, const KvsqlSelectPlan *plan, const KvsqlSelectLimits *limits,
              const KvsqlCall *call, KvsqlTupleMap *found, guint64 *out_deleted, GError **error)
{
  g_autoptr (KvsqlSelectRun) run
      = kvsql_select_run_new (plan, kvsql_storage_get_store (storage), limits, NULL);
  gboolean has_more = TRUE;

  while (has_more)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      g_autoptr (KvsqlBatch) page = NULL;
      gboolean ok = kvsql_select_run_page (run, CHUNK_TUPLES, 4 * 1024 * 1024, call, arena, &page,
                                           &has_more, error);
      const KvsqlValue **tuples = ok ? tuples_of_page (plan, page, arena) : NULL;
      guint n = 0;

      for (guint i = 0; ok && found != NULL && i < page->n_rows; i++)
        ok = kvsql_tuple_map_obtain (found, tuples[i], error) != NULL;
      if (ok && page->n_rows > 0)
        ok = kvsql_call_count_written (call, page->n_rows, error)
             && delete_chunk (storage, plan, tuples, page->n_rows, call, &n, error);
      if (!ok)
        return FALSE;
      *out_deleted += n;
    }
  return TRUE;
}

/* Another statement may be deleting a tuple, and have done so in the schema of the search only. If
 * it was not acknowledged, a reader of another schema would find the tuple after this DELETE. So a
 * blind DELETE writes each key that it names, as a blind INSERT does. */
static gboolean
delete_unseen (KvsqlStorage *storage, const KvsqlSelectPlan *plan, const KvsqlValue **keys,
               guint n_keys, KvsqlTupleMap *found, const KvsqlCall *call, GError **error)
{
  guint n = 0;

  for (guint i = 0; i < n_keys; i++)
    if (kvsql_tuple_map_find (found, keys[i]) == NULL)
      keys[n++] = keys[i];
  for (guint first = 0; first < n; first += CHUNK_TUPLES)
    {
      const guint n_chunk = MIN (n - first, CHUNK_TUPLES);
      guint n_deleted;

      if (!kvsql_call_count_written (call, n_chunk, error)
          || !delete_chunk (storage, plan, keys + first, n_chunk, call, &n_deleted, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
must_delete_unseen (const KvsqlStorage *storage, const KvsqlSelectPlan *plan)
{
  const KvsqlStore *store = kvsql_storage_get_store (storage);

  return kvsql_entry_is_blind (plan->entry, &store->capabilities)
         && kvsql_entry_needs_intents (plan->entry);
}

gboolean
kvsql_delete_run (KvsqlStorage *storage, const KvsqlSelectPlan *plan,
                  const KvsqlSelectLimits *limits, const KvsqlCall *call, guint64 *out_deleted,
                  GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlTupleMap) found = NULL;
  const KvsqlValue **keys = NULL;
  guint n_keys = 0;

  *out_deleted = 0;
  if (must_delete_unseen (storage, plan))
    keys = kvsql_delete_named_keys (plan, arena, &n_keys);
  if (keys != NULL)
    found = kvsql_tuple_map_new (plan->entry->relation, 0);
  if (delete_found (storage, plan, limits, call, found, out_deleted, error)
      && (keys == NULL || delete_unseen (storage, plan, keys, n_keys, found, call, error)))
    return TRUE;
  if (*out_deleted > 0 && !kvsql_storage_is_dry (storage))
    kvsql_error_detail (error, "%" G_GUINT64_FORMAT " tuples had been deleted before.",
                        *out_deleted);
  return FALSE;
}

const KvsqlValue **
kvsql_delete_named_keys (const KvsqlSelectPlan *plan, KvsqlArena *arena, guint *out_n_keys)
{
  if (kvsql_entry_needs_old_tuples (plan->entry) || plan->limit != KVSQL_NO_LIMIT)
    return NULL;
  return kvsql_named_keys (plan, FALSE, arena, out_n_keys);
}

gboolean
kvsql_delete_by_keys (KvsqlStorage *storage, const KvsqlSelectPlan *plan, const KvsqlValue **keys,
                      guint n_keys, const KvsqlCall *call, GError **error)
{
  const KvsqlBlindWrite write = { .tuples = keys, .n = n_keys, .is_delete = TRUE, .timestamp = 2 };
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();

  for (guint i = 0; i < n_keys; i++)
    if (!add_deletes (plan, keys[i], write.timestamp - 1, list, error))
      return FALSE;
  return kvsql_blind_apply (storage, plan->entry, &write, list, call, error);
}
