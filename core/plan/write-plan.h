/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * write-plan.h: what an INSERT, UPDATE or DELETE will do to each tuple.
 *
 * Everything lives in the binder's arena, definitions in the catalog snapshot that the caller
 * holds.
 */
#pragma once

#include "core/expr/expr.h"
#include "core/plan/select-plan.h"

G_BEGIN_DECLS

/* SET attribute = expr */
typedef struct
{
  guint attribute;
  KvsqlExpr *expr;  /* over the stored tuple; in ON CONFLICT the new one stands behind it, so that
                       excluded.a is the column n_attributes + a */
  KvsqlOperator op; /* as written */
  KvsqlSpan span;
} KvsqlSetItem;

typedef struct
{
  KvsqlStatementKind kind;
  const KvsqlCatalogEntry *entry;
  KvsqlSelectPlan *find; /* UPDATE, DELETE: the tuples, their keys and what stands in addresses */
  guint64 limit;         /* of tuples; find's is the writer's own */
  KvsqlSetItem *sets;
  guint n_sets;
  KvsqlAttributeSet assigned;
  KvsqlConflictAction on_conflict;
  KvsqlSpan conflict_span;   /* of ON CONFLICT … DO UPDATE */
  KvsqlExpr *conflict_where; /* nullable */
  gint64 timestamp;          /* USING TIMESTAMP; 0: none */
  KvsqlExpr **returning;     /* over the new tuple, of DELETE the old one */
  const gchar **returning_names;
  guint n_returning;
} KvsqlWritePlan;

KvsqlWritePlan *kvsql_update_plan_make (const KvsqlCatalog *catalog, const KvsqlUpdate *statement,
                                        const KvsqlBinder *binder,
                                        const KvsqlStoreCapabilities *capabilities, GError **error);
KvsqlWritePlan *kvsql_remove_plan_make (const KvsqlCatalog *catalog, const KvsqlDelete *statement,
                                        const KvsqlBinder *binder,
                                        const KvsqlStoreCapabilities *capabilities, GError **error);
/* All but the tuples. */
KvsqlWritePlan *kvsql_insert_plan_make (const KvsqlCatalog *catalog, const KvsqlInsert *statement,
                                        const KvsqlBinder *binder, GError **error);

/* Whether the statement may change an attribute of the key. */
gboolean kvsql_write_plan_moves_keys (const KvsqlWritePlan *self);

/* The amount that an UPDATE adds to one attribute that nothing else depends on: SET n = n + 5. */
gboolean kvsql_write_plan_is_counter (const KvsqlWritePlan *self, guint *out_attribute,
                                      gint64 *out_amount);

G_END_DECLS
