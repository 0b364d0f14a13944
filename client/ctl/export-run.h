/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * export-run.h: threads that fetch the parts of an answer and write them.
 */
#pragma once

#include "client/ctl/export-file.h"
#include "client/ctl/progress.h"

G_BEGIN_DECLS

typedef struct
{
  Kvsqlctl *ctl;
  const gchar *sql;
  const KvsqlctlDialect *dialect;
  guint n_jobs;
  guint retry_ms;
  KvsqlctlExportFile *file;   /* its parts are known */
  KvsqlctlProgress *progress; /* nullable until there is something to show */
  gboolean gives_no_rows;     /* the statement is none that does */
  GPtrArray *warnings;        /* utf8: of what was fetched */
} KvsqlctlExport;

/* Until all parts are done, Ctrl-C comes or one of them fails. */
gboolean kvsqlctl_export_run (KvsqlctlExport *self, GError **error);

G_END_DECLS
