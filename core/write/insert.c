/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * insert.c: encodes tuples as mutations of all schemas, in chunks.
 *
 * If every cell key depends on the key alone, nothing is read: the cells of the new tuple are put,
 * and those that it leaves out are deleted. If a cell key contains another attribute, the old tuple
 * is read first, under the locks of the keys, and its cells that the new tuple does not have are
 * deleted. If other daemons write to the store, too, each such tuple is replaced by a
 * compare-and-set.
 */
#include "config.h"

#include "core/scan/read-by-keys.h"
#include "core/write/blind-write.h"
#include "core/write/change.h"
#include "core/write/checked-insert.h"
#include "core/write/current-tuples.h"
#include "core/write/deduplicate.h"
#include "core/write/each-write.h"
#include "core/write/insert.h"
#include "core/write/old-tuples.h"
#include "core/write/rejected-tuples.h"

#define CHUNK_TUPLES 1000
#define FEW_TUPLES 8

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
cell_key_attributes (const KvsqlCatalogEntry *entry)
{
  KvsqlAttributeSet result = entry->relation->keys;

  for (guint s = 0; s < entry->n_schemas; s++)
    kvsql_attribute_set_add_all (&result, &entry->schemas[s]->cell_key_attributes);
  return result;
}

/* Builds all mutations for these tuples. The caller holds the key locks. */
static gboolean
make_mutations (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                const KvsqlValue *const *tuples, guint n_tuples, const KvsqlKeyLocks *locks,
                gint64 timestamp, const KvsqlCall *call, KvsqlMutationList *list,
                gint64 *out_timestamp, const KvsqlValue **out_rejected, GError **error)
{
  gboolean needs_old = kvsql_entry_needs_old_tuples (entry);
  g_autoptr (KvsqlTupleMap) old = NULL;

  if (needs_old)
    {
      KvsqlAttributeSet wanted = cell_key_attributes (entry);
      old = kvsql_tuple_map_new (entry->relation, 0);
      if (!kvsql_read_by_keys (kvsql_storage_get_store (storage), entry, tuples, n_tuples, &wanted,
                               call, old, error))
        return FALSE;
    }
  if (timestamp == 0)
    timestamp = kvsql_storage_next_timestamp (
        storage, locks, needs_old || leaves_out (entry, tuples, n_tuples), error);
  if (timestamp == 0)
    return FALSE;
  *out_timestamp = timestamp;
  for (guint i = 0; i < n_tuples; i++)
    {
      const KvsqlValue *before = old == NULL ? NULL : kvsql_tuple_map_find (old, tuples[i]);

      for (guint s = 0; s < entry->n_schemas; s++)
        if (!kvsql_mutation_list_add_puts (list, entry->schemas[s], tuples[i], timestamp, error))
          {
            *out_rejected = tuples[i];
            return FALSE;
          }
      for (guint s = 0; before != NULL && s < entry->n_schemas; s++)
        if (!entry->schemas[s]->is_located_by_key
            && !kvsql_mutation_list_add_deletes (list, entry->schemas[s], before, timestamp - 1,
                                                 error))
          return FALSE;
    }
  return TRUE;
}

/* A chunk of tuples, and how it is written. */
typedef struct
{
  KvsqlStorage *storage;
  const KvsqlCatalogEntry *entry;
  gint64 timestamp;
  const KvsqlCall *call;
  KvsqlKeyLocks *locks;
  const KvsqlValue *rejected; /* out: the tuple that cannot be encoded */
} Chunk;

/* The caller holds the key locks. */
static gboolean
write_locked (const KvsqlValue *const *tuples, guint n_tuples, gpointer data, GError **error)
{
  Chunk *self = data;
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();
  KvsqlBlindWrite write = { .tuples = tuples, .n = n_tuples };

  kvsql_mutation_list_reserve (list, n_tuples * self->entry->n_schemas);
  return make_mutations (self->storage, self->entry, tuples, n_tuples, self->locks, self->timestamp,
                         self->call, list, &write.timestamp, &self->rejected, error)
         && kvsql_blind_apply (self->storage, self->entry, &write, list, self->call, error);
}

