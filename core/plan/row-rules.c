/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * row-rules.c: see the header.
 */
#include "config.h"

#include "core/plan/row-rules.h"

#include "core/base/text.h"
#include "core/expr/evaluate.h"
#include "core/plan/bind.h"

#define MAX_SHOWN_BYTES 64 /* of a value, as in PostgreSQL */

/* ---- binding */

/* What a definition can use: neither names that are not @relation's, nor parameters, nor
 * subqueries. */
static KvsqlBinder
make_binder (const KvsqlBinder *statement, const KvsqlRelation *relation, const gchar *clause)
{
  return (KvsqlBinder){ .relation = relation,
                        .clause = clause,
                        .now = statement->now,
                        .user = statement->user,
                        .session_user = statement->session_user,
                        .is_lazy = TRUE,
                        .arena = statement->arena };
}

KvsqlExpr *
kvsql_row_rules_bind_default (const KvsqlBinder *binder, const KvsqlAttribute *attribute,
                              const KvsqlAstExpr *expr, GError **error)
{
  const KvsqlBinder nameless = make_binder (binder, NULL, "DEFAULT");
  KvsqlExpr *bound = kvsql_expr_bind (&nameless, expr, error);

  return bound == NULL ? NULL : kvsql_expr_assign (&nameless, bound, attribute, error);
}

KvsqlExpr *
kvsql_row_rules_bind_check (const KvsqlBinder *binder, const KvsqlRelation *relation,
                            const KvsqlAstExpr *expr, GError **error)
{
  const KvsqlBinder named = make_binder (binder, relation, "CHECK");

  return kvsql_expr_bind_boolean (&named, expr, "CHECK", error);
}

static void
collect_columns (const KvsqlExpr *expr, KvsqlAttributeSet *out)
{
  if (expr->kind == KVSQL_EXPR_COLUMN)
    kvsql_attribute_set_add (out, expr->column);
  for (guint i = 0; i < expr->n_children; i++)
    collect_columns (expr->children[i], out);
}

static gboolean
bind_all (KvsqlRowRules *self, const KvsqlBinder *binder, GError **error)
{
  const KvsqlRelation *relation = self->relation;

  for (guint a = 0; a < relation->n_attributes; a++)
    {
      const KvsqlAttribute *attribute = &relation->attributes[a];

      if (attribute->default_expr == NULL)
        continue;
      self->defaults[a]
          = kvsql_row_rules_bind_default (binder, attribute, attribute->default_expr, error);
      if (self->defaults[a] == NULL)
        return FALSE;
    }
  for (guint i = 0; i < relation->n_checks; i++)
    {
      self->checks[i]
          = kvsql_row_rules_bind_check (binder, relation, relation->checks[i].expr, error);
      if (self->checks[i] == NULL)
        return FALSE;
      collect_columns (self->checks[i], &self->checked);
    }
  return TRUE;
}

const KvsqlRowRules *
kvsql_row_rules_bind (const KvsqlBinder *binder, const KvsqlRelation *relation, GError **error)
{
  KvsqlRowRules *self = kvsql_arena_new0 (binder->arena, KvsqlRowRules);

  self->relation = relation;
  self->defaults = kvsql_arena_array (binder->arena, KvsqlExpr *, relation->n_attributes);
  self->checks = kvsql_arena_array (binder->arena, KvsqlExpr *, relation->n_checks);
  return bind_all (self, binder, error) ? self : NULL;
}

/* ---- DEFAULT */

gboolean
kvsql_row_rules_is_volatile (const KvsqlRowRules *self, guint attribute)
{
  return self->defaults[attribute] != NULL && kvsql_expr_is_volatile (self->defaults[attribute]);
}

gboolean
kvsql_row_rules_get_default (const KvsqlRowRules *self, guint attribute, KvsqlArena *arena,
                             KvsqlValue *out, GError **error)
{
  KvsqlValue value;

  if (self->defaults[attribute] == NULL)
    return kvsql_bind_convert (self->relation, attribute,
                               &self->relation->attributes[attribute].default_value, arena, out,
                               error);
  return kvsql_expr_evaluate (self->defaults[attribute], NULL, arena, &value, error)
         && kvsql_bind_convert (self->relation, attribute, &value, arena, out, error);
}

/* ---- CHECK */

static void
append_shown (const KvsqlValue *value, GString *out)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gsize size;

  if (kvsql_value_is_null (value))
    {
      g_string_append (out, "null");
      return;
    }
  kvsql_value_append_text (value, text);
  for (size = MIN (text->len, MAX_SHOWN_BYTES);
       size > 0 && size < text->len && ((guchar)text->str[size] & 0xc0) == 0x80;)
    size--;
  g_string_append_len (out, text->str, (gssize)size);
  g_string_append (out, size < text->len ? "..." : "");
}

static gboolean
fail_check (const KvsqlRowRules *self, guint check, const KvsqlValue *tuple, GError **error)
{
  g_autoptr (GString) row = g_string_new (NULL);

  for (guint a = 0; a < self->relation->n_attributes; a++)
    {
      g_string_append (row, a == 0 ? "" : ", ");
      append_shown (&tuple[a], row);
    }
  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                   "new row for relation \"%s\" violates check constraint \"%s\"",
                   self->relation->name, self->relation->checks[check].name);
  kvsql_error_sqlstate (error, "23514");
  return kvsql_error_detail (error, "Failing row contains (%s).", row->str);
}

gboolean
kvsql_row_rules_check (const KvsqlRowRules *self, const KvsqlValue *tuple, KvsqlArena *arena,
                       GError **error)
{
  for (guint i = 0; i < self->relation->n_checks; i++)
    {
      KvsqlValue value;

      if (!kvsql_expr_evaluate (self->checks[i], tuple, arena, &value, error))
        return FALSE;
      if (!kvsql_value_is_null (&value) && !value.boolean)
        return fail_check (self, i, tuple, error);
    }
  return TRUE;
}
