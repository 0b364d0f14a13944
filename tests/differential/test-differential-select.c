/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-differential-select.c: groups, aggregates, DISTINCT and order are the same on every layout.
 *
 * Random relations under random schemas, as in test-differential.c, and random questions about
 * them, whose answers are computed again from a list of the tuples. Sums of fractions are compared
 * with it as far as doubles go, and between the schemas to the last digit.
 *
 * KVSQL_TEST_SEED repeats a run; KVSQL_TEST_STATEMENTS says how many statements to run.
 */
#include "config.h"

#include "daemon/service/service-private.h"
#include "tests/differential/differential.h"
#include "tests/harness/assert.h"
#include "tests/harness/service-fixture.h"

#include <math.h>
#include <stdlib.h>

#define DEFAULT_STATEMENTS 8000
#define MAX_SCHEMAS 5
#define MAX_TRIES 40
#define MAX_TUPLES 60
#define QUESTIONS 40
#define MAX_GROUPS 2
#define MAX_AGGREGATES 3
#define MAX_CELLS (MAX_GROUPS + MAX_AGGREGATES)

/* ---- questions */

typedef enum
{
  COUNT_ROWS,
  COUNT,
  SUM,
  AVG,
  MIN,
  MAX,
} Function;

static const gchar *const function_names[] = { "count", "COUNT", "sum", "avg", "Min", "max" };

typedef struct
{
  Function function;
  guint attribute;
  gboolean is_distinct;
} Call;

typedef struct
{
  guint groups[MAX_GROUPS];
  guint n_groups;
  Call calls[MAX_AGGREGATES];
  guint n_calls;
  gboolean is_distinct; /* SELECT DISTINCT, no calls */
  gint having;          /* -1, or count(*) > n */
  ModelPredicate *predicate;
  gboolean is_ordered;
  gboolean is_descending[MAX_GROUPS];
  guint nulls[MAX_GROUPS]; /* 0: as usual, 1: FIRST, 2: LAST */
  gboolean by_position;
  gint limit;
  gint offset;
  guint page_rows;
  gboolean is_cold;
} Question;

typedef struct
{
  Source source;
  ModelRelation relation;
  ModelSchema schemas[MAX_SCHEMAS];
  guint n_schemas;
  ServiceFixture fixture;
  GPtrArray *tuples;
  GString *script; /* what was run, for a failure */
} SelectScenario;

static guint64 n_statements, n_compared, n_overflows;

static gboolean
is_exact (KvsqlType type)
{
  return type == KVSQL_TYPE_INT || type == KVSQL_TYPE_BIGINT || type == KVSQL_TYPE_DECIMAL;
}

static gboolean
is_real (KvsqlType type)
{
  return type == KVSQL_TYPE_FLOAT || type == KVSQL_TYPE_DOUBLE;
}

/* ---- as SQL */

static void
append_call (const Call *call, const ModelRelation *relation, GString *sql)
{
  g_string_append (sql, function_names[call->function]);
  if (call->function == COUNT_ROWS)
    g_string_append (sql, "(*)");
  else
    g_string_append_printf (sql, "(%s%s)", call->is_distinct ? "DISTINCT " : "",
                            relation->attributes[call->attribute].name);
}

static void
append_order (const Question *question, const ModelRelation *relation, GString *sql)
{
  static const gchar *const nulls[] = { "", " NULLS FIRST", " NULLS LAST" };

  for (guint g = 0; g < question->n_groups && question->is_ordered; g++)
    {
      g_string_append (sql, g == 0 ? " ORDER BY " : ", ");
      if (question->by_position)
        g_string_append_printf (sql, "%u", g + 1);
      else
        g_string_append (sql, relation->attributes[question->groups[g]].name);
      g_string_append_printf (sql, "%s%s", question->is_descending[g] ? " DESC" : "",
                              nulls[question->nulls[g]]);
    }
}

