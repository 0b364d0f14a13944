/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * trial-private.h: the parts of a trial.
 */
#pragma once

#include "core/advisor/advice.h"
#include "core/advisor/scope.h"
#include "core/advisor/trial.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlTrial *trial;
  KvsqlArena *arena; /* of all that the trial has */
  const KvsqlAdvice *advice;
  const KvsqlWorkload *workload;
  const gchar *prefix;
  const gchar **notes;
  guint n_notes;
  guint n_schemas[KVSQL_TRIAL_SIDES];
  GHashTable *tables[KVSQL_TRIAL_SIDES]; /* of the schemas of all relations → their copies */
} KvsqlTrialMaker;

/* Adds the relations with their definitions. */
gboolean kvsql_trial_make_copies (KvsqlTrialMaker *self, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A statement that is being changed, for one side or before that. */
typedef struct
{
  KvsqlTrialMaker *maker;
  const KvsqlWorkloadStatement *from;
  KvsqlTrialStatement *out;
  KvsqlAstStatement *ast;
  KvsqlScope scope;
  guint n_given;                 /* parameters before some were added */
  gboolean *is_bound;            /* by parameter */
  const KvsqlAstExpr *condition; /* whose parts are being bound */
  gboolean varies; /* a SELECT has a call in its list whose result differs from time to time */
} KvsqlTrialEditor;

/* @reason: "it …": why the statement cannot be tried; lives in the maker's arena. Returns: FALSE */
static inline gboolean
kvsql_trial_refuse (KvsqlTrialEditor *self, const gchar *reason)
{
  self->out->reason = reason;
  return FALSE;
}

/* Adds a statement, or the reason why it is left out. */
void kvsql_trial_add_statement (KvsqlTrialMaker *self, const KvsqlWorkloadStatement *from);

/* Makes a parameter of each value that differs from call to call, as now () or the next number of a
 * sequence: both sides have to get the same. */
gboolean kvsql_trial_fix_values (KvsqlTrialEditor *self);
/* Finds out where the values of all parameters come from. */
gboolean kvsql_trial_bind_parameters (KvsqlTrialEditor *self);
/* What of the answer has to be the same on both sides. */
gboolean kvsql_trial_find_answer (KvsqlTrialEditor *self);

/* A new node: a parameter that is added to the statement. */
KvsqlAstExpr *kvsql_trial_new_parameter (KvsqlTrialEditor *self);

G_END_DECLS
