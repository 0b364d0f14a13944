/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * extended.c: see extended.h.
 */
#include "config.h"

#include "daemon/postgres/extended.h"

#include "daemon/postgres/execute-command.h"

/* ---- Parse */

static gboolean
parse (KvsqldPgSession *session, KvsqldPgMessage *message, KvsqldPgSource *source, GError **error)
{
  const gchar *name = kvsqld_pg_get_text (message);
  const gchar *text = kvsqld_pg_get_text (message);
  guint n = kvsqld_pg_get_int16 (message);
  g_autofree guint32 *oids = NULL;

  if (n > (gsize)(message->end - message->at) / 4)
    message->is_bad = TRUE;
  oids = g_new0 (guint32, MAX (n, 1));
  for (guint i = 0; i < n && !message->is_bad; i++)
    oids[i] = kvsqld_pg_get_int32 (message);
  source->text = kvsql_slice_from_text (text);
  if (!kvsqld_pg_message_check (message, error)
      || !kvsqld_pg_statement_prepare (session, name, source, oids, n, error))
    return FALSE;
  kvsqld_pg_output_put_empty (&session->output, KVSQLD_PG_PARSE_COMPLETE);
  return TRUE;
}

/* ---- Bind */

/* By one of the statement that EXECUTE names. */
static gboolean
replace_portal (KvsqldPgPortal **portal, GError **error)
{
  const KvsqldPgFormats formats = (*portal)->formats;
  KvsqldPgPortal *executed = kvsqld_pg_portal_of ((*portal)->statement, error);
  guint16 *copies;

  if (executed == NULL)
    return FALSE;
  copies = kvsql_arena_array (executed->arena, guint16, formats.n_formats);
  for (guint i = 0; i < formats.n_formats; i++)
    copies[i] = formats.formats[i];
  executed->formats = (KvsqldPgFormats){ copies, formats.n_formats };
  kvsqld_pg_portal_unref (*portal);
  *portal = executed;
  return TRUE;
}

static gboolean
bind_portal (KvsqldPgSession *session, KvsqldPgMessage *message,
             G_GNUC_UNUSED KvsqldPgSource *source, GError **error)
{
  const gchar *name = kvsqld_pg_get_text (message);
  const gchar *statement_name = kvsqld_pg_get_text (message);
  KvsqldPgStatement *statement = kvsqld_pg_statement_find (session, statement_name, error);
  g_autoptr (KvsqldPgPortal) portal = NULL;

  if (statement == NULL
      || (!kvsqld_pg_statement_is_empty (statement)
          && !kvsqld_pg_session_check (session, &statement->command, error))
      || !kvsqld_pg_portal_check_name (session, name, "portal", error))
    return FALSE;
  portal = kvsqld_pg_portal_new (statement);
  if (!kvsqld_pg_portal_bind (portal, message, error)
      || (statement->command.kind == KVSQLD_PG_EXECUTE && !replace_portal (&portal, error)))
    return FALSE;
  g_hash_table_insert (session->portals, kvsql_arena_strdup (portal->arena, name), portal);
  g_steal_pointer (&portal);
  kvsqld_pg_output_put_empty (&session->output, KVSQLD_PG_BIND_COMPLETE);
  return TRUE;
}

/* ---- Describe */

static void
put_parameter_description (KvsqldPgOutput *out, const KvsqldPgStatement *statement)
{
  kvsqld_pg_output_begin (out, KVSQLD_PG_PARAMETER_DESCRIPTION);
  kvsqld_pg_put_int16 (&out->buffer, (guint16)statement->n_parameters);
  for (guint i = 0; i < statement->n_parameters; i++)
    kvsqld_pg_put_int32 (&out->buffer, statement->parameter_oids[i]);
  kvsqld_pg_output_end (out);
}

/* The columns of SHOW and the like are those of an execution, which is then forgotten. */
static gboolean
describe_shown (KvsqldPgStatement *statement, GError **error)
{
  g_autoptr (KvsqldPgPortal) portal = kvsqld_pg_portal_new (statement);

  return kvsqld_pg_portal_describe (portal, error);
}

static gboolean
describe_statement (KvsqldPgSession *session, const gchar *name, GError **error)
{
  static const KvsqlResultColumn plan = { .name = "QUERY PLAN", .type = KVSQL_TYPE_STRING };
  KvsqldPgStatement *statement = kvsqld_pg_statement_find (session, name, error);
  KvsqldPgColumns known;

  if (statement == NULL)
    return FALSE;
  known = kvsqld_pg_statement_get_columns (statement);
  put_parameter_description (&session->output, statement);
  if (kvsqld_pg_command_only_shows (&statement->command)
      || statement->command.kind == KVSQLD_PG_FETCH)
    return describe_shown (statement, error);
  if (statement->command.is_explain)
    kvsqld_pg_put_row_description (&session->output, &plan, 1, NULL, (KvsqldPgFormats){ 0 }, TRUE);
  else if (known.n_columns > 0)
    kvsqld_pg_put_row_description (&session->output, known.columns, known.n_columns, known.sent,
                                   (KvsqldPgFormats){ 0 }, FALSE);
  else
    kvsqld_pg_output_put_empty (&session->output, KVSQLD_PG_NO_DATA);
  return TRUE;
}

