/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * run.h: imports the rows of a file into a relation.
 */
#pragma once

#include "client/ctl/import/pool.h"
#include "client/ctl/import/reject.h"
#include "client/ctl/import/state.h"
#include "client/ctl/terminal/progress.h"

G_BEGIN_DECLS

typedef struct
{
  guint n_jobs;
  guint batch_rows;
  guint retry_ms;
  gint64 max_errors; /* -1: unlimited */
} KvsqlctlImportOptions;

typedef struct
{
  Kvsqlctl *ctl;
  KvsqlctlImportOptions options;
  KvsqlctlTarget *target;
  KvsqlctlReader *reader; /* after the header */
  KvsqlctlRejects *rejects;
  KvsqlctlState *state;
  KvsqlctlProgress *progress;
} KvsqlctlImport;

/**
 * kvsqlctl_import_run:
 * @self: an import
 * @error: return location
 *
 * Sends all rows. The state contains what is done, also after an error.
 */
gboolean kvsqlctl_import_run (KvsqlctlImport *self, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
