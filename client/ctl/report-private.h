/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * report-private.h: declarations that report.c and report-json.c share.
 */
#pragma once

#include "client/ctl/report.h"

G_BEGIN_DECLS

/* The line of a statement that contains an error. */
typedef struct
{
  const gchar *start;
  gsize size;
  gsize offset; /* offset of the error in the line, in bytes */
  guint number; /* in the file, from 1 */
} KvsqlctlSourceLine;

/* FALSE: @position is not in the text of the user. */
gboolean _kvsqlctl_find_line (const KvsqlctlSource *source, gint position, KvsqlctlSourceLine *out);

/* @sqlstate: (nullable). @source: (nullable) */
void _kvsqlctl_draw_problem_json (GString *out, const KvsqlctlErrorText *problem,
                                  const gchar *sqlstate, const KvsqlctlSource *source,
                                  gboolean is_retryable);
void _kvsqlctl_report_warnings_json (const gchar *const *warnings);

G_END_DECLS
