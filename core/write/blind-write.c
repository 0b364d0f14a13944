/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * blind-write.c: see the header.
 */
#include "config.h"

#include "core/write/blind-write.h"

#include "core/anchor/varint.h"
#include "core/catalog/catalog.h"
#include "core/scan/read-by-keys.h"
#include "core/write/apply.h"
#include "core/write/write-log.h"

/* Of an intent, which is one cell. A tuple may be larger. */
#define INTENT_BYTES ((gsize)1 << 20)
/* Of the work after the answer. What is not done by then is left to others. */
#define FINISH_US (30 * G_USEC_PER_SEC)

gboolean
kvsql_entry_is_blind (const KvsqlCatalogEntry *entry, const KvsqlStoreCapabilities *capabilities)
{
  return entry->relation->mode == KVSQL_WRITES_BLIND
         && (capabilities->flags & KVSQL_STORE_ATOMIC_BATCH) == 0;
}

static gboolean
has_several_rows (const KvsqlCatalogEntry *entry, gboolean counts_new)
{
  guint n_written = 0;

  for (guint i = 0; i < entry->n_schemas; i++)
    {
      const KvsqlSchema *schema = entry->schemas[i];

      if (schema->options.role == KVSQL_ROLE_READ
          || (!counts_new && schema->options.state == KVSQL_STATE_DELETING))
        continue;
      n_written++;
      if (n_written > 1 || !kvsql_schema_has_tuple_rows (schema))
        return TRUE;
    }
  return FALSE;
}

gboolean
kvsql_entry_needs_intents (const KvsqlCatalogEntry *entry)
{
  return has_several_rows (entry, TRUE);
}

gboolean
kvsql_entry_needed_intents (const KvsqlCatalogEntry *entry)
{
  return has_several_rows (entry, FALSE);
}

/* ---- the log */

/* The entries of a write, until it ends. */
typedef struct
{
  KvsqlStorage *storage;
  GArray *entries; /* (element-type KvsqlLogEntry) whose intents are not valid any more */
  gboolean is_done;
} Logged;

static gboolean
log_intent (Logged *self, const KvsqlRelation *relation, KvsqlSlice intent, const KvsqlCall *call,
            GError **error)
{
  KvsqlWriteLog *log = kvsql_storage_get_log (self->storage);
  g_autoptr (GError) failure = NULL;
  KvsqlLogEntry entry;

  if (log == NULL)
    return kvsql_error_set (error, KVSQL_ERROR_INTERNAL, KVSQL_SPAN_NONE,
                            "there is no log for blind writes");
  if (!kvsql_write_log_begin_intent (log, relation->id, intent, call, &entry, &failure))
    {
      if (!kvsql_storage_remake_anchors (self->storage, failure, call))
        {
          g_propagate_error (error, g_steal_pointer (&failure));
          return FALSE;
        }
      if (!kvsql_write_log_begin_intent (log, relation->id, intent, call, &entry, error))
        return FALSE;
    }
  entry.intent = KVSQL_SLICE_EMPTY;
  g_array_append_val (self->entries, entry);
  return TRUE;
}

static gboolean
log_all (Logged *self, const KvsqlRelation *relation, const KvsqlBlindWrite *write,
         const KvsqlCall *call, GError **error)
{
  KvsqlBuffer intent = { 0 };
  gboolean ok = TRUE;

  for (guint next = 0; next < write->n && ok;)
    {
      intent.size = 0;
      kvsql_blind_intent_append (relation, write, INTENT_BYTES, &next, &intent);
      ok = kvsql_call_check (call, error)
           && log_intent (self, relation, kvsql_buffer_slice (&intent), call, error);
    }
  kvsql_buffer_clear (&intent);
  return ok;
}

static void
free_logged (Logged *self)
{
  g_array_unref (self->entries);
  g_free (self);
}

