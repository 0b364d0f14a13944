/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * visit.c: see the header.
 */
#include "config.h"

#include "core/sql/visit.h"

#include "core/base/interrupt.h"

static void
visit_expr (KvsqlAstExpr *self, const KvsqlAstVisitor *visitor)
{
  if (self == NULL || !kvsql_interrupt_tick ())
    return;
  if (visitor->expr != NULL)
    visitor->expr (self, visitor->data);
  for (guint i = 0; i < self->n_children; i++)
    visit_expr (self->children[i], visitor);
  if (self->subquery != NULL)
    kvsql_select_visit (self->subquery, visitor);
}

static void
visit_exprs (KvsqlAstExpr **exprs, guint n, const KvsqlAstVisitor *visitor)
{
  for (guint i = 0; i < n; i++)
    visit_expr (exprs[i], visitor);
}

static void
visit_items (KvsqlSelectItem *items, guint n, const KvsqlAstVisitor *visitor)
{
  for (guint i = 0; i < n; i++)
    visit_expr (items[i].expr, visitor);
}

static void
visit_order (KvsqlOrderItem *items, guint n, const KvsqlAstVisitor *visitor)
{
  for (guint i = 0; i < n; i++)
    visit_expr (items[i].expr, visitor);
}

static void
visit_source (KvsqlSource *self, const KvsqlAstVisitor *visitor)
{
  if (visitor->source != NULL)
    visitor->source (self, visitor->data);
  if (self->query != NULL)
    kvsql_select_visit (self->query, visitor);
  if (visitor->after_source != NULL)
    visitor->after_source (self, visitor->data);
}

static void
visit_join (KvsqlJoin *self, const KvsqlAstVisitor *visitor)
{
  if (self == NULL || self->left == NULL)
    return;
  if (visitor->join != NULL)
    visitor->join (self, visitor->data);
  visit_join (self->left, visitor);
  visit_join (self->right, visitor);
  visit_expr (self->on, visitor);
}

static void
visit_from (KvsqlSelect *self, const KvsqlAstVisitor *visitor)
{
  if (self->from.relation.text == NULL)
    return;
  visit_source (&self->from, visitor);
  for (guint i = 0; i < self->n_joined; i++)
    visit_source (&self->joined[i], visitor);
  visit_join (self->join, visitor);
}

void
kvsql_select_visit (KvsqlSelect *self, const KvsqlAstVisitor *visitor)
{
  if (!kvsql_interrupt_tick ())
    return;
  if (visitor->select != NULL)
    visitor->select (self, visitor->data);
  for (guint i = 0; self->set != NULL && i < self->set->n_operands; i++)
    kvsql_select_visit (self->set->operands[i], visitor);
  for (guint i = 0; i < self->n_rows; i++)
    visit_exprs (self->rows[i], self->n_values, visitor);
  visit_exprs (self->distinct_on, self->n_distinct_on, visitor);
  visit_items (self->items, self->n_items, visitor);
  visit_from (self, visitor);
  visit_expr (self->where, visitor);
  visit_exprs (self->group_by, self->n_group_by, visitor);
  visit_expr (self->having, visitor);
  visit_exprs (self->windows, self->n_windows, visitor);
  visit_order (self->order_by, self->n_order_by, visitor);
  visit_expr (self->limit, visitor);
  visit_expr (self->offset, visitor);
}

/* ---- statements */

static void
visit_assignments (KvsqlAssignment *assignments, guint n, const KvsqlAstVisitor *visitor)
{
  for (guint i = 0; i < n; i++)
    visit_expr (assignments[i].expr, visitor);
}

static void
visit_insert (KvsqlInsert *self, const KvsqlAstVisitor *visitor)
{
  if (self->select != NULL)
    kvsql_select_visit (self->select, visitor);
  for (guint i = 0; i < self->n_rows; i++)
    visit_exprs (self->rows[i], self->n_values, visitor);
  visit_assignments (self->assignments, self->n_assignments, visitor);
  visit_expr (self->conflict_where, visitor);
  visit_expr (self->using_timestamp, visitor);
  visit_items (self->returning, self->n_returning, visitor);
}

