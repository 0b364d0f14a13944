/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * predicate-text.c: a predicate in the form in which a user would write it.
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/plan/explain-private.h"
#include "core/plan/explain.h"
#include "core/sql/printer.h"

static void
append_like (const KvsqlLike *like, GString *out)
{
  GString *pattern = g_string_new (NULL);
  KvsqlValue value = { .type = KVSQL_TYPE_STRING };

  for (gsize i = 0; i < like->size; i++)
    {
      if (like->kinds[i] == 0
          && (like->bytes[i] == '%' || like->bytes[i] == '_' || like->bytes[i] == '\\'))
        g_string_append_c (pattern, '\\');
      g_string_append_c (pattern, like->bytes[i]);
    }
  value.bytes = kvsql_slice (pattern->str, pattern->len);
  kvsql_value_append_literal (&value, out);
  g_string_free (pattern, TRUE);
}

static gboolean
is_connective (const KvsqlPredicate *predicate)
{
  return predicate->kind == KVSQL_PREDICATE_EXPRESSION
         && (predicate->expr->kind == KVSQL_EXPR_AND || predicate->expr->kind == KVSQL_EXPR_OR);
}

static void
append_children (const KvsqlPredicate *predicate, const KvsqlRelation *relation, GString *out)
{
  const gchar *word = predicate->kind == KVSQL_PREDICATE_AND ? " AND " : " OR ";

  for (guint i = 0; i < predicate->n_children && kvsql_interrupt_tick (); i++)
    {
      gboolean needs_brackets = predicate->children[i]->kind == KVSQL_PREDICATE_OR
                                || predicate->children[i]->kind == KVSQL_PREDICATE_AND
                                || is_connective (predicate->children[i]);
      if (i > 0)
        g_string_append (out, word);
      if (needs_brackets)
        g_string_append_c (out, '(');
      kvsql_predicate_append_text (predicate->children[i], relation, out);
      if (needs_brackets)
        g_string_append_c (out, ')');
    }
}

void
kvsql_predicate_append_text (const KvsqlPredicate *predicate, const KvsqlRelation *relation,
                             GString *out)
{
  const gchar *name = relation->attributes[predicate->attribute].name;

  switch (predicate->kind)
    {
    case KVSQL_PREDICATE_CONSTANT:
      g_string_append (out, predicate->truth ? "TRUE" : "FALSE");
      break;
    case KVSQL_PREDICATE_COMPARE:
      g_string_append_printf (out, "%s %s ", name, kvsql_operator_get_text (predicate->op));
      kvsql_value_append_literal (&predicate->value, out);
      break;
    case KVSQL_PREDICATE_ATTRIBUTES:
      g_string_append_printf (out, "%s %s %s", name, kvsql_operator_get_text (predicate->op),
                              relation->attributes[predicate->other].name);
      break;
    case KVSQL_PREDICATE_IN:
      g_string_append_printf (out, "%s %sIN (", name, predicate->is_negated ? "NOT " : "");
      for (guint i = 0; i < predicate->n_values && kvsql_interrupt_tick (); i++)
        {
          if (i > 0)
            g_string_append (out, ", ");
          kvsql_value_append_literal (&predicate->values[i], out);
        }
      g_string_append_c (out, ')');
      break;
    case KVSQL_PREDICATE_LIKE:
      g_string_append_printf (out, "%s %sLIKE ", name, predicate->is_negated ? "NOT " : "");
      append_like (predicate->like, out);
      break;
    case KVSQL_PREDICATE_IS_NULL:
      g_string_append_printf (out, "%s IS %sNULL", name, predicate->is_negated ? "NOT " : "");
      break;
    case KVSQL_PREDICATE_EXPRESSION:
      kvsql_expr_append_text (predicate->expr, out);
      break;
    case KVSQL_PREDICATE_AND:
    case KVSQL_PREDICATE_OR:
      append_children (predicate, relation, out);
      break;
    }
}

void
kvsql_explain_append_predicate (const KvsqlPredicate *predicate, const KvsqlRelation *relation,
                                GString *out)
{
  gsize most = out->len + KVSQL_EXPLAIN_BYTES_SHOWN;

  kvsql_predicate_append_text (predicate, relation, out);
  if (out->len <= most)
    return;
  while (most > 0 && (out->str[most] & 0xc0) == 0x80)
    most--;
  g_string_truncate (out, most);
  g_string_append (out, "…");
}
