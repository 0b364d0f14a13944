/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-sort.c: keys sort like values; an external sort gives the same as one in memory; a spool
 * gives the rows that were put into it.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "core/base/decimal.h"
#include "core/exec/spool.h"
#include "core/exec/sort.h"
#include "tests/exec/batch-source.h"
#include "tests/harness/assert.h"

#define MIB ((gsize)1 << 20)

/* ---- values */

static const gchar *const texts[]
    = { "", "a", "ab", "b", "a\1", "\xc3\xa4", "aa", "aaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaab" };
static const gchar *const decimals[]
    = { "0",   "1",    "-1",   "10",    "100",   "100.5", "0.001",   "-0.001", "0.0012", "12.5",
        "-12", "-100", "99.9", "0.999", "-12.5", "1000",  "1000000", "-99",    "0.01",   "0.1" };
static const gdouble reals[]
    = { 0.0, -0.0, 1, -1, 1e300, -1e300, INFINITY, -INFINITY, NAN, 1e-310, -1e-310, 0.5 };
static const gint64 integers[] = { 0, 1, -1, G_MAXINT64, G_MININT64, 255, 256, -256, 65536 };

static const KvsqlType types[] = { KVSQL_TYPE_STRING, KVSQL_TYPE_DECIMAL, KVSQL_TYPE_DOUBLE,
                                   KVSQL_TYPE_BIGINT, KVSQL_TYPE_BOOLEAN, KVSQL_TYPE_BYTES };
static const guint8 zeros[] = { 0, 0, 0xff, 1, 0, 0 };

static KvsqlValue
random_value (KvsqlType type)
{
  KvsqlValue value = { .type = type };

  if (g_test_rand_int_range (0, 8) == 0)
    return KVSQL_VALUE_NULL;
  switch (type)
    {
    case KVSQL_TYPE_STRING:
      value.bytes = kvsql_slice_from_text (texts[g_test_rand_int_range (0, G_N_ELEMENTS (texts))]);
      break;
    case KVSQL_TYPE_DECIMAL:
      value.bytes
          = kvsql_slice_from_text (decimals[g_test_rand_int_range (0, G_N_ELEMENTS (decimals))]);
      break;
    case KVSQL_TYPE_DOUBLE:
      value.real = reals[g_test_rand_int_range (0, G_N_ELEMENTS (reals))];
      break;
    case KVSQL_TYPE_BIGINT:
      value.integer = integers[g_test_rand_int_range (0, G_N_ELEMENTS (integers))];
      break;
    case KVSQL_TYPE_BOOLEAN:
      value.boolean = g_test_rand_int_range (0, 2);
      break;
    default:
      {
        gint start = g_test_rand_int_range (0, sizeof zeros);
        value.bytes = kvsql_slice (zeros + start, g_test_rand_int_range (0, sizeof zeros - start));
        break;
      }
    }
  return value;
}

/* Values of all types, and a last column with the row's number. */
static KvsqlBatch *
random_rows (guint n)
{
  KvsqlType all[G_N_ELEMENTS (types) + 1];
  KvsqlBatch *rows;

  memcpy (all, types, sizeof types);
  all[G_N_ELEMENTS (types)] = KVSQL_TYPE_BIGINT;
  rows = kvsql_batch_new (all, G_N_ELEMENTS (all), MAX (n, 1));
  for (guint row = 0; row < n; row++)
    {
      for (guint c = 0; c < G_N_ELEMENTS (types); c++)
        {
          KvsqlValue value = random_value (types[c]);
          kvsql_vector_set (&rows->columns[c], row, &value);
        }
      rows->columns[G_N_ELEMENTS (types)].integers[row] = row;
    }
  rows->n_rows = n;
  return rows;
}

static gint
compare_rows (const KvsqlBatch *rows, guint a, guint b, const KvsqlKeyPart *parts, guint n_parts)
{
  for (guint p = 0; p < n_parts; p++)
    {
      KvsqlValue x = kvsql_vector_get (&rows->columns[parts[p].column], a);
      KvsqlValue y = kvsql_vector_get (&rows->columns[parts[p].column], b);
      gboolean x_null = kvsql_value_is_null (&x), y_null = kvsql_value_is_null (&y);
      gint order;

      if (x_null && y_null)
        continue;
      if (x_null || y_null)
        return (x_null ? 1 : -1) * (parts[p].nulls_first ? -1 : 1);
      order = kvsql_value_compare (&x, &y);
      if (order != 0)
        return parts[p].is_descending ? -order : order;
    }
  return 0;
}

/* ---- keys */

