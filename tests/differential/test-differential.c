/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-differential.c: the same tuples under many layouts give the same results for every
 * statement.
 *
 * Random relations, each under several random schemas, random writes and queries, in pages of a few
 * rows whose cursors are warm or cold. Every answer is compared with that of a list in memory
 * (differential-predicate.c) for every schema, and the store may hold no cell but those that the
 * tuples become.
 *
 * KVSQL_TEST_SEED repeats a run (a failure prints it, and a script that was made as small as it
 * could be); KVSQL_TEST_STATEMENTS says how many statements to run, KVSQL_TEST_STORE=rocksdb where.
 */
#include "config.h"

#include "core/layout/element-classes.h"
#include "daemon/service/service-private.h"
#include "tests/differential/differential-scenario.h"
#include "tests/harness/assert.h"

#include <stdlib.h>

#define DEFAULT_STATEMENTS 20000
#define DEFAULT_HBASE_SCENARIOS 3
#define STEPS 100
#define MAX_SCENARIOS_TO_ALL 300

/* ---- a service that goes through a scenario */

typedef struct
{
  ScenarioRun base; /* its tuples: what the relation should hold */
  guint64 n_inserts;
  guint64 n_refused;
} Writer;

typedef struct
{
  guint64 n_inserts;
  guint64 n_refused;
  guint64 n_definitions;
  guint64 n_accepted;
  guint64 n_fetches;
  guint64 n_looked_at, n_skips;
} Totals;

static Totals totals;

static gchar *
describe_error (const gchar *sql, const GError *error)
{
  return g_strdup_printf ("%s\n  failed: %s (code %d)\n  detail: %s", sql, error->message,
                          error->code, kvsql_error_get_detail (error));
}

static void
append_tuple (const KvsqlValue *tuple, const Step *step, const ModelRelation *relation,
              GString *out)
{
  guint n = 0;

  for (guint a = 0; a < relation->n_attributes; a++)
    if (step == NULL || step->is_star || step->wants[a])
      {
        if (n++ > 0)
          g_string_append_c (out, '|');
        kvsql_value_append_text (&tuple[a], out);
      }
}

/* ---- the model's answers */

static gboolean
admits (const Step *step, const ModelRelation *relation, const KvsqlValue *tuple)
{
  return step->predicate == NULL
         || model_predicate_evaluate (step->predicate, relation, tuple) == MODEL_TRUE;
}

static gboolean
same_key (const ModelRelation *relation, const KvsqlValue *a, const KvsqlValue *b)
{
  for (guint i = 0; i < relation->n_attributes; i++)
    if (relation->attributes[i].is_key && model_compare (&a[i], &b[i]) != 0)
      return FALSE;
  return TRUE;
}

static void
model_insert (Writer *self, const Step *step)
{
  const ModelRelation *relation = &self->base.scenario->relation;

  for (guint i = 0; i < step->n_tuples; i++)
    {
      for (guint t = self->base.tuples->len; t-- > 0;)
        if (same_key (relation, self->base.tuples->pdata[t], step->tuples[i]))
          g_ptr_array_remove_index_fast (self->base.tuples, t);
      g_ptr_array_add (self->base.tuples, step->tuples[i]);
    }
}

static gint
compare_by_sort (gconstpointer x, gconstpointer y, gpointer user_data)
{
  const KvsqlValue *a = *(KvsqlValue *const *)x, *b = *(KvsqlValue *const *)y;
  const Step *step = user_data;

  for (guint i = 0; i < step->n_sort; i++)
    {
      gint order = model_compare (&a[step->sort[i].attribute], &b[step->sort[i].attribute]);
      if (order != 0)
        return step->sort[i].is_descending ? -order : order;
    }
  return 0;
}

static GPtrArray *
model_select (Writer *self, const Step *step)
{
  GPtrArray *found = g_ptr_array_new ();

  for (guint t = 0; t < self->base.tuples->len; t++)
    if (admits (step, &self->base.scenario->relation, self->base.tuples->pdata[t]))
      g_ptr_array_add (found, self->base.tuples->pdata[t]);
  g_ptr_array_sort_with_data (found, compare_by_sort, (gpointer)step);
  return found;
}

