/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-contract-rocksdb.c: runs the contract of store.h on RocksDB in a new directory.
 */
#include "config.h"

#include <gio/gio.h>

#include "daemon/stores/stores.h"
#include "tests/contract/contract.h"
#include "tests/contract/files.h"

int
main (int argc, char **argv)
{
  g_autofree gchar *directory = NULL, *url = NULL;
  KvsqlContractFixture fixture
      = { .open = kvsqld_store_open,
          .flags = KVSQL_STORE_REVERSE_SCAN | KVSQL_STORE_ATOMIC_BATCH | KVSQL_STORE_IMPLICIT_TABLES
                   | KVSQL_STORE_ONE_VERSION };
  gint status;

  g_test_init (&argc, &argv, NULL);
  directory = g_dir_make_tmp ("kvsql-contract-XXXXXX", NULL);
  g_assert_nonnull (directory);
  url = g_strdup_printf ("rocksdb://%s/db?sync=false", directory);
  fixture.url = url;
  status = kvsql_contract_run ("/contract/rocksdb", &fixture);
  kvsql_test_remove_directory (directory);
  return status;
}
