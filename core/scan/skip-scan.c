/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * skip-scan.c: reads a window, then the rest of the last key prefix in it, then the next window.
 *
 * A window is a few consecutive rows of the table. It shows the next key prefix. If wanted rows of
 * this key prefix may come after the window, these are read. Then all rows of the key prefix are
 * done, and the next window begins after them.
 *
 * If an estimate was wrong, and key prefixes have few rows, a seek for each would cost more than a
 * full scan. So windows grow as long as they show several key prefixes, until the skip scan becomes
 * a full scan. After as many key prefixes as were expected, and each time that their number has
 * doubled, a larger window measures how many rows they have.
 */
#include "config.h"

#include "core/scan/skip-scan.h"
#include "core/base/error.h"
#include "core/layout/key-prefix.h"

#define WINDOW_GROWTH 4
#define LOOK_GROWTH 16
#define LEAST_PREFIXES_BETWEEN_LOOKS 16

typedef enum
{
  IN_WINDOW,     /* the window is read next */
  BEFORE_PREFIX, /* the ranges of the rest of the key prefix are known, and not yet opened */
  AFTER_PREFIX,
  AT_END,
} State;

struct _KvsqlSkipScan
{
  KvsqlStore *store;
  KvsqlScanSpec spec;
  const KvsqlSkipPlan *skip;
  KvsqlReadCounts *reads;

  State state;
  KvsqlScan *scan;
  KvsqlBuffer bound;  /* what is left begins there, or ends there if the scan is reversed */
  gboolean is_begun;  /* there is a bound */
  KvsqlBuffer prefix; /* of the last row of a window */
  guint window;       /* rows */
  gdouble n_seen;     /* key prefixes that were the only one of a window */
  gdouble next_look;  /* at this many the window is larger */
  KvsqlArena *arena;  /* of one window and the rest of its key prefix */
  GArray *ranges;     /* KvsqlRowRange: read next, in @arena */
  KvsqlRows rows;     /* of a window, to be returned */
  guint n_rows_allocated;

  KvsqlBatch *nothing; /* receives the decoded attributes, which are not used */
  KvsqlSlot slots[KVSQL_MAX_SLOTS];
};

KvsqlSkipScan *
kvsql_skip_scan_new (KvsqlStore *store, const KvsqlScanSpec *spec, const KvsqlSkipPlan *skip,
                     KvsqlReadCounts *reads)
{
  KvsqlSkipScan *self = g_new0 (KvsqlSkipScan, 1);
  KvsqlType types[KVSQL_MAX_ATTRIBUTES + 2];

  g_assert (skip->row->n_attributes <= G_N_ELEMENTS (types));
  g_assert (spec->row_limit == 0); /* each window sets its own */
  g_assert (kvsql_sequence_has_key_prefix (skip->row, skip->n_prefix));
  self->store = store;
  self->spec = *spec;
  self->skip = skip;
  self->reads = reads;
  self->window = kvsql_skip_plan_get_window (&store->capabilities);
  self->next_look = MAX (2 * skip->n_prefixes, LEAST_PREFIXES_BETWEEN_LOOKS);
  self->arena = kvsql_arena_new ();
  self->ranges = g_array_new (FALSE, FALSE, sizeof (KvsqlRowRange));
  for (guint a = 0; a < skip->row->n_attributes; a++)
    types[a] = KVSQL_TYPE_NULL;
  self->nothing = kvsql_batch_new (types, skip->row->n_attributes, 1);
  return self;
}

void
kvsql_skip_scan_free (KvsqlSkipScan *self)
{
  if (self == NULL)
    return;
  kvsql_scan_close (self->scan);
  kvsql_buffer_clear (&self->bound);
  kvsql_buffer_clear (&self->prefix);
  kvsql_arena_free (self->arena);
  g_array_unref (self->ranges);
  kvsql_batch_free (self->nothing);
  g_free (self->rows.rows);
  g_free (self);
}

/* ---- ranges */

static void
set_buffer (KvsqlBuffer *buffer, KvsqlSlice bytes)
{
  buffer->size = 0;
  kvsql_buffer_append_slice (buffer, bytes);
}

