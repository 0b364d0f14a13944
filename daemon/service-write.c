/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * service-write.c: INSERT, and insert by column.
 */
#include "config.h"

#include "core/exec/insert.h"
#include "core/exec/row-queue.h"
#include "core/exec/upsert.h"
#include "core/expr/evaluate.h"
#include "daemon/service-private.h"

#define SELECT_CHUNK 1000
#define SELECT_CHUNK_BYTES (4 * 1024 * 1024)
#define ROWS_AT_ONCE 64

/* Which attribute each value of a row goes to. */
static guint *
bind_targets (KvsqldTask *task, const KvsqlRelation *relation, const KvsqlName *names,
              guint n_names, guint *out_n, GError **error)
{
  guint *targets = kvsql_arena_array (task->arena, guint, MAX (n_names, relation->n_attributes));

  *out_n = n_names == 0 ? relation->n_attributes : n_names;
  for (guint i = 0; i < *out_n; i++)
    {
      targets[i] = i;
      if (n_names == 0)
        continue;
      if (!kvsql_relation_find (relation, &names[i], &targets[i], error))
        return NULL;
      for (guint j = 0; j < i; j++)
        if (targets[j] == targets[i])
          {
            kvsql_error_set (error, KVSQL_ERROR_INVALID, names[i].span,
                             "attribute \"%s\" is named twice", names[i].text);
            return NULL;
          }
    }
  return targets;
}

/* Defaults everywhere; complains about attributes that need a value and get none. */
static KvsqlValue *
new_tuple (KvsqlArena *arena, const KvsqlRelation *relation, const guint *targets, guint n_targets,
           KvsqlSpan span, GError **error)
{
  KvsqlValue *tuple = kvsql_arena_array (arena, KvsqlValue, relation->n_attributes);
  KvsqlAttributeSet given = { 0 };

  for (guint i = 0; i < n_targets; i++)
    kvsql_attribute_set_add (&given, targets[i]);
  for (guint a = 0; a < relation->n_attributes; a++)
    {
      const KvsqlAttribute *attribute = &relation->attributes[a];
      if (kvsql_attribute_set_has (&given, a))
        continue;
      tuple[a] = attribute->default_value;
      if (kvsql_value_is_null (&tuple[a]) && attribute->is_not_null)
        {
          kvsql_error_set (error, KVSQL_ERROR_VALUE, span,
                           "attribute \"%s\" is %s and gets no value", attribute->name,
                           attribute->is_key ? "KEY" : "NOT NULL");
          return NULL;
        }
    }
  return tuple;
}

/* DEFAULT has no place of its own. */
static KvsqlSpan
span_of_value (const KvsqlInsert *insert, guint i)
{
  return insert->rows[0][i] != NULL ? insert->rows[0][i]->span : insert->relation.span;
}

static gboolean
check_width (const KvsqlInsert *insert, const KvsqlRelation *relation, guint n_targets,
             GError **error)
{
  KvsqlSpan span = insert->n_rows > 0 && insert->n_values > 0
                       ? span_of_value (insert, MIN (n_targets, insert->n_values - 1))
                       : insert->relation.span;

  if (insert->n_values == n_targets)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, span, "INSERT has %u values for %u attributes",
                   insert->n_values, n_targets);
  if (insert->n_attributes == 0)
    kvsql_error_hint (error, "Name the attributes that you give: INSERT INTO %s (…) VALUES (…).",
                      relation->name);
  return FALSE;
}

/* A value of VALUES: DEFAULT, a constant, or what an expression comes to. */
static gboolean
bind_value (const KvsqlBinder *binder, const KvsqlAstExpr *value, guint attribute, KvsqlValue *out,
            GError **error)
{
  const KvsqlAttribute *target = &binder->relation->attributes[attribute];
  KvsqlBinder nameless = *binder;
  KvsqlExpr *expr;
  KvsqlValue result;

  if (value == NULL)
    return kvsql_bind_convert (binder->relation, attribute, &target->default_value, binder->arena,
                               out, error);
  if (value->kind == KVSQL_AST_LITERAL || value->kind == KVSQL_AST_PARAMETER
      || value->kind == KVSQL_AST_NAME)
    return kvsql_bind_assignment (binder, value, attribute, out, error);
  nameless.relation = NULL;
  expr = kvsql_expr_bind (&nameless, value, error);
  if (expr != NULL)
    expr = kvsql_expr_assign (&nameless, expr, target, error);
  if (expr == NULL)
    return FALSE;
  return (kvsql_expr_evaluate (expr, NULL, binder->arena, &result, error)
          && kvsql_bind_convert (binder->relation, attribute, &result, binder->arena, out, error))
         || kvsql_error_at (error, value->span);
}

