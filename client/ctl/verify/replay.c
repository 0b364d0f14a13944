/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * replay.c: see replay.h.
 *
 * In each round every statement is executed once on each side, with the same values. Which side is
 * first alternates. What a write has changed is put back on both sides, outside of the measured
 * time, so that the copies stay as large as they are.
 */
#include "config.h"

#include "client/ctl/verify/replay.h"

#include <json-glib/json-glib.h>
#include <string.h>
#include <unistd.h>

#define LEAST_ROUNDS 30
/* After so many failures without a success, a statement is left out. */
#define MOST_FAILURES 5
/* Rounds in which EXPLAIN is asked, too. */
#define EXPLAINED_ROUNDS 20
/* Of an answer, to name the rows that differ. */
#define KEPT_ROWS 10000
/* A session has 1,000 prepared statements. */
#define MOST_PREPARED 400
#define MOST_DIFFERENCES 20
#define MOST_SHOWN 2000
#define SHOW_US 200000

KvsqlctlReplay *
kvsqlctl_replay_new (KvsqlctlCopies *copies, GRand *random, gdouble seconds)
{
  KvsqlctlReplay *self = g_new0 (KvsqlctlReplay, 1);

  self->ctl = copies->ctl;
  self->trial = copies->trial;
  self->copies = copies;
  self->random = random;
  self->seconds = seconds;
  self->differences = g_ptr_array_new_with_free_func (g_free);
  self->tried = g_new0 (KvsqlctlTried, self->trial->n_statements);
  for (guint i = 0; i < self->trial->n_statements; i++)
    {
      KvsqlctlTried *tried = &self->tried[i];

      tried->statement = &self->trial->statements[i];
      tried->reason = g_strdup (tried->statement->reason);
      for (guint side = 0; side < KVSQL_TRIAL_SIDES; side++)
        {
          tried->seconds[side] = g_array_new (FALSE, FALSE, sizeof (gdouble));
          tried->costs[side] = g_array_new (FALSE, FALSE, sizeof (gdouble));
        }
    }
  return self;
}

void
kvsqlctl_replay_free (KvsqlctlReplay *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->trial->n_statements; i++)
    {
      g_free (self->tried[i].reason);
      for (guint side = 0; side < KVSQL_TRIAL_SIDES; side++)
        {
          g_array_unref (self->tried[i].seconds[side]);
          g_array_unref (self->tried[i].costs[side]);
          g_clear_object (&self->tried[i].prepared[side]);
        }
    }
  g_ptr_array_unref (self->differences);
  g_free (self->tried);
  g_free (self);
}

/* ---- values */

static void
value_clear (gpointer data)
{
  g_free (((KvsqlctlValue *)data)->text);
}

/* The attributes of a relation that conditions compare with values of its first tuple. */
static gboolean *
list_needed (const KvsqlTrialStatement *statement, guint relation, guint n_attributes)
{
  gboolean *needed = g_new0 (gboolean, n_attributes);

  for (guint i = 0; i < statement->n_parameters; i++)
    {
      const KvsqlTrialParameter *parameter = &statement->parameters[i];

      if (parameter->kind != KVSQL_TRIAL_NUMBER && parameter->relation == relation
          && parameter->tuple == 0)
        needed[parameter->attribute] = TRUE;
    }
  return needed;
}

/* The tuple of a parameter: the same for all parameters of that number and relation. */
static guint
find_tuple (KvsqlctlReplay *self, const KvsqlTrialStatement *statement,
            const KvsqlTrialParameter *parameter, GHashTable *drawn)
{
  gpointer key
      = GUINT_TO_POINTER (parameter->tuple * self->trial->n_relations + parameter->relation);
  g_autofree gboolean *needed = NULL;
  gpointer found;
  guint tuple;

  if (g_hash_table_lookup_extended (drawn, key, NULL, &found))
    return GPOINTER_TO_UINT (found);
  if (parameter->tuple == 0)
    needed = list_needed (statement, parameter->relation,
                          self->trial->relations[parameter->relation].n_attributes);
  tuple = kvsqlctl_sample_draw (self->copies->items[parameter->relation].sample, needed);
  g_hash_table_insert (drawn, key, GUINT_TO_POINTER (tuple));
  return tuple;
}

