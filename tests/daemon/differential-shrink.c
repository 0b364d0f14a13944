/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * differential-shrink.c: makes a story that fails as small as it can be.
 */
#include "config.h"

#include "tests/daemon/differential-story.h"

#define SHRINK_SECONDS 120

static gint64 shrink_until_us;
static const StoryTeller *teller; /* of the story that is being shrunk */

/* Tries the story without or with something; keeps it that way if it still fails. */
static gboolean
still_fails (Story *story, Problem *problem)
{
  guint failed = 0;
  Problem now = NULL;

  if (g_get_monotonic_time () < shrink_until_us)
    now = story_play (story, teller, &failed);
  if (now == NULL)
    return FALSE;
  g_free (*problem);
  *problem = now;
  g_ptr_array_set_size (story->steps, failed + 1);
  return TRUE;
}

static void
shrink_steps (Story *story, Problem *problem)
{
  for (guint n = story->steps->len / 2; n > 0; n /= 2)
    for (guint i = 0; i + n < story->steps->len;)
      {
        GPtrArray *whole = story->steps;
        story->steps = g_ptr_array_copy (whole, NULL, NULL);
        g_ptr_array_remove_range (story->steps, i, n);
        if (still_fails (story, problem))
          g_ptr_array_unref (whole);
        else
          {
            g_ptr_array_unref (story->steps);
            story->steps = whole;
            i += n;
          }
      }
}

static void
shrink_schemas (Story *story, Problem *problem)
{
  for (guint s = story->n_schemas; s-- > 1;)
    {
      ModelSchema kept[MAX_SCHEMAS];
      guint n = story->n_schemas;

      memcpy (kept, story->schemas, sizeof kept);
      for (guint i = s; i + 1 < n; i++)
        story->schemas[i] = story->schemas[i + 1];
      story->n_schemas--;
      if (still_fails (story, problem))
        continue;
      memcpy (story->schemas, kept, sizeof kept);
      story->n_schemas = n;
    }
}

static void
shrink_tuples (Story *story, Problem *problem)
{
  for (guint i = 0; i < story->steps->len; i++)
    {
      Step *step = story->steps->pdata[i];
      for (guint t = step->n_tuples; t-- > 0 && step->n_tuples > 1;)
        {
          KvsqlValue **tuples = step->tuples;
          step->tuples
              = kvsql_arena_copy (story->source->arena, tuples, step->n_tuples * sizeof *tuples);
          for (guint j = t; j + 1 < step->n_tuples; j++)
            step->tuples[j] = step->tuples[j + 1];
          step->n_tuples--;
          if (still_fails (story, problem))
            continue;
          step->tuples = tuples;
          step->n_tuples++;
        }
    }
}

static void
shrink_predicates (Story *story, Problem *problem)
{
  for (guint i = 0; i < story->steps->len; i++)
    {
      Step *step = story->steps->pdata[i];
      for (guint which = 0; step->predicate != NULL; which++)
        {
          ModelPredicate *whole = step->predicate;
          step->predicate = model_predicate_simplify (whole, which, story->source);
          if (step->predicate != NULL && still_fails (story, problem))
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
shrink_expressions (Story *story, Problem *problem)
{
  for (guint i = 0; i < story->steps->len; i++)
    {
      Step *step = story->steps->pdata[i];
      for (guint which = 0; step->expression != NULL; which++)
        {
          RandomExpression *whole = step->expression;
          gboolean is_last;

          step->expression
              = random_expression_simplify (whole, &story->relation, which, story->source);
          is_last = step->expression == NULL;
          if (!is_last && still_fails (story, problem))
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
print_story (const Story *story, const gchar *problem, guint32 seed)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "KVSQL_TEST_SEED=%u, on %s\n%s;\n", seed,
                          story->store != NULL ? story->store : "memory", story->relation_sql);
  for (guint s = 0; s < story->n_schemas; s++)
    g_string_append_printf (text, "%s;\n", story->schemas[s].sql);
  for (guint i = 0; i < story->steps->len; i++)
    {
      const Step *step = story->steps->pdata[i];
      g_autofree gchar *sql = story_step_to_sql (step, &story->relation);
      g_string_append_printf (text, "%s;\n", sql);
      if (step->kind == STEP_SELECT && i + 1 == story->steps->len)
        g_string_append_printf (text,
                                "  in pages of %u rows, %" G_GSIZE_FORMAT " bytes, %u%% cold\n",
                                step->page_rows, step->page_bytes, step->cold_percent);
    }
  g_string_append_printf (text, "-> %s", problem);
  g_test_message ("%s", text->str);
  g_string_free (text, TRUE);
}

void
story_fail (Story *story, Problem problem, guint32 seed, const StoryTeller *how)
{
  teller = how;
  shrink_until_us = g_get_monotonic_time () + SHRINK_SECONDS * G_USEC_PER_SEC;
  /* a cold fetch happens at random; make it certain */
  for (guint i = 0; i < story->steps->len; i++)
    {
      Step *step = story->steps->pdata[i];
      step->cold_percent = step->cold_percent > 0 ? 100 : 0;
    }
  if (still_fails (story, &problem))
    for (guint round = 0; round < 2; round++)
      {
        shrink_steps (story, &problem);
        shrink_schemas (story, &problem);
        shrink_tuples (story, &problem);
        shrink_predicates (story, &problem);
        shrink_expressions (story, &problem);
      }
  print_story (story, problem, seed);
  g_free (problem);
  g_test_fail ();
}