const KvsqlValue **
kvsqld_bind_insert (KvsqldTask *task, const KvsqlInsert *insert, const KvsqlCatalogEntry *entry,
                    GError **error)
{
  KvsqlBinder binder = kvsqld_task_get_binder (task);
  const KvsqlValue **tuples;
  guint *targets;
  guint n_targets;

  binder.relation = entry->relation;
  targets = bind_targets (task, entry->relation, insert->attributes, insert->n_attributes,
                          &n_targets, error);
  if (targets == NULL || !check_width (insert, entry->relation, n_targets, error))
    return NULL;
  tuples = kvsql_arena_array (task->arena, const KvsqlValue *, insert->n_rows);
  for (guint row = 0; row < insert->n_rows; row++)
    {
      KvsqlValue *tuple = new_tuple (task->arena, entry->relation, targets, n_targets,
                                     insert->relation.span, error);
      if (tuple == NULL)
        return NULL;
      for (guint i = 0; i < n_targets; i++)
        if (!bind_value (&binder, insert->rows[row][i], targets[i], &tuple[targets[i]], error))
          {
            if (insert->n_rows > 1)
              kvsql_error_detail (error, "This is row %u of %u.", row + 1, insert->n_rows);
            return NULL;
          }
      tuples[row] = tuple;
    }
  return tuples;
}

/* ---- writing */

/* Tuples on their way into the store; rows of RETURNING on theirs back. */
typedef struct
{
  KvsqldTask *task;
  const KvsqlWritePlan *plan;
  KvsqlReturning returning;
  KvsqlCalls *calls;      /* nullable: nothing is written */
  KvsqlTupleMap *changed; /* nullable: keys that ON CONFLICT DO UPDATE has changed */
  guint64 n_done;
} Sink;

static gboolean
replace_tuples (Sink *self, const KvsqlValue *const *tuples, guint n_tuples, GError **error)
{
  KvsqlEngine *engine = self->task->service->engine;
  const KvsqlCall *call = &self->task->call;
  g_autofree KvsqlValue **rows = g_new (KvsqlValue *, n_tuples + 1);
  guint64 n_written;
  gboolean ok;

  if (self->calls != NULL)
    return kvsql_insert_explain (engine, self->plan->entry, tuples, n_tuples, call, self->calls,
                                 error);
  for (guint i = 0; i < n_tuples; i++)
    if (!kvsql_returning_compute (&self->returning, tuples[i], &rows[i], error))
      return FALSE;
  ok = kvsql_insert_run_at (engine, self->plan->entry, tuples, n_tuples, self->plan->timestamp,
                            call, &n_written, error);
  for (guint i = 0; i < n_written; i++)
    kvsql_returning_keep (&self->returning, rows[i]);
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
  ok = kvsql_upsert_run (self->task->service->engine, self->plan, tuples, n_tuples,
                         &self->task->call, self->changed, &self->returning, self->calls, &n,
                         error);
  self->n_done += n;
  return ok;
}

/* ---- INSERT … SELECT */

static const KvsqlValue **tuples_from_columns (KvsqlArena *arena, const KvsqlRelation *relation,
                                               const guint *targets, const KvsqlBatch *data,
                                               GError **error);

static gboolean
check_columns (const KvsqlInsert *insert, const KvsqlRelation *relation,
               const KvsqlSelectPlan *plan, guint n_targets, GError **error)
{
  if (plan->n_items == n_targets)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, insert->select->items[0].span,
                   "INSERT has %u columns of a SELECT for %u attributes", plan->n_items, n_targets);
  if (insert->n_attributes == 0)
    kvsql_error_hint (error, "Name the attributes that you give: INSERT INTO %s (…) SELECT ….",
                      relation->name);
  return FALSE;
}

