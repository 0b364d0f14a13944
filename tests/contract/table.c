/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * table.c: the contract of tables, and of the store as a whole.
 */
#include "config.h"

#include "tests/contract/kit.h"
#include "tests/harness/assert.h"

static void
test_capabilities (ContractTable *table)
{
  const KvsqlStoreCapabilities *capabilities = &table->store->capabilities;
  g_autoptr (GError) error = NULL;
  KvsqlCall call = contract_call ();

  g_assert_cmpuint (table->store->klass->version, ==, KVSQL_STORE_VERSION);
  g_assert_cmpuint (capabilities->max_row_bytes, >=, 1024);
  g_assert_cmpuint (capabilities->max_value_bytes, >=, 1024 * 1024);
  g_assert_cmpfloat (capabilities->costs.request, >, 0);
  assert_done (kvsql_store_ping (table->store, &call, &error), error);
}

static void
test_flush (ContractTable *table)
{
  g_autoptr (GError) error = NULL;
  KvsqlCall call = contract_call ();

  contract_apply_all (table, contract_put (table, "r", "f:q", "v", 1));
  assert_done (kvsql_store_flush (table->store, &call, &error), error);
  contract_assert_rows (table, "r{f:q=v@1}");
}

static gchar *
listed (const ContractTable *table, const gchar *prefix)
{
  g_autoptr (GError) error = NULL;
  KvsqlCall call = contract_call ();
  g_autoptr (GPtrArray) names
      = kvsql_store_list_tables (table->store, kvsql_slice_from_text (prefix), &call, &error);
  GString *out = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < names->len; i++)
    {
      gsize size;
      const gchar *name = g_bytes_get_data (names->pdata[i], &size);

      g_assert_true (size >= strlen (prefix) && memcmp (name, prefix, strlen (prefix)) == 0);
      g_string_append_c (out, ' ');
      g_string_append_len (out, name + strlen (prefix), (gssize)(size - strlen (prefix)));
    }
  return g_string_free (out, FALSE);
}

static void
test_list (ContractTable *table)
{
  static const gchar *const suffixes[] = { "_b", "_a", "_ab" };
  g_autofree gchar *prefix = contract_table_name ("_list");
  g_autofree gchar *none = listed (table, prefix);
  g_autofree gchar *all = NULL, *some = NULL, *fewer = NULL;
  g_autofree gchar *narrow = g_strconcat (prefix, "_a", NULL);
  KvsqlCall call = contract_call ();

  g_assert_cmpstr (none, ==, "");
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree gchar *name = g_strconcat (prefix, suffixes[i], NULL);

      contract_ensure_table (table->store, kvsql_slice_from_text (name));
    }
  all = listed (table, prefix);
  g_assert_cmpstr (all, ==, " _a _ab _b");
  some = listed (table, narrow);
  g_assert_cmpstr (some, ==, "  b");
  g_assert_false (kvsql_store_lacks_table (table->store, kvsql_slice_from_text (narrow), &call));
  contract_drop_table (table->store, kvsql_slice_from_text (narrow));
  g_assert_true (kvsql_store_lacks_table (table->store, kvsql_slice_from_text (narrow), &call));
  fewer = listed (table, prefix);
  g_assert_cmpstr (fewer, ==, " _ab _b");

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree gchar *name = g_strconcat (prefix, suffixes[i], NULL);

      if (i != 1)
        contract_drop_table (table->store, kvsql_slice_from_text (name));
    }
}

static gboolean
ensured (KvsqlStore *store, KvsqlSlice name, const KvsqlSlice *families, guint n_families)
{
  const KvsqlTableSpec spec = { .name = name, .families = families, .n_families = n_families };
  g_autoptr (GError) error = NULL;
  KvsqlCall call = contract_call ();
  gboolean created = FALSE;

  assert_done (kvsql_store_ensure_table (store, &spec, &call, &created, &error), error);
  return created;
}

static void
test_ensure (ContractTable *table)
{
  g_autofree gchar *name = contract_table_name ("_ensured");
  ContractTable other = { table->store, kvsql_slice_from_text (name) };
  const KvsqlSlice families[] = { S ("f"), S ("h") };

  g_assert_true (ensured (other.store, other.name, families, 1));
  contract_apply_all (&other, contract_put (&other, "r", "f:q", "v", 1));
  g_assert_false (ensured (other.store, other.name, families, 1));
  g_assert_false (ensured (other.store, other.name, &families[1], 1));
  contract_apply_all (&other, contract_put (&other, "r", "h:q", "w", 1));
  contract_assert_rows (&other, "r{f:q=v@1 h:q=w@1}");
  contract_drop_table (other.store, other.name);
}

