/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * execute.h: runs one statement and shows its result.
 */
#pragma once

#include "client/ctl/report.h"

G_BEGIN_DECLS

/* @values: (nullable): the user's values of parameters, "VALUE" or "NAME=VALUE" */
KvsqlctlStatus kvsqlctl_execute (Kvsqlctl *ctl, const KvsqlctlSource *source,
                                 const gchar *const *values);

/* The same for a statement that kvsqlctl itself has made. */
KvsqlctlStatus kvsqlctl_execute_text (Kvsqlctl *ctl, const gchar *sql);

/* Shows the rows of a result in the format of @ctl. @is_plain: as lines instead of a table */
KvsqlctlStatus kvsqlctl_show_result (Kvsqlctl *ctl, KvsqlResult *result, gboolean is_plain);

/* `name`, with back-quotes in it doubled; free it. */
gchar *kvsqlctl_quote_name (const gchar *name);

G_END_DECLS
