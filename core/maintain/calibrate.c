/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * calibrate.c: see the header.
 *
 * The planner counts requests, rows, further cells, bytes and reads by key. So the operations here
 * differ in these, and their times are a sum of them (cost-fit.h).
 */
#include "config.h"

#include "core/maintain/calibrate.h"

#include <stdlib.h>
#include <string.h>

#include "core/maintain/cost-fit.h"

#define FAMILY KVSQL_SLICE_LITERAL ("f")
#define N_ROWS 2048    /* of each shape: all of them fit into the caches of a store */
#define BATCH_ROWS 128 /* that are written in one request */
#define MAX_ROUNDS 40
#define LEAST_ROUNDS 5
/* Of a time that is measured, in microseconds: short operations are repeated for so long. */
#define LEAST_SAMPLE_US 200.0
#define MAX_REPEATS 200
#define MAX_GET 100 /* the last of get_sizes */
#define MAX_ERROR 0.5
#define ROW_BYTES 5                /* the number of the shape, and of the row */
#define CELL_BYTES (ROW_BYTES + 2) /* the row, the family and the qualifier */

enum
{
  ROW, /* the unit */
  REQUEST,
  RANGE,
  CELL,
  BYTE,
  GET,
  GET_BYTE,
};

typedef struct
{
  guint n_cells, value_bytes;
} Shape;

static const Shape shapes[] = { { 1, 20 }, { 1, 120 }, { 1, 600 }, { 8, 32 } };
static const guint scan_sizes[] = { 1, 10, 100, 1000 };
static const guint get_sizes[] = { 1, 10, 100 };

#define N_SHAPES G_N_ELEMENTS (shapes)
#define N_POINTS (N_SHAPES * (G_N_ELEMENTS (scan_sizes) + G_N_ELEMENTS (get_sizes)))
/* The shape whose rows the costs of writes are of. */
#define WRITTEN_SHAPE 1

/* An operation: what it reads, and its times. */
typedef struct
{
  guint shape, n_rows;
  gboolean is_get;
  guint repeats;
  gdouble times[MAX_ROUNDS]; /* in microseconds */
} Point;

typedef struct
{
  KvsqlStore *store;
  const KvsqlCall *call;
  KvsqlSlice table;
  gint64 timestamp;
  Point points[N_POINTS];
  gdouble put_us, remove_us; /* of a row */
} Run;

void
kvsql_calibration_clear (KvsqlCalibration *self)
{
  g_clear_pointer (&self->worst, g_free);
}

static KvsqlSlice
make_key (guint8 *bytes, guint shape, guint row)
{
  guint32 number = GUINT32_TO_BE (row);

  bytes[0] = (guint8)shape;
  memcpy (bytes + 1, &number, sizeof number);
  return kvsql_slice (bytes, ROW_BYTES);
}

static gdouble get_typical (gdouble *times, guint n);

/* ---- writes */

static gboolean
write_rows (Run *self, guint shape, guint first, KvsqlMutationKind kind, GError **error)
{
  static const gchar qualifiers[] = "01234567";
  guint n_cells = kind == KVSQL_MUTATION_PUT ? shapes[shape].n_cells : 1;
  g_autofree guint8 *value = g_malloc (shapes[shape].value_bytes);
  guint8 keys[BATCH_ROWS][ROW_BYTES];
  KvsqlRowMutation rows[BATCH_ROWS];
  KvsqlCellMutation cells[BATCH_ROWS * 8];

  for (guint i = 0; i < shapes[shape].value_bytes; i++)
    value[i] = (guint8)g_random_int (); /* does not compress */
  for (guint i = 0; i < BATCH_ROWS; i++)
    {
      rows[i] = (KvsqlRowMutation){ .table = self->table,
                                    .row = make_key (keys[i], shape, first + i),
                                    .cells = &cells[i * n_cells],
                                    .n_cells = n_cells };
      for (guint c = 0; c < n_cells; c++)
        {
          KvsqlCellMutation *cell = &cells[i * n_cells + c];

          *cell = (KvsqlCellMutation){ .kind = kind, .timestamp = self->timestamp };
          if (kind != KVSQL_MUTATION_PUT)
            continue;
          cell->family = FAMILY;
          cell->qualifier = kvsql_slice (&qualifiers[c], 1);
          cell->value = kvsql_slice (value, shapes[shape].value_bytes);
        }
    }
  return kvsql_store_apply_rows (self->store, rows, BATCH_ROWS, self->call, error);
}