/* By parameter of the statement. */
static GArray *
draw_values (KvsqlctlReplay *self, const KvsqlTrialStatement *statement)
{
  GArray *values = g_array_new (FALSE, FALSE, sizeof (KvsqlctlValue));
  g_autoptr (GHashTable) drawn = g_hash_table_new (NULL, NULL);

  g_array_set_clear_func (values, value_clear);
  for (guint i = 0; i < statement->n_parameters; i++)
    {
      const KvsqlTrialParameter *parameter = &statement->parameters[i];
      KvsqlctlValue value = kvsqlctl_sample_make_value (
          self->copies->items[parameter->relation].sample, parameter,
          parameter->kind == KVSQL_TRIAL_NUMBER ? 0
                                                : find_tuple (self, statement, parameter, drawn));

      g_array_append_val (values, value);
    }
  return values;
}

static KvsqlParams *
make_params (const KvsqlTrialText *text, const GArray *values, GError **error)
{
  g_autoptr (KvsqlParams) params = kvsql_params_new ();

  for (guint i = 0; i < text->n_parameters; i++)
    {
      const KvsqlctlValue *value = &g_array_index (values, KvsqlctlValue, text->parameters[i]);

      if (value->text == NULL)
        kvsql_params_add_null (params, NULL);
      else if (!kvsql_params_add_text (params, NULL, value->type, value->text, error))
        return NULL;
    }
  return g_steal_pointer (&params);
}

/* ---- executions */

/* Whether the trial cannot go on. Other errors are answers. */
static gboolean
is_fatal (const GError *error)
{
  return error->domain != KVSQL_CLIENT_ERROR || error->code == KVSQL_CLIENT_ERROR_UNAVAILABLE
         || error->code == KVSQL_CLIENT_ERROR_UNKNOWN_OUTCOME
         || error->code == KVSQL_CLIENT_ERROR_DEADLINE || error->code == KVSQL_CLIENT_ERROR_PROTOCOL
         || error->code == KVSQL_CLIENT_ERROR_INTERNAL;
}

static gboolean
prepare (KvsqlctlReplay *self, KvsqlctlTried *tried, guint side, GError **error)
{
  if (tried->prepared[side] == NULL && self->trial->n_statements <= MOST_PREPARED)
    tried->prepared[side]
        = kvsql_connection_prepare (self->ctl->connection, tried->statement->statement.sql[side],
                                    self->ctl->cancellable, error);
  return tried->prepared[side] != NULL || self->trial->n_statements > MOST_PREPARED;
}

static gboolean
execute (KvsqlctlReplay *self, KvsqlctlTried *tried, guint side, KvsqlParams *params,
         KvsqlctlAnswer *answer, gdouble *out_seconds, GError **error)
{
  const KvsqlTrialStatement *statement = tried->statement;
  /* a write is never cancelled: kvsqld could go on with it while the copies are removed */
  GCancellable *cancellable = statement->is_write ? NULL : self->ctl->cancellable;
  g_autoptr (KvsqlResult) result = NULL;
  gint64 began_us;

  if (!prepare (self, tried, side, error))
    return FALSE;
  began_us = g_get_monotonic_time ();
  if (tried->prepared[side] != NULL)
    result = kvsql_statement_execute (tried->prepared[side], params, cancellable, error);
  else
    result = kvsql_connection_query (self->ctl->connection, statement->statement.sql[side], params,
                                     cancellable, error);
  *out_seconds = (gdouble)(g_get_monotonic_time () - began_us) / G_USEC_PER_SEC;
  return result != NULL
         && kvsqlctl_answer_read (answer, result, statement->order, statement->n_order, KEPT_ROWS,
                                  out_seconds, cancellable, error);
}

