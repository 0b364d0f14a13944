/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * read-by-keys.c: a box for each key, read from the schema that does it best.
 */
#include "config.h"

#include "core/exec/read-by-keys.h"
#include "core/exec/tuple-scan.h"

/* A box for each tuple, from its values of @attributes. */
static void
boxes_of_tuples (const KvsqlRelation *relation, const KvsqlAttributeSet *attributes,
                 const KvsqlValue *const *tuples, guint n_tuples, KvsqlArena *arena,
                 KvsqlBoxes *out)
{
  *out = (KvsqlBoxes){ .n_boxes = n_tuples };
  out->boxes = kvsql_arena_array (arena, KvsqlBox, n_tuples);
  for (guint i = 0; i < n_tuples; i++)
    {
      KvsqlConstraint *constraints
          = kvsql_arena_array (arena, KvsqlConstraint, relation->n_attributes);
      for (guint a = 0; a < relation->n_attributes; a++)
        if (kvsql_attribute_set_has (attributes, a) && !kvsql_value_is_null (&tuples[i][a]))
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
keep_batch (const KvsqlTupleScan *scan, const KvsqlBatch *batch, const KvsqlAttributeSet *wanted,
            KvsqlTupleMap *out)
{
  KvsqlValue values[KVSQL_MAX_ATTRIBUTES];

  for (guint row = 0; row < batch->n_rows; row++)
    {
      KvsqlValue *tuple;
      for (guint a = 0; a < batch->n_columns; a++)
        values[a] = kvsql_vector_get (&batch->columns[a], row);
      tuple = kvsql_tuple_map_obtain (out, values, NULL);
      kvsql_tuple_map_add_time (out, tuple, kvsql_tuple_scan_get_oldest (scan, row));
      kvsql_tuple_map_add_time (out, tuple, kvsql_tuple_scan_get_newest (scan, row));
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
  boxes_of_tuples (entry->relation, &entry->relation->keys, tuples, n_tuples, arena, &boxes);
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
      keep_batch (scan, batch, &needed, out);
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

/* What tells where the primary has a tuple; values of maps and lists are left out. */
static KvsqlAttributeSet
address_attributes (const KvsqlCatalogEntry *entry)
{
  const KvsqlRelation *relation = entry->relation;
  KvsqlAttributeSet result = relation->keys;

  for (guint a = 0; a < relation->n_attributes; a++)
    if (kvsql_attribute_set_has (&entry->schemas[0]->address_attributes, a)
        && !kvsql_type_is_collection (relation->attributes[a].type))
      kvsql_attribute_set_add (&result, a);
  return result;
}

/* Where the ranges hold more than the tuples that are asked for, these are told by their keys. */
static void
give_batch (KvsqlTupleScan *scan, const KvsqlBatch *batch, KvsqlTupleMap *keys, KvsqlTupleFunc func,
            gpointer data)
{
  KvsqlValue tuple[KVSQL_MAX_ATTRIBUTES];

  for (guint row = 0; row < batch->n_rows; row++)
    {
      for (guint a = 0; a < batch->n_columns; a++)
        tuple[a] = kvsql_vector_get (&batch->columns[a], row);
      if (kvsql_tuple_map_find (keys, tuple) != NULL)
        func (tuple, kvsql_tuple_scan_get_newest (scan, row), data);
    }
}

gboolean
kvsql_read_primary_again (KvsqlEngine *engine, const KvsqlCatalogEntry *entry,
                          const KvsqlValue *const *tuples, guint n_tuples, const KvsqlCall *call,
                          KvsqlTupleFunc func, gpointer data, GError **error)
{
  const KvsqlRelation *relation = entry->relation;
  KvsqlAttributeSet attributes = address_attributes (entry);
  g_autoptr (KvsqlTupleMap) keys = kvsql_tuple_map_new (relation, 0);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlTupleScan) scan = NULL;
  KvsqlStore *store = kvsql_engine_get_store (engine);
  KvsqlCandidate candidate;
  KvsqlBoxes boxes;
  KvsqlBatch *batch;

  for (guint i = 0; i < n_tuples; i++)
    kvsql_tuple_map_obtain (keys, tuples[i], NULL);
  boxes_of_tuples (relation, &attributes, tuples, n_tuples, arena, &boxes);
  kvsql_candidate_make (entry->schemas[0], &boxes, &relation->all, &store->capabilities, arena,
                        &candidate);
  scan = kvsql_tuple_scan_new (store, &candidate, &relation->all, NULL, n_tuples, 0);
  kvsql_tuple_scan_allow_missing_tables (scan);
  do
    {
      if (!kvsql_tuple_scan_next (scan, call, &batch, error))
        return FALSE;
      give_batch (scan, batch, keys, func, data);
    }
  while (batch->n_rows > 0);
  return TRUE;
}
