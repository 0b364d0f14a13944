/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * query.c: see query.h.
 */
#include "config.h"

#include "daemon/postgres/query.h"

#include "core/sql/parser.h"
#include "daemon/postgres/copy-in.h"
#include "daemon/postgres/execute-command.h"

static gboolean
run_portal (KvsqldPgPortal *portal, GError **error)
{
  if (!kvsqld_pg_portal_start (portal, 0, error))
    return FALSE;
  if (portal->n_columns > 0)
    kvsqld_pg_put_row_description (&portal->session->output, portal->columns, portal->n_columns,
                                   portal->sent, portal->formats,
                                   portal->statement->command.is_explain);
  return kvsqld_pg_portal_execute (portal, 0, error);
}

static gboolean
run (KvsqldPgSession *session, KvsqlSlice sql, KvsqldPgSource *source, GError **error)
{
  g_autoptr (KvsqldPgStatement) statement = kvsqld_pg_statement_new (session, sql, source, error);
  g_autoptr (KvsqldPgPortal) portal = NULL;

  if (statement == NULL)
    return FALSE;
  portal = kvsqld_pg_portal_of (statement, error);
  if (portal == NULL)
    return FALSE;
  if (run_portal (portal, error))
    return TRUE;
  /* a position would be one in the text of PREPARE */
  return portal->statement == statement ? FALSE : kvsql_error_move (error, KVSQL_SPAN_NONE);
}

/* PostgreSQL would take back what earlier statements of the text have written. */
static void
warn_of_earlier (KvsqldPgSession *session)
{
  if (session->block.state == KVSQLD_PG_IDLE)
    kvsqld_pg_session_warn_of_changes (session, &session->block.changes);
}

static void
fail_statement (KvsqldPgSession *session, const GError *error, const KvsqldPgSource *source)
{
  kvsqld_pg_session_fail (session, error, source);
  warn_of_earlier (session);
}

/* Runs the statements from @offset on. FALSE: one of them is a COPY that waits for its data. */
static gboolean
run_all (KvsqldPgSession *session, KvsqlSlice text, gsize offset, gboolean is_empty)
{
  gboolean is_complete;
  KvsqlSlice sql;

  while (kvsql_sql_split (text, &offset, &sql, &is_complete) && session->output.error == NULL)
    {
      KvsqldPgSource source = { text, (gsize)(sql.data - text.data) };
      g_autoptr (GError) error = NULL;

      is_empty = FALSE;
      if (!run (session, sql, &source, &error))
        {
          fail_statement (session, error, &source);
          break;
        }
      if (session->copy_in != NULL)
        {
          kvsqld_pg_copy_in_keep_text (session->copy_in, text, offset);
          return FALSE;
        }
    }
  if (is_empty)
    kvsqld_pg_output_put_empty (&session->output, KVSQLD_PG_EMPTY_QUERY);
  return TRUE;
}

static void
end_query (KvsqldPgSession *session)
{
  if (session->block.state == KVSQLD_PG_IDLE)
    {
      session->block.changes = (KvsqldPgChanges){ 0 };
      g_hash_table_remove_all (session->portals);
    }
  kvsqld_pg_session_put_ready (session);
}

void
kvsqld_pg_query (KvsqldPgSession *session, KvsqlSlice text)
{
  g_hash_table_remove (session->portals, "");
  g_hash_table_remove (session->statements, "");
  if (run_all (session, text, 0, TRUE))
    end_query (session);
}

/* ---- data of COPY */

void
kvsqld_pg_query_copy (KvsqldPgSession *session, KvsqldPgMessage *message)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *text = NULL;
  gsize size, offset;
  gboolean is_simple, is_done;
  gboolean ok = kvsqld_pg_copy_in_message (session->copy_in, message, &is_done, &error);

  if (ok && !is_done)
    return;
  is_simple = kvsqld_pg_copy_in_take_text (session->copy_in, &text, &size, &offset);
  g_clear_pointer (&session->copy_in, kvsqld_pg_copy_in_free);
  if (!ok)
    fail_statement (session, error, NULL);
  session->skips_to_sync = !ok && !is_simple;
  if (is_simple
      && (!ok || run_all (session, kvsql_slice ((const guint8 *)text, size), offset, FALSE)))
    end_query (session);
}
