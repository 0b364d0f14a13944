/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * service-history.c: who changed which definition, as it is kept; and who is there.
 */
#include "config.h"

#include <pwd.h>
#include <unistd.h>

#include "core/catalog/restore.h"
#include "daemon/service-private.h"

/* ---- who */

/* The name of "user 1000", if it has one. */
static const gchar *
name_user (KvsqlArena *arena, const gchar *peer)
{
  static const gchar prefix[] = "user ";
  struct passwd record, *found = NULL;
  gchar buffer[4096];
  guint64 id;

  if (!g_str_has_prefix (peer, prefix)
      || !g_ascii_string_to_unsigned (peer + strlen (prefix), 10, 0, G_MAXUINT32, &id, NULL)
      || getpwuid_r ((uid_t)id, &record, buffer, sizeof buffer, &found) != 0 || found == NULL
      || !g_utf8_validate (record.pw_name, -1, NULL))
    return peer;
  return kvsql_arena_printf (arena, "%s%s", prefix, record.pw_name);
}

void
kvsqld_task_make_author (KvsqldTask *task, KvsqldAuthor *out)
{
  g_autofree gchar *statement = g_strndup ((const gchar *)task->sql.data, task->sql.size);
  const gchar *peer = task->request->peer;

  g_strstrip (statement);
  *out = (KvsqldAuthor){
    .by = peer != NULL ? name_user (task->arena, peer) : "",
    .daemon = kvsql_arena_printf (task->arena, "%s-%d", g_get_host_name (), (gint)getpid ()),
    .statement = kvsql_arena_strdup (task->arena, statement),
    .at_ms = task->now,
  };
}

/* ---- SHOW HISTORY */

enum
{
  COLUMN_VERSION,
  COLUMN_AT,
  COLUMN_NAME,
  COLUMN_KIND,
  COLUMN_CHANGE,
  COLUMN_BY,
  COLUMN_DAEMON,
  COLUMN_STATEMENT,
  COLUMN_DEFINITION, /* only of one name: it is long */
  N_COLUMNS,
};

static gchar *
print_time (gint64 ms)
{
  g_autoptr (GDateTime) time = ms > 0 ? g_date_time_new_from_unix_utc (ms / 1000) : NULL;

  return time != NULL ? g_date_time_format (time, "%Y-%m-%d %H:%M:%SZ") : NULL;
}

static void
add_record (KvsqldPage *page, const KvsqldRecord *record)
{
  g_autofree gchar *version = g_strdup_printf ("%" G_GINT64_FORMAT, record->epoch);
  g_autofree gchar *at = print_time (record->at_ms);
  g_autofree gchar *definition
      = record->text != NULL ? kvsql_definition_without_state (record->text) : NULL;
  const gchar *row[N_COLUMNS] = {
    [COLUMN_VERSION] = version,
    [COLUMN_AT] = at,
    [COLUMN_NAME] = record->name,
    [COLUMN_KIND] = record->kind == KVSQLD_ENTRY_RELATION ? "relation" : "schema",
    [COLUMN_CHANGE] = record->text == NULL ? "dropped"
                      : at == NULL         ? "known"
                                           : "defined",
    [COLUMN_BY] = kvsqld_or_nothing (record->by),
    [COLUMN_DAEMON] = kvsqld_or_nothing (record->daemon),
    [COLUMN_STATEMENT] = kvsqld_or_nothing (record->statement),
    [COLUMN_DEFINITION] = definition,
  };

  kvsqld_page_add_row (page, row);
}

KvsqldPage *
kvsqld_show_history (KvsqldTask *task, const KvsqlName *name, GError **error)
{
  static const gchar *const names[N_COLUMNS] = {
    [COLUMN_VERSION] = "version",
    [COLUMN_AT] = "at",
    [COLUMN_NAME] = "name",
    [COLUMN_KIND] = "kind",
    [COLUMN_CHANGE] = "change",
    [COLUMN_BY] = "by",
    [COLUMN_DAEMON] = "daemon",
    [COLUMN_STATEMENT] = "statement",
    [COLUMN_DEFINITION] = "definition",
  };
  const gchar *folded
      = name->text != NULL ? kvsqld_task_fold_name (task, name->text, name->is_quoted) : NULL;
  g_autoptr (GPtrArray) records
      = kvsqld_definitions_list_history (task->service->definitions, folded, &task->call, error);
  KvsqldPage *page;

  if (records == NULL)
    return NULL;
  page = kvsqld_page_new_table (names, folded != NULL ? N_COLUMNS : COLUMN_DEFINITION);
  for (guint i = 0; i < records->len; i++)
    add_record (page, records->pdata[i]);
  return page;
}

/* ---- SHOW DAEMONS */

KvsqldPage *
kvsqld_show_daemons (KvsqldTask *task, GError **error)
{
  static const gchar *const names[] = { "daemon", "epoch", "state" };
  g_autoptr (GPtrArray) daemons
      = kvsqld_definitions_list_daemons (task->service->definitions, &task->call, error);
  KvsqldPage *page;

  if (daemons == NULL)
    return NULL;
  page = kvsqld_page_new_table (names, G_N_ELEMENTS (names));
  for (guint i = 0; i < daemons->len; i++)
    {
      const KvsqldPeer *peer = daemons->pdata[i];
      gint64 behind = task->catalog->epoch - peer->epoch;
      g_autofree gchar *epoch = g_strdup_printf ("%" G_GINT64_FORMAT, peer->epoch);
      g_autofree gchar *state
          = behind > 0 ? g_strdup_printf ("%" G_GINT64_FORMAT " behind", behind) : g_strdup ("ok");
      const gchar *row[] = { peer->name, epoch, state };

      kvsqld_page_add_row (page, row);
    }
  return page;
}
