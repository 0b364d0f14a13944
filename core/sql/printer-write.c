/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * printer-write.c: canonical text of SELECT, INSERT, UPDATE and DELETE.
 */
#include "config.h"

#include "core/sql/printer-private.h"
#include "core/sql/printer.h"

/* ---- clauses */

static void
print_clause (const gchar *keyword, const KvsqlAstExpr *expr, GString *out)
{
  if (expr == NULL)
    return;
  g_string_append (out, keyword);
  kvsql_print_expression (expr, out);
}

static void
print_order_by (const KvsqlOrderItem *items, guint n, GString *out)
{
  static const gchar *const nulls[] = {
    [KVSQL_NULLS_DEFAULT] = "",
    [KVSQL_NULLS_FIRST] = " NULLS FIRST",
    [KVSQL_NULLS_LAST] = " NULLS LAST",
  };

  for (guint i = 0; i < n; i++)
    {
      g_string_append (out, i == 0 ? " ORDER BY " : ", ");
      kvsql_print_expression (items[i].expr, out);
      if (items[i].is_descending)
        g_string_append (out, " DESC");
      g_string_append (out, nulls[items[i].nulls]);
    }
}

static void
print_items (const KvsqlSelectItem *items, guint n, GString *out)
{
  for (guint i = 0; i < n; i++)
    {
      g_string_append (out, i == 0 ? "" : ", ");
      if (items[i].star_of.text != NULL)
        kvsql_print_name (&items[i].star_of, out);
      if (items[i].expr == NULL)
        g_string_append (out, items[i].star_of.text != NULL ? ".*" : "*");
      else
        kvsql_print_expression (items[i].expr, out);
      if (items[i].alias.text != NULL)
        {
          g_string_append (out, " AS ");
          kvsql_print_name (&items[i].alias, out);
        }
    }
}

static void
print_relation (const KvsqlName *name, const KvsqlName *alias, GString *out)
{
  kvsql_print_name (name, out);
  if (alias->text == NULL)
    return;
  g_string_append (out, " AS ");
  kvsql_print_name (alias, out);
}

static void
print_names (const KvsqlName *names, guint n, GString *out)
{
  for (guint i = 0; i < n; i++)
    {
      g_string_append (out, i == 0 ? " (" : ", ");
      kvsql_print_name (&names[i], out);
    }
  if (n > 0)
    g_string_append_c (out, ')');
}

/* What can name itself has to be in a WITH. */
static void
print_recursive (const KvsqlSource *source, GString *out)
{
  g_string_append (out, "(WITH RECURSIVE ");
  kvsql_print_name (&source->query->recursive_name, out);
  g_string_append (out, " AS (");
  kvsql_print_select (source->query, out);
  g_string_append (out, ") SELECT * FROM ");
  kvsql_print_name (&source->query->recursive_name, out);
  g_string_append (out, ") AS ");
  kvsql_print_name (&source->relation, out);
  print_names (source->columns, source->n_columns, out);
}

/* A function in FROM, with its arguments. */
static void
print_call (const KvsqlSelect *query, GString *out)
{
  kvsql_print_name (&query->function->name, out);
  g_string_append (out, " (");
  kvsql_print_expressions (query->rows[0], query->n_values, out);
  g_string_append (out, query->function->has_ordinality ? ") WITH ORDINALITY" : ")");
}

static void
print_function (const KvsqlSource *source, GString *out)
{
  g_string_append (out, source->is_lateral ? "LATERAL " : "");
  print_call (source->query, out);
  g_string_append (out, " AS ");
  kvsql_print_name (&source->relation, out);
  print_names (source->columns, source->n_columns, out);
}

static void
print_source (const KvsqlSource *source, GString *out)
{
  if (source->query != NULL && source->query->function != NULL)
    {
      print_function (source, out);
      return;
    }
  if (source->query != NULL && source->query->working_of != NULL)
    {
      print_relation (&source->query->working_of->recursive_name, &source->relation, out);
      print_names (source->columns, source->n_columns, out);
      return;
    }
  if (source->query != NULL && source->query->recursive_name.text != NULL)
    {
      print_recursive (source, out);
      return;
    }
  if (source->query != NULL)
    {
      g_string_append (out, source->is_lateral ? "LATERAL (" : "(");
      kvsql_print_select (source->query, out);
      g_string_append (out, ") AS ");
      kvsql_print_name (&source->relation, out);
      print_names (source->columns, source->n_columns, out);
      return;
    }
  print_relation (&source->relation, &source->alias, out);
  if (source->using_schema.text == NULL)
    return;
  g_string_append (out, " USING SCHEMA ");
  kvsql_print_name (&source->using_schema, out);
}

