/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * session-command.c: see session-command.h.
 */
#include "config.h"

#include "daemon/postgres/session-command.h"

#define NO_BLOCK "25P01"
#define SCHEMA "public" /* what clients expect: there is one set of relations */

static void
warn (KvsqldPgSession *self, const gchar *sqlstate, const gchar *text)
{
  kvsqld_pg_report_notice (&self->output, "WARNING", sqlstate, text, NULL);
}

/* ---- blocks */

static gboolean
set_modes (KvsqldPgSession *self, const KvsqldPgCommand *command, const gchar *prefix,
           gboolean is_local, GError **error)
{
  g_autofree gchar *isolation = g_strconcat (prefix, "transaction_isolation", NULL);
  g_autofree gchar *read_only = g_strconcat (prefix, "transaction_read_only", NULL);

  return (command->isolation == NULL
          || kvsqld_pg_settings_set (self->settings, isolation, command->isolation, is_local,
                                     error))
         && (command->read_only == NULL
             || kvsqld_pg_settings_set (self->settings, read_only, command->read_only, is_local,
                                        error));
}

/* The modes of a block are those of the session, unless it says otherwise. */
static gboolean
begin_block (KvsqldPgSession *self, const KvsqldPgCommand *command, GError **error)
{
  const KvsqldPgCommand defaults
      = { .isolation = kvsqld_pg_settings_get (self->settings, "default_transaction_isolation"),
          .read_only = kvsqld_pg_settings_get (self->settings, "default_transaction_read_only") };

  kvsqld_pg_settings_begin_block (self->settings);
  kvsqld_pg_session_keep_role (self);
  kvsqld_pg_block_begin (&self->block);
  if (set_modes (self, &defaults, "", TRUE, error) && set_modes (self, command, "", TRUE, error))
    return TRUE;
  kvsqld_pg_block_end (&self->block);
  kvsqld_pg_settings_end_block (self->settings, FALSE);
  return FALSE;
}

static gboolean
run_begin (KvsqldPgSession *self, const KvsqldPgCommand *command,
           G_GNUC_UNUSED const gchar **out_tag, GError **error)
{
  if (self->block.state == KVSQLD_PG_IDLE)
    return begin_block (self, command, error);
  warn (self, "25001", "there is already a transaction in progress");
  return set_modes (self, command, "", TRUE, error);
}

/* The portals of a block end with it. */
static gboolean
end_block (KvsqldPgSession *self, const KvsqldPgCommand *command, gboolean is_commit,
           GError **error)
{
  static const KvsqldPgCommand same_modes = { .kind = KVSQLD_PG_BEGIN };

  if (self->block.state == KVSQLD_PG_IDLE)
    {
      if (command->is_chained)
        {
          kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                           "%s AND CHAIN can only be used in transaction blocks", command->tag);
          return kvsql_error_sqlstate (error, NO_BLOCK);
        }
      warn (self, NO_BLOCK, "there is no transaction in progress");
      return TRUE;
    }
  if (!is_commit)
    kvsqld_pg_session_warn_of_changes (self, &self->block.changes);
  kvsqld_pg_block_end (&self->block);
  kvsqld_pg_settings_end_block (self->settings, is_commit);
  if (!is_commit)
    kvsqld_pg_session_return_to_role (self);
  g_hash_table_remove_all (self->portals);
  return !command->is_chained || begin_block (self, &same_modes, error);
}

static gboolean
run_commit (KvsqldPgSession *self, const KvsqldPgCommand *command, const gchar **out_tag,
            GError **error)
{
  gboolean has_failed = self->block.state == KVSQLD_PG_FAILED;

  if (has_failed)
    *out_tag = "ROLLBACK";
  return end_block (self, command, !has_failed, error);
}

static gboolean
run_rollback (KvsqldPgSession *self, const KvsqldPgCommand *command,
              G_GNUC_UNUSED const gchar **out_tag, GError **error)
{
  return end_block (self, command, FALSE, error);
}

static gboolean
need_block (const KvsqldPgSession *self, const gchar *what, GError **error)
{
  if (self->block.state != KVSQLD_PG_IDLE)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                   "%s can only be used in transaction blocks", what);
  return kvsql_error_sqlstate (error, NO_BLOCK);
}

static gboolean
run_savepoint (KvsqldPgSession *self, const KvsqldPgCommand *command,
               G_GNUC_UNUSED const gchar **out_tag, GError **error)
{
  return need_block (self, "SAVEPOINT", error)
         && kvsqld_pg_block_add_savepoint (&self->block, command->name, error);
}

static gboolean
run_release (KvsqldPgSession *self, const KvsqldPgCommand *command,
             G_GNUC_UNUSED const gchar **out_tag, GError **error)
{
  return need_block (self, "RELEASE SAVEPOINT", error)
         && kvsqld_pg_block_go_back (&self->block, command->name, FALSE, NULL, error);
}

static gboolean
run_rollback_to (KvsqldPgSession *self, const KvsqldPgCommand *command,
                 G_GNUC_UNUSED const gchar **out_tag, GError **error)
{
  KvsqldPgChanges changes;

  if (!need_block (self, "ROLLBACK TO SAVEPOINT", error)
      || !kvsqld_pg_block_go_back (&self->block, command->name, TRUE, &changes, error))
    return FALSE;
  self->block.state = KVSQLD_PG_OPEN;
  kvsqld_pg_session_warn_of_changes (self, &changes);
  return TRUE;
}