/* Of tuples that were rejected together, writes the good ones and finds the others. */
static void
write_apart (Chunk *self, const KvsqlValue *const *tuples, guint n_tuples, guint n_before,
             GError **error)
{
  const KvsqlStore *store = kvsql_storage_get_store (self->storage);
  g_auto (KvsqlRejectedTuples) rejections = { 0 };

  if (n_tuples > 1 && (store->capabilities.flags & KVSQL_STORE_ATOMIC_BATCH) == 0
      && g_error_matches (*error, KVSQL_ERROR, KVSQL_ERROR_STORE) && self->rejected == NULL
      && kvsql_rejected_tuples_find (&rejections, tuples, n_tuples, write_locked, self, error))
    kvsql_rejected_tuples_report (&rejections, self->entry->relation, n_before, error);
}

static gboolean
write_chunk (KvsqlStorage *storage, const KvsqlCatalogEntry *entry, const KvsqlValue *const *tuples,
             guint n_tuples, guint n_before, gint64 timestamp, const KvsqlCall *call,
             const KvsqlValue **out_rejected, GError **error)
{
  g_autofree const KvsqlValue **kept = g_new (const KvsqlValue *, n_tuples);
  KvsqlKeyLocks locks;
  Chunk chunk = {
    .storage = storage, .entry = entry, .timestamp = timestamp, .call = call, .locks = &locks
  };
  guint n = kvsql_deduplicate_by_key (entry->relation, tuples, n_tuples, kept, &locks);
  GError *failure = NULL;

  if (!kvsql_storage_lock (storage, &locks, call, error))
    return FALSE;
  if (!write_locked (kept, n, &chunk, &failure))
    write_apart (&chunk, kept, n, n_before, &failure);
  kvsql_storage_unlock (storage, &locks);
  *out_rejected = chunk.rejected;
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, failure);
  return FALSE;
}

/* ---- with other daemons */

/* The caller holds the key locks. Tuples that another daemon changed first stay in @tuples. Many
 * new tuples are put without compare-and-set: a bulk load should not pay for a conflict that only
 * concurrent writers have. */
static gboolean
compare_and_set_locked (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                        const KvsqlValue **tuples, guint *n_tuples, KvsqlKeyLocks *locks,
                        const KvsqlCall *call, const KvsqlValue **out_rejected, GError **error)
{
  Chunk fresh = { .storage = storage, .entry = entry, .call = call, .locks = locks };
  g_autofree const KvsqlValue **new_ones = g_new (const KvsqlValue *, *n_tuples);
  g_auto (KvsqlCurrentTuples) stored = { 0 };
  g_autofree KvsqlChange *changes = g_new0 (KvsqlChange, *n_tuples);
  gboolean are_few = *n_tuples <= FEW_TUPLES || kvsql_entry_shares_cells (entry), ok;
  guint n_lost = 0, n_changes = 0, n_new = 0;

  for (guint i = 0; i < *n_tuples; i++)
    if (!kvsql_change_prepare (storage, entry, tuples[i], call, error))
      {
        *out_rejected = tuples[i];
        return FALSE;
      }
  if (!kvsql_current_tuples_read (&stored, storage, entry, tuples, *n_tuples, &entry->relation->all,
                                  call, error))
    return FALSE;
  for (guint i = 0; i < *n_tuples; i++)
    {
      const KvsqlValue *old = kvsql_current_tuples_get (&stored, i, tuples[i]);

      if (old == NULL && !are_few)
        new_ones[n_new++] = tuples[i];
      else
        changes[n_changes++] = (KvsqlChange){ .old = old, .new = tuples[i] };
    }
  ok = kvsql_changes_apply (storage, entry, changes, n_changes, 0, call, error)
       && (n_new == 0 || write_locked (new_ones, n_new, &fresh, error));
  *out_rejected = fresh.rejected;
  for (guint i = 0; i < n_changes; i++)
    if (!changes[i].is_applied)
      tuples[n_lost++] = changes[i].new;
  *n_tuples = n_lost;
  return ok;
}

