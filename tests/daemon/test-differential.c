/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-differential.c: the same tuples under many layouts answer every statement alike.
 *
 * Random relations, each under several random schemas, random writes and queries, in pages of a few
 * rows whose cursors are warm or cold. Every answer is compared with that of a list in memory
 * (differential-predicate.c) for every schema, and the store may hold no cell but those that the
 * tuples become.
 *
 * KVSQL_TEST_SEED repeats a run (a failure prints it, and a script that was made as small as it
 * could be); KVSQL_TEST_STATEMENTS says how many statements to run.
 */
#include "config.h"

#include "daemon/service-private.h"
#include "tests/daemon/differential.h"
#include "tests/daemon/service-fixture.h"

#include <stdlib.h>

#define DEFAULT_STATEMENTS 20000
#define DEFAULT_HBASE_STORIES 3
#define MAX_SCHEMAS 5
#define STEPS 100
#define MAX_TRIES 40

/* ---- what is done to a relation */

typedef enum
{
  STEP_INSERT,
  STEP_DELETE,
  STEP_SELECT,
} StepKind;

typedef struct
{
  guint attribute;
  gboolean is_descending;
} SortKey;

typedef struct
{
  StepKind kind;
  KvsqlValue **tuples; /* INSERT */
  guint n_tuples;
  ModelPredicate *predicate; /* DELETE, SELECT: nullable */
  gboolean wants[MAX_ATTRIBUTES];
  gboolean is_star;
  SortKey sort[MAX_ATTRIBUTES + 1];
  guint n_sort;
  gint limit;  /* -1: none */
  gint offset; /* -1: none */
  guint page_rows;
  gsize page_bytes;
  guint cold_percent; /* fetches that find nothing warm */
  gboolean repeats;   /* INSERT: a refused one is refused alike again */
} Step;

typedef struct
{
  Source *source;
  const gchar *store; /* as service_fixture_open() takes it */
  ModelRelation relation;
  gchar *relation_sql;
  ModelSchema schemas[MAX_SCHEMAS];
  guint n_schemas;
  GPtrArray *steps; /* Step */
} Story;

/* ---- a service that goes through a story */

typedef struct
{
  const Story *story;
  ServiceFixture fixture;
  GPtrArray *tuples; /* const KvsqlValue *: what the relation should hold */
  GRand *random;     /* of the way pages are fetched */
  guint64 n_statements;
  guint64 n_inserts;
  guint64 n_refused;
} Player;

typedef struct
{
  guint64 n_statements;
  guint64 n_inserts;
  guint64 n_refused;
  guint64 n_definitions;
  guint64 n_accepted;
  guint64 n_fetches;
} Totals;

static Totals totals;

/* The first thing that went wrong, as text; NULL: nothing. */
typedef gchar *Problem;

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

/* ---- statements as SQL */

static gchar *
insert_to_sql (const Step *step, const ModelRelation *relation)
{
  GString *sql = g_string_new ("INSERT INTO r VALUES ");

  for (guint i = 0; i < step->n_tuples; i++)
    {
      g_string_append (sql, i > 0 ? ", (" : "(");
      for (guint a = 0; a < relation->n_attributes; a++)
        {
          if (a > 0)
            g_string_append (sql, ", ");
          kvsql_value_append_literal (&step->tuples[i][a], sql);
        }
      g_string_append_c (sql, ')');
    }
  return g_string_free (sql, FALSE);
}

static void
append_tail (const Step *step, const ModelRelation *relation, GString *sql)
{
  if (step->predicate != NULL)
    {
      g_string_append (sql, " WHERE ");
      model_predicate_append_sql (step->predicate, relation, sql);
    }
  for (guint i = 0; i < step->n_sort; i++)
    g_string_append_printf (sql, "%s%s%s", i == 0 ? " ORDER BY " : ", ",
                            relation->attributes[step->sort[i].attribute].name,
                            step->sort[i].is_descending ? " DESC" : "");
  if (step->limit >= 0)
    g_string_append_printf (sql, " LIMIT %d", step->limit);
  if (step->offset >= 0)
    g_string_append_printf (sql, " OFFSET %d", step->offset);
}