/* The time of a row. */
static gboolean
write_shape (Run *self, guint shape, KvsqlMutationKind kind, gdouble *out_us, GError **error)
{
  gdouble times[N_ROWS / BATCH_ROWS];

  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    {
      gint64 began_us = g_get_monotonic_time ();

      if (!write_rows (self, shape, i * BATCH_ROWS, kind, error))
        return FALSE;
      times[i] = (gdouble)MAX (g_get_monotonic_time () - began_us, 1) / BATCH_ROWS;
    }
  *out_us = get_typical (times, G_N_ELEMENTS (times));
  return TRUE;
}

static gboolean
fill (Run *self, GError **error)
{
  gdouble us;

  for (guint shape = 0; shape < N_SHAPES; shape++)
    {
      if (!write_shape (self, shape, KVSQL_MUTATION_PUT, &us, error))
        return FALSE;
      if (shape == WRITTEN_SHAPE)
        self->put_us = us;
    }
  /* else RocksDB would read most rows from its memory, where long scans are slower */
  return kvsql_store_flush (self->store, self->call, error);
}

/* ---- reads */

static gboolean
fail_count (const Point *point, guint n, GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                          "%u rows were read of %u that were written for the measurement", n,
                          point->n_rows);
}

static gboolean
scan (const Run *self, const Point *point, guint first, GError **error)
{
  guint8 start[ROW_BYTES], stop[ROW_BYTES];
  const KvsqlRowRange range = { .start = make_key (start, point->shape, first),
                                .stop = make_key (stop, point->shape, first + point->n_rows) };
  const KvsqlScanSpec spec
      = { .table = self->table, .ranges = &range, .n_ranges = 1, .expected_rows = point->n_rows };
  g_autoptr (KvsqlScan) run = kvsql_store_open_scan (self->store, &spec, self->call, error);
  const KvsqlRows *rows;
  guint n = 0;

  if (run == NULL)
    return FALSE;
  do
    {
      if (!kvsql_scan_next (run, self->call, &rows, error))
        return FALSE;
      n += rows->n_rows;
    }
  while (rows->n_rows > 0);
  return n == point->n_rows || fail_count (point, n, error);
}

/* The keys are spread over the table. */
static gboolean
get (const Run *self, const Point *point, guint first, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  guint8 bytes[MAX_GET][ROW_BYTES];
  KvsqlSlice keys[MAX_GET];
  guint step = N_ROWS / point->n_rows, n = 0;
  KvsqlRows rows;

  for (guint i = 0; i < point->n_rows; i++)
    keys[i] = make_key (bytes[i], point->shape, (first + i * step) % N_ROWS);
  if (!kvsql_store_multi_get (self->store, self->table, keys, point->n_rows, NULL, 0, self->call,
                              arena, &rows, error))
    return FALSE;
  for (guint i = 0; i < rows.n_rows; i++)
    n += rows.rows[i].n_cells > 0;
  return n == point->n_rows || fail_count (point, n, error);
}

