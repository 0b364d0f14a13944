/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * advise.c: see advise.h.
 */
#include "config.h"

#include "core/advisor/advise.h"

#include "core/advisor/advise-private.h"

#define DEFAULT_MODEL "kvsql"
#define DEFAULT_SECONDS 60.0

static const struct
{
  const gchar *name;
  gchar *(*print) (const KvsqlAdvice *advice, GError **error);
} formats[] = {
  { "text", kvsql_advice_to_text },
  { "json", kvsql_advice_to_json },
  { "sql", kvsql_advice_to_sql },
};

void
kvsql_advise_error_clear (KvsqlAdviseError *self)
{
  g_clear_pointer (&self->message, g_free);
  g_clear_pointer (&self->detail, g_free);
  g_clear_pointer (&self->hint, g_free);
}

/* The part of the time for candidates and their costs. */
#define SHARE_OF_PROBLEM 0.5
/* Of more statements, the search takes those of one shape for one, also if conditions differ. */
#define MOST_TEXTS 500

/* Makes them costs of the model. */
static gboolean
convert_slos (KvsqlWorkload *workload, const KvsqlCostModel *model, GError **error)
{
  for (guint i = 0; i < workload->n_statements && !model->is_in_seconds; i++)
    {
      KvsqlWorkloadStatement *statement = &workload->statements[i];

      if (statement->slo <= 0)
        continue;
      if (workload->costs.unit_us <= 0)
        return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, statement->slo_span,
                                "the costs of the store are not known as times, so SLO has no "
                                "meaning")
               || kvsql_error_hint (error, "Take COSTS from a daemon after CALIBRATE, leave SLO "
                                           "out, or give --cost-model nose.");
      statement->slo = kvsql_workload_get_units (workload, statement->slo);
    }
  return TRUE;
}

KvsqlAdvice *
kvsql_advise_workload (KvsqlWorkload *workload, const KvsqlAdviseOptions *options, GError **error)
{
  const KvsqlCostModel *model = kvsql_cost_model_find (
      options->cost_model != NULL ? options->cost_model : DEFAULT_MODEL, error);
  g_autoptr (KvsqlProblem) problem = NULL;
  g_autoptr (KvsqlAdvice) advice = NULL;
  gdouble seconds = options->seconds > 0 ? options->seconds : DEFAULT_SECONDS, left, gap;
  gint64 began_us = g_get_monotonic_time ();
  KvsqlSelection *selection;

  if (model == NULL || !convert_slos (workload, model, error)
      || !kvsql_workload_keep (workload, options->keep, options->keeps_all, error))
    return NULL;
  kvsql_workload_merge (workload, model->reads_text && workload->n_statements <= MOST_TEXTS);
  problem = kvsql_problem_new (workload, model, seconds * SHARE_OF_PROBLEM, error);
  if (problem == NULL)
    return NULL;
  if (options->storage_limit > 0)
    problem->choice.size_limit = options->storage_limit;
  if (options->max_schemas > 0)
    problem->choice.count_limit = options->max_schemas;
  left = MAX (seconds - (gdouble)(g_get_monotonic_time () - began_us) / G_USEC_PER_SEC, 0);
  selection = kvsql_solve (&problem->choice, options->solver, left, &gap, error);
  if (selection == NULL)
    return NULL;
  if (problem->is_cut)
    gap = 1; /* what was left out may be better by any amount */
  advice = kvsql_advice_new (g_steal_pointer (&problem), selection, gap);
  if (options->with_curve
      && !kvsql_curve_make (&advice->problem->choice, options->solver, seconds,
                            advice->problem->arena, &advice->curve, error))
    return NULL;
  return !model->is_planner || kvsql_advice_replan (advice, error) ? g_steal_pointer (&advice)
                                                                   : NULL;
}

gchar *
kvsql_advise_print (const KvsqlAdvice *advice, const gchar *format, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (strcmp (formats[i].name, format) == 0)
      return formats[i].print (advice, error);
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, KVSQL_SPAN_NONE, "format \"%s\" does not exist",
                   format);
  kvsql_error_hint (error, "There are: text, json, sql.");
  return NULL;
}

void
kvsql_advise_error_copy (const GError *from, KvsqlAdviseError *out)
{
  KvsqlSpan span = kvsql_error_get_span (from);

  out->message = g_strdup (from->message);
  out->detail = g_strdup (kvsql_error_get_detail (from));
  out->hint = g_strdup (kvsql_error_get_hint (from));
  out->position = span.offset;
  out->length = span.length;
}

gchar *
kvsql_advise (const gchar *text, gsize size, const KvsqlAdviseOptions *options, gchar **out_picture,
              KvsqlAdviseError *error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (KvsqlWorkload) workload
      = kvsql_workload_read (kvsql_slice (text, size), options->mix, &local);
  g_autoptr (KvsqlAdvice) advice = NULL;
  gchar *result = NULL;

  if (workload != NULL)
    advice = kvsql_advise_workload (workload, options, &local);
  if (advice != NULL)
    result = kvsql_advise_print (advice, options->format, &local);
  if (result == NULL)
    kvsql_advise_error_copy (local, error);
  else if (out_picture != NULL)
    *out_picture = advice->curve.n > 0 ? kvsql_curve_to_svg (&advice->curve) : NULL;
  return result;
}