static const gchar *
join_words (const KvsqlJoin *join)
{
  static const gchar *const words[][2] = { { " JOIN ", " NATURAL JOIN " },
                                           { " LEFT JOIN ", " NATURAL LEFT JOIN " },
                                           { " RIGHT JOIN ", " NATURAL RIGHT JOIN " },
                                           { " FULL JOIN ", " NATURAL FULL JOIN " } };

  if (join->is_comma)
    return ", ";
  if (!join->is_natural && join->on == NULL && join->n_names == 0)
    return " CROSS JOIN ";
  return words[join->kind][join->is_natural ? 1 : 0];
}

static void
print_join (const KvsqlSelect *select, const KvsqlJoin *self, GString *out)
{
  gboolean has_parentheses;

  if (self->left == NULL)
    {
      print_source (kvsql_select_get_source (select, self->source), out);
      return;
    }
  has_parentheses = !self->is_comma && self->right->left != NULL;
  print_join (select, self->left, out);
  g_string_append_printf (out, "%s%s", join_words (self), has_parentheses ? "(" : "");
  print_join (select, self->right, out);
  g_string_append (out, has_parentheses ? ")" : "");
  print_clause (" ON ", self->on, out);
  if (self->n_names > 0)
    g_string_append (out, " USING");
  print_names (self->names, self->n_names, out);
}

/* The relations that an UPDATE or DELETE reads. @self: nullable */
static void
print_read (const gchar *keyword, const KvsqlSelect *self, GString *out)
{
  if (self == NULL)
    return;
  g_string_append (out, keyword);
  print_join (self, self->join->right, out);
}

/* A value of VALUES or SET. An attribute called DEFAULT is written in parentheses. */
static void
print_value (const KvsqlAstExpr *expr, GString *out)
{
  gboolean is_name = expr != NULL && expr->kind == KVSQL_AST_NAME && expr->qualifier.text == NULL
                     && !expr->name.is_quoted && !expr->name.is_double_quoted
                     && g_ascii_strcasecmp (expr->name.text, "DEFAULT") == 0;

  if (expr == NULL)
    g_string_append (out, "DEFAULT");
  else if (is_name)
    g_string_append_printf (out, "(%s)", expr->name.text);
  else
    kvsql_print_expression (expr, out);
}

static void
print_assignments (const KvsqlAssignment *assignments, guint n, GString *out)
{
  for (guint i = 0; i < n; i++)
    {
      g_string_append (out, i == 0 ? " SET " : ", ");
      kvsql_print_name (&assignments[i].name, out);
      g_string_append (out, " = ");
      print_value (assignments[i].expr, out);
    }
}

/* In the original order, to keep the order of positional parameters. */
static void
print_end (const KvsqlAstExpr *timestamp, const KvsqlSelectItem *returning, guint n_returning,
           GString *out)
{
  gboolean is_timestamp_last
      = timestamp != NULL && n_returning > 0 && returning[0].span.offset < timestamp->span.offset;

  if (!is_timestamp_last)
    print_clause (" USING TIMESTAMP ", timestamp, out);
  if (n_returning > 0)
    g_string_append (out, " RETURNING ");
  print_items (returning, n_returning, out);
  if (is_timestamp_last)
    print_clause (" USING TIMESTAMP ", timestamp, out);
}

/* ---- statements */

static void
print_operand (const KvsqlSetOperation *set, const KvsqlSelect *operand, gboolean is_first,
               GString *out)
{
  gboolean is_tighter = operand->set != NULL && operand->set->kind == KVSQL_SET_INTERSECT
                        && set->kind != KVSQL_SET_INTERSECT;
  gboolean is_same_tightness
      = operand->set != NULL && is_first
        && (operand->set->kind == KVSQL_SET_INTERSECT) == (set->kind == KVSQL_SET_INTERSECT);
  gboolean is_bare = operand->n_order_by == 0 && operand->limit == NULL && operand->offset == NULL
                     && !operand->is_verified
                     && (operand->set == NULL || is_tighter || is_same_tightness);

  g_string_append (out, is_bare ? "" : "(");
  kvsql_print_select (operand, out);
  g_string_append (out, is_bare ? "" : ")");
}

static void
print_set (const KvsqlSetOperation *self, GString *out)
{
  static const gchar *const words[] = { [KVSQL_SET_UNION] = " UNION ",
                                        [KVSQL_SET_INTERSECT] = " INTERSECT ",
                                        [KVSQL_SET_EXCEPT] = " EXCEPT " };

  for (guint i = 0; i < self->n_operands; i++)
    {
      if (i > 0)
        g_string_append_printf (out, "%s%s", words[self->kind], self->is_all ? "ALL " : "");
      print_operand (self, self->operands[i], i == 0, out);
    }
}

