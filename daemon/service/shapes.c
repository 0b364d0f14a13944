/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * shapes.c: counts statements by their shapes; SHOW and RESET STATEMENT STATISTICS.
 *
 * The shape is looked up before a statement is executed, because its tree may belong to a cursor
 * afterwards. A cached plan and a prepared statement remember their fingerprints.
 */
#include "config.h"

#include "core/sql/fingerprint.h"
#include "core/sql/normalize.h"
#include "daemon/log/log.h"
#include "daemon/service/service-private.h"

#define LONG_SHAPE "… (too large)"

static const gchar *
get_role (const KvsqldContext *self)
{
  return self->authority.role != NULL ? self->authority.role->name : "";
}

/* Where the fingerprint of a statement that is kept is remembered. */
static guint64 *
get_remembered (const KvsqldContext *self, const KvsqlAstStatement *statement)
{
  if (self->kept != NULL && self->kept->statement == statement)
    return &self->kept->fingerprint;
  if (self->parsed != NULL && self->parsed->statement == statement)
    return &self->parsed->fingerprint;
  return NULL;
}

static guint64
get_fingerprint (const KvsqldContext *self, const KvsqlAstStatement *statement)
{
  guint64 *remembered = get_remembered (self, statement);
  guint64 fingerprint = remembered != NULL ? __atomic_load_n (remembered, __ATOMIC_RELAXED) : 0;

  if (fingerprint != 0)
    return fingerprint;
  fingerprint = kvsql_statement_fingerprint (
      statement, kvsqld_statement_statistics_get_seed (self->service->shapes), NULL);
  if (remembered != NULL)
    __atomic_store_n (remembered, fingerprint, __ATOMIC_RELAXED);
  return fingerprint;
}

static KvsqldShape *
add_shape (const KvsqldContext *self, const KvsqlAstStatement *statement, guint64 fingerprint)
{
  KvsqldStatementStatistics *shapes = self->service->shapes;
  g_autoptr (KvsqlArena) arena = NULL;
  g_autofree gchar *text = NULL;
  gboolean is_whole;

  kvsql_statement_fingerprint (statement, kvsqld_statement_statistics_get_seed (shapes), &is_whole);
  if (!is_whole)
    return kvsqld_statement_statistics_add (shapes, fingerprint, get_role (self), LONG_SHAPE,
                                            FALSE);
  arena = kvsql_arena_new ();
  text = kvsql_statement_normalize (statement, arena);
  return kvsqld_statement_statistics_add (shapes, fingerprint, get_role (self), text, TRUE);
}

void
kvsqld_context_note_shape (KvsqldContext *self, const KvsqlAstStatement *statement)
{
  guint64 fingerprint;

  if (self->limits.max_statement_shapes == 0 || self->shape != NULL)
    return;
  fingerprint = get_fingerprint (self, statement);
  if (fingerprint == 0)
    return;
  self->shape
      = kvsqld_statement_statistics_find (self->service->shapes, fingerprint, get_role (self));
  if (self->shape == NULL)
    self->shape = add_shape (self, statement, fingerprint);
}

void
kvsqld_context_note_inserted (KvsqldContext *self, const KvsqlAstStatement *insert, guint n_columns)
{
  KvsqlAstExpr *values, **row;
  KvsqlAstStatement statement = *insert;

  if (self->limits.max_statement_shapes == 0)
    return;
  values = kvsql_arena_array (self->arena, KvsqlAstExpr, n_columns);
  row = kvsql_arena_array (self->arena, KvsqlAstExpr *, n_columns);
  for (guint i = 0; i < n_columns; i++)
    {
      values[i] = (KvsqlAstExpr){ .kind = KVSQL_AST_PARAMETER };
      row[i] = &values[i];
    }
  statement.insert.rows = &row;
  statement.insert.n_rows = 1;
  statement.insert.n_values = n_columns;
  kvsqld_context_note_shape (self, &statement);
}

