/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * session.c: see session.h.
 */
#include "config.h"

#include "daemon/postgres/session.h"

/* Whether a write fails because it is in a block. */
static gboolean
refuses_writes (const KvsqldPgSession *self)
{
  return self->block.state != KVSQLD_PG_IDLE
         && g_str_equal (kvsqld_pg_settings_get (self->settings, "transactions"), "refuse");
}

static gboolean
is_on (const KvsqldPgSession *self, const gchar *setting)
{
  return g_str_equal (kvsqld_pg_settings_get (self->settings, setting), "on");
}

static gboolean
is_read_only (const KvsqldPgSession *self)
{
  const gchar *setting = self->block.state == KVSQLD_PG_IDLE ? "default_transaction_read_only"
                                                             : "transaction_read_only";

  return is_on (self, setting);
}

KvsqldRequest
kvsqld_pg_session_get_request (const KvsqldPgSession *self)
{
  return (KvsqldRequest){ .timeout_ms = kvsqld_pg_settings_get_timeout_ms (self->settings),
                          .is_read_only = is_read_only (self) || refuses_writes (self),
                          .is_verified = is_on (self, "verified_reads"),
                          .cancellable = self->cancellable,
                          .peer = self->peer,
                          .session = self->activity,
                          .identity = self->identity };
}

static void
set_role (KvsqldPgSession *self, gchar *role)
{
  if (self->identity == NULL)
    {
      g_free (role);
      return;
    }
  g_free (self->identity->set_role);
  self->identity->set_role = role;
}

void
kvsqld_pg_session_reset_role (KvsqldPgSession *self)
{
  set_role (self, NULL);
}

void
kvsqld_pg_session_keep_role (KvsqldPgSession *self)
{
  g_free (self->role_at_block);
  self->role_at_block = self->identity != NULL ? g_strdup (self->identity->set_role) : NULL;
}

void
kvsqld_pg_session_return_to_role (KvsqldPgSession *self)
{
  set_role (self, g_steal_pointer (&self->role_at_block));
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
  g_autoptr (GError) other = NULL;

  if (g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE)
      && kvsqld_pg_session_is_cancelled (self))
    {
      const gchar *detail = kvsql_error_get_detail (error);

      kvsql_error_set (&other, KVSQL_ERROR_DEADLINE, KVSQL_SPAN_NONE,
                       "canceling statement due to user request");
      if (detail != NULL)
        kvsql_error_detail (&other, "%s", detail);
    }
  else if (refuses_writes (self) && !is_read_only (self)
           && g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_READ_ONLY))
    {
      kvsql_error_set (&other, KVSQL_ERROR_UNSUPPORTED, KVSQL_SPAN_NONE,
                       "a transaction block cannot take back what it writes");
      kvsql_error_hint (&other, "Write outside of a block; or, if ROLLBACK is not needed, SET "
                                "transactions = 'allow'.");
    }
  kvsqld_pg_report_error (&self->output, "ERROR", other != NULL ? other : error, source);
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