static gchar *
to_sql (const Question *question, const ModelRelation *relation, const ModelSchema *schema)
{
  GString *sql = g_string_new (question->is_distinct ? "SELECT DISTINCT " : "SELECT ");

  for (guint g = 0; g < question->n_groups; g++)
    g_string_append_printf (sql, "%s%s", g > 0 ? ", " : "",
                            relation->attributes[question->groups[g]].name);
  for (guint c = 0; c < question->n_calls; c++)
    {
      g_string_append (sql, c + question->n_groups > 0 ? ", " : "");
      append_call (&question->calls[c], relation, sql);
    }
  g_string_append (sql, " FROM r");
  if (schema != NULL)
    g_string_append_printf (sql, " USING SCHEMA %s", schema->name);
  if (question->predicate != NULL)
    {
      g_string_append (sql, " WHERE ");
      model_predicate_append_sql (question->predicate, relation, sql);
    }
  for (guint g = 0; g < question->n_groups && !question->is_distinct; g++)
    {
      g_string_append (sql, g == 0 ? " GROUP BY " : ", ");
      if (question->by_position)
        g_string_append_printf (sql, "%u", g + 1);
      else
        g_string_append (sql, relation->attributes[question->groups[g]].name);
    }
  if (question->having >= 0)
    g_string_append_printf (sql, " HAVING count(*) > %d", question->having);
  append_order (question, relation, sql);
  if (question->limit >= 0)
    g_string_append_printf (sql, " LIMIT %d", question->limit);
  if (question->offset >= 0)
    g_string_append_printf (sql, " OFFSET %d", question->offset);
  return g_string_free (sql, FALSE);
}

/* ---- the model's answer */

typedef struct
{
  gchar *cells[MAX_CELLS];
  gboolean is_near[MAX_CELLS]; /* the text is only about right */
  KvsqlValue groups[MAX_GROUPS];
} Row;

static void
row_free (gpointer data)
{
  Row *row = data;

  for (guint c = 0; c < MAX_CELLS; c++)
    g_free (row->cells[c]);
  g_free (row);
}

static gchar *
text_of (const KvsqlValue *value)
{
  GString *text = g_string_new (NULL);
  KvsqlValue shown = *value;

  if (kvsql_value_is_null (value))
    g_string_append (text, "NULL");
  else
    kvsql_value_append_text (&shown, text);
  return g_string_free (text, FALSE);
}

static gboolean
is_same_group (const Question *question, const KvsqlValue *a, const KvsqlValue *b)
{
  for (guint g = 0; g < question->n_groups; g++)
    {
      const KvsqlValue *x = &a[question->groups[g]], *y = &b[question->groups[g]];
      if (kvsql_value_is_null (x) != kvsql_value_is_null (y)
          || (!kvsql_value_is_null (x) && model_compare (x, y) != 0))
        return FALSE;
    }
  return TRUE;
}

/* The values that a call looks at. */
static GArray *
values_of (const Call *call, GPtrArray *tuples)
{
  GArray *values = g_array_new (FALSE, FALSE, sizeof (KvsqlValue));
  gboolean is_distinct
      = call->is_distinct && call->function != MIN && call->function != MAX; /* of 0 and -0 both */

  for (guint t = 0; t < tuples->len; t++)
    {
      const KvsqlValue *value = (const KvsqlValue *)tuples->pdata[t] + call->attribute;
      gboolean is_wanted = !kvsql_value_is_null (value);

      for (guint i = 0; i < values->len && is_distinct && is_wanted; i++)
        is_wanted = model_compare (&g_array_index (values, KvsqlValue, i), value) != 0;
      if (is_wanted)
        g_array_append_val (values, *value);
    }
  return values;
}

static gchar *
extreme_of (GArray *values, gboolean is_maximum)
{
  KvsqlValue best = g_array_index (values, KvsqlValue, 0);

  for (guint i = 1; i < values->len; i++)
    {
      const KvsqlValue *value = &g_array_index (values, KvsqlValue, i);
      gint order = model_compare (value, &best);
      if (order == 0 && is_real (value->type))
        order = (signbit (best.real) != 0) - (signbit (value->real) != 0);
      if (is_maximum ? order > 0 : order < 0)
        best = *value;
    }
  return text_of (&best);
}

