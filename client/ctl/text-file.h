/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * text-file.h: reads a text that is an argument of a command.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @path: "-": standard input
 * @out: (out) (transfer full): ends in a NUL byte that does not count
 *
 * FALSE: stderr says why. */
gboolean kvsqlctl_read_text (const gchar *path, gchar **out,
                             gsize *out_size) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
