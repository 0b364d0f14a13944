/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * condition.c: the contract of check_and_apply() and increment().
 */
#include "config.h"

#include "tests/contract/kit.h"
#include "tests/harness/assert.h"
#include "tests/harness/check-and-apply.h"

static KvsqlCheck
absent (const ContractTable *table, const gchar *row, const gchar *column)
{
  KvsqlColumn parsed = contract_column (column);

  return (KvsqlCheck){ KVSQL_CHECK_ABSENT, table->name,      kvsql_slice_from_text (row),
                       parsed.family,      parsed.qualifier, KVSQL_SLICE_EMPTY };
}

static KvsqlCheck
equal (const ContractTable *table, const gchar *row, const gchar *column, const gchar *value)
{
  KvsqlCheck check = absent (table, row, column);

  check.kind = KVSQL_CHECK_EQUAL;
  check.value = kvsql_slice_from_text (value);
  return check;
}

/* The mark makes a "false" certain, also if it comes late (store.h). */
static gboolean
applied (const ContractTable *table, KvsqlCheck check, const KvsqlMutation *mutations, guint n)
{
  g_autoptr (GError) error = NULL;
  KvsqlCall call = contract_call ();
  gboolean result = FALSE;

  check.mark = mutations[n - 1].timestamp;
  assert_done (check_and_apply (table->store, &check, mutations, n, &call, &result, &error), error);
  return result;
}

static gint64
incremented (const ContractTable *table, const gchar *row, const gchar *column, gint64 amount)
{
  KvsqlColumn parsed = contract_column (column);
  g_autoptr (GError) error = NULL;
  KvsqlCall call = contract_call ();
  gint64 value = G_MININT64;

  assert_done (kvsql_store_increment (table->store, table->name, kvsql_slice_from_text (row),
                                      parsed.family, parsed.qualifier, amount, &call, &value,
                                      &error),
               error);
  return value;
}

static void
test_absent (ContractTable *table)
{
  const KvsqlMutation first = contract_put (table, "r", "f:q", "first", 5);
  const KvsqlMutation second = contract_put (table, "r", "f:q", "second", 6);

  g_assert_true (applied (table, absent (table, "r", "f:q"), &first, 1));
  g_assert_false (applied (table, absent (table, "r", "f:q"), &second, 1));
  contract_assert_rows (table, "r{f:q=first@5}");
  g_assert_true (applied (table, absent (table, "r", "f:other"), &second, 1));
  contract_assert_rows (table, "r{f:q=second@6}");
}

static void
test_equal (ContractTable *table)
{
  const KvsqlMutation change = contract_put (table, "r", "f:q", "new", 6);

  contract_apply_all (table, contract_put (table, "r", "f:q", "old", 5));
  g_assert_false (applied (table, equal (table, "r", "f:q", "ol"), &change, 1));
  g_assert_false (applied (table, equal (table, "r", "f:q", "older"), &change, 1));
  g_assert_false (applied (table, equal (table, "r", "f:q", "new"), &change, 1));
  g_assert_false (applied (table, equal (table, "r", "f:missing", "old"), &change, 1));
  contract_assert_rows (table, "r{f:q=old@5}");
  g_assert_true (applied (table, equal (table, "r", "f:q", "old"), &change, 1));
  contract_assert_rows (table, "r{f:q=new@6}");
}

/* All mutations of the row are applied with the check, and keep their order and timestamps. */
static void
test_many_mutations (ContractTable *table)
{
  const KvsqlMutation mutations[]
      = { contract_delete_row (table, "r", 9), contract_put (table, "r", "f:a", "1", 10),
          contract_put (table, "r", "g:b", "2", 11), contract_delete (table, "r", "f:a", 10),
          contract_put (table, "r", "f:c", "late", 3) };

  contract_apply_all (table, contract_put (table, "r", "f:q", "old", 5),
                      contract_put (table, "r", "f:c", "newer", 20));
  g_assert_false (applied (table, absent (table, "r", "f:q"), mutations, 5));
  contract_assert_rows (table, "r{f:c=newer@20 f:q=old@5}");
  g_assert_true (applied (table, equal (table, "r", "f:q", "old"), mutations, 5));
  contract_assert_rows (table, "r{f:c=newer@20 g:b=2@11}");
}

static void
test_increment (ContractTable *table)
{
  const KvsqlSlice key = S ("r");
  const KvsqlColumn column = contract_column ("f:n");
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlCall call = contract_call ();
  KvsqlRows rows = { 0 };

  g_assert_cmpint (incremented (table, "r", "f:n", 5), ==, 5);
  g_assert_cmpint (incremented (table, "r", "f:n", 0), ==, 5);
  g_assert_cmpint (incremented (table, "r", "f:n", -7), ==, -2);
  g_assert_cmpint (incremented (table, "r", "f:other", 1), ==, 1);
  g_assert_true (kvsql_store_multi_get (table->store, table->name, &key, 1, &column, 1, &call,
                                        arena, &rows, NULL));
  g_assert_cmpuint (rows.rows[0].n_cells, ==, 1);
  g_assert_cmpmem (rows.cells[0].value.data, rows.cells[0].value.size,
                   "\xff\xff\xff\xff\xff\xff\xff\xfe", 8);
  g_assert_cmpint (rows.cells[0].timestamp, >=, 1);
}

static void
test_increment_what_was_put (ContractTable *table)
{
  KvsqlMutation put = contract_put (table, "r", "f:n", "", 5);

  put.value = S ("\0\0\0\0\0\0\1\0");
  contract_apply (table, &put, 1);
  g_assert_cmpint (incremented (table, "r", "f:n", 1), ==, 257);
  g_assert_cmpint (incremented (table, "r", "f:n", 1), ==, 258);
}

static void
test_increment_no_counter (ContractTable *table)
{
  g_autoptr (GError) error = NULL;
  KvsqlCall call = contract_call ();
  gint64 value = 0;

  contract_apply_all (table, contract_put (table, "r", "f:q", "text", 5));
  g_assert_false (kvsql_store_increment (table->store, table->name, S ("r"), S ("f"), S ("q"), 1,
                                         &call, &value, &error));
  g_assert_nonnull (error);
  g_assert_true (error->domain == KVSQL_ERROR);
  contract_assert_rows (table, "r{f:q=text@5}");
}

const ContractTest contract_condition_tests[] = {
  { "/condition/absent", test_absent },
  { "/condition/equal", test_equal },
  { "/condition/with-many-mutations", test_many_mutations },
  { "/increment/adds", test_increment },
  { "/increment/adds-to-a-put", test_increment_what_was_put },
  { "/increment/rejects-other-cells", test_increment_no_counter },
  { NULL },
};
