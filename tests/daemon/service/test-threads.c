/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-threads.c: eight threads run statements of every kind on one service. Meant for
 * ThreadSanitizer, but wrong results show in any build.
 */
#include "config.h"

#include "tests/daemon/service/mixed-statements.h"
#include "tests/harness/service-fixture.h"

#define N_THREADS 8
#define STEPS_OF_A_THREAD 150

typedef struct
{
  KvsqldService *service;
  guint lane;
} Lane;

static gpointer
run_lane (gpointer data)
{
  const Lane *lane = data;
  MixedStatements statements;

  mixed_statements_init (&statements, lane->service, lane->lane);
  for (guint i = 0; i < STEPS_OF_A_THREAD; i++)
    mixed_statements_step (&statements);
  mixed_statements_clear (&statements);
  return NULL;
}

static void
test_mixed (gconstpointer store_url)
{
  ServiceFixture fixture;
  Lane lanes[N_THREADS];
  GThread *threads[N_THREADS];

  service_fixture_open (&fixture, store_url);
  mixed_statements_define (fixture.service);
  for (guint i = 0; i < N_THREADS; i++)
    {
      lanes[i] = (Lane){ fixture.service, i };
      threads[i] = g_thread_new ("lane", run_lane, &lanes[i]);
    }
  for (guint i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
  service_fixture_close (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/daemon/service/threads/memory", "memory:", test_mixed);
  g_test_add_data_func ("/daemon/service/threads/rocksdb", "rocksdb", test_mixed);
  return g_test_run ();
}
