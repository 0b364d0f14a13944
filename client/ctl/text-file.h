/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * text-file.h: reads a text that is an argument of a command.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @path: "-": standard input
 * @most: a longer text is refused, as one without an end (/dev/zero) is; in bytes
 * @out: (out) (transfer full): ends in a NUL byte that does not count
 *
 * FALSE: stderr says why. */
gboolean kvsqlctl_read_text (const gchar *path, gsize most, gchar **out,
                             gsize *out_size) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
