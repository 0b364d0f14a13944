/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * expand-views.c: see the header.
 */
#include "config.h"

#include "core/plan/expand-views.h"

#include "core/base/interrupt.h"
#include "core/sql/copy.h"
#include "core/sql/parser.h"
#include "core/sql/visit.h"

/* Of views that name views, in all. */
#define MAX_HEIGHT (KVSQL_MAX_DEPTH / 2)

typedef struct
{
  const KvsqlCatalog *catalog;
  KvsqlArena *arena;
  const KvsqlView *forbidden; /* nullable */
  KvsqlSpan span;             /* of the name in the statement itself */
  guint n_around;             /* views around the present source */
  guint height;               /* of these */
  gsize n_bytes;
  GError **error;
  gboolean has_failed;
} Expansion;

/* ---- sequences */

static gboolean
names_sequence (const KvsqlCatalog *catalog, const KvsqlSelect *select)
{
  for (guint i = 0; i <= select->n_joined; i++)
    {
      const KvsqlSource *source = kvsql_select_get_source (select, i);

      if (source->query == NULL
          && kvsql_catalog_lookup_sequence (catalog, &source->relation) != NULL)
        return TRUE;
    }
  return FALSE;
}

gboolean
kvsql_statement_may_be_expanded (const KvsqlCatalog *catalog, const KvsqlAstStatement *statement)
{
  if (catalog->views->len > 0)
    return TRUE;
  if (g_hash_table_size (catalog->sequences) == 0)
    return FALSE;
  if (statement->kind == KVSQL_STATEMENT_INSERT)
    return statement->insert.select != NULL && names_sequence (catalog, statement->insert.select);
  return statement->kind == KVSQL_STATEMENT_SELECT && names_sequence (catalog, &statement->select);
}

/* The row that PostgreSQL has for a sequence. */
static KvsqlSelect *
read_sequence (const KvsqlNumberSequence *sequence, KvsqlArena *arena, GError **error)
{
  gboolean is_called;
  gint64 last = kvsql_number_sequence_get_last (sequence, &is_called);
  const gchar *text = kvsql_arena_printf (arena,
                                          "SELECT CAST ('%" G_GINT64_FORMAT
                                          "' AS BIGINT) AS last_value, CAST (0 AS BIGINT) AS "
                                          "log_cnt, %s AS is_called",
                                          last, is_called ? "TRUE" : "FALSE");
  KvsqlAstStatement *statement = kvsql_parser_parse (kvsql_slice_from_text (text), arena, error);

  return statement != NULL ? &statement->select : NULL;
}

/* ---- whether there are some */

typedef struct
{
  const KvsqlCatalog *catalog;
  gboolean is_found;
} Search;

static void
look_for_view (KvsqlSource *source, gpointer data)
{
  Search *self = data;

  if (source->query == NULL && !self->is_found)
    self->is_found = kvsql_catalog_lookup_view (self->catalog, &source->relation) != NULL
                     || kvsql_catalog_lookup_sequence (self->catalog, &source->relation) != NULL;
}

/* ---- limits */

static gboolean
check (Expansion *self, const KvsqlView *view)
{
  const gchar *name = view->definition->name.text;

  if (view == self->forbidden)
    {
      kvsql_error_set (self->error, KVSQL_ERROR_INVALID, self->span,
                       "view \"%s\" would read itself", name);
      return kvsql_error_sqlstate (self->error, "42P17");
    }
  if (self->height + view->definition->height > MAX_HEIGHT)
    return kvsql_error_set (self->error, KVSQL_ERROR_LIMIT, self->span,
                            "with its views written out, the query is nested more than %d levels "
                            "deep",
                            MAX_HEIGHT);
  if (self->n_bytes + view->definition->query_text.size > KVSQL_MAX_STATEMENT_BYTES)
    return kvsql_error_set (self->error, KVSQL_ERROR_LIMIT, self->span,
                            "with its views written out, the statement is longer than %d bytes",
                            KVSQL_MAX_STATEMENT_BYTES);
  return kvsql_interrupt_poll (self->error);
}

/* ---- sources */

/* Names after the alias replace the first ones of the definition. */
static void
set_columns (const Expansion *self, KvsqlSource *source, const KvsqlCreateView *definition)
{
  KvsqlName *columns = kvsql_arena_array (self->arena, KvsqlName, definition->n_columns + 1);

  for (guint i = 0; i < definition->n_columns; i++)
    columns[i] = i < source->n_columns ? source->columns[i] : definition->columns[i];
  if (source->n_columns >= definition->n_columns)
    return;
  source->columns = columns;
  source->n_columns = definition->n_columns;
}