static gboolean
compare_and_set_chunk (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                       const KvsqlValue *const *tuples, guint n_tuples, const KvsqlCall *call,
                       const KvsqlValue **out_rejected, GError **error)
{
  g_autofree const KvsqlValue **left = g_new (const KvsqlValue *, n_tuples);
  KvsqlKeyLocks locks;
  guint n_left = kvsql_deduplicate_by_key (entry->relation, tuples, n_tuples, left, &locks);
  gboolean is_checked
      = kvsql_entry_is_checked (entry, &kvsql_storage_get_store (storage)->capabilities);
  gboolean ok = TRUE;

  if (!kvsql_storage_lock (storage, &locks, call, error))
    return FALSE;
  while (ok && n_left > 0)
    ok = kvsql_call_check (call, error)
         && (is_checked
                 ? kvsql_checked_insert (storage, entry, left, &n_left, call, out_rejected, error)
                 : compare_and_set_locked (storage, entry, left, &n_left, &locks, call,
                                           out_rejected, error));
  kvsql_storage_unlock (storage, &locks);
  return ok;
}

/* ---- */

/* Adds the number of the rejected tuple, and how many were written before. */
static void
explain_failure (const KvsqlValue *const *tuples, guint n_tuples, guint n_written,
                 const KvsqlValue *rejected, GError **error)
{
  guint row = 0;

  for (guint i = 0; rejected != NULL && i < n_tuples; i++)
    if (tuples[i] == rejected)
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
write_all (KvsqlStorage *storage, const KvsqlCatalogEntry *entry, const KvsqlValue *const *tuples,
           guint n_tuples, gint64 timestamp, const KvsqlCall *call, guint64 *out_written,
           GError **error)
{
  const KvsqlStore *store = kvsql_storage_get_store (storage);
  gboolean needs_compare_and_set = timestamp == 0
                                   && (kvsql_entry_needs_compare_and_set (entry, storage)
                                       || kvsql_entry_is_checked (entry, &store->capabilities));
  const KvsqlValue *rejected = NULL;

  *out_written = 0;
  if (!kvsql_entry_check_timestamp (entry, storage, timestamp, error)
      || !kvsql_call_count_written (call, n_tuples, error))
    return FALSE;
  for (guint i = 0; i < n_tuples; i += CHUNK_TUPLES)
    {
      guint n = MIN (CHUNK_TUPLES, n_tuples - i);

      if (!kvsql_call_check (call, error)
          || !(needs_compare_and_set
                   ? compare_and_set_chunk (storage, entry, tuples + i, n, call, &rejected, error)
                   : write_chunk (storage, entry, tuples + i, n, i, timestamp, call, &rejected,
                                  error)))
        {
          explain_failure (tuples, n_tuples, kvsql_storage_is_dry (storage) ? 0 : i, rejected,
                           error);
          return FALSE;
        }
      *out_written += n;
    }
  return TRUE;
}

gboolean
kvsql_insert_run (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                  const KvsqlValue *const *tuples, guint n_tuples, const KvsqlCall *call,
                  guint64 *out_written, GError **error)
{
  return write_all (storage, entry, tuples, n_tuples, 0, call, out_written, error);
}

gboolean
kvsql_insert_run_at (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                     const KvsqlValue *const *tuples, guint n_tuples, gint64 timestamp,
                     const KvsqlCall *call, guint64 *out_written, GError **error)
{
  return write_all (storage, entry, tuples, n_tuples, timestamp, call, out_written, error);
}