gboolean
kvsqld_reads_from (const KvsqlSelectPlan *plan, const KvsqlCatalogEntry *entry)
{
  gboolean found = plan->entry == entry;

  for (guint i = 0; plan->product != NULL && i < plan->product->n_parts; i++)
    found = found || plan->product->parts[i].entry == entry;
  return found;
}

static gboolean
write_page (Sink *self, const guint *targets, const KvsqlBatch *page, KvsqlArena *arena,
            GError **error)
{
  const KvsqlValue **tuples
      = tuples_from_columns (arena, self->plan->entry->relation, targets, page, error);

  if (tuples == NULL || !write_tuples (self, tuples, page->n_rows, error))
    return FALSE;
  if (self->plan->n_returning == 0)
    kvsql_arena_reset (arena);
  return TRUE;
}

/* A row that cannot be written is found before any is. */
static gboolean
keep_page (Sink *self, const guint *targets, const KvsqlBatch *page, KvsqlRowQueue *kept,
           KvsqlArena *arena, GError **error)
{
  if (tuples_from_columns (arena, self->plan->entry->relation, targets, page, error) == NULL
      || !kvsql_row_queue_push (kept, page, error))
    return FALSE;
  kvsql_arena_reset (arena);
  return TRUE;
}

static gboolean
write_kept (Sink *self, const guint *targets, KvsqlRowQueue *kept, KvsqlArena *arena,
            GError **error)
{
  const KvsqlBatch *page;

  for (;;)
    {
      if (!kvsql_row_queue_pop (kept, arena, &page, error))
        return FALSE;
      if (page == NULL)
        return TRUE;
      if (!write_page (self, targets, page, arena, error))
        return FALSE;
    }
}

/* Where a relation is read and written at once, all is read before anything is written; else a
 * thousand tuples at a time. */
static gboolean
write_selected (Sink *self, const KvsqlSelectPlan *plan, const guint *targets, GError **error)
{
  KvsqlSelectLimits limits = kvsqld_task_get_select_limits (self->task);
  KvsqlSortLimits kept_limits = { .memory_bytes = limits.sort_bytes,
                                  .directory = limits.sort_directory,
                                  .disk_bytes = limits.sort_disk_bytes };
  g_autoptr (KvsqlSelectRun) run
      = kvsql_select_run_new (plan, self->task->service->store, &limits, NULL);
  g_autoptr (KvsqlRowQueue) kept
      = kvsqld_reads_from (plan, self->plan->entry) ? kvsql_row_queue_new (&kept_limits) : NULL;
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  gboolean has_more = TRUE;

  while (has_more)
    {
      g_autoptr (KvsqlBatch) page = NULL;

      if (!kvsql_select_run_page (run, SELECT_CHUNK, SELECT_CHUNK_BYTES, &self->task->call, arena,
                                  &page, &has_more, error)
          || !(kept != NULL ? keep_page (self, targets, page, kept, arena, error)
                            : write_page (self, targets, page, arena, error)))
        return FALSE;
    }
  return kept == NULL || write_kept (self, targets, kept, arena, error);
}

/* Whether no two of the rows have one key: the key of the relation that is read is a part of it. */
static gboolean
has_keys_once (const KvsqlSelectPlan *plan, const KvsqlRelation *relation, const guint *targets)
{
  KvsqlAttributeSet in_key = { 0 };

  if (plan->entry == NULL || plan->groups != NULL || plan->product != NULL)
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
  KvsqlBinder binder = kvsqld_task_get_binder (self->task);
  const KvsqlRelation *relation = self->plan->entry->relation;
  const KvsqlSelectPlan *plan;
  guint n_targets;
  guint *targets = bind_targets (self->task, relation, insert->attributes, insert->n_attributes,
                                 &n_targets, error);

  /* what no row can get is known before any is read */
  if (targets == NULL
      || new_tuple (self->task->arena, relation, targets, n_targets, insert->relation.span, error)
             == NULL)
    return FALSE;
  plan = kvsql_select_plan_make (self->task->catalog, insert->select, &binder,
                                 &self->task->service->store->capabilities, error);
  if (plan == NULL || !check_columns (insert, relation, plan, n_targets, error))
    return FALSE;
  if (has_keys_once (plan, relation, targets))
    g_clear_pointer (&self->changed, kvsql_tuple_map_free);
  if (self->calls != NULL)
    kvsqld_calls_add_select (self->calls, plan);
  if (write_selected (self, plan, targets, error))
    return TRUE;
  if (self->n_done > 0 && self->calls == NULL)
    kvsql_error_detail (error, "%" G_GUINT64_FORMAT " tuples had been written before.",
                        self->n_done);
  return FALSE;
}

