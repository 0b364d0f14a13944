/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * differential-scenario.c: makes random steps, and prints them as SQL.
 */
#include "config.h"

#include "tests/differential/differential-scenario.h"

#define MAX_TRIES 40

guint64
scenario_number_from_environment (const gchar *name, guint64 otherwise)
{
  const gchar *text = g_getenv (name);

  return text == NULL ? otherwise : g_ascii_strtoull (text, NULL, 10);
}

void
scenario_open (Scenario *self, Source *source, const gchar *store)
{
  *self = (Scenario){ .source = source, .store = store, .steps = g_ptr_array_new () };
  self->relation.has_collections = TRUE;
  model_relation_make (&self->relation, source);
  self->relation_sql = model_relation_to_sql (&self->relation, source);
}

void
scenario_close (Scenario *self)
{
  g_ptr_array_unref (self->steps);
  g_free (self->relation_sql);
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

gchar *
scenario_select_to_sql (const Step *step, const ModelRelation *relation, const ModelSchema *schema)
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
upsert_to_sql (const Step *step, const ModelRelation *relation)
{
  g_autofree gchar *insert = insert_to_sql (step, relation);
  GString *sql = g_string_new (insert);
  guint n = 0;

  g_string_append (sql, " ON CONFLICT DO ");
  for (guint a = 0; a < relation->n_attributes; a++)
    if (step->sets[a])
      g_string_append_printf (sql, "%s%s = excluded.%s", n++ == 0 ? "UPDATE SET " : ", ",
                              relation->attributes[a].name, relation->attributes[a].name);
  g_string_append (sql, n == 0 ? "NOTHING" : "");
  return g_string_free (sql, FALSE);
}

static gchar *
update_to_sql (const Step *step, const ModelRelation *relation)
{
  GString *sql = g_string_new ("UPDATE r SET ");
  guint n = 0;

  for (guint a = 0; a < relation->n_attributes; a++)
    {
      if (!step->sets[a])
        continue;
      g_string_append_printf (sql, "%s%s = ", n++ > 0 ? ", " : "", relation->attributes[a].name);
      if (step->set_from[a] >= 0)
        g_string_append (sql, relation->attributes[step->set_from[a]].name);
      else
        kvsql_value_append_literal (&step->set_values[a], sql);
    }
  append_tail (step, relation, sql);
  return g_string_free (sql, FALSE);
}

gchar *
scenario_step_to_sql (const Step *step, const ModelRelation *relation)
{
  GString *sql;

  if (step->expression != NULL)
    {
      sql = g_string_new ("-- where p is ");
      random_expression_append_sql (step->expression, relation, sql);
      return g_string_free (sql, FALSE);
    }
  if (step->kind == STEP_INSERT)
    return insert_to_sql (step, relation);
  if (step->kind == STEP_UPSERT)
    return upsert_to_sql (step, relation);
  if (step->kind == STEP_UPDATE)
    return update_to_sql (step, relation);
  if (step->kind == STEP_SELECT)
    return scenario_select_to_sql (step, relation, NULL);
  sql = g_string_new ("DELETE FROM r");
  append_tail (step, relation, sql);
  return g_string_free (sql, FALSE);
}
/* ---- making scenarios */

Step *
scenario_make_insert (Scenario *scenario, GPtrArray *known)
{
  Source *source = scenario->source;
  const ModelRelation *relation = &scenario->relation;
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
add_sort (Step *step, const ModelRelation *relation, guint attribute, gboolean is_descending)
{
  if (kvsql_type_is_collection (relation->attributes[attribute].type))
    return;
  for (guint i = 0; i < step->n_sort; i++)
    if (step->sort[i].attribute == attribute)
      return;
  step->sort[step->n_sort++] = (SortKey){ attribute, is_descending };
}

/* Often in one direction and in the order of the attributes, so that the order of keys can be used.
 */
static void
make_sort (Step *step, const ModelRelation *relation, gboolean is_total, Source *source)
{
  gboolean is_mixed = source_chance (source, 40), is_descending = source_chance (source, 40);
  guint first = source_pick (source, relation->n_attributes);

  for (guint i = source_pick (source, 3); i > 0; i--)
    add_sort (step, relation, source_pick (source, relation->n_attributes),
              is_mixed ? source_chance (source, 40) : is_descending);
  for (guint i = 0; i < relation->n_attributes && is_total; i++)
    {
      guint a = (first + i) % relation->n_attributes;
      if (relation->attributes[a].is_key)
        add_sort (step, relation, a, is_mixed ? source_chance (source, 40) : is_descending);
    }
}

Step *
scenario_make_read (Scenario *scenario, StepKind kind)
{
  Source *source = scenario->source;
  const ModelRelation *relation = &scenario->relation;
  Step *step = kvsql_arena_new0 (source->arena, Step);
  gboolean usable[MAX_ATTRIBUTES];
  const ModelSchema *schema = &scenario->schemas[source_pick (source, scenario->n_schemas)];

  step->kind = kind;
  step->limit = step->offset = -1;
  for (guint a = 0; a < relation->n_attributes; a++)
    usable[a] = source_chance (source, 50) || schema->holds[a];
  if (kind == STEP_DELETE || source_chance (source, 90))
    step->predicate = model_predicate_make (relation, usable, source_pick (source, 4), source);
  if (kind == STEP_DELETE)
    {
      /* deletes few tuples: one more condition, and sometimes only the first tuples of an order */
      if (source_chance (source, 20))
        {
          make_sort (step, relation, TRUE, source);
          step->limit = source_pick (source, 3);
        }
      return step;
    }
  for (guint a = 0; a < relation->n_attributes; a++)
    step->wants[a] = usable[a] && source_chance (source, 60);
  for (guint a = 0; a < relation->n_attributes; a++) /* at least one */
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

/* Another attribute of the same type; -1: none. */
static gint
pick_like (const ModelRelation *relation, guint attribute, Source *source)
{
  guint other = source_pick (source, relation->n_attributes);

  return other != attribute
                 && relation->attributes[other].type == relation->attributes[attribute].type
             ? (gint)other
             : -1;
}

/* Changes the key of one tuple only: tuples that were moved before an error would stay moved. */
Step *
scenario_make_update (Scenario *scenario)
{
  Source *source = scenario->source;
  const ModelRelation *relation = &scenario->relation;
  Step *step = scenario_make_read (scenario, STEP_DELETE);
  gboolean moves = FALSE, is_alone = g_strcmp0 (scenario->store, "hbase") == 0;

  step->kind = STEP_UPDATE;
  for (guint i = 0; i < 2; i++)
    {
      guint a = source_pick (source, relation->n_attributes);
      step->sets[a] = TRUE;
      step->set_from[a] = pick_like (relation, a, source);
      step->set_values[a] = model_random_value (relation, a, source);
      moves = moves || relation->attributes[a].is_key;
    }
  if (!moves && !is_alone)
    return step;
  step->n_sort = 0;
  make_sort (step, relation, TRUE, source);
  step->limit = 1;
  return step;
}

Step *
scenario_make_upsert (Scenario *scenario, GPtrArray *known)
{
  Source *source = scenario->source;
  const ModelRelation *relation = &scenario->relation;
  Step *step = scenario_make_insert (scenario, known);

  step->kind = STEP_UPSERT;
  if (g_strcmp0 (scenario->store, "hbase") == 0)
    step->n_tuples = 1;
  for (guint a = 0; a < relation->n_attributes; a++)
    step->sets[a] = !relation->attributes[a].is_key && source_chance (source, 40);
  return step;
}

/* ---- definitions */

static KvsqlResultPage *
run (KvsqldService *service, const gchar *sql, GError **error)
{
  return kvsqld_service_query (service, NULL, kvsql_slice_from_text (sql), NULL, 0, error);
}

void
scenario_define (const Scenario *self, KvsqldService *service)
{
  g_autoptr (GError) error = NULL;
  G_GNUC_UNUSED g_autoptr (KvsqlResultPage) page = run (service, self->relation_sql, &error);

  g_assert_no_error (error);
  for (guint s = 0; s < self->n_schemas; s++)
    {
      G_GNUC_UNUSED g_autoptr (KvsqlResultPage) defined
          = run (service, self->schemas[s].sql, &error);
      g_assert_no_error (error);
    }
}

gboolean
scenario_find_schemas (Scenario *self, KvsqldService *service)
{
  g_autoptr (GError) error = NULL;
  G_GNUC_UNUSED g_autoptr (KvsqlResultPage) page = run (service, self->relation_sql, &error);
  guint wanted = 1 + source_pick (self->source, MAX_SCHEMAS);

  g_assert_no_error (error);
  for (; self->n_tried < MAX_TRIES && self->n_schemas < wanted; self->n_tried++)
    {
      ModelSchema *schema = &self->schemas[self->n_schemas];
      G_GNUC_UNUSED g_autoptr (KvsqlResultPage) defined = NULL;
      g_autoptr (GError) refusal = NULL;

      model_schema_make (schema, &self->relation, self->n_schemas, self->source);
      defined = run (service, schema->sql, &refusal);
      if (defined != NULL)
        self->n_schemas++;
      else if (!g_error_matches (refusal, KVSQL_ERROR, KVSQL_ERROR_DEFINITION))
        {
          g_test_message ("%s;\n%s\n-> %s (code %d)", self->relation_sql, schema->sql,
                          refusal->message, refusal->code);
          g_test_fail ();
        }
    }
  return self->n_schemas > 0;
}
