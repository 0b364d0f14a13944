/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * regions.c: divides a range of rows into parts of about the same size.
 *
 * HBase keeps its regions at about the same size, so their bounds are the best places; a part then
 * reads from one server only. If there are more parts than regions, keys inside each region are
 * looked up.
 */
#include "config.h"

#include "core/store/split.h"
#include "daemon/stores/hbase/store.h"

#define KNOWN_US (60 * G_USEC_PER_SEC)
#define MOST_KNOWN 1000

static gint
compare_keys (gconstpointer a, gconstpointer b)
{
  return kvsql_slice_compare (*(const KvsqlSlice *)a, *(const KvsqlSlice *)b);
}

static gboolean
lies_within (const KvsqlRowRange *range, KvsqlSlice key)
{
  return kvsql_slice_compare (key, range->start) > 0
         && (range->stop.size == 0 || kvsql_slice_compare (key, range->stop) < 0);
}

/* The first keys of the regions within the range, ascending. Replicas of a region have the same
 * first key. */
static gboolean
find_bounds (KvsqldHbaseStore *self, KvsqlSlice table, const KvsqlRowRange *range,
             const KvsqlCall *call, KvsqlArena *arena, GArray *bounds, GError **error)
{
  g_auto (KvsqldT2Writer) request = { 0 };
  g_auto (KvsqldT2Reply) reply = { 0 };
  g_autofree gchar *owned = NULL;
  KvsqlSlice full_name = kvsqld_hbase_full_name (self, table, &owned);
  guint n = 0;

  if (!kvsqld_hbase_begin (self, &request, call, error))
    return FALSE;
  kvsqld_t2_write_get_regions (&request, full_name);
  if (!kvsqld_hbase_request (self, &kvsqld_t2_get_regions, &request, full_name, call, &reply,
                             error))
    return FALSE;
  for (guint i = 0; i < reply.n_names; i++)
    if (lies_within (range, reply.names[i].name))
      {
        KvsqlSlice key = kvsql_slice_dup (arena, reply.names[i].name);

        g_array_append_val (bounds, key);
      }
  g_array_sort (bounds, compare_keys);
  for (guint i = 0; i < bounds->len; i++)
    if (n == 0
        || !kvsql_slice_equal (g_array_index (bounds, KvsqlSlice, n - 1),
                               g_array_index (bounds, KvsqlSlice, i)))
      g_array_index (bounds, KvsqlSlice, n++) = g_array_index (bounds, KvsqlSlice, i);
  g_array_set_size (bounds, n);
  return TRUE;
}

gboolean
kvsqld_hbase_split_points (KvsqlStore *store, KvsqlSlice table, const KvsqlRowRange *range,
                           guint n_wanted, const KvsqlCall *call, KvsqlArena *arena,
                           KvsqlSlice **out_keys, guint *out_n_keys, GError **error)
{
  g_autoptr (GArray) bounds = g_array_new (FALSE, FALSE, sizeof (KvsqlSlice));
  KvsqlSlice *keys = kvsql_arena_array (arena, KvsqlSlice, n_wanted), *inner;
  guint n = 0, n_inner, n_regions, n_parts = n_wanted + 1;

  if (!find_bounds ((KvsqldHbaseStore *)store, table, range, call, arena, bounds, error))
    return FALSE;
  n_regions = bounds->len + 1;
  for (guint i = 0; i < n_regions; i++)
    {
      KvsqlRowRange region = *range;
      guint first = (guint)(((guint64)i * n_parts + n_regions - 1) / n_regions);
      guint end = (guint)(((guint64)(i + 1) * n_parts + n_regions - 1) / n_regions);

      if (i > 0)
        region.start = g_array_index (bounds, KvsqlSlice, i - 1);
      if (i < bounds->len)
        region.stop = g_array_index (bounds, KvsqlSlice, i);
      /* If there are more regions than parts, some regions do not begin a part. */
      if (i > 0 && end > first && n < n_wanted)
        keys[n++] = region.start;
      if (end <= first + 1)
        continue;
      if (!kvsql_split_by_scanning (store, table, &region, MIN (end - first - 1, n_wanted - n),
                                    call, arena, &inner, &n_inner, error))
        return FALSE;
      if (n_inner > 0)
        memcpy (keys + n, inner, n_inner * sizeof *inner);
      n += n_inner;
    }
  *out_keys = keys;
  *out_n_keys = n;
  return TRUE;
}

gboolean
kvsqld_hbase_list_regions (KvsqldHbaseStore *self, KvsqlSlice table, const KvsqlCall *call,
                           KvsqlArena *arena, KvsqlSlice **out_starts, guint *out_n, GError **error)
{
  const KvsqlRowRange all = { KVSQL_SLICE_EMPTY, KVSQL_SLICE_EMPTY };
  g_autoptr (GArray) bounds = g_array_new (FALSE, FALSE, sizeof (KvsqlSlice));

  if (!find_bounds (self, table, &all, call, arena, bounds, error))
    return FALSE;
  *out_n = bounds->len + 1;
  *out_starts = kvsql_arena_array (arena, KvsqlSlice, *out_n);
  (*out_starts)[0] = KVSQL_SLICE_EMPTY; /* the first region begins with the table */
  for (guint i = 0; i < bounds->len; i++)
    (*out_starts)[i + 1] = g_array_index (bounds, KvsqlSlice, i);
  return TRUE;
}

/* ---- the number of regions */

typedef struct
{
  guint n;
  gint64 since_us;
} RegionCount;

static gboolean
find_count (KvsqldHbaseStore *self, const gchar *table, guint *out)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->regions_lock);
  const RegionCount *known = g_hash_table_lookup (self->region_counts, table);

  if (known == NULL || g_get_monotonic_time () - known->since_us > KNOWN_US)
    return FALSE;
  *out = known->n;
  return TRUE;
}

static void
keep_count (KvsqldHbaseStore *self, const gchar *table, guint n)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->regions_lock);
  RegionCount *known = g_new (RegionCount, 1);

  *known = (RegionCount){ n, g_get_monotonic_time () };
  if (g_hash_table_size (self->region_counts) >= MOST_KNOWN)
    g_hash_table_remove_all (self->region_counts);
  g_hash_table_insert (self->region_counts, g_strdup (table), known);
}

guint
kvsqld_hbase_count_regions (KvsqldHbaseStore *self, KvsqlSlice table, const KvsqlCall *call)
{
  g_autofree gchar *name = g_strndup ((const gchar *)table.data, table.size);
  g_autoptr (KvsqlArena) arena = NULL;
  KvsqlSlice *starts;
  guint n = 0;

  if (find_count (self, name, &n))
    return n;
  arena = kvsql_arena_new ();
  if (!kvsqld_hbase_list_regions (self, table, call, arena, &starts, &n, NULL))
    n = 0; /* the user may not be allowed to ask for it: not again with each scan */
  keep_count (self, name, n);
  return n;
}
