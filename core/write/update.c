/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * update.c: finds tuples, locks their keys, reads and tests them again, changes them, and writes.
 */
#include "config.h"

#include "core/plan/joined-write.h"
#include "core/write/assign.h"
#include "core/write/checked-write.h"
#include "core/write/counter.h"
#include "core/scan/predicate-filter.h"
#include "core/scan/named-keys.h"
#include "core/scan/read-by-keys.h"
#include "core/scan/tuple-key.h"
#include "core/write/current-tuples.h"
#include "core/write/each-write.h"
#include "core/write/update.h"

#define CHUNK_TUPLES 1000
#define CHUNK_BYTES (4 * 1024 * 1024)
/* Before the size of tuples is known. Then a chunk has about so many bytes, old and new. */
#define FIRST_TUPLES 100
#define CHANGED_BYTES (16 * 1024 * 1024)
/* tuples found beyond the LIMIT, because other statements may change some of them first */
#define SPARE_TUPLES 32
/* how often a locked key is read again, and at first for how many milliseconds, if another daemon
 * may be moving the same tuple to that key */
#define TARGET_READS 10
#define TARGET_WAIT_MS 5

typedef struct
{
  KvsqlStorage *storage;
  KvsqlWritePlan *plan;
  const KvsqlSelectLimits *limits;
  const KvsqlCall *call;
  KvsqlReturning *returning; /* nullable */
  gboolean moves_keys;
  gboolean is_counter; /* the only SET is an increment in the store */
  guint counter;
  gint64 amount;
  KvsqlTupleMap *done; /* with LIMIT: the keys that were changed already; else NULL */
  guint64 n_done;
  KvsqlCurrentTuples target; /* of a key that a tuple is to move to */
  guint n_target_reads;      /* reads of such a key, while it was occupied */
  gboolean is_blocked;       /* such a key is occupied at the moment */
  gboolean is_outdated;      /* another daemon has changed the tuple since it was read */
  gboolean names_keys;       /* the predicate names the keys, so there is no search */
  guint most;                /* tuples of the next chunk */
} Update;

/* The change of one tuple. */
typedef struct
{
  KvsqlChange change;
  const KvsqlValue *found; /* its key, or the columns of FROM, as they were found */
  KvsqlValue *row;         /* of RETURNING; nullable */
} Item;

static const KvsqlRelation *
relation_of (const Update *self)
{
  return self->plan->entry->relation;
}

static guint64
n_wanted (const Update *self)
{
  return self->plan->limit == KVSQL_NO_LIMIT ? G_MAXUINT64 : self->plan->limit - self->n_done;
}

/* ---- the tuple, and what was joined to it */

/* The columns of FROM, with the values of @tuple in place of those that were found. Without FROM
 * they are the tuple. */
static const KvsqlValue *
columns_of (const Update *self, const KvsqlValue *tuple, const KvsqlValue *found, KvsqlArena *arena)
{
  guint n = kvsql_write_plan_count_columns (self->plan);
  KvsqlValue *columns;

  if (self->plan->joined == NULL)
    return tuple;
  columns = kvsql_arena_copy (arena, found, n * sizeof *columns);
  memcpy (columns, tuple, relation_of (self)->n_attributes * sizeof *columns);
  return columns;
}

/* Whether the present tuple is still one that the statement is about. @tuple: (nullable) */
static gboolean
admits (const Update *self, const KvsqlValue *tuple, const KvsqlValue *found, KvsqlArena *arena,
        gboolean *out, GError **error)
{
  const KvsqlWritePlan *plan = self->plan;

  *out = FALSE;
  if (tuple == NULL)
    return TRUE;
  if (plan->joined == NULL)
    return kvsql_predicate_admits (plan->find->predicate, tuple, arena, out, error);
  return !kvsql_joined_write_is_same (plan->joined, found, tuple)
         || kvsql_predicate_admits (plan->joined->recheck, columns_of (self, tuple, found, arena),
                                    arena, out, error);
}

/* ---- changing a tuple */

static gboolean
compute_new (const Update *self, const KvsqlValue *old, const KvsqlValue *found, KvsqlArena *arena,
             KvsqlValue **out, GError **error)
{
  *out = NULL;
  return self->plan->kind == KVSQL_STATEMENT_DELETE
         || kvsql_write_plan_assign (self->plan, columns_of (self, old, found, arena), arena, out,
                                     error);
}