static gboolean
read_point (const Run *self, Point *point, guint round, GError **error)
{
  guint repeats = MAX (point->repeats, 1);
  gint64 began_us = g_get_monotonic_time ();
  gdouble us;

  for (guint i = 0; i < repeats; i++)
    {
      guint first = g_random_int_range (0, (gint)(N_ROWS - point->n_rows + 1));

      if (!(point->is_get ? get : scan) (self, point, first, error))
        return FALSE;
    }
  us = (gdouble)MAX (g_get_monotonic_time () - began_us, 1) / repeats;
  point->times[round] = us;
  /* the fastest time so far shows how often */
  point->repeats = MAX (point->repeats, (guint)CLAMP (LEAST_SAMPLE_US / us + 1, 1, MAX_REPEATS));
  return TRUE;
}

static void
make_points (Run *self)
{
  Point *point = self->points;

  for (guint shape = 0; shape < N_SHAPES; shape++)
    {
      for (guint i = 0; i < G_N_ELEMENTS (scan_sizes); i++)
        *point++ = (Point){ .shape = shape, .n_rows = scan_sizes[i] };
      for (guint i = 0; i < G_N_ELEMENTS (get_sizes); i++)
        *point++ = (Point){ .shape = shape, .n_rows = get_sizes[i], .is_get = TRUE };
    }
}

/* The first round warms up the store, and does not count. */
static gboolean
read_all (Run *self, gint64 until_us, guint *out_n_rounds, GError **error)
{
  make_points (self);
  for (guint i = 0; i < N_POINTS; i++)
    if (!read_point (self, &self->points[i], 0, error))
      return FALSE;
  for (*out_n_rounds = 0; *out_n_rounds < MAX_ROUNDS
                          && (*out_n_rounds < LEAST_ROUNDS || g_get_monotonic_time () < until_us);
       (*out_n_rounds)++)
    for (guint i = 0; i < N_POINTS; i++)
      if (!read_point (self, &self->points[i], *out_n_rounds, error))
        return FALSE;
  return TRUE;
}

/* ---- costs */

static int
compare_times (const void *a, const void *b)
{
  gdouble x = *(const gdouble *)a, y = *(const gdouble *)b;

  return (x > y) - (x < y);
}

/* What else the machine does only makes a time longer. So it is not the median, but the time that a
 * tenth of the measurements are below. */
static gdouble
get_typical (gdouble *times, guint n)
{
  qsort (times, n, sizeof *times, compare_times);
  return times[n / 10];
}

static KvsqlCostPoint
make_point (Point *point, guint n_rounds)
{
  const Shape *shape = &shapes[point->shape];
  gdouble n = point->n_rows, bytes = n * shape->n_cells * (CELL_BYTES + shape->value_bytes);
  KvsqlCostPoint out = { .us = get_typical (point->times, n_rounds) };

  out.features[REQUEST] = 1;
  out.features[CELL] = n * (shape->n_cells - 1);
  if (point->is_get)
    {
      out.features[GET] = n;
      out.features[GET_BYTE] = bytes;
    }
  else
    {
      out.features[RANGE] = 1;
      out.features[ROW] = n;
      out.features[BYTE] = bytes;
    }
  return out;
}

static gboolean
make_costs (Run *self, guint n_rounds, KvsqlCalibration *out, GError **error)
{
  KvsqlCostPoint points[N_POINTS];
  gdouble costs[KVSQL_COST_FEATURES];
  const Point *point;
  guint worst;

  for (guint i = 0; i < N_POINTS; i++)
    points[i] = make_point (&self->points[i], n_rounds);
  if (!kvsql_cost_fit (points, N_POINTS, costs, &worst, &out->error))
    {
      kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                       "the measured times do not depend on the number of rows");
      return kvsql_error_hint (error, "Measure again when the machine has less to do.");
    }
  point = &self->points[worst];
  out->n_points = N_POINTS;
  out->n_rounds = n_rounds;
  out->worst = g_strdup_printf ("%s of %u rows of %u bytes in %u cells: %.3g µs",
                                point->is_get ? "reads by key" : "a scan", point->n_rows,
                                shapes[point->shape].value_bytes * shapes[point->shape].n_cells,
                                shapes[point->shape].n_cells, points[worst].us);
  out->costs = (KvsqlStoreCosts){ .unit_us = costs[ROW],
                                  .request = costs[REQUEST] / costs[ROW],
                                  .range = costs[RANGE] / costs[ROW],
                                  .get = costs[GET] / costs[ROW],
                                  .get_byte = costs[GET_BYTE] / costs[ROW],
                                  .cell = costs[CELL] / costs[ROW],
                                  .byte = costs[BYTE] / costs[ROW],
                                  .put = self->put_us / costs[ROW],
                                  .remove = self->remove_us / costs[ROW] };
  if (out->error <= MAX_ERROR)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                   "the costs that fit best are %.0f %% wrong for %s, so they are not kept",
                   100 * out->error, out->worst);
  return kvsql_error_hint (error, "Measure again when the machine and the store have less to do.");
}

