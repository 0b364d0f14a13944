/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * call.c: the contract of deadlines and cancellation: a call that is over has no effect.
 */
#include "config.h"

#include "tests/contract/kit.h"
#include "tests/harness/check-and-apply.h"

static void
assert_over (gboolean ok, GError **error)
{
  g_assert_false (ok);
  g_assert_error (*error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
  g_clear_error (error);
}

static void
assert_reads_are_over (ContractTable *table, const KvsqlCall *over)
{
  const KvsqlRowRange everything = { { NULL, 0 }, { NULL, 0 } };
  const KvsqlScanSpec spec = { .table = table->name, .ranges = &everything, .n_ranges = 1 };
  g_autoptr (KvsqlScan) scan = contract_open_scan (table, NULL);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlSlice key = S ("r");
  const KvsqlRows *batch = NULL;
  KvsqlRows rows = { 0 };
  g_autoptr (GError) error = NULL;

  assert_over (kvsql_store_ping (table->store, over, &error), &error);
  assert_over (kvsql_store_open_scan (table->store, &spec, over, &error) != NULL, &error);
  assert_over (kvsql_scan_next (scan, over, &batch, &error), &error);
  assert_over (kvsql_store_multi_get (table->store, table->name, &key, 1, NULL, 0, over, arena,
                                      &rows, &error),
               &error);
  assert_over (kvsql_store_list_tables (table->store, table->name, over, &error) != NULL, &error);
}

static void
assert_writes_are_over (ContractTable *table, const KvsqlCall *over)
{
  const KvsqlMutation put = contract_put (table, "r", "f:q", "new", 2);
  const KvsqlCheck check = { KVSQL_CHECK_EQUAL, table->name, S ("r"), S ("f"), S ("q"), S ("old") };
  const KvsqlSlice family = S ("f");
  const KvsqlTableSpec spec = { .name = table->name, .families = &family, .n_families = 1 };
  g_autoptr (GError) error = NULL;
  gboolean applied = FALSE;
  gint64 value = 0;

  assert_over (kvsql_store_apply (table->store, &put, 1, over, &error), &error);
  assert_over (check_and_apply (table->store, &check, &put, 1, over, &applied, &error), &error);
  assert_over (kvsql_store_increment (table->store, table->name, S ("n"), family, S ("q"), 1, over,
                                      &value, &error),
               &error);
  assert_over (kvsql_store_ensure_table (table->store, &spec, over, NULL, &error), &error);
  assert_over (kvsql_store_drop_table (table->store, table->name, over, &error), &error);
  assert_over (kvsql_store_flush (table->store, over, &error), &error);
}

static void
assert_all_is_over (ContractTable *table, const KvsqlCall *over)
{
  gint64 start = g_get_monotonic_time ();

  contract_apply_all (table, contract_put (table, "r", "f:q", "old", 1));
  assert_reads_are_over (table, over);
  assert_writes_are_over (table, over);
  contract_assert_rows (table, "r{f:q=old@1}");
  g_assert_cmpint (g_get_monotonic_time () - start, <, 20 * G_USEC_PER_SEC);
}

static void
test_deadline (ContractTable *table)
{
  const KvsqlCall over = { .deadline_us = g_get_monotonic_time () };

  assert_all_is_over (table, &over);
}

static void
test_cancelled (ContractTable *table)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  KvsqlCall over = contract_call ();

  over.cancellable = cancellable;
  g_cancellable_cancel (cancellable);
  assert_all_is_over (table, &over);
}

const ContractTest contract_call_tests[] = {
  { "/call/past-its-deadline", test_deadline },
  { "/call/cancelled", test_cancelled },
  { NULL },
};
