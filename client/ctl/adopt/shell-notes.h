/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * shell-notes.h: what attributes of a table of HBase mean for kvsql.
 */
#pragma once

#include "client/ctl/adopt/definition.h"
#include "client/ctl/adopt/shell-table.h"

G_BEGIN_DECLS

/* Notes alone: how the families differ from what HBase makes, what to know before kvsql reads and
 * writes the table, the options of a schema with such a table, and how to go on. (transfer full) */
KvsqlctlDefinition *kvsqlctl_shell_describe (const KvsqlctlShellTable *table);

G_END_DECLS