static gchar *
select_to_sql (const Step *step, const ModelRelation *relation, const ModelSchema *schema)
{
  GString *sql = g_string_new ("SELECT ");
  guint n = 0;

  for (guint a = 0; a < relation->n_attributes && !step->is_star; a++)
    if (step->wants[a])
      g_string_append_printf (sql, "%s%s", n++ > 0 ? ", " : "", relation->attributes[a].name);
  g_string_append (sql, step->is_star ? "* FROM r" : " FROM r");
  if (schema != NULL)
    g_string_append_printf (sql, " USING SCHEMA %s", schema->name);
  append_tail (step, relation, sql);
  return g_string_free (sql, FALSE);
}

static gchar *
step_to_sql (const Step *step, const ModelRelation *relation)
{
  GString *sql;

  if (step->kind == STEP_INSERT)
    return insert_to_sql (step, relation);
  if (step->kind == STEP_SELECT)
    return select_to_sql (step, relation, NULL);
  sql = g_string_new ("DELETE FROM r");
  append_tail (step, relation, sql);
  return g_string_free (sql, FALSE);
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
model_insert (Player *self, const Step *step)
{
  const ModelRelation *relation = &self->story->relation;

  for (guint i = 0; i < step->n_tuples; i++)
    {
      for (guint t = self->tuples->len; t-- > 0;)
        if (same_key (relation, self->tuples->pdata[t], step->tuples[i]))
          g_ptr_array_remove_index_fast (self->tuples, t);
      g_ptr_array_add (self->tuples, step->tuples[i]);
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
model_select (Player *self, const Step *step)
{
  GPtrArray *found = g_ptr_array_new ();

  for (guint t = 0; t < self->tuples->len; t++)
    if (admits (step, &self->story->relation, self->tuples->pdata[t]))
      g_ptr_array_add (found, self->tuples->pdata[t]);
  g_ptr_array_sort_with_data (found, compare_by_sort, (gpointer)step);
  return found;
}

/* ---- running SELECT */

static gboolean
chance (Player *self, guint percent)
{
  return (guint)g_rand_int_range (self->random, 0, 100) < percent;
}

/* Takes away what a cursor could go on with, so that only its token is left. */
static void
make_cold (Player *self, KvsqlSlice cursor)
{
  g_autoptr (GError) error = NULL;

  if (self->story->store != NULL && chance (self, 10))
    service_fixture_reopen (&self->fixture);
  else
    kvsqld_service_close_cursor (self->fixture.service, cursor, &error);
  g_assert_no_error (error);
}

static void
take_rows (const KvsqldPage *page, GPtrArray *rows)
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
fetch_all (Player *self, const Step *step, const gchar *sql, GPtrArray *rows)
{
  KvsqldRequest request = { .max_rows = step->page_rows, .max_bytes = step->page_bytes };
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqldPage) page = kvsqld_service_query (self->fixture.service, &request,
                                                      kvsql_slice_from_text (sql), NULL, 0, &error);

  self->n_statements++;
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
      kvsqld_page_free (page);
      page = kvsqld_service_fetch (self->fixture.service, &request, kvsql_slice (data, size),
                                   &error);
    }
}

static gint
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(gchar *const *)a, *(gchar *const *)b);
}

static GPtrArray *
expected_rows (Player *self, const Step *step, GPtrArray *found)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < found->len; i++)
    {
      GString *text = g_string_new (NULL);
      append_tuple (found->pdata[i], step, &self->story->relation, text);
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

/* Every row of @part stands in @whole, as often; both sorted. */
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
can_fetch (Player *self, const gchar *sql)
{
  g_autofree gchar *explain = g_strconcat ("EXPLAIN ", sql, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqldPage) page = kvsqld_service_query (
      self->fixture.service, NULL, kvsql_slice_from_text (explain), NULL, 0, &error);

  if (page == NULL)
    g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_INVALID);
  return page != NULL;
}