static gboolean
check_no_schema (const Expansion *self, const KvsqlSource *source, const gchar *name,
                 const gchar *what)
{
  return source->using_schema.text == NULL
         || kvsql_error_set (self->error, KVSQL_ERROR_INVALID, source->using_schema.span,
                             "USING SCHEMA is for relations, and \"%s\" is a %s", name, what);
}

static gboolean
expand (Expansion *self, KvsqlSource *source, const KvsqlView *view)
{
  const KvsqlCreateView *definition = view->definition;
  KvsqlSpan span = source->relation.span;

  if (!check (self, view) || !check_no_schema (self, source, definition->name.text, "view"))
    return FALSE;
  self->n_bytes += definition->query_text.size;
  source->relation = source->alias.text != NULL ? source->alias : definition->name;
  source->relation.span = span;
  source->alias = (KvsqlName){ .span = KVSQL_SPAN_NONE };
  source->query = kvsql_select_copy (definition->query, self->arena);
  source->view = definition->name.text;
  set_columns (self, source, definition);
  return TRUE;
}

static gboolean
expand_sequence (Expansion *self, KvsqlSource *source, const KvsqlNumberSequence *sequence)
{
  if (!check_no_schema (self, source, sequence->name, "sequence"))
    return FALSE;
  source->query = read_sequence (sequence, self->arena, self->error);
  if (source->alias.text != NULL)
    source->relation = source->alias;
  source->alias = (KvsqlName){ .span = KVSQL_SPAN_NONE };
  return source->query != NULL;
}

static void
enter_source (KvsqlSource *source, gpointer data)
{
  Expansion *self = data;
  const KvsqlNumberSequence *sequence;
  const KvsqlView *view;

  if (self->has_failed || source->query != NULL)
    return;
  view = kvsql_catalog_lookup_view (self->catalog, &source->relation);
  if (view == NULL)
    {
      sequence = kvsql_catalog_lookup_sequence (self->catalog, &source->relation);
      self->has_failed = sequence != NULL && !expand_sequence (self, source, sequence);
      return;
    }
  if (self->n_around == 0)
    self->span = source->relation.span;
  self->has_failed = !expand (self, source, view);
  if (self->has_failed)
    return;
  self->n_around++;
  self->height += view->definition->height;
}

static void
leave_source (KvsqlSource *source, gpointer data)
{
  Expansion *self = data;
  const KvsqlView *view;
  KvsqlName name;

  if (self->has_failed || source->view == NULL)
    return;
  name = (KvsqlName){ .text = source->view, .is_quoted = TRUE };
  view = kvsql_catalog_lookup_view (self->catalog, &name);
  self->n_around--;
  self->height -= view->definition->height;
}

static const KvsqlAstVisitor *
make_visitor (Expansion *self, KvsqlAstVisitor *out)
{
  *out = (KvsqlAstVisitor){ .source = enter_source, .after_source = leave_source, .data = self };
  return out;
}

/* ---- statements */

const KvsqlAstStatement *
kvsql_views_expand (const KvsqlCatalog *catalog, const KvsqlAstStatement *statement,
                    KvsqlArena *arena, GError **error)
{
  Expansion self = { .catalog = catalog, .arena = arena, .error = error };
  Search search = { catalog, FALSE };
  KvsqlAstVisitor visitor = { .source = look_for_view, .data = &search };
  const KvsqlAstStatement *copy;

  if (catalog->views->len == 0 && g_hash_table_size (catalog->sequences) == 0)
    return statement;
  kvsql_statement_visit ((KvsqlAstStatement *)statement, &visitor);
  if (!search.is_found)
    return statement;
  copy = kvsql_statement_copy (statement, arena);
  kvsql_statement_visit ((KvsqlAstStatement *)copy, make_visitor (&self, &visitor));
  return !self.has_failed && kvsql_interrupt_poll (error) ? copy : NULL;
}

const KvsqlSelect *
kvsql_view_expand (const KvsqlCatalog *catalog, const KvsqlView *forbidden,
                   const KvsqlSelect *query, KvsqlArena *arena, GError **error)
{
  Expansion self = { .catalog = catalog, .arena = arena, .forbidden = forbidden, .error = error };
  KvsqlSelect *copy = kvsql_select_copy (query, arena);
  KvsqlAstVisitor visitor;

  kvsql_select_visit (copy, make_visitor (&self, &visitor));
  return !self.has_failed && kvsql_interrupt_poll (error) ? copy : NULL;
}

/* ---- errors */

gboolean
kvsql_source_locate_error (const KvsqlSource *source, GError **error)
{
  if (source->view == NULL || error == NULL || *error == NULL)
    return FALSE;
  kvsql_error_at (error, source->relation.span);
  return kvsql_error_get_detail (*error) == NULL
         && kvsql_error_detail (error, "It is in the query of view \"%s\".", source->view);
}
