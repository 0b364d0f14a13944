/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * threads.c: the contract of a store that many threads use at the same time.
 */
#include "config.h"

#include "tests/contract/kit.h"
#include "tests/harness/assert.h"
#include "tests/harness/check-and-apply.h"

#define N_THREADS 4
#define N_INCREMENTS 50
#define N_ROUNDS 15
#define N_STABLE_ROWS 200
#define N_FLIPS 150

typedef struct
{
  ContractTable *table;
  guint number;
  guint n_won;
  gint *is_stopped;
} Worker;

static void
run_workers (Worker *workers, ContractTable *table, GThreadFunc function)
{
  GThread *threads[N_THREADS];

  for (guint i = 0; i < N_THREADS; i++)
    {
      workers[i].table = table;
      workers[i].number = i;
      threads[i] = g_thread_new ("contract", function, &workers[i]);
    }
  for (guint i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
}

static gint64
add (ContractTable *table, gint64 amount)
{
  g_autoptr (GError) error = NULL;
  KvsqlCall call = contract_call ();
  gint64 value = 0;

  assert_done (kvsql_store_increment (table->store, table->name, S ("counter"), S ("f"), S ("n"),
                                      amount, &call, &value, &error),
               error);
  return value;
}

static gpointer
increment_often (gpointer data)
{
  Worker *self = data;

  for (guint i = 0; i < N_INCREMENTS; i++)
    add (self->table, self->number + 1);
  return NULL;
}

static void
test_increments (ContractTable *table)
{
  Worker workers[N_THREADS] = { 0 };

  run_workers (workers, table, increment_often);
  g_assert_cmpint (add (table, 0), ==, N_INCREMENTS * (1 + 2 + 3 + 4));
}

static gboolean
has_owner (ContractTable *table, const gchar *row, const gchar *owner)
{
  const KvsqlSlice key = kvsql_slice_from_text (row);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  KvsqlCall call = contract_call ();
  KvsqlRows rows;

  assert_done (kvsql_store_multi_get (table->store, table->name, &key, 1, NULL, 0, &call, arena,
                                      &rows, &error),
               error);
  return rows.n_cells == 1
         && kvsql_slice_equal (rows.cells[0].value, kvsql_slice_from_text (owner));
}

static gboolean
claim (ContractTable *table, const gchar *row, const gchar *old, const gchar *new_value,
       gint64 timestamp)
{
  const KvsqlMutation put = contract_put (table, row, "f:owner", new_value, timestamp);
  KvsqlCheck check = { .kind = old == NULL ? KVSQL_CHECK_ABSENT : KVSQL_CHECK_EQUAL,
                       .table = table->name,
                       .row = kvsql_slice_from_text (row),
                       .family = S ("f"),
                       .qualifier = S ("owner"),
                       .value = old == NULL ? KVSQL_SLICE_EMPTY : kvsql_slice_from_text (old) };
  g_autoptr (GError) error = NULL;
  KvsqlCall call = contract_call ();
  gboolean applied = FALSE;

  if (check_and_apply (table->store, &check, &put, 1, &call, &applied, &error))
    return applied;
  /* as when a busy server answers late; no other thread writes this value */
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME);
  return has_owner (table, row, new_value);
}

static gpointer
claim_often (gpointer data)
{
  Worker *self = data;

  for (guint round = 0; round < N_ROUNDS; round++)
    {
      g_autofree gchar *row = g_strdup_printf ("%04u", round);
      g_autofree gchar *me = g_strdup_printf ("%u", self->number);
      g_autofree gchar *done = g_strdup_printf ("%u is done", self->number);

      self->n_won += claim (self->table, row, NULL, me, 1 + self->number);
      self->n_won += claim (self->table, row, me, done, 10);
      /* its outcome was unknown, and it was not done */
      while (has_owner (self->table, row, me))
        self->n_won += claim (self->table, row, me, done, 10);
    }
  return NULL;
}

