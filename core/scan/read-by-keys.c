/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * read-by-keys.c: plans one disjunct for each key, and reads from the best schema.
 */
#include "config.h"

#include "core/scan/read-by-keys.h"

#include "core/base/interrupt.h"
#include "core/plan/make-access-path.h"
#include "core/scan/table-scan.h"

/* Makes a disjunct for each tuple, from its values of @attributes. */
static void
dnf_of_tuples (const KvsqlRelation *relation, const KvsqlAttributeSet *attributes,
               const KvsqlValue *const *tuples, guint n_tuples, KvsqlArena *arena, KvsqlDnf *out)
{
  *out = (KvsqlDnf){ .n_disjuncts = n_tuples };
  out->disjuncts = kvsql_arena_array (arena, KvsqlDisjunct, n_tuples);
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
      out->disjuncts[i].constraints = constraints;
    }
}

/* Tuples may be large, so the memory is checked for each. */
static gboolean
add_batch (const KvsqlTableScan *scan, const KvsqlBatch *batch, const KvsqlAttributeSet *wanted,
           KvsqlTupleMap *out, GError **error)
{
  KvsqlValue values[KVSQL_MAX_ATTRIBUTES];

  for (guint row = 0; row < batch->n_rows; row++)
    {
      KvsqlValue *tuple;
      for (guint a = 0; a < batch->n_columns; a++)
        values[a] = kvsql_vector_get (&batch->columns[a], row);
      tuple = kvsql_tuple_map_obtain (out, values, NULL);
      kvsql_tuple_map_add_time (out, tuple, kvsql_table_scan_get_oldest (scan, row));
      kvsql_tuple_map_add_time (out, tuple, kvsql_table_scan_get_newest (scan, row));
      for (guint a = 0; a < batch->n_columns; a++)
        if (kvsql_attribute_set_has (wanted, a))
          kvsql_tuple_map_set (out, tuple, a, &values[a]);
      if (!kvsql_interrupt_poll (error))
        return FALSE;
    }
  return TRUE;
}

/* Reads from the best of the first @n_schemas schemas. */
static gboolean
read_by_keys (KvsqlStore *store, const KvsqlCatalogEntry *entry, guint n_schemas,
              const KvsqlValue *const *tuples, guint n_tuples, const KvsqlAttributeSet *wanted,
              const KvsqlCall *call, KvsqlTupleMap *out, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlTableScan) scan = NULL;
  KvsqlAttributeSet needed = *wanted;
  KvsqlAccessPath best = { 0 }, path;
  KvsqlDnf dnf;
  KvsqlBatch *batch;

  kvsql_attribute_set_add_all (&needed, &entry->relation->keys);
  dnf_of_tuples (entry->relation, &entry->relation->keys, tuples, n_tuples, arena, &dnf);
  for (guint i = 0; i < n_schemas; i++)
    {
      if (!kvsql_schema_is_readable (entry->schemas[i]))
        continue;
      kvsql_access_path_make (entry->schemas[i], &dnf, &needed, &store->capabilities, arena, &path);
      if (path.is_usable && (best.schema == NULL || kvsql_access_path_compare (&path, &best) < 0))
        best = path;
    }
  g_assert (best.schema != NULL); /* the primary can be read, and holds all attributes */
  scan = kvsql_table_scan_new (store, &best, &needed, NULL, n_tuples, 0);
  if (best.schema->options.create_tables) /* the write that this read is for makes them */
    kvsql_table_scan_allow_missing_tables (scan);
  do
    {
      if (!kvsql_table_scan_next (scan, call, &batch, error))
        return FALSE;
      if (!add_batch (scan, batch, &needed, out, error))
        return FALSE;
    }
  while (batch->n_rows > 0);
  return TRUE;
}

gboolean
kvsql_read_by_keys (KvsqlStore *store, const KvsqlCatalogEntry *entry,
                    const KvsqlValue *const *tuples, guint n_tuples,
                    const KvsqlAttributeSet *wanted, const KvsqlCall *call, KvsqlTupleMap *out,
                    GError **error)
{
  return read_by_keys (store, entry, entry->n_schemas, tuples, n_tuples, wanted, call, out, error);
}

gboolean
kvsql_read_primary_by_keys (KvsqlStore *store, const KvsqlCatalogEntry *entry,
                            const KvsqlValue *const *tuples, guint n_tuples,
                            const KvsqlAttributeSet *wanted, const KvsqlCall *call,
                            KvsqlTupleMap *out, GError **error)
{
  g_assert (entry->n_schemas > 0 && entry->schemas[0]->is_primary);
  return read_by_keys (store, entry, 1, tuples, n_tuples, wanted, call, out, error);
}

/* The attributes that determine the cell keys of a tuple in the primary, without maps and lists. */
static KvsqlAttributeSet
cell_key_attributes (const KvsqlCatalogEntry *entry)
{
  const KvsqlRelation *relation = entry->relation;
  KvsqlAttributeSet result = relation->keys;

  for (guint a = 0; a < relation->n_attributes; a++)
    if (kvsql_attribute_set_has (&entry->schemas[0]->cell_key_attributes, a)
        && !kvsql_type_is_collection (relation->attributes[a].type))
      kvsql_attribute_set_add (&result, a);
  return result;
}

/* If the ranges hold more than the wanted tuples, these are found by their keys. */
static void
call_for_batch (KvsqlTableScan *scan, const KvsqlBatch *batch, KvsqlTupleMap *keys,
                KvsqlTupleFunc func, gpointer data)
{
  KvsqlValue tuple[KVSQL_MAX_ATTRIBUTES];

  for (guint row = 0; row < batch->n_rows; row++)
    {
      for (guint a = 0; a < batch->n_columns; a++)
        tuple[a] = kvsql_vector_get (&batch->columns[a], row);
      if (kvsql_tuple_map_find (keys, tuple) != NULL)
        func (tuple, kvsql_table_scan_get_newest (scan, row), data);
    }
}

gboolean
kvsql_read_primary_again (KvsqlStore *store, const KvsqlCatalogEntry *entry,
                          const KvsqlValue *const *tuples, guint n_tuples, const KvsqlCall *call,
                          KvsqlTupleFunc func, gpointer data, GError **error)
{
  const KvsqlRelation *relation = entry->relation;
  KvsqlAttributeSet attributes = cell_key_attributes (entry);
  g_autoptr (KvsqlTupleMap) keys = kvsql_tuple_map_new (relation, 0);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlTableScan) scan = NULL;
  KvsqlAccessPath path;
  KvsqlDnf dnf;
  KvsqlBatch *batch;

  for (guint i = 0; i < n_tuples; i++)
    kvsql_tuple_map_obtain (keys, tuples[i], NULL);
  dnf_of_tuples (relation, &attributes, tuples, n_tuples, arena, &dnf);
  kvsql_access_path_make (entry->schemas[0], &dnf, &relation->all, &store->capabilities, arena,
                          &path);
  scan = kvsql_table_scan_new (store, &path, &relation->all, NULL, n_tuples, 0);
  kvsql_table_scan_allow_missing_tables (scan);
  do
    {
      if (!kvsql_table_scan_next (scan, call, &batch, error))
        return FALSE;
      call_for_batch (scan, batch, keys, func, data);
    }
  while (batch->n_rows > 0);
  return TRUE;
}
