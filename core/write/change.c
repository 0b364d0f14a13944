/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * change.c: writes changes of tuples as one batch, or each by a compare-and-set.
 */
#include "config.h"

#include "core/write/change.h"

#include "core/write/apply.h"
#include "core/write/checked-changes.h"
#include "core/write/current-tuples.h"
#include "core/write/each-write.h"
#include "core/write/mutations.h"

static gboolean
add_change (KvsqlMutationList *list, const KvsqlSchema *schema, const KvsqlChange *change,
            gint64 timestamp, GError **error)
{
  if (change->new == NULL)
    return kvsql_mutation_list_add_deletes (list, schema, change->old, timestamp - 1, error);
  if (change->old == NULL)
    return kvsql_mutation_list_add_puts (list, schema, change->new, timestamp, error);
  return kvsql_mutation_list_add_difference (list, schema, change->old, change->new, timestamp,
                                             error);
}

static gboolean
apply_batch (KvsqlStorage *storage, const KvsqlCatalogEntry *entry, KvsqlChange *changes,
             guint n_changes, gint64 timestamp, const KvsqlCall *call, GError **error)
{
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();

  for (guint i = 0; i < n_changes; i++)
    for (guint s = 0; s < entry->n_schemas; s++)
      if (!add_change (list, entry->schemas[s], &changes[i], timestamp, error))
        return FALSE;
  if (!kvsql_mutation_list_apply (list, storage, call, error))
    return FALSE;
  for (guint i = 0; i < n_changes; i++)
    changes[i].is_applied = TRUE;
  return TRUE;
}

/* The keys of the changes, locked by the caller. */
static void
add_keys (const KvsqlRelation *relation, const KvsqlChange *changes, guint n_changes,
          KvsqlKeyLocks *locks)
{
  for (guint i = 0; i < n_changes; i++)
    {
      if (changes[i].old != NULL)
        kvsql_key_locks_add_tuples (locks, relation, &changes[i].old, 1);
      if (changes[i].new != NULL)
        kvsql_key_locks_add_tuples (locks, relation, &changes[i].new, 1);
    }
}

/* The clock's timestamp, for changes that are written as one. */
static gint64
next_timestamp (KvsqlStorage *storage, const KvsqlRelation *relation, const KvsqlChange *changes,
                guint n_changes, gint64 newest, GError **error)
{
  g_auto (KvsqlKeyLocks) locks = { 0 };

  add_keys (relation, changes, n_changes, &locks);
  return kvsql_storage_next_timestamp_after (storage, &locks, TRUE, newest, error);
}

static gint64
early_timestamp (KvsqlStorage *storage, const KvsqlRelation *relation, const KvsqlChange *change,
                 gint64 newest, GError **error)
{
  g_auto (KvsqlKeyLocks) locks = { 0 };

  add_keys (relation, change, 1, &locks);
  return kvsql_storage_early_timestamp (storage, &locks, newest, error);
}

/* ---- compare and set */

typedef struct
{
  KvsqlStorage *storage;
  const KvsqlCatalogEntry *entry;
  const KvsqlCall *call;
  gint64 timestamp;  /* 0: the clock's */
  gboolean is_early; /* the timestamp of the first write lies in the future */
  KvsqlArena *arena;
  const KvsqlChange *change;
  KvsqlMutationList *before; /* the cells of the old tuple in the primary schema, as puts */
  KvsqlMutationList *after;  /* the changes of these cells */
} CompareAndSet;

static const KvsqlMutation *
nth (const KvsqlMutationList *list, guint i)
{
  return &g_array_index (list->mutations, KvsqlMutation, i);
}

static gboolean
is_in_row (const KvsqlMutation *mutation, const KvsqlMutation *other)
{
  return kvsql_slice_equal (mutation->row, other->row)
         && kvsql_slice_equal (mutation->table, other->table);
}

