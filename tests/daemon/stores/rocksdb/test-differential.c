/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-differential.c: the same random operations on RocksDB and on the store in memory
 * give the same rows.
 *
 * RocksDB is closed and opened again between rounds, so that its cells come from files as well as
 * from memory, and its clock from disk. KVSQL_TEST_SEED repeats a run.
 */
#include "config.h"

#include "core/store/memory.h"
#include "daemon/stores/stores.h"
#include "tests/contract/files.h"
#include "tests/harness/assert.h"
#include "tests/harness/check-and-apply.h"

#define S(text) KVSQL_SLICE_LITERAL (text)
#define N_ROUNDS 12
#define N_APPLIES 120
#define N_READS 40
#define N_KEYS 60
#define N_COLUMNS 30

static const gchar *const tables[] = { "t", "tt", "u" };
static const gchar *const families[] = { "f", "fa", "g" };

typedef struct
{
  GRand *random;
  KvsqlStore *memory;
  KvsqlStore *rocksdb;
  KvsqlArena *arena;
  gint64 clock;
} Pair;

static guint
pick (Pair *self, guint n)
{
  return (guint)g_rand_int_range (self->random, 0, (gint32)n);
}

/* Few different keys, full of zero bytes, FF and common prefixes. */
static KvsqlSlice
random_key (Pair *self)
{
  static const guint8 alphabet[] = { 0, 1, 'k', 0xff };
  guint number = pick (self, N_KEYS), size = 1 + number % 3;
  guint8 bytes[3];

  for (guint i = 0; i < size; i++, number /= 3)
    bytes[i] = alphabet[number % G_N_ELEMENTS (alphabet)];
  return kvsql_slice_dup (self->arena, kvsql_slice (bytes, size));
}

static KvsqlSlice
random_qualifier (Pair *self)
{
  guint number = pick (self, N_COLUMNS);

  return number == 0 ? KVSQL_SLICE_EMPTY
                     : kvsql_slice_from_text (kvsql_arena_printf (self->arena, "%02u", number));
}

static KvsqlMutation
random_mutation (Pair *self)
{
  guint kind = pick (self, 20);
  KvsqlMutation result
      = { .table = kvsql_slice_from_text (tables[pick (self, 3)]),
          .row = random_key (self),
          .timestamp = MAX (1, self->clock + g_rand_int_range (self->random, -30, 5)) };

  self->clock += pick (self, 3);
  if (kind == 0)
    {
      result.kind = KVSQL_MUTATION_DELETE_ROW;
      return result;
    }
  result.kind = kind < 5 ? KVSQL_MUTATION_DELETE : KVSQL_MUTATION_PUT;
  result.family = kvsql_slice_from_text (families[pick (self, 3)]);
  result.qualifier = random_qualifier (self);
  if (result.kind == KVSQL_MUTATION_PUT && pick (self, 8) > 0)
    result.value
        = kvsql_slice_from_text (kvsql_arena_printf (self->arena, "value %u", pick (self, 1000)));
  return result;
}

static void
apply_to_both (Pair *self)
{
  KvsqlMutation mutations[60];
  guint n = pick (self, 4) == 0 ? 1 + pick (self, 60) : 1 + pick (self, 3);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n; i++)
    mutations[i] = random_mutation (self);
  assert_done (kvsql_store_apply (self->memory, mutations, n, NULL, &error), error);
  assert_done (kvsql_store_apply (self->rocksdb, mutations, n, NULL, &error), error);
}

static void
check_both (Pair *self)
{
  KvsqlMutation mutations[] = { random_mutation (self), random_mutation (self) };
  KvsqlCheck check = { .kind = pick (self, 2) == 0 ? KVSQL_CHECK_ABSENT : KVSQL_CHECK_EQUAL,
                       .table = mutations[0].table,
                       .row = mutations[0].row,
                       .family = S ("f"),
                       .qualifier = random_qualifier (self),
                       .value = S ("value 7") };
  gboolean in_memory = FALSE, in_rocksdb = FALSE;

  mutations[1].table = check.table;
  mutations[1].row = check.row;
  g_assert_true (check_and_apply (self->memory, &check, mutations, 2, NULL, &in_memory, NULL));
  g_assert_true (check_and_apply (self->rocksdb, &check, mutations, 2, NULL, &in_rocksdb, NULL));
  g_assert_cmpint (in_memory, ==, in_rocksdb);
}

static guint
random_columns (Pair *self, KvsqlColumn *columns)
{
  guint n = pick (self, 2) == 0 ? 0 : pick (self, 12);

  for (guint i = 0; i < n; i++)
    {
      columns[i] = (KvsqlColumn){ .family = kvsql_slice_from_text (families[pick (self, 3)]) };
      columns[i].whole_family = pick (self, 6) == 0;
      if (!columns[i].whole_family)
        columns[i].qualifier = random_qualifier (self);
    }
  return n;
}

static gint
compare_slices (gconstpointer a, gconstpointer b)
{
  return kvsql_slice_compare (*(const KvsqlSlice *)a, *(const KvsqlSlice *)b);
}

static guint
random_ranges (Pair *self, KvsqlRowRange *ranges, guint most)
{
  KvsqlSlice bounds[12];
  guint n_bounds = 2 * (1 + pick (self, most)), n = 0;

  for (guint i = 0; i < n_bounds; i++)
    bounds[i] = random_key (self);
  qsort (bounds, n_bounds, sizeof *bounds, compare_slices);
  for (guint i = 0; i < n_bounds; i += 2)
    if (!kvsql_slice_equal (bounds[i], bounds[i + 1]))
      ranges[n++] = (KvsqlRowRange){ bounds[i], bounds[i + 1] };
  if (n > 0 && pick (self, 2) == 0)
    ranges[0].start = KVSQL_SLICE_EMPTY;
  if (n > 0 && pick (self, 2) == 0)
    ranges[n - 1].stop = KVSQL_SLICE_EMPTY;
  return n;
}

