/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * secret-file.h: a line with a password, in a file that not everybody may read.
 *
 * Threads: pure functions.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * kvsql_secret_file_read:
 * @what: what the file is, for messages
 * @out_text: (out) (transfer full): without white space at its end; empty if it is too long or
 * holds a NUL byte, so that whoever knows the form refuses it
 *
 * Returns: FALSE with KVSQL_ERROR_INVALID, which tells nothing of the contents
 */
gboolean kvsql_secret_file_read (const gchar *path, const gchar *what, gchar **out_text,
                                 GError **error);

G_END_DECLS
