/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * skip-plan.h: the plan of a skip scan, which reads a table from one key prefix to the next.
 *
 * The predicate leaves the first elements of ROW open but bounds later elements. So the wanted rows
 * are adjacent within each key prefix. The scan finds the prefixes while it reads: the row after
 * the last wanted row of a prefix shows the next prefix. So the result does not depend on
 * statistics; only the decision between a skip scan and a full scan does.
 */
#pragma once

#include "core/plan/dnf.h"
#include "core/plan/row-ranges.h"
#include "core/store/capabilities.h"

G_BEGIN_DECLS

typedef struct _KvsqlSkipPlan
{
  const KvsqlSequence *row; /* layout of ROW, the same for all cells */
  guint n_prefix;           /* elements of the key prefix that is skipped over (key-prefix.h) */
  gboolean *is_open;        /* [n_prefix]: the element differs between rows */
  KvsqlRowRange *suffixes;  /* read after each key prefix: disjoint, ascending; an empty stop is the
                               end of the rows with that prefix */
  guint n_suffixes;
  gboolean is_known;  /* the number of prefixes is known from the type or from statistics; else each
                         row counts as a prefix of its own */
  gdouble n_prefixes; /* estimated */
  gdouble matching;   /* estimated rows within the suffixes of all prefixes */
} KvsqlSkipPlan;

/* The number of rows in a window, which shows the next key prefix. It is so small that it adds
 * little to the cost of the request. */
guint kvsql_skip_plan_get_window (const KvsqlStoreCapabilities *capabilities);

/* The cost of the seeks for key prefixes if @rows wanted rows are read. */
gdouble kvsql_skip_plan_get_cost (const KvsqlSkipPlan *self, gdouble rows,
                                  const KvsqlStoreCapabilities *capabilities);

G_END_DECLS
