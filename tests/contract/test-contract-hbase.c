/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-contract-hbase.c: runs the contract of store.h on the HBase of KVSQL_TEST_HBASE_URL.
 */
#include "config.h"

#include "daemon/stores/stores.h"
#include "tests/contract/contract.h"

static void
skip (void)
{
  g_test_skip ("KVSQL_TEST_HBASE_URL is not set: no HBase to test with");
}

int
main (int argc, char **argv)
{
  KvsqlContractFixture fixture = { .open = kvsqld_store_open,
                                   .url = g_getenv ("KVSQL_TEST_HBASE_URL"),
                                   .flags = KVSQL_STORE_REVERSE_SCAN };

  g_test_init (&argc, &argv, NULL);
  if (fixture.url != NULL)
    return kvsql_contract_run ("/contract/hbase", &fixture);
  g_test_add_func ("/contract/hbase/all", skip);
  return g_test_run ();
}