static gboolean
key_exists (const KvsqlRelation *relation, const KvsqlValue *tuple, GError **error)
{
  return kvsql_tuple_fail_duplicate (relation, tuple, KVSQL_SPAN_NONE, error)
         || kvsql_error_hint (error, "UPDATE moves a tuple only to a key that is free.");
}

/* The new key is occupied. If other daemons write, too, one of them may have moved this very tuple
 * after it was read. If it was not changed, both keys were occupied when the new one was read. */
static gboolean
fail_occupied (Update *self, const Item *item, GError **error)
{
  gboolean is_unchanged;

  if (!kvsql_checked_is_unchanged (&self->target.writer, item->change.before, &is_unchanged, error))
    return FALSE;
  self->is_outdated = !is_unchanged;
  return self->is_outdated
         || (kvsql_current_tuples_finish (&self->target, 0, error)
             && key_exists (relation_of (self), item->change.new, error));
}

/* The caller has locked both keys. If other daemons write, too, one of them may be moving this very
 * tuple: then its new key is occupied, and the old one still exists for a moment. So the key is
 * read again. */
static gboolean
check_target (Update *self, Item *item, GError **error)
{
  if (!self->moves_keys || item->change.new == NULL
      || kvsql_tuple_has_same_key (relation_of (self), item->change.old, item->change.new))
    return TRUE;
  if (!kvsql_change_prepare (self->storage, self->plan->entry, item->change.new, self->call, error))
    return FALSE;
  kvsql_current_tuples_clear (&self->target);
  if (!kvsql_current_tuples_read (&self->target, self->storage, self->plan->entry,
                                  &item->change.new, 1, &relation_of (self)->keys, self->call,
                                  error))
    return FALSE;
  item->change.target = kvsql_current_tuples_get_checked (&self->target, 0);
  if (kvsql_current_tuples_get (&self->target, 0, item->change.new) == NULL)
    return TRUE;
  if (item->change.target != NULL)
    return fail_occupied (self, item, error);
  self->is_blocked
      = kvsql_storage_has_others (self->storage) && self->n_target_reads < TARGET_READS;
  return self->is_blocked || key_exists (relation_of (self), item->change.new, error);
}

/* A DELETE with a timestamp deletes nothing of a tuple that is newer in its primary schema. Then
 * the other schemas keep it, too. */
static gboolean
is_all_newer (const Update *self, const KvsqlCurrentTuples *current, const KvsqlValue *old)
{
  return self->plan->kind == KVSQL_STATEMENT_DELETE && self->plan->timestamp != 0
         && kvsql_tuple_map_get_oldest (current->map, old) > self->plan->timestamp;
}

/* A statement that names keys also says something about tuples that it does not change. */
static gboolean
leave_out (const Update *self, const KvsqlCurrentTuples *current, guint index, GError **error)
{
  return !self->names_keys || kvsql_current_tuples_finish (current, index, error);
}

/* Makes the change of one tuple, number @index of @current, if it still satisfies the predicate.
 * Otherwise *out_item is not set. */
static gboolean
make_item (Update *self, const KvsqlCurrentTuples *current, guint index, const KvsqlValue *key,
           KvsqlArena *arena, Item *out_item, gboolean *out_any, GError **error)
{
  const KvsqlValue *old = kvsql_current_tuples_get (current, index, key);
  KvsqlValue *new;
  gboolean is_admitted;

  *out_any = FALSE;
  if (old == NULL || is_all_newer (self, current, old)
      || (self->done != NULL && kvsql_tuple_map_find (self->done, key) != NULL))
    return leave_out (self, current, index, error);
  if (!admits (self, old, key, arena, &is_admitted, error))
    return FALSE;
  if (!is_admitted)
    return leave_out (self, current, index, error);
  if (!compute_new (self, old, key, arena, &new, error))
    return FALSE;
  *out_item = (Item){ .change = { .old = old,
                                  .new = new,
                                  .before = kvsql_current_tuples_get_checked (current, index) },
                      .found = key };
  if (!check_target (self, out_item, error))
    return FALSE;
  *out_any = !self->is_blocked && !self->is_outdated;
  return !*out_any
         || kvsql_returning_compute (self->returning,
                                     columns_of (self, new != NULL ? new : old, key, arena),
                                     &out_item->row, error);
}

static gboolean
remember (Update *self, const KvsqlValue *tuple, GError **error)
{
  return self->done == NULL || tuple == NULL
         || kvsql_tuple_map_obtain (self->done, tuple, error) != NULL;
}