static gboolean
run_set_modes (KvsqldPgSession *self, const KvsqldPgCommand *command,
               G_GNUC_UNUSED const gchar **out_tag, GError **error)
{
  if (command->is_lasting)
    return set_modes (self, command, "default_", FALSE, error);
  if (self->block.state != KVSQLD_PG_IDLE)
    return set_modes (self, command, "", TRUE, error);
  warn (self, NO_BLOCK, "SET TRANSACTION can only be used in transaction blocks");
  return TRUE;
}

/* ---- settings */

static gboolean
run_set (KvsqldPgSession *self, const KvsqldPgCommand *command, G_GNUC_UNUSED const gchar **out_tag,
         GError **error)
{
  if (command->is_local && self->block.state == KVSQLD_PG_IDLE)
    {
      warn (self, NO_BLOCK, "SET LOCAL can only be used in transaction blocks");
      return TRUE;
    }
  if (!kvsqld_pg_settings_set (self->settings, command->name, command->value, command->is_local,
                               error))
    return FALSE;
  kvsqld_pg_session_note_client (self);
  return TRUE;
}

static gboolean
run_reset (KvsqldPgSession *self, const KvsqldPgCommand *command,
           G_GNUC_UNUSED const gchar **out_tag, GError **error)
{
  if (command->name != NULL)
    return kvsqld_pg_settings_set (self->settings, command->name, NULL, FALSE, error);
  kvsqld_pg_settings_reset_all (self->settings);
  return TRUE;
}

/* ---- what belongs to the session */

static gboolean
run_discard (KvsqldPgSession *self, const KvsqldPgCommand *command,
             G_GNUC_UNUSED const gchar **out_tag, GError **error)
{
  if (!command->is_all)
    return TRUE;
  if (self->block.state != KVSQLD_PG_IDLE)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                       "DISCARD ALL cannot run inside a transaction block");
      return kvsql_error_sqlstate (error, "25001");
    }
  g_hash_table_remove_all (self->portals);
  g_hash_table_remove_all (self->held);
  g_hash_table_remove_all (self->statements);
  kvsqld_pg_settings_reset_all (self->settings);
  kvsqld_pg_session_reset_role (self);
  return TRUE;
}

static gboolean
run_deallocate (KvsqldPgSession *self, const KvsqldPgCommand *command,
                G_GNUC_UNUSED const gchar **out_tag, GError **error)
{
  if (command->is_all)
    g_hash_table_remove_all (self->statements);
  else if (!g_hash_table_remove (self->statements, command->name))
    return kvsql_error_set (error, KVSQL_ERROR_BAD_STATEMENT_ID, KVSQL_SPAN_NONE,
                            "prepared statement \"%s\" does not exist", command->name);
  return TRUE;
}

static gboolean
run_close (KvsqldPgSession *self, const KvsqldPgCommand *command,
           G_GNUC_UNUSED const gchar **out_tag, GError **error)
{
  if (command->is_all)
    {
      g_hash_table_remove_all (self->portals);
      g_hash_table_remove_all (self->held);
    }
  else if (!g_hash_table_remove (self->portals, command->name)
           && !g_hash_table_remove (self->held, command->name))
    return kvsql_error_set (error, KVSQL_ERROR_BAD_CURSOR, KVSQL_SPAN_NONE,
                            "cursor \"%s\" does not exist", command->name);
  return TRUE;
}

/* ---- one value as a table */

static KvsqlResultPage *
table_of (const gchar *name, const gchar *value)
{
  KvsqlResultPage *page = kvsql_result_page_new_table (&name, 1);

  kvsql_result_page_add_row (page, &value);
  return page;
}

/* Outside of blocks, the modes are those of the next one. */
static KvsqlResultPage *
show (const KvsqldPgSession *self, const gchar *name)
{
  const gchar *column = kvsqld_pg_settings_spell (name), *from = column;

  if (self->block.state == KVSQLD_PG_IDLE && g_str_equal (column, "transaction_isolation"))
    from = "default_transaction_isolation";
  else if (self->block.state == KVSQLD_PG_IDLE && g_str_equal (column, "transaction_read_only"))
    from = "default_transaction_read_only";
  return table_of (column, kvsqld_pg_settings_get (self->settings, from));
}

/* ---- all of them */

KvsqlResultPage *
kvsqld_pg_session_run (KvsqldPgSession *self, const KvsqldPgCommand *command, const gchar **out_tag,
                       GError **error)
{
  static gboolean (*const runners[]) (KvsqldPgSession * self, const KvsqldPgCommand *command,
                                      const gchar **out_tag, GError **error)
      = { [KVSQLD_PG_BEGIN] = run_begin,           [KVSQLD_PG_COMMIT] = run_commit,
          [KVSQLD_PG_ROLLBACK] = run_rollback,     [KVSQLD_PG_SAVEPOINT] = run_savepoint,
          [KVSQLD_PG_RELEASE] = run_release,       [KVSQLD_PG_ROLLBACK_TO] = run_rollback_to,
          [KVSQLD_PG_SET_MODES] = run_set_modes,   [KVSQLD_PG_SET] = run_set,
          [KVSQLD_PG_RESET] = run_reset,           [KVSQLD_PG_DISCARD] = run_discard,
          [KVSQLD_PG_DEALLOCATE] = run_deallocate, [KVSQLD_PG_CLOSE] = run_close };

  g_return_val_if_fail (command->kind != KVSQLD_PG_ENGINE, NULL);

  *out_tag = NULL;
  if (command->kind == KVSQLD_PG_SHOW)
    return show (self, command->name);
  return runners[command->kind](self, command, out_tag, error) ? kvsql_result_page_new_empty (-1)
                                                               : NULL;
}
