/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * whole-file.h: files that are read and replaced as a whole.
 *
 * A crash leaves the old file or the new one, so a reader needs no lock.
 */
#pragma once

#include "core/base/error.h"

G_BEGIN_DECLS

#define KVSQLD_FILE_MAX_BYTES (256 * 1024 * 1024)

/* -1: none. It is closed at the end of its block. */
typedef gint KvsqldDescriptor;
void _kvsqld_descriptor_clear (KvsqldDescriptor *fd);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqldDescriptor, _kvsqld_descriptor_clear)

/* "could not @what "@path": ", and what errno says. Returns: FALSE */
gboolean _kvsqld_file_fail (GError **error, KvsqlErrorCode code, const gchar *what,
                            const gchar *path);

/* The bytes of a file, at most KVSQLD_FILE_MAX_BYTES. @out_exists: whether there is one. */
GString *_kvsqld_file_read (const gchar *path, gboolean *out_exists, GError **error);
/* The rest of an open file. @path: for the error */
GString *_kvsqld_file_read_descriptor (gint fd, const gchar *path, GError **error);

/* The caller holds a lock, so the temporary name @path.new is not in use.
 * KVSQL_ERROR_UNAVAILABLE: nothing was changed. */
gboolean _kvsqld_file_replace (const gchar *path, const gchar *bytes, gsize n_bytes, gint mode,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
