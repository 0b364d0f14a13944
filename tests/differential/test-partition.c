/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-partition.c: results that must agree with each other, whatever the predicate.
 *
 * TLP: the tuples where p, those where NOT p and those where p IS NULL together are all tuples.
 * NoREC: the number of tuples where p, found by ranges of keys, is the number for which SELECT p is
 * TRUE. Relations, schemas and expressions are random; no model of them is needed.
 *
 * KVSQL_TEST_SEED, KVSQL_TEST_STATEMENTS and KVSQL_TEST_STORE are those of test-differential.c.
 */
#include "config.h"

#include "tests/differential/differential-scenario.h"

#include <string.h>

#define DEFAULT_STATEMENTS 20000
#define STEPS 60
#define FIRST_INSERTS 12

typedef struct
{
  ScenarioRun base; /* its tuples: some accepted ones */
  guint64 n_checks;
  guint64 n_failing; /* checks whose expression cannot be evaluated */
} Checker;

static struct
{
  guint64 n_checks;
  guint64 n_failing;
} totals;

/* ---- statements */

/* The rows of a query as texts, sorted; NULL: the query failed. */
static GPtrArray *
query (Checker *self, const gchar *sql, GError **error)
{
  g_autoptr (KvsqlResultPage) page = kvsqld_service_query (
      self->base.fixture.service, NULL, kvsql_slice_from_text (sql), NULL, 0, error);
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_free);

  self->base.n_statements++;
  while (page != NULL)
    {
      g_autoptr (GBytes) cursor = NULL;
      gconstpointer data;
      gsize size;

      for (guint row = 0; row < page->rows->n_rows; row++)
        {
          GString *text = g_string_new (NULL);
          for (guint c = 0; c < page->n_columns; c++)
            {
              KvsqlValue value = kvsql_vector_get (&page->rows->columns[c], row);
              g_string_append (text, c > 0 ? "|" : "");
              kvsql_value_append_text (&value, text);
            }
          g_ptr_array_add (rows, g_string_free (text, FALSE));
        }
      if (page->cursor == NULL)
        return g_steal_pointer (&rows);
      cursor = g_bytes_ref (page->cursor);
      data = g_bytes_get_data (cursor, &size);
      kvsql_result_page_free (page);
      page = kvsqld_service_fetch (self->base.fixture.service, NULL, kvsql_slice (data, size),
                                   error);
    }
  return NULL;
}

static gint
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(gchar *const *)a, *(gchar *const *)b);
}

static gchar *
from_clause (const Step *step, const Scenario *scenario)
{
  return step->schema < 0 || (guint)step->schema >= scenario->n_schemas
             ? g_strdup (" FROM r")
             : g_strdup_printf (" FROM r USING SCHEMA %s", scenario->schemas[step->schema].name);
}

static gchar *
list_wanted (const Step *step, const ModelRelation *relation)
{
  GString *out = g_string_new (NULL);

  for (guint a = 0; a < relation->n_attributes; a++)
    if (step->wants[a])
      g_string_append_printf (out, "%s%s", out->len > 0 ? ", " : "", relation->attributes[a].name);
  return g_string_free (out, FALSE);
}

/* ---- checks */

/* An expression may overflow for some tuple. All other errors are problems. NULL: no problem. */
static Problem
judge (Checker *self, const gchar *sql, const GError *error)
{
  if (g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_VALUE))
    {
      self->n_failing++;
      return NULL;
    }
  return g_strdup_printf ("%s\n  failed: %s (code %d)\n  detail: %s", sql, error->message,
                          error->code, kvsql_error_get_detail (error));
}

static Problem
differ (const gchar *sql, GPtrArray *whole, GPtrArray *parts)
{
  GString *text = g_string_new (sql);

  g_string_append_printf (text, "\n  the whole has %u rows:", whole->len);
  for (guint i = 0; i < MIN (whole->len, 12); i++)
    g_string_append_printf (text, "\n    %s", (const gchar *)whole->pdata[i]);
  g_string_append_printf (text, "\n  its parts have %u:", parts->len);
  for (guint i = 0; i < MIN (parts->len, 12); i++)
    g_string_append_printf (text, "\n    %s", (const gchar *)parts->pdata[i]);
  return g_string_free (text, FALSE);
}

static void
remove_doubles (GPtrArray *sorted)
{
  for (guint i = sorted->len; i-- > 1;)
    if (g_str_equal (sorted->pdata[i], sorted->pdata[i - 1]))
      g_ptr_array_remove_index (sorted, i);
}

static gboolean
are_equal (GPtrArray *a, GPtrArray *b)
{
  if (a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    if (!g_str_equal (a->pdata[i], b->pdata[i]))
      return FALSE;
  return TRUE;
}

/* Q = Q where p + Q where NOT p + Q where p IS NULL. */
static Problem
check_partition (Checker *self, const Step *step, const gchar *p)
{
  static const gchar *const forms[] = { "%s", "(NOT %s)", "(%s IS NULL)" };
  g_autofree gchar *from = from_clause (step, self->base.scenario),
                   *items = list_wanted (step, &self->base.scenario->relation);
  const gchar *distinct = step->is_star ? "DISTINCT " : "";
  g_autofree gchar *all = g_strdup_printf ("SELECT %s%s%s", distinct, items, from);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) whole = query (self, all, &error),
                        parts = g_ptr_array_new_with_free_func (g_free);

  if (whole == NULL)
    return judge (self, all, error);
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      g_auto (GStrv) halves = g_strsplit (forms[i], "%s", 2);
      g_autofree gchar *sql = g_strdup_printf ("%s WHERE %s%s%s", all, halves[0], p, halves[1]);
      GPtrArray *part = query (self, sql, &error);
      if (part == NULL)
        return judge (self, sql, error);
      g_ptr_array_extend_and_steal (parts, part);
    }
  g_ptr_array_sort (whole, compare_texts);
  g_ptr_array_sort (parts, compare_texts);
  if (step->is_star)
    remove_doubles (parts);
  if (are_equal (whole, parts))
    return NULL;
  g_free (all);
  all = g_strdup_printf ("SELECT %s%s%s WHERE %s", distinct, items, from, p);
  return differ (all, whole, parts);
}