/* ---- running SELECT */

static gboolean
chance (Writer *self, guint percent)
{
  return (guint)g_rand_int_range (self->base.random, 0, 100) < percent;
}

/* Takes away what a cursor could go on with, so that only its token is left. */
static void
make_cold (Writer *self, KvsqlSlice cursor)
{
  g_autoptr (GError) error = NULL;

  if (self->base.scenario->store != NULL && chance (self, 10))
    service_fixture_reopen (&self->base.fixture);
  else
    assert_done (kvsqld_service_close_cursor (self->base.fixture.service, cursor, &error), error);
}

static void
take_rows (const KvsqlResultPage *page, GPtrArray *rows)
{
  for (guint row = 0; row < page->rows->n_rows; row++)
    {
      GString *text = g_string_new (NULL);
      for (guint c = 0; c < page->n_columns; c++)
        {
          KvsqlValue value = kvsql_vector_get (&page->rows->columns[c], row);
          if (c > 0)
            g_string_append_c (text, '|');
          kvsql_value_append_text (&value, text);
        }
      g_ptr_array_add (rows, g_string_free (text, FALSE));
    }
}

static Problem
fetch_all (Writer *self, const Step *step, const gchar *sql, GPtrArray *rows)
{
  KvsqldRequest request = { .max_rows = step->page_rows, .max_bytes = step->page_bytes };
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page = kvsqld_service_query (
      self->base.fixture.service, &request, kvsql_slice_from_text (sql), NULL, 0, &error);

  self->base.n_statements++;
  for (;;)
    {
      g_autoptr (GBytes) cursor = NULL;
      gconstpointer data;
      gsize size;

      if (page == NULL)
        return describe_error (sql, error);
      take_rows (page, rows);
      if (page->cursor == NULL)
        return NULL;
      if (rows->len > 100000)
        return g_strdup_printf ("%s\n  does not end", sql);
      cursor = g_bytes_ref (page->cursor);
      data = g_bytes_get_data (cursor, &size);
      if (chance (self, step->cold_percent))
        make_cold (self, kvsql_slice (data, size));
      kvsql_result_page_free (page);
      page = kvsqld_service_fetch (self->base.fixture.service, &request, kvsql_slice (data, size),
                                   &error);
    }
}

static gint
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(gchar *const *)a, *(gchar *const *)b);
}

static GPtrArray *
expected_rows (Writer *self, const Step *step, GPtrArray *found)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < found->len; i++)
    {
      GString *text = g_string_new (NULL);
      append_tuple (found->pdata[i], step, &self->base.scenario->relation, text);
      g_ptr_array_add (rows, g_string_free (text, FALSE));
    }
  return rows;
}

static Problem
differ (const gchar *sql, const gchar *what, GPtrArray *expected, GPtrArray *got)
{
  GString *text = g_string_new (sql);

  g_string_append_printf (text, "\n  %s\n  expected %u rows:", what, expected->len);
  for (guint i = 0; i < MIN (expected->len, 12); i++)
    g_string_append_printf (text, "\n    %s", (const gchar *)expected->pdata[i]);
  g_string_append_printf (text, "\n  got %u rows:", got->len);
  for (guint i = 0; i < MIN (got->len, 12); i++)
    g_string_append_printf (text, "\n    %s", (const gchar *)got->pdata[i]);
  return g_string_free (text, FALSE);
}

/* Whether ORDER BY names the whole key: then the answer has one order. */
static gboolean
is_order_total (const Step *step, const ModelRelation *relation)
{
  for (guint a = 0; a < relation->n_attributes; a++)
    {
      gboolean is_named = !relation->attributes[a].is_key;
      for (guint i = 0; i < step->n_sort; i++)
        is_named = is_named || step->sort[i].attribute == a;
      if (!is_named)
        return FALSE;
    }
  return TRUE;
}