static Problem
run_select (Player *self, const Step *step)
{
  const ModelRelation *relation = &self->story->relation;
  g_autoptr (GPtrArray) found = model_select (self, step);

  for (guint s = 0; s <= self->story->n_schemas; s++)
    {
      const ModelSchema *schema = s < self->story->n_schemas ? &self->story->schemas[s] : NULL;
      g_autoptr (GPtrArray) got = g_ptr_array_new_with_free_func (g_free);
      g_autoptr (GPtrArray) expected = NULL;
      g_autofree gchar *sql = NULL;
      Problem problem;

      sql = select_to_sql (step, relation, schema);
      if (schema != NULL && !can_answer (schema, step, relation))
        {
          if (!can_fetch (self, sql))
            continue;
          totals.n_fetches++;
        }
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
run_insert (Player *self, const Step *step)
{
  g_autofree gchar *sql = insert_to_sql (step, &self->story->relation);
  g_autoptr (GError) error = NULL, again = NULL;
  g_autoptr (KvsqldPage) page = kvsqld_service_query (self->fixture.service, NULL,
                                                      kvsql_slice_from_text (sql), NULL, 0, &error);

  self->n_statements++;
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
  page = kvsqld_service_query (self->fixture.service, NULL, kvsql_slice_from_text (sql), NULL, 0,
                               &again);
  if (page != NULL || !g_str_equal (error->message, again->message))
    return g_strdup_printf ("%s\n  first refused: %s\n  then: %s", sql, error->message,
                            again == NULL ? "accepted" : again->message);
  return NULL;
}

static Problem
run_delete (Player *self, const Step *step)
{
  g_autofree gchar *sql = step_to_sql (step, &self->story->relation);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) found = model_select (self, step);
  g_autoptr (KvsqldPage) page = kvsqld_service_query (self->fixture.service, NULL,
                                                      kvsql_slice_from_text (sql), NULL, 0, &error);
  guint n = step->limit < 0 ? found->len : MIN (found->len, (guint)step->limit);

  self->n_statements++;
  if (page == NULL)
    return describe_error (sql, error);
  if (page->affected != n)
    return g_strdup_printf ("%s\n  deleted %" G_GINT64_FORMAT " tuples instead of %u", sql,
                            page->affected, n);
  for (guint i = 0; i < n; i++)
    g_ptr_array_remove_fast (self->tuples, found->pdata[i]);
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
      kvsql_scan_next (scan, NULL, &rows, &error);
      g_assert_no_error (error);
      n += rows->n_cells;
    }
  while (rows->n_rows > 0);
  return n;
}

static Problem
check_cells (Player *self)
{
  KvsqlStore *store = self->fixture.service->store;
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
  for (guint s = 0; s < self->story->n_schemas; s++)
    for (guint t = 0; t < self->tuples->len; t++)
      expected += model_schema_count_cells (&self->story->schemas[s], &self->story->relation,
                                            self->tuples->pdata[t]);
  return expected == got
             ? NULL
             : g_strdup_printf ("the store holds %u cells instead of %u", got, expected);
}

/* ---- playing */

static void
player_open (Player *self, const Story *story)
{
  *self = (Player){ .story = story,
                    .tuples = g_ptr_array_new (),
                    .random = g_rand_new_with_seed (1) };
  service_fixture_open (&self->fixture, story->store);
}

static void
player_close (Player *self)
{
  service_fixture_close (&self->fixture);
  g_ptr_array_unref (self->tuples);
  g_rand_free (self->random);
}

static KvsqldPage *
run_plain (Player *self, const gchar *sql, GError **error)
{
  self->n_statements++;
  return kvsqld_service_query (self->fixture.service, NULL, kvsql_slice_from_text (sql), NULL, 0,
                               error);
}

