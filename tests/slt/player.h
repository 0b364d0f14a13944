/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * player.h: one file of the suite, played on a service of its own.
 *
 * Each query is run as the planner likes, and on every schema of its table by USING SCHEMA.
 */
#pragma once

#include "tests/slt/differences.h"
#include "tests/slt/script.h"

G_BEGIN_DECLS

typedef struct
{
  const gchar *store;                /* as service_fixture_open() takes it */
  const gchar *database;             /* whom skipif and onlyif mean */
  const gchar *const *layouts;       /* nullable: all */
  gdouble percent;                   /* of the queries; statements run all */
  guint32 seed;                      /* which */
  guint n_schemas;                   /* on so many schemas each, in turn; 0: on all */
  guint n_examples;                  /* so many failures are told in full */
  gboolean is_shared;                /* one table for all schemas: quicker on HBase */
  const SltDifferences *differences; /* nullable */
} SltOptions;

typedef struct
{
  guint n_statements; /* that were run */
  guint n_queries;
  guint n_runs; /* of queries, on each schema */
  guint n_passed;
  guint n_different;      /* wrong answers */
  guint n_refused;        /* errors */
  guint n_listed;         /* differences meant */
  guint n_skipped;        /* for another database, or behind `halt` */
  GHashTable *complaints; /* text without its numbers -> how often */
  GHashTable *listed;     /* name of the difference -> how often */
  GString *examples;
} SltTotals;

void slt_totals_init (SltTotals *self);
void slt_totals_clear (SltTotals *self);
/* Whether all was as expected. */
gboolean slt_totals_are_good (const SltTotals *self);

/* @name: of the file, as the differences know it. Adds to @totals. */
gboolean slt_play (const gchar *path, const gchar *name, const SltOptions *options,
                   SltTotals *totals, GError **error);

G_END_DECLS