/* ---- INSERT */

static gboolean
insert_values (Sink *self, const KvsqlInsert *statement, GError **error)
{
  const KvsqlValue **tuples = kvsqld_bind_insert (self->task, statement, self->plan->entry, error);

  return tuples != NULL && write_tuples (self, tuples, statement->n_rows, error);
}

static gboolean
insert (Sink *self, const KvsqlInsert *statement, GError **error)
{
  gboolean ok;

  if (statement->on_conflict == KVSQL_CONFLICT_UPDATE)
    self->changed
        = kvsql_tuple_map_new (self->plan->entry->relation, self->task->limits.sort_bytes);
  ok = statement->select != NULL ? insert_selected (self, statement, error)
                                 : insert_values (self, statement, error);
  kvsql_tuple_map_free (self->changed);
  return ok;
}

KvsqlWritePlan *
kvsqld_plan_insert (KvsqldTask *task, const KvsqlStatement *statement, gboolean is_prepare,
                    GError **error)
{
  KvsqlBinder binder = kvsqld_task_get_binder (task);

  binder.is_prepare = is_prepare;
  return kvsql_insert_plan_make (task->catalog, &statement->insert, &binder, error);
}

KvsqldPage *
kvsqld_run_insert (KvsqldTask *task, GError **error)
{
  Sink self = { .task = task, .plan = kvsqld_plan_insert (task, task->statement, FALSE, error) };

  if (self.plan == NULL)
    return NULL;
  kvsqld_returning_begin (&self.returning, self.plan);
  if (insert (&self, &task->statement->insert, error))
    return kvsqld_returning_end (&self.returning, self.n_done);
  kvsql_returning_clear (&self.returning);
  return NULL;
}

gboolean
kvsqld_explain_insert_calls (KvsqldTask *task, const KvsqlStatement *statement, KvsqlCalls *calls,
                             GError **error)
{
  Sink self = { .task = task,
                .plan = kvsqld_plan_insert (task, statement, FALSE, error),
                .calls = calls };
  gboolean ok;

  if (self.plan == NULL)
    return FALSE;
  kvsqld_returning_begin (&self.returning, self.plan);
  ok = insert (&self, &statement->insert, error);
  kvsql_returning_clear (&self.returning);
  return ok;
}

/* ---- by column */

/* Some rows of @data, and the first of their tuples, which lie side by side. */
typedef struct
{
  const KvsqlRelation *relation;
  const guint *targets;
  const KvsqlBatch *data;
  guint first, n;
  KvsqlValue *tuples;
} Rows;

static gboolean
convert_row (const Rows *self, guint i, const guint *columns, guint n_columns, KvsqlArena *arena,
             GError **error)
{
  KvsqlValue *tuple = self->tuples + (gsize)i * self->relation->n_attributes;

  for (guint c = 0; c < n_columns; c++)
    {
      guint target = self->targets[columns[c]];

      if (kvsql_bind_convert_row (self->relation, target, &self->data->columns[columns[c]],
                                  self->first + i, arena, &tuple[target], error))
        continue;
      kvsql_error_detail (error, "This is row %u of %u.", self->first + i + 1, self->data->n_rows);
      return FALSE;
    }
  return TRUE;
}

/* Column by column as far as values are stored as they come, and then row by row: of those that
 * cannot be stored the first is named. */
static gboolean
convert_rows (const Rows *self, KvsqlArena *arena, GError **error)
{
  guint left[KVSQL_MAX_ATTRIBUTES], n_left = 0;

  for (guint c = 0; c < self->data->n_columns; c++)
    if (!kvsql_bind_take_rows (self->relation, self->targets[c], &self->data->columns[c],
                               self->first, self->n, self->tuples + self->targets[c],
                               self->relation->n_attributes))
      left[n_left++] = c;
  for (guint i = 0; n_left > 0 && i < self->n; i++)
    if (!convert_row (self, i, left, n_left, arena, error))
      return FALSE;
  return TRUE;
}

