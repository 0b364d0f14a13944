/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * history-file.h: the local registry's file of records as text.
 */
#pragma once

#include "daemon/registry/registry.h"

G_BEGIN_DECLS

/* (element-type KvsqlDefinitionRecord) */
GString *_kvsqld_history_print (const GPtrArray *records);
/* KVSQL_ERROR_STORE naming @path and the line. (transfer full) */
GPtrArray *_kvsqld_history_parse (const gchar *text, gsize n_bytes, const gchar *path,
                                  GError **error);

G_END_DECLS