static long double
number_of (const KvsqlValue *value)
{
  g_autofree gchar *text = text_of (value);

  return strtold (text, NULL);
}

/* NULL: out of what doubles can say. */
static gchar *
sum_of (GArray *values, gboolean is_average, gboolean *out_is_near)
{
  long double sum = 0;
  __int128 whole = 0;
  gboolean is_whole = TRUE;
  KvsqlType type = g_array_index (values, KvsqlValue, 0).type;

  for (guint i = 0; i < values->len; i++)
    {
      const KvsqlValue *value = &g_array_index (values, KvsqlValue, i);
      long double number = number_of (value);

      if (is_real (type) && isfinite (number)
          && fabsl (number) > (type == KVSQL_TYPE_FLOAT ? 1e36L : 1e306L))
        return NULL;
      is_whole = is_whole && (type == KVSQL_TYPE_INT || type == KVSQL_TYPE_BIGINT);
      sum += number;
      whole += is_whole ? value->integer : 0;
    }
  if (is_whole)
    sum = whole;
  *out_is_near = is_average || !is_whole || fabsl (sum) > 9e18L;
  if (is_average)
    sum /= values->len;
  return *out_is_near ? g_strdup_printf ("%.21Lg", sum) : g_strdup_printf ("%.0Lf", sum);
}

/* FALSE: the question cannot be answered here. */
static gboolean
answer_call (const Call *call, GPtrArray *tuples, gchar **out, gboolean *out_is_near)
{
  g_autoptr (GArray) values = values_of (call, tuples);

  *out_is_near = FALSE;
  if (call->function == COUNT_ROWS)
    *out = g_strdup_printf ("%u", tuples->len);
  else if (call->function == COUNT)
    *out = g_strdup_printf ("%u", values->len);
  else if (values->len == 0)
    *out = g_strdup ("NULL");
  else if (call->function == MIN || call->function == MAX)
    *out = extreme_of (values, call->function == MAX);
  else
    *out = sum_of (values, call->function == AVG, out_is_near);
  return *out != NULL;
}

static Row *
answer_group (const Question *question, GPtrArray *tuples)
{
  Row *row = g_new0 (Row, 1);

  for (guint g = 0; g < question->n_groups; g++)
    {
      row->groups[g] = ((const KvsqlValue *)tuples->pdata[0])[question->groups[g]];
      if (is_real (row->groups[g].type) && row->groups[g].real == 0)
        row->groups[g].real = 0;
      row->cells[g] = text_of (&row->groups[g]);
    }
  for (guint c = 0; c < question->n_calls; c++)
    if (!answer_call (&question->calls[c], tuples, &row->cells[question->n_groups + c],
                      &row->is_near[question->n_groups + c]))
      {
        row_free (row);
        return NULL;
      }
  return row;
}

static gint
compare_groups (gconstpointer x, gconstpointer y, gpointer user_data)
{
  const Row *a = *(Row *const *)x, *b = *(Row *const *)y;
  const Question *question = user_data;

  for (guint g = 0; g < question->n_groups; g++)
    {
      gboolean a_is_null = kvsql_value_is_null (&a->groups[g]),
               b_is_null = kvsql_value_is_null (&b->groups[g]);
      gboolean nulls_first
          = question->nulls[g] == 0 ? question->is_descending[g] : question->nulls[g] == 1;
      gint order;

      if (a_is_null && b_is_null)
        continue;
      if (a_is_null || b_is_null)
        return (a_is_null ? 1 : -1) * (nulls_first ? -1 : 1);
      order = model_compare (&a->groups[g], &b->groups[g]);
      if (order != 0)
        return question->is_descending[g] ? -order : order;
    }
  return 0;
}