/* Each row is won by one thread, and only that thread can continue from there. */
static void
test_one_winner (ContractTable *table)
{
  Worker workers[N_THREADS] = { 0 };
  const KvsqlScanSpec spec = { .batch_rows = N_ROUNDS };
  g_autoptr (KvsqlScan) scan = NULL;
  const KvsqlRows *rows = NULL;
  KvsqlCall call = contract_call ();
  guint n_won = 0, n_done = 0;

  run_workers (workers, table, claim_often);
  for (guint i = 0; i < N_THREADS; i++)
    n_won += workers[i].n_won;
  g_assert_cmpuint (n_won, ==, 2 * N_ROUNDS);
  scan = contract_open_scan (table, &spec);
  while (kvsql_scan_next (scan, &call, &rows, NULL) && rows->n_rows > 0)
    for (guint i = 0; i < rows->n_cells; i++)
      n_done += rows->cells[i].timestamp == 10;
  g_assert_cmpuint (n_done, ==, N_ROUNDS);
}

static gpointer
write_between (gpointer data)
{
  Worker *self = data;
  gint64 timestamp = 1;

  for (guint i = 0; !g_atomic_int_get (self->is_stopped); i++, timestamp++)
    {
      g_autofree gchar *row = g_strdup_printf ("%06u-x", i * 7 % N_STABLE_ROWS);
      KvsqlMutation put = contract_put (self->table, row, "f:q", "passing", timestamp);
      KvsqlMutation delete = contract_delete_row (self->table, row, timestamp);

      contract_apply (self->table, i % 3 == 2 ? &delete : &put, 1);
    }
  return NULL;
}

static guint
count_stable_rows (ContractTable *table, gboolean is_reversed)
{
  const KvsqlScanSpec spec = { .batch_rows = 9, .is_reversed = is_reversed };
  g_autoptr (KvsqlScan) scan = contract_open_scan (table, &spec);
  KvsqlBuffer last = { 0 };
  const KvsqlRows *rows = NULL;
  KvsqlCall call = contract_call ();
  guint n_stable = 0;

  while (kvsql_scan_next (scan, &call, &rows, NULL) && rows->n_rows > 0)
    for (guint i = 0; i < rows->n_rows; i++)
      {
        KvsqlSlice key = rows->rows[i].key;
        gint order = kvsql_slice_compare (kvsql_buffer_slice (&last), key);

        g_assert_true (last.size == 0 || (is_reversed ? order > 0 : order < 0));
        n_stable += key.size == 6;
        last.size = 0;
        kvsql_buffer_append_slice (&last, key);
      }
  kvsql_buffer_clear (&last);
  return n_stable;
}

/* A row that exists all the time is seen once and in order, whatever is written meanwhile. */
static void
test_scan_while_writing (ContractTable *table)
{
  gint is_stopped = 0;
  Worker writer = { table, 0, 0, &is_stopped };
  gboolean can_reverse = contract_has (table, KVSQL_STORE_REVERSE_SCAN);
  GThread *thread;

  for (guint i = 0; i < N_STABLE_ROWS; i++)
    {
      g_autofree gchar *row = g_strdup_printf ("%06u", i);

      contract_apply_all (table, contract_put (table, row, "f:q", "stable", 1));
    }
  thread = g_thread_new ("contract", write_between, &writer);
  for (guint i = 0; i < 10; i++)
    g_assert_cmpuint (count_stable_rows (table, can_reverse && i % 2 == 1), ==, N_STABLE_ROWS);
  g_atomic_int_set (&is_stopped, 1);
  g_thread_join (thread);
}

static gpointer
flip_often (gpointer data)
{
  Worker *self = data;

  for (guint i = 0; i < N_FLIPS; i++)
    {
      const gchar *value = i % 2 == 0 ? "even" : "odd";

      contract_apply_all (self->table, contract_put (self->table, "r", "f:left", value, i + 1),
                          contract_put (self->table, "r", "g:right", value, i + 1));
    }
  g_atomic_int_set (self->is_stopped, 1);
  return NULL;
}

