/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * trial.c: see trial.h.
 */
#include "config.h"

#include "core/advisor/trial.h"

#include "core/advisor/advise-private.h"
#include "core/advisor/trial-private.h"

void
kvsql_trial_free (KvsqlTrial *self)
{
  if (self == NULL)
    return;
  g_free (self->advice);
  kvsql_arena_free (self->memory);
  g_free (self);
}

/* Whether the schemas of the statements' relations are to stay as they are. */
static gboolean
changes_nothing (const KvsqlAdvice *advice)
{
  const KvsqlWorkload *workload = advice->problem->workload;

  for (guint i = 0; i < advice->n_schemas; i++)
    if (advice->schemas[i].design->given == NULL)
      return FALSE;
  for (guint i = 0; i < workload->n_schemas; i++)
    if (!kvsql_advice_has_given (advice, &workload->schemas[i]))
      return FALSE;
  return TRUE;
}

static gboolean
make (KvsqlTrialMaker *self, GError **error)
{
  const KvsqlAdvice *advice = self->advice;
  KvsqlTrial *trial = self->trial;
  gboolean ok;

  for (guint side = 0; side < KVSQL_TRIAL_SIDES; side++)
    self->tables[side] = g_hash_table_new (g_str_hash, g_str_equal);
  ok = kvsql_trial_make_copies (self, error);
  for (guint side = 0; side < KVSQL_TRIAL_SIDES; side++)
    g_hash_table_unref (self->tables[side]);
  for (guint i = 0; ok && i < advice->n_statements; i++)
    kvsql_trial_add_statement (self, advice->statements[i].statement);
  if (self->n_notes > 0)
    *KVSQL_ARENA_ADD (self->arena, self->notes, self->n_notes) = NULL;
  trial->notes = self->notes;
  trial->changes_nothing = changes_nothing (advice);
  trial->unit_ms = kvsql_advice_get_ms (advice, 1);
  return ok;
}

KvsqlTrial *
kvsql_trial_new (const gchar *text, gsize size, const KvsqlAdviseOptions *options,
                 const gchar *prefix, KvsqlAdviseError *error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (KvsqlWorkload) workload
      = kvsql_workload_read (kvsql_slice (text, size), options->mix, &local);
  g_autoptr (KvsqlAdvice) advice = NULL;
  g_autoptr (KvsqlTrial) self = g_new0 (KvsqlTrial, 1);
  KvsqlTrialMaker maker = { .trial = self, .workload = workload, .prefix = prefix };

  self->memory = maker.arena = kvsql_arena_new ();
  if (workload != NULL)
    maker.advice = advice = kvsql_advise_workload (workload, options, &local);
  if (advice != NULL)
    self->advice = kvsql_advise_print (advice, options->format, &local);
  if (self->advice != NULL && make (&maker, &local))
    return g_steal_pointer (&self);
  kvsql_advise_error_copy (local, error);
  return NULL;
}