static gboolean
same_rows (GPtrArray *a, GPtrArray *b)
{
  if (a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    if (!g_str_equal (a->pdata[i], b->pdata[i]))
      return FALSE;
  return TRUE;
}

/* Every row of @part is in @whole, at least as often; both are sorted. */
static gboolean
is_part (GPtrArray *part, GPtrArray *whole)
{
  guint w = 0;

  for (guint p = 0; p < part->len; p++, w++)
    {
      while (w < whole->len && strcmp (whole->pdata[w], part->pdata[p]) < 0)
        w++;
      if (w == whole->len || !g_str_equal (whole->pdata[w], part->pdata[p]))
        return FALSE;
    }
  return TRUE;
}

static Problem
compare_answers (const Step *step, const ModelRelation *relation, const gchar *sql, GPtrArray *all,
                 GPtrArray *got)
{
  guint from = MIN ((guint)MAX (step->offset, 0), all->len), n = all->len - from;

  if (step->limit >= 0)
    n = MIN (n, (guint)step->limit);
  if (got->len != n)
    return differ (sql, "another number of rows", all, got);
  if (is_order_total (step, relation))
    {
      g_ptr_array_remove_range (all, 0, from);
      g_ptr_array_remove_range (all, n, all->len - n);
      return same_rows (all, got) ? NULL : differ (sql, "other rows, or another order", all, got);
    }
  g_ptr_array_sort (all, compare_texts);
  g_ptr_array_sort (got, compare_texts);
  return is_part (got, all) ? NULL : differ (sql, "other rows", all, got);
}

static gboolean
can_answer (const ModelSchema *schema, const Step *step, const ModelRelation *relation)
{
  gboolean used[MAX_ATTRIBUTES] = { FALSE };

  if (step->predicate != NULL)
    model_predicate_collect (step->predicate, used);
  for (guint i = 0; i < step->n_sort; i++)
    used[step->sort[i].attribute] = TRUE;
  for (guint a = 0; a < relation->n_attributes; a++)
    if ((used[a] || step->wants[a] || step->is_star) && !schema->holds[a])
      return FALSE;
  return TRUE;
}

/* Whether the schema finds the tuples, and the primary has what it lacks. */
static gboolean
can_fetch (Writer *self, const gchar *sql)
{
  g_autofree gchar *explain = g_strconcat ("EXPLAIN ", sql, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page = kvsqld_service_query (
      self->base.fixture.service, NULL, kvsql_slice_from_text (explain), NULL, 0, &error);

  if (page == NULL)
    g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_INVALID);
  return page != NULL;
}

/* Counts plans that are skip scans: one in eight is looked at. */
static void
count_skips (Writer *self, const gchar *sql)
{
  g_autofree gchar *explain = NULL, *plan = NULL;

  if (!self->base.scenario->likes_requests || self->base.n_statements % 8 != 0)
    return;
  explain = g_strconcat ("EXPLAIN ", sql, NULL);
  plan = service_fixture_run (&self->base.fixture, explain);
  totals.n_looked_at++;
  totals.n_skips += strstr (plan, "found by seeking") != NULL;
}

static Problem
run_select (Writer *self, const Step *step)
{
  const ModelRelation *relation = &self->base.scenario->relation;
  g_autoptr (GPtrArray) found = model_select (self, step);

  for (guint s = 0; s <= self->base.scenario->n_schemas; s++)
    {
      const ModelSchema *schema
          = s < self->base.scenario->n_schemas ? &self->base.scenario->schemas[s] : NULL;
      g_autoptr (GPtrArray) got = g_ptr_array_new_with_free_func (g_free);
      g_autoptr (GPtrArray) expected = NULL;
      g_autofree gchar *sql = NULL;
      Problem problem;

      sql = scenario_select_to_sql (step, relation, schema);
      if (schema != NULL && !can_answer (schema, step, relation))
        {
          if (!can_fetch (self, sql))
            continue;
          totals.n_fetches++;
        }
      count_skips (self, sql);
      problem = fetch_all (self, step, sql, got);
      if (problem != NULL)
        return problem;
      expected = expected_rows (self, step, found);
      problem = compare_answers (step, relation, sql, expected, got);
      if (problem != NULL)
        return problem;
    }
  return NULL;
}

/* ---- running writes */

static Problem
run_insert (Writer *self, const Step *step)
{
  g_autofree gchar *sql = scenario_step_to_sql (step, &self->base.scenario->relation);
  g_autoptr (GError) error = NULL, again = NULL;
  g_autoptr (KvsqlResultPage) page = kvsqld_service_query (
      self->base.fixture.service, NULL, kvsql_slice_from_text (sql), NULL, 0, &error);

  self->base.n_statements++;
  self->n_inserts++;
  if (page != NULL)
    {
      model_insert (self, step);
      return page->affected == step->n_tuples
                 ? NULL
                 : g_strdup_printf ("%s\n  wrote %" G_GINT64_FORMAT " tuples", sql, page->affected);
    }
  self->n_refused++;
  if (!g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_VALUE))
    return describe_error (sql, error);
  if (!step->repeats)
    return NULL;
  page = kvsqld_service_query (self->base.fixture.service, NULL, kvsql_slice_from_text (sql), NULL,
                               0, &again);
  if (page != NULL || !g_str_equal (error->message, again->message))
    return g_strdup_printf ("%s\n  first refused: %s\n  then: %s", sql, error->message,
                            again == NULL ? "accepted" : again->message);
  return NULL;
}

