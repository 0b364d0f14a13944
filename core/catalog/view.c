/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * view.c: see view.h.
 */
#include "config.h"

#include "core/catalog/view.h"

#include "core/base/interrupt.h"
#include "core/schema/relation.h"
#include "core/sql/ast.h"
#include "core/sql/parser.h"
#include "core/sql/printer.h"
#include "core/sql/visit.h"

/* ---- what it names */

static void
add_use (KvsqlSource *source, gpointer data)
{
  GPtrArray *uses = data;

  if (source->query != NULL || source->relation.is_store_table)
    return;
  for (guint i = 0; i < uses->len; i++)
    {
      const KvsqlName *other = uses->pdata[i];

      if (other->is_quoted == source->relation.is_quoted
          && other->is_double_quoted == source->relation.is_double_quoted
          && strcmp (other->text, source->relation.text) == 0)
        return;
    }
  g_ptr_array_add (uses, &source->relation);
}

static void
collect_uses (KvsqlView *self)
{
  const KvsqlAstVisitor visitor = { .source = add_use, .data = self->uses };

  kvsql_select_visit (self->definition->query, &visitor);
}

gboolean
kvsql_view_names (const KvsqlView *self, const gchar *name, gboolean is_quoted)
{
  for (guint i = 0; i < self->uses->len; i++)
    if (kvsql_name_means (self->uses->pdata[i], name, is_quoted))
      return TRUE;
  return FALSE;
}

typedef struct
{
  const gchar *name;
  gboolean is_found;
} Attribute;

static void
look_at_expr (KvsqlAstExpr *expr, gpointer data)
{
  Attribute *self = data;

  if (expr->kind == KVSQL_AST_NAME && g_ascii_strcasecmp (expr->name.text, self->name) == 0)
    self->is_found = TRUE;
}

static void
look_at_join (KvsqlJoin *join, gpointer data)
{
  Attribute *self = data;

  for (guint i = 0; i < join->n_names; i++)
    if (g_ascii_strcasecmp (join->names[i].text, self->name) == 0)
      self->is_found = TRUE;
}

gboolean
kvsql_view_names_attribute (const KvsqlView *self, const gchar *name)
{
  Attribute attribute = { name, FALSE };
  const KvsqlAstVisitor visitor
      = { .expr = look_at_expr, .join = look_at_join, .data = &attribute };

  kvsql_select_visit (self->definition->query, &visitor);
  return attribute.is_found;
}

/* ---- life */

static void
view_clear (gpointer data)
{
  KvsqlView *self = data;

  g_free (self->text);
  g_ptr_array_unref (self->uses);
  kvsql_arena_free (self->arena);
}

KvsqlView *
kvsql_view_ref (KvsqlView *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
kvsql_view_unref (gpointer self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, view_clear);
}

KvsqlView *
kvsql_view_parse (const gchar *text, GError **error)
{
  g_autoptr (KvsqlView) self = g_atomic_rc_box_new0 (KvsqlView);
  KvsqlAstStatement *statement;

  self->text = g_strdup (text);
  self->arena = kvsql_arena_new ();
  self->uses = g_ptr_array_new ();
  statement = kvsql_parser_parse (kvsql_slice_from_text (self->text), self->arena, error);
  if (statement == NULL)
    return NULL;
  if (statement->kind != KVSQL_STATEMENT_CREATE_VIEW)
    {
      kvsql_error_set (error, KVSQL_ERROR_SYNTAX, statement->span, "expected CREATE VIEW");
      return NULL;
    }
  kvsql_select_clear_spans (statement->create_view.query);
  for (guint i = 0; i < statement->create_view.n_columns; i++)
    statement->create_view.columns[i].span = KVSQL_SPAN_NONE;
  self->definition = &statement->create_view;
  collect_uses (self);
  return kvsql_interrupt_poll (error) ? g_steal_pointer (&self) : NULL;
}

gchar *
kvsql_view_print (const KvsqlCreateView *definition)
{
  KvsqlAstStatement statement = { .kind = KVSQL_STATEMENT_CREATE_VIEW, .create_view = *definition };
  GString *out = g_string_new (NULL);

  statement.create_view.is_replacement = FALSE;
  kvsql_print_statement (&statement, out);
  return g_string_free (out, FALSE);
}
