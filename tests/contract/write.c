/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * write.c: the contract of puts and deletes, and of their timestamps.
 */
#include "config.h"

#include "tests/contract/kit.h"

static void
test_empty_parts (ContractTable *table)
{
  contract_apply_all (table, contract_put (table, "r", "f:", "", 5),
                      contract_put (table, "r", "f:q", "", 6));
  contract_assert_rows (table, "r{f:=@5 f:q=@6}");
}

static void
test_binary_value (ContractTable *table)
{
  KvsqlMutation put = contract_put (table, "r", "f:q", "", 1);

  put.value = S ("\0\xff\0\1");
  contract_apply (table, &put, 1);
  contract_assert_rows (table, "r{f:q=\\x00\\xff\\x00\\x01@1}");
}

static void
test_newer_put (ContractTable *table)
{
  contract_apply_all (table, contract_put (table, "r", "f:q", "old", 10));
  contract_apply_all (table, contract_put (table, "r", "f:q", "new", 11));
  contract_assert_rows (table, "r{f:q=new@11}");
}

static void
test_older_put (ContractTable *table)
{
  contract_apply_all (table, contract_put (table, "r", "f:q", "new", 10));
  contract_apply_all (table, contract_put (table, "r", "f:q", "old", 9));
  contract_assert_rows (table, "r{f:q=new@10}");
  contract_apply_all (table, contract_put (table, "r", "f:other", "older", 3));
  contract_assert_rows (table, "r{f:other=older@3 f:q=new@10}");
}

static void
test_equal_put (ContractTable *table)
{
  contract_apply_all (table, contract_put (table, "r", "f:q", "first", 10));
  contract_apply_all (table, contract_put (table, "r", "f:q", "second", 10));
  contract_assert_rows (table, "r{f:q=second@10}");
}

static void
test_delete (ContractTable *table)
{
  contract_apply_all (table, contract_put (table, "older", "f:q", "v", 9),
                      contract_put (table, "equal", "f:q", "v", 10),
                      contract_put (table, "newer", "f:q", "v", 11),
                      contract_put (table, "newer", "f:a", "v", 9));
  contract_apply_all (table, contract_delete (table, "older", "f:q", 10),
                      contract_delete (table, "equal", "f:q", 10),
                      contract_delete (table, "newer", "f:q", 10),
                      contract_delete (table, "missing", "f:q", 10));
  contract_assert_rows (table, "newer{f:a=v@9 f:q=v@11}");
}

static void
test_put_after_delete (ContractTable *table)
{
  contract_apply_all (table, contract_put (table, "r", "f:q", "v", 9));
  contract_apply_all (table, contract_delete (table, "r", "f:q", 10));
  contract_assert_rows (table, "");
  contract_apply_all (table, contract_put (table, "r", "f:q", "again", 11));
  contract_assert_rows (table, "r{f:q=again@11}");
}

static void
test_delete_row (ContractTable *table)
{
  contract_apply_all (
      table, contract_put (table, "r", "f:a", "v", 9), contract_put (table, "r", "f:b", "v", 10),
      contract_put (table, "r", "fa:c", "v", 11), contract_put (table, "r", "g:d", "v", 3),
      contract_put (table, "r\x01", "f:q", "v", 3), contract_put (table, "q", "f:q", "v", 3));
  contract_apply_all (table, contract_delete_row (table, "r", 10),
                      contract_delete_row (table, "missing", 10));
  contract_assert_rows (table, "q{f:q=v@3} r{fa:c=v@11} r\\x01{f:q=v@3}");
  contract_apply_all (table, contract_delete_row (table, "r", 12));
  contract_apply_all (table, contract_put (table, "r", "f:a", "again", 13));
  contract_assert_rows (table, "q{f:q=v@3} r{f:a=again@13} r\\x01{f:q=v@3}");
}

static void
test_delete_wide_row (ContractTable *table)
{
  g_autoptr (GArray) puts = g_array_new (FALSE, FALSE, sizeof (KvsqlMutation));
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  for (guint i = 0; i < 2000; i++)
    {
      KvsqlMutation put
          = contract_put (table, "r", kvsql_arena_printf (arena, "f:%04u", i), "v", 5);

      g_array_append_val (puts, put);
    }
  contract_apply (table, (const KvsqlMutation *)puts->data, puts->len);
  contract_apply_all (table, contract_put (table, "s", "f:q", "v", 5),
                      contract_put (table, "q", "f:q", "v", 5));
  contract_apply_all (table, contract_delete_row (table, "r", 5));
  contract_assert_rows (table, "q{f:q=v@5} s{f:q=v@5}");
}

