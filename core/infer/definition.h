/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * definition.h: a relation and a schema for sampled cells.
 */
#pragma once

#include "core/infer/search.h"
#include "core/store/row-types.h"

G_BEGIN_DECLS

typedef struct
{
  gchar *relation;  /* DEFINE RELATION … */
  gchar *schema;    /* DEFINE PRIMARY SCHEMA … WITH (role = read) */
  GPtrArray *notes; /* (element-type utf8): what the definition does not describe */
} KvsqlInferredDefinition;

void kvsql_inferred_definition_free (KvsqlInferredDefinition *self); /* accepts NULL */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlInferredDefinition, kvsql_inferred_definition_free)

/* @table: the layout of the field TABLE, a literal. @name: of the relation. @rows: at least one.
 * NULL: no layout was found. */
KvsqlInferredDefinition *kvsql_infer_definition (const gchar *table, const gchar *name,
                                                 const KvsqlRows *rows);

G_END_DECLS
