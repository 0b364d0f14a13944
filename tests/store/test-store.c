/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-store.c: the checks of store.c for every store, and the store with simulated faults.
 */
#include "config.h"

#include "core/store/memory.h"
#include "tests/contract/fault-store.h"
#include "tests/harness/assert.h"

#define S(text) KVSQL_SLICE_LITERAL (text)

static void
assert_refused (gboolean ok, GError **error, KvsqlErrorCode code, const gchar *message)
{
  g_assert_false (ok);
  g_assert_error (*error, KVSQL_ERROR, (gint)code);
  g_assert_cmpstr ((*error)->message, ==, message);
  g_clear_error (error);
}

static void
test_call (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  KvsqlCall call = { 0 };
  g_autoptr (GError) error = NULL;

  g_assert_true (kvsql_call_check (NULL, &error));
  g_assert_true (kvsql_call_check (&call, &error));
  call.deadline_us = g_get_monotonic_time () + G_USEC_PER_SEC * 1000;
  call.cancellable = cancellable;
  g_assert_true (kvsql_call_check (&call, &error));
  g_assert_no_error (error);
  g_cancellable_cancel (cancellable);
  assert_refused (kvsql_call_check (&call, &error), &error, KVSQL_ERROR_DEADLINE,
                  "call was cancelled");
  g_cancellable_reset (cancellable);
  call.deadline_us = 1;
  assert_refused (kvsql_call_check (&call, &error), &error, KVSQL_ERROR_DEADLINE,
                  "call ran out of time");
}

static void
test_mutations (void)
{
  static const struct
  {
    KvsqlMutation mutation;
    KvsqlErrorCode code;
    const gchar *message;
  } cases[] = {
    { { KVSQL_MUTATION_PUT, S (""), S ("r"), S ("f"), S ("q"), S ("v"), 1 },
      KVSQL_ERROR_VALUE,
      "table name is empty" },
    { { KVSQL_MUTATION_PUT, S ("t"), S (""), S ("f"), S ("q"), S ("v"), 1 },
      KVSQL_ERROR_VALUE,
      "row key is empty" },
    { { KVSQL_MUTATION_PUT, S ("t"), S ("r"), S (""), S ("q"), S ("v"), 1 },
      KVSQL_ERROR_VALUE,
      "family is empty" },
    { { KVSQL_MUTATION_DELETE, S ("t"), S ("r"), S (""), S ("q"), S (""), 1 },
      KVSQL_ERROR_VALUE,
      "family is empty" },
    { { KVSQL_MUTATION_PUT, S ("t"), S ("r"), S ("a:b"), S ("q"), S ("v"), 1 },
      KVSQL_ERROR_VALUE,
      "family \"a:b\" is not valid" },
    { { KVSQL_MUTATION_PUT, S ("t"), S ("r"), S ("a\0"), S ("q"), S ("v"), 1 },
      KVSQL_ERROR_VALUE,
      "family \"a\\x00\" is not valid" },
    { { KVSQL_MUTATION_PUT, S ("t"), S ("r"), S ("f"), S ("q"), S ("v"), 0 },
      KVSQL_ERROR_INVALID,
      "timestamp 0 is below 1" },
    { { KVSQL_MUTATION_DELETE_ROW, S ("t"), S ("r"), S ("f"), S (""), S (""), 1 },
      KVSQL_ERROR_INVALID,
      "the deletion of a row names a column" },
    { { (KvsqlMutationKind)9, S ("t"), S ("r"), S ("f"), S ("q"), S (""), 1 },
      KVSQL_ERROR_INVALID,
      "mutation is of unknown kind 9" },
  };
  g_autoptr (KvsqlStore) store = kvsql_memory_store_new ();
  g_autoptr (GPtrArray) tables = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const KvsqlMutation mutations[]
          = { { KVSQL_MUTATION_PUT, S ("t"), S ("r"), S ("f"), S ("q"), S ("v"), 1 },
              cases[i].mutation };

      assert_refused (kvsql_store_apply (store, mutations, 2, NULL, &error), &error, cases[i].code,
                      cases[i].message);
    }
  tables = kvsql_store_list_tables (store, S (""), NULL, NULL);
  g_assert_cmpuint (tables->len, ==, 0);
}

