/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * contract.c: registers the groups of tests under a prefix, and gives each test its table.
 */
#include "config.h"

#include "tests/contract/kit.h"

typedef struct
{
  KvsqlContractFixture *fixture;
  const ContractTest *test;
} Case;

static void
run_case (gconstpointer data)
{
  const Case *self = data;
  KvsqlContractFixture *fixture = self->fixture;
  g_autofree gchar *name = contract_table_name ("");
  g_autoptr (GError) error = NULL;
  ContractTable table;

  if (fixture->store == NULL)
    fixture->store = fixture->open (fixture->url, &error);
  g_assert_no_error (error);
  g_assert_nonnull (fixture->store);
  g_assert_cmpuint (fixture->store->capabilities.flags, ==, fixture->flags);

  table = (ContractTable){ fixture->store, kvsql_slice_from_text (name) };
  contract_ensure_table (table.store, table.name);
  self->test->run (&table);
  contract_drop_table (table.store, table.name);
}

void
kvsql_contract_add_tests (const gchar *prefix, KvsqlContractFixture *fixture)
{
  const ContractTest *const groups[]
      = { contract_read_tests,  contract_filter_tests,    contract_split_tests,
          contract_write_tests, contract_condition_tests, contract_table_tests,
          contract_call_tests,  contract_thread_tests };

  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    for (const ContractTest *test = groups[i]; test->path != NULL; test++)
      {
        g_autofree gchar *path = g_strconcat (prefix, test->path, NULL);
        Case *data;

        if ((test->needs & ~fixture->flags) != 0 || (test->forbids & fixture->flags) != 0)
          continue;
        data = g_new (Case, 1);
        *data = (Case){ fixture, test };
        g_test_add_data_func_full (path, data, run_case, g_free);
      }
}

gint
kvsql_contract_run (const gchar *prefix, KvsqlContractFixture *fixture)
{
  gint status;

  kvsql_contract_add_tests (prefix, fixture);
  status = g_test_run ();
  kvsql_store_close (fixture->store);
  fixture->store = NULL;
  return status;
}
