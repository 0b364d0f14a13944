/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * filling.c: see filling.h.
 */
#include "config.h"

#include "core/maintain/filling.h"

#include "core/maintain/compare.h"
#include "core/maintain/probe.h"
#include "core/plan/make-access-path.h"
#include "core/scan/table-scan.h"

/* Cells that are counted for the message. */
#define COUNTED_CELLS 1000
/* If none of these belongs to the schema, this many cells are searched for one. */
#define SEARCHED_CELLS 100000
/* A comparison with a primary that is not empty may have to read all of it. */
#define LONGEST_COMPARISON_US (2 * G_TIME_SPAN_SECOND)
/* Memory for the assembly of one tuple of scattered cells. */
#define SCAN_BYTES ((gsize)64 << 20)

gboolean
kvsql_schema_has_tuples (KvsqlStore *store, const KvsqlSchema *primary, const KvsqlCall *call,
                         gboolean *out, GError **error)
{
  const KvsqlRelation *relation = primary->relation;
  KvsqlConstraint none[KVSQL_MAX_ATTRIBUTES] = { 0 };
  KvsqlDisjunct disjunct = { .constraints = none };
  KvsqlDnf everything = { .disjuncts = &disjunct, .n_disjuncts = 1 };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlTableScan) scan = NULL;
  KvsqlAccessPath path;
  KvsqlBatch *batch;

  kvsql_access_path_make (primary, &everything, &relation->keys, &store->capabilities, arena,
                          &path);
  scan = kvsql_table_scan_new (store, &path, &relation->keys, NULL, 1, SCAN_BYTES);
  kvsql_table_scan_allow_missing_tables (scan);
  if (!kvsql_table_scan_next (scan, call, &batch, error))
    {
      g_prefix_error (error, "could not tell whether relation \"%s\" is empty: ", relation->name);
      return FALSE;
    }
  *out = batch->n_rows > 0;
  return TRUE;
}

/* ---- older cells */

static void
count_extra (KvsqlDifferenceKind kind, const KvsqlValue *tuple, const gchar *what, gpointer data)
{
  KvsqlFilling *self = data;

  self->n_extra += kind == KVSQL_DIFFERENCE_EXTRA;
}

/* Compares with the tuples of the primary. It is only for a message, so it may fail. */
static void
compare_cells (KvsqlStorage *storage, const KvsqlCatalogEntry *entry, const KvsqlSchema *schema,
               const KvsqlCall *whole, KvsqlFilling *out)
{
  KvsqlCall call = *whole;
  KvsqlComparison comparison = { .storage = storage,
                                 .entry = entry,
                                 .schema = schema,
                                 .call = &call,
                                 .func = count_extra,
                                 .data = out };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlScanPosition next;

  call.deadline_us = MIN (call.deadline_us, g_get_monotonic_time () + LONGEST_COMPARISON_US);
  if (!kvsql_compare_cells (&comparison, NULL, arena, &out->has_more, &next, &out->n_read, NULL))
    out->n_extra = 0;
}

static gboolean
probe (KvsqlStore *store, const KvsqlSchema *schema, const KvsqlProbeLimits *limits,
       const KvsqlCall *call, KvsqlFilling *out, GError **error)
{
  g_auto (KvsqlProbe) found = { 0 };

  if (!kvsql_probe_run (store, schema, limits, call, &found, error))
    {
      g_prefix_error (
          error, "could not tell whether the tables of schema \"%s\" are empty: ", schema->name);
      return FALSE;
    }
  *out = (KvsqlFilling){ .n_read = found.n_cells,
                         .n_extra = found.n_own_cells,
                         .has_more = found.has_more };
  return TRUE;
}

/* Without tuples, every cell of the schema is extra. */
static gboolean
count_cells (KvsqlStore *store, const KvsqlSchema *schema, const KvsqlCall *call, KvsqlFilling *out,
             GError **error)
{
  static const KvsqlProbeLimits counted = { .max_cells = COUNTED_CELLS };
  static const KvsqlProbeLimits searched = { .max_cells = SEARCHED_CELLS, .stops_at_own = TRUE };

  if (!probe (store, schema, &counted, call, out, error))
    return FALSE;
  return out->n_extra > 0 || !out->has_more || probe (store, schema, &searched, call, out, error);
}

/* ---- the check */

gboolean
kvsql_schema_check_filling (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                            const KvsqlSchema *schema, const KvsqlCall *call, KvsqlFilling *out,
                            GError **error)
{
  KvsqlStore *store = kvsql_storage_get_store (storage);
  gboolean has_primary = entry->n_schemas > 0 && entry->schemas[0]->is_primary;

  *out = (KvsqlFilling){ 0 };
  /* the primary's cells are the relation's tuples; schemas that other programs write are filled by
   * them */
  if (schema->is_primary || schema->options.role == KVSQL_ROLE_READ
      || !kvsql_schema_is_filled (schema))
    return TRUE;
  if (has_primary
      && !kvsql_schema_has_tuples (store, entry->schemas[0], call, &out->has_tuples, error))
    return FALSE;
  if (out->has_tuples && schema->options.role == KVSQL_ROLE_ANY)
    compare_cells (storage, entry, schema, call, out);
  else if (!out->has_tuples && !count_cells (store, schema, call, out, error))
    return FALSE;
  out->must_be_filled = schema->options.role == KVSQL_ROLE_ANY
                        && (out->has_tuples || out->n_extra > 0 || out->has_more);
  return TRUE;
}