/* The number of tuples where p is the number of tuples for which SELECT p is TRUE. */
static Problem
check_count (Checker *self, const Step *step, const gchar *p)
{
  g_autofree gchar *from = from_clause (step, self->base.scenario);
  g_autofree gchar *found_sql = g_strdup_printf ("SELECT COUNT(*)%s WHERE %s", from, p),
                   *told_sql = g_strdup_printf ("SELECT %s FROM r", p);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) found = query (self, found_sql, &error), told = NULL;
  guint64 n = 0;

  if (found == NULL)
    return judge (self, found_sql, error);
  told = query (self, told_sql, &error);
  if (told == NULL)
    return judge (self, told_sql, error);
  for (guint i = 0; i < told->len; i++)
    n += g_str_equal (told->pdata[i], "TRUE") || g_str_equal (told->pdata[i], "true");
  if (g_ascii_strtoull (found->pdata[0], NULL, 10) == n)
    return NULL;
  return differ (found_sql, found, told);
}

static Problem
check (Checker *self, const Step *step)
{
  g_autoptr (GString) p = g_string_new (NULL);

  self->n_checks++;
  random_expression_append_sql (step->expression, &self->base.scenario->relation, p);
  return step->kind == STEP_COUNT ? check_count (self, step, p->str)
                                  : check_partition (self, step, p->str);
}

/* ---- playing */

static Problem
write_tuples (Checker *self, const Step *step)
{
  g_autofree gchar *sql = scenario_step_to_sql (step, &self->base.scenario->relation);
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page = kvsqld_service_query (
      self->base.fixture.service, NULL, kvsql_slice_from_text (sql), NULL, 0, &error);

  self->base.n_statements++;
  if (page == NULL)
    return g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_VALUE)
               ? NULL
               : g_strdup_printf ("%s\n  failed: %s", sql, error->message);
  for (guint i = 0; i < step->n_tuples; i++)
    g_ptr_array_add (self->base.tuples, step->tuples[i]);
  return NULL;
}

static Problem
run_step (gpointer run, const Step *step)
{
  Checker *self = run;

  return step->kind == STEP_INSERT || step->kind == STEP_DELETE ? write_tuples (self, step)
                                                                : check (self, step);
}

/* ---- making scenarios */

/* A schema that has all attributes of the expression; -1: the planner's choice. */
static gint
pick_schema (const Scenario *scenario)
{
  guint s = source_pick (scenario->source, scenario->n_schemas);

  if (source_chance (scenario->source, 40))
    return -1;
  for (guint a = 0; a < scenario->relation.n_attributes; a++)
    if (!scenario->schemas[s].holds[a])
      return -1;
  return (gint)s;
}

static Step *
make_check (Scenario *scenario)
{
  Source *source = scenario->source;
  const ModelRelation *relation = &scenario->relation;
  Step *step = kvsql_arena_new0 (source->arena, Step);

  step->kind = source_chance (source, 50) ? STEP_PARTITION : STEP_COUNT;
  step->expression
      = random_expression_make (relation, KVSQL_TYPE_BOOLEAN, source_pick (source, 4), source);
  for (guint a = 0; a < relation->n_attributes; a++)
    step->wants[a] = source_chance (source, 50);
  step->wants[source_pick (source, relation->n_attributes)] = TRUE;
  step->is_star = source_chance (source, 20); /* here: DISTINCT */
  step->schema = pick_schema (scenario);
  return step;
}

static Step *
make_step (Scenario *scenario, GPtrArray *known)
{
  guint which = source_pick (scenario->source, 100);

  if (scenario->steps->len < FIRST_INSERTS || which < 8)
    return scenario_make_insert (scenario, known);
  return which < 10 ? scenario_make_read (scenario, STEP_DELETE) : make_check (scenario);
}

static void
count_scenario (gpointer run, const Scenario *scenario)
{
  const Checker *self = run;

  totals.n_checks += self->n_checks;
  totals.n_failing += self->n_failing;
}

static const ScenarioDriver driver
    = { sizeof (Checker), STEPS, make_step, run_step, count_scenario };

static void
test_partition (void)
{
  guint64 n_statements = scenario_run_many (&driver, DEFAULT_STATEMENTS);

  g_test_message ("%" G_GUINT64_FORMAT " statements; %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                  " checks with an expression that cannot be evaluated",
                  n_statements, totals.n_failing, totals.n_checks);
  g_assert_cmpuint (totals.n_failing * 3, <, totals.n_checks);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/daemon/partition/answers-fit-each-other", test_partition);
  return g_test_run ();
}
