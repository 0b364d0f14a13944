/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * proof-schema.h: the definition proof, applied to a schema.
 */
#pragma once

#include "core/catalog/schema.h"

G_BEGIN_DECLS

/* Decides which separators may not occur in values, and refuses what stays ambiguous. Changes
 * only is_restricted of the schema's elements and n_restricted. */
gboolean kvsql_schema_prove (KvsqlSchema *self, const KvsqlDefineSchema *definition,
                             GError **error);

/* @out_address: (transfer full) (nullable): a cell that tuples of both could use, as text; NULL if
 * there is none. Fails if that cannot be found out: the layouts are too complex. */
gboolean kvsql_schema_find_shared (const KvsqlSchema *self, const KvsqlSchema *other,
                                   gchar **out_address, GError **error);

G_END_DECLS