static void
assert_equal (const KvsqlRows *rows)
{
  if (rows->rows[0].n_cells == 0)
    return;
  g_assert_cmpuint (rows->rows[0].n_cells, ==, 2);
  g_assert_true (kvsql_slice_equal (rows->cells[0].value, rows->cells[1].value));
  g_assert_cmpint (rows->cells[0].timestamp, ==, rows->cells[1].timestamp);
}

/* No reader ever sees a half-written row. */
static void
test_rows_are_atomic (ContractTable *table)
{
  const KvsqlColumn columns[] = { contract_column ("f:left"), contract_column ("g:right") };
  const KvsqlSlice key = S ("r");
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  gint is_stopped = 0;
  Worker writer = { table, 0, 0, &is_stopped };
  GThread *thread = g_thread_new ("contract", flip_often, &writer);

  while (!g_atomic_int_get (&is_stopped))
    {
      g_autoptr (KvsqlScan) scan = contract_open_scan (table, NULL);
      KvsqlCall call = contract_call ();
      const KvsqlRows *batch = NULL;
      KvsqlRows rows = { 0 };

      g_assert_true (kvsql_store_multi_get (table->store, table->name, &key, 1, columns, 2, &call,
                                            arena, &rows, NULL));
      assert_equal (&rows);
      g_assert_true (kvsql_store_multi_get (table->store, table->name, &key, 1, NULL, 0, &call,
                                            arena, &rows, NULL));
      assert_equal (&rows);
      g_assert_true (kvsql_scan_next (scan, &call, &batch, NULL));
      if (batch->n_rows > 0)
        assert_equal (batch);
      kvsql_arena_reset (arena);
    }
  g_thread_join (thread);
}

#define N_TASKS 40

typedef struct
{
  ContractTable *table;
  guint failing; /* the task that fails; N_TASKS: none */
  gint n_begun, n_running;
} Tasks;

static gboolean
add_one (gpointer data, guint index, GError **error)
{
  Tasks *self = data;

  g_atomic_int_inc (&self->n_begun);
  if (index == self->failing)
    return kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_OUTCOME, KVSQL_SPAN_NONE, "task %u", index);
  g_atomic_int_inc (&self->n_running);
  add (self->table, (gint64)index + 1);
  g_atomic_int_add (&self->n_running, -1);
  return TRUE;
}

static void
test_tasks (ContractTable *table)
{
  Tasks all = { .table = table, .failing = N_TASKS };
  g_autoptr (GError) error = NULL;

  assert_done (kvsql_store_run_tasks (table->store, N_TASKS, add_one, &all, &error), error);
  g_assert_cmpint (all.n_begun, ==, N_TASKS);
  g_assert_cmpint (add (table, 0), ==, N_TASKS * (N_TASKS + 1) / 2);
  assert_done (kvsql_store_run_tasks (table->store, 0, add_one, &all, &error), error);
  g_assert_cmpint (all.n_begun, ==, N_TASKS);
}

/* None begins after the failure, and none runs any more when the call ends. */
static void
test_failing_task (ContractTable *table)
{
  for (guint i = 0; i < N_ROUNDS; i++)
    {
      Tasks tasks = { .table = table, .failing = i % 3 };
      g_autoptr (GError) error = NULL;

      g_assert_false (kvsql_store_run_tasks (table->store, N_TASKS, add_one, &tasks, &error));
      g_assert_true (g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME));
      g_assert_cmpint (tasks.n_running, ==, 0);
      g_assert_cmpint (tasks.n_begun, <, N_TASKS);
    }
}

const ContractTest contract_thread_tests[] = {
  { "/threads/increments-add-up", test_increments },
  { "/threads/one-check-wins", test_one_winner },
  { "/threads/scan-while-writing", test_scan_while_writing },
  { "/threads/rows-are-atomic", test_rows_are_atomic },
  { "/threads/tasks", test_tasks },
  { "/threads/failing-task", test_failing_task },
  { NULL },
};
