/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * inferred-definition.h: the statements of one way to read a table, and what is known of them.
 */
#pragma once

#include "core/store/row-types.h"

G_BEGIN_DECLS

typedef struct
{
  gchar *relation; /* DEFINE RELATION … */
  gchar *schema;   /* DEFINE PRIMARY SCHEMA … WITH (role = read) */
} KvsqlInferredRelation;

/* One way to read the table. */
typedef struct
{
  GPtrArray *relations; /* (element-type KvsqlInferredRelation): at least one */
  GPtrArray *notes;     /* (element-type utf8): what the reader should know */
  GArray *left_out;     /* of KvsqlColumn, whose bytes are those of the rows: cells that no relation
                         * has, as a note says */
  gchar *row, *cells;   /* layouts of the first relation's schema; cells: all but TABLE and ROW */
  gdouble bits;         /* of a row, in the mean: how long the description is */
} KvsqlInferredDefinition;

/* (element-type KvsqlInferredRelation): an empty array that frees its elements. */
GPtrArray *kvsql_inferred_relations_new (void);
void kvsql_inferred_definition_free (gpointer self); /* not NULL */

/* (nullable) (transfer full): says in which fields the two differ: "another ROW". */
gchar *kvsql_inferred_definition_compare (const KvsqlInferredDefinition *self,
                                          const KvsqlInferredDefinition *other);

G_END_DECLS
