/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * filling-report.c: says why a new schema must be filled, and how many of its rows fit.
 */
#include "config.h"

#include "core/maintain/filling.h"
#include "core/maintain/probe.h"
#include "core/engine/definitions-private.h"

/* Rows that are enough to see whether a layout fits. */
#define SAMPLED_ROWS 100

static void
warn_of_tuples (KvsqlResultPage *page, const KvsqlSchema *schema, const KvsqlFilling *self)
{
  kvsql_result_page_warn (
      page,
      "relation \"%s\" has tuples already: schema \"%s\" is written, and will be read "
      "when BACKFILL SCHEMA %s has filled it",
      schema->relation->name, schema->name, schema->name);
  if (self->n_extra > 0)
    kvsql_result_page_warn (
        page,
        "BACKFILL SCHEMA %s will delete cells, too: of the first %" G_GUINT64_FORMAT
        " cells in its tables %" G_GUINT64_FORMAT " belong to no tuple",
        schema->name, self->n_read, self->n_extra);
}

static void
warn_of_failure (KvsqlResultPage *page, const KvsqlSchema *schema, const GError *error)
{
  kvsql_result_page_warn (page, "the tables of schema \"%s\" could not be read: %s", schema->name,
                          error->message);
}

void
kvsql_decision_warn_of_filling (KvsqlDecision *decision, const KvsqlSchema *schema,
                                const KvsqlFilling *self)
{
  KvsqlResultPage *page = decision->page;

  if (self->must_be_filled && self->has_tuples)
    warn_of_tuples (page, schema, self);
  else if (self->must_be_filled && self->n_extra == 0)
    kvsql_result_page_warn (
        page,
        "the tables of schema \"%s\" hold more than %" G_GUINT64_FORMAT
        " cells, and the others may belong to no tuple: it is written, and will be "
        "read when BACKFILL SCHEMA %s has deleted those",
        schema->name, self->n_read, schema->name);
  else if (self->must_be_filled)
    kvsql_result_page_warn (
        page,
        "the tables of schema \"%s\" are not empty: of the first %" G_GUINT64_FORMAT
        " cells %" G_GUINT64_FORMAT " belong to no tuple. It is written, and will be "
        "read when BACKFILL SCHEMA %s has deleted them",
        schema->name, self->n_read, self->n_extra, schema->name);
  else if (self->n_extra > 0)
    kvsql_result_page_warn (
        page,
        "the tables of schema \"%s\" are not empty: of the first %" G_GUINT64_FORMAT
        " cells %" G_GUINT64_FORMAT " belong to no tuple; REPAIR SCHEMA %s deletes "
        "them",
        schema->name, self->n_read, self->n_extra, schema->name);
}

/* ---- what the tables hold already */

/* Cells that were there may be of a program that goes on writing them. */
static void
note_other_writers (KvsqlResultPage *page, const KvsqlSchema *schema)
{
  if (schema->is_primary && schema->options.role == KVSQL_ROLE_ANY
      && schema->relation->writes == KVSQL_WRITES_CHECKED)
    kvsql_result_page_note (page,
                            "writes of relation \"%s\" are checked, and do not notice those of "
                            "other programs: if another one writes its tuples, ALTER RELATION %s "
                            "WITH (writes = plain)",
                            schema->relation->name, schema->relation->name);
}

/* Whether its rows are those of another program. Those of other schemas, kvsqld writes. */
static gboolean
is_declared_over_rows (const KvsqlSchema *schema)
{
  return schema->is_primary || schema->options.role == KVSQL_ROLE_READ;
}

/* Reports on @n rows that do not all belong to other schemas. */
static void
report_rows (KvsqlResultPage *page, const KvsqlSchema *schema, const KvsqlProbe *found, guint64 n)
{
  g_autofree gchar *table
      = schema->has_constant_table ? kvsql_readable (schema->table) : g_strdup ("…");
  g_autofree gchar *text = g_strdup_printf ("%" G_GUINT64_FORMAT " of the first %" G_GUINT64_FORMAT
                                            " rows in table \"%s\" fit schema \"%s\"",
                                            found->n_own_rows, n, table, schema->name);

  if (found->n_own_rows == 0 && is_declared_over_rows (schema))
    kvsql_result_page_warn (page, "%s. Sample: %s", text, found->sample);
  else if (found->n_undecodable > 0)
    kvsql_result_page_note (page, "%s, and %" G_GUINT64_FORMAT " of their cells do not. Sample: %s",
                            text, found->n_undecodable, found->sample);
  else if (found->n_own_rows < n)
    kvsql_result_page_note (page, "%s. Sample: %s", text, found->sample);
  else
    kvsql_result_page_note (page, "%s", text);
}

/* Of a schema without a row in its key range: does the table have rows that no schema explains? A
 * wrong constant in ROW would go unnoticed otherwise. */
static void
report_outside (const KvsqlExecution *execution, const KvsqlSchema *schema, KvsqlResultPage *page)
{
  static const KvsqlProbeLimits limits
      = { .max_rows = SAMPLED_ROWS, .has_all_columns = TRUE, .is_outside = TRUE };
  g_auto (KvsqlProbe) found = { 0 };
  g_autofree gchar *table = kvsql_readable (schema->table);
  g_autoptr (GError) error = NULL;

  if (!kvsql_probe_run (kvsql_execution_get_store (execution), schema, &limits, execution->call,
                        &found, &error))
    warn_of_failure (page, schema, error);
  else if (found.n_rows > found.n_other_rows)
    kvsql_result_page_warn (page,
                            "0 of the first %" G_GUINT64_FORMAT
                            " rows in table \"%s\" fit schema \"%s\": none is in its key range. "
                            "Sample: %s",
                            found.n_rows - found.n_other_rows, table, schema->name, found.sample);
}

void
kvsql_schema_report_rows (const KvsqlExecution *execution, const KvsqlSchema *schema,
                          KvsqlResultPage *page)
{
  static const KvsqlProbeLimits limits = { .max_rows = SAMPLED_ROWS, .has_all_columns = TRUE };
  KvsqlStore *store = kvsql_execution_get_store (execution);
  g_auto (KvsqlProbe) found = { 0 };
  g_autoptr (GError) error = NULL;

  /* a schema that has to be filled: its cells were reported already */
  if (!kvsql_schema_is_filled (schema))
    return;
  if (!kvsql_probe_run (store, schema, &limits, execution->call, &found, &error))
    warn_of_failure (page, schema, error);
  else if (found.n_rows == 0 && is_declared_over_rows (schema))
    report_outside (execution, schema, page);
  else if (found.n_rows > found.n_other_rows)
    {
      report_rows (page, schema, &found, found.n_rows - found.n_other_rows);
      if (found.n_own_rows > 0 && (store->capabilities.flags & KVSQL_STORE_ATOMIC_BATCH) == 0)
        note_other_writers (page, schema);
    }
}
