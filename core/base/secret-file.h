/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * secret-file.h: reads a password from a file that other users must not be able to read.
 *
 * Threads: pure functions.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * kvsql_secret_file_read:
 * @what: the name of the kind of file, for messages
 * @out_text: (out) (transfer full): the contents without white space at the end; empty if they are
 * too long or contain a NUL byte, so that the caller's check of the form fails
 *
 * Returns: FALSE with KVSQL_ERROR_INVALID; the message has nothing of the contents
 */
gboolean kvsql_secret_file_read (const gchar *path, const gchar *what, gchar **out_text,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