/* Tuples by group; of no columns there is one group, even if it is empty. */
static GPtrArray *
find_groups (const SelectScenario *scenario, const Question *question)
{
  GPtrArray *groups = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);

  if (question->n_groups == 0)
    g_ptr_array_add (groups, g_ptr_array_new ());
  for (guint t = 0; t < scenario->tuples->len; t++)
    {
      const KvsqlValue *tuple = scenario->tuples->pdata[t];
      GPtrArray *group = NULL;

      if (question->predicate != NULL
          && model_predicate_evaluate (question->predicate, &scenario->relation, tuple)
                 != MODEL_TRUE)
        continue;
      for (guint i = 0; i < groups->len && group == NULL; i++)
        {
          group = groups->pdata[i];
          if (group->len > 0 && !is_same_group (question, group->pdata[0], tuple))
            group = NULL;
        }
      if (group == NULL)
        {
          group = g_ptr_array_new ();
          g_ptr_array_add (groups, group);
        }
      g_ptr_array_add (group, (gpointer)tuple);
    }
  return groups;
}

static GPtrArray *
answer (const SelectScenario *scenario, const Question *question)
{
  g_autoptr (GPtrArray) groups = find_groups (scenario, question);
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (row_free);

  for (guint i = 0; i < groups->len; i++)
    {
      GPtrArray *group = groups->pdata[i];
      Row *row;

      /* aggregates are computed before HAVING, so their errors come first */
      row = answer_group (question, group);
      if (row == NULL)
        return NULL;
      if (question->having >= 0 && (gint)group->len <= question->having)
        row_free (row);
      else
        g_ptr_array_add (rows, row);
    }
  g_ptr_array_sort_with_data (rows, compare_groups, (gpointer)question);
  return g_steal_pointer (&rows);
}

/* ---- the daemon's answer */

static void
take_rows (const KvsqlResultPage *page, const Question *question, GPtrArray *rows)
{
  for (guint r = 0; r < page->rows->n_rows; r++)
    {
      Row *row = g_new0 (Row, 1);
      g_assert_cmpuint (page->n_columns, ==, question->n_groups + question->n_calls);
      for (guint c = 0; c < page->n_columns; c++)
        {
          KvsqlValue value = kvsql_vector_get (&page->rows->columns[c], r);
          row->cells[c] = text_of (&value);
        }
      g_ptr_array_add (rows, row);
    }
}

/* Little memory to sort in is also little memory for tuples whose cells lie in many rows, and for
 * the different values of a group; these have nowhere else to go. */
static gboolean
is_known_limit (const Question *question, const GError *error)
{
  gboolean has_distinct = FALSE;

  for (guint c = 0; c < question->n_calls; c++)
    has_distinct = has_distinct || question->calls[c].is_distinct;
  return g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT)
         && (has_distinct || g_str_has_prefix (error->message, "putting the cells"));
}

/* NULL: there is no answer; *out_is_known: and why is known. */
static GPtrArray *
ask (SelectScenario *scenario, const Question *question, const gchar *sql, gboolean *out_is_known)
{
  KvsqldRequest request = { .max_rows = question->page_rows };
  KvsqldService *service = scenario->fixture.service;
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (row_free);
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page
      = kvsqld_service_query (service, &request, kvsql_slice_from_text (sql), NULL, 0, &error);

  n_statements++;
  for (;;)
    {
      g_autoptr (GBytes) cursor = NULL;
      gconstpointer data;
      gsize size;

      if (page == NULL)
        {
          *out_is_known = is_known_limit (question, error);
          if (!*out_is_known)
            g_test_message ("%s%s\n  failed: %s", scenario->script->str, sql, error->message);
          return NULL;
        }
      take_rows (page, question, rows);
      if (page->cursor == NULL)
        return g_steal_pointer (&rows);
      cursor = g_bytes_ref (page->cursor);
      data = g_bytes_get_data (cursor, &size);
      if (question->is_cold)
        ignore_result (kvsqld_service_close_cursor (service, kvsql_slice (data, size), NULL));
      kvsql_result_page_free (page);
      page = kvsqld_service_fetch (service, &request, kvsql_slice (data, size), &error);
    }
}

/* ---- comparing */

static gint
compare_cells (gconstpointer x, gconstpointer y, gpointer user_data)
{
  const Row *a = *(Row *const *)x, *b = *(Row *const *)y;
  const Question *question = user_data;
  gint order = 0;

  for (guint g = 0; g < question->n_groups && order == 0; g++)
    order = strcmp (a->cells[g], b->cells[g]);
  return order;
}