static void
append_rows (GString *out, const KvsqlRows *rows)
{
  for (guint i = 0; i < rows->n_rows; i++)
    {
      const KvsqlRow *row = &rows->rows[i];

      kvsql_append_readable (out, row->key);
      for (guint c = 0; c < row->n_cells; c++)
        {
          const KvsqlCell *cell = &rows->cells[row->first_cell + c];

          g_string_append_printf (out, " %.*s:%.*s@%" G_GINT64_FORMAT "=%.*s",
                                  (gint)cell->family.size, (const gchar *)cell->family.data,
                                  (gint)cell->qualifier.size, (const gchar *)cell->qualifier.data,
                                  cell->timestamp, (gint)cell->value.size,
                                  (const gchar *)cell->value.data);
        }
      g_string_append_c (out, '\n');
    }
}

static gchar *
scan_as_text (KvsqlStore *store, const KvsqlScanSpec *spec)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlScan) scan = kvsql_store_open_scan (store, spec, NULL, &error);
  GString *out = g_string_new (NULL);
  const KvsqlRows *rows = NULL;

  g_assert_no_error (error);
  while (kvsql_scan_next (scan, NULL, &rows, &error) && rows->n_rows > 0)
    {
      g_assert_cmpuint (spec->batch_rows == 0 ? 0 : rows->n_rows, <=, spec->batch_rows);
      append_rows (out, rows);
    }
  g_assert_no_error (error);
  return g_string_free (out, FALSE);
}

static void
compare_scans (Pair *self)
{
  KvsqlColumn columns[12];
  KvsqlRowRange ranges[6];
  KvsqlScanSpec spec = { .table = kvsql_slice_from_text (tables[pick (self, 3)]),
                         .ranges = ranges,
                         .columns = columns,
                         .is_reversed = pick (self, 2) == 0,
                         .row_limit = pick (self, 3) == 0 ? pick (self, 20) : 0,
                         .batch_rows = pick (self, 2) == 0 ? pick (self, 9) : 0 };
  g_autofree gchar *in_memory = NULL, *in_rocksdb = NULL;

  spec.n_ranges = random_ranges (self, ranges, 6);
  spec.n_columns = random_columns (self, columns);
  in_memory = scan_as_text (self->memory, &spec);
  in_rocksdb = scan_as_text (self->rocksdb, &spec);
  g_assert_cmpstr (in_rocksdb, ==, in_memory);
}

static gchar *
get_as_text (Pair *self, KvsqlStore *store, const KvsqlSlice *keys, guint n_keys,
             const KvsqlColumn *columns, guint n_columns)
{
  g_autoptr (GError) error = NULL;
  GString *out = g_string_new (NULL);
  KvsqlRows rows = { 0 };

  assert_done (kvsql_store_multi_get (store, S ("t"), keys, n_keys, columns, n_columns, NULL,
                                      self->arena, &rows, &error),
               error);
  append_rows (out, &rows);
  return g_string_free (out, FALSE);
}

static void
compare_gets (Pair *self)
{
  KvsqlColumn columns[12];
  KvsqlSlice keys[20];
  guint n_keys = 1 + pick (self, 20), n_columns = random_columns (self, columns);
  g_autofree gchar *in_memory = NULL, *in_rocksdb = NULL;

  for (guint i = 0; i < n_keys; i++)
    keys[i] = random_key (self);
  in_memory = get_as_text (self, self->memory, keys, n_keys, columns, n_columns);
  in_rocksdb = get_as_text (self, self->rocksdb, keys, n_keys, columns, n_columns);
  g_assert_cmpstr (in_rocksdb, ==, in_memory);
}

static void
run_round (Pair *self, const gchar *url)
{
  g_autoptr (GError) error = NULL;

  self->arena = kvsql_arena_new ();
  self->rocksdb = kvsqld_store_open (url, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < N_APPLIES; i++)
    {
      apply_to_both (self);
      if (i % 4 == 0)
        check_both (self);
    }
  for (guint i = 0; i < N_READS; i++)
    {
      compare_scans (self);
      compare_gets (self);
    }
  if (pick (self, 4) == 0)
    {
      gboolean in_memory = kvsql_store_drop_table (self->memory, S ("u"), NULL, NULL);

      g_assert_cmpint (kvsql_store_drop_table (self->rocksdb, S ("u"), NULL, NULL), ==, in_memory);
    }
  kvsql_store_close (self->rocksdb);
  kvsql_arena_free (self->arena);
}

static void
test_differential (void)
{
  const gchar *given = g_getenv ("KVSQL_TEST_SEED");
  guint32 seed
      = given != NULL ? (guint32)g_ascii_strtoull (given, NULL, 10) : (guint32)g_test_rand_int ();
  g_autofree gchar *directory = g_dir_make_tmp ("kvsql-differential-XXXXXX", NULL);
  g_autofree gchar *url = g_strdup_printf ("rocksdb://%s/db?sync=false", directory);
  Pair pair = { .random = g_rand_new_with_seed (seed),
                .memory = kvsql_memory_store_new (),
                .clock = 1000 };

  g_test_message ("KVSQL_TEST_SEED=%u", seed);
  for (guint round = 0; round < N_ROUNDS; round++)
    run_round (&pair, url);
  kvsql_store_close (pair.memory);
  g_rand_free (pair.random);
  kvsql_test_remove_directory (directory);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/rocksdb/differential/same-rows-as-in-memory", test_differential);
  return g_test_run ();
}