/* ---- with locks held */

/* Those whose tuples another daemon changed first are left in @items. */
static gboolean
write_items (Update *self, Item *items, guint n_items, guint *out_n_lost, GError **error)
{
  g_autofree KvsqlChange *changes = g_new (KvsqlChange, n_items + 1);
  gint64 timestamp = self->plan->timestamp;
  gboolean ok;

  *out_n_lost = 0;
  for (guint i = 0; i < n_items; i++)
    changes[i] = items[i].change;
  /* a DELETE works at its timestamp */
  if (timestamp != 0 && self->plan->kind == KVSQL_STATEMENT_DELETE)
    timestamp++;
  ok = kvsql_changes_apply (self->storage, self->plan->entry, changes, n_items, timestamp,
                            self->call, error);
  for (guint i = 0; i < n_items; i++)
    {
      if (!changes[i].is_applied)
        {
          items[(*out_n_lost)++] = items[i];
          continue;
        }
      self->n_done++;
      kvsql_returning_keep (self->returning, items[i].row);
      ok = ok && remember (self, changes[i].old, error) && remember (self, changes[i].new, error);
    }
  return ok;
}

static gboolean
count_items (Update *self, const Item *items, guint n_items, GError **error)
{
  for (guint i = 0; i < n_items; i++)
    {
      const KvsqlValue *old = items[i].change.old;

      if (!kvsql_value_is_null (&old[self->counter])
          && !kvsql_counter_add (self->storage, self->plan->entry, old, self->counter, self->amount,
                                 self->call, error))
        return FALSE;
      self->n_done++;
      if (!remember (self, old, error))
        return FALSE;
    }
  return TRUE;
}

static gsize
bytes_of (const KvsqlRelation *relation, const KvsqlValue *tuple)
{
  gsize size = 0;

  for (guint a = 0; tuple != NULL && a < relation->n_attributes; a++)
    if (kvsql_type_get_class (tuple[a].type) == KVSQL_CLASS_SLICE)
      size += tuple[a].bytes.size;
  return size;
}

/* Of large tuples fewer are changed at once. */
static void
measure (Update *self, const Item *items, guint n_items)
{
  gsize size = 0;

  for (guint i = 0; i < n_items; i++)
    size += bytes_of (relation_of (self), items[i].change.old)
            + bytes_of (relation_of (self), items[i].change.new);
  if (n_items > 0)
    self->most = (guint)CLAMP (CHANGED_BYTES / (size / n_items + 1), 1, CHUNK_TUPLES);
}

/* Reads, tests and changes the tuples of @keys. The caller has locked them. */
static gboolean
change_locked (Update *self, const KvsqlValue **keys, guint n_keys, KvsqlArena *arena,
               guint *out_n_lost, GError **error)
{
  g_auto (KvsqlCurrentTuples) current = { 0 };
  g_autofree Item *items = g_new (Item, n_keys);
  guint n_items = 0;

  *out_n_lost = 0;
  self->is_outdated = FALSE;
  if (!kvsql_current_tuples_read (&current, self->storage, self->plan->entry, keys, n_keys,
                                  &relation_of (self)->all, self->call, error))
    return FALSE;
  for (guint i = 0; i < n_keys && n_items < n_wanted (self); i++)
    {
      gboolean any;
      if (!make_item (self, &current, i, keys[i], arena, &items[n_items], &any, error))
        return FALSE;
      n_items += any;
    }
  measure (self, items, n_items);
  /* a tuple that moves is alone in its batch */
  if (self->is_blocked || self->is_outdated)
    {
      *out_n_lost = n_keys;
      return TRUE;
    }
  if (self->is_counter)
    return count_items (self, items, n_items, error);
  if (!write_items (self, items, n_items, out_n_lost, error))
    return FALSE;
  /* @current is freed, with the old tuples */
  for (guint i = 0; i < *out_n_lost; i++)
    keys[i] = columns_of (self, kvsql_tuple_dup (relation_of (self), items[i].change.old, arena),
                          items[i].found, arena);
  return TRUE;
}

/* The row of a key that the statement names may lack what is decided already, and what a verified
 * reader has seen. *out: NULL if the predicate does not admit that, either. */