/* Mutations of one call take effect one after the other. */
static void
test_order_of_mutations (ContractTable *table)
{
  contract_apply_all (table, contract_put (table, "same", "f:q", "first", 10),
                      contract_put (table, "same", "f:q", "second", 10));
  contract_apply_all (table, contract_put (table, "older", "f:q", "new", 10),
                      contract_put (table, "older", "f:q", "old", 5));
  contract_apply_all (table, contract_put (table, "gone", "f:q", "v", 10),
                      contract_delete (table, "gone", "f:q", 10));
  contract_apply_all (table, contract_put (table, "kept", "f:q", "v", 10),
                      contract_delete (table, "kept", "f:q", 9));
  contract_apply_all (table, contract_put (table, "replaced", "f:a", "old", 5));
  contract_apply_all (table, contract_delete_row (table, "replaced", 9),
                      contract_put (table, "replaced", "f:b", "new", 10));
  contract_apply_all (table, contract_put (table, "twice", "f:a", "v", 9),
                      contract_put (table, "twice", "f:b", "v", 10),
                      contract_delete_row (table, "twice", 9));
  contract_apply_all (table, contract_delete (table, "cell", "f:q", 9),
                      contract_put (table, "cell", "f:q", "v", 10));
  contract_assert_rows (table, "cell{f:q=v@10} kept{f:q=v@10} older{f:q=new@10} "
                               "replaced{f:b=new@10} same{f:q=second@10} twice{f:b=v@10}");
}

/* The same, with timestamps far below the newest of the store. */
static void
test_order_of_old_mutations (ContractTable *table)
{
  contract_apply_all (table, contract_put (table, "newest", "g:q", "v", 1000000));
  contract_apply_all (table, contract_delete_row (table, "newest", 1000000));
  test_order_of_mutations (table);
}

static void
test_several_tables (ContractTable *table)
{
  g_autofree gchar *name = contract_table_name ("_other");
  ContractTable other = { table->store, kvsql_slice_from_text (name) };

  contract_ensure_table (other.store, other.name);
  contract_apply_all (table, contract_put (table, "r", "f:q", "here", 1),
                      contract_put (&other, "r", "f:q", "there", 2),
                      contract_put (table, "s", "f:q", "here", 3));
  contract_assert_rows (table, "r{f:q=here@1} s{f:q=here@3}");
  contract_assert_rows (&other, "r{f:q=there@2}");
  contract_apply_all (&other, contract_delete_row (&other, "r", 2),
                      contract_delete (table, "s", "f:q", 3));
  contract_assert_rows (table, "r{f:q=here@1}");
  contract_assert_rows (&other, "");
  contract_drop_table (other.store, other.name);
}

/* A store may write row by row, but the mutations of one row are applied in the order of the
 * call. */
static void
test_rows_in_turns (ContractTable *table)
{
  g_autofree gchar *name = contract_table_name ("_turns");
  ContractTable other = { table->store, kvsql_slice_from_text (name) };

  contract_ensure_table (other.store, other.name);
  contract_apply_all (
      table, contract_put (&other, "z", "f:q", "first", 10),
      contract_put (table, "z", "f:q", "first", 10), contract_put (table, "a", "f:q", "first", 10),
      contract_put (&other, "a", "f:q", "first", 10), contract_delete (table, "a", "f:q", 10),
      contract_put (table, "z", "f:q", "second", 10), contract_delete (&other, "z", "f:q", 10),
      contract_put (&other, "a", "f:q", "second", 10));
  contract_assert_rows (table, "z{f:q=second@10}");
  contract_assert_rows (&other, "a{f:q=second@10}");
  contract_drop_table (other.store, other.name);
}

/* Random mutations, compared with a model of the expected cells. */
#define MODEL_ROWS 3
#define MODEL_COLUMNS 3
#define MODEL_ROUNDS 150

typedef struct
{
  gint64 timestamp[MODEL_ROWS][MODEL_COLUMNS]; /* 0: no cell */
  gchar value[MODEL_ROWS][MODEL_COLUMNS];
  gint64 newest_delete[MODEL_ROWS][MODEL_COLUMNS];
} Model;

static void
model_delete (Model *self, guint row, guint column, gint64 timestamp)
{
  if (self->timestamp[row][column] <= timestamp)
    self->timestamp[row][column] = 0;
  self->newest_delete[row][column] = MAX (self->newest_delete[row][column], timestamp);
}