static gboolean
measure (Run *self, gint64 until_us, KvsqlCalibration *out, GError **error)
{
  guint n_rounds;

  return fill (self, error) && read_all (self, until_us, &n_rounds, error)
         && write_shape (self, WRITTEN_SHAPE, KVSQL_MUTATION_DELETE_ROW, &self->remove_us, error)
         && make_costs (self, n_rounds, out, error);
}

/* ---- the table */

#define PREFIX "kvsql_calibration_"
/* A table that is older than this, in seconds, is of a daemon that was killed. */
#define OLD 3600

/* The second in which it was made, and a random number. (transfer full) */
static gchar *
make_name (void)
{
  return g_strdup_printf (PREFIX "%010" G_GINT64_MODIFIER "x_%08x",
                          g_get_real_time () / G_USEC_PER_SEC, g_random_int ());
}

static gboolean
is_left (const gchar *name)
{
  gint64 now = g_get_real_time () / G_USEC_PER_SEC, made;

  if (!g_regex_match_simple ("^" PREFIX "[0-9a-f]{10}_[0-9a-f]{8}$", name, 0, 0))
    return FALSE;
  made = g_ascii_strtoll (name + strlen (PREFIX), NULL, 16);
  return made < now - OLD;
}

static gboolean
drop_left (KvsqlStore *store, const KvsqlCall *call, GError **error)
{
  g_autoptr (GPtrArray) names
      = kvsql_store_list_tables (store, KVSQL_SLICE_LITERAL (PREFIX), call, error);

  for (guint i = 0; names != NULL && i < names->len; i++)
    {
      gsize size;
      gconstpointer data = g_bytes_get_data (names->pdata[i], &size);
      g_autofree gchar *name = g_strndup (data, size);

      if (is_left (name)
          && !kvsql_store_drop_table (store, kvsql_slice_from_text (name), call, error))
        return FALSE;
    }
  return names != NULL;
}

gboolean
kvsql_calibrate (KvsqlStore *store, gint64 until_us, const KvsqlCall *call, KvsqlCalibration *out,
                 GError **error)
{
  g_autofree gchar *name = make_name ();
  KvsqlSlice family = FAMILY;
  const KvsqlTableSpec spec
      = { .name = kvsql_slice_from_text (name), .families = &family, .n_families = 1 };
  Run run = { .store = store,
              .call = call,
              .table = spec.name,
              .timestamp = g_get_real_time () / G_TIME_SPAN_MILLISECOND };
  /* the table is dropped after the deadline, too */
  const KvsqlCall last = { .deadline_us = call->deadline_us + 10 * G_TIME_SPAN_SECOND };
  g_autoptr (GError) late = NULL;
  gboolean ok;

  *out = (KvsqlCalibration){ 0 };
  if (!drop_left (store, call, error)
      || !kvsql_store_ensure_table (store, &spec, call, NULL, error))
    return FALSE;
  ok = measure (&run, until_us, out, error);
  if (!kvsql_store_drop_table (store, spec.name, &last, ok ? error : &late))
    return FALSE;
  return ok;
}
