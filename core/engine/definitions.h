/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * definitions.h: what DEFINE, DROP, ALTER, COMMENT ON and RESTORE change.
 */
#pragma once

#include "core/catalog/stored-definition.h"
#include "core/engine/execution.h"
#include "core/engine/result-page.h"

G_BEGIN_DECLS

#define KVSQL_MAX_SCHEMAS 100 /* of one relation */

#define KVSQL_MAX_DROPPED_VIEWS 100 /* by one DROP … CASCADE */

/* Two changes of each schema of a relation, two of the relation, two of its rights, two of its
 * statistics, a sequence of each attribute and the rights on it, and the views that read it. */
#define KVSQL_MAX_DEFINITION_CHANGES                                                               \
  (2 * KVSQL_MAX_SCHEMAS + 6 + 2 * KVSQL_MAX_ATTRIBUTES + KVSQL_MAX_DROPPED_VIEWS)

/* The changes of the execution's catalog that a statement leads to. */
typedef struct
{
  const KvsqlExecution *execution;
  KvsqlResultPage *page;          /* gets warnings and notes */
  KvsqlDefinitionChange *changes; /* out: room for KVSQL_MAX_DEFINITION_CHANGES */
  guint n_changes;                /* out; 0: nothing to do */
  gboolean fills_at_once; /* out: the new schema needs no BACKFILL statement, but it is filled after
                             the commit: other daemons may insert tuples before they know it */
} KvsqlDecision;

/**
 * kvsql_decision_make:
 *
 * Checks a statement against the catalog and finds the changes, which the caller has to commit. It
 * reads stored cells where the checks need them. DEFINE and RESTORE of a schema make its tables.
 * The texts live in the execution's arena. Can be called again with a newer catalog, and a new
 * page.
 */
gboolean kvsql_decision_make (KvsqlDecision *self, const KvsqlAstStatement *statement,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The result of ANALYZE, in place of an earlier one. KVSQL_ERROR_CONFLICT: the relation was defined
 * again in the meantime. */
gboolean kvsql_decision_set_statistics (KvsqlDecision *self, const KvsqlName *relation,
                                        const KvsqlStatistics *statistics,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The measured costs of a kind of store, in place of earlier ones. */
void kvsql_decision_set_costs (KvsqlDecision *self, const gchar *store,
                               const KvsqlStoreCosts *costs);

/* Comments in definitions are short, because they are in every copy of a definition, and in its
 * history. */
gboolean kvsql_statement_check_comments (const KvsqlAstStatement *statement,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Adds to @page how many rows in the tables of a schema belong to it. */
void kvsql_schema_report_rows (const KvsqlExecution *execution, const KvsqlSchema *schema,
                               KvsqlResultPage *page);

G_END_DECLS
