/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-soak.c: runs statements of every kind on a service. A few hundred in the suite;
 * KVSQL_TEST_SOAK_STATEMENTS is their number under valgrind (tests/live/python/test-valgrind.py).
 */
#include "config.h"

#include "tests/daemon/service/mixed-statements.h"
#include "tests/harness/service-fixture.h"

#define DEFAULT_STATEMENTS 500

static void
test_soak (gconstpointer store_url)
{
  const gchar *wanted = g_getenv ("KVSQL_TEST_SOAK_STATEMENTS");
  guint n_wanted = wanted == NULL ? DEFAULT_STATEMENTS : g_ascii_strtoull (wanted, NULL, 10);
  ServiceFixture fixture;
  MixedStatements statements;

  service_fixture_open (&fixture, store_url);
  mixed_statements_define (fixture.service);
  mixed_statements_init (&statements, fixture.service, 0);
  while (statements.n_calls < n_wanted)
    mixed_statements_step (&statements);
  g_test_message ("%u statements", statements.n_calls);
  mixed_statements_clear (&statements);
  service_fixture_close (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/daemon/service/soak/memory", "memory:", test_soak);
  g_test_add_data_func ("/daemon/service/soak/rocksdb", "rocksdb", test_soak);
  return g_test_run ();
}