static void
player_define (Player *self)
{
  g_autoptr (GError) error = NULL;
  G_GNUC_UNUSED g_autoptr (KvsqldPage) page = run_plain (self, self->story->relation_sql, &error);

  g_assert_no_error (error);
  for (guint s = 0; s < self->story->n_schemas; s++)
    {
      G_GNUC_UNUSED g_autoptr (KvsqldPage) defined
          = run_plain (self, self->story->schemas[s].sql, &error);
      g_assert_no_error (error);
    }
}

static Problem
run_step (Player *self, const Step *step)
{
  Problem problem;

  if (step->kind == STEP_SELECT)
    return run_select (self, step);
  problem = step->kind == STEP_INSERT ? run_insert (self, step) : run_delete (self, step);
  return problem != NULL ? problem : check_cells (self);
}

/* Plays the whole story on a fresh service. */
static Problem
play (const Story *story, guint *out_failed)
{
  Problem problem = NULL;
  Player player;

  player_open (&player, story);
  player_define (&player);
  for (guint i = 0; i < story->steps->len && problem == NULL; i++)
    {
      *out_failed = i;
      problem = run_step (&player, story->steps->pdata[i]);
    }
  player_close (&player);
  return problem;
}

/* ---- shrinking */

#define SHRINK_SECONDS 120

static gint64 shrink_until_us;

/* Tries the story without or with something; keeps it that way if it still fails. */
static gboolean
still_fails (Story *story, Problem *problem)
{
  guint failed = 0;
  Problem now = NULL;

  if (g_get_monotonic_time () < shrink_until_us)
    now = play (story, &failed);
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
      for (guint t = step->kind == STEP_INSERT ? step->n_tuples : 0; t-- > 0 && step->n_tuples > 1;)
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
      g_autofree gchar *sql = step_to_sql (step, &story->relation);
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

static void
fail (Story *story, Problem problem, guint32 seed)
{
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
      }
  print_story (story, problem, seed);
  g_free (problem);
  g_test_fail ();
}

/* ---- making stories */

static Step *
make_insert (Story *story, GPtrArray *known)
{
  Source *source = story->source;
  const ModelRelation *relation = &story->relation;
  Step *step = kvsql_arena_new0 (source->arena, Step);

  step->kind = STEP_INSERT;
  step->n_tuples = source_chance (source, 50) ? 1 : 1 + source_pick (source, 6);
  step->repeats = source_chance (source, 10);
  step->tuples = kvsql_arena_array (source->arena, KvsqlValue *, step->n_tuples);
  for (guint i = 0; i < step->n_tuples; i++)
    {
      const KvsqlValue *old = known->len > 0 && source_chance (source, 25)
                                  ? known->pdata[source_pick (source, known->len)]
                                  : NULL;
      step->tuples[i] = kvsql_arena_array (source->arena, KvsqlValue, relation->n_attributes);
      for (guint a = 0; a < relation->n_attributes; a++)
        step->tuples[i][a] = old != NULL && relation->attributes[a].is_key
                                 ? old[a]
                                 : model_random_value (relation, a, source);
    }
  return step;
}

static void
add_sort (Step *step, guint attribute, gboolean is_descending)
{
  for (guint i = 0; i < step->n_sort; i++)
    if (step->sort[i].attribute == attribute)
      return;
  step->sort[step->n_sort++] = (SortKey){ attribute, is_descending };
}

/* Often all one way, and in the order of the attributes: what the order of keys may give. */
static void
make_sort (Step *step, const ModelRelation *relation, gboolean is_total, Source *source)
{
  gboolean is_mixed = source_chance (source, 40), is_descending = source_chance (source, 40);
  guint first = source_pick (source, relation->n_attributes);

  for (guint i = source_pick (source, 3); i > 0; i--)
    add_sort (step, source_pick (source, relation->n_attributes),
              is_mixed ? source_chance (source, 40) : is_descending);
  for (guint i = 0; i < relation->n_attributes && is_total; i++)
    {
      guint a = (first + i) % relation->n_attributes;
      if (relation->attributes[a].is_key)
        add_sort (step, a, is_mixed ? source_chance (source, 40) : is_descending);
    }
}

