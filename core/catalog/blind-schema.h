/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * blind-schema.h: whether a schema allows blind writes.
 *
 * A blind write does not read the tuple that it replaces. So the KEY alone has to say where the
 * cells of a tuple are, in each schema.
 */
#pragma once

#include "core/catalog/schema.h"

G_BEGIN_DECLS

/* KVSQL_ERROR_DEFINITION if writes of the relation are blind, and a cell key of the schema depends
 * on another attribute. */
gboolean kvsql_schema_check_blind (const KvsqlSchema *self, const KvsqlDefineSchema *definition,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
