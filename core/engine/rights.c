/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rights.c: see rights.h.
 */
#include "config.h"

#include "core/engine/rights.h"

#include "core/base/interrupt.h"
#include "core/catalog/store-table.h"
#include "core/engine/sequence-use.h"

typedef struct
{
  const KvsqlExecution *execution;
  gboolean checks_attributes;
} Check;

static gboolean check_select (Check *self, const KvsqlSelect *select, GError **error);
static gboolean check_statement (Check *self, const KvsqlAstStatement *statement, GError **error);

/* ---- relations */

static const KvsqlCatalogEntry *
find_relation (const Check *self, const KvsqlName *name, GError **error)
{
  const KvsqlExecution *execution = self->execution;
  const KvsqlCatalogEntry *entry
      = kvsql_authority_lookup (&execution->authority, execution->catalog, name);
  const KvsqlView *view
      = entry == NULL ? kvsql_catalog_lookup_view (execution->catalog, name) : NULL;

  if (view != NULL && kvsql_execution_may_read_view (execution, view))
    return kvsql_catalog_find (execution->catalog, name, error); /* says that it is a view */
  if (entry == NULL)
    kvsql_authority_fail_unknown (&execution->authority, execution->catalog, "relation", name,
                                  error);
  return entry;
}

static const KvsqlSchema *
find_schema (const Check *self, const KvsqlName *name, GError **error)
{
  const KvsqlExecution *execution = self->execution;
  const KvsqlSchema *schema
      = kvsql_authority_lookup_schema (&execution->authority, execution->catalog, name);

  if (schema == NULL)
    kvsql_authority_fail_unknown (&execution->authority, execution->catalog, "schema", name, error);
  return schema;
}

/* TABLE 't' */
static gboolean
check_store_table (const Check *self, const KvsqlName *name, GError **error)
{
  const KvsqlExecution *execution = self->execution;
  const KvsqlCatalogEntry *entry;

  if (!kvsql_catalog_check_known (execution->catalog, error))
    return FALSE;
  /* the catalog keeps only so many of them */
  if (!kvsql_authority_may_define_some (&execution->authority, execution->catalog))
    return kvsql_error_set (error, KVSQL_ERROR_NOT_ALLOWED, name->span,
                            "permission denied for tables of the store")
           || kvsql_error_hint (error, "Role \"%s\" needs DEFINE ON TABLES LIKE a pattern.",
                                kvsql_authority_get_name (&execution->authority));
  entry = kvsql_catalog_find_store_table (execution->catalog, name, error);
  return entry != NULL
         && kvsql_authority_check_tables (&execution->authority, execution->catalog,
                                          entry->schemas[0], name->span, error);
}

static gboolean
check_read (Check *self, const KvsqlName *name, GError **error)
{
  const KvsqlAuthority *authority = &self->execution->authority;
  const KvsqlAttributeSet none = { 0 };
  const KvsqlCatalogEntry *entry;

  if (name->is_store_table)
    return check_store_table (self, name, error);
  entry = find_relation (self, name, error);
  if (entry == NULL
      || !kvsql_authority_check (authority, entry, KVSQL_RIGHT_SELECT, &none, name->span, error))
    return FALSE;
  if ((kvsql_authority_get_rights (authority, entry) & KVSQL_RIGHT_SELECT) == 0)
    self->checks_attributes = TRUE;
  return TRUE;
}

/* Attributes that do not exist are found by the planner. */
static void
add_attribute (const KvsqlRelation *relation, const KvsqlName *name, KvsqlAttributeSet *out)
{
  guint attribute;

  if (kvsql_relation_find (relation, name, &attribute, NULL))
    kvsql_attribute_set_add (out, attribute);
}

/* @attributes: nullable. What a statement reads of the relation that it writes is not known yet. */
static gboolean
check_written (Check *self, const KvsqlCatalogEntry *entry, const KvsqlName *name, KvsqlRight right,
               const KvsqlAttributeSet *attributes, GError **error)
{
  const KvsqlAuthority *authority = &self->execution->authority;

  if ((kvsql_authority_get_rights (authority, entry) & KVSQL_RIGHT_SELECT) == 0)
    self->checks_attributes = TRUE;
  return kvsql_authority_check (authority, entry, right, attributes, name->span, error);
}

/* ---- expressions and queries */