/* A few at a time, so that their tuples stay in the processor's cache from column to column. */
static const KvsqlValue **
tuples_from_columns (KvsqlArena *arena, const KvsqlRelation *relation, const guint *targets,
                     const KvsqlBatch *data, GError **error)
{
  const KvsqlValue **tuples = kvsql_arena_array (arena, const KvsqlValue *, data->n_rows + 1);
  gsize tuple_size = relation->n_attributes * sizeof (KvsqlValue);
  Rows rows = { .relation = relation, .targets = targets, .data = data };
  const KvsqlValue *defaults;

  if (data->n_rows == 0)
    return tuples;
  defaults = new_tuple (arena, relation, targets, data->n_columns, KVSQL_SPAN_NONE, error);
  if (defaults == NULL)
    return NULL;
  rows.tuples = kvsql_arena_alloc (arena, data->n_rows * tuple_size);
  for (; rows.first < data->n_rows; rows.first += rows.n)
    {
      rows.n = MIN (ROWS_AT_ONCE, data->n_rows - rows.first);
      for (guint i = 0; i < rows.n; i++)
        {
          KvsqlValue *tuple = rows.tuples + (gsize)i * relation->n_attributes;

          if (data->n_columns < relation->n_attributes)
            memcpy (tuple, defaults, tuple_size);
          tuples[rows.first + i] = tuple;
        }
      if (!convert_rows (&rows, arena, error))
        return NULL;
      rows.tuples += (gsize)rows.n * relation->n_attributes;
    }
  return tuples;
}

static KvsqldPage *
insert_columns (KvsqldTask *task, const gchar *relation, const gchar *const *attributes,
                const KvsqlBatch *data, GError **error)
{
  KvsqlName *names = kvsql_arena_array (task->arena, KvsqlName, data->n_columns + 1);
  KvsqlName relation_name = { .span = KVSQL_SPAN_NONE, .text = relation };
  const KvsqlCatalogEntry *entry = kvsql_plan_find_relation (task->catalog, &relation_name, error);
  const KvsqlValue **tuples;
  guint64 n_written;
  guint n_targets;
  guint *targets;

  if (entry == NULL)
    return NULL;
  if (data->n_columns == 0)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                       "insertRows needs at least one column");
      return NULL;
    }
  for (guint i = 0; i < data->n_columns; i++)
    names[i] = (KvsqlName){ .span = KVSQL_SPAN_NONE, .text = attributes[i] };
  targets = bind_targets (task, entry->relation, names, data->n_columns, &n_targets, error);
  tuples = targets == NULL
               ? NULL
               : tuples_from_columns (task->arena, entry->relation, targets, data, error);
  if (tuples == NULL
      || !kvsql_insert_run (task->service->engine, entry, tuples, data->n_rows, &task->call,
                            &n_written, error))
    return NULL;
  return kvsqld_page_new_empty (data->n_rows);
}

gboolean
kvsqld_service_insert_rows (KvsqldService *self, const KvsqldRequest *request,
                            const gchar *relation, const gchar *const *attributes,
                            const KvsqlBatch *data, gint64 *out_affected, GError **error)
{
  g_autofree gchar *text = g_strconcat ("INSERT INTO ", relation, NULL);
  g_autoptr (KvsqldPage) page = NULL;
  KvsqldTask task;

  kvsqld_task_begin (&task, self, request, kvsql_slice_from_text (text));
  task.work = KVSQLD_WORK_INSERT;
  if (task.request->is_read_only)
    kvsql_error_set (error, KVSQL_ERROR_READ_ONLY, KVSQL_SPAN_NONE,
                     "the request is read-only, and insertRows writes");
  else if (kvsqld_task_admit (&task, error))
    page = insert_columns (&task, relation, attributes, data, error);
  if (page != NULL)
    {
      *out_affected = page->affected;
      kvsql_count_add (&self->metrics.n_tuples_changed, page->affected);
    }
  kvsqld_task_end (&task, page != NULL, error);
  return page != NULL;
}