static void
test_lengths (void)
{
  g_autoptr (KvsqlStore) store = kvsql_memory_store_new ();
  gsize longest_row = store->capabilities.max_row_bytes;
  gsize longest_value = store->capabilities.max_value_bytes;
  g_autofree gchar *bytes = g_malloc0 (MAX (longest_row, longest_value) + 1);
  KvsqlMutation put = { KVSQL_MUTATION_PUT, S ("t"), S ("r"), S ("f"), S ("q"), S ("v"), 1 };
  g_autoptr (GError) error = NULL;

  put.row = kvsql_slice (bytes, longest_row + 1);
  assert_refused (kvsql_store_apply (store, &put, 1, NULL, &error), &error, KVSQL_ERROR_LIMIT,
                  "row key of 32768 bytes is too long");
  put.row.size = longest_row;
  g_assert_true (kvsql_store_apply (store, &put, 1, NULL, &error));
  put.value = kvsql_slice (bytes, longest_value + 1);
  g_assert_false (kvsql_store_apply (store, &put, 1, NULL, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
  g_assert_nonnull (strstr (kvsql_error_get_hint (error), "\"memory\" takes values of up to"));
}

static void
test_conditions (void)
{
  g_autoptr (KvsqlStore) store = kvsql_memory_store_new ();
  KvsqlCheck check = { KVSQL_CHECK_EQUAL, S ("t"), S ("r"), S ("f"), S ("q"), S ("") };
  KvsqlCellMutation put = { KVSQL_MUTATION_PUT, S ("f"), S ("q"), S ("v"), 1 };
  g_autoptr (GError) error = NULL;
  gboolean applied;

  assert_refused (kvsql_store_check_and_apply (store, &check, &put, 1, NULL, &applied, &error),
                  &error, KVSQL_ERROR_INVALID, "a check can't compare with an empty value");
  check.value = S ("v");
  assert_refused (kvsql_store_check_and_apply (store, &check, &put, 0, NULL, &applied, &error),
                  &error, KVSQL_ERROR_INVALID, "a check comes without a mutation");
  put.timestamp = 0;
  assert_refused (kvsql_store_check_and_apply (store, &check, &put, 1, NULL, &applied, &error),
                  &error, KVSQL_ERROR_INVALID, "timestamp 0 is below 1");
  check.kind = (KvsqlCheckKind)5;
  assert_refused (kvsql_store_check_and_apply (store, &check, &put, 1, NULL, &applied, &error),
                  &error, KVSQL_ERROR_INVALID, "check is of unknown kind 5");
}

/* ---- mutations by row */

/* "[t.r v@1 …]": each row in brackets */
static gchar *
print_rows (const KvsqlMutationRows *rows)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < rows->n_rows; i++)
    {
      const KvsqlRowMutation *row = &rows->rows[i];

      g_string_append_printf (out, "[%.*s.%.*s", (gint)row->table.size, row->table.data,
                              (gint)row->row.size, row->row.data);
      for (guint c = 0; c < row->n_cells; c++)
        g_string_append_printf (out, " %.*s@%d", (gint)row->cells[c].value.size,
                                row->cells[c].value.data, (gint)row->cells[c].timestamp);
      g_string_append_c (out, ']');
    }
  return g_string_free (out, FALSE);
}

#define PUT(table, row, value, timestamp)                                                          \
  {                                                                                                \
    KVSQL_MUTATION_PUT, S (table), S (row), S ("f"), S ("q"), S (value), timestamp                 \
  }

static void
test_rows_of_mutations (void)
{
  const KvsqlMutation sorted[] = { PUT ("t", "a", "x", 1), PUT ("t", "a", "y", 2),
                                   PUT ("t", "b", "z", 3), PUT ("u", "a", "w", 4) };
  const KvsqlMutation mixed[]
      = { PUT ("u", "b", "1", 9), PUT ("t", "b", "2", 8),  PUT ("u", "b", "3", 7),
          PUT ("t", "", "4", 6),  PUT ("t", "b", "5", 5),  PUT ("t", "a", "6", 4),
          PUT ("u", "b", "7", 3), PUT ("t", "ab", "8", 2), PUT ("t", "a", "9", 1) };
  g_auto (KvsqlMutationRows) rows = { 0 }, many = { 0 };
  g_autofree gchar *text = NULL, *many_text = NULL;

  kvsql_mutation_rows_init (&rows, sorted, G_N_ELEMENTS (sorted));
  text = print_rows (&rows);
  g_assert_cmpstr (text, ==, "[t.a x@1 y@2][t.b z@3][u.a w@4]");

  /* mutations of a row keep their order */
  G_STATIC_ASSERT (G_N_ELEMENTS (mixed) > KVSQL_FEW_MUTATIONS);
  kvsql_mutation_rows_init (&many, mixed, G_N_ELEMENTS (mixed));
  many_text = print_rows (&many);
  g_assert_cmpstr (many_text, ==, "[t. 4@6][t.a 6@4 9@1][t.ab 8@2][t.b 2@8 5@5][u.b 1@9 3@7 7@3]");
}