/* Whether all cells lie in one row. */
static gboolean
is_one_row (const KvsqlMutationList *list)
{
  for (guint i = 1; i < list->mutations->len; i++)
    if (!is_in_row (nth (list, i), nth (list, 0)))
      return FALSE;
  return TRUE;
}

/* Chooses a cell of @list whose state the store can check: one that exists, if there is one. FALSE:
 * the list is empty. */
static gboolean
choose_check (const KvsqlMutationList *list, KvsqlMutationList *before, KvsqlCheck *out)
{
  gboolean is_found = FALSE;

  for (guint i = 0; i < list->mutations->len; i++)
    {
      const KvsqlMutation *mutation = nth (list, i);
      const KvsqlMutation *old = kvsql_mutation_list_find_put (before, mutation);

      /* not every store distinguishes an empty cell from a missing one */
      if (old != NULL && old->value.size == 0)
        continue;
      if (old == NULL && (is_found || mutation->value.size == 0))
        continue;
      *out = (KvsqlCheck){ .kind = old != NULL ? KVSQL_CHECK_EQUAL : KVSQL_CHECK_ABSENT,
                           .table = mutation->table,
                           .row = mutation->row,
                           .family = mutation->family,
                           .qualifier = mutation->qualifier };
      if (old != NULL)
        {
          out->value = old->value;
          return TRUE;
        }
      is_found = TRUE;
    }
  return is_found;
}

static gboolean
read_row (CompareAndSet *self, const KvsqlMutation *row, KvsqlRows *out_rows, GError **error)
{
  return kvsql_store_multi_get (kvsql_storage_get_store (self->storage), row->table, &row->row, 1,
                                NULL, 0, self->call, self->arena, out_rows, error);
}

/* The newest timestamp of the row's cells; 0: it has none. */
static gboolean
find_newest (CompareAndSet *self, const KvsqlMutation *row, gint64 *out, GError **error)
{
  KvsqlRows rows;

  *out = 0;
  if (!read_row (self, row, &rows, error))
    return FALSE;
  for (guint i = 0; i < rows.n_cells; i++)
    *out = MAX (*out, rows.cells[i].timestamp);
  return TRUE;
}

/* A timestamp after those of the row's cells, because other daemons have clocks of their own. */
static gboolean
choose_timestamp (CompareAndSet *self, const KvsqlChange *change, const KvsqlMutation *row,
                  gint64 *out, GError **error)
{
  gint64 newest;

  *out = self->timestamp;
  if (*out != 0)
    return TRUE;
  if (!find_newest (self, row, &newest, error))
    return FALSE;
  *out = self->is_early
             ? early_timestamp (self->storage, self->entry->relation, change, newest, error)
             : next_timestamp (self->storage, self->entry->relation, change, 1, newest, error);
  return *out != 0;
}

static gboolean
make_after (CompareAndSet *self, const KvsqlChange *change, gint64 timestamp, GError **error)
{
  g_clear_pointer (&self->after, kvsql_mutation_list_free);
  self->after = kvsql_mutation_list_new ();
  return add_change (self->after, self->entry->schemas[0], change, timestamp, error);
}

/* Whether the store compares with the absence of a cell, and @list deletes nothing. If another
 * daemon puts and deletes that cell in the meantime, its delete must not hide what is put here. */
static gboolean
is_insertion (const KvsqlMutationList *list, KvsqlMutationList *before)
{
  KvsqlCheck check;

  for (guint i = 0; i < list->mutations->len; i++)
    if (nth (list, i)->kind != KVSQL_MUTATION_PUT)
      return FALSE;
  return choose_check (list, before, &check) && check.kind == KVSQL_CHECK_ABSENT;
}

