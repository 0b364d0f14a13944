/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * insert.c: see insert.h.
 */
#include "config.h"

#include "core/engine/insert.h"

#include "core/engine/write-mode.h"
#include "core/exec/spool.h"
#include "core/plan/bind-insert.h"
#include "core/plan/find-relation.h"
#include "core/plan/select-plan.h"
#include "core/write/insert.h"
#include "core/write/upsert.h"

#define SELECT_CHUNK 1000
#define SELECT_CHUNK_BYTES (4 * 1024 * 1024)

/* Writes tuples, and collects the rows of RETURNING. */
typedef struct
{
  const KvsqlExecution *execution;
  const KvsqlWritePlan *plan;
  KvsqlReturning *returning;
  KvsqlTupleMap *changed; /* nullable: keys that ON CONFLICT DO UPDATE has already changed */
  guint64 n_done;
} Sink;

static gboolean
replace_tuples (Sink *self, const KvsqlValue *const *tuples, guint n_tuples, GError **error)
{
  KvsqlStorage *storage = self->execution->storage;
  const KvsqlCall *call = self->execution->call;
  g_autofree KvsqlValue **rows = g_new (KvsqlValue *, n_tuples + 1);
  guint64 n_written;
  gboolean ok;

  for (guint i = 0; i < n_tuples; i++)
    if (!kvsql_returning_compute (self->returning, tuples[i], &rows[i], error))
      return FALSE;
  ok = kvsql_insert_run_at (storage, self->plan->entry, tuples, n_tuples, self->plan->timestamp,
                            call, &n_written, error);
  g_assert (n_written <= n_tuples);
  for (guint i = 0; i < n_written; i++)
    kvsql_returning_keep (self->returning, rows[i]);
  self->n_done += n_written;
  return ok;
}

static gboolean
write_tuples (Sink *self, const KvsqlValue *const *tuples, guint n_tuples, GError **error)
{
  guint64 n;
  gboolean ok;

  if (self->plan->on_conflict == KVSQL_CONFLICT_REPLACE)
    return replace_tuples (self, tuples, n_tuples, error);
  ok = kvsql_upsert_run (self->execution->storage, self->plan, tuples, n_tuples,
                         self->execution->call, self->changed, self->returning, &n, error);
  self->n_done += n;
  return ok;
}

/* ---- INSERT … SELECT */

static gboolean
check_columns (const KvsqlInsert *insert, const KvsqlRelation *relation,
               const KvsqlSelectPlan *plan, guint n_targets, GError **error)
{
  if (plan->n_items == n_targets)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, kvsql_select_get_first_span (insert->select),
                   "INSERT has %u columns of a SELECT for %u attributes", plan->n_items, n_targets);
  if (insert->n_attributes == 0)
    kvsql_error_hint (error, "Name the attributes that you give: INSERT INTO %s (…) SELECT ….",
                      relation->name);
  return FALSE;
}

gboolean
kvsql_select_plan_reads (const KvsqlSelectPlan *plan, const KvsqlCatalogEntry *entry)
{
  gboolean found = plan->entry == entry /* which is not NULL */
                   /* a subquery may read anything */
                   || (plan->subqueries != NULL && plan->subqueries->n > 0);

  for (guint i = 0; plan->join != NULL && i < plan->join->n_parts; i++)
    found = found || plan->join->parts[i].entry == entry
            || (plan->join->parts[i].query != NULL
                && kvsql_select_plan_reads (plan->join->parts[i].query, entry));
  for (guint i = 0; plan->set != NULL && i < plan->set->n_operands && !found; i++)
    found = kvsql_select_plan_reads (plan->set->operands[i].plan, entry);
  return found;
}

static gboolean
write_page (Sink *self, const guint *targets, const KvsqlBatch *page, KvsqlArena *arena,
            GError **error)
{
  const KvsqlValue **tuples
      = kvsql_bind_insert_columns (self->plan->rules, targets, page, arena, error);

  if (tuples == NULL || !write_tuples (self, tuples, page->n_rows, error))
    return FALSE;
  if (self->plan->n_returning == 0)
    kvsql_arena_reset (arena);
  return TRUE;
}

/* Checks all rows before one is written. */
static gboolean
spool_page (Sink *self, const guint *targets, const KvsqlBatch *page, KvsqlSpool *spool,
            KvsqlArena *arena, GError **error)
{
  if (kvsql_bind_insert_columns (self->plan->rules, targets, page, arena, error) == NULL
      || !kvsql_spool_push (spool, page, error))
    return FALSE;
  kvsql_arena_reset (arena);
  return TRUE;
}

