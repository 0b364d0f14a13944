/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * backup.c: kvsqlctl backup: copies a store with its definitions.
 */
#include "config.h"

#include <string.h>

#include "client/ctl/execute.h"
#include "client/ctl/names.h"
#include "client/ctl/usage.h"

static gchar *
name_of_now (void)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();

  return g_date_time_format (now, "%Y%m%d-%H%M%S");
}

static KvsqlctlStatus
run (Kvsqlctl *ctl, gint argc, gchar **argv)
{
  g_autofree gchar *name = NULL, *text = NULL, *sql = NULL;

  if (argc > 1)
    return kvsqlctl_usage_error (&kvsqlctl_backup, "too many arguments; expected at most one name");
  name = argc == 1 ? g_strdup (argv[0]) : name_of_now ();
  text = kvsqlctl_quote_text (name);
  sql = g_strconcat ("BACKUP TO ", text, NULL);
  return kvsqlctl_execute_text (ctl, sql);
}

const KvsqlctlCommand kvsqlctl_backup = {
  .name = "backup",
  .arguments = "[NAME]",
  .summary = "Copy the store and all definitions",
  .description
  = "The copy is the folder NAME in kvsqld's backup_directory, on its machine; without NAME it is\n"
    "called by the time, in UTC. Statements go on meanwhile. For RocksDB.",
  .needs_connection = TRUE,
  .run = run
};
