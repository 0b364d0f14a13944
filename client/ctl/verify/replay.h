/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * replay.h: executes the statements of a workload on both copies, and measures them.
 */
#pragma once

#include "client/ctl/verify/copies.h"

G_BEGIN_DECLS

/* Of a statement. */
typedef struct
{
  const KvsqlTrialStatement *statement;
  gchar *reason; /* nullable: why it is not measured */
  guint n_differences;
  GArray *seconds[KVSQL_TRIAL_SIDES]; /* (element-type gdouble) */
  GArray *costs[KVSQL_TRIAL_SIDES];   /* (element-type gdouble): what EXPLAIN says */
  KvsqlStatement *prepared[KVSQL_TRIAL_SIDES];
  guint64 n_rows; /* that all measured executions have given or changed, on one side */
  guint n_failed; /* executions that fail on both sides in the same way */
} KvsqlctlTried;

typedef struct
{
  Kvsqlctl *ctl;
  const KvsqlTrial *trial;
  KvsqlctlCopies *copies;
  GRand *random;
  gdouble seconds;
  KvsqlctlTried *tried; /* by statement of the trial */
  guint n_rounds;
  GPtrArray *differences; /* (element-type utf8) */
} KvsqlctlReplay;

/* @random must live on. */
KvsqlctlReplay *kvsqlctl_replay_new (KvsqlctlCopies *copies, GRand *random, gdouble seconds);
void kvsqlctl_replay_free (KvsqlctlReplay *self); /* accepts NULL */

/* Ends after the time, and not before each statement was executed often enough. A difference
 * between the sides is no error. */
gboolean kvsqlctl_replay_run (KvsqlctlReplay *self, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlctlReplay, kvsqlctl_replay_free)

G_END_DECLS
