/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * planner.h: what the planner of kvsql says of designs that do not exist.
 *
 * Each relation gets a catalog with its candidates as schemas. One plan of a statement then has the
 * cost of its access path in each of them.
 */
#pragma once

#include "core/advisor/design.h"
#include "core/advisor/join.h"

G_BEGIN_DECLS

/* Of a statement, by candidate of its relation. */
struct _KvsqlPlannedCosts
{
  gdouble *alone;     /* INFINITY: it lacks attributes */
  gdouble *looked_up; /* with a lookup in the primary */
  gdouble changed;    /* the tuples that an UPDATE or DELETE changes */
};

/* Plans all statements of a relation. Fills workload->planned of these. Candidates are cut to what
 * there was time for. FALSE with the error of the planner, and its position in the file. */
gboolean kvsql_planner_cost (KvsqlWorkload *workload, guint relation, KvsqlDesigns *designs,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

typedef struct _KvsqlCatalog KvsqlCatalog; /* core/catalog/catalog.h */

/* How a relation is read. */
typedef struct
{
  const gchar *joined; /* nullable: by which method it is joined to those before it */
  const gchar *schema; /* that is read */
  const gchar *lookup; /* nullable: the primary in which the rest is looked up */
  gdouble rows;
  gboolean is_full_scan, skips;
  gboolean is_looked_up; /* @rows are for one row of those before it */
} KvsqlPlannedRead;

/* The plan of a statement with a set of schemas. */
typedef struct
{
  KvsqlPlannedRead reads[KVSQL_ADVISOR_MAX_JOINED];
  guint n_reads;
  gdouble cost;
  gboolean sorts;
} KvsqlPlanned;

/* @catalog: the relations, and the schemas. @out points into it. */
gboolean kvsql_planner_plan (const KvsqlWorkload *workload, const KvsqlWorkloadStatement *statement,
                             const KvsqlCatalog *catalog, KvsqlPlanned *out,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