static Problem
run_delete (Writer *self, const Step *step)
{
  g_autofree gchar *sql = scenario_step_to_sql (step, &self->base.scenario->relation);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) found = model_select (self, step);
  g_autoptr (KvsqlResultPage) page = kvsqld_service_query (
      self->base.fixture.service, NULL, kvsql_slice_from_text (sql), NULL, 0, &error);
  guint n = step->limit < 0 ? found->len : MIN (found->len, (guint)step->limit);

  self->base.n_statements++;
  if (page == NULL)
    return describe_error (sql, error);
  if (page->affected != n)
    return g_strdup_printf ("%s\n  deleted %" G_GINT64_FORMAT " tuples instead of %u", sql,
                            page->affected, n);
  for (guint i = 0; i < n; i++)
    g_ptr_array_remove_fast (self->base.tuples, found->pdata[i]);
  return NULL;
}

/* ---- running UPDATE and ON CONFLICT */

static const KvsqlValue *
find_key (const Writer *self, GPtrArray *tuples, const KvsqlValue *key)
{
  for (guint t = 0; t < tuples->len; t++)
    if (same_key (&self->base.scenario->relation, tuples->pdata[t], key))
      return tuples->pdata[t];
  return NULL;
}

static KvsqlValue *
copy_tuple (const Writer *self, const KvsqlValue *tuple)
{
  return kvsql_arena_copy (self->base.scenario->source->arena, tuple,
                           self->base.scenario->relation.n_attributes * sizeof *tuple);
}

/* What the relation would hold; NULL: a tuple would get the key of another. */
/* The engine promises one form of zero in a KEY. */
static void
keep_one_zero (const ModelRelation *relation, KvsqlValue *tuple)
{
  for (guint a = 0; a < relation->n_attributes; a++)
    if (relation->attributes[a].is_key
        && kvsql_type_get_class (relation->attributes[a].type) == KVSQL_CLASS_REAL
        && tuple[a].real == 0)
      tuple[a].real = 0;
}

static GPtrArray *
model_update (Writer *self, const Step *step, guint *out_n)
{
  g_autoptr (GPtrArray) found = model_select (self, step);
  g_autoptr (GPtrArray) result = g_ptr_array_new ();

  *out_n = step->limit < 0 ? found->len : MIN (found->len, (guint)step->limit);
  for (guint t = 0; t < self->base.tuples->len; t++)
    g_ptr_array_add (result, self->base.tuples->pdata[t]);
  for (guint i = 0; i < *out_n; i++)
    {
      const KvsqlValue *old = found->pdata[i], *other;
      KvsqlValue *new = copy_tuple (self, old);

      for (guint a = 0; a < self->base.scenario->relation.n_attributes; a++)
        if (step->sets[a])
          new[a] = step->set_from[a] >= 0 ? old[step->set_from[a]] : step->set_values[a];
      keep_one_zero (&self->base.scenario->relation, new);
      g_ptr_array_remove_fast (result, (gpointer)old);
      other = find_key (self, result, new);
      if (other != NULL)
        return NULL;
      g_ptr_array_add (result, new);
    }
  return g_steal_pointer (&result);
}

