/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * split.c: divides a range of rows into parts of about the same size. split.h has the algorithm.
 */
#include "config.h"

#include "core/store/split.h"

#include "core/store/key-space.h"

/* Parts are cut smaller than wanted, and joined again: the results are more equal in size. */
#define PARTS_WITH_WEIGHTS 8
#define MIN_PARTS 32
#define MAX_PARTS 2048
/* Without weights, each part costs two requests, one after the other, before any part can be
 * read. */
#define PARTS_WITHOUT 2
#define MAX_PARTS_WITHOUT 64

/* ---- parts */

typedef struct
{
  KvsqlSlice first, last; /* rows */
  gdouble weight;
} Part;

typedef struct
{
  const KvsqlSplitter *splitter;
  KvsqlRowRange range;
  KvsqlArena *arena;
  GArray *parts;        /* Part, ascending */
  KvsqlSlice low, high; /* the first and the last row of all parts */
} Split;

static Part
part_of (const Split *self, KvsqlSlice first, KvsqlSlice last)
{
  Part part = { first, last, 0 };

  if (self->splitter->weigh != NULL)
    part.weight = self->splitter->weigh (self->splitter->data, first, last);
  else
    part.weight = kvsql_key_get_progress (self->low, self->high, last)
                  - kvsql_key_get_progress (self->low, self->high, first);
  return part;
}

static gboolean
can_be_cut (const Part *part)
{
  return !kvsql_slice_equal (part->first, part->last);
}

/* Returns: the index, or -1 if no part can be cut. */
static gint
find_heaviest (const GArray *parts)
{
  gint found = -1;

  for (guint i = 0; i < parts->len; i++)
    {
      const Part *part = &g_array_index (parts, Part, i);

      if (can_be_cut (part)
          && (found < 0 || part->weight > g_array_index (parts, Part, found).weight))
        found = (gint)i;
    }
  return found;
}

/* Cuts a part in two. If no cut is found, as rows may be deleted concurrently, the part is marked
 * as one row, which cannot be cut again. */
static gboolean
cut (Split *self, guint index, GError **error)
{
  Part *part = &g_array_index (self->parts, Part, index);
  const KvsqlSplitter *splitter = self->splitter;
  KvsqlSlice first = part->first, last = part->last, next, before;
  KvsqlSlice at = kvsql_key_get_middle (first, last, self->arena);
  gboolean found;
  Part upper;

  if (!splitter->find (splitter->data, &(KvsqlRowRange){ at, self->range.stop }, FALSE, self->arena,
                       &next, &found, error))
    return FALSE;
  found = found && kvsql_slice_compare (next, last) <= 0;
  if (found
      && !splitter->find (splitter->data, &(KvsqlRowRange){ first, next }, TRUE, self->arena,
                          &before, &found, error))
    return FALSE;
  if (!found)
    {
      part->last = first;
      return TRUE;
    }
  *part = part_of (self, first, before);
  upper = part_of (self, next, last);
  g_array_insert_val (self->parts, index + 1, upper);
  return TRUE;
}

static gboolean
cut_to (Split *self, guint n_parts, GError **error)
{
  gint heaviest = 0;

  while (self->parts->len < n_parts && (heaviest = find_heaviest (self->parts)) >= 0)
    if (!cut (self, (guint)heaviest, error))
      return FALSE;
  return TRUE;
}

/* Joins neighbouring parts: adds a key wherever the parts before it reach the next multiple of an
 * equal share. */
static guint
choose_keys (const Split *self, guint n_wanted, KvsqlSlice *keys)
{
  gdouble total = 0, before = 0, share;
  guint n = 0;

  for (guint i = 0; i < self->parts->len; i++)
    total += g_array_index (self->parts, Part, i).weight;
  share = total / (n_wanted + 1);
  for (guint i = 0; i < self->parts->len; i++)
    {
      const Part *part = &g_array_index (self->parts, Part, i);
      gboolean is_enough = before + part->weight / 2 >= share * (n + 1);

      if (i > 0 && n < n_wanted && (is_enough || self->parts->len <= n_wanted + 1))
        keys[n++] = part->first;
      before += part->weight;
    }
  return n;
}

