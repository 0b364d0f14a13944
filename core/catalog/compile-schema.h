/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * compile-schema.h: from DEFINE SCHEMA to a schema.
 */
#pragma once

#include "core/catalog/schema.h"

G_BEGIN_DECLS

/**
 * kvsql_schema_new:
 *
 * Compiles a definition and proves it: every attribute can be read back, no field can be split in
 * two ways, every KEY attribute is in the cell keys, the cells of a tuple are distinct. The error
 * has the position of the element and the reason, and for an ambiguity an example of two tuples
 * that would collide.
 */
KvsqlSchema *kvsql_schema_new (const KvsqlDefineSchema *definition, KvsqlRelation *relation,
                               GError **error);

G_END_DECLS
