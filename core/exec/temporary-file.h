/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * temporary-file.h: a temporary file without a name, of bounded size.
 *
 * It is made when it is opened, and never outlives the process. Errors: KVSQL_ERROR_LIMIT if it
 * would be larger than allowed, or the device is full; KVSQL_ERROR_INTERNAL if the directory cannot
 * be used.
 */
#pragma once

#include "core/base/error.h"

G_BEGIN_DECLS

typedef struct _KvsqlTemporaryFile KvsqlTemporaryFile;

/* @directory: (nullable): the system's directory of temporary files */
KvsqlTemporaryFile *kvsql_temporary_file_new (const gchar *directory, guint64 max_bytes);
void kvsql_temporary_file_free (KvsqlTemporaryFile *self); /* accepts NULL */

/* Makes the file, if that was not done yet. */
gboolean kvsql_temporary_file_open (KvsqlTemporaryFile *self,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether the file may have @size bytes. */
gboolean kvsql_temporary_file_check_size (const KvsqlTemporaryFile *self, guint64 size,
                                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_temporary_file_write (KvsqlTemporaryFile *self, gconstpointer data, gsize size,
                                     guint64 offset, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Reads @size bytes that were written. */
gboolean kvsql_temporary_file_read (const KvsqlTemporaryFile *self, gpointer data, gsize size,
                                    guint64 offset, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlTemporaryFile, kvsql_temporary_file_free)

G_END_DECLS