/* A KvsqlWorkFunc: of writes that are done. */
static void
end_done (gpointer *work, guint n)
{
  const KvsqlCall call = { .deadline_us = g_get_monotonic_time () + FINISH_US };
  Logged *first = work[0];

  for (guint i = 1; i < n; i++)
    {
      Logged *other = work[i];

      g_array_append_vals (first->entries, other->entries->data, other->entries->len);
      free_logged (other);
    }
  kvsql_write_log_end_done (kvsql_storage_get_log (first->storage),
                            (const KvsqlLogEntry *)(gpointer)first->entries->data,
                            first->entries->len, &call);
  free_logged (first);
}

/* An entry that stays is another daemon's, or the recovery's, from now on: so that is told at once.
 */
static void
leave (Logged *self)
{
  for (guint i = 0; i < self->entries->len; i++)
    kvsql_write_log_end (kvsql_storage_get_log (self->storage),
                         &g_array_index (self->entries, KvsqlLogEntry, i), FALSE, NULL);
  free_logged (self);
}

static void
end (Logged *self)
{
  gpointer work = self;

  if (!self->is_done)
    leave (self);
  else if (!kvsql_storage_do_later (self->storage, end_done, self))
    end_done (&work, 1);
}

/* ---- the write */

static gboolean
fail_unfinished (const GError *cause, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_OUTCOME, KVSQL_SPAN_NONE,
                   "the write is in the log, but not in all schemas yet: %s", cause->message);
  return kvsql_error_hint (error,
                           "It will be finished. Read the data before you repeat the statement.");
}

static gboolean
apply_logged (Logged *self, const KvsqlCatalogEntry *entry, const KvsqlBlindWrite *write,
              KvsqlMutationList *list, const KvsqlCall *call, GError **error)
{
  g_autoptr (GError) failure = NULL;

  if (!kvsql_mutation_list_check (list, 0, self->storage, error)
      || !kvsql_storage_ensure_anchors (self->storage, call, error)
      || !kvsql_mutation_list_ensure_tables (list, self->storage, call, error))
    return FALSE;
  /* A schema may have been added of which this daemon does not know, if it may not use timestamps
   * any more (daemon/recovery/old-writes.h). Then another daemon writes its cells. */
  if (log_all (self, entry->relation, write, call, &failure)
      && kvsql_mutation_list_apply (list, self->storage, call, &failure)
      && kvsql_storage_may_write (self->storage, &failure))
    {
      self->is_done = TRUE;
      return TRUE;
    }
  if (self->entries->len > 0)
    return fail_unfinished (failure, error);
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

gboolean
kvsql_blind_apply (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                   const KvsqlBlindWrite *write, KvsqlMutationList *list, const KvsqlCall *call,
                   GError **error)
{
  const KvsqlStore *store = kvsql_storage_get_store (storage);
  Logged *logged;
  gboolean ok;

  if (list->mutations->len == 0 || !kvsql_entry_is_blind (entry, &store->capabilities)
      || !kvsql_entry_needs_intents (entry))
    return kvsql_mutation_list_apply (list, storage, call, error);
  logged = g_new (Logged, 1);
  *logged = (Logged){ .storage = storage,
                      .entries = g_array_new (FALSE, FALSE, sizeof (KvsqlLogEntry)) };
  ok = apply_logged (logged, entry, write, list, call, error);
  end (logged);
  return ok;
}

/* ---- recovery */

static gboolean
add_cells (const KvsqlCatalogEntry *entry, const KvsqlBlindWrite *write, KvsqlMutationList *list,
           GError **error)
{
  for (guint i = 0; i < write->n; i++)
    for (guint s = 0; s < entry->n_schemas; s++)
      if (write->is_delete ? !kvsql_mutation_list_add_deletes (
              list, entry->schemas[s], write->tuples[i], write->timestamp - 1, error)
                           : !kvsql_mutation_list_add_puts (
                               list, entry->schemas[s], write->tuples[i], write->timestamp, error))
        return FALSE;
  return TRUE;
}

/* An intent may get into the log after a schema was added of which its daemon did not know. A later
 * DELETE may have been of such a daemon, too: then nothing hides the tuple in the new schema. So
 * what the primary does not have any more is deleted at T, where it was put. */
static gboolean
delete_hidden (KvsqlStorage *storage, const KvsqlCatalogEntry *entry, const KvsqlBlindWrite *write,
               const KvsqlCall *call, GError **error)
{
  g_autoptr (KvsqlTupleMap) rows = kvsql_tuple_map_new (entry->relation, 0);
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();

  if (!kvsql_read_primary_by_keys (kvsql_storage_get_store (storage), entry, write->tuples,
                                   write->n, &entry->relation->keys, call, rows, error))
    return FALSE;
  for (guint i = 0; i < write->n; i++)
    for (guint s = 0; s < entry->n_schemas; s++)
      if (!entry->schemas[s]->is_primary && kvsql_tuple_map_find (rows, write->tuples[i]) == NULL
          && !kvsql_mutation_list_add_deletes (list, entry->schemas[s], write->tuples[i],
                                               write->timestamp, error))
        return FALSE;
  return kvsql_mutation_list_apply (list, storage, call, error);
}

gboolean
kvsql_blind_finish (KvsqlStorage *storage, const KvsqlCatalogEntry *entry, KvsqlSlice intent,
                    const KvsqlCall *call, guint *out_n, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();
  KvsqlBlindWrite write;

  *out_n = 0;
  if (!kvsql_blind_intent_read (entry->relation, intent, arena, &write))
    return kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                            "an intent of relation \"%s\" in the log of writes is damaged",
                            entry->relation->name);
  /* a daemon that may not use timestamps may have old definitions (daemon/recovery/old-writes.h) */
  if (!add_cells (entry, &write, list, error) || !kvsql_storage_may_write (storage, error))
    return FALSE;
  /* as its writer would have done: a later write gets a later timestamp */
  kvsql_storage_await (storage, write.timestamp);
  if (!kvsql_mutation_list_apply (list, storage, call, error)
      || (!write.is_delete && !delete_hidden (storage, entry, &write, call, error)))
    return FALSE;
  *out_n = write.n;
  return TRUE;
}

