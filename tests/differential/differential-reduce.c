/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * differential-reduce.c: test-case reduction: removes parts of a scenario as long as it still
 * fails.
 */
#include "config.h"

#include "tests/differential/differential-scenario.h"

#define SHRINK_SECONDS 120

static gint64 reduce_until_us;
static const ScenarioDriver *driver; /* of the scenario to reduce */

/* Runs the changed scenario. If it still fails, takes over its problem, and drops the steps after
 * the failed one. */
static gboolean
still_fails (Scenario *scenario, Problem *problem)
{
  guint failed = 0;
  Problem now = NULL;

  if (g_get_monotonic_time () < reduce_until_us)
    now = scenario_replay (scenario, driver, &failed);
  if (now == NULL)
    return FALSE;
  g_free (*problem);
  *problem = now;
  g_ptr_array_set_size (scenario->steps, failed + 1);
  return TRUE;
}

static void
reduce_steps (Scenario *scenario, Problem *problem)
{
  for (guint n = scenario->steps->len / 2; n > 0; n /= 2)
    for (guint i = 0; i + n < scenario->steps->len;)
      {
        GPtrArray *whole = scenario->steps;
        scenario->steps = g_ptr_array_copy (whole, NULL, NULL);
        g_ptr_array_remove_range (scenario->steps, i, n);
        if (still_fails (scenario, problem))
          g_ptr_array_unref (whole);
        else
          {
            g_ptr_array_unref (scenario->steps);
            scenario->steps = whole;
            i += n;
          }
      }
}

static void
reduce_schemas (Scenario *scenario, Problem *problem)
{
  for (guint s = scenario->n_schemas; s-- > 1;)
    {
      ModelSchema kept[MAX_SCHEMAS];
      guint n = scenario->n_schemas;

      memcpy (kept, scenario->schemas, sizeof kept);
      for (guint i = s; i + 1 < n; i++)
        scenario->schemas[i] = scenario->schemas[i + 1];
      scenario->n_schemas--;
      if (still_fails (scenario, problem))
        continue;
      memcpy (scenario->schemas, kept, sizeof kept);
      scenario->n_schemas = n;
    }
}

static void
reduce_tuples (Scenario *scenario, Problem *problem)
{
  for (guint i = 0; i < scenario->steps->len; i++)
    {
      Step *step = scenario->steps->pdata[i];
      for (guint t = step->n_tuples; t-- > 0 && step->n_tuples > 1;)
        {
          KvsqlValue **tuples = step->tuples;
          step->tuples
              = kvsql_arena_copy (scenario->source->arena, tuples, step->n_tuples * sizeof *tuples);
          for (guint j = t; j + 1 < step->n_tuples; j++)
            step->tuples[j] = step->tuples[j + 1];
          step->n_tuples--;
          if (still_fails (scenario, problem))
            continue;
          step->tuples = tuples;
          step->n_tuples++;
        }
    }
}

static void
reduce_predicates (Scenario *scenario, Problem *problem)
{
  for (guint i = 0; i < scenario->steps->len; i++)
    {
      Step *step = scenario->steps->pdata[i];
      for (guint which = 0; step->predicate != NULL; which++)
        {
          ModelPredicate *whole = step->predicate;
          step->predicate = model_predicate_simplify (whole, which, scenario->source);
          if (step->predicate != NULL && still_fails (scenario, problem))
            {
              which = -1;
              continue;
            }
          gboolean is_last = step->predicate == NULL;
          step->predicate = whole;
          if (is_last)
            break;
        }
    }
}

static void
reduce_expressions (Scenario *scenario, Problem *problem)
{
  for (guint i = 0; i < scenario->steps->len; i++)
    {
      Step *step = scenario->steps->pdata[i];
      for (guint which = 0; step->expression != NULL; which++)
        {
          RandomExpression *whole = step->expression;
          gboolean is_last;

          step->expression
              = random_expression_simplify (whole, &scenario->relation, which, scenario->source);
          is_last = step->expression == NULL;
          if (!is_last && still_fails (scenario, problem))
            {
              which = -1;
              continue;
            }
          step->expression = whole;
          if (is_last)
            break;
        }
    }
}

static void
print_scenario (const Scenario *scenario, const gchar *problem, guint32 seed)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "KVSQL_TEST_SEED=%u, on %s\n%s;\n", seed,
                          scenario->store != NULL ? scenario->store : "memory",
                          scenario->relation_sql);
  for (guint s = 0; s < scenario->n_schemas; s++)
    g_string_append_printf (text, "%s;\n", scenario->schemas[s].sql);
  for (guint i = 0; i < scenario->steps->len; i++)
    {
      const Step *step = scenario->steps->pdata[i];
      g_autofree gchar *sql = scenario_step_to_sql (step, &scenario->relation);
      g_string_append_printf (text, "%s;\n", sql);
      if (step->kind == STEP_SELECT && i + 1 == scenario->steps->len)
        g_string_append_printf (text,
                                "  in pages of %u rows, %" G_GSIZE_FORMAT " bytes, %u%% cold\n",
                                step->page_rows, step->page_bytes, step->cold_percent);
    }
  g_string_append_printf (text, "-> %s", problem);
  g_test_message ("%s", text->str);
  g_string_free (text, TRUE);
}

void
scenario_fail (Scenario *scenario, Problem problem, guint32 seed, const ScenarioDriver *how)
{
  driver = how;
  reduce_until_us = g_get_monotonic_time () + SHRINK_SECONDS * G_USEC_PER_SEC;
  /* a cold fetch happens at random: make it certain */
  for (guint i = 0; i < scenario->steps->len; i++)
    {
      Step *step = scenario->steps->pdata[i];
      step->cold_percent = step->cold_percent > 0 ? 100 : 0;
    }
  if (still_fails (scenario, &problem))
    for (guint round = 0; round < 2; round++)
      {
        reduce_steps (scenario, &problem);
        reduce_schemas (scenario, &problem);
        reduce_tuples (scenario, &problem);
        reduce_predicates (scenario, &problem);
        reduce_expressions (scenario, &problem);
      }
  print_scenario (scenario, problem, seed);
  g_free (problem);
  g_test_fail ();
}
