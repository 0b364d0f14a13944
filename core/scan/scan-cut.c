/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * scan-cut.c: cuts the tables and ranges of a scan at keys that the store proposes.
 */
#include "config.h"

#include "core/scan/scan-cut.h"

/* With more tables there would be too many parts. */
#define MAX_TABLES 1000

/* The cuts of one table. */
typedef struct
{
  KvsqlStore *store;
  const KvsqlCall *call;
  KvsqlArena *arena;
  const KvsqlPlanTable *table;
  GArray *keys; /* KvsqlSlice, ascending: the start of each part */
} Cutting;

/* If the store does not know the table, reading it will report that. */
static gboolean
cut_range (Cutting *self, const KvsqlRowRange *range, guint n_parts, GError **error)
{
  g_autoptr (GError) cause = NULL;
  KvsqlSlice *keys;
  guint n;

  if (n_parts < 2 || kvsql_row_range_is_point (range))
    return TRUE;
  if (kvsql_store_split_points (self->store, self->table->table, range, n_parts - 1, self->call,
                                self->arena, &keys, &n, &cause))
    {
      g_array_append_vals (self->keys, keys, n);
      return TRUE;
    }
  if (g_error_matches (cause, KVSQL_ERROR, KVSQL_ERROR_STORE))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&cause));
  return FALSE;
}

/* Cuts between ranges. If there are too few, also within them. */
static gboolean
cut_table (Cutting *self, guint n_parts, GError **error)
{
  guint n_ranges = self->table->n_ranges, n_groups = MIN (n_ranges, n_parts);

  for (guint i = 0; i < n_groups; i++)
    {
      const KvsqlRowRange *range = &self->table->ranges[(gsize)i * n_ranges / n_groups];

      if (i > 0)
        g_array_append_val (self->keys, range->start);
      if (n_groups == n_ranges
          && !cut_range (self, range, n_parts * (i + 1) / n_ranges - n_parts * i / n_ranges, error))
        return FALSE;
    }
  return TRUE;
}

static void
add_parts (const Cutting *self, guint number, gboolean is_reversed, GArray *parts)
{
  guint n_keys = self->keys->len;

  for (guint i = 0; i <= n_keys; i++)
    {
      guint at = is_reversed ? n_keys - i : i;
      KvsqlScanPart part = { .is_part = TRUE, .table = number, .name = self->table->table };

      if (at > 0)
        part.rows.start = g_array_index (self->keys, KvsqlSlice, at - 1);
      if (at < n_keys)
        part.rows.stop = g_array_index (self->keys, KvsqlSlice, at);
      part.name = kvsql_slice_dup (self->arena, part.name);
      part.rows.start = kvsql_slice_dup (self->arena, part.rows.start);
      part.rows.stop = kvsql_slice_dup (self->arena, part.rows.stop);
      g_array_append_val (parts, part);
    }
}

static gboolean
cut_tables (Cutting *self, const KvsqlPlanTable *tables, guint n_tables, guint n_wanted,
            gboolean is_reversed, GArray *parts, GError **error)
{
  for (guint i = 0; i < n_tables; i++)
    {
      if (tables[i].n_ranges == 0)
        continue;
      self->table = &tables[i];
      g_array_set_size (self->keys, 0);
      if (!cut_table (self, MAX (n_wanted / n_tables, 1), error))
        return FALSE;
      add_parts (self, i, is_reversed, parts);
    }
  return TRUE;
}

gboolean
kvsql_scan_cut (KvsqlStore *store, const KvsqlAccessPath *path, const KvsqlAttributeSet *wanted,
                const KvsqlScanPosition *position, guint n_wanted, const KvsqlCall *call,
                KvsqlArena *arena, KvsqlScanPart **out_parts, guint *out_n_parts, GError **error)
{
  g_autoptr (KvsqlTableScan) scan = kvsql_table_scan_new (store, path, wanted, position, 0, 0);
  g_autoptr (GArray) keys = g_array_new (FALSE, FALSE, sizeof (KvsqlSlice));
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (KvsqlScanPart));
  Cutting cutting = { store, call, arena, NULL, keys };
  const KvsqlPlanTable *tables;
  guint n_tables;

  *out_n_parts = 0;
  if (!kvsql_table_scan_get_tables (scan, call, &tables, &n_tables, error))
    return FALSE;
  if (n_tables > MAX_TABLES)
    return TRUE;
  if (!cut_tables (&cutting, tables, n_tables, n_wanted, path->is_reversed, parts, error))
    return FALSE;
  *out_n_parts = parts->len;
  *out_parts = kvsql_arena_copy (arena, parts->data, parts->len * sizeof (KvsqlScanPart));
  return TRUE;
}