static gboolean
look_at_anchor (const Update *self, const KvsqlValue *key, KvsqlArena *arena,
                const KvsqlValue **out, GError **error)
{
  g_auto (KvsqlCurrentTuples) current = { 0 };
  const KvsqlValue *tuple;
  gboolean is_admitted;

  *out = NULL;
  if (!kvsql_current_tuples_read (&current, self->storage, self->plan->entry, &key, 1,
                                  &relation_of (self)->all, self->call, error))
    return FALSE;
  tuple = kvsql_current_tuples_get (&current, 0, key);
  if (!admits (self, tuple, key, arena, &is_admitted, error))
    return FALSE;
  if (!is_admitted)
    return kvsql_current_tuples_finish (&current, 0, error);
  *out = kvsql_tuple_dup (relation_of (self), tuple, arena);
  return TRUE;
}

/* The locks of the key that a tuple moves to. The present tuple is read without a lock, so the
 * result is a guess. *out_any: FALSE if the tuple does not satisfy the predicate now. */
static gboolean
add_target_lock (Update *self, const KvsqlValue *key, KvsqlArena *arena, KvsqlKeyLocks *locks,
                 gboolean *out_any, GError **error)
{
  g_autoptr (KvsqlTupleMap) current = kvsql_tuple_map_new (relation_of (self), 0);
  KvsqlBuffer bytes = { 0 };
  KvsqlStore *store = kvsql_storage_get_store (self->storage);
  const KvsqlValue *old;
  KvsqlValue *new;

  if (!kvsql_read_primary_by_keys (store, self->plan->entry, &key, 1, &relation_of (self)->all,
                                   self->call, current, error))
    return FALSE;
  old = kvsql_tuple_map_find (current, key);
  if (!admits (self, old, key, arena, out_any, error))
    return FALSE;
  if (!*out_any && self->names_keys
      && kvsql_entry_is_checked (self->plan->entry, &store->capabilities))
    {
      if (!look_at_anchor (self, key, arena, &old, error))
        return FALSE;
      *out_any = old != NULL;
    }
  if (!*out_any)
    return TRUE;
  if (!compute_new (self, old, key, arena, &new, error))
    return FALSE;
  kvsql_tuple_append_key (relation_of (self), new, &bytes);
  kvsql_key_locks_add (locks, kvsql_buffer_slice (&bytes));
  kvsql_buffer_clear (&bytes);
  return TRUE;
}

/* Locks a tuple that moves. Its new key is certain only under its lock, so locking is repeated
 * until the guess was right. A tuple that does not satisfy the predicate is not waited for
 * (*out_any is FALSE, and nothing is locked). Otherwise several clients that empty a queue would
 * wait for each tuple that another one has already moved away. */
static gboolean
lock_moving (Update *self, const KvsqlValue *key, KvsqlArena *arena, KvsqlKeyLocks *out_locks,
             gboolean *out_any, GError **error)
{
  KvsqlKeyLocks locks, again; /* need not be cleared */
  gboolean still;

  G_STATIC_ASSERT (KVSQL_FEW_KEYS >= 2);
  for (;;)
    {
      kvsql_tuple_locks (relation_of (self), &key, 1, &locks);
      if (!add_target_lock (self, key, arena, &locks, out_any, error))
        return FALSE;
      if (!*out_any)
        return TRUE;
      if (!kvsql_storage_lock (self->storage, &locks, self->call, error))
        return FALSE;
      kvsql_tuple_locks (relation_of (self), &key, 1, &again);
      if (!add_target_lock (self, key, arena, &again, &still, error))
        {
          kvsql_storage_unlock (self->storage, &locks);
          return FALSE;
        }
      if (kvsql_key_locks_contain (&locks, &again))
        {
          *out_locks = locks;
          return TRUE;
        }
      kvsql_storage_unlock (self->storage, &locks);
      if (!kvsql_call_check (self->call, error))
        return FALSE;
    }
}

/* Reads without a lock. */
static void
wait_for_target (Update *self)
{
  if (self->is_blocked)
    g_usleep ((gulong)(TARGET_WAIT_MS << self->n_target_reads++) * 1000);
  self->is_blocked = FALSE;
}

static gboolean
change_moving (Update *self, const KvsqlValue **keys, guint n_keys, KvsqlArena *arena,
               GError **error)
{
  self->n_target_reads = 0;
  while (n_keys > 0 && n_wanted (self) > 0)
    {
      KvsqlKeyLocks locks;
      gboolean ok, any;

      if (!kvsql_call_check (self->call, error)
          || !lock_moving (self, keys[0], arena, &locks, &any, error))
        return FALSE;
      if (!any)
        return TRUE;
      ok = change_locked (self, keys, n_keys, arena, &n_keys, error);
      kvsql_storage_unlock (self->storage, &locks);
      if (!ok)
        return FALSE;
      wait_for_target (self);
    }
  return TRUE;
}