/* Where DO UPDATE would change a tuple twice. */
static gboolean
has_key_twice (const Writer *self, const Step *step)
{
  for (guint i = 0; i < step->n_tuples; i++)
    for (guint j = 0; j < i; j++)
      if (same_key (&self->base.scenario->relation, step->tuples[i], step->tuples[j]))
        return TRUE;
  return FALSE;
}

/* NULL: refused. */
static GPtrArray *
model_upsert (Writer *self, const Step *step, guint *out_n)
{
  GPtrArray *result;
  gboolean updates = FALSE;

  *out_n = 0;
  for (guint a = 0; a < self->base.scenario->relation.n_attributes; a++)
    updates = updates || step->sets[a];
  if (updates && has_key_twice (self, step))
    return NULL;
  result = g_ptr_array_new ();
  for (guint t = 0; t < self->base.tuples->len; t++)
    g_ptr_array_add (result, self->base.tuples->pdata[t]);
  for (guint i = 0; i < step->n_tuples; i++)
    {
      const KvsqlValue *old = find_key (self, result, step->tuples[i]);
      KvsqlValue *new = copy_tuple (self, old != NULL ? old : step->tuples[i]);

      if (old != NULL && !updates)
        continue;
      for (guint a = 0; a < self->base.scenario->relation.n_attributes; a++)
        if (step->sets[a])
          new[a] = step->tuples[i][a];
      if (old != NULL)
        g_ptr_array_remove_fast (result, (gpointer)old);
      g_ptr_array_add (result, new);
      (*out_n)++;
    }
  return result;
}

static Problem
run_change (Writer *self, const Step *step)
{
  g_autofree gchar *sql = scenario_step_to_sql (step, &self->base.scenario->relation);
  g_autoptr (GError) error = NULL;
  guint n;
  GPtrArray *result
      = step->kind == STEP_UPDATE ? model_update (self, step, &n) : model_upsert (self, step, &n);
  g_autoptr (KvsqlResultPage) page = kvsqld_service_query (
      self->base.fixture.service, NULL, kvsql_slice_from_text (sql), NULL, 0, &error);
  Problem problem = NULL;

  self->base.n_statements++;
  self->n_inserts++;
  if (page == NULL && result == NULL && step->kind == STEP_UPSERT)
    problem = g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_INVALID)
                      || g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_VALUE)
                  ? NULL
                  : describe_error (sql, error);
  else if (page == NULL && result == NULL)
    problem = g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_DUPLICATE_KEY)
                      || g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_VALUE)
                  ? NULL
                  : describe_error (sql, error);
  else if (page == NULL)
    problem = g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_VALUE) ? NULL
                                                                      : describe_error (sql, error);
  else if (result == NULL || page->affected != n)
    problem = g_strdup_printf ("%s\n  changed %" G_GINT64_FORMAT " tuples instead of %u", sql,
                               page->affected, result == NULL ? 0 : n);
  if (page == NULL || problem != NULL)
    {
      self->n_refused += page == NULL;
      g_clear_pointer (&result, g_ptr_array_unref);
      return problem;
    }
  g_ptr_array_unref (self->base.tuples);
  self->base.tuples = result;
  return NULL;
}

/* ---- what lies in the store */

static guint
count_cells (KvsqlStore *store, KvsqlSlice table)
{
  KvsqlRowRange everything = { KVSQL_SLICE_EMPTY, KVSQL_SLICE_EMPTY };
  KvsqlScanSpec spec = { .table = table, .ranges = &everything, .n_ranges = 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlScan) scan = kvsql_store_open_scan (store, &spec, NULL, &error);
  const KvsqlRows *rows;
  guint n = 0;

  g_assert_no_error (error);
  do
    {
      assert_done (kvsql_scan_next (scan, NULL, &rows, &error), error);
      n += rows->n_cells;
    }
  while (rows->n_rows > 0);
  return n;
}

