/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-contract-memory.c: runs the contract of store.h on the reference implementation.
 */
#include "config.h"

#include "core/store/memory.h"
#include "tests/contract/contract.h"

static KvsqlStore *
open_memory (const gchar *url, GError **error)
{
  return kvsql_memory_store_new ();
}

int
main (int argc, char **argv)
{
  KvsqlContractFixture fixture
      = { .open = open_memory,
          .flags = KVSQL_STORE_REVERSE_SCAN | KVSQL_STORE_ATOMIC_BATCH | KVSQL_STORE_IMPLICIT_TABLES
                   | KVSQL_STORE_ONE_VERSION };

  g_test_init (&argc, &argv, NULL);
  return kvsql_contract_run ("/contract/memory", &fixture);
}