static gboolean
write_spooled (Sink *self, const guint *targets, KvsqlSpool *spool, KvsqlArena *arena,
               GError **error)
{
  const KvsqlBatch *page;

  for (;;)
    {
      if (!kvsql_spool_pop (spool, arena, &page, error))
        return FALSE;
      if (page == NULL)
        return TRUE;
      if (!write_page (self, targets, page, arena, error))
        return FALSE;
    }
}

/* If the SELECT reads the relation that is written, all rows are read before the first write.
 * Otherwise a thousand tuples are read and written at a time. */
static gboolean
write_selected (Sink *self, const KvsqlSelectPlan *plan, const guint *targets, GError **error)
{
  const KvsqlSelectLimits *limits = &self->execution->limits;
  KvsqlSortLimits spool_limits = { .memory_bytes = limits->sort_bytes,
                                   .directory = limits->sort_directory,
                                   .disk_bytes = limits->sort_disk_bytes };
  g_autoptr (KvsqlSelectRun) run
      = kvsql_select_run_new (plan, kvsql_execution_get_store (self->execution), limits, NULL);
  g_autoptr (KvsqlSpool) spool
      = kvsql_select_plan_reads (plan, self->plan->entry) ? kvsql_spool_new (&spool_limits) : NULL;
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  gboolean has_more = TRUE;

  while (has_more)
    {
      g_autoptr (KvsqlBatch) page = NULL;

      if (!kvsql_select_run_page (run, SELECT_CHUNK, SELECT_CHUNK_BYTES, self->execution->call,
                                  arena, &page, &has_more, error)
          || !(spool != NULL ? spool_page (self, targets, page, spool, arena, error)
                             : write_page (self, targets, page, arena, error)))
        return FALSE;
    }
  kvsql_execution_note_skipped (self->execution, plan, run, 0);
  return spool == NULL || write_spooled (self, targets, spool, arena, error);
}

/* Whether all rows have different keys: the key of the relation that is read is a part of each. */
static gboolean
has_keys_once (const KvsqlSelectPlan *plan, const KvsqlRelation *relation, const guint *targets)
{
  KvsqlAttributeSet in_key = { 0 };

  if (plan->entry == NULL || plan->groups != NULL || plan->join != NULL)
    return FALSE;
  for (guint i = 0; i < plan->n_items; i++)
    if (plan->items[i] != KVSQL_NO_ATTRIBUTE && relation->attributes[targets[i]].is_key
        && relation->attributes[targets[i]].type
               == plan->entry->relation->attributes[plan->items[i]].type)
      kvsql_attribute_set_add (&in_key, plan->items[i]);
  return kvsql_attribute_set_contains (&in_key, &plan->entry->relation->keys);
}

static gboolean
insert_selected (Sink *self, const KvsqlInsert *insert, GError **error)
{
  const KvsqlRelation *relation = self->plan->entry->relation;
  const KvsqlSelectPlan *plan;
  KvsqlArena *arena = self->execution->binder.arena;
  guint n_targets;
  guint *targets = kvsql_bind_insert_targets (relation, insert->attributes, insert->n_attributes,
                                              arena, &n_targets, error);

  if (targets == NULL)
    return FALSE;
  plan = kvsql_execution_plan_select (self->execution, insert->select, error);
  if (plan == NULL)
    return FALSE;
  if (insert->n_attributes == 0) /* the last attributes get their DEFAULT */
    n_targets = MIN (n_targets, plan->n_items);
  /* an attribute that gets no value is an error before anything is read */
  if (!check_columns (insert, relation, plan, n_targets, error)
      || kvsql_bind_insert_defaults (self->plan->rules, targets, n_targets, insert->relation.span,
                                     arena, error)
             == NULL)
    return FALSE;
  if (has_keys_once (plan, relation, targets))
    g_clear_pointer (&self->changed, kvsql_tuple_map_free);
  if (write_selected (self, plan, targets, error))
    return TRUE;
  if (self->n_done > 0 && !kvsql_storage_is_dry (self->execution->storage))
    kvsql_error_detail (error, "%" G_GUINT64_FORMAT " tuples had been written before.",
                        self->n_done);
  return FALSE;
}

/* ---- INSERT */

static gboolean
insert_values (Sink *self, const KvsqlInsert *statement, GError **error)
{
  const KvsqlValue **tuples
      = kvsql_bind_insert_rows (&self->execution->binder, statement, self->plan->rules, error);

  return tuples != NULL && write_tuples (self, tuples, statement->n_rows, error);
}

