/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * report.h: errors and notices as messages to the client.
 */
#pragma once

#include "daemon/postgres/output.h"

G_BEGIN_DECLS

/* The text of which a statement is a part, so that positions count from its beginning. Zero: no
 * positions. */
typedef struct
{
  KvsqlSlice text;
  gsize offset; /* of the statement */
} KvsqldPgSource;

/* @severity: "ERROR", or "FATAL" if the connection ends */
void kvsqld_pg_report_error (KvsqldPgOutput *out, const gchar *severity, const GError *error,
                             const KvsqldPgSource *source);
/* @severity: "WARNING" or "NOTICE"; @hint: (nullable) */
void kvsqld_pg_report_notice (KvsqldPgOutput *out, const gchar *severity, const gchar *sqlstate,
                              const gchar *message, const gchar *hint);
/* The warnings of a page; those with the prefix "note: " are notices. @warnings: (nullable) */
void kvsqld_pg_report_warnings (KvsqldPgOutput *out, const GPtrArray *warnings);

G_END_DECLS