static void
print_rows (KvsqlAstExpr ***rows, guint n_rows, guint n_values, GString *out)
{
  g_string_append (out, "VALUES ");
  for (guint i = 0; i < n_rows; i++)
    {
      g_string_append (out, i == 0 ? "(" : ", (");
      for (guint j = 0; j < n_values; j++)
        {
          g_string_append (out, j == 0 ? "" : ", ");
          print_value (rows[i][j], out);
        }
      g_string_append_c (out, ')');
    }
}

static void
print_body (const KvsqlSelect *self, GString *out)
{
  g_string_append (out, self->is_distinct ? "SELECT DISTINCT " : "SELECT ");
  if (self->n_distinct_on > 0)
    {
      g_string_append (out, "DISTINCT ON (");
      kvsql_print_expressions (self->distinct_on, self->n_distinct_on, out);
      g_string_append (out, ") ");
    }
  print_items (self->items, self->n_items, out);
  if (self->from.relation.text != NULL)
    {
      g_string_append (out, " FROM ");
      if (self->join != NULL)
        print_join (self, self->join, out);
      else
        print_source (&self->from, out);
    }
  print_clause (" WHERE ", self->where, out);
  if (self->n_group_by > 0)
    {
      g_string_append (out, self->is_group_distinct ? " GROUP BY DISTINCT " : " GROUP BY ");
      kvsql_print_groups (self->group_by, self->n_group_by, out);
    }
  print_clause (" HAVING ", self->having, out);
  for (guint i = 0; i < self->n_windows; i++)
    {
      g_string_append (out, i == 0 ? " WINDOW " : ", ");
      kvsql_print_name (&self->windows[i]->window->name, out);
      g_string_append (out, " AS ");
      kvsql_print_window (self->windows[i], out);
    }
}

void
kvsql_print_select (const KvsqlSelect *self, GString *out)
{
  if (self->set != NULL)
    print_set (self->set, out);
  else if (self->function != NULL)
    print_call (self, out);
  else if (self->rows != NULL)
    print_rows (self->rows, self->n_rows, self->n_values, out);
  else
    print_body (self, out);
  print_order_by (self->order_by, self->n_order_by, out);
  print_clause (" LIMIT ", self->limit, out);
  print_clause (" OFFSET ", self->offset, out);
  if (self->is_verified)
    g_string_append (out, " WITH VERIFIED");
}

void
kvsql_print_insert (const KvsqlInsert *self, GString *out)
{
  g_string_append (out, "INSERT INTO ");
  kvsql_print_name (&self->relation, out);
  print_names (self->attributes, self->n_attributes, out);
  g_string_append_c (out, ' ');
  if (self->select != NULL)
    kvsql_print_select (self->select, out);
  else
    print_rows (self->rows, self->n_rows, self->n_values, out);
  if (self->on_conflict != KVSQL_CONFLICT_REPLACE)
    {
      g_string_append (out, " ON CONFLICT");
      print_names (self->conflict_attributes, self->n_conflict_attributes, out);
      g_string_append (out,
                       self->on_conflict == KVSQL_CONFLICT_NOTHING ? " DO NOTHING" : " DO UPDATE");
      print_assignments (self->assignments, self->n_assignments, out);
      print_clause (" WHERE ", self->conflict_where, out);
    }
  print_end (self->using_timestamp, self->returning, self->n_returning, out);
}

void
kvsql_print_update (const KvsqlUpdate *self, GString *out)
{
  g_string_append (out, "UPDATE ");
  print_relation (&self->relation, &self->alias, out);
  print_assignments (self->assignments, self->n_assignments, out);
  print_read (" FROM ", self->from, out);
  print_clause (" WHERE ", self->where, out);
  print_order_by (self->order_by, self->n_order_by, out);
  print_clause (" LIMIT ", self->limit, out);
  print_end (self->using_timestamp, self->returning, self->n_returning, out);
}

void
kvsql_print_delete (const KvsqlDelete *self, GString *out)
{
  if (self->is_truncate)
    {
      g_string_append (out, "TRUNCATE ");
      kvsql_print_name (&self->relation, out);
      return;
    }
  g_string_append (out, "DELETE FROM ");
  print_relation (&self->relation, &self->alias, out);
  print_read (" USING ", self->from, out);
  print_clause (" WHERE ", self->where, out);
  print_order_by (self->order_by, self->n_order_by, out);
  print_clause (" LIMIT ", self->limit, out);
  print_end (self->using_timestamp, self->returning, self->n_returning, out);
}

void
kvsql_print_truncate (const KvsqlTruncate *self, GString *out)
{
  g_string_append (out, "TRUNCATE ");
  for (guint i = 0; i < self->n_relations; i++)
    {
      if (i > 0)
        g_string_append (out, ", ");
      kvsql_print_name (&self->relations[i], out);
    }
  if (self->restarts_sequences)
    g_string_append (out, " RESTART IDENTITY");
}