static gboolean
describe_portal (KvsqldPgSession *session, const gchar *name, GError **error)
{
  g_autoptr (KvsqldPgPortal) portal = kvsqld_pg_portal_find (session, name, "portal", error);

  return portal != NULL && kvsqld_pg_portal_describe (portal, error);
}

static gboolean
fail_kind (gchar kind, GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_PROTOCOL, KVSQL_SPAN_NONE,
                          "a message is about 0x%02x, neither a statement (S) nor a portal (P)",
                          (guint8)kind);
}

static gboolean
describe (KvsqldPgSession *session, KvsqldPgMessage *message, G_GNUC_UNUSED KvsqldPgSource *source,
          GError **error)
{
  gchar kind = kvsqld_pg_get_byte (message);
  const gchar *name = kvsqld_pg_get_text (message);

  if (!kvsqld_pg_message_check (message, error))
    return FALSE;
  if (kind == 'S')
    return describe_statement (session, name, error);
  return kind == 'P' ? describe_portal (session, name, error) : fail_kind (kind, error);
}

/* ---- Execute, Close, Sync */

static gboolean
execute (KvsqldPgSession *session, KvsqldPgMessage *message, KvsqldPgSource *source, GError **error)
{
  const gchar *name = kvsqld_pg_get_text (message);
  guint32 max_rows = kvsqld_pg_get_int32 (message);
  g_autoptr (KvsqldPgPortal) portal = NULL;

  if (!kvsqld_pg_message_check (message, error)
      || (portal = kvsqld_pg_portal_find (session, name, "portal", error)) == NULL)
    return FALSE;
  if (kvsqld_pg_statement_is_empty (portal->statement))
    {
      kvsqld_pg_output_put_empty (&session->output, KVSQLD_PG_EMPTY_QUERY);
      return TRUE;
    }
  *source = portal->statement->source;
  /* a negative number means all, too */
  return kvsqld_pg_portal_execute (portal, max_rows <= G_MAXINT32 ? max_rows : 0, error);
}

static gboolean
close_one (KvsqldPgSession *session, KvsqldPgMessage *message, G_GNUC_UNUSED KvsqldPgSource *source,
           GError **error)
{
  gchar kind = kvsqld_pg_get_byte (message);
  const gchar *name = kvsqld_pg_get_text (message);

  if (!kvsqld_pg_message_check (message, error))
    return FALSE;
  if (kind != 'S' && kind != 'P')
    return fail_kind (kind, error);
  g_hash_table_remove (kind == 'S' ? session->statements : session->portals, name);
  kvsqld_pg_output_put_empty (&session->output, KVSQLD_PG_CLOSE_COMPLETE);
  return TRUE;
}

/* Portals live as long as their transaction: outside of blocks, until Sync. */
static void
handle_sync (KvsqldPgSession *session)
{
  session->skips_to_sync = FALSE;
  if (session->block.state == KVSQLD_PG_IDLE)
    {
      session->block.changes = (KvsqldPgChanges){ 0 };
      g_hash_table_remove_all (session->portals);
    }
  kvsqld_pg_session_put_ready (session);
}

static const struct
{
  gchar type;
  gboolean (*handle) (KvsqldPgSession *session, KvsqldPgMessage *message, KvsqldPgSource *source,
                      GError **error);
} handlers[] = {
  { 'B', bind_portal }, { 'E', execute }, { 'P', parse }, { 'D', describe }, { 'C', close_one },
};

gboolean
kvsqld_pg_extended (KvsqldPgSession *session, KvsqldPgMessage *message)
{
  if (message->type == 'S')
    {
      handle_sync (session);
      return TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (handlers); i++)
    if (handlers[i].type == message->type)
      {
        KvsqldPgSource source = { 0 };
        g_autoptr (GError) error = NULL;

        if (session->skips_to_sync || handlers[i].handle (session, message, &source, &error))
          return TRUE;
        kvsqld_pg_session_fail (session, error, &source);
        if (session->block.state == KVSQLD_PG_IDLE)
          kvsqld_pg_session_warn_of_changes (session, &session->block.changes);
        session->skips_to_sync = TRUE;
        return TRUE;
      }
  return FALSE;
}
