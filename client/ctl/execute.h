/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * execute.h: one statement: run it and show what it gives.
 */
#pragma once

#include "client/ctl/report.h"

G_BEGIN_DECLS

/* @values: (nullable): what the user gave for parameters, "VALUE" or "NAME=VALUE" */
KvsqlctlStatus kvsqlctl_execute (Kvsqlctl *ctl, const KvsqlctlSource *source,
                                 const gchar *const *values);

/* The same for a statement of our own. */
KvsqlctlStatus kvsqlctl_execute_text (Kvsqlctl *ctl, const gchar *sql);

/* The rows of a result, in the format of @ctl. @is_plain: as mere lines where a table is asked for
 */
KvsqlctlStatus kvsqlctl_show_result (Kvsqlctl *ctl, KvsqlResult *result, gboolean is_plain);

/* `name`, with what a name in back-quotes asks to be doubled; free it. */
gchar *kvsqlctl_quote_name (const gchar *name);

G_END_DECLS
