/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * script.h: runs the statements of a file or a text, which end with semicolons. The first that
 * fails ends it.
 *
 * Input is read in blocks, and a statement runs as soon as it is complete: a script may have any
 * length, and a program that writes to a pipe gets answers between its statements.
 */
#pragma once

#include "client/ctl/kvsqlctl.h"

G_BEGIN_DECLS

/* @path: "-" is the standard input. @values: (nullable): of parameters (execute.h) */
KvsqlctlStatus kvsqlctl_run_file (Kvsqlctl *ctl, const gchar *path, const gchar *const *values);
KvsqlctlStatus kvsqlctl_run_text (Kvsqlctl *ctl, const gchar *text, const gchar *const *values);

G_END_DECLS
