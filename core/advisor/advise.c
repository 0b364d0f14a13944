/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * advise.c: see advise.h.
 */
#include "config.h"

#include "core/advisor/advise.h"

#include "core/advisor/advice.h"

#define DEFAULT_MODEL "nose"
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

static KvsqlAdvice *
advise (const KvsqlWorkload *workload, const KvsqlAdviseOptions *options, GError **error)
{
  const KvsqlCostModel *model = kvsql_cost_model_find (
      options->cost_model != NULL ? options->cost_model : DEFAULT_MODEL, error);
  g_autoptr (KvsqlProblem) problem = NULL;
  KvsqlSelection *selection;
  gdouble gap;

  if (model == NULL)
    return NULL;
  problem = kvsql_problem_new (workload, model, error);
  if (problem == NULL)
    return NULL;
  if (options->storage_limit > 0)
    problem->choice.size_limit = options->storage_limit;
  if (options->max_schemas > 0)
    problem->choice.count_limit = options->max_schemas;
  selection = kvsql_solve (&problem->choice, options->solver,
                           options->seconds > 0 ? options->seconds : DEFAULT_SECONDS, &gap, error);
  if (selection == NULL)
    return NULL;
  return kvsql_advice_new (g_steal_pointer (&problem), selection, gap);
}

static gchar *
print (const KvsqlAdvice *advice, const gchar *format, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (strcmp (formats[i].name, format) == 0)
      return formats[i].print (advice, error);
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, KVSQL_SPAN_NONE, "format \"%s\" does not exist",
                   format);
  kvsql_error_hint (error, "There are: text, json, sql.");
  return NULL;
}

static void
copy_error (const GError *from, KvsqlAdviseError *out)
{
  KvsqlSpan span = kvsql_error_get_span (from);

  out->message = g_strdup (from->message);
  out->detail = g_strdup (kvsql_error_get_detail (from));
  out->hint = g_strdup (kvsql_error_get_hint (from));
  out->position = span.offset;
  out->length = span.length;
}

gchar *
kvsql_advise (const gchar *text, gsize size, const KvsqlAdviseOptions *options,
              KvsqlAdviseError *error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (KvsqlWorkload) workload
      = kvsql_workload_read (kvsql_slice (text, size), options->mix, &local);
  g_autoptr (KvsqlAdvice) advice = NULL;
  gchar *result = NULL;

  if (workload != NULL)
    advice = advise (workload, options, &local);
  if (advice != NULL)
    result = print (advice, options->format, &local);
  if (result == NULL)
    copy_error (local, error);
  return result;
}
