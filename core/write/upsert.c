/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * upsert.c: INSERT … ON CONFLICT: inserts, updates or does nothing, depending on the stored tuple;
 * and INSERT into relations WITH (insert = unique), which fails then.
 */
#include "config.h"

#include "core/write/assign.h"
#include "core/write/current-tuples.h"
#include "core/scan/tuple-key.h"
#include "core/write/upsert.h"

#define CHUNK_TUPLES 1000

/* The state of one key in a chunk. */
typedef struct
{
  const KvsqlValue *old; /* stored; NULL: none */
  const KvsqlValue *new;
  const KvsqlCheckedTuple *before; /* nullable (tuple-change.h) */
  gboolean is_taken;               /* a row of this chunk writes @new */
  gboolean is_lost;
} Slot;

typedef struct
{
  KvsqlStorage *storage;
  const KvsqlWritePlan *plan;
  const KvsqlCall *call;
  KvsqlTupleMap *changed; /* nullable */
  KvsqlReturning *returning;
  guint64 n_done;
} Upsert;

/* The state of a chunk while its locks are held. */
typedef struct
{
  KvsqlArena *arena;
  KvsqlCurrentTuples stored;
  KvsqlTupleMap *keys; /* of the chunk, distinct */
  GHashTable *slots;   /* tuple of @keys -> Slot */
  GPtrArray *order;    /* Slot */
  Slot **slot_of;      /* by row; NULL: the row writes nothing */
  KvsqlValue **rows;   /* of RETURNING, by row */
} Chunk;

static void
chunk_init (Chunk *self, const Upsert *upsert, guint n)
{
  self->arena = kvsql_arena_new ();
  self->stored = (KvsqlCurrentTuples){ 0 };
  self->keys = kvsql_tuple_map_new (upsert->plan->entry->relation, 0);
  self->slots = g_hash_table_new (NULL, NULL);
  self->order = g_ptr_array_new ();
  self->slot_of = kvsql_arena_array (self->arena, Slot *, n);
  self->rows = kvsql_arena_array (self->arena, KvsqlValue *, n);
}

static void
chunk_clear (Chunk *self)
{
  kvsql_current_tuples_clear (&self->stored);
  kvsql_tuple_map_free (self->keys);
  g_hash_table_unref (self->slots);
  g_ptr_array_unref (self->order);
  kvsql_arena_free (self->arena);
}

static Slot *
obtain_slot (Chunk *self, const KvsqlValue *tuple, guint row)
{
  gpointer key = kvsql_tuple_map_obtain (self->keys, tuple, NULL);
  Slot *slot = g_hash_table_lookup (self->slots, key);

  if (slot != NULL)
    return slot;
  slot = kvsql_arena_new0 (self->arena, Slot);
  slot->old = slot->new = kvsql_current_tuples_get (&self->stored, row, tuple);
  slot->before = kvsql_current_tuples_get_checked (&self->stored, row);
  g_hash_table_insert (self->slots, key, slot);
  g_ptr_array_add (self->order, slot);
  return slot;
}

/* ---- repeated keys */

static gboolean
reject_again (const Upsert *self, const KvsqlValue *tuple, GError **error)
{
  const KvsqlRelation *relation = self->plan->entry->relation;
  g_autofree gchar *key = kvsql_tuple_print_key (relation, tuple);

  kvsql_error_set (error, KVSQL_ERROR_INVALID, self->plan->conflict_span,
                   "ON CONFLICT DO UPDATE cannot change a tuple a second time");
  kvsql_error_detail (error, "More than one of the tuples to insert has the key (%s).", key);
  return kvsql_error_hint (error, "Leave all but one of them out: what the others would add "
                                  "depends on the order they come in.");
}

static gboolean
note_change (Upsert *self, const KvsqlValue *tuple, GError **error)
{
  g_autoptr (GError) inner = NULL;

  if (self->changed == NULL || kvsql_tuple_map_obtain (self->changed, tuple, &inner) != NULL)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, self->plan->conflict_span,
                   "the keys that ON CONFLICT DO UPDATE has changed need more than sort_bytes");
  return kvsql_error_hint (error, "Insert a part at a time, with WHERE.");
}

