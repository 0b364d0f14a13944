/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * design.h: candidate schemas of a relation.
 *
 * A design is a schema without its encodings: attributes in the row key, in order, and attributes
 * in the value. Designs live in an arena and are immutable.
 */
#pragma once

#include "core/advisor/workload.h"

G_BEGIN_DECLS

typedef struct
{
  guint relation;
  guint *row; /* attributes in the order of the row key, with the KEY */
  guint n_row;
  KvsqlAttributeSet in_row;
  KvsqlAttributeSet value;
  KvsqlAttributeSet holds;          /* both */
  gboolean is_whole;                /* holds all attributes, so that it can be the primary */
  const KvsqlWorkloadSchema *given; /* nullable: the schema that it is, if it exists */
  guint number;                     /* among the candidates of the relation; of the planner */
} KvsqlDesign;

typedef struct
{
  KvsqlDesign *items;
  guint n;
} KvsqlDesigns;

/* The most candidates of a relation. */
#define KVSQL_MAX_DESIGNS 2000

/* The candidates of a relation, in an order that depends on the workload only. The first one has
 * the KEY as its row, and is whole. FALSE: interrupted; then there are fewer. */
gboolean kvsql_designs_make (const KvsqlWorkload *workload, guint relation, KvsqlArena *arena,
                             KvsqlDesigns *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Adds the schemas of the relation that exist (given.c). A candidate that is like one of them is
 * left out. */
void kvsql_designs_add_given (const KvsqlWorkload *workload, guint relation, KvsqlArena *arena,
                              KvsqlDesigns *designs);
/* Whether it can be the primary: if there is a primary, only that one. */
gboolean kvsql_design_can_be_primary (const KvsqlWorkload *workload, const KvsqlDesign *design);

/* ---- steps of it */

typedef struct
{
  guint *attributes;
  guint n;
} KvsqlKeyRow;

typedef struct
{
  KvsqlKeyRow *items;
  guint n;
} KvsqlKeyRows;

/* The row keys that some statement can use. The first one is the KEY. */
gboolean kvsql_rows_make (const KvsqlWorkload *workload, guint relation, KvsqlArena *arena,
                          KvsqlKeyRows *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The leading attributes of a row key that equalities of @shape fix. */
guint kvsql_row_count_equal (const guint *row, guint n_row, const KvsqlShape *shape);
/* Whether tuples with @n_equal equal leading attributes are in the order of ORDER BY. */
gboolean kvsql_row_gives_order (const guint *row, guint n_row, guint n_equal,
                                const KvsqlShape *shape);

G_END_DECLS
