/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * run.h: threads that fetch the parts of a result and write them.
 */
#pragma once

#include "client/ctl/export/file.h"
#include "client/ctl/kvsqlctl.h"
#include "client/ctl/terminal/progress.h"

G_BEGIN_DECLS

typedef struct
{
  Kvsqlctl *ctl;
  const gchar *sql;
  const KvsqlctlFileFormat *file_format;
  guint n_jobs;
  guint retry_ms;
  KvsqlctlExportFile *file;   /* its parts are set */
  KvsqlctlProgress *progress; /* nullable until there is something to show */
  gboolean gives_no_rows;     /* the statement does not return rows */
  GPtrArray *warnings;        /* utf8: of the fetched pages */
} KvsqlctlExport;

/* Runs until all parts are done, Ctrl-C is pressed or a part fails. */
gboolean kvsqlctl_export_run (KvsqlctlExport *self, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
