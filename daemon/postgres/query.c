/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * query.c: see query.h.
 */
#include "config.h"

#include "daemon/postgres/query.h"

#include "core/sql/parser.h"
#include "daemon/postgres/portal.h"

static gboolean
run (KvsqldPgSession *session, KvsqlSlice sql, KvsqldPgSource *source, GError **error)
{
  g_autoptr (KvsqldPgStatement) statement = kvsqld_pg_statement_new (session, sql, source, error);
  g_autoptr (KvsqldPgPortal) portal = NULL;

  if (statement == NULL)
    return FALSE;
  portal = kvsqld_pg_portal_new (statement);
  if (!kvsqld_pg_portal_start (portal, 0, error))
    return FALSE;
  if (portal->n_columns > 0)
    kvsqld_pg_put_row_description (&session->output, portal->columns, portal->n_columns,
                                   portal->sent, portal->formats, statement->command.is_explain);
  return kvsqld_pg_portal_execute (portal, 0, error);
}

/* PostgreSQL would take back what earlier statements of the text have written. */
static void
warn_of_earlier (KvsqldPgSession *session)
{
  if (session->block.state == KVSQLD_PG_IDLE)
    kvsqld_pg_session_warn_of_changes (session, &session->block.changes);
}

static void
run_all (KvsqldPgSession *session, KvsqlSlice text)
{
  gsize offset = 0;
  gboolean is_complete, is_empty = TRUE;
  KvsqlSlice sql;

  while (kvsql_sql_split (text, &offset, &sql, &is_complete) && session->output.error == NULL)
    {
      KvsqldPgSource source = { text, (gsize)(sql.data - text.data) };
      g_autoptr (GError) error = NULL;

      is_empty = FALSE;
      if (!run (session, sql, &source, &error))
        {
          kvsqld_pg_session_fail (session, error, &source);
          warn_of_earlier (session);
          break;
        }
    }
  if (is_empty)
    kvsqld_pg_output_put_empty (&session->output, KVSQLD_PG_EMPTY_QUERY);
}

void
kvsqld_pg_query (KvsqldPgSession *session, KvsqlSlice text)
{
  g_hash_table_remove (session->portals, "");
  g_hash_table_remove (session->statements, "");
  run_all (session, text);
  if (session->block.state == KVSQLD_PG_IDLE)
    {
      session->block.changes = (KvsqldPgChanges){ 0 };
      g_hash_table_remove_all (session->portals);
    }
  kvsqld_pg_session_put_ready (session);
}
