/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * execute-command.c: see execute-command.h.
 */
#include "config.h"

#include "daemon/postgres/execute-command.h"

/* The arguments, as the only row of a result. @arena: of its text. (transfer full) */
static KvsqldPgPortal *
evaluate (KvsqldPgSession *session, KvsqlSlice arguments, KvsqlArena *arena, GError **error)
{
  const gchar *sql = kvsql_arena_printf (arena, "VALUES (%.*s)", (gint)arguments.size,
                                         (const gchar *)arguments.data);
  KvsqldPgSource source = { kvsql_slice_from_text (sql), 0 };
  g_autoptr (KvsqldPgStatement) statement
      = kvsqld_pg_statement_new (session, source.text, &source, error);
  g_autoptr (KvsqldPgPortal) portal = NULL;

  if (statement == NULL)
    return NULL;
  portal = kvsqld_pg_portal_new (statement);
  return kvsqld_pg_portal_start (portal, 0, error) ? g_steal_pointer (&portal) : NULL;
}

static gboolean
fail_count (const KvsqldPgStatement *prepared, const gchar *name, guint n, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_SYNTAX, KVSQL_SPAN_NONE,
                   "wrong number of parameters for prepared statement \"%s\"", name);
  return kvsql_error_detail (error, "Expected %u parameters but got %u.", prepared->n_parameters,
                             n);
}

/* The values are converted to the types of the parameters as texts. */
static gboolean
set_parameters (KvsqldPgPortal *self, const KvsqldPgPortal *arguments, GError **error)
{
  guint n = self->statement->n_parameters;
  g_autofree KvsqldPgWriter *writers = g_new0 (KvsqldPgWriter, n);
  const KvsqlBatch *rows = arguments->page->rows;

  if (!kvsqld_pg_find_writers (rows, arguments->columns, arguments->sent, (KvsqldPgFormats){ 0 },
                               writers, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      KvsqlBuffer text = { 0 };
      gboolean ok = TRUE;

      kvsqld_pg_put_value (&text, &rows->columns[i], 0, writers[i]);
      if (!kvsql_vector_is_null (&rows->columns[i], 0))
        ok = kvsqld_pg_portal_set_parameter (self, i, FALSE,
                                             kvsql_slice (text.data + 4, text.size - 4), error);
      kvsql_buffer_clear (&text);
      if (!ok)
        return FALSE;
    }
  return TRUE;
}

/* Parse prepares an EXECUTE, too. */
static gboolean
check_no_execute (const KvsqldPgStatement *prepared, GError **error)
{
  return prepared->command.kind != KVSQLD_PG_EXECUTE
         || kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, KVSQL_SPAN_NONE,
                             "EXECUTE of another EXECUTE is not supported");
}

static KvsqldPgPortal *
execute (KvsqldPgStatement *statement, GError **error)
{
  const KvsqldPgCommand *command = &statement->command;
  KvsqldPgStatement *prepared = kvsqld_pg_statement_find (statement->session, command->name, error);
  g_autoptr (KvsqldPgPortal) self = NULL, arguments = NULL;
  guint n;

  if (prepared == NULL || !check_no_execute (prepared, error))
    return NULL;
  self = kvsqld_pg_portal_new (prepared);
  if (command->inner.size > 0
      && (arguments = evaluate (statement->session, command->inner, self->arena, error)) == NULL)
    return NULL;
  n = arguments != NULL ? arguments->n_columns : 0;
  if (n != prepared->n_parameters)
    {
      fail_count (prepared, command->name, n, error);
      return NULL;
    }
  kvsqld_pg_portal_clear_parameters (self);
  return n == 0 || set_parameters (self, arguments, error) ? g_steal_pointer (&self) : NULL;
}

KvsqldPgPortal *
kvsqld_pg_portal_of (KvsqldPgStatement *statement, GError **error)
{
  KvsqldPgPortal *self;

  if (statement->command.kind != KVSQLD_PG_EXECUTE)
    return kvsqld_pg_portal_new (statement);
  self = execute (statement, error);
  if (self == NULL)
    kvsql_error_move (error, KVSQL_SPAN_NONE);
  return self;
}
