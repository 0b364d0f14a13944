/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * change.c: changes of tuples as one batch, or as a compare-and-set each.
 */
#include "config.h"

#include "core/exec/change.h"
#include "core/exec/insert.h"

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
apply_batch (KvsqlEngine *engine, const KvsqlCatalogEntry *entry, KvsqlChange *changes,
             guint n_changes, gint64 timestamp, const KvsqlCall *call, KvsqlCalls *calls,
             GError **error)
{
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();

  for (guint i = 0; i < n_changes; i++)
    for (guint s = 0; s < entry->n_schemas; s++)
      if (!add_change (list, entry->schemas[s], &changes[i], timestamp, error))
        return FALSE;
  if (calls != NULL)
    kvsql_mutation_list_explain (list, calls);
  else if (!kvsql_mutation_list_apply (list, engine, call, error))
    return FALSE;
  for (guint i = 0; i < n_changes; i++)
    changes[i].is_applied = TRUE;
  return TRUE;
}

/* The clock's, for changes that are written as one. */
static gint64
next_timestamp (KvsqlEngine *engine, const KvsqlRelation *relation, const KvsqlChange *changes,
                guint n_changes, gint64 newest)
{
  g_auto (KvsqlKeyLocks) locks = { 0 };

  for (guint i = 0; i < n_changes; i++)
    {
      if (changes[i].old != NULL)
        kvsql_key_locks_add_tuples (&locks, relation, &changes[i].old, 1);
      if (changes[i].new != NULL)
        kvsql_key_locks_add_tuples (&locks, relation, &changes[i].new, 1);
    }
  return kvsql_engine_next_timestamp_after (engine, &locks, TRUE, newest);
}

/* ---- compare and set */

typedef struct
{
  KvsqlEngine *engine;
  const KvsqlCatalogEntry *entry;
  const KvsqlCall *call;
  gint64 timestamp; /* 0: the clock's */
  KvsqlArena *arena;
  KvsqlMutationList *before; /* the cells of the old tuple in the primary schema, as puts */
  KvsqlMutationList *after;  /* what changes there */
} Exchange;

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

/* Whether all of it lies in one row. */
static gboolean
is_one_row (const KvsqlMutationList *list)
{
  for (guint i = 1; i < list->mutations->len; i++)
    if (!is_in_row (nth (list, i), nth (list, 0)))
      return FALSE;
  return TRUE;
}

/* A cell that @list touches and whose state can be asked for: one that exists, if there is one.
 * FALSE: there is none at all. */
