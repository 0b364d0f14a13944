/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * read-by-keys.c: a box for each key, read from the schema that does it best.
 */
#include "config.h"

#include "core/exec/read-by-keys.h"
#include "core/exec/tuple-scan.h"

static void
boxes_of_keys (const KvsqlRelation *relation, const KvsqlValue *const *tuples, guint n_tuples,
               KvsqlArena *arena, KvsqlBoxes *out)
{
  *out = (KvsqlBoxes){ .n_boxes = n_tuples };
  out->boxes = kvsql_arena_array (arena, KvsqlBox, n_tuples);
  for (guint i = 0; i < n_tuples; i++)
    {
      KvsqlConstraint *constraints
          = kvsql_arena_array (arena, KvsqlConstraint, relation->n_attributes);
      for (guint a = 0; a < relation->n_attributes; a++)
        if (relation->attributes[a].is_key)
          {
            KvsqlInterval *point = kvsql_arena_new0 (arena, KvsqlInterval);
            point->low = point->high = tuples[i][a];
            point->has_low = point->has_high = TRUE;
            constraints[a]
                = (KvsqlConstraint){ .is_constrained = TRUE, .intervals = point, .n_intervals = 1 };
          }
      out->boxes[i].constraints = constraints;
    }
}

static void
keep_batch (const KvsqlBatch *batch, const KvsqlAttributeSet *wanted, KvsqlTupleMap *out)
{
  KvsqlValue values[KVSQL_MAX_ATTRIBUTES];

  for (guint row = 0; row < batch->n_rows; row++)
    {
      KvsqlValue *tuple;
      for (guint a = 0; a < batch->n_columns; a++)
        values[a] = kvsql_vector_get (&batch->columns[a], row);
      tuple = kvsql_tuple_map_obtain (out, values, NULL);
      for (guint a = 0; a < batch->n_columns; a++)
        if (kvsql_attribute_set_has (wanted, a))
          kvsql_tuple_map_set (out, tuple, a, &values[a]);
    }
}

/* From the best of the first @n_schemas schemas. */
static gboolean
read_by_keys (KvsqlEngine *engine, const KvsqlCatalogEntry *entry, guint n_schemas,
              const KvsqlValue *const *tuples, guint n_tuples, const KvsqlAttributeSet *wanted,
              const KvsqlCall *call, KvsqlTupleMap *out, KvsqlCalls *calls, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlTupleScan) scan = NULL;
  KvsqlStore *store = kvsql_engine_get_store (engine);
  KvsqlAttributeSet needed = *wanted;
  KvsqlCandidate best = { 0 }, candidate;
  KvsqlBoxes boxes;
  KvsqlBatch *batch;

  kvsql_attribute_set_add_all (&needed, &entry->relation->keys);
  boxes_of_keys (entry->relation, tuples, n_tuples, arena, &boxes);
  for (guint i = 0; i < n_schemas; i++)
    {
      if (!kvsql_schema_is_readable (entry->schemas[i]))
        continue;
      kvsql_candidate_make (entry->schemas[i], &boxes, &needed, &store->capabilities, arena,
                            &candidate);
      if (candidate.is_usable
          && (best.schema == NULL || kvsql_candidate_compare (&candidate, &best) < 0))
        best = candidate;
    }
  if (calls != NULL)
    kvsql_calls_add_reads (calls, &best);
  scan = kvsql_tuple_scan_new (store, &best, &needed, NULL, n_tuples, 0);
  if (best.schema->options.create_tables) /* by the write that this is for */
    kvsql_tuple_scan_allow_missing_tables (scan);
  do
    {
      if (!kvsql_tuple_scan_next (scan, call, &batch, error))
        return FALSE;
      keep_batch (batch, &needed, out);
    }
  while (batch->n_rows > 0);
  return TRUE;
}

gboolean
kvsql_read_by_keys (KvsqlEngine *engine, const KvsqlCatalogEntry *entry,
                    const KvsqlValue *const *tuples, guint n_tuples,
                    const KvsqlAttributeSet *wanted, const KvsqlCall *call, KvsqlTupleMap *out,
                    KvsqlCalls *calls, GError **error)
{
  return read_by_keys (engine, entry, entry->n_schemas, tuples, n_tuples, wanted, call, out, calls,
                       error);
}

gboolean
kvsql_read_primary_by_keys (KvsqlEngine *engine, const KvsqlCatalogEntry *entry,
                            const KvsqlValue *const *tuples, guint n_tuples,
                            const KvsqlAttributeSet *wanted, const KvsqlCall *call,
                            KvsqlTupleMap *out, KvsqlCalls *calls, GError **error)
{
  return read_by_keys (engine, entry, 1, tuples, n_tuples, wanted, call, out, calls, error);
}
