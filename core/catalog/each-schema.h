/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * each-schema.h: the definition check of a schema whose cells hold several tuples each.
 */
#pragma once

#include "core/catalog/schema.h"

G_BEGIN_DECLS

/* Whether KEY attributes distinguish the tuples of a cell, and the cells; and if the schema is
 * written, whether its cells can be changed tuple by tuple. Accepts a schema without each{…}. */
gboolean kvsql_schema_check_each (const KvsqlSchema *self,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A schema that is written and has each{…} is the only written one of its relation. */
gboolean kvsql_schema_check_alone (const KvsqlSchema *self, const KvsqlSchema *other,
                                   KvsqlSpan span, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Part of the definition proof, after that of the fields: no separator may occur in what it ends.
 * Changes only is_restricted of the elements, and n_restricted. */
gboolean kvsql_schema_prove_each (KvsqlSchema *self, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
