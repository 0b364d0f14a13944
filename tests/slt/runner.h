/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * runner.h: runs one file of the suite on a new service.
 *
 * Each query is run with the planner's choice, and with every schema of its table by USING SCHEMA.
 * Each relation of a join has its own hint. Tables and indexes are created again with the same
 * names, over the cells of their predecessors.
 */
#pragma once

#include "tests/slt/differences.h"
#include "tests/slt/script.h"

G_BEGIN_DECLS

typedef struct
{
  const gchar *store;                /* as service_fixture_open() takes it */
  const gchar *database;             /* the name for skipif and onlyif */
  const gchar *const *layouts;       /* nullable: all */
  gdouble percent;                   /* of the queries; all statements are run */
  guint32 seed;                      /* chooses the queries */
  guint n_schemas;                   /* on so many schemas each, in rotation; 0: on all */
  guint n_examples;                  /* so many failures are reported in full */
  gboolean is_shared;                /* one table for all schemas: quicker on HBase */
  const SltDifferences *differences; /* nullable */
} SltOptions;

typedef struct
{
  guint n_statements; /* that were run */
  guint n_queries;
  guint n_runs; /* of queries, on each schema */
  guint n_passed;
  guint n_different;      /* wrong results */
  guint n_refused;        /* errors */
  guint n_listed;         /* intended differences */
  guint n_skipped;        /* for another database, or after `halt` */
  GHashTable *complaints; /* text without its numbers -> how often */
  GHashTable *listed;     /* name of the difference -> how often */
  GString *examples;
} SltTotals;

void slt_totals_init (SltTotals *self);
void slt_totals_clear (SltTotals *self);
/* Whether all was as expected. */
gboolean slt_totals_are_good (const SltTotals *self);

/* @name: of the file, as in the list of differences. Adds to @totals. */
gboolean slt_run_file (const gchar *path, const gchar *name, const SltOptions *options,
                       SltTotals *totals, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
