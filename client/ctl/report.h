/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * report.h: errors and warnings for people.
 */
#pragma once

#include "client/ctl/kvsqlctl.h"

G_BEGIN_DECLS

/* The statement that an error is about, and where it came from. */
typedef struct
{
  const gchar *text; /* need not end with NUL */
  gsize size;
  const gchar *file; /* nullable */
  guint line;        /* of its first byte, from 1 */
  gint hidden; /* bytes put before the user's text, which positions count and people don't see */
} KvsqlctlSource;

/* The exit status that an error asks for. */
KvsqlctlStatus kvsqlctl_status_of (const GError *error);

/* Draws the error as below into @out.
 *
 *   script.sql:3: error: attribute "agee" does not exist
 *    3 | SELECT agee FROM user
 *      |        ^^^^
 *   hint: Did you mean "age"?
 */
void kvsqlctl_draw_error (GString *out, const GError *error, const KvsqlctlSource *source,
                          gboolean colour);

/* Draws it on stderr. @source: (nullable). Returns: the exit status that it asks for */
KvsqlctlStatus kvsqlctl_report (Kvsqlctl *ctl, const GError *error, const KvsqlctlSource *source);

void kvsqlctl_report_warnings (Kvsqlctl *ctl, const gchar *const *warnings);

G_END_DECLS