/* Finds the first and the last row. *@out_found is FALSE if there are fewer than two rows. */
static gboolean
find_ends (Split *self, gboolean *out_found, GError **error)
{
  const KvsqlSplitter *splitter = self->splitter;

  if (!splitter->find (splitter->data, &self->range, FALSE, self->arena, &self->low, out_found,
                       error)
      || (*out_found
          && !splitter->find (splitter->data, &self->range, TRUE, self->arena, &self->high,
                              out_found, error)))
    return FALSE;
  *out_found = *out_found && kvsql_slice_compare (self->low, self->high) < 0;
  return TRUE;
}

/* The number of parts to cut before they are joined. */
static guint
count_parts (const Split *self, guint n_wanted)
{
  gsize n = (gsize)n_wanted + 1;

  if (self->splitter->weigh == NULL)
    return (guint)MIN (n * PARTS_WITHOUT, MAX_PARTS_WITHOUT);
  return (guint)CLAMP (n * PARTS_WITH_WEIGHTS, MIN_PARTS, MAX (MAX_PARTS, n));
}

gboolean
kvsql_split_by_seeking (const KvsqlSplitter *splitter, const KvsqlRowRange *range, guint n_wanted,
                        KvsqlArena *arena, KvsqlSlice **out_keys, guint *out_n_keys, GError **error)
{
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (Part));
  Split self = { .splitter = splitter, .range = *range, .arena = arena, .parts = parts };
  gboolean found = FALSE;
  Part all;

  *out_n_keys = 0;
  if (!find_ends (&self, &found, error))
    return FALSE;
  if (!found)
    return TRUE;
  all = part_of (&self, self.low, self.high);
  g_array_append_val (parts, all);
  if (!cut_to (&self, count_parts (&self, n_wanted), error))
    return FALSE;
  *out_keys = kvsql_arena_array (arena, KvsqlSlice, n_wanted);
  *out_n_keys = choose_keys (&self, n_wanted, *out_keys);
  return TRUE;
}

/* ---- by scans */

gboolean
kvsql_find_row (KvsqlStore *store, KvsqlSlice table, const KvsqlRowRange *range, gboolean is_last,
                const KvsqlCall *call, KvsqlArena *arena, KvsqlSlice *out_row, gboolean *out_found,
                GError **error)
{
  KvsqlScanSpec spec = { .table = table,
                         .ranges = range,
                         .n_ranges = 1,
                         .keys_only = TRUE,
                         .is_reversed = is_last,
                         .row_limit = 1,
                         .batch_rows = 1 };
  g_autoptr (KvsqlScan) scan = NULL;
  const KvsqlRows *rows;

  *out_found = FALSE;
  if (range->stop.size > 0 && kvsql_slice_compare (range->start, range->stop) >= 0)
    return TRUE;
  scan = kvsql_store_open_scan (store, &spec, call, error);
  if (scan == NULL || !kvsql_scan_next (scan, call, &rows, error))
    return FALSE;
  *out_found = rows->n_rows > 0;
  if (*out_found)
    *out_row = kvsql_slice_dup (arena, rows->rows[0].key);
  return TRUE;
}

typedef struct
{
  KvsqlStore *store;
  KvsqlSlice table;
  const KvsqlCall *call;
} Scans;

static gboolean
find_by_scan (gpointer data, const KvsqlRowRange *range, gboolean is_last, KvsqlArena *arena,
              KvsqlSlice *out_row, gboolean *out_found, GError **error)
{
  const Scans *self = data;

  return kvsql_find_row (self->store, self->table, range, is_last, self->call, arena, out_row,
                         out_found, error);
}

gboolean
kvsql_split_by_scanning (KvsqlStore *store, KvsqlSlice table, const KvsqlRowRange *range,
                         guint n_wanted, const KvsqlCall *call, KvsqlArena *arena,
                         KvsqlSlice **out_keys, guint *out_n_keys, GError **error)
{
  Scans scans = { store, table, call };
  KvsqlSplitter splitter = { &scans, find_by_scan, NULL };

  *out_n_keys = 0;
  return !(store->capabilities.flags & KVSQL_STORE_REVERSE_SCAN)
         || kvsql_split_by_seeking (&splitter, range, n_wanted, arena, out_keys, out_n_keys, error);
}