static gboolean
is_same_cell (const gchar *expected, gboolean is_near, const gchar *got)
{
  long double x, y;

  if (!is_near || g_str_equal (expected, got))
    return g_str_equal (expected, got);
  x = strtold (expected, NULL);
  y = strtold (got, NULL);
  if (!isfinite (x) || !isfinite (y))
    return (isnan (x) && isnan (y)) || x == y;
  return fabsl (x - y) <= 1e-6L * fmaxl (1, fmaxl (fabsl (x), fabsl (y)));
}

static gboolean
is_same_answer (const Question *question, GPtrArray *expected, GPtrArray *got, gboolean is_exactly)
{
  guint n_cells = question->n_groups + question->n_calls;

  if (expected->len != got->len)
    return FALSE;
  for (guint r = 0; r < expected->len; r++)
    {
      const Row *a = expected->pdata[r], *b = got->pdata[r];
      for (guint c = 0; c < n_cells; c++)
        if (!is_same_cell (a->cells[c], !is_exactly && a->is_near[c], b->cells[c]))
          return FALSE;
    }
  return TRUE;
}

static void
append_rows (const gchar *what, const Question *question, GPtrArray *rows, GString *out)
{
  g_string_append_printf (out, "  %s %u rows:\n", what, rows->len);
  for (guint r = 0; r < MIN (rows->len, 15); r++)
    {
      const Row *row = rows->pdata[r];
      for (guint c = 0; c < question->n_groups + question->n_calls; c++)
        g_string_append_printf (out, "%s%s", c == 0 ? "    " : "|", row->cells[c]);
      g_string_append_c (out, '\n');
    }
}

/* OFFSET and LIMIT; only of an answer with one order. */
static void
cut (const Question *question, GPtrArray *rows)
{
  guint from = MIN ((guint)MAX (question->offset, 0), rows->len);

  g_ptr_array_remove_range (rows, 0, from);
  if (question->limit >= 0 && (guint)question->limit < rows->len)
    g_ptr_array_set_size (rows, question->limit);
}

static gboolean
can_answer (const ModelSchema *schema, const Question *question, const ModelRelation *relation)
{
  gboolean used[MAX_ATTRIBUTES] = { FALSE };

  if (question->predicate != NULL)
    model_predicate_collect (question->predicate, used);
  for (guint g = 0; g < question->n_groups; g++)
    used[question->groups[g]] = TRUE;
  for (guint c = 0; c < question->n_calls; c++)
    used[question->calls[c].attribute] |= question->calls[c].function != COUNT_ROWS;
  for (guint a = 0; a < relation->n_attributes; a++)
    if (used[a] && !schema->holds[a])
      return FALSE;
  return TRUE;
}

static gboolean
check (SelectScenario *scenario, const Question *question)
{
  g_autoptr (GPtrArray) expected = answer (scenario, question);
  g_autoptr (GPtrArray) first = NULL;

  if (expected == NULL)
    {
      n_overflows++;
      return TRUE;
    }
  cut (question, expected);
  if (!question->is_ordered)
    g_ptr_array_sort_with_data (expected, compare_cells, (gpointer)question);
  for (guint s = 0; s <= scenario->n_schemas; s++)
    {
      const ModelSchema *schema = s < scenario->n_schemas ? &scenario->schemas[s] : NULL;
      g_autofree gchar *sql = to_sql (question, &scenario->relation, schema);
      g_autoptr (GPtrArray) got = NULL;
      gboolean is_known = FALSE;

      if (schema != NULL && !can_answer (schema, question, &scenario->relation))
        continue;
      got = ask (scenario, question, sql, &is_known);
      if (got == NULL && is_known)
        continue;
      if (got == NULL)
        return FALSE;
      if (!question->is_ordered)
        g_ptr_array_sort_with_data (got, compare_cells, (gpointer)question);
      n_compared++;
      if (!is_same_answer (question, expected, got, FALSE)
          || (first != NULL && !is_same_answer (question, first, got, TRUE)))
        {
          append_rows ("expected", question, expected, scenario->script);
          append_rows ("got", question, got, scenario->script);
          if (first != NULL)
            append_rows ("from the first schema", question, first, scenario->script);
          g_test_message ("%s-> %s, pages of %u, %s", scenario->script->str, sql,
                          question->page_rows, question->is_cold ? "cold" : "warm");
          return FALSE;
        }
      if (first == NULL)
        first = g_steal_pointer (&got);
    }
  return TRUE;
}

