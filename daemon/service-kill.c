/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * service-kill.c: SHOW SESSIONS, SHOW STATEMENTS and KILL.
 */
#include "config.h"

#include "daemon/log.h"
#include "daemon/service-private.h"

static gchar *
print_time (gint64 ms)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (ms / 1000);

  return g_date_time_format (time, "%Y-%m-%d %H:%M:%SZ");
}

static const gchar *
print_number (KvsqldTask *task, gint64 number)
{
  return kvsql_arena_printf (task->arena, "%" G_GINT64_FORMAT, number);
}

KvsqldPage *
kvsqld_show_sessions (KvsqldTask *task)
{
  static const gchar *const names[]
      = { "session", "peer", "client", "since", "state", "statement", "statements", "errors" };
  KvsqldPage *page = kvsqld_page_new_table (names, G_N_ELEMENTS (names));
  g_autoptr (GPtrArray) infos = kvsqld_activity_list (task->service->activity);

  for (guint i = 0; i < infos->len; i++)
    {
      const KvsqldSessionInfo *info = infos->pdata[i];
      g_autofree gchar *since = print_time (info->since_ms);
      const gchar *row[] = { print_number (task, info->id),
                             info->peer,
                             info->client,
                             since,
                             info->statement == 0 ? "idle"
                             : info->is_killed    ? "killed"
                                                  : "running",
                             info->statement == 0 ? NULL : print_number (task, info->statement),
                             print_number (task, info->n_statements),
                             print_number (task, info->n_errors) };

      kvsqld_page_add_row (page, row);
    }
  return page;
}

KvsqldPage *
kvsqld_show_statements (KvsqldTask *task)
{
  static const gchar *const names[] = { "statement", "session", "ms",   "state", "store calls",
                                        "rows read", "memory",  "hash", "text" };
  KvsqldPage *page = kvsqld_page_new_table (names, G_N_ELEMENTS (names));
  g_autoptr (GPtrArray) infos = kvsqld_activity_list (task->service->activity);

  for (guint i = 0; i < infos->len; i++)
    {
      const KvsqldSessionInfo *info = infos->pdata[i];
      g_autofree gchar *hash
          = info->text == NULL ? NULL : kvsqld_log_statement_hash (info->text, strlen (info->text));
      const gchar *row[] = { print_number (task, info->statement),
                             print_number (task, info->id),
                             print_number (task, info->elapsed_us / 1000),
                             info->is_killed ? "killed" : "running",
                             print_number (task, info->n_store_calls),
                             print_number (task, info->n_rows_read),
                             print_number (task, info->n_bytes),
                             hash,
                             info->text };

      if (info->statement != 0)
        kvsqld_page_add_row (page, row);
    }
  return page;
}

/* Front ends without sessions have no name either. */
static gchar *
describe_killer (const KvsqldTask *task)
{
  return task->request->session == NULL ? g_strdup ("an operator")
                                        : kvsqld_session_describe (task->request->session);
}

KvsqldPage *
kvsqld_run_kill (KvsqldTask *task, GError **error)
{
  const KvsqlKill *kill = &task->statement->kill;
  KvsqldActivity *activity = task->service->activity;
  g_autofree gchar *who = describe_killer (task);

  if (kill->is_session ? kvsqld_activity_kill_session (activity, kill->id, who)
                       : kvsqld_activity_kill_statement (activity, kill->id, who))
    {
      kvsqld_log (G_LOG_LEVEL_MESSAGE, NULL, "%s %" G_GINT64_FORMAT " was killed by %s",
                  kill->is_session ? "session" : "statement", kill->id, who);
      return kvsqld_page_new_empty (-1);
    }
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, task->statement->span,
                   kill->is_session ? "there is no session %" G_GINT64_FORMAT
                                    : "no statement %" G_GINT64_FORMAT " is running",
                   kill->id);
  kvsql_error_hint (error, kill->is_session ? "SHOW SESSIONS lists those of this daemon."
                                            : "SHOW STATEMENTS lists those of this daemon.");
  return NULL;
}