static void
test_keys (void)
{
  for (guint round = 0; round < 200; round++)
    {
      g_autoptr (KvsqlBatch) rows = random_rows (30);
      KvsqlKeyPart parts[3];
      guint n_parts = g_test_rand_int_range (1, 4);
      KvsqlRowKeys keys;

      for (guint p = 0; p < n_parts; p++)
        parts[p] = (KvsqlKeyPart){ g_test_rand_int_range (0, G_N_ELEMENTS (types)),
                                   g_test_rand_int_range (0, 2), g_test_rand_int_range (0, 2) };
      kvsql_row_keys_init (&keys, parts, n_parts);
      kvsql_row_keys_run (&keys, rows);
      for (guint a = 0; a < rows->n_rows; a++)
        for (guint b = 0; b < rows->n_rows; b++)
          {
            gint wanted = compare_rows (rows, a, b, parts, n_parts);
            gint order = kvsql_slice_compare (kvsql_row_keys_get (&keys, a),
                                              kvsql_row_keys_get (&keys, b));
            g_assert_cmpint ((order > 0) - (order < 0), ==, (wanted > 0) - (wanted < 0));
          }
      kvsql_row_keys_clear (&keys);
    }
}

/* ---- sorting */

static const KvsqlBatch *model_rows;
static const KvsqlKeyPart *model_parts;
static guint model_n_parts;

static gint
compare_numbers (gconstpointer x, gconstpointer y)
{
  guint a = *(const guint *)x, b = *(const guint *)y;
  gint order = compare_rows (model_rows, a, b, model_parts, model_n_parts);

  return order != 0 ? order : (a > b) - (a < b);
}

static void
check_sort (guint n, guint64 top, gsize memory_bytes)
{
  g_autoptr (KvsqlBatch) rows = random_rows (n);
  g_autoptr (KvsqlBatch) sorted = NULL;
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autofree guint *numbers = g_new (guint, n + 1);
  g_autoptr (GError) error = NULL;
  KvsqlKeyPart parts[] = { { 0, FALSE, FALSE }, { 2, TRUE, TRUE }, { 1, FALSE, TRUE } };
  KvsqlSortLimits limits = { .memory_bytes = memory_bytes, .disk_bytes = 100 * MIB };
  KvsqlType all[G_N_ELEMENTS (types) + 1];

  for (guint c = 0; c < G_N_ELEMENTS (all); c++)
    all[c] = rows->columns[c].type;
  sorted = batch_of_source (kvsql_sort_new (batch_source_new (rows, 100), all, G_N_ELEMENTS (all),
                                            parts, G_N_ELEMENTS (parts), top, &limits),
                            arena, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < n; i++)
    numbers[i] = i;
  model_rows = rows;
  model_parts = parts;
  model_n_parts = G_N_ELEMENTS (parts);
  qsort (numbers, n, sizeof (guint), compare_numbers);
  g_assert_cmpuint (sorted->n_rows, ==, MIN (n, top));
  for (guint i = 0; i < sorted->n_rows; i++)
    {
      g_assert_cmpint (sorted->columns[G_N_ELEMENTS (types)].integers[i], ==, numbers[i]);
      for (guint c = 0; c < G_N_ELEMENTS (types); c++)
        {
          KvsqlValue given = kvsql_vector_get (&sorted->columns[c], i);
          KvsqlValue wanted = kvsql_vector_get (&rows->columns[c], numbers[i]);
          g_assert_true (kvsql_value_equal (&given, &wanted));
        }
    }
}

static void
test_in_memory (void)
{
  check_sort (0, G_MAXUINT64, MIB);
  check_sort (1, G_MAXUINT64, MIB);
  check_sort (5000, G_MAXUINT64, 64 * MIB);
}

static void
test_spilled (void)
{
  check_sort (5000, G_MAXUINT64, 100 * 1024);
  /* runs of a few rows, which are merged more than once */
  check_sort (20000, G_MAXUINT64, 2 * 1024);
  /* every row is a run */
  check_sort (1100, G_MAXUINT64, 1);
}

static void
test_top (void)
{
  const guint64 tops[] = { 0, 1, 10, 1024, 3000, 4999, 5000, 9000 };

  for (guint i = 0; i < G_N_ELEMENTS (tops); i++)
    {
      check_sort (5000, tops[i], 64 * MIB);
      check_sort (5000, tops[i], 64 * 1024);
      check_sort (5000, tops[i], 1024);
    }
}

/* ---- limits */

static GError *
sort_with (const KvsqlSortLimits *limits)
{
  g_autoptr (KvsqlBatch) rows = random_rows (5000);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlKeyPart part = { 6, TRUE, FALSE };
  KvsqlType all[G_N_ELEMENTS (types) + 1];
  GError *error = NULL;

  for (guint c = 0; c < G_N_ELEMENTS (all); c++)
    all[c] = rows->columns[c].type;
  kvsql_batch_free (
      batch_of_source (kvsql_sort_new (batch_source_new (rows, 1000), all, G_N_ELEMENTS (all),
                                       &part, 1, G_MAXUINT64, limits),
                       arena, &error));
  return error;
}