/* Adds the rest of @wanted within the table's ranges. */
static void
add_ranges (KvsqlSkipScan *self, KvsqlRowRange wanted)
{
  KvsqlSlice bound = kvsql_buffer_slice (&self->bound);
  KvsqlRowRange left = { .start = self->spec.is_reversed ? KVSQL_SLICE_EMPTY : bound,
                         .stop = self->spec.is_reversed ? bound : KVSQL_SLICE_EMPTY };

  if (self->is_begun && !kvsql_row_range_intersect (&wanted, &left, &wanted))
    return;
  for (guint i = 0; i < self->spec.n_ranges; i++)
    {
      KvsqlRowRange both;
      if (kvsql_row_range_intersect (&self->spec.ranges[i], &wanted, &both))
        g_array_append_val (self->ranges, both);
    }
}

/* Adds the rest of the key prefix. */
static void
add_suffixes (KvsqlSkipScan *self)
{
  KvsqlSlice prefix = kvsql_buffer_slice (&self->prefix);

  for (guint i = 0; i < self->skip->n_suffixes; i++)
    {
      const KvsqlRowRange *suffix = &self->skip->suffixes[i];
      KvsqlRowRange wanted = { .start = kvsql_slice_join (self->arena, prefix, suffix->start) };

      if (suffix->stop.size > 0)
        wanted.stop = kvsql_slice_join (self->arena, prefix, suffix->stop);
      else
        kvsql_slice_successor (self->arena, prefix, &wanted.stop);
      add_ranges (self, wanted);
    }
}

/* Sets the bound after the key prefix. */
static void
leave_prefix (KvsqlSkipScan *self)
{
  KvsqlSlice prefix = kvsql_buffer_slice (&self->prefix), next = prefix;

  if (!self->spec.is_reversed && !kvsql_slice_successor (self->arena, prefix, &next))
    next = KVSQL_SLICE_EMPTY;
  self->state = next.size > 0 ? IN_WINDOW : AT_END;
  set_buffer (&self->bound, next);
}

/* Sets the bound after the row. A row from outside of the ranges is an error: with a bound that
 * does not move on, the same window would be read for ever. */
static gboolean
leave_row (KvsqlSkipScan *self, KvsqlSlice key, GError **error)
{
  gint order = self->is_begun ? kvsql_slice_compare (key, kvsql_buffer_slice (&self->bound)) : 0;

  if (self->is_begun && (self->spec.is_reversed ? order >= 0 : order < 0))
    return kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                            "the store returned a row that is not in the range of the scan");
  self->is_begun = TRUE;
  set_buffer (&self->bound, key);
  if (!self->spec.is_reversed)
    kvsql_buffer_append_byte (&self->bound, 0);
  return TRUE;
}

/* ---- reading */

static gboolean
open_ranges (KvsqlSkipScan *self, guint batch_rows, guint64 row_limit, const KvsqlCall *call,
             GError **error)
{
  KvsqlScanSpec spec = self->spec;

  g_assert (self->ranges->len > 0);
  spec.ranges = (const KvsqlRowRange *)self->ranges->data;
  spec.n_ranges = self->ranges->len;
  kvsql_row_ranges_assert (spec.ranges, spec.n_ranges);
  spec.batch_rows = batch_rows;
  spec.row_limit = row_limit;
  g_clear_pointer (&self->scan, kvsql_scan_close);
  self->scan = kvsql_store_open_scan (self->store, &spec, call, error);
  self->reads->seeks++;
  return self->scan != NULL;
}

static gboolean
read_rows (KvsqlSkipScan *self, const KvsqlCall *call, const KvsqlRows **out_rows, GError **error)
{
  gint64 started_us = g_get_monotonic_time ();

  self->reads->requests++;
  if (!kvsql_scan_next (self->scan, call, out_rows, error))
    return FALSE;
  kvsql_read_counts_add (self->reads, *out_rows, g_get_monotonic_time () - started_us);
  return TRUE;
}

static gboolean
is_after_suffixes (const KvsqlSkipPlan *skip, KvsqlSlice rest)
{
  for (guint i = 0; i < skip->n_suffixes; i++)
    if (kvsql_slice_compare (rest, skip->suffixes[i].start) < 0)
      return FALSE;
    else if (skip->suffixes[i].stop.size == 0
             || kvsql_slice_compare (rest, skip->suffixes[i].stop) < 0)
      return TRUE;
  return FALSE;
}