static Problem
check_cells (Writer *self)
{
  KvsqlStore *store = self->base.fixture.service->store;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) tables = kvsql_store_list_tables (store, KVSQL_SLICE_EMPTY, NULL, &error);
  guint expected = 0, got = 0;

  g_assert_no_error (error);
  for (guint i = 0; i < tables->len; i++)
    {
      gsize size;
      gconstpointer name = g_bytes_get_data (tables->pdata[i], &size);
      got += count_cells (store, kvsql_slice (name, size));
    }
  for (guint s = 0; s < self->base.scenario->n_schemas; s++)
    for (guint t = 0; t < self->base.tuples->len; t++)
      expected
          += model_schema_count_cells (&self->base.scenario->schemas[s],
                                       &self->base.scenario->relation, self->base.tuples->pdata[t]);
  return expected == got
             ? NULL
             : g_strdup_printf ("the store holds %u cells instead of %u", got, expected);
}

/* ---- playing */

/* How many values there are decides between plans. */
static void
analyze (Writer *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page = kvsqld_service_query (
      self->base.fixture.service, NULL, kvsql_slice_from_text ("ANALYZE r"), NULL, 0, &error);

  g_assert_no_error (error);
  g_assert_nonnull (page);
}

static Problem
run_step (gpointer run, const Step *step)
{
  Writer *self = run;
  Problem problem;

  if (self->base.scenario->likes_requests && self->base.n_statements % 16 == 0)
    analyze (self);
  if (step->kind == STEP_SELECT)
    return run_select (self, step);
  if (step->kind == STEP_INSERT)
    problem = run_insert (self, step);
  else if (step->kind == STEP_DELETE)
    problem = run_delete (self, step);
  else
    problem = run_change (self, step);
  return problem != NULL ? problem : check_cells (self);
}

static Step *
make_step (Scenario *scenario, GPtrArray *known)
{
  guint which = source_pick (scenario->source, 100);

  if (which < 35 || scenario->steps->len < 4)
    return scenario_make_insert (scenario, known);
  if (which < 42)
    return scenario_make_upsert (scenario, known);
  if (which < 52)
    return scenario_make_update (scenario);
  return scenario_make_read (scenario, which < 58 ? STEP_DELETE : STEP_SELECT);
}

static void
count_scenario (gpointer run, const Scenario *scenario)
{
  const Writer *self = run;

  totals.n_definitions += scenario->n_tried;
  totals.n_accepted += scenario->n_schemas;
  totals.n_inserts += self->n_inserts;
  totals.n_refused += self->n_refused;
}

static const ScenarioDriver driver
    = { sizeof (Writer), STEPS, make_step, run_step, count_scenario };

static void
test_layouts (void)
{
  guint64 n_statements = scenario_run_many (&driver, DEFAULT_STATEMENTS);

  g_test_message ("%" G_GUINT64_FORMAT " statements, %" G_GUINT64_FORMAT
                  " through an index that lacks attributes; %" G_GUINT64_FORMAT
                  " of %" G_GUINT64_FORMAT " definitions accepted; %" G_GUINT64_FORMAT
                  " of %" G_GUINT64_FORMAT " inserts refused",
                  n_statements, totals.n_fetches, totals.n_accepted, totals.n_definitions,
                  totals.n_refused, totals.n_inserts);
  g_test_message ("%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " plans were skip scans",
                  totals.n_skips, totals.n_looked_at);
  g_assert_true (totals.n_looked_at < 500 || totals.n_skips > 0);
  /* a test that refuses nearly everything would find nothing */
  g_assert_cmpuint (totals.n_accepted * 10, >, totals.n_definitions);
  g_assert_cmpuint (totals.n_refused * 10, <, totals.n_inserts * 8);
}

/* ---- what the scenarios are about */

static gboolean
mentions (const Scenario *scenario, const gchar *element)
{
  for (guint s = 0; s < scenario->n_schemas; s++)
    for (const gchar *at = scenario->schemas[s].sql; (at = strstr (at, element)) != NULL; at++)
      if (!g_ascii_isalnum (at[-1]) && at[-1] != '_'
          && strchr ("([{", at[strlen (element)]) != NULL)
        return TRUE;
  return FALSE;
}