static void
test_limits (void)
{
  KvsqlSortLimits no_files = { .memory_bytes = 10000 };
  KvsqlSortLimits small_files = { .memory_bytes = 10000, .disk_bytes = 20000 };
  KvsqlSortLimits no_directory
      = { .memory_bytes = 10000, .disk_bytes = MIB, .directory = "/nonexistent/place" };
  g_autoptr (GError) memory = sort_with (&no_files), disk = sort_with (&small_files),
                     directory = sort_with (&no_directory);

  g_assert_error (memory, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
  g_assert_nonnull (kvsql_error_get_hint (memory));
  g_assert_error (disk, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
  g_assert_nonnull (strstr (disk->message, "temporary files"));
  g_assert_error (directory, KVSQL_ERROR, KVSQL_ERROR_INTERNAL);
  g_assert_nonnull (strstr (directory->message, "/nonexistent/place"));
}

/* ---- the spool */

#define QUEUED_ROWS 3000

/* Makes row @n from its number. */
static void
set_queued_row (KvsqlBatch *batch, guint row, gint64 n)
{
  static const gchar long_text[]
      = "a text that is as long as what is kept of most rows may well be";
  KvsqlSlice text = kvsql_slice (long_text, (gsize)n % sizeof long_text);
  KvsqlValue number = { .type = KVSQL_TYPE_BIGINT, .integer = n },
             bytes = { .type = KVSQL_TYPE_STRING, .bytes = text };

  kvsql_vector_set (&batch->columns[0], row, &number);
  kvsql_vector_set (&batch->columns[1], row, n % 7 == 0 ? &KVSQL_VALUE_NULL : &bytes);
}

static void
push_rows (KvsqlSpool *queue, guint first, guint n)
{
  static const KvsqlType queued[] = { KVSQL_TYPE_BIGINT, KVSQL_TYPE_STRING };
  g_autoptr (KvsqlBatch) batch = kvsql_batch_new (queued, G_N_ELEMENTS (queued), n);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n; i++)
    set_queued_row (batch, i, first + i);
  batch->n_rows = n;
  assert_done (kvsql_spool_push (queue, batch, &error), error);
}

static void
check_queued (const KvsqlBatch *got, guint first)
{
  for (guint i = 0; i < got->n_rows; i++)
    {
      gint64 n = first + i;
      KvsqlValue text = kvsql_vector_get (&got->columns[1], i);

      g_assert_cmpint (got->columns[0].integers[i], ==, n);
      g_assert_cmpint (kvsql_value_is_null (&text), ==, n % 7 == 0);
      if (n % 7 != 0)
        g_assert_cmpuint (text.bytes.size, ==, (gsize)n % 64);
    }
}

/* All rows in memory, all in a file, and some of both. */
static void
test_queue (void)
{
  static const gsize memories[] = { MIB, 0, 30000 };

  for (guint m = 0; m < G_N_ELEMENTS (memories); m++)
    {
      KvsqlSortLimits limits = { .memory_bytes = memories[m], .disk_bytes = MIB };
      g_autoptr (KvsqlSpool) queue = kvsql_spool_new (&limits);
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      g_autoptr (GError) error = NULL;
      const KvsqlBatch *got;
      guint n = 0;

      for (guint first = 0; first < QUEUED_ROWS; first += 500)
        push_rows (queue, first, 500);
      while (kvsql_spool_pop (queue, arena, &got, &error) && got != NULL)
        {
          check_queued (got, n);
          n += got->n_rows;
        }
      g_assert_no_error (error);
      g_assert_cmpuint (n, ==, QUEUED_ROWS);
    }
}

static void
test_empty_queue (void)
{
  KvsqlSortLimits limits = { .memory_bytes = MIB };
  g_autoptr (KvsqlSpool) queue = kvsql_spool_new (&limits);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlBatch *got;

  g_assert_true (kvsql_spool_pop (queue, arena, &got, NULL));
  g_assert_null (got);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/exec/sort/keys", test_keys);
  g_test_add_func ("/exec/sort/in-memory", test_in_memory);
  g_test_add_func ("/exec/sort/spilled", test_spilled);
  g_test_add_func ("/exec/sort/top", test_top);
  g_test_add_func ("/exec/sort/limits", test_limits);
  g_test_add_func ("/exec/spool/all-come-back", test_queue);
  g_test_add_func ("/exec/spool/empty", test_empty_queue);
  return g_test_run ();
}