static void
test_order_of_rows (void)
{
  g_autoptr (KvsqlStore) store = kvsql_memory_store_new ();
  const KvsqlCellMutation put = { KVSQL_MUTATION_PUT, S ("f"), S ("q"), S ("v"), 1 };
  KvsqlRowMutation rows[] = { { S ("t"), S ("b"), &put, 1 }, { S ("t"), S ("c"), &put, 1 } };
  g_autoptr (GError) error = NULL;

  assert_done (kvsql_store_apply_rows (store, rows, 2, NULL, &error), error);
  rows[1].row = S ("b");
  assert_refused (kvsql_store_apply_rows (store, rows, 2, NULL, &error), &error,
                  KVSQL_ERROR_INVALID, "the rows 0 and 1 of a write are not in order");
  rows[1].row = S ("a");
  assert_refused (kvsql_store_apply_rows (store, rows, 2, NULL, &error), &error,
                  KVSQL_ERROR_INVALID, "the rows 0 and 1 of a write are not in order");
}

static void
test_scans (void)
{
  static const struct
  {
    KvsqlRowRange ranges[2];
    guint n_ranges;
    const gchar *message;
  } cases[] = {
    { { { S ("b"), S ("b") } }, 1, "row range 0 is empty" },
    { { { S ("b"), S ("a") } }, 1, "row range 0 is empty" },
    { { { S ("a"), S ("c") }, { S ("b"), S ("d") } },
      2,
      "row ranges 0 and 1 overlap or are out of order" },
    { { { S ("c"), S ("d") }, { S ("a"), S ("b") } },
      2,
      "row ranges 0 and 1 overlap or are out of order" },
    { { { S ("a"), S ("") }, { S ("b"), S ("c") } },
      2,
      "row ranges 0 and 1 overlap or are out of order" },
  };
  g_autoptr (KvsqlStore) store = kvsql_memory_store_new ();
  KvsqlColumn column = { S ("f"), S ("q"), TRUE };
  KvsqlScanSpec spec = { .table = S ("t") };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      spec.ranges = cases[i].ranges;
      spec.n_ranges = cases[i].n_ranges;
      assert_refused (kvsql_store_open_scan (store, &spec, NULL, &error) != NULL, &error,
                      KVSQL_ERROR_INVALID, cases[i].message);
    }
  spec = (KvsqlScanSpec){ .table = S ("t"), .columns = &column, .n_columns = 1 };
  assert_refused (kvsql_store_open_scan (store, &spec, NULL, &error) != NULL, &error,
                  KVSQL_ERROR_INVALID, "column 0 asks for a whole family and a qualifier");
  store->capabilities.flags &= ~(guint)KVSQL_STORE_REVERSE_SCAN;
  spec = (KvsqlScanSpec){ .table = S ("t"), .is_reversed = TRUE };
  assert_refused (kvsql_store_open_scan (store, &spec, NULL, &error) != NULL, &error,
                  KVSQL_ERROR_UNSUPPORTED, "store \"memory\" can't scan backwards");
}

static void
test_tables (void)
{
  g_autoptr (KvsqlStore) store = kvsql_memory_store_new ();
  const KvsqlSlice bad = S ("a:b");
  KvsqlTableSpec spec = { .name = S ("t") };
  g_autoptr (GError) error = NULL;

  assert_refused (kvsql_store_ensure_table (store, &spec, NULL, NULL, &error), &error,
                  KVSQL_ERROR_INVALID, "a table needs a family");
  spec.families = &bad;
  spec.n_families = 1;
  assert_refused (kvsql_store_ensure_table (store, &spec, NULL, NULL, &error), &error,
                  KVSQL_ERROR_VALUE, "family \"a:b\" is not valid");
  assert_refused (kvsql_store_drop_table (store, S (""), NULL, &error), &error, KVSQL_ERROR_VALUE,
                  "table name is empty");
  kvsql_store_close (NULL);
  kvsql_scan_close (NULL);
}

/* Three puts and a scan: each of the five calls fails once. */
static gboolean
use_store (KvsqlStore *store, GError **error)
{
  const KvsqlRowRange everything = { { NULL, 0 }, { NULL, 0 } };
  const KvsqlScanSpec spec = { .table = S ("t"), .ranges = &everything, .n_ranges = 1 };
  g_autoptr (KvsqlScan) scan = NULL;
  const KvsqlRows *rows = NULL;

  for (guint i = 0; i < 3; i++)
    {
      const guint8 row[] = { (guint8)('a' + i) };
      const KvsqlMutation put
          = { KVSQL_MUTATION_PUT, S ("t"), { row, 1 }, S ("f"), S ("q"), S ("v"), 1 };

      if (!kvsql_store_apply (store, &put, 1, NULL, error))
        return FALSE;
    }
  scan = kvsql_store_open_scan (store, &spec, NULL, error);
  return scan != NULL && kvsql_scan_next (scan, NULL, &rows, error) && rows->n_rows == 3;
}