/* FALSE: a put that may be hidden in a store that remembers deletes; it is skipped. */
static gboolean
model_put (Model *self, guint row, guint column, gchar value, gint64 timestamp)
{
  if (timestamp <= self->newest_delete[row][column])
    return FALSE;
  if (timestamp >= self->timestamp[row][column])
    {
      self->timestamp[row][column] = timestamp;
      self->value[row][column] = value;
    }
  return TRUE;
}

static gchar *
model_as_text (const Model *self, const gchar *const *rows, const gchar *const *columns)
{
  GString *out = g_string_new (NULL);

  for (guint row = 0; row < MODEL_ROWS; row++)
    {
      gboolean is_open = FALSE;

      for (guint column = 0; column < MODEL_COLUMNS; column++)
        if (self->timestamp[row][column] != 0)
          {
            if (!is_open)
              g_string_append_printf (out, "%s%s{", out->len > 0 ? " " : "", rows[row]);
            g_string_append_printf (out, "%s%s=%c@%" G_GINT64_FORMAT, is_open ? " " : "",
                                    columns[column], self->value[row][column],
                                    self->timestamp[row][column]);
            is_open = TRUE;
          }
      if (is_open)
        g_string_append_c (out, '}');
    }
  return g_string_free (out, FALSE);
}

static void
test_random_mutations (ContractTable *table)
{
  static const gchar *const rows[] = { "a", "ab", "b" };
  static const gchar *const columns[] = { "f:", "f:q", "g:q" };
  g_autoptr (GRand) random = g_rand_new_with_seed (11);
  Model model = { 0 };

  for (guint round = 0; round < MODEL_ROUNDS; round++)
    {
      g_autoptr (GArray) mutations = g_array_new (FALSE, FALSE, sizeof (KvsqlMutation));
      gchar values[8][2] = { 0 };
      guint n = (guint)g_rand_int_range (random, 1, 8);
      g_autofree gchar *expected = NULL;

      for (guint i = 0; i < n; i++)
        {
          guint row = (guint)g_rand_int_range (random, 0, MODEL_ROWS);
          guint column = (guint)g_rand_int_range (random, 0, MODEL_COLUMNS);
          gint64 timestamp = round + g_rand_int_range (random, 1, 20);
          gint32 kind = g_rand_int_range (random, 0, 8);
          KvsqlMutation mutation;

          values[i][0] = (gchar)('a' + g_rand_int_range (random, 0, 26));
          if (kind == 0)
            {
              mutation = contract_delete_row (table, rows[row], timestamp);
              for (guint c = 0; c < MODEL_COLUMNS; c++)
                model_delete (&model, row, c, timestamp);
            }
          else if (kind <= 2)
            {
              mutation = contract_delete (table, rows[row], columns[column], timestamp);
              model_delete (&model, row, column, timestamp);
            }
          else
            {
              mutation = contract_put (table, rows[row], columns[column], values[i], timestamp);
              if (!model_put (&model, row, column, values[i][0], timestamp))
                continue;
            }
          g_array_append_val (mutations, mutation);
        }
      contract_apply (table, (const KvsqlMutation *)mutations->data, mutations->len);
      expected = model_as_text (&model, rows, columns);
      contract_assert_rows (table, expected);
    }
}

static void
test_nothing (ContractTable *table)
{
  KvsqlCall call = contract_call ();

  g_assert_true (kvsql_store_apply (table->store, NULL, 0, &call, NULL));
}

const ContractTest contract_write_tests[] = {
  { "/write/empty-qualifier-and-value", test_empty_parts },
  { "/write/binary-value", test_binary_value },
  { "/write/newer-put-wins", test_newer_put },
  { "/write/older-put-stays-invisible", test_older_put },
  { "/write/of-equal-timestamps-the-later-wins", test_equal_put },
  { "/write/delete-keeps-what-is-newer", test_delete },
  { "/write/put-above-a-delete-is-visible", test_put_after_delete },
  { "/write/delete-row", test_delete_row },
  { "/write/delete-wide-row", test_delete_wide_row },
  { "/write/mutations-take-effect-in-order", test_order_of_mutations },
  { "/write/old-mutations-take-effect-in-order", test_order_of_old_mutations },
  { "/write/several-tables-at-once", test_several_tables },
  { "/write/rows-alternate", test_rows_in_turns },
  { "/write/random-mutations", test_random_mutations },
  { "/write/no-mutations-at-all", test_nothing },
  { NULL },
};