static gboolean
choose_check (const KvsqlMutationList *list, KvsqlMutationList *before, KvsqlCheck *out)
{
  gboolean is_found = FALSE;

  for (guint i = 0; i < list->mutations->len; i++)
    {
      const KvsqlMutation *mutation = nth (list, i);
      const KvsqlMutation *old = kvsql_mutation_list_find_put (before, mutation);

      /* an empty cell cannot be told from none everywhere */
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

/* The newest timestamp of the row's cells; 0: it has none. */
static gboolean
find_newest (Exchange *self, const KvsqlMutation *row, gint64 *out, GError **error)
{
  KvsqlStore *store = kvsql_engine_get_store (self->engine);
  KvsqlRows rows;

  *out = 0;
  if (!kvsql_store_multi_get (store, row->table, &row->row, 1, NULL, 0, self->call, self->arena,
                              &rows, error))
    return FALSE;
  for (guint i = 0; i < rows.n_cells; i++)
    *out = MAX (*out, rows.cells[i].timestamp);
  return TRUE;
}

/* A timestamp above those of the row's cells: other daemons have clocks of their own. */
static gboolean
choose_timestamp (Exchange *self, const KvsqlChange *change, const KvsqlMutation *row, gint64 *out,
                  GError **error)
{
  gint64 newest;

  *out = self->timestamp;
  if (*out != 0)
    return TRUE;
  if (!find_newest (self, row, &newest, error))
    return FALSE;
  *out = next_timestamp (self->engine, self->entry->relation, change, 1, newest);
  return TRUE;
}

static gboolean
make_after (Exchange *self, const KvsqlChange *change, gint64 timestamp, GError **error)
{
  g_clear_pointer (&self->after, kvsql_mutation_list_free);
  self->after = kvsql_mutation_list_new ();
  return add_change (self->after, self->entry->schemas[0], change, timestamp, error);
}

/* A list of one row, if that is still as @before says. */
static gboolean
apply_checked (Exchange *self, KvsqlMutationList *list, KvsqlMutationList *before,
               gboolean *out_applied, GError **error)
{
  KvsqlStore *store = kvsql_engine_get_store (self->engine);
  KvsqlCheck check;

  if (!choose_check (list, before, &check))
    {
      *out_applied = TRUE;
      return kvsql_mutation_list_apply (list, self->engine, self->call, error);
    }
  return kvsql_mutation_list_ensure_tables (list, self->engine, self->call, error)
         && kvsql_store_check_and_apply (store, &check, nth (list, 0), list->mutations->len,
                                         self->call, out_applied, error);
}

/* What was put is taken back. */
static gboolean
take_back (Exchange *self, KvsqlMutationList *puts, gint64 timestamp, GError **error)
{
  for (guint i = 0; i < puts->mutations->len; i++)
    {
      KvsqlMutation *mutation = &g_array_index (puts->mutations, KvsqlMutation, i);
      mutation->kind = KVSQL_MUTATION_DELETE;
      mutation->timestamp = timestamp;
    }
  return kvsql_mutation_list_apply (puts, self->engine, self->call, error);
}

/* The primary schema of a tuple that moves to another row: first it is put there, if nobody else
 * did that, then the old one goes, if it is still as it was. A tuple is never lost in between. */
static gboolean
exchange_rows (Exchange *self, KvsqlChange *change, gint64 timestamp, GError **error)
{
  g_autoptr (KvsqlMutationList) puts = kvsql_mutation_list_new ();
  g_autoptr (KvsqlMutationList) nothing = kvsql_mutation_list_new ();
  KvsqlChange removal = { .old = change->old };

  if (!kvsql_mutation_list_add_puts (puts, self->entry->schemas[0], change->new, timestamp, error)
      || !apply_checked (self, puts, nothing, &change->is_applied, error))
    return FALSE;
  if (!change->is_applied)
    return TRUE;
  if (!make_after (self, &removal, timestamp, error)
      || !apply_checked (self, self->after, self->before, &change->is_applied, error))
    return FALSE;
  return change->is_applied || take_back (self, puts, timestamp, error);
}

static gboolean
apply_others (Exchange *self, const KvsqlChange *change, gint64 timestamp, GError **error)
{
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();

  for (guint s = 1; s < self->entry->n_schemas; s++)
    if (!add_change (list, self->entry->schemas[s], change, timestamp, error))
      return FALSE;
  return kvsql_mutation_list_apply (list, self->engine, self->call, error);
}

static gboolean
are_filled (const KvsqlCatalogEntry *entry)
{
  for (guint s = 1; s < entry->n_schemas; s++)
    if (!kvsql_schema_is_filled (entry->schemas[s]))
      return FALSE;
  return TRUE;
}

/* The primary schema stays as it is. Others may not be filled yet; what is written there is as old
 * as the primary's cells, since a backfill puts the tuple there with their timestamp and must not
 * be hidden by what is newer. */
static gboolean
apply_unchanged (Exchange *self, const KvsqlChange *change, GError **error)
{
  gint64 timestamp = self->timestamp;

  if (timestamp == 0 && !are_filled (self->entry) && self->before->mutations->len > 0
      && !find_newest (self, nth (self->before, 0), &timestamp, error))
    return FALSE;
  if (timestamp == 0)
    timestamp = next_timestamp (self->engine, self->entry->relation, change, 1, 0);
  return apply_others (self, change, timestamp, error);
}

static gboolean
exchange (Exchange *self, KvsqlChange *change, GError **error)
{
  gint64 timestamp;
  gboolean ok;

  if (change->old != NULL
      && !kvsql_mutation_list_add_old (self->before, self->entry->schemas[0], change->old, error))
    return FALSE;
  if (change->new != NULL
      && !kvsql_change_prepare (self->engine, self->entry, change->new, self->call, error))
    return FALSE;
  if (!make_after (self, change, 2, error))
    return FALSE;
  if (self->after->mutations->len == 0)
    {
      change->is_applied = TRUE;
      return apply_unchanged (self, change, error);
    }
  if (!choose_timestamp (self, change,
                         nth (self->before->mutations->len > 0 ? self->before : self->after, 0),
                         &timestamp, error)
      || !make_after (self, change, timestamp, error))
    return FALSE;
  if (change->new != NULL && !are_filled (self->entry))
    kvsql_mutation_list_touch (self->after, self->entry->schemas[0], self->before, timestamp);
  if (!self->entry->schemas[0]->is_row_local)
    {
      change->is_applied = TRUE;
      ok = kvsql_mutation_list_apply (self->after, self->engine, self->call, error);
    }
  else if (is_one_row (self->after))
    ok = apply_checked (self, self->after, self->before, &change->is_applied, error);
  else
    ok = exchange_rows (self, change, timestamp, error);
  return ok && (!change->is_applied || apply_others (self, change, timestamp, error));
}

gboolean
kvsql_change_prepare (KvsqlEngine *engine, const KvsqlCatalogEntry *entry,
                      const KvsqlValue *new_tuple, const KvsqlCall *call, GError **error)
{
  const KvsqlStore *store = kvsql_engine_get_store (engine);
  g_autoptr (KvsqlMutationList) list = NULL;

  if ((store->capabilities.flags & KVSQL_STORE_ATOMIC_BATCH) != 0)
    return TRUE;
  list = kvsql_mutation_list_new ();
  for (guint s = 0; s < entry->n_schemas; s++)
    if (!kvsql_mutation_list_add_puts (list, entry->schemas[s], new_tuple, 2, error))
      return FALSE;
  return kvsql_mutation_list_ensure_tables (list, engine, call, error);
}

static gboolean
apply_one_by_one (KvsqlEngine *engine, const KvsqlCatalogEntry *entry, KvsqlChange *changes,
                  guint n_changes, gint64 timestamp, const KvsqlCall *call, GError **error)
{
  for (guint i = 0; i < n_changes; i++)
    {
      Exchange self = { .engine = engine, .entry = entry, .call = call, .timestamp = timestamp };
      gboolean ok;

      self.arena = kvsql_arena_new ();
      self.before = kvsql_mutation_list_new ();
      changes[i].is_applied = FALSE;
      ok = exchange (&self, &changes[i], error);
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
kvsql_changes_apply (KvsqlEngine *engine, const KvsqlCatalogEntry *entry, KvsqlChange *changes,
                     guint n_changes, gint64 timestamp, const KvsqlCall *call, KvsqlCalls *calls,
                     GError **error)
{
  const KvsqlStore *store = kvsql_engine_get_store (engine);

  if (n_changes == 0)
    return TRUE;
  if (calls == NULL && (store->capabilities.flags & KVSQL_STORE_ATOMIC_BATCH) == 0)
    return apply_one_by_one (engine, entry, changes, n_changes, timestamp, call, error);
  if (timestamp == 0)
    timestamp = next_timestamp (engine, entry->relation, changes, n_changes, 0);
  return apply_batch (engine, entry, changes, n_changes, timestamp, call, calls, error);
}