void
kvsqld_context_count_shape (KvsqldContext *self, gboolean ok, gint64 duration_us)
{
  const KvsqldShapeUse use = { .is_fetch = self->kind == KVSQLD_REQUEST_FETCH,
                               .is_error = !ok,
                               .began_ms = self->began_ms,
                               .duration_us = duration_us,
                               .n_rows = self->n_rows,
                               .usage = &self->usage };

  kvsqld_shape_count (self->shape, &use);
  g_clear_pointer (&self->shape, kvsqld_shape_unref);
}

/* ---- SHOW STATEMENT STATISTICS */

static gboolean
is_visible (const gchar *role, gpointer data)
{
  const KvsqldContext *context = data;

  return !context->authority.is_limited
         || (role[0] != '\0' && kvsql_authority_acts_as (&context->authority, role));
}

static const gchar *
print_count (KvsqlArena *arena, const KvsqlCount *count)
{
  return kvsql_arena_printf (arena, "%" G_GINT64_FORMAT, kvsql_count_get (count));
}

static const gchar *
print_ms (KvsqlArena *arena, gdouble us)
{
  return kvsql_arena_printf (arena, "%.3f", us / 1000);
}

static void
show_shape (const KvsqldShape *shape, KvsqlResultPage *page)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autofree gchar *hash = kvsqld_log_statement_hash (shape->text, strlen (shape->text));
  g_autofree gchar *since = kvsql_time_text (shape->since_ms);
  gint64 last_ms = kvsql_count_get (&shape->last_ms);
  g_autofree gchar *last = kvsql_time_text (last_ms != 0 ? last_ms : shape->since_ms);
  gint64 total_us = kvsql_count_get (&shape->total_us);
  gint64 n_calls = kvsql_count_get (&shape->n_calls);
  const gchar *row[] = { shape->role[0] != '\0' ? shape->role : NULL,
                         hash,
                         print_count (arena, &shape->n_calls),
                         print_count (arena, &shape->n_errors),
                         print_count (arena, &shape->n_rows),
                         print_ms (arena, (gdouble)total_us),
                         print_ms (arena, (gdouble)total_us / (gdouble)MAX (n_calls, 1)),
                         print_ms (arena, (gdouble)kvsql_count_get (&shape->max_us)),
                         print_count (arena, &shape->n_rows_read),
                         print_count (arena, &shape->n_cells_read),
                         print_count (arena, &shape->n_store_calls),
                         since,
                         last,
                         shape->is_whole ? "yes" : "no",
                         shape->text };

  kvsql_result_page_add_row (page, row);
}

KvsqlResultPage *
kvsqld_show_statement_statistics (KvsqldContext *context, GError **error)
{
  static const gchar *const names[]
      = { "role",      "hash",       "calls",       "errors", "rows", "ms",    "mean ms",  "max ms",
          "rows read", "cells read", "store calls", "since",  "last", "whole", "statement" };
  KvsqldStatementStatistics *shapes = context->service->shapes;
  g_autoptr (KvsqlResultPage) page = kvsql_result_page_new_table (names, G_N_ELEMENTS (names));
  g_autoptr (GPtrArray) list = kvsqld_statement_statistics_list (shapes);
  gint64 n_evicted = kvsqld_statement_statistics_get_n_evicted (shapes);

  for (guint i = 0; i < list->len; i++)
    {
      const KvsqldShape *shape = list->pdata[i];

      if (!kvsql_interrupt_poll (error))
        return NULL;
      if (is_visible (shape->role, context))
        show_shape (shape, page);
    }
  if (context->limits.max_statement_shapes == 0)
    kvsql_result_page_note (page, "nothing is counted, because max_statement_shapes is 0");
  if (n_evicted > 0)
    kvsql_result_page_note (page,
                            "%" G_GINT64_FORMAT " shapes were evicted, because there may be %u at "
                            "once (max_statement_shapes)",
                            n_evicted, context->limits.max_statement_shapes);
  return g_steal_pointer (&page);
}

KvsqlResultPage *
kvsqld_run_reset (KvsqldContext *context, G_GNUC_UNUSED GError **error)
{
  kvsqld_statement_statistics_reset (context->service->shapes,
                                     context->authority.is_limited ? is_visible : NULL, context);
  return kvsql_result_page_new_empty (-1);
}