static void
note_elements (const Scenario *scenario, GHashTable *missing)
{
  const gchar *const *names = kvsql_element_class_list ();

  for (guint i = 0; names[i] != NULL; i++)
    if (mentions (scenario, names[i]))
      g_hash_table_remove (missing, names[i]);
}

/* Which elements and types no scenario has yet. */
static void
note_scenario (guint32 seed, GHashTable *missing)
{
  Source source = { .random = g_rand_new_with_seed (seed), .arena = kvsql_arena_new () };
  ServiceFixture fixture;
  Scenario scenario;

  scenario_open (&scenario, &source, NULL);
  service_fixture_open (&fixture, NULL);
  if (scenario_find_schemas (&scenario, fixture.service))
    note_elements (&scenario, missing);
  for (guint a = 0; a < scenario.relation.n_attributes; a++)
    {
      KvsqlType type = scenario.relation.attributes[a].type;
      g_hash_table_remove (missing, kvsql_type_is_map (type)    ? "MAP"
                                    : kvsql_type_is_list (type) ? "LIST"
                                                                : kvsql_type_get_name (type));
    }
  service_fixture_close (&fixture);
  scenario_close (&scenario);
  kvsql_arena_free (source.arena);
  g_rand_free (source.random);
}

/* A new element or type that the scenarios forget would never be tried. */
static void
test_everything_occurs (void)
{
  const gchar *const *names = kvsql_element_class_list ();
  g_autoptr (GHashTable) missing = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree gchar **left = NULL;
  g_autofree gchar *list = NULL;
  guint n_scenarios;

  /* a schema with each{…} has no other one to be compared with:
   * tests/daemon/service/test-write-each and tests/golden/each.case have these elements */
  for (guint i = 0; names[i] != NULL; i++)
    if (!g_str_equal (names[i], "each") && !g_str_has_prefix (names[i], "tsdb_"))
      g_hash_table_add (missing, (gpointer)names[i]);
  /* JSON is no part of keys and ranges; its own tests compare it with PostgreSQL */
  for (KvsqlType type = KVSQL_TYPE_STRING; type < KVSQL_N_TYPES; type++)
    if (kvsql_type_is_known (type) && kvsql_type_is_scalar (type) && !kvsql_type_is_json (type)
        && type != KVSQL_TYPE_INTERVAL)
      g_hash_table_add (missing, (gpointer)kvsql_type_get_name (type));
  g_hash_table_add (missing, "MAP");
  g_hash_table_add (missing, "LIST");
  for (n_scenarios = 0; n_scenarios < MAX_SCENARIOS_TO_ALL && g_hash_table_size (missing) > 0;
       n_scenarios++)
    note_scenario (n_scenarios, missing);
  left = (gchar **)g_hash_table_get_keys_as_array (missing, NULL);
  list = g_strjoinv (", ", left);
  g_test_message ("%u scenarios", n_scenarios);
  g_assert_cmpstr (list, ==, "");
}

/* A few scenarios on a live HBase, where making the tables takes most of the time. */
static void
test_on_hbase (void)
{
  guint64 n_scenarios
      = scenario_number_from_environment ("KVSQL_TEST_SCENARIOS", DEFAULT_HBASE_SCENARIOS);
  guint64 n_statements = 0;
  guint32 seed = scenario_number_from_environment ("KVSQL_TEST_SEED", g_random_int ());

  if (g_getenv ("KVSQL_TEST_HBASE_URL") == NULL)
    {
      g_test_skip ("KVSQL_TEST_HBASE_URL is not set; see CONTRIBUTING.md");
      return;
    }
  totals = (Totals){ 0 };
  g_test_message ("first seed %u", seed);
  for (guint i = 0; i < n_scenarios; i++)
    if (!scenario_run (&driver, seed + i, "hbase", &n_statements))
      break;
  g_test_message ("%" G_GUINT64_FORMAT " statements, %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                  " inserts refused",
                  n_statements, totals.n_refused, totals.n_inserts);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/daemon/differential/layouts-give-the-same", test_layouts);
  g_test_add_func ("/daemon/differential/everything-occurs", test_everything_occurs);
  g_test_add_func ("/daemon/differential/on-hbase", test_on_hbase);
  return g_test_run ();
}