static guint
count_rows (KvsqlStore *store)
{
  const KvsqlSlice keys[] = { S ("a"), S ("b"), S ("c") };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlRows rows = { 0 };

  g_assert_true (
      kvsql_store_multi_get (store, S ("t"), keys, 3, NULL, 0, NULL, arena, &rows, NULL));
  return rows.n_cells;
}

static void
test_faults (void)
{
  static const guint rows_before[] = { 0, 1, 2, 3, 3 }, rows_after[] = { 1, 2, 3, 3, 3 };

  for (KvsqlFaultWhen when = KVSQL_FAULT_BEFORE; when <= KVSQL_FAULT_AFTER; when++)
    {
      guint n = 1;

      for (;; n++)
        {
          g_autoptr (KvsqlStore) store = kvsql_fault_store_new (kvsql_memory_store_new ());
          g_autoptr (GError) error = NULL;

          kvsql_fault_store_arm (store, n, when, KVSQL_ERROR_UNAVAILABLE);
          if (use_store (store, &error))
            {
              g_assert_cmpuint (kvsql_fault_store_get_calls (store), <, n);
              break;
            }
          g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE);
          g_assert_cmpuint (kvsql_fault_store_get_calls (store), ==, n);
          kvsql_fault_store_arm (store, 0, when, KVSQL_ERROR_UNAVAILABLE);
          g_assert_cmpuint (count_rows (store), ==,
                            (when == KVSQL_FAULT_BEFORE ? rows_before : rows_after)[n - 1]);
        }
      g_assert_cmpuint (n, ==, 6);
    }
}

/* ---- tasks */

typedef struct
{
  KvsqlStoreTask task;
  gpointer data;
  guint index;
} Run;

static gpointer
run_in_thread (gpointer data)
{
  Run *run = data;

  g_assert_true (run->task (run->data, run->index, NULL));
  g_assert_null (kvsql_account_get_current ());
  return NULL;
}

static gboolean
run_in_threads (KvsqlStore *store, guint n, KvsqlStoreTask task, gpointer data, GError **error)
{
  for (guint i = 0; i < n; i++)
    {
      Run run = { task, data, i };

      g_thread_join (g_thread_new ("task", run_in_thread, &run));
    }
  return TRUE;
}

static gboolean
make_arena (gpointer data, guint index, GError **error)
{
  KvsqlArena **arenas = data;

  arenas[index] = kvsql_arena_new ();
  kvsql_arena_alloc (arenas[index], 100000);
  return TRUE;
}

/* The memory of tasks counts for the statement, in any thread. */
static void
test_tasks (void)
{
  g_autoptr (KvsqlAccount) account = kvsql_account_new (NULL);
  KvsqlStoreClass klass = { .run_tasks = run_in_threads };
  KvsqlStore store = { .klass = &klass };
  KvsqlArena *arenas[3];
  g_autoptr (GError) error = NULL;

  kvsql_account_enter (account);
  assert_done (kvsql_store_run_tasks (&store, 3, make_arena, arenas, &error), error);
  g_assert_cmpuint (kvsql_account_get_used (account), >=, 300000);
  for (guint i = 0; i < G_N_ELEMENTS (arenas); i++)
    kvsql_arena_free (arenas[i]);
  g_assert_cmpuint (kvsql_account_get_used (account), ==, 0);
  kvsql_account_enter (NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store/call/deadline-and-cancellation", test_call);
  g_test_add_func ("/store/refuses/mutations", test_mutations);
  g_test_add_func ("/store/refuses/what-is-too-long", test_lengths);
  g_test_add_func ("/store/refuses/conditions", test_conditions);
  g_test_add_func ("/store/refuses/rows-out-of-order", test_order_of_rows);
  g_test_add_func ("/store/mutations-by-row", test_rows_of_mutations);
  g_test_add_func ("/store/refuses/scans", test_scans);
  g_test_add_func ("/store/refuses/tables", test_tables);
  g_test_add_func ("/store/fault/each-call-fails-once", test_faults);
  g_test_add_func ("/store/tasks", test_tasks);
  return g_test_run ();
}
