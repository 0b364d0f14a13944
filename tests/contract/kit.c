/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kit.c: short functions to write to a table and to read it as text.
 */
#include "config.h"

#include "tests/contract/kit.h"

#include "tests/harness/assert.h"

#define CALL_SECONDS 60

KvsqlCall
contract_call (void)
{
  return (KvsqlCall){ .deadline_us = g_get_monotonic_time () + CALL_SECONDS * G_USEC_PER_SEC };
}

gboolean
contract_has (const ContractTable *table, KvsqlStoreFlags flag)
{
  return (table->store->capabilities.flags & flag) != 0;
}

gchar *
contract_table_name (const gchar *suffix)
{
  static gint counter;

  return g_strdup_printf ("kvsql_contract_%08x_%d%s", g_random_int (),
                          g_atomic_int_add (&counter, 1), suffix);
}

void
contract_ensure_table (KvsqlStore *store, KvsqlSlice name)
{
  const KvsqlSlice families[] = { S ("f"), S ("fa"), S ("g") };
  const KvsqlTableSpec spec = { .name = name, .families = families, .n_families = 3 };
  g_autoptr (GError) error = NULL;
  KvsqlCall call = contract_call ();

  assert_done (kvsql_store_ensure_table (store, &spec, &call, NULL, &error), error);
}

void
contract_drop_table (KvsqlStore *store, KvsqlSlice name)
{
  g_autoptr (GError) error = NULL;
  KvsqlCall call = contract_call ();

  assert_done (kvsql_store_drop_table (store, name, &call, &error), error);
}

KvsqlColumn
contract_column (const gchar *column)
{
  const gchar *colon = strchr (column, ':');

  g_assert_nonnull (colon);
  return (KvsqlColumn){ kvsql_slice (column, colon - column), kvsql_slice_from_text (colon + 1),
                        FALSE };
}

KvsqlColumn
contract_family (const gchar *family)
{
  return (KvsqlColumn){ kvsql_slice_from_text (family), KVSQL_SLICE_EMPTY, TRUE };
}

guint
contract_number_of (KvsqlSlice key)
{
  g_autofree gchar *digits = g_strndup ((const gchar *)key.data, key.size);

  return (guint)g_ascii_strtoull (digits, NULL, 10);
}

KvsqlMutation
contract_put (const ContractTable *table, const gchar *row, const gchar *column, const gchar *value,
              gint64 timestamp)
{
  KvsqlColumn parsed = contract_column (column);

  return (KvsqlMutation){ KVSQL_MUTATION_PUT, table->name,      kvsql_slice_from_text (row),
                          parsed.family,      parsed.qualifier, kvsql_slice_from_text (value),
                          timestamp };
}

KvsqlMutation
contract_delete (const ContractTable *table, const gchar *row, const gchar *column,
                 gint64 timestamp)
{
  KvsqlMutation mutation = contract_put (table, row, column, "", timestamp);

  mutation.kind = KVSQL_MUTATION_DELETE;
  return mutation;
}

KvsqlMutation
contract_delete_row (const ContractTable *table, const gchar *row, gint64 timestamp)
{
  return (KvsqlMutation){ .kind = KVSQL_MUTATION_DELETE_ROW,
                          .table = table->name,
                          .row = kvsql_slice_from_text (row),
                          .timestamp = timestamp };
}

void
contract_apply (const ContractTable *table, const KvsqlMutation *mutations, guint n)
{
  g_autoptr (GError) error = NULL;
  KvsqlCall call = contract_call ();

  assert_done (kvsql_store_apply (table->store, mutations, n, &call, &error), error);
}

void
contract_append_rows (GString *out, const KvsqlRows *rows)
{
  for (guint i = 0; i < rows->n_rows; i++)
    {
      const KvsqlRow *row = &rows->rows[i];

      g_string_append (out, out->len > 0 ? " " : "");
      kvsql_append_readable (out, row->key);
      g_string_append_c (out, '{');
      for (guint c = 0; c < row->n_cells; c++)
        {
          const KvsqlCell *cell = &rows->cells[row->first_cell + c];

          g_string_append (out, c > 0 ? " " : "");
          kvsql_append_readable (out, cell->family);
          g_string_append_c (out, ':');
          kvsql_append_readable (out, cell->qualifier);
          g_string_append_c (out, '=');
          kvsql_append_readable (out, cell->value);
          g_string_append_printf (out, "@%" G_GINT64_FORMAT, cell->timestamp);
        }
      g_string_append_c (out, '}');
    }
}

KvsqlScan *
contract_open_scan (const ContractTable *table, const KvsqlScanSpec *spec)
{
  static const KvsqlRowRange everything = { { NULL, 0 }, { NULL, 0 } };
  KvsqlScanSpec complete = spec != NULL ? *spec : (KvsqlScanSpec){ 0 };
  g_autoptr (GError) error = NULL;
  KvsqlCall call = contract_call ();
  KvsqlScan *scan;

  complete.table = table->name;
  if (complete.ranges == NULL)
    {
      complete.ranges = &everything;
      complete.n_ranges = 1;
    }
  scan = kvsql_store_open_scan (table->store, &complete, &call, &error);
  g_assert_no_error (error);
  g_assert_nonnull (scan);
  return scan;
}

gchar *
contract_scan (const ContractTable *table, const KvsqlScanSpec *spec)
{
  g_autoptr (KvsqlScan) scan = contract_open_scan (table, spec);
  GString *out = g_string_new (NULL);
  const KvsqlRows *rows = NULL;

  do
    {
      g_autoptr (GError) error = NULL;
      KvsqlCall call = contract_call ();

      assert_done (kvsql_scan_next (scan, &call, &rows, &error), error);
      for (guint i = 0; i < rows->n_rows; i++)
        g_assert_cmpuint (rows->rows[i].n_cells, >=, 1);
      contract_append_rows (out, rows);
    }
  while (rows->n_rows > 0);
  return g_string_free (out, FALSE);
}

gchar *
contract_get (const ContractTable *table, const KvsqlSlice *keys, guint n_keys,
              const KvsqlColumn *columns, guint n_columns)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  GString *out = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  KvsqlCall call = contract_call ();
  KvsqlRows rows = { 0 };

  assert_done (kvsql_store_multi_get (table->store, table->name, keys, n_keys, columns, n_columns,
                                      &call, arena, &rows, &error),
               error);
  g_assert_cmpuint (rows.n_rows, ==, n_keys);
  contract_append_rows (out, &rows);
  return g_string_free (out, FALSE);
}