gboolean
kvsql_blind_finish_all (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                        const KvsqlCall *call, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlLogEntry *logged;
  guint n, n_tuples;

  if (!kvsql_storage_ensure_anchors (storage, call, error)
      || !kvsql_log_entries_read (kvsql_storage_get_store (storage), 0, G_MAXUINT64, call, arena,
                                  &logged, &n, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (logged[i].relation_id == entry->relation->id && logged[i].intent.size > 0
        && !kvsql_blind_is_outdated (storage, logged[i].intent)
        && !kvsql_blind_finish (storage, entry, logged[i].intent, call, &n_tuples, error))
      return FALSE;
  return TRUE;
}

gboolean
kvsql_blind_rewrite (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                     const KvsqlValue *const *tuples, guint n, gint64 newest, const KvsqlCall *call,
                     GError **error)
{
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();
  KvsqlBlindWrite write = { .tuples = tuples, .n = n };
  g_auto (KvsqlKeyLocks) locks = { 0 };

  if (n == 0)
    return TRUE;
  kvsql_key_locks_add_tuples (&locks, entry->relation, tuples, n);
  write.timestamp = kvsql_storage_next_timestamp_after (storage, &locks, TRUE, newest, error);
  return write.timestamp != 0 && add_cells (entry, &write, list, error)
         && kvsql_blind_apply (storage, entry, &write, list, call, error);
}

gboolean
kvsql_blind_is_outdated (const KvsqlStorage *storage, KvsqlSlice intent)
{
  guint64 timestamp;

  return kvsql_take_be64 (&intent, &timestamp)
         && kvsql_storage_forgets_deletes (storage, (gint64)timestamp);
}