/* A WHERE may exclude some of them, which is known only later. */
static gboolean
check_all_once (Upsert *self, const KvsqlValue *const *tuples, guint n, GError **error)
{
  if (self->changed == NULL || self->plan->conflict_where != NULL)
    return TRUE;
  for (guint i = 0; i < n; i++)
    {
      if (kvsql_tuple_map_find (self->changed, tuples[i]) != NULL)
        return reject_again (self, tuples[i], error);
      if (!note_change (self, tuples[i], error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
check_once (Upsert *self, const Slot *slot, const KvsqlValue *tuple, GError **error)
{
  if (self->changed == NULL || self->plan->conflict_where == NULL
      || (!slot->is_taken && kvsql_tuple_map_find (self->changed, tuple) == NULL))
    return TRUE;
  return reject_again (self, tuple, error);
}

/* The tuple of @slot after DO UPDATE. *out is NULL if the WHERE is not true. */
static gboolean
update_slot (const Upsert *self, Chunk *chunk, const Slot *slot, const KvsqlValue *tuple,
             KvsqlValue **out, GError **error)
{
  guint n = self->plan->entry->relation->n_attributes;
  KvsqlValue *columns = kvsql_arena_array (chunk->arena, KvsqlValue, 2 * n);
  gboolean admits;

  *out = NULL;
  memcpy (columns, slot->new, n * sizeof *columns);
  memcpy (columns + n, tuple, n * sizeof *columns);
  if (!kvsql_write_plan_admits (self->plan, columns, chunk->arena, &admits, error))
    return FALSE;
  return !admits || kvsql_write_plan_assign (self->plan, columns, chunk->arena, out, error);
}

static gboolean
reject_duplicate (const Upsert *self, const KvsqlValue *tuple, GError **error)
{
  return kvsql_tuple_fail_duplicate (self->plan->entry->relation, tuple, self->plan->conflict_span,
                                     error)
         || kvsql_error_hint (error, "INSERT … ON CONFLICT DO NOTHING leaves it as it is, and … DO "
                                     "UPDATE SET … changes it.");
}

static gboolean
take_row (Upsert *self, Chunk *chunk, const KvsqlValue *tuple, guint row, GError **error)
{
  Slot *slot = obtain_slot (chunk, tuple, row);
  const KvsqlValue *new = tuple;

  if (slot->new != NULL)
    {
      KvsqlValue *updated;
      if (self->plan->on_conflict == KVSQL_CONFLICT_FAIL)
        return reject_duplicate (self, tuple, error);
      if (self->plan->on_conflict == KVSQL_CONFLICT_NOTHING)
        return kvsql_current_tuples_finish (&chunk->stored, row, error);
      if (!check_once (self, slot, tuple, error)
          || !update_slot (self, chunk, slot, tuple, &updated, error))
        return FALSE;
      if (updated == NULL)
        return kvsql_current_tuples_finish (&chunk->stored, row, error);
      new = updated;
    }
  slot->new = new;
  slot->is_taken = TRUE;
  chunk->slot_of[row] = slot;
  return kvsql_returning_compute (self->returning, new, &chunk->rows[row], error);
}

static gboolean
write_slots (Upsert *self, Chunk *chunk, GError **error)
{
  g_autofree KvsqlChange *changes = g_new0 (KvsqlChange, chunk->order->len + 1);
  g_autofree Slot **changed = g_new (Slot *, chunk->order->len + 1);
  guint n = 0;
  gboolean ok;

  for (guint i = 0; i < chunk->order->len; i++)
    {
      Slot *slot = chunk->order->pdata[i];
      if (slot->new == slot->old)
        continue;
      changes[n] = (KvsqlChange){ .old = slot->old, .new = slot->new, .before = slot->before };
      changed[n++] = slot;
    }
  ok = kvsql_changes_apply (self->storage, self->plan->entry, changes, n, self->plan->timestamp,
                            self->call, error);
  for (guint i = 0; i < n; i++)
    changed[i]->is_lost = !changes[i].is_applied;
  return ok;
}

/* Counts the rows that are written. Rows whose tuples another daemon changed first stay in
 * @tuples. */
static gboolean
settle (Upsert *self, const Chunk *chunk, const KvsqlValue **tuples, guint n, guint *out_n_lost,
        GError **error)
{
  gboolean ok = TRUE;
  guint n_lost = 0;

  for (guint i = 0; i < n; i++)
    {
      if (chunk->slot_of[i] == NULL)
        continue;
      if (chunk->slot_of[i]->is_lost)
        tuples[n_lost++] = tuples[i];
      else
        {
          self->n_done++;
          kvsql_returning_keep (self->returning, chunk->rows[i]);
          ok = ok && note_change (self, tuples[i], error);
        }
    }
  *out_n_lost = n_lost;
  return ok;
}

static gboolean
write_locked (Upsert *self, Chunk *chunk, const KvsqlValue **tuples, guint n, guint *out_n_lost,
              GError **error)
{
  gboolean ok;

  *out_n_lost = 0;
  for (guint i = 0; i < n; i++)
    if (!kvsql_change_prepare (self->storage, self->plan->entry, tuples[i], self->call, error))
      return FALSE;
  if (!kvsql_current_tuples_read (&chunk->stored, self->storage, self->plan->entry, tuples, n,
                                  &self->plan->entry->relation->all, self->call, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!take_row (self, chunk, tuples[i], i, error))
      return kvsql_error_row (error, i + 1);
  ok = write_slots (self, chunk, error);
  return settle (self, chunk, tuples, n, out_n_lost, ok ? error : NULL) && ok;
}

/* Rows that another daemon has changed first are tried again under the same locks, as the statement
 * has waited for its turn already. */
static gboolean
write_chunk (Upsert *self, const KvsqlValue **tuples, guint n, GError **error)
{
  KvsqlKeyLocks locks;
  gboolean ok = TRUE;

  if (!kvsql_lock_tuples (self->storage, self->plan->entry->relation, tuples, n, self->call, &locks,
                          error))
    return FALSE;
  while (ok && n > 0)
    {
      Chunk chunk;

      chunk_init (&chunk, self, n);
      ok = kvsql_call_check (self->call, error)
           && write_locked (self, &chunk, tuples, n, &n, error);
      chunk_clear (&chunk);
    }
  kvsql_storage_unlock (self->storage, &locks);
  return ok;
}

/* Where all tuples can be one batch, a duplicate key among them leaves none of them. */
static guint
choose_chunk (const Upsert *self, guint n_tuples)
{
  const KvsqlStore *store = kvsql_storage_get_store (self->storage);
  gboolean is_whole = self->plan->on_conflict == KVSQL_CONFLICT_FAIL
                      && (store->capabilities.flags & KVSQL_STORE_ATOMIC_BATCH) != 0;

  return is_whole ? MAX (n_tuples, 1) : CHUNK_TUPLES;
}

gboolean
kvsql_upsert_run (KvsqlStorage *storage, const KvsqlWritePlan *plan,
                  const KvsqlValue *const *tuples, guint n_tuples, const KvsqlCall *call,
                  KvsqlTupleMap *changed, KvsqlReturning *returning, guint64 *out_n, GError **error)
{
  Upsert self = { .storage = storage,
                  .plan = plan,
                  .call = call,
                  .changed = plan->on_conflict == KVSQL_CONFLICT_UPDATE ? changed : NULL,
                  .returning = returning };
  guint chunk_tuples = choose_chunk (&self, n_tuples);
  gboolean ok = kvsql_entry_check_timestamp (plan->entry, storage, plan->timestamp, error)
                && check_all_once (&self, tuples, n_tuples, error)
                && kvsql_call_count_written (call, n_tuples, error);

  for (guint i = 0; ok && i < n_tuples; i += chunk_tuples)
    {
      guint n = MIN (chunk_tuples, n_tuples - i);
      g_autofree const KvsqlValue **chunk = g_memdup2 (tuples + i, n * sizeof *tuples);
      ok = write_chunk (&self, chunk, n, error);
      if (!ok && error != NULL && *error != NULL && kvsql_error_get_row (*error) > 0)
        kvsql_error_row (error, i + kvsql_error_get_row (*error));
    }
  *out_n = self.n_done;
  if (!ok && self.n_done > 0 && !kvsql_storage_is_dry (storage))
    kvsql_error_detail (error, "%" G_GUINT64_FORMAT " tuple%s had been written before.",
                        self.n_done, self.n_done == 1 ? "" : "s");
  return ok;
}
