/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * session.c: see session.h.
 */
#include "config.h"

#include "daemon/postgres/session.h"

KvsqldRequest
kvsqld_pg_session_get_request (const KvsqldPgSession *self)
{
  const gchar *read_only = self->block.state == KVSQLD_PG_IDLE ? "default_transaction_read_only"
                                                               : "transaction_read_only";

  return (KvsqldRequest){ .timeout_ms = kvsqld_pg_settings_get_timeout_ms (self->settings),
                          .is_read_only
                          = g_str_equal (kvsqld_pg_settings_get (self->settings, read_only), "on"),
                          .cancellable = self->cancellable,
                          .peer = self->peer,
                          .session = self->activity,
                          .identity = self->identity };
}

gchar *
kvsqld_pg_session_get_version (const KvsqldPgSession *self)
{
  return g_strdup_printf ("PostgreSQL %s (kvsql %s)",
                          kvsqld_pg_settings_get (self->settings, "server_version"), KVSQL_VERSION);
}

void
kvsqld_pg_session_note_client (KvsqldPgSession *self)
{
  const gchar *name = kvsqld_pg_settings_get (self->settings, "application_name");

  if (self->activity != NULL && name[0] != '\0' && g_utf8_validate (name, -1, NULL))
    kvsqld_session_set_client (self->activity, name);
}

gboolean
kvsqld_pg_session_is_cancelled (const KvsqldPgSession *self)
{
  return g_atomic_int_get (&self->cancel.is_cancelled);
}

void
kvsqld_pg_session_begin_answers (KvsqldPgSession *self)
{
  g_atomic_int_set (&self->cancel.is_cancelled, FALSE);
}

gboolean
kvsqld_pg_session_check (const KvsqldPgSession *self, const KvsqldPgCommand *command,
                         GError **error)
{
  if (self->activity != NULL && kvsqld_session_is_ended (self->activity))
    {
      kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE, "the session was ended");
      return kvsql_error_sqlstate (error, "57P01");
    }
  if (kvsqld_pg_session_is_cancelled (self))
    return kvsql_error_set (error, KVSQL_ERROR_DEADLINE, KVSQL_SPAN_NONE, "cancelled");
  if (self->block.state != KVSQLD_PG_FAILED || kvsqld_pg_command_ends_failure (command))
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_CONFLICT, KVSQL_SPAN_NONE,
                   "current transaction is aborted, commands ignored until end of transaction "
                   "block");
  return kvsql_error_sqlstate (error, "25P02");
}

gboolean
kvsqld_pg_session_check_memory (const KvsqldPgSession *self, GError **error)
{
  return kvsqld_service_check_holding (self->service, self->holding, error);
}

void
kvsqld_pg_session_fail (KvsqldPgSession *self, const GError *error, const KvsqldPgSource *source)
{
  g_autoptr (GError) cancelled = NULL;

  if (g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE)
      && kvsqld_pg_session_is_cancelled (self))
    {
      const gchar *detail = kvsql_error_get_detail (error);

      kvsql_error_set (&cancelled, KVSQL_ERROR_DEADLINE, KVSQL_SPAN_NONE,
                       "canceling statement due to user request");
      if (detail != NULL)
        kvsql_error_detail (&cancelled, "%s", detail);
    }
  kvsqld_pg_report_error (&self->output, "ERROR", cancelled != NULL ? cancelled : error, source);
  kvsqld_pg_block_fail (&self->block);
}

void
kvsqld_pg_session_warn_of_changes (KvsqldPgSession *self, const KvsqldPgChanges *changes)
{
  g_autofree gchar *text = kvsqld_pg_changes_describe (changes);

  if (text != NULL)
    kvsqld_pg_report_notice (&self->output, "WARNING", "01000", text,
                             "Each statement takes effect at once, in a transaction block too.");
}

static void
apply_least_severity (KvsqldPgSession *self)
{
  const gchar *least = kvsqld_pg_settings_get (self->settings, "client_min_messages");

  self->output.hides_warnings = g_ascii_strcasecmp (least, "error") == 0;
  self->output.hides_notices
      = self->output.hides_warnings || g_ascii_strcasecmp (least, "warning") == 0;
}

void
kvsqld_pg_session_put_ready (KvsqldPgSession *self)
{
  apply_least_severity (self);
  kvsqld_pg_settings_report (self->settings, FALSE, &self->output);
  kvsqld_pg_output_begin (&self->output, KVSQLD_PG_READY);
  kvsql_buffer_append_byte (&self->output.buffer, (guint8)self->block.state);
  kvsqld_pg_output_end (&self->output);
  self->is_ready = TRUE;
}
