/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * differential-driver.c: makes scenarios from seeds, runs them, and replays them.
 */
#include "config.h"

#include "daemon/service/service-private.h"
#include "tests/differential/differential-scenario.h"

#define MAX_FAILED 5
/* In some scenarios the cost of a request is negative, so that the planner always chooses plans
 * that read fewer rows with more requests, as skip scans do. */
#define STORE_THAT_LIKES_REQUESTS (-10)

static ScenarioRun *
run_open (const ScenarioDriver *driver, const Scenario *scenario)
{
  ScenarioRun *self = g_malloc0 (driver->run_size);

  self->scenario = scenario;
  self->tuples = g_ptr_array_new ();
  self->random = g_rand_new_with_seed (1);
  service_fixture_open (&self->fixture, scenario->store);
  if (scenario->likes_requests)
    self->fixture.service->store->capabilities.costs.request = STORE_THAT_LIKES_REQUESTS;
  return self;
}

static void
run_close (ScenarioRun *self)
{
  service_fixture_close (&self->fixture);
  g_ptr_array_unref (self->tuples);
  g_rand_free (self->random);
  g_free (self);
}

Problem
scenario_replay (const Scenario *self, const ScenarioDriver *driver, guint *out_failed)
{
  ScenarioRun *run = run_open (driver, self);
  Problem problem = NULL;

  scenario_define (self, run->fixture.service);
  for (guint i = 0; i < self->steps->len && problem == NULL; i++)
    {
      *out_failed = i;
      problem = driver->run_step (run, self->steps->pdata[i]);
    }
  run_close (run);
  return problem;
}

gboolean
scenario_run (const ScenarioDriver *driver, guint32 seed, const gchar *store, guint64 *n_statements)
{
  Source source = { .random = g_rand_new_with_seed (seed), .arena = kvsql_arena_new () };
  Problem problem = NULL;
  ScenarioRun *run;
  Scenario scenario;

  scenario_open (&scenario, &source, store);
  scenario.likes_requests = seed % 2 == 0;
  run = run_open (driver, &scenario);
  if (scenario_find_schemas (&scenario, run->fixture.service))
    for (guint i = 0; i < driver->n_steps && problem == NULL; i++)
      {
        g_ptr_array_add (scenario.steps, driver->make_step (&scenario, run->tuples));
        problem = driver->run_step (run, scenario.steps->pdata[i]);
      }
  *n_statements += run->n_statements;
  driver->finish (run, &scenario);
  run_close (run);
  if (problem != NULL)
    scenario_fail (&scenario, problem, seed, driver);
  scenario_close (&scenario);
  kvsql_arena_free (source.arena);
  g_rand_free (source.random);
  return problem == NULL;
}

guint64
scenario_run_many (const ScenarioDriver *driver, guint64 n_statements)
{
  guint64 wanted = scenario_number_from_environment ("KVSQL_TEST_STATEMENTS", n_statements), n = 0;
  gboolean has_seed = g_getenv ("KVSQL_TEST_SEED") != NULL;
  guint32 seed = scenario_number_from_environment ("KVSQL_TEST_SEED", g_random_int ());
  const gchar *store = g_getenv ("KVSQL_TEST_STORE");
  guint n_failed = 0;

  g_test_message ("first seed %u", seed);
  for (guint i = 0; n < wanted && n_failed < MAX_FAILED; i++)
    {
      const gchar *usual = (seed + i) % 20 == 0 ? "rocksdb" : NULL;
      n_failed += !scenario_run (driver, seed + i, store != NULL ? store : usual, &n);
      if (has_seed && n_failed > 0)
        break;
    }
  return n;
}