/* Tuples that another daemon has changed first are tried again under the same locks, as the
 * statement has waited for its turn already. */
static gboolean
change_chunk (Update *self, const KvsqlValue **keys, guint n_keys, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlKeyLocks locks;
  gboolean ok = TRUE;

  if (self->moves_keys)
    return change_moving (self, keys, n_keys, arena, error);
  if (!kvsql_lock_tuples (self->storage, relation_of (self), keys, n_keys, self->call, &locks,
                          error))
    return FALSE;
  while (ok && n_keys > 0 && n_wanted (self) > 0)
    ok = kvsql_call_check (self->call, error)
         && change_locked (self, keys, n_keys, arena, &n_keys, error);
  kvsql_storage_unlock (self->storage, &locks);
  return ok;
}

/* ---- finding */

/* Not more at once than may be wanted, because other statements wait for locked keys. */
static guint
chunk_size (const Update *self)
{
  return self->moves_keys ? 1 : MIN (self->most, MAX (n_wanted (self), 1));
}

static gboolean
change_all (Update *self, const KvsqlValue **keys, guint n_keys, GError **error)
{
  for (guint i = 0, n; i < n_keys && n_wanted (self) > 0; i += n)
    {
      n = MIN (chunk_size (self), n_keys - i);
      if (!kvsql_call_count_written (self->call, n, error)
          || !change_chunk (self, keys + i, n, error))
        return FALSE;
    }
  return TRUE;
}

/* Whether a changed tuple could appear in the rest of the scan. Then all tuples are found before
 * any is changed. The rows of a join are sorted before the first one is given. */
static gboolean
must_gather (const Update *self)
{
  const KvsqlCatalogEntry *entry = self->plan->entry;

  /* a new KEY is another element, also of the same cell */
  if (self->moves_keys && self->plan->joined == NULL && kvsql_entry_shares_cells (entry))
    return TRUE;
  for (guint i = 0; self->plan->joined == NULL && i < self->plan->n_sets; i++)
    for (guint s = 0; s < entry->n_schemas; s++)
      if (kvsql_attribute_set_has (&entry->schemas[s]->cell_key_attributes,
                                   self->plan->sets[i].attribute))
        return TRUE;
  return FALSE;
}

static gboolean
check_gathered (const Update *self, const KvsqlArena *arena, GError **error)
{
  if (kvsql_arena_get_size (arena) <= self->limits->sort_bytes)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                   "the keys of the tuples to be moved need more than %" G_GSIZE_FORMAT " MiB",
                   self->limits->sort_bytes >> 20);
  return kvsql_error_hint (error, "Narrow the predicate, or use LIMIT and repeat the statement.");
}

/* The tuple, or the columns of FROM. */
static const KvsqlValue *
tuple_of_page (const KvsqlWritePlan *plan, const KvsqlBatch *page, guint row, KvsqlArena *arena)
{
  const KvsqlSelectPlan *find = plan->find;
  KvsqlValue *tuple = kvsql_arena_array (arena, KvsqlValue, kvsql_write_plan_count_columns (plan));

  for (guint i = 0; i < find->n_items; i++)
    {
      KvsqlValue value = kvsql_vector_get (&page->columns[i], row);
      tuple[find->items[i]] = kvsql_value_dup (&value, arena);
    }
  return tuple;
}

/* One search, for up to find->limit tuples. */
static gboolean
find_and_change (Update *self, guint64 *out_n_found, GError **error)
{
  const KvsqlSelectPlan *find = self->plan->find;
  g_autoptr (KvsqlSelectRun) run
      = kvsql_select_run_new (find, kvsql_storage_get_store (self->storage), self->limits, NULL);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GPtrArray) keys = g_ptr_array_new ();
  gboolean has_more = TRUE, gathers = must_gather (self);

  *out_n_found = 0;
  while (has_more && n_wanted (self) > 0)
    {
      g_autoptr (KvsqlArena) page_arena = kvsql_arena_new ();
      g_autoptr (KvsqlBatch) page = NULL;

      if (!kvsql_select_run_page (run, CHUNK_TUPLES, CHUNK_BYTES, self->call, page_arena, &page,
                                  &has_more, error))
        return FALSE;
      *out_n_found += page->n_rows;
      for (guint row = 0; row < page->n_rows; row++)
        g_ptr_array_add (keys, (gpointer)tuple_of_page (self->plan, page, row, arena));
      if (gathers && has_more)
        {
          if (!check_gathered (self, arena, error))
            return FALSE;
          continue;
        }
      if (!change_all (self, (const KvsqlValue **)keys->pdata, keys->len, error))
        return FALSE;
      g_ptr_array_set_size (keys, 0);
      kvsql_arena_reset (arena);
    }
  return TRUE;
}

