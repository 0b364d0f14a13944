/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * definitions-file.h: a snapshot as text that people can read (docs/registry.md shows it).
 *
 * Pure: no files, no threads; equal snapshots give equal bytes.
 */
#pragma once

#include "daemon/registry/registry.h"

G_BEGIN_DECLS

GString *_kvsqld_definitions_print (const KvsqldSnapshot *snapshot);

/**
 * _kvsqld_definitions_parse:
 * @text: the whole file, any bytes
 * @path: its name, for messages
 *
 * Returns: (nullable): the snapshot, or %NULL with KVSQL_ERROR_STORE naming the file and the line.
 */
KvsqldSnapshot *_kvsqld_definitions_parse (const gchar *text, gsize n_bytes, const gchar *path,
                                           GError **error);

G_END_DECLS