/* The length of the key prefix in @key; -1: @key is no row of this schema. */
static gssize
measure_prefix (KvsqlSkipScan *self, KvsqlSlice key)
{
  KvsqlDecoder decoder = { .batch = self->nothing, .arena = self->arena, .slots = self->slots };

  return kvsql_sequence_measure_key_prefix (self->skip->row, self->skip->n_prefix, key, &decoder);
}

/* Selects the wanted rows of a window. Returns: whether the rows have several key prefixes, or
 * none */
static gboolean
filter_window (KvsqlSkipScan *self, const KvsqlRows *rows, gboolean *out_has_prefix)
{
  gboolean has_several = FALSE;

  if (rows->n_rows > self->n_rows_allocated)
    {
      self->n_rows_allocated = rows->n_rows;
      self->rows.rows = g_renew (KvsqlRow, self->rows.rows, rows->n_rows);
    }
  self->rows.n_rows = 0;
  self->rows.cells = rows->cells;
  self->rows.n_cells = rows->n_cells;
  for (guint i = 0; i < rows->n_rows; i++)
    {
      KvsqlSlice key = rows->rows[i].key;
      gssize length = measure_prefix (self, key);

      *out_has_prefix = length >= 0;
      if (length < 0
          || is_after_suffixes (self->skip, kvsql_slice (key.data + length, key.size - length)))
        self->rows.rows[self->rows.n_rows++] = rows->rows[i];
      has_several = has_several || length < 0
                    || (i > 0
                        && !kvsql_slice_equal (kvsql_buffer_slice (&self->prefix),
                                               kvsql_slice (key.data, length)));
      if (length >= 0)
        set_buffer (&self->prefix, kvsql_slice (key.data, length));
    }
  return has_several;
}

/* @has_several: the last window had several key prefixes. */
static void
choose_window (KvsqlSkipScan *self, gboolean has_several)
{
  guint least = kvsql_skip_plan_get_window (&self->store->capabilities);

  if (has_several)
    {
      self->window = MIN (self->window * WINDOW_GROWTH, KVSQL_BATCH_ROWS);
      return;
    }
  self->n_seen++;
  if (self->window > least)
    self->next_look = MAX (2 * self->n_seen, LEAST_PREFIXES_BETWEEN_LOOKS);
  self->window = self->n_seen < self->next_look ? least : least * LOOK_GROWTH;
}

static gboolean
read_window (KvsqlSkipScan *self, const KvsqlCall *call, GError **error)
{
  guint n = self->spec.batch_rows > 0 ? MIN (self->window, self->spec.batch_rows) : self->window;
  const KvsqlRows *rows;
  gboolean has_prefix = FALSE;

  self->rows.n_rows = 0;
  kvsql_arena_reset (self->arena);
  g_array_set_size (self->ranges, 0);
  add_ranges (self, (KvsqlRowRange){ 0 });
  self->state = AT_END;
  if (self->ranges->len == 0)
    return TRUE;
  if (!open_ranges (self, n, n, call, error) || !read_rows (self, call, &rows, error))
    return FALSE;
  if (rows->n_rows == 0)
    return TRUE;
  choose_window (self, filter_window (self, rows, &has_prefix));
  self->state = IN_WINDOW;
  if (!leave_row (self, rows->rows[rows->n_rows - 1].key, error))
    return FALSE;
  if (!has_prefix)
    return TRUE;
  g_array_set_size (self->ranges, 0);
  add_suffixes (self);
  if (self->ranges->len > 0)
    self->state = BEFORE_PREFIX;
  else
    leave_prefix (self);
  return TRUE;
}

gboolean
kvsql_skip_scan_next (KvsqlSkipScan *self, const KvsqlCall *call, const KvsqlRows **out_rows,
                      gboolean *out_is_at_end, GError **error)
{
  *out_is_at_end = self->state == AT_END;
  self->rows.n_rows = 0;
  *out_rows = &self->rows;
  if (self->state == BEFORE_PREFIX)
    {
      if (!open_ranges (self, self->spec.batch_rows, 0, call, error))
        return FALSE;
      self->state = AFTER_PREFIX;
    }
  if (self->state == AFTER_PREFIX)
    {
      if (!read_rows (self, call, out_rows, error))
        return FALSE;
      if ((*out_rows)->n_rows == 0)
        leave_prefix (self);
      return TRUE;
    }
  return self->state == AT_END || read_window (self, call, error);
}