/* FALSE: the trial cannot go on. A statement that fails has a failure as its answer. */
static gboolean
measure (KvsqlctlReplay *self, KvsqlctlTried *tried, guint side, const GArray *values,
         KvsqlctlAnswer *answer, gdouble *out_seconds, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (KvsqlParams) params = make_params (&tried->statement->statement, values, &local);

  if (params != NULL && execute (self, tried, side, params, answer, out_seconds, &local))
    return TRUE;
  if (is_fatal (local))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  answer->failure = g_steal_pointer (&local);
  return TRUE;
}

/* ---- costs */

static JsonObject *
get_object (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

/* Of a plan as JSON; < 0: it has none. */
static gdouble
find_cost (const gchar *json)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *plan = NULL, *join = NULL;
  JsonArray *candidates = NULL;

  if (json_parser_load_from_data (parser, json, -1, NULL))
    plan = get_object (json_parser_get_root (parser));
  if (plan != NULL && json_object_has_member (plan, "join"))
    join = get_object (json_object_get_member (plan, "join"));
  if (join != NULL && json_object_has_member (join, "cost"))
    return json_object_get_double_member (join, "cost");
  if (plan != NULL && json_object_has_member (plan, "candidates"))
    candidates = json_object_get_array_member (plan, "candidates");
  for (guint i = 0; candidates != NULL && i < json_array_get_length (candidates); i++)
    {
      JsonObject *candidate = json_array_get_object_element (candidates, i);

      if (json_object_get_boolean_member (candidate, "chosen"))
        return json_object_get_double_member (candidate, "cost");
    }
  return -1;
}

static gboolean
explain (KvsqlctlReplay *self, KvsqlctlTried *tried, const GArray *values, GError **error)
{
  const KvsqlTrialText *text = &tried->statement->statement;

  for (guint side = 0; tried->statement->is_explained && side < KVSQL_TRIAL_SIDES; side++)
    {
      g_autofree gchar *sql = g_strconcat ("EXPLAIN (FORMAT JSON) ", text->sql[side], NULL);
      g_autoptr (GError) local = NULL;
      g_autoptr (KvsqlParams) params = make_params (text, values, &local);
      g_autoptr (KvsqlResult) result
          = params != NULL ? kvsql_connection_query (self->ctl->connection, sql, params,
                                                     self->ctl->cancellable, &local)
                           : NULL;
      gdouble cost = -1;

      if (result != NULL && kvsql_result_next (result, &local))
        cost = find_cost (kvsql_result_get_text (result, 0));
      if (local != NULL && is_fatal (local))
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      if (cost >= 0)
        g_array_append_val (tried->costs[side], cost);
    }
  return TRUE;
}

/* ---- what a write changes */

/* The tuples that the statement is going to change, or has changed; NULL with an error. */
static KvsqlctlAnswer *
read_touched (KvsqlctlReplay *self, const KvsqlTrialStatement *statement, guint side,
              const GArray *values, GError **error)
{
  g_autoptr (KvsqlParams) params = make_params (&statement->touched, values, error);
  g_autoptr (KvsqlctlAnswer) answer = kvsqlctl_answer_new ();
  g_autoptr (KvsqlResult) result = NULL;

  if (params != NULL)
    result = kvsql_connection_query (self->ctl->connection, statement->touched.sql[side], params,
                                     self->ctl->cancellable, error);
  if (result == NULL
      || !kvsqlctl_answer_read (answer, result, NULL, 0, G_MAXUINT64, NULL, self->ctl->cancellable,
                                error))
    return NULL;
  return g_steal_pointer (&answer);
}

static gboolean
remove_added (KvsqlctlReplay *self, const KvsqlTrialStatement *statement, const GArray *values,
              GError **error)
{
  for (guint side = 0; side < KVSQL_TRIAL_SIDES && statement->removed.sql[side] != NULL; side++)
    {
      g_autoptr (KvsqlParams) params = make_params (&statement->removed, values, error);
      g_autoptr (KvsqlResult) result = NULL;

      if (params != NULL)
        result = kvsql_connection_query (self->ctl->connection, statement->removed.sql[side],
                                         params, NULL, error);
      if (result == NULL)
        return FALSE;
    }
  return TRUE;
}

/* ---- differences */