gboolean
kvsql_execute_insert (const KvsqlExecution *execution, const KvsqlWritePlan *plan,
                      const KvsqlInsert *statement, KvsqlReturning *returning, guint64 *out_n,
                      GError **error)
{
  Sink self = { .execution = execution, .plan = plan, .returning = returning };
  gboolean ok;

  if (statement->on_conflict == KVSQL_CONFLICT_UPDATE)
    self.changed = kvsql_tuple_map_new (plan->entry->relation, execution->limits.sort_bytes);
  ok = statement->select != NULL ? insert_selected (&self, statement, error)
                                 : insert_values (&self, statement, error);
  kvsql_tuple_map_free (self.changed);
  *out_n = self.n_done;
  return ok;
}

/* ---- columns */

static const KvsqlCatalogEntry *
find_written (const KvsqlExecution *self, const KvsqlName *name, GError **error)
{
  const KvsqlCatalogEntry *entry = kvsql_plan_find_relation (self->catalog, name, error);

  if (entry == NULL || entry->relation->writes != KVSQL_WRITES_PAUSED)
    return entry;
  kvsql_fail_paused (entry->relation, error);
  return NULL;
}

gboolean
kvsql_describe_insert_columns (const KvsqlExecution *self, const KvsqlInsert *insert,
                               KvsqlArena *arena, KvsqlResultColumn **out_columns, guint *out_n,
                               GError **error)
{
  const KvsqlCatalogEntry *entry = find_written (self, &insert->relation, error);
  const KvsqlRowRules *rules;
  KvsqlResultColumn *columns;
  guint n;
  guint *targets;

  if (entry == NULL)
    return FALSE;
  targets = kvsql_bind_insert_targets (entry->relation, insert->attributes, insert->n_attributes,
                                       self->binder.arena, &n, error);
  rules = targets == NULL ? NULL : kvsql_row_rules_bind (&self->binder, entry->relation, error);
  if (rules == NULL
      || kvsql_bind_insert_defaults (rules, targets, n, KVSQL_SPAN_NONE, self->binder.arena, error)
             == NULL)
    return FALSE;
  columns = kvsql_arena_array (arena, KvsqlResultColumn, n);
  for (guint i = 0; i < n; i++)
    {
      const KvsqlAttribute *attribute = &entry->relation->attributes[targets[i]];

      columns[i] = (KvsqlResultColumn){ .name = kvsql_arena_strdup (arena, attribute->name),
                                        .type = attribute->type,
                                        .limit = attribute->limit };
    }
  *out_columns = columns;
  *out_n = n;
  return TRUE;
}

gboolean
kvsql_execute_insert_columns (const KvsqlExecution *self, const gchar *relation,
                              const gchar *const *attributes, const KvsqlBatch *data,
                              guint64 *out_n, GError **error)
{
  KvsqlName *names = kvsql_arena_array (self->binder.arena, KvsqlName, data->n_columns + 1);
  KvsqlName relation_name = { .span = KVSQL_SPAN_NONE, .text = relation };
  const KvsqlCatalogEntry *entry = find_written (self, &relation_name, error);
  const KvsqlRowRules *rules;
  const KvsqlValue **tuples;
  guint n_targets;
  guint *targets;

  *out_n = 0;
  if (entry == NULL)
    return FALSE;
  if (data->n_columns == 0)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                       "insertRows needs at least one column");
      return FALSE;
    }
  for (guint i = 0; i < data->n_columns; i++)
    names[i] = (KvsqlName){ .span = KVSQL_SPAN_NONE, .text = attributes[i] };
  targets = kvsql_bind_insert_targets (entry->relation, names, data->n_columns, self->binder.arena,
                                       &n_targets, error);
  rules = targets == NULL ? NULL : kvsql_row_rules_bind (&self->binder, entry->relation, error);
  tuples = rules == NULL
               ? NULL
               : kvsql_bind_insert_columns (rules, targets, data, self->binder.arena, error);
  if (tuples == NULL)
    return FALSE;
  if (entry->relation->is_unique)
    {
      const KvsqlWritePlan plan = { .kind = KVSQL_STATEMENT_INSERT,
                                    .entry = entry,
                                    .on_conflict = KVSQL_CONFLICT_FAIL,
                                    .conflict_span = KVSQL_SPAN_NONE };

      return kvsql_upsert_run (self->storage, &plan, tuples, data->n_rows, self->call, NULL, NULL,
                               out_n, error);
    }
  return kvsql_insert_run (self->storage, entry, tuples, data->n_rows, self->call, out_n, error);
}