/* FROM of an UPDATE, or USING of a DELETE, without the relation that is written. */
static void
visit_read (KvsqlSelect *self, const KvsqlAstVisitor *visitor)
{
  for (guint i = 0; self != NULL && i < self->n_joined; i++)
    visit_source (&self->joined[i], visitor);
  visit_join (self == NULL ? NULL : self->join, visitor);
}

static void
visit_update (KvsqlUpdate *self, const KvsqlAstVisitor *visitor)
{
  visit_assignments (self->assignments, self->n_assignments, visitor);
  visit_read (self->from, visitor);
  visit_expr (self->where, visitor);
  visit_order (self->order_by, self->n_order_by, visitor);
  visit_expr (self->limit, visitor);
  visit_expr (self->using_timestamp, visitor);
  visit_items (self->returning, self->n_returning, visitor);
}

static void
visit_delete (KvsqlDelete *self, const KvsqlAstVisitor *visitor)
{
  visit_read (self->from, visitor);
  visit_expr (self->where, visitor);
  visit_order (self->order_by, self->n_order_by, visitor);
  visit_expr (self->limit, visitor);
  visit_expr (self->using_timestamp, visitor);
  visit_items (self->returning, self->n_returning, visitor);
}

void
kvsql_statement_visit (KvsqlAstStatement *self, const KvsqlAstVisitor *visitor)
{
  switch (self->kind)
    {
    case KVSQL_STATEMENT_SELECT:
      kvsql_select_visit (&self->select, visitor);
      break;
    case KVSQL_STATEMENT_INSERT:
      visit_insert (&self->insert, visitor);
      break;
    case KVSQL_STATEMENT_UPDATE:
      visit_update (&self->update, visitor);
      break;
    case KVSQL_STATEMENT_DELETE:
      visit_delete (&self->delete_, visitor);
      break;
    case KVSQL_STATEMENT_EXPLAIN:
      kvsql_statement_visit (self->explain.statement, visitor);
      break;
    default:
      break;
    }
}

/* ---- positions */

static void
clear_names (KvsqlName *names, guint n)
{
  for (guint i = 0; i < n; i++)
    names[i].span = KVSQL_SPAN_NONE;
}

static void
clear_select (KvsqlSelect *self, G_GNUC_UNUSED gpointer data)
{
  self->verified_span = KVSQL_SPAN_NONE;
  if (self->set != NULL)
    self->set->span = KVSQL_SPAN_NONE;
  for (guint i = 0; i < self->n_items; i++)
    self->items[i].span = self->items[i].alias.span = KVSQL_SPAN_NONE;
}

static void
clear_source (KvsqlSource *self, G_GNUC_UNUSED gpointer data)
{
  self->relation.span = self->alias.span = self->using_schema.span = KVSQL_SPAN_NONE;
  clear_names (self->columns, self->n_columns);
}

static void
clear_join (KvsqlJoin *self, G_GNUC_UNUSED gpointer data)
{
  self->span = KVSQL_SPAN_NONE;
  clear_names (self->names, self->n_names);
}

static void
clear_expr (KvsqlAstExpr *self, G_GNUC_UNUSED gpointer data)
{
  self->span = self->op_span = KVSQL_SPAN_NONE;
  self->name.span = self->qualifier.span = self->cast_type.span = KVSQL_SPAN_NONE;
  if (self->window != NULL)
    self->window->name.span = self->window->base.span = self->window->frame_span = KVSQL_SPAN_NONE;
}

void
kvsql_select_clear_spans (KvsqlSelect *self)
{
  const KvsqlAstVisitor visitor
      = { .select = clear_select, .source = clear_source, .join = clear_join, .expr = clear_expr };

  kvsql_select_visit (self, &visitor);
}