/* A table that must exist is not made, and neither is its family. */
static void
test_must_exist (ContractTable *table)
{
  g_autofree gchar *name = contract_table_name ("_there");
  const KvsqlSlice families[] = { S ("f"), S ("h") };
  KvsqlTableSpec spec = {
    .name = kvsql_slice_from_text (name), .families = families, .n_families = 1, .must_exist = TRUE
  };
  g_autoptr (GError) no_table = NULL, no_family = NULL, error = NULL;
  KvsqlCall call = contract_call ();

  if ((table->store->capabilities.flags & KVSQL_STORE_IMPLICIT_TABLES) != 0)
    return;
  g_assert_false (kvsql_store_ensure_table (table->store, &spec, &call, NULL, &no_table));
  g_assert_error (no_table, KVSQL_ERROR, KVSQL_ERROR_STORE);
  g_assert_true (kvsql_store_lacks_table (table->store, spec.name, &call));
  g_assert_true (ensured (table->store, spec.name, families, 1));
  assert_done (kvsql_store_ensure_table (table->store, &spec, &call, NULL, &error), error);
  spec.n_families = 2;
  g_assert_false (kvsql_store_ensure_table (table->store, &spec, &call, NULL, &no_family));
  g_assert_error (no_family, KVSQL_ERROR, KVSQL_ERROR_STORE);
  contract_drop_table (table->store, spec.name);
}

static void
test_drop (ContractTable *table)
{
  g_autofree gchar *name = contract_table_name ("_dropped");
  ContractTable other = { table->store, kvsql_slice_from_text (name) };

  contract_ensure_table (other.store, other.name);
  contract_apply_all (&other, contract_put (&other, "r", "f:q", "v", 1000));
  contract_apply_all (table, contract_put (table, "r", "f:q", "kept", 1));
  contract_drop_table (other.store, other.name);
  contract_ensure_table (other.store, other.name);
  contract_assert_rows (&other, "");
  contract_apply_all (&other, contract_put (&other, "r", "f:q", "below", 1));
  contract_assert_rows (&other, "r{f:q=below@1}");
  contract_assert_rows (table, "r{f:q=kept@1}");
  contract_drop_table (other.store, other.name);
}

static void
assert_missing (GError **error, const gchar *name)
{
  g_assert_error (*error, KVSQL_ERROR, KVSQL_ERROR_STORE);
  g_assert_nonnull (strstr ((*error)->message, name));
  g_assert_nonnull (kvsql_error_get_hint (*error));
  g_clear_error (error);
}

static void
test_drop_missing (ContractTable *table)
{
  g_autofree gchar *name = contract_table_name ("_missing");
  g_autoptr (GError) error = NULL;
  KvsqlCall call = contract_call ();

  g_assert_false (
      kvsql_store_drop_table (table->store, kvsql_slice_from_text (name), &call, &error));
  assert_missing (&error, name);
}

static void
test_implicit (ContractTable *table)
{
  g_autofree gchar *name = contract_table_name ("_implicit");
  ContractTable other = { table->store, kvsql_slice_from_text (name) };
  const KvsqlSlice key = S ("r");
  g_autofree gchar *got = NULL, *before = NULL, *after = NULL;

  contract_assert_rows (&other, "");
  got = contract_get (&other, &key, 1, NULL, 0);
  g_assert_cmpstr (got, ==, "r{}");
  contract_apply_all (&other, contract_delete_row (&other, "r", 1),
                      contract_delete (&other, "r", "f:q", 1));
  before = listed (&other, name);
  g_assert_cmpstr (before, ==, "");
  contract_apply_all (&other, contract_put (&other, "r", "made:q", "v", 1));
  after = listed (&other, name);
  g_assert_cmpstr (after, ==, " ");
  contract_assert_rows (&other, "r{made:q=v@1}");
  contract_drop_table (other.store, other.name);
}

static gboolean
scan_begins (const ContractTable *table, GError **error)
{
  const KvsqlRowRange everything = { { NULL, 0 }, { NULL, 0 } };
  const KvsqlScanSpec spec = { .table = table->name, .ranges = &everything, .n_ranges = 1 };
  KvsqlCall call = contract_call ();
  g_autoptr (KvsqlScan) scan = kvsql_store_open_scan (table->store, &spec, &call, error);
  const KvsqlRows *rows = NULL;

  return scan != NULL && kvsql_scan_next (scan, &call, &rows, error);
}

static void
test_missing (ContractTable *table)
{
  g_autofree gchar *name = contract_table_name ("_missing");
  ContractTable other = { table->store, kvsql_slice_from_text (name) };
  const KvsqlMutation put = contract_put (&other, "r", "f:q", "v", 1);
  const KvsqlSlice key = S ("r");
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  KvsqlCall call = contract_call ();
  KvsqlRows rows;
  gint64 value;

  g_assert_false (scan_begins (&other, &error));
  assert_missing (&error, name);
  g_assert_false (kvsql_store_multi_get (other.store, other.name, &key, 1, NULL, 0, &call, arena,
                                         &rows, &error));
  assert_missing (&error, name);
  g_assert_false (kvsql_store_apply (other.store, &put, 1, &call, &error));
  assert_missing (&error, name);
  g_assert_false (kvsql_store_increment (other.store, other.name, key, S ("f"), S ("q"), 1, &call,
                                         &value, &error));
  assert_missing (&error, name);
}

const ContractTest contract_table_tests[] = {
  { "/store/capabilities-and-ping", test_capabilities },
  { "/store/flush", test_flush },
  { "/table/list", test_list },
  { "/table/ensure", test_ensure },
  { "/table/must-exist", test_must_exist },
  { "/table/drop", test_drop },
  { "/table/drop-missing", test_drop_missing },
  { "/table/made-by-its-first-put", test_implicit, .needs = KVSQL_STORE_IMPLICIT_TABLES },
  { "/table/missing", test_missing, .forbids = KVSQL_STORE_IMPLICIT_TABLES },
  { NULL },
};