/* A row may also hold cells of other tuples, with the same timestamp. */
static gboolean
is_written (const KvsqlMutationList *list, const KvsqlRows *rows, gint64 timestamp)
{
  for (guint i = 0; i < rows->n_cells; i++)
    {
      const KvsqlCell *cell = &rows->cells[i];

      for (guint m = 0; cell->timestamp == timestamp && m < list->mutations->len; m++)
        if (kvsql_slice_equal (cell->family, nth (list, m)->family)
            && kvsql_slice_equal (cell->qualifier, nth (list, m)->qualifier))
          return TRUE;
    }
  return FALSE;
}

static gboolean
fail_unverified (const gchar *reason, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_OUTCOME, KVSQL_SPAN_NONE,
                   "the write may or may not have been done: %s", reason);
  return kvsql_error_hint (error, "Read the data before you repeat the statement.");
}

/* After an insertion that was not early: if its cells are there, no delete has hidden them. If they
 * are not, another daemon has either hidden or replaced them. Only in the latter case it also wrote
 * the other schemas. */
static gboolean
verify_insertion (CompareAndSet *self, const KvsqlMutationList *list, gint64 timestamp,
                  GError **error)
{
  g_autoptr (GError) failure = NULL;
  KvsqlRows rows;

  if (kvsql_storage_was_early (self->storage, timestamp))
    return TRUE;
  if (!read_row (self, nth (list, 0), &rows, &failure))
    return fail_unverified (failure->message, error);
  return is_written (list, &rows, timestamp)
         || fail_unverified ("another daemon has written the same tuple in the meantime", error);
}

/* Sets the check to what the cell has, if readers take that for what was expected. Cells of other
 * programs are not always as they would be written here. */
static gboolean
find_other_form (CompareAndSet *self, KvsqlCheck *check, gboolean *out_any, GError **error)
{
  KvsqlMutation cell = {
    .table = check->table, .row = check->row, .family = check->family, .qualifier = check->qualifier
  };
  KvsqlRows rows;

  *out_any = FALSE;
  if (!read_row (self, &cell, &rows, error))
    return FALSE;
  for (guint i = 0; i < rows.n_cells && !*out_any; i++)
    {
      cell.value = rows.cells[i].value;
      *out_any = kvsql_slice_equal (rows.cells[i].family, cell.family)
                 && kvsql_slice_equal (rows.cells[i].qualifier, cell.qualifier)
                 && cell.value.size > 0
                 && kvsql_mutation_list_is_expected (self->before, self->entry->schemas[0], &cell,
                                                     self->change->old, self->change->new);
    }
  if (*out_any)
    {
      check->kind = KVSQL_CHECK_EQUAL;
      check->value = cell.value;
    }
  return TRUE;
}

/* Applies a list of one row, if that row is still as in @before. */
static gboolean
apply_checked (CompareAndSet *self, KvsqlMutationList *list, KvsqlMutationList *before,
               gint64 timestamp, gboolean *out_applied, GError **error)
{
  KvsqlStore *store = kvsql_storage_get_store (self->storage);
  g_auto (KvsqlMutationRows) rows = { 0 };
  gboolean has_other_form;
  KvsqlCheck check;

  if (!choose_check (list, before, &check))
    {
      *out_applied = TRUE;
      return kvsql_mutation_list_apply (list, self->storage, self->call, error);
    }
  /* a timestamp that the statement names is not unique, so it cannot mark this write */
  check.mark = self->timestamp == 0 ? timestamp : 0;
  kvsql_mutation_rows_init (&rows, nth (list, 0), list->mutations->len);
  g_assert (rows.n_rows == 1);
  if (!kvsql_mutation_list_ensure_tables (list, self->storage, self->call, error)
      || !kvsql_store_check_and_apply (store, &check, rows.cells, rows.rows[0].n_cells, self->call,
                                       out_applied, error))
    return FALSE;
  if (!*out_applied
      && (!find_other_form (self, &check, &has_other_form, error)
          || (has_other_form
              && !kvsql_store_check_and_apply (store, &check, rows.cells, rows.rows[0].n_cells,
                                               self->call, out_applied, error))))
    return FALSE;
  return !self->is_early || !*out_applied || check.kind != KVSQL_CHECK_ABSENT
         || verify_insertion (self, list, timestamp, error);
}