/* ---- making questions */

static Call
random_call (const ModelRelation *relation, Source *source)
{
  Call call = { .function = source_pick (source, 6),
                .attribute = source_pick (source, relation->n_attributes) };
  KvsqlType type = relation->attributes[call.attribute].type;

  if ((call.function == SUM || call.function == AVG) && !is_exact (type) && !is_real (type))
    call.function = MIN;
  if (call.function != COUNT_ROWS)
    call.is_distinct = source_chance (source, 30);
  return call;
}

static void
make_question (Question *self, const SelectScenario *scenario, Source *source)
{
  const ModelRelation *relation = &scenario->relation;
  gboolean usable[MAX_ATTRIBUTES];

  *self = (Question){ .having = -1, .limit = -1, .offset = -1 };
  for (guint a = 0; a < relation->n_attributes; a++)
    usable[a] = TRUE;
  self->n_groups = source_pick (source, MAX_GROUPS + 1);
  for (guint g = 0; g < self->n_groups; g++)
    self->groups[g] = source_pick (source, relation->n_attributes);
  self->is_distinct = self->n_groups > 0 && source_chance (source, 25);
  self->n_calls = self->is_distinct     ? 0
                  : self->n_groups == 0 ? 1 + source_pick (source, MAX_AGGREGATES)
                                        : source_pick (source, MAX_AGGREGATES + 1);
  for (guint c = 0; c < self->n_calls; c++)
    self->calls[c] = random_call (relation, source);
  if (source_chance (source, 60))
    self->predicate = model_predicate_make (relation, usable, source_pick (source, 3), source);
  if (!self->is_distinct && source_chance (source, 20))
    self->having = source_pick (source, 4);
  self->is_ordered = source_chance (source, 60);
  self->by_position = source_chance (source, 40);
  for (guint g = 0; g < self->n_groups; g++)
    {
      self->is_descending[g] = source_chance (source, 40);
      self->nulls[g] = source_chance (source, 30) ? 1 + source_pick (source, 2) : 0;
    }
  if (self->is_ordered && source_chance (source, 30))
    self->limit = source_pick (source, 8);
  if (self->is_ordered && source_chance (source, 20))
    self->offset = source_pick (source, 4);
  self->page_rows = source_chance (source, 50) ? 1 + source_pick (source, 5) : 0;
  self->is_cold = source_chance (source, 50);
}

/* ---- scenarios */

static gboolean
run (SelectScenario *scenario, const gchar *sql)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page = kvsqld_service_query (
      scenario->fixture.service, NULL, kvsql_slice_from_text (sql), NULL, 0, &error);

  if (page != NULL)
    g_string_append_printf (scenario->script, "%s;\n", sql);
  return page != NULL;
}

static gboolean
same_key (const ModelRelation *relation, const KvsqlValue *a, const KvsqlValue *b)
{
  for (guint i = 0; i < relation->n_attributes; i++)
    if (relation->attributes[i].is_key && model_compare (&a[i], &b[i]) != 0)
      return FALSE;
  return TRUE;
}