static gboolean
check_expr (Check *self, const KvsqlAstExpr *expr, GError **error)
{
  if (expr == NULL)
    return TRUE;
  if (!kvsql_interrupt_poll (error)
      || (expr->subquery != NULL && !check_select (self, expr->subquery, error)))
    return FALSE;
  for (guint i = 0; i < expr->n_children; i++)
    if (!check_expr (self, expr->children[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
check_exprs (Check *self, KvsqlAstExpr *const *exprs, guint n, GError **error)
{
  for (guint i = 0; i < n; i++)
    if (!check_expr (self, exprs[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
check_rows (Check *self, KvsqlAstExpr **const *rows, guint n_rows, guint n_values, GError **error)
{
  for (guint i = 0; i < n_rows; i++)
    if (!check_exprs (self, rows[i], n_values, error))
      return FALSE;
  return TRUE;
}

static gboolean
check_items (Check *self, const KvsqlSelectItem *items, guint n, GError **error)
{
  for (guint i = 0; i < n; i++)
    if (!check_expr (self, items[i].expr, error))
      return FALSE;
  return TRUE;
}

static gboolean
check_order (Check *self, const KvsqlOrderItem *items, guint n, GError **error)
{
  for (guint i = 0; i < n; i++)
    if (!check_expr (self, items[i].expr, error))
      return FALSE;
  return TRUE;
}

static gboolean
check_join (Check *self, const KvsqlJoin *join, GError **error)
{
  return join == NULL
         || (check_expr (self, join->on, error) && check_join (self, join->left, error)
             && check_join (self, join->right, error));
}

/* A view has no rights of its own: a role that selects from it needs the rights on what the view
 * reads. Without them the view does not exist for the role. */
static gboolean
check_view (Check *self, const KvsqlView *view, const KvsqlName *name, GError **error)
{
  const KvsqlExecution *execution = self->execution;

  return check_select (self, view->definition->query, NULL)
         || (kvsql_interrupt_poll (error)
             && kvsql_authority_fail_unknown (&execution->authority, execution->catalog, "relation",
                                              name, error));
}

gboolean
kvsql_execution_may_read_view (const KvsqlExecution *self, const KvsqlView *view)
{
  Check check = { .execution = self };

  return !self->authority.is_limited || check_select (&check, view->definition->query, NULL);
}

static gboolean
check_source (Check *self, const KvsqlSource *source, GError **error)
{
  const KvsqlExecution *execution = self->execution;
  const KvsqlNumberSequence *sequence;
  const KvsqlView *view;

  if (source->query != NULL)
    return check_select (self, source->query, error);
  view = source->relation.text == NULL
             ? NULL
             : kvsql_catalog_lookup_view (self->execution->catalog, &source->relation);
  if (view != NULL)
    return check_view (self, view, &source->relation, error);
  sequence = kvsql_catalog_lookup_sequence (execution->catalog, &source->relation);
  if (sequence != NULL)
    return kvsql_authority_check_sequence (&execution->authority, execution->catalog,
                                           sequence->name, KVSQL_RIGHT_SELECT, error);
  return source->relation.text == NULL
         || (check_read (self, &source->relation, error)
             && (source->using_schema.text == NULL || source->relation.is_store_table
                 || find_schema (self, &source->using_schema, error) != NULL));
}

static gboolean
check_sources (Check *self, const KvsqlSelect *select, GError **error)
{
  for (guint i = 0; i <= select->n_joined; i++)
    if (!check_source (self, kvsql_select_get_source (select, i), error))
      return FALSE;
  return check_join (self, select->join, error);
}

static gboolean
check_operands (Check *self, const KvsqlSetOperation *set, GError **error)
{
  for (guint i = 0; set != NULL && i < set->n_operands; i++)
    if (!check_select (self, set->operands[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
check_select (Check *self, const KvsqlSelect *select, GError **error)
{
  return check_operands (self, select->set, error)
         && check_rows (self, select->rows, select->n_rows, select->n_values, error)
         && check_sources (self, select, error)
         && check_items (self, select->items, select->n_items, error)
         && check_exprs (self, select->distinct_on, select->n_distinct_on, error)
         && check_expr (self, select->where, error)
         && check_exprs (self, select->group_by, select->n_group_by, error)
         && check_expr (self, select->having, error)
         && check_exprs (self, select->windows, select->n_windows, error)
         && check_order (self, select->order_by, select->n_order_by, error)
         && check_expr (self, select->limit, error) && check_expr (self, select->offset, error);
}

/* ---- statements that write */

static gboolean
check_assignments (Check *self, const KvsqlCatalogEntry *entry, const KvsqlName *name,
                   const KvsqlAssignment *assignments, guint n, GError **error)
{
  KvsqlAttributeSet assigned = { 0 };

  for (guint i = 0; i < n; i++)
    {
      add_attribute (entry->relation, &assignments[i].name, &assigned);
      if (!check_expr (self, assignments[i].expr, error))
        return FALSE;
    }
  return check_written (self, entry, name, KVSQL_RIGHT_UPDATE, &assigned, error);
}

/* An INSERT without ON CONFLICT replaces the tuple with that key, all attributes of it. */
static gboolean
check_replaced (const Check *self, const KvsqlCatalogEntry *entry, const KvsqlInsert *insert,
                GError **error)
{
  const KvsqlAuthority *authority = &self->execution->authority;

  if (insert->on_conflict != KVSQL_CONFLICT_REPLACE || entry->relation->is_unique
      || (kvsql_authority_get_rights (authority, entry) & KVSQL_RIGHT_INSERT) != 0)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_NOT_ALLOWED, insert->relation.span,
                   "permission denied for relation \"%s\"", entry->relation->name);
  return kvsql_error_hint (error,
                           "This INSERT would replace whole tuples: INSERT on some attributes "
                           "needs ON CONFLICT DO NOTHING, or DO UPDATE.");
}

static gboolean
check_insert (Check *self, const KvsqlInsert *insert, GError **error)
{
  const KvsqlCatalogEntry *entry = find_relation (self, &insert->relation, error);
  KvsqlAttributeSet given = { 0 };

  if (entry == NULL)
    return FALSE;
  for (guint i = 0; i < insert->n_attributes; i++)
    add_attribute (entry->relation, &insert->attributes[i], &given);
  for (guint i = 0; insert->n_attributes == 0 && i < entry->relation->n_attributes; i++)
    kvsql_attribute_set_add (&given, i);
  return check_written (self, entry, &insert->relation, KVSQL_RIGHT_INSERT, &given, error)
         && check_replaced (self, entry, insert, error)
         && (insert->on_conflict != KVSQL_CONFLICT_UPDATE
             || check_assignments (self, entry, &insert->relation, insert->assignments,
                                   insert->n_assignments, error))
         && (insert->select == NULL || check_select (self, insert->select, error))
         && check_rows (self, insert->rows, insert->n_rows, insert->n_values, error)
         && check_expr (self, insert->conflict_where, error)
         && check_expr (self, insert->using_timestamp, error)
         && check_items (self, insert->returning, insert->n_returning, error);
}

/* FROM of an UPDATE, or USING of a DELETE, without the relation that is written. @from: nullable */
static gboolean
check_joined (Check *self, const KvsqlSelect *from, GError **error)
{
  for (guint i = 0; from != NULL && i < from->n_joined; i++)
    if (!check_source (self, &from->joined[i], error))
      return FALSE;
  return from == NULL || check_join (self, from->join, error);
}

static gboolean
check_update (Check *self, const KvsqlUpdate *update, GError **error)
{
  const KvsqlCatalogEntry *entry = find_relation (self, &update->relation, error);

  return entry != NULL
         && check_assignments (self, entry, &update->relation, update->assignments,
                               update->n_assignments, error)
         && check_joined (self, update->from, error) && check_expr (self, update->where, error)
         && check_order (self, update->order_by, update->n_order_by, error)
         && check_expr (self, update->limit, error)
         && check_expr (self, update->using_timestamp, error)
         && check_items (self, update->returning, update->n_returning, error);
}

static gboolean
check_delete (Check *self, const KvsqlDelete *statement, GError **error)
{
  const KvsqlCatalogEntry *entry = find_relation (self, &statement->relation, error);

  return entry != NULL
         && check_written (self, entry, &statement->relation,
                           statement->is_truncate ? KVSQL_RIGHT_TRUNCATE : KVSQL_RIGHT_DELETE, NULL,
                           error)
         && check_joined (self, statement->from, error)
         && check_expr (self, statement->where, error)
         && check_order (self, statement->order_by, statement->n_order_by, error)
         && check_expr (self, statement->limit, error)
         && check_expr (self, statement->using_timestamp, error)
         && check_items (self, statement->returning, statement->n_returning, error);
}

/* RESTART IDENTITY is setval () of each sequence. */
static gboolean
check_restart (const Check *self, const KvsqlCatalogEntry *entry, GError **error)
{
  const KvsqlExecution *execution = self->execution;
  g_autoptr (GPtrArray) sequences = kvsql_catalog_list_sequences_of (execution->catalog, entry);

  for (guint i = 0; i < sequences->len; i++)
    {
      const KvsqlNumberSequence *sequence = sequences->pdata[i];

      if (!kvsql_authority_may_use_sequence (&execution->authority, execution->catalog,
                                             sequence->name, KVSQL_RIGHT_UPDATE, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
check_truncate (Check *self, const KvsqlTruncate *statement, GError **error)
{
  for (guint i = 0; i < statement->n_relations; i++)
    {
      const KvsqlCatalogEntry *entry = find_relation (self, &statement->relations[i], error);

      if (entry == NULL
          || !check_written (self, entry, &statement->relations[i], KVSQL_RIGHT_TRUNCATE, NULL,
                             error)
          || (statement->restarts_sequences && !check_restart (self, entry, error)))
        return FALSE;
    }
  return TRUE;
}

/* ---- definitions */

static gboolean
check_owner (const Check *self, const KvsqlName *name, GError **error)
{
  const KvsqlCatalogEntry *entry = find_relation (self, name, error);

  return entry != NULL
         && kvsql_authority_check_owner (&self->execution->authority, entry, name->span, error);
}

static gboolean
check_schema_owner (const Check *self, const KvsqlName *name, GError **error)
{
  const KvsqlSchema *schema = find_schema (self, name, error);

  return schema != NULL
         && kvsql_authority_check_owner (&self->execution->authority,
                                         kvsql_catalog_get_entry (self->execution->catalog, schema),
                                         name->span, error);
}

/* @name: folded. ALTER and DROP … IF EXISTS find what exists for the role. */
static gboolean
check_sequence_owner (const Check *self, const KvsqlName *name, gboolean if_exists, GError **error)
{
  const KvsqlExecution *execution = self->execution;
  g_autofree gchar *key = name->is_double_quoted ? g_strdup (name->text)
                                                 : kvsql_name_fold (name->text, name->is_quoted);
  const KvsqlNumberSequence *sequence
      = kvsql_authority_lookup_sequence (&execution->authority, execution->catalog, key);

  if (sequence == NULL)
    return if_exists
           || (kvsql_catalog_check_known (execution->catalog, error)
               && kvsql_fail_unknown_sequence (key, name->span, error));
  return kvsql_authority_owns_sequence (&execution->authority, sequence)
         || kvsql_error_set (error, KVSQL_ERROR_NOT_ALLOWED, name->span,
                             "must be owner of sequence \"%s\"", sequence->name);
}

static gboolean
fail_view (const KvsqlName *name, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_NOT_ALLOWED, name->span, "permission denied for view \"%s\"",
                   name->text);
  return kvsql_error_hint (error, "A view has no owner: roles with SUPERUSER replace and drop it.");
}

/* Views have no owner, so only a role without limits changes those that exist. */
static gboolean
check_changed_view (Check *self, const KvsqlName *name, GError **error)
{
  const KvsqlExecution *execution = self->execution;
  const KvsqlView *view = kvsql_catalog_lookup_view (execution->catalog, name);

  if (view == NULL)
    return TRUE;
  return check_view (self, view, name, error) && fail_view (name, error);
}

/* DROP … IF EXISTS finds what exists for the role. */
static gboolean
check_one_drop (Check *self, const KvsqlDrop *drop, GError **error)
{
  const KvsqlExecution *execution = self->execution;
  gboolean exists
      = drop->is_schema
            ? kvsql_authority_lookup_schema (&execution->authority, execution->catalog, &drop->name)
                  != NULL
            : kvsql_authority_lookup (&execution->authority, execution->catalog, &drop->name)
                  != NULL;

  if (drop->is_view)
    return check_changed_view (self, &drop->name, error);
  if (drop->is_sequence)
    return check_sequence_owner (self, &drop->name, drop->if_exists, error);
  if (drop->if_exists && !exists)
    return TRUE;
  return drop->is_schema ? check_schema_owner (self, &drop->name, error)
                         : check_owner (self, &drop->name, error);
}

static gboolean
check_drop (Check *self, const KvsqlDrop *drop, GError **error)
{
  KvsqlDrop one = *drop;

  if (!check_one_drop (self, drop, error))
    return FALSE;
  for (guint i = 0; i < drop->n_others; i++)
    {
      one.name = drop->others[i];
      if (!check_one_drop (self, &one, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
check_new_relation (const Check *self, const KvsqlName *name, GError **error)
{
  const KvsqlExecution *execution = self->execution;

  if (!kvsql_catalog_check_known (execution->catalog, error))
    return FALSE;
  if (kvsql_authority_may_define_some (&execution->authority, execution->catalog))
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_NOT_ALLOWED, name->span,
                   "permission denied to define relations");
  return kvsql_error_hint (error, "Role \"%s\" needs DEFINE ON TABLES LIKE a pattern.",
                           kvsql_authority_get_name (&execution->authority));
}

static gboolean
check_sequence (const Check *self, const KvsqlCreateSequence *statement, GError **error)
{
  const KvsqlName *relation = &statement->options.owner;

  return (statement->is_alter
              ? check_sequence_owner (self, &statement->name, statement->if_exists, error)
              : check_new_relation (self, &statement->name, error))
         && (relation->text == NULL || check_owner (self, relation, error));
}

static gboolean
check_new_view (Check *self, const KvsqlCreateView *create, GError **error)
{
  return check_new_relation (self, &create->name, error)
         && (!create->is_replacement || check_changed_view (self, &create->name, error))
         && check_select (self, create->query, error);
}

/* ---- SHOW and DESCRIBE */

/* A relation, a view or a schema. @must_own: or only see it */
static gboolean
check_either (Check *self, const KvsqlName *name, gboolean must_own, GError **error)
{
  const KvsqlExecution *execution = self->execution;
  const KvsqlAuthority *authority = &execution->authority;
  const KvsqlCatalogEntry *entry = kvsql_authority_lookup (authority, execution->catalog, name);
  const KvsqlSchema *schema
      = entry == NULL ? kvsql_authority_lookup_schema (authority, execution->catalog, name) : NULL;
  const KvsqlView *view;

  if (schema != NULL)
    entry = kvsql_catalog_get_entry (execution->catalog, schema);
  if (entry == NULL && (view = kvsql_catalog_lookup_view (execution->catalog, name)) != NULL)
    return must_own ? check_changed_view (self, name, error) : check_view (self, view, name, error);
  if (entry == NULL)
    return kvsql_authority_fail_unknown (authority, execution->catalog, "relation or schema", name,
                                         error);
  return !must_own || kvsql_authority_check_owner (authority, entry, name->span, error);
}

static gboolean
check_show (Check *self, const KvsqlAstStatement *statement, GError **error)
{
  const KvsqlShow *show = &statement->show;

  switch (show->what)
    {
    case KVSQL_SHOW_SCHEMAS:
      return show->name.text == NULL || find_relation (self, &show->name, error) != NULL;
    case KVSQL_SHOW_HISTORY:
      if (show->name.text != NULL)
        return check_either (self, &show->name, TRUE, error);
      kvsql_error_set (error, KVSQL_ERROR_NOT_ALLOWED, statement->span,
                       "permission denied for the history of all definitions");
      return kvsql_error_hint (error, "SHOW HISTORY FOR a relation that you own is allowed.");
    case KVSQL_SHOW_CREATE:
      return show->name.is_store_table ? check_store_table (self, &show->name, error)
                                       : check_either (self, &show->name, FALSE, error);
    case KVSQL_SHOW_GRANTS:
      return !show->is_on || find_relation (self, &show->name, error) != NULL;
    default: /* they leave out what the role may not see */
      return TRUE;
    }
}

/* ---- statements */

static gboolean
check_shown (const Check *self, const KvsqlName *name, GError **error)
{
  const KvsqlCatalogEntry *entry = find_relation (self, name, error);

  return entry != NULL
         && kvsql_authority_check (&self->execution->authority, entry, KVSQL_RIGHT_SELECT,
                                   &entry->relation->all, name->span, error);
}

/* The cells that a write would replace, or delete, have attributes of tuples that are there. */
static gboolean
check_explained_write (const Check *self, const KvsqlExplain *explain, GError **error)
{
  const KvsqlAstStatement *statement = explain->statement;

  switch (statement->kind)
    {
    case KVSQL_STATEMENT_INSERT:
      return check_shown (self, &statement->insert.relation, error);
    case KVSQL_STATEMENT_UPDATE:
      return !explain->has_calls || check_shown (self, &statement->update.relation, error);
    case KVSQL_STATEMENT_DELETE:
      return !explain->has_calls || check_shown (self, &statement->delete_.relation, error);
    case KVSQL_STATEMENT_TRUNCATE:
      for (guint i = 0; i < statement->truncate.n_relations; i++)
        if (!check_shown (self, &statement->truncate.relations[i], error))
          return FALSE;
      return TRUE;
    default:
      return TRUE;
    }
}

static gboolean
check_explain (Check *self, const KvsqlExplain *explain, GError **error)
{
  for (guint i = 0; i < explain->n_schemas; i++)
    if (explain->schemas[i].relation.text != NULL
        && find_relation (self, &explain->schemas[i].relation, error) == NULL)
      return FALSE;
  return check_statement (self, explain->statement, error)
         && check_explained_write (self, explain, error);
}

static gboolean
check_statement (Check *self, const KvsqlAstStatement *statement, GError **error)
{
  switch (statement->kind)
    {
    case KVSQL_STATEMENT_SELECT:
      return check_select (self, &statement->select, error);
    case KVSQL_STATEMENT_INSERT:
      return check_insert (self, &statement->insert, error);
    case KVSQL_STATEMENT_UPDATE:
      return check_update (self, &statement->update, error);
    case KVSQL_STATEMENT_DELETE:
      return check_delete (self, &statement->delete_, error);
    case KVSQL_STATEMENT_TRUNCATE:
      return check_truncate (self, &statement->truncate, error);
    case KVSQL_STATEMENT_EXPLAIN:
      return check_explain (self, &statement->explain, error);
    case KVSQL_STATEMENT_DESCRIBE:
      return statement->describe.name.is_store_table
                 ? check_store_table (self, &statement->describe.name, error)
                 : check_either (self, &statement->describe.name, FALSE, error);
    case KVSQL_STATEMENT_SHOW:
      return check_show (self, statement, error);
    case KVSQL_STATEMENT_DEFINE_RELATION:
      return check_new_relation (self, &statement->define_relation.name, error);
    case KVSQL_STATEMENT_CREATE_TABLE:
      return check_new_relation (self, &statement->create_table.relation.name, error)
             && (statement->create_table.query == NULL
                 || check_select (self, statement->create_table.query, error));
    case KVSQL_STATEMENT_CREATE_SEQUENCE:
      return check_sequence (self, &statement->create_sequence, error);
    case KVSQL_STATEMENT_CREATE_VIEW:
      return check_new_view (self, &statement->create_view, error);
    case KVSQL_STATEMENT_DEFINE_SCHEMA:
      return check_owner (self, &statement->define_schema.relation, error);
    case KVSQL_STATEMENT_CREATE_INDEX:
      return check_owner (self, &statement->create_index.relation, error);
    case KVSQL_STATEMENT_DROP:
      return check_drop (self, &statement->drop, error);
    case KVSQL_STATEMENT_ALTER:
      return check_owner (self, &statement->alter.relation, error);
    case KVSQL_STATEMENT_COMMENT:
      return statement->comment.is_schema
                 ? check_schema_owner (self, &statement->comment.name, error)
                 : check_owner (self, &statement->comment.name, error);
    case KVSQL_STATEMENT_RESTORE:
      return statement->restore.is_schema
                 ? check_schema_owner (self, &statement->restore.name, error)
                 : check_owner (self, &statement->restore.name, error);
    case KVSQL_STATEMENT_ANALYZE:
      return check_owner (self, &statement->analyze.relation, error);
    case KVSQL_STATEMENT_BACKFILL:
    case KVSQL_STATEMENT_VERIFY:
    case KVSQL_STATEMENT_REPAIR:
      return check_schema_owner (self, &statement->maintain.schema, error);
    case KVSQL_STATEMENT_BACKUP:
    case KVSQL_STATEMENT_CALIBRATE:
    case KVSQL_STATEMENT_COPY: /* as the statements that a front end makes of it */
    case KVSQL_STATEMENT_KILL:
    case KVSQL_STATEMENT_ROLE:
    case KVSQL_STATEMENT_GRANT:
    case KVSQL_STATEMENT_SET_ROLE:
    case KVSQL_STATEMENT_RESET: /* what it has a right to see */
      return TRUE;              /* the daemon knows who may; GRANT decides by its objects */
    }
  g_assert_not_reached ();
}

gboolean
kvsql_execution_check_rights (const KvsqlExecution *self, const KvsqlAstStatement *statement,
                              gboolean *out_checks_attributes, GError **error)
{
  Check check = { .execution = self };

  *out_checks_attributes = FALSE;
  if (!self->authority.is_limited)
    return TRUE;
  if (!check_statement (&check, statement, error))
    return FALSE;
  *out_checks_attributes = check.checks_attributes;
  return TRUE;
}