/* Deletes what was put. */
static gboolean
undo_puts (CompareAndSet *self, KvsqlMutationList *puts, gint64 timestamp, GError **error)
{
  for (guint i = 0; i < puts->mutations->len; i++)
    {
      KvsqlMutation *mutation = &g_array_index (puts->mutations, KvsqlMutation, i);
      mutation->kind = KVSQL_MUTATION_DELETE;
      mutation->timestamp = timestamp;
    }
  return kvsql_mutation_list_apply (puts, self->storage, self->call, error);
}

/* Writes the primary schema of a tuple that moves to another row. First puts the tuple into the new
 * row, if no other daemon did that. Then deletes the old row, if it is unchanged. So a tuple is
 * never lost in between. */
static gboolean
compare_and_set_rows (CompareAndSet *self, KvsqlChange *change, gint64 timestamp, GError **error)
{
  g_autoptr (KvsqlMutationList) puts = kvsql_mutation_list_new ();
  g_autoptr (KvsqlMutationList) nothing = kvsql_mutation_list_new ();
  KvsqlChange removal = { .old = change->old };

  if (!kvsql_mutation_list_add_puts (puts, self->entry->schemas[0], change->new, timestamp, error)
      || !apply_checked (self, puts, nothing, timestamp, &change->is_applied, error))
    return FALSE;
  if (!change->is_applied)
    return TRUE;
  if (self->is_early)
    kvsql_storage_await (self->storage, timestamp);
  if (!make_after (self, &removal, timestamp, error)
      || !apply_checked (self, self->after, self->before, timestamp, &change->is_applied, error))
    return FALSE;
  return change->is_applied || undo_puts (self, puts, timestamp, error);
}

static gboolean
apply_others (CompareAndSet *self, const KvsqlChange *change, gint64 timestamp, GError **error)
{
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();

  for (guint s = 1; s < self->entry->n_schemas; s++)
    if (!add_change (list, self->entry->schemas[s], change, timestamp, error))
      return FALSE;
  return kvsql_mutation_list_apply (list, self->storage, self->call, error);
}

/* Writes the other schemas of a tuple whose cells in the primary schema do not change. Other
 * schemas may not be filled yet. What is written there gets the timestamp of the primary's cells,
 * because a backfill puts the tuple there with that timestamp, and newer cells would hide it. */
static gboolean
apply_unchanged (CompareAndSet *self, const KvsqlChange *change, GError **error)
{
  gint64 timestamp = self->timestamp;

  if (timestamp == 0 && !kvsql_entry_is_filled (self->entry) && self->before->mutations->len > 0
      && !find_newest (self, nth (self->before, 0), &timestamp, error))
    return FALSE;
  if (timestamp == 0)
    timestamp = next_timestamp (self->storage, self->entry->relation, change, 1, 0, error);
  return timestamp != 0 && apply_others (self, change, timestamp, error);
}

/* Whether the first write of the primary schema is an insertion, and other daemons may write. */
static gboolean
may_be_early (CompareAndSet *self)
{
  return self->timestamp == 0 && self->entry->schemas[0]->is_row_local
         && kvsql_storage_has_others (self->storage)
         && (!is_one_row (self->after) || is_insertion (self->after, self->before));
}

