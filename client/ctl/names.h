/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * names.h: queries the names and definitions of relations and schemas.
 */
#pragma once

#include "client/ctl/kvsqlctl.h"

G_BEGIN_DECLS

/* @text in single quotes, with inner quotes doubled. (transfer full) */
gchar *kvsqlctl_quote_text (const gchar *text);

/* One text column of the rows of @sql: the column "name" if there is one, else the first.
 * Returns: (transfer full) (nullable): NULL-terminated */
gchar **kvsqlctl_query_names (Kvsqlctl *ctl, const gchar *sql, GError **error);

/* The statements that define a relation and its schemas, each with its ';', in an order in which
 * they can be run. Returns: (transfer full) (nullable): NULL-terminated */
gchar **kvsqlctl_query_definitions (Kvsqlctl *ctl, const gchar *relation, GError **error);

G_END_DECLS
