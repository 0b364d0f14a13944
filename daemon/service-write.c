/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * service-write.c: INSERT, bulk insert and DELETE.
 */
#include "config.h"

#include "core/exec/delete.h"
#include "core/exec/insert.h"
#include "daemon/service-private.h"

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
new_tuple (KvsqldTask *task, const KvsqlRelation *relation, const guint *targets, guint n_targets,
           KvsqlSpan span, GError **error)
{
  KvsqlValue *tuple = kvsql_arena_array (task->arena, KvsqlValue, relation->n_attributes);
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

static gboolean
check_width (const KvsqlInsert *insert, const KvsqlRelation *relation, guint n_targets,
             GError **error)
{
  KvsqlSpan span = insert->n_rows > 0 && insert->n_values > 0
                       ? insert->rows[0][MIN (n_targets, insert->n_values - 1)]->span
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

const KvsqlValue **
kvsqld_bind_insert (KvsqldTask *task, const KvsqlInsert *insert,
                    const KvsqlCatalogEntry **out_entry, GError **error)
{
  const KvsqlCatalogEntry *entry
      = kvsql_plan_find_relation (task->catalog, &insert->relation, error);
  KvsqlBinder binder = kvsqld_task_get_binder (task);
  const KvsqlValue **tuples;
  guint *targets;
  guint n_targets;

  if (entry == NULL)
    return NULL;
  binder.relation = entry->relation;
  targets = bind_targets (task, entry->relation, insert->attributes, insert->n_attributes,
                          &n_targets, error);
  if (targets == NULL || !check_width (insert, entry->relation, n_targets, error))
    return NULL;
  tuples = kvsql_arena_array (task->arena, const KvsqlValue *, insert->n_rows);
  for (guint row = 0; row < insert->n_rows; row++)
    {
      KvsqlValue *tuple
          = new_tuple (task, entry->relation, targets, n_targets, insert->relation.span, error);
      if (tuple == NULL)
        return NULL;
      for (guint i = 0; i < n_targets; i++)
        if (!kvsql_bind_assignment (&binder, insert->rows[row][i], targets[i], &tuple[targets[i]],
                                    error))
          return NULL;
      tuples[row] = tuple;
    }
  *out_entry = entry;
  return tuples;
}

static KvsqldPage *
write_tuples (KvsqldTask *task, const KvsqlCatalogEntry *entry, const KvsqlValue *const *tuples,
              guint n_tuples, GError **error)
{
  guint64 written;

  if (!kvsql_insert_run (task->service->engine, entry, tuples, n_tuples, &task->call, &written,
                         error))
    return NULL;
  return kvsqld_page_new_empty (n_tuples);
}

KvsqldPage *
kvsqld_run_insert (KvsqldTask *task, GError **error)
{
  const KvsqlInsert *insert = &task->statement->insert;
  const KvsqlCatalogEntry *entry;
  const KvsqlValue **tuples = kvsqld_bind_insert (task, insert, &entry, error);

  return tuples == NULL ? NULL : write_tuples (task, entry, tuples, insert->n_rows, error);
}

/* ---- by column */

static const KvsqlValue **
tuples_from_columns (KvsqldTask *task, const KvsqlRelation *relation, const KvsqlName *names,
                     const KvsqlBatch *data, GError **error)
{
  const KvsqlValue **tuples = kvsql_arena_array (task->arena, const KvsqlValue *, data->n_rows + 1);
  guint n_targets;
  guint *targets = bind_targets (task, relation, names, data->n_columns, &n_targets, error);

  if (targets == NULL)
    return NULL;
  for (guint row = 0; row < data->n_rows; row++)
    {
      KvsqlValue *tuple = new_tuple (task, relation, targets, n_targets, KVSQL_SPAN_NONE, error);
      if (tuple == NULL)
        return NULL;
      for (guint c = 0; c < data->n_columns; c++)
        {
          KvsqlValue value = kvsql_vector_get (&data->columns[c], row);
          if (!kvsql_bind_convert (relation, targets[c], &value, task->arena, &tuple[targets[c]],
                                   error))
            {
              kvsql_error_detail (error, "This is row %u of %u.", row + 1, data->n_rows);
              return NULL;
            }
        }
      tuples[row] = tuple;
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
  tuples = tuples_from_columns (task, entry->relation, names, data, error);
  return tuples == NULL ? NULL : write_tuples (task, entry, tuples, data->n_rows, error);
}

gboolean
kvsqld_service_insert_rows (KvsqldService *self, const KvsqldRequest *request,
                            const gchar *relation, const gchar *const *attributes,
                            const KvsqlBatch *data, gint64 *out_affected, GError **error)
{
  g_autoptr (KvsqldPage) page = NULL;
  KvsqldTask task;

  kvsqld_task_begin (&task, self, request);
  if (task.request->is_read_only)
    kvsql_error_set (error, KVSQL_ERROR_READ_ONLY, KVSQL_SPAN_NONE,
                     "the request is read-only, and insertRows writes");
  else
    page = insert_columns (&task, relation, attributes, data, error);
  if (page != NULL)
    *out_affected = page->affected;
  kvsqld_task_end (&task);
  return page != NULL;
}

/* ---- DELETE */

KvsqldPage *
kvsqld_run_delete (KvsqldTask *task, GError **error)
{
  KvsqlBinder binder = kvsqld_task_get_binder (task);
  KvsqlSelectLimits limits = kvsqld_task_get_select_limits (task);
  const KvsqlSelectPlan *plan
      = kvsql_delete_plan_make (task->catalog, &task->statement->delete_, &binder,
                                &task->service->store->capabilities, error);
  guint64 deleted;

  if (plan == NULL
      || !kvsql_delete_run (task->service->engine, plan, &limits, &task->call, &deleted, error))
    return NULL;
  return kvsqld_page_new_empty (deleted);
}