static gboolean
compare_and_set (CompareAndSet *self, KvsqlChange *change, GError **error)
{
  gint64 timestamp;
  gboolean ok;

  if (change->old != NULL
      && !kvsql_mutation_list_add_old (self->before, self->entry->schemas[0], change->old, error))
    return FALSE;
  if (change->new != NULL
      && !kvsql_change_prepare (self->storage, self->entry, change->new, self->call, error))
    return FALSE;
  if (!make_after (self, change, 2, error))
    return FALSE;
  if (self->after->mutations->len == 0)
    {
      change->is_applied = TRUE;
      return apply_unchanged (self, change, error);
    }
  self->is_early = may_be_early (self);
  if (!choose_timestamp (self, change,
                         nth (self->before->mutations->len > 0 ? self->before : self->after, 0),
                         &timestamp, error)
      || !make_after (self, change, timestamp, error))
    return FALSE;
  if (change->new != NULL && !kvsql_entry_is_filled (self->entry))
    kvsql_mutation_list_touch (self->after, self->entry->schemas[0], self->before, timestamp);
  if (!self->entry->schemas[0]->is_row_local)
    {
      change->is_applied = TRUE;
      ok = kvsql_mutation_list_apply (self->after, self->storage, self->call, error);
    }
  else if (is_one_row (self->after))
    ok = apply_checked (self, self->after, self->before, timestamp, &change->is_applied, error);
  else
    ok = compare_and_set_rows (self, change, timestamp, error);
  ok = ok && (!change->is_applied || apply_others (self, change, timestamp, error));
  if (self->is_early && (change->is_applied || !ok))
    kvsql_storage_await (self->storage, timestamp);
  return ok;
}

gboolean
kvsql_change_prepare (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                      const KvsqlValue *new_tuple, const KvsqlCall *call, GError **error)
{
  const KvsqlStore *store = kvsql_storage_get_store (storage);
  g_autoptr (KvsqlMutationList) list = NULL;

  if ((store->capabilities.flags & KVSQL_STORE_ATOMIC_BATCH) != 0
      && !kvsql_entry_shares_cells (entry))
    return TRUE;
  list = kvsql_mutation_list_new ();
  for (guint s = 0; s < entry->n_schemas; s++)
    if (!kvsql_mutation_list_add_puts (list, entry->schemas[s], new_tuple, 2, error))
      return FALSE;
  return kvsql_mutation_list_ensure_tables (list, storage, call, error);
}

static gboolean
apply_one_by_one (KvsqlStorage *storage, const KvsqlCatalogEntry *entry, KvsqlChange *changes,
                  guint n_changes, gint64 timestamp, const KvsqlCall *call, GError **error)
{
  for (guint i = 0; i < n_changes; i++)
    {
      CompareAndSet self
          = { .storage = storage, .entry = entry, .call = call, .timestamp = timestamp };
      gboolean ok;

      self.arena = kvsql_arena_new ();
      self.change = &changes[i];
      self.before = kvsql_mutation_list_new ();
      changes[i].is_applied = FALSE;
      ok = compare_and_set (&self, &changes[i], error);
      kvsql_mutation_list_free (self.before);
      kvsql_mutation_list_free (self.after);
      kvsql_arena_free (self.arena);
      if (!ok)
        {
          changes[i].is_applied = FALSE;
          return FALSE;
        }
    }
  return TRUE;
}

gboolean
kvsql_changes_apply (KvsqlStorage *storage, const KvsqlCatalogEntry *entry, KvsqlChange *changes,
                     guint n_changes, gint64 timestamp, const KvsqlCall *call, GError **error)
{
  const KvsqlStore *store = kvsql_storage_get_store (storage);

  if (n_changes == 0)
    return TRUE;
  if (kvsql_entry_shares_cells (entry))
    return kvsql_each_changes_apply (storage, entry, changes, n_changes, call, error);
  if (kvsql_entry_is_checked (entry, &store->capabilities))
    return kvsql_checked_changes_apply (storage, entry, changes, n_changes, call, error);
  if ((store->capabilities.flags & KVSQL_STORE_ATOMIC_BATCH) == 0)
    return apply_one_by_one (storage, entry, changes, n_changes, timestamp, call, error);
  if (timestamp == 0)
    timestamp = next_timestamp (storage, entry->relation, changes, n_changes, 0, error);
  return timestamp != 0 && apply_batch (storage, entry, changes, n_changes, timestamp, call, error);
}