/* Few different values, so that groups have more than one tuple. */
static void
insert_tuple (SelectScenario *scenario)
{
  const ModelRelation *relation = &scenario->relation;
  Source *source = &scenario->source;
  KvsqlValue *tuple = kvsql_arena_array (source->arena, KvsqlValue, MAX_ATTRIBUTES);
  g_autoptr (GString) sql = g_string_new ("INSERT INTO r VALUES (");

  for (guint a = 0; a < relation->n_attributes; a++)
    {
      const KvsqlValue *old
          = scenario->tuples->len > 0 && source_chance (source, 50)
                ? scenario->tuples->pdata[source_pick (source, scenario->tuples->len)]
                : NULL;
      tuple[a] = old != NULL ? old[a] : model_random_value (relation, a, source);
      g_string_append (sql, a > 0 ? ", " : "");
      kvsql_value_append_literal (&tuple[a], sql);
    }
  g_string_append_c (sql, ')');
  if (!run (scenario, sql->str))
    return;
  for (guint t = scenario->tuples->len; t-- > 0;)
    if (same_key (relation, scenario->tuples->pdata[t], tuple))
      g_ptr_array_remove_index_fast (scenario->tuples, t);
  g_ptr_array_add (scenario->tuples, tuple);
}

static gboolean
define (SelectScenario *scenario)
{
  g_autofree gchar *relation_sql = model_relation_to_sql (&scenario->relation, &scenario->source);
  guint wanted = 2 + source_pick (&scenario->source, MAX_SCHEMAS - 1);

  if (!run (scenario, relation_sql))
    return FALSE;
  for (guint tries = 0; tries < MAX_TRIES && scenario->n_schemas < wanted; tries++)
    {
      ModelSchema *schema = &scenario->schemas[scenario->n_schemas];
      model_schema_make (schema, &scenario->relation, scenario->n_schemas, &scenario->source);
      scenario->n_schemas += run (scenario, schema->sql);
    }
  return scenario->n_schemas > 0;
}

static const KvsqldServiceLimits tight
    = { .sort_bytes = 4 * 1024, .sort_disk_bytes = 64 * 1024 * 1024 };

static gboolean
run_scenario (guint32 seed)
{
  SelectScenario scenario
      = { .source = { .random = g_rand_new_with_seed (seed), .arena = kvsql_arena_new () },
          .tuples = g_ptr_array_new (),
          .script = g_string_new (NULL) };
  gboolean ok = TRUE;

  g_string_append_printf (scenario.script, "KVSQL_TEST_SEED=%u\n", seed);
  service_fixture_open (&scenario.fixture, NULL);
  /* every other scenario has hardly any memory to sort and group in */
  if (seed % 2 == 0)
    kvsqld_service_set_limits (scenario.fixture.service, &tight);
  model_relation_make (&scenario.relation, &scenario.source);
  if (define (&scenario))
    {
      for (guint i = 0; i < MAX_TUPLES; i++)
        insert_tuple (&scenario);
      for (guint i = 0; i < QUESTIONS && ok; i++)
        {
          Question question;
          make_question (&question, &scenario, &scenario.source);
          ok = check (&scenario, &question);
        }
    }
  service_fixture_close (&scenario.fixture);
  g_string_free (scenario.script, TRUE);
  g_ptr_array_unref (scenario.tuples);
  kvsql_arena_free (scenario.source.arena);
  g_rand_free (scenario.source.random);
  return ok;
}

static void
test_select (void)
{
  const gchar *seed_text = g_getenv ("KVSQL_TEST_SEED");
  const gchar *wanted_text = g_getenv ("KVSQL_TEST_STATEMENTS");
  guint32 seed = seed_text != NULL ? (guint32)strtoul (seed_text, NULL, 10) : g_random_int ();
  guint64 wanted = wanted_text != NULL ? strtoull (wanted_text, NULL, 10) : DEFAULT_STATEMENTS;
  guint n_failed = 0;

  g_test_message ("first seed %u", seed);
  for (guint i = 0; n_statements < wanted && n_failed < 3; i++)
    {
      n_failed += !run_scenario (seed + i);
      if (seed_text != NULL && n_failed > 0)
        break;
    }
  g_test_message ("%" G_GUINT64_FORMAT " statements, %" G_GUINT64_FORMAT
                  " answers compared, %" G_GUINT64_FORMAT " sums too large for the model",
                  n_statements, n_compared, n_overflows);
  if (n_failed > 0)
    g_test_fail ();
  g_assert_cmpuint (n_compared, >, wanted / 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/differential/select", test_select);
  return g_test_run ();
}