static Step *
make_read (Story *story, StepKind kind)
{
  Source *source = story->source;
  const ModelRelation *relation = &story->relation;
  Step *step = kvsql_arena_new0 (source->arena, Step);
  gboolean usable[MAX_ATTRIBUTES];
  const ModelSchema *schema = &story->schemas[source_pick (source, story->n_schemas)];

  step->kind = kind;
  step->limit = step->offset = -1;
  for (guint a = 0; a < relation->n_attributes; a++)
    usable[a] = source_chance (source, 50) || schema->holds[a];
  if (kind == STEP_DELETE || source_chance (source, 90))
    step->predicate = model_predicate_make (relation, usable, source_pick (source, 4), source);
  if (kind == STEP_DELETE)
    {
      /* keep most: one more condition, and sometimes the first few of an order only */
      if (source_chance (source, 20))
        {
          make_sort (step, relation, TRUE, source);
          step->limit = source_pick (source, 3);
        }
      return step;
    }
  for (guint a = 0; a < relation->n_attributes; a++)
    step->wants[a] = usable[a] && source_chance (source, 60);
  for (guint a = 0; a < relation->n_attributes; a++) /* one at least */
    step->wants[a] = step->wants[a] || relation->attributes[a].is_key;
  step->is_star = source_chance (source, 30);
  if (source_chance (source, 35))
    make_sort (step, relation, source_chance (source, 70), source);
  if (source_chance (source, 25))
    step->limit = source_pick (source, 8);
  if (source_chance (source, 15))
    step->offset = source_pick (source, 5);
  step->page_rows = source_chance (source, 50) ? 1 + source_pick (source, 7) : 0;
  step->page_bytes = source_chance (source, 10) ? 1 + source_pick (source, 100) : 0;
  step->cold_percent = source_chance (source, 40) ? 100 : source_chance (source, 50) ? 50 : 0;
  return step;
}

static Step *
make_step (Story *story, GPtrArray *known)
{
  guint which = source_pick (story->source, 100);

  if (which < 35 || story->steps->len < 4)
    return make_insert (story, known);
  return make_read (story, which < 42 ? STEP_DELETE : STEP_SELECT);
}

/* Schemas that the daemon accepts, the primary first. FALSE: no luck. */
static gboolean
find_schemas (Story *story, Player *player)
{
  g_autoptr (GError) error = NULL;
  G_GNUC_UNUSED g_autoptr (KvsqldPage) page = run_plain (player, story->relation_sql, &error);
  guint wanted = 1 + source_pick (story->source, MAX_SCHEMAS);

  g_assert_no_error (error);
  for (guint tries = 0; tries < MAX_TRIES && story->n_schemas < wanted; tries++)
    {
      ModelSchema *schema = &story->schemas[story->n_schemas];
      G_GNUC_UNUSED g_autoptr (KvsqldPage) defined = NULL;
      g_autoptr (GError) refusal = NULL;

      model_schema_make (schema, &story->relation, story->n_schemas, story->source);
      defined = run_plain (player, schema->sql, &refusal);
      totals.n_definitions++;
      if (defined != NULL)
        {
          totals.n_accepted++;
          story->n_schemas++;
        }
      else if (!g_error_matches (refusal, KVSQL_ERROR, KVSQL_ERROR_DEFINITION))
        {
          g_test_message ("%s;\n%s\n-> %s (code %d)", story->relation_sql, schema->sql,
                          refusal->message, refusal->code);
          g_test_fail ();
        }
    }
  return story->n_schemas > 0;
}

