/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * show-activity.c: see show-activity.h.
 */
#include "config.h"

#include "daemon/session/show-activity.h"

#include "core/base/arena.h"
#include "daemon/log/log.h"
#include "daemon/net/peer-name.h"

static const gchar *
print_number (KvsqlArena *arena, gint64 number)
{
  return kvsql_arena_printf (arena, "%" G_GINT64_FORMAT, number);
}

KvsqlResultPage *
kvsqld_activity_show_sessions (KvsqldActivity *self, KvsqldSessionIsVisible is_visible,
                               gpointer data)
{
  static const gchar *const names[]
      = { "session", "peer", "client", "since", "state", "statement", "statements", "errors" };
  KvsqlResultPage *page = kvsql_result_page_new_table (names, G_N_ELEMENTS (names));
  g_autoptr (GPtrArray) infos = kvsqld_activity_list (self);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  for (guint i = 0; i < infos->len; i++)
    {
      const KvsqldSessionInfo *info = infos->pdata[i];
      g_autofree gchar *since = kvsql_time_text (info->since_ms);
      g_autofree gchar *peer = kvsqld_peer_name (info->peer);
      const gchar *row[] = { print_number (arena, info->id),
                             peer,
                             info->client,
                             since,
                             info->statement == 0 ? "idle"
                             : info->is_killed    ? "killed"
                                                  : "running",
                             info->statement == 0 ? NULL : print_number (arena, info->statement),
                             print_number (arena, info->n_statements),
                             print_number (arena, info->n_errors) };

      if (is_visible (info->id, info->role, data))
        kvsql_result_page_add_row (page, row);
    }
  return page;
}

KvsqlResultPage *
kvsqld_activity_show_statements (KvsqldActivity *self, KvsqldSessionIsVisible is_visible,
                                 gpointer data)
{
  static const gchar *const names[] = { "statement", "session", "ms",   "state", "store calls",
                                        "rows read", "memory",  "hash", "text" };
  KvsqlResultPage *page = kvsql_result_page_new_table (names, G_N_ELEMENTS (names));
  g_autoptr (GPtrArray) infos = kvsqld_activity_list (self);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  for (guint i = 0; i < infos->len; i++)
    {
      const KvsqldSessionInfo *info = infos->pdata[i];
      g_autofree gchar *hash
          = info->text == NULL ? NULL : kvsqld_log_statement_hash (info->text, strlen (info->text));
      const gchar *row[] = { print_number (arena, info->statement),
                             print_number (arena, info->id),
                             print_number (arena, info->elapsed_us / 1000),
                             info->is_killed ? "killed" : "running",
                             print_number (arena, info->n_store_calls),
                             print_number (arena, info->n_rows_read),
                             print_number (arena, info->n_bytes),
                             hash,
                             info->text };

      if (info->statement != 0 && is_visible (info->id, info->role, data))
        kvsql_result_page_add_row (page, row);
    }
  return page;
}

/* A session of a front end without session names has no name. */
static gchar *
describe_killer (KvsqldSession *session)
{
  return session == NULL ? g_strdup ("an operator") : kvsqld_session_describe (session);
}

static gboolean
may_kill (KvsqldActivity *self, const KvsqlKill *kill, KvsqldSessionIsVisible is_visible,
          gpointer data)
{
  g_autoptr (GPtrArray) infos = kvsqld_activity_list (self);

  for (guint i = 0; i < infos->len; i++)
    {
      const KvsqldSessionInfo *info = infos->pdata[i];

      if (kill->id == (kill->is_session ? info->id : info->statement))
        return is_visible (info->id, info->role, data);
    }
  return FALSE;
}

KvsqlResultPage *
kvsqld_activity_run_kill (KvsqldActivity *self, const KvsqlAstStatement *statement,
                          KvsqldSession *killer, KvsqldSessionIsVisible is_visible, gpointer data,
                          GError **error)
{
  const KvsqlKill *kill = &statement->kill;
  g_autofree gchar *who = describe_killer (killer);

  if (!may_kill (self, kill, is_visible, data))
    g_debug ("KILL of what another role runs");
  else if (kill->is_session ? kvsqld_activity_kill_session (self, kill->id, who)
                            : kvsqld_activity_kill_statement (self, kill->id, who))
    {
      kvsqld_log (G_LOG_LEVEL_MESSAGE, NULL, "%s %" G_GINT64_FORMAT " was killed by %s",
                  kill->is_session ? "session" : "statement", kill->id, who);
      return kvsql_result_page_new_empty (-1);
    }
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, statement->span,
                   kill->is_session ? "there is no session %" G_GINT64_FORMAT
                                    : "no statement %" G_GINT64_FORMAT " is running",
                   kill->id);
  kvsql_error_hint (error, kill->is_session ? "SHOW SESSIONS lists those of this daemon."
                                            : "SHOW STATEMENTS lists those of this daemon.");
  return NULL;
}