static gchar *
describe_values (const KvsqlTrialText *text, const GArray *values)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < text->n_parameters; i++)
    {
      const KvsqlctlValue *value = &g_array_index (values, KvsqlctlValue, text->parameters[i]);

      g_string_append_printf (out, "%s$%u = %s", i > 0 ? ", " : " with ", i + 1,
                              value->text != NULL ? value->text : "NULL");
    }
  return g_string_free (out, FALSE);
}

static void
note_difference (KvsqlctlReplay *self, KvsqlctlTried *tried, const GArray *values,
                 const gchar *difference)
{
  const KvsqlTrialText *text = &tried->statement->statement;
  g_autofree gchar *described = describe_values (text, values);
  gchar *whole;

  tried->n_differences++;
  if (self->differences->len >= MOST_DIFFERENCES)
    return;
  whole = g_strdup_printf ("statement %u, %s%s: %s", tried->statement->number,
                           tried->statement->text, described, difference);
  if (strlen (whole) > MOST_SHOWN)
    {
      gchar *end = g_utf8_find_prev_char (whole, whole + MOST_SHOWN);

      *(end != NULL ? end : whole) = '\0';
    }
  g_ptr_array_add (self->differences, whole);
}

/* The answers, or what was written. */
static void
compare (KvsqlctlReplay *self, KvsqlctlTried *tried, const GArray *values, KvsqlctlAnswer *today,
         KvsqlctlAnswer *advised)
{
  g_autofree gchar *difference = kvsqlctl_answer_compare (today, advised, tried->statement);

  if (difference != NULL)
    note_difference (self, tried, values, difference);
  else if (today->failure != NULL)
    {
      tried->n_failed++;
      if (tried->n_failed >= MOST_FAILURES && tried->seconds[0]->len == 0)
        tried->reason = g_strdup_printf ("it fails: %s", today->failure->message);
    }
}

/* ---- a statement */

/* @is_first: caches and plans are cold; not measured */
static gboolean
run_both (KvsqlctlReplay *self, KvsqlctlTried *tried, const GArray *values, guint first,
          gboolean is_first, GError **error)
{
  g_autoptr (KvsqlctlAnswer) today = kvsqlctl_answer_new (), advised = kvsqlctl_answer_new ();
  KvsqlctlAnswer *answers[KVSQL_TRIAL_SIDES] = { today, advised };
  gdouble seconds[KVSQL_TRIAL_SIDES] = { 0 };

  for (guint i = 0; i < KVSQL_TRIAL_SIDES; i++)
    {
      guint side = (first + i) % KVSQL_TRIAL_SIDES;

      if (!measure (self, tried, side, values, answers[side], &seconds[side], error))
        return FALSE;
    }
  if (!is_first && today->failure == NULL && advised->failure == NULL)
    {
      tried->n_rows += today->affected > 0 ? (guint64)today->affected : today->n_rows;
      for (guint side = 0; side < KVSQL_TRIAL_SIDES; side++)
        g_array_append_val (tried->seconds[side], seconds[side]);
    }
  compare (self, tried, values, today, advised);
  return TRUE;
}

/* What the tuples are that were written, before they are put back. */
static gboolean
compare_written (KvsqlctlReplay *self, KvsqlctlTried *tried, const GArray *values, GError **error)
{
  g_autoptr (KvsqlctlAnswer) today = read_touched (self, tried->statement, 0, values, error);
  g_autoptr (KvsqlctlAnswer) advised
      = today != NULL ? read_touched (self, tried->statement, 1, values, error) : NULL;
  g_autofree gchar *difference
      = advised != NULL ? kvsqlctl_answer_compare (today, advised, NULL) : NULL;
  g_autofree gchar *text
      = difference != NULL ? g_strconcat ("what it has written: ", difference, NULL) : NULL;

  if (text != NULL)
    note_difference (self, tried, values, text);
  return advised != NULL;
}

/* FALSE only if the trial cannot go on. */
static gboolean
leave_out (KvsqlctlTried *tried, GError *cause, GError **error)
{
  if (is_fatal (cause))
    {
      g_propagate_error (error, cause);
      return FALSE;
    }
  tried->reason = g_strdup_printf ("what it changes cannot be put back: %s", cause->message);
  g_error_free (cause);
  return TRUE;
}

