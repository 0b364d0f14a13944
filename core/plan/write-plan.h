/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * write-plan.h: the plan of an INSERT, UPDATE or DELETE.
 *
 * A plan lives in the arena of the binder. Definitions are in the catalog snapshot that the caller
 * holds.
 */
#pragma once

#include "core/expr/expr.h"
#include "core/plan/row-rules.h"
#include "core/plan/select-plan.h"

G_BEGIN_DECLS

/* SET attribute = expr */
typedef struct
{
  guint attribute;
  KvsqlExpr *expr;  /* over the stored tuple, or the columns of FROM. In ON CONFLICT the new tuple
                       follows it: excluded.a is  the column n_attributes + a */
  KvsqlOperator op; /* as written */
  KvsqlSpan span;
} KvsqlSetItem;

typedef struct
{
  KvsqlStatementKind kind;
  const KvsqlCatalogEntry *entry;
  KvsqlSelectPlan *
      find; /* UPDATE, DELETE: reads the tuples, their keys and the attributes of their cell keys */
  const struct _KvsqlJoinedWrite
      *joined;                /* nullable: of UPDATE … FROM and DELETE … USING. @find gives the
                         columns of FROM, of which the first are those of the tuple. */
  guint64 limit;              /* of tuples; the writer applies it, @find has its own */
  const KvsqlRowRules *rules; /* of INSERT and UPDATE */
  KvsqlSetItem *sets;
  guint n_sets;
  KvsqlAttributeSet assigned;
  KvsqlConflictAction on_conflict;
  KvsqlSpan conflict_span;   /* of ON CONFLICT … DO UPDATE */
  KvsqlExpr *conflict_where; /* nullable */
  gint64 timestamp;          /* USING TIMESTAMP; 0: none */
  KvsqlExpr **returning;     /* over the new tuple; for DELETE over the old tuple */
  const gchar **returning_names;
  const KvsqlSubqueryList *subqueries; /* nullable: of SET, ON CONFLICT and RETURNING */
  guint n_returning;
} KvsqlWritePlan;

KvsqlWritePlan *kvsql_update_plan_make (const KvsqlCatalog *catalog, const KvsqlUpdate *statement,
                                        const KvsqlBinder *binder,
                                        const KvsqlStoreCapabilities *capabilities, GError **error);
KvsqlWritePlan *kvsql_remove_plan_make (const KvsqlCatalog *catalog, const KvsqlDelete *statement,
                                        const KvsqlBinder *binder,
                                        const KvsqlStoreCapabilities *capabilities, GError **error);
/* The plan of an INSERT without its tuples. */
KvsqlWritePlan *kvsql_insert_plan_make (const KvsqlCatalog *catalog, const KvsqlInsert *statement,
                                        const KvsqlBinder *binder,
                                        const KvsqlStoreCapabilities *capabilities, GError **error);

/* The number of columns over which SET and RETURNING are computed. */
guint kvsql_write_plan_count_columns (const KvsqlWritePlan *self);
/* The attribute that one of these columns is, and its relation; NULL: it is computed. */
const KvsqlAttribute *kvsql_write_plan_get_attribute (const KvsqlWritePlan *self, guint column,
                                                      const KvsqlRelation **out_relation);

/* Whether the statement may change a KEY attribute. */
gboolean kvsql_write_plan_moves_keys (const KvsqlWritePlan *self);

/* Whether an UPDATE only adds an amount to one attribute, on which no other data depends: SET n = n
 * + 5. */
gboolean kvsql_write_plan_is_counter (const KvsqlWritePlan *self, guint *out_attribute,
                                      gint64 *out_amount);

G_END_DECLS