/* Uses the keys that the predicate names, without a search. */
static gboolean
change_named (Update *self, gboolean *out_any, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  gboolean has_order = self->plan->limit != KVSQL_NO_LIMIT && self->plan->find->n_sort > 0;
  const KvsqlValue **keys = NULL;
  guint n_keys;

  if (!has_order && self->plan->joined == NULL)
    keys = kvsql_named_keys (self->plan->find, TRUE, arena, &n_keys);
  *out_any = self->names_keys = keys != NULL;
  return keys == NULL || change_all (self, keys, n_keys, error);
}

static guint64
n_candidates (const Update *self, guint attempt)
{
  guint64 n = self->n_done + 2 * MIN (n_wanted (self), G_MAXUINT32) + SPARE_TUPLES;

  return self->plan->limit == KVSQL_NO_LIMIT ? KVSQL_NO_LIMIT : n << MIN (attempt, 24);
}

static gboolean
change_found (Update *self, GError **error)
{
  gboolean is_done;

  if (!change_named (self, &is_done, error))
    return FALSE;
  if (is_done)
    return TRUE;
  for (guint attempt = 0; n_wanted (self) > 0; attempt++)
    {
      guint64 n_found;

      self->plan->find->limit = n_candidates (self, attempt);
      if (!find_and_change (self, &n_found, error))
        return FALSE;
      if (n_found < self->plan->find->limit)
        break;
    }
  return TRUE;
}

gboolean
kvsql_update_is_counter (const KvsqlWritePlan *plan, const KvsqlStoreCapabilities *capabilities,
                         guint *out_attribute, gint64 *out_amount)
{
  KvsqlAttributeSet used = { 0 };

  if (plan->kind != KVSQL_STATEMENT_UPDATE || plan->joined != NULL
      || kvsql_entry_is_checked (plan->entry, capabilities))
    return FALSE;
  /* an increment is correct whatever else was changed in the meantime */
  kvsql_predicate_collect (plan->find->predicate, &used);
  return kvsql_attribute_set_contains (&plan->entry->relation->keys, &used)
         && kvsql_write_plan_is_counter (plan, out_attribute, out_amount)
         && kvsql_entry_has_counter (plan->entry, *out_attribute, capabilities);
}

gboolean
kvsql_update_run (KvsqlStorage *storage, KvsqlWritePlan *plan, const KvsqlSelectLimits *limits,
                  const KvsqlCall *call, KvsqlReturning *returning, guint64 *out_n, GError **error)
{
  Update self = { .storage = storage,
                  .plan = plan,
                  .limits = limits,
                  .call = call,
                  .returning = returning,
                  .most = FIRST_TUPLES,
                  .moves_keys = kvsql_write_plan_moves_keys (plan) };
  const KvsqlStore *store = kvsql_storage_get_store (storage);
  gboolean ok;

  self.is_counter
      = kvsql_update_is_counter (plan, &store->capabilities, &self.counter, &self.amount);
  if (plan->limit != KVSQL_NO_LIMIT)
    self.done = kvsql_tuple_map_new (plan->entry->relation, limits->sort_bytes);
  ok = kvsql_entry_check_timestamp (plan->entry, storage, plan->timestamp, error)
       && change_found (&self, error);
  kvsql_current_tuples_clear (&self.target);
  kvsql_tuple_map_free (self.done);
  if (!ok && self.n_done > 0 && !kvsql_storage_is_dry (storage))
    kvsql_error_detail (error, "%" G_GUINT64_FORMAT " tuple%s had been %s before.", self.n_done,
                        self.n_done == 1 ? "" : "s",
                        plan->kind == KVSQL_STATEMENT_DELETE ? "deleted" : "updated");
  *out_n = self.n_done;
  return ok;
}