/* One relation from its definition to its last statement. TRUE: nothing was wrong. */
static gboolean
tell_story (guint32 seed, const gchar *store)
{
  Source source = { .random = g_rand_new_with_seed (seed), .arena = kvsql_arena_new () };
  Story story = { .source = &source, .store = store, .steps = g_ptr_array_new () };
  Problem problem = NULL;
  Player player;

  model_relation_make (&story.relation, &source);
  story.relation_sql = model_relation_to_sql (&story.relation, &source);
  player_open (&player, &story);
  if (find_schemas (&story, &player))
    for (guint i = 0; i < STEPS && problem == NULL; i++)
      {
        g_ptr_array_add (story.steps, make_step (&story, player.tuples));
        problem = run_step (&player, story.steps->pdata[i]);
      }
  totals.n_statements += player.n_statements;
  totals.n_inserts += player.n_inserts;
  totals.n_refused += player.n_refused;
  player_close (&player);
  if (problem != NULL)
    fail (&story, problem, seed);
  g_ptr_array_unref (story.steps);
  g_free (story.relation_sql);
  kvsql_arena_free (source.arena);
  g_rand_free (source.random);
  return problem == NULL;
}

static guint64
number_from_environment (const gchar *name, guint64 otherwise)
{
  const gchar *text = g_getenv (name);

  return text == NULL ? otherwise : g_ascii_strtoull (text, NULL, 10);
}

static void
test_layouts (void)
{
  guint64 wanted = number_from_environment ("KVSQL_TEST_STATEMENTS", DEFAULT_STATEMENTS);
  gboolean has_seed = g_getenv ("KVSQL_TEST_SEED") != NULL;
  guint32 seed = number_from_environment ("KVSQL_TEST_SEED", g_random_int ());
  guint n_failed = 0;

  g_test_message ("first seed %u", seed);
  for (guint i = 0; totals.n_statements < wanted && n_failed < 5; i++)
    {
      n_failed += !tell_story (seed + i, (seed + i) % 20 == 0 ? "rocksdb" : NULL);
      if (has_seed && n_failed > 0)
        break;
    }
  g_test_message ("%" G_GUINT64_FORMAT " statements, %" G_GUINT64_FORMAT
                  " through an index that lacks attributes; %" G_GUINT64_FORMAT
                  " of %" G_GUINT64_FORMAT " definitions accepted; %" G_GUINT64_FORMAT
                  " of %" G_GUINT64_FORMAT " inserts refused",
                  totals.n_statements, totals.n_fetches, totals.n_accepted, totals.n_definitions,
                  totals.n_refused, totals.n_inserts);
  /* a test that refuses nearly everything would find nothing */
  g_assert_cmpuint (totals.n_accepted * 10, >, totals.n_definitions);
  g_assert_cmpuint (totals.n_refused * 10, <, totals.n_inserts * 8);
}

/* A few stories on a live HBase, where making the tables takes most of the time. */
static void
test_on_hbase (void)
{
  guint64 n_stories = number_from_environment ("KVSQL_TEST_STORIES", DEFAULT_HBASE_STORIES);
  guint32 seed = number_from_environment ("KVSQL_TEST_SEED", g_random_int ());

  if (g_getenv ("KVSQL_TEST_HBASE_URL") == NULL)
    {
      g_test_skip ("KVSQL_TEST_HBASE_URL is not set; see CONTRIBUTING.md");
      return;
    }
  totals = (Totals){ 0 };
  g_test_message ("first seed %u", seed);
  for (guint i = 0; i < n_stories; i++)
    if (!tell_story (seed + i, "hbase"))
      break;
  g_test_message ("%" G_GUINT64_FORMAT " statements, %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                  " inserts refused",
                  totals.n_statements, totals.n_refused, totals.n_inserts);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/daemon/differential/layouts-answer-alike", test_layouts);
  g_test_add_func ("/daemon/differential/on-hbase", test_on_hbase);
  return g_test_run ();
}
