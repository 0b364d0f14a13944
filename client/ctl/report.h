/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * report.h: reports errors and warnings: as text, or as JSON if the format is json or ndjson.
 * Nothing else writes errors.
 */
#pragma once

#include "client/ctl/kvsqlctl.h"

G_BEGIN_DECLS

/* The statement of an error, and its origin. */
typedef struct
{
  const gchar *text; /* need not end with NUL */
  gsize size;
  const gchar *file; /* nullable */
  guint line;        /* of its first byte, from 1 */
  gint hidden;       /* bytes before the user's text, which positions count and the report hides */
} KvsqlctlSource;

/* What is wrong in a text. */
typedef struct
{
  const gchar *message;
  const gchar *detail; /* nullable */
  const gchar *hint;   /* nullable */
  gint position;       /* in bytes; -1: none */
  gint length;
} KvsqlctlErrorText;

/* The exit status for an error. */
KvsqlctlStatus kvsqlctl_status_of (const GError *error);

/* Draws the error into @out:
 *
 *   script.sql:3: error: attribute "agee" does not exist
 *    3 | SELECT agee FROM user
 *      |        ^^^^
 *   hint: Did you mean "age"? */
void kvsqlctl_draw_error (GString *out, const GError *error, const KvsqlctlSource *source,
                          gboolean colour);

/* The same for an error that libkvsql has not made. */
void kvsqlctl_draw_problem (GString *out, const KvsqlctlErrorText *problem,
                            const KvsqlctlSource *source, gboolean colour);

/* Draws the error on stderr, or writes it as an object:
 *
 *   {"error": "attribute \"agee\" does not exist", "sqlstate": "42703", "hint": "Did you mean
 *   \"age\"?", "file": "script.sql", "line": 3, "position": 8, "retryable": false}
 *
 * Members without a value are omitted, as "sqlstate" of an error of kvsqlctl itself; "position"
 * counts the statement's characters from 1.
 * @source: (nullable). Returns: the exit status for the error */
KvsqlctlStatus kvsqlctl_report (Kvsqlctl *ctl, const GError *error, const KvsqlctlSource *source);

/* The same for an error that libkvsql has not made. Returns KVSQLCTL_FAILED. */
KvsqlctlStatus kvsqlctl_report_problem (const Kvsqlctl *ctl, const KvsqlctlErrorText *problem,
                                        const KvsqlctlSource *source);

/* ---- errors of kvsqlctl itself */

/* The context whose format the following functions use. It must live on; NULL: as text. */
void kvsqlctl_report_for (const Kvsqlctl *ctl);

/**
 * kvsqlctl_report_own:
 * @hint: (nullable)
 * @help: (nullable): where to read more; in an object the hint, if there is no other one
 *
 * Writes "kvsqlctl: MESSAGE", or an object as above.
 */
void kvsqlctl_report_own (const gchar *message, const gchar *hint, const gchar *help);

/* The same for a message alone. Returns KVSQLCTL_FAILED. */
KvsqlctlStatus kvsqlctl_fail (const gchar *format, ...) G_GNUC_PRINTF (1, 2);

/* ---- warnings */

void kvsqlctl_report_warnings (Kvsqlctl *ctl, const gchar *const *warnings);

G_END_DECLS
