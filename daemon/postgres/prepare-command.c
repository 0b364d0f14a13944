/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * prepare-command.c: see prepare-command.h.
 */
#include "config.h"

#include "daemon/postgres/prepare-command.h"

#include "daemon/postgres/type.h"

#define MAX_PARAMETERS G_MAXUINT16 /* that ParameterDescription can have */

/* The number of a type, by the name that CAST takes. */
static gboolean
find_type (KvsqldPgSession *session, KvsqlSlice name, guint32 *out, GError **error)
{
  KvsqldRequest request = kvsqld_pg_session_get_request (session);
  g_autofree gchar *sql
      = g_strdup_printf ("SELECT CAST (NULL AS %.*s)", (gint)name.size, (const gchar *)name.data);
  KvsqldPrepared *prepared;
  g_autoptr (GError) unheard = NULL;

  request.wants_types = TRUE;
  prepared
      = kvsqld_service_prepare (session->service, &request, kvsql_slice_from_text (sql), error);
  if (prepared == NULL)
    return FALSE;
  *out = kvsqld_pg_type_of_column (&prepared->columns[0])->oid;
  if (!kvsqld_service_close_statement (session->service, &request, prepared->id, &unheard))
    g_info ("prepared statement: %s", unheard->message);
  kvsqld_prepared_free (prepared);
  return TRUE;
}

/* Only what EXECUTE can give an end to: PostgreSQL has no other ones. */
static gboolean
check_kind (const KvsqldPgStatement *statement, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqldPgCommand command;

  if (!kvsqld_pg_command_read (statement->command.inner, arena, &command, error))
    return FALSE;
  if ((command.kind == KVSQLD_PG_ENGINE || command.kind == KVSQLD_PG_CATALOGUE)
      && command.count != KVSQLD_PG_COUNT_NOTHING)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_SYNTAX, (KvsqlSpan){ 0, 1 }, "PREPARE does not take %s",
                   command.tag);
  return kvsql_error_hint (error, "It takes SELECT, VALUES, INSERT, UPDATE and DELETE.");
}

static gboolean
prepare (const KvsqldPgStatement *statement, const guint32 *oids, GError **error)
{
  KvsqldPgSource source = { statement->command.inner, 0 };

  return check_kind (statement, error)
         && kvsqld_pg_statement_prepare (statement->session, statement->command.name, &source, oids,
                                         statement->command.n_types, error);
}

gboolean
kvsqld_pg_prepare_command (const KvsqldPgStatement *statement, GError **error)
{
  const KvsqldPgCommand *command = &statement->command;
  g_autofree guint32 *oids = g_new0 (guint32, command->n_types + 1);
  gint32 offset = (gint32)(command->inner.data - statement->sql.data);

  if (command->n_types > MAX_PARAMETERS)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                            "a statement has at most %d parameters", MAX_PARAMETERS);
  for (guint i = 0; i < command->n_types; i++)
    if (!kvsqld_pg_session_check (statement->session, command, error))
      return FALSE;
    else if (!find_type (statement->session, command->types[i], &oids[i], error))
      {
        const KvsqlSpan span = { (gint32)(command->types[i].data - statement->sql.data),
                                 (gint32)command->types[i].size };

        return kvsql_error_move (error, span);
      }
  if (prepare (statement, oids, error))
    return TRUE;
  if (error != NULL && kvsql_error_get_span (*error).length > 0)
    {
      KvsqlSpan span = kvsql_error_get_span (*error);

      span.offset += offset;
      kvsql_error_move (error, span);
    }
  return FALSE;
}