static gboolean
put_back (KvsqlctlReplay *self, const KvsqlTrialStatement *statement, const GArray *values,
          const KvsqlctlAnswer *touched, GError **error)
{
  return remove_added (self, statement, values, error)
         && kvsqlctl_copies_put (self->copies, statement->relation, touched, error);
}

static gboolean
run_write (KvsqlctlReplay *self, KvsqlctlTried *tried, const GArray *values, guint first,
           gboolean is_first, GError **error)
{
  const KvsqlTrialStatement *statement = tried->statement;
  g_autoptr (KvsqlctlAnswer) touched = NULL;
  GError *local = NULL;

  if (statement->touched.sql[0] != NULL)
    touched = read_touched (self, statement, 0, values, &local);
  if (local != NULL)
    return leave_out (tried, local, error);
  if (!run_both (self, tried, values, first, is_first, error))
    return FALSE;
  return touched == NULL
         || (compare_written (self, tried, values, &local)
             && put_back (self, statement, values, touched, &local))
         || leave_out (tried, local, error);
}

static gboolean
try_statement (KvsqlctlReplay *self, KvsqlctlTried *tried, guint first, GError **error)
{
  gboolean is_first = self->n_rounds == 0;
  g_autoptr (GArray) values = draw_values (self, tried->statement);

  if (self->n_rounds < EXPLAINED_ROUNDS && !explain (self, tried, values, error))
    return FALSE;
  return tried->statement->is_write ? run_write (self, tried, values, first, is_first, error)
                                    : run_both (self, tried, values, first, is_first, error);
}

/* ---- all of them */

static void
show_progress (const KvsqlctlReplay *self, gdouble seconds, gint64 *shown_us)
{
  gdouble part = MIN (seconds / self->seconds, (gdouble)self->n_rounds / (LEAST_ROUNDS + 1));
  gint64 now_us = g_get_monotonic_time ();

  if (!isatty (STDERR_FILENO) || now_us - *shown_us < SHOW_US)
    return;
  *shown_us = now_us;
  fprintf (stderr, "\r\033[Kreplaying %3.0f%%, round %u, %u differences", MIN (part, 1) * 100,
           self->n_rounds + 1, self->differences->len);
  fflush (stderr);
}

static gboolean
run_round (KvsqlctlReplay *self, gint64 began_us, gint64 *shown_us, GError **error)
{
  for (guint i = 0; i < self->trial->n_statements; i++)
    {
      if (self->tried[i].reason != NULL)
        continue;
      show_progress (self, (gdouble)(g_get_monotonic_time () - began_us) / G_USEC_PER_SEC,
                     shown_us);
      if (g_cancellable_set_error_if_cancelled (self->ctl->cancellable, error)
          || !try_statement (self, &self->tried[i], (self->n_rounds + i) % KVSQL_TRIAL_SIDES,
                             error))
        return FALSE;
    }
  return TRUE;
}

/* More differences would say no more. */
static gboolean
is_over (const KvsqlctlReplay *self, gint64 began_us)
{
  gboolean is_left = FALSE;

  for (guint i = 0; i < self->trial->n_statements; i++)
    is_left = is_left || self->tried[i].reason == NULL;
  return !is_left || self->differences->len >= MOST_DIFFERENCES
         || (self->n_rounds > LEAST_ROUNDS
             && (gdouble)(g_get_monotonic_time () - began_us) >= self->seconds * G_USEC_PER_SEC);
}

gboolean
kvsqlctl_replay_run (KvsqlctlReplay *self, GError **error)
{
  gint64 began_us = g_get_monotonic_time (), shown_us = 0;
  gboolean ok = TRUE;

  while (ok && !is_over (self, began_us))
    {
      ok = run_round (self, began_us, &shown_us, error);
      self->n_rounds++;
    }
  if (shown_us > 0)
    fputs ("\r\033[K", stderr);
  return ok;
}
