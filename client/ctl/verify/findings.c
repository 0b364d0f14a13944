/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * findings.c: the numbers of a trial.
 */
#include "config.h"

#include "client/ctl/verify/findings.h"

#include <math.h>

#include "client/ctl/verify/ranks.h"

/* The least part of the measured time that a change should save. */
#define WORTH 0.05

/* ---- a statement */

/* A sample changes fewer tuples: the predicted ones are of all. */
static gdouble
scale_writes (const KvsqlTrialStatement *statement, guint side, gdouble share)
{
  gdouble changed = MAX (statement->changed, 1);

  return statement->write_cost[side] * MAX (changed * share, 1) / changed;
}

static gdouble
predict (const KvsqlctlTried *tried, guint side, gdouble share)
{
  GArray *costs = tried->costs[side];
  gdouble cost = 0;

  if (costs->len > 0)
    cost = kvsqlctl_quantile ((gdouble *)costs->data, costs->len, 0.5);
  if (tried->statement->is_write)
    cost += scale_writes (tried->statement, side, share);
  return cost;
}

static void
read_statement (const KvsqlctlFindings *self, const KvsqlctlTried *tried, KvsqlctlFinding *out)
{
  const gdouble unit = self->is_in_ms ? self->replay->trial->unit_ms : 1;

  out->tried = tried;
  out->n = tried->seconds[0]->len;
  out->is_measured = tried->reason == NULL && out->n > 0;
  for (guint side = 0; out->is_measured && side < KVSQL_TRIAL_SIDES; side++)
    {
      gdouble *seconds = (gdouble *)tried->seconds[side]->data;

      out->sides[side].median = 1000 * kvsqlctl_quantile (seconds, out->n, 0.5);
      out->sides[side].p95 = 1000 * kvsqlctl_quantile (seconds, out->n, 0.95);
      out->sides[side].predicted = unit * predict (tried, side, self->share);
    }
}

/* ---- all */

static void
correlate (KvsqlctlFindings *self)
{
  const guint n = self->n_measured * KVSQL_TRIAL_SIDES;
  g_autofree gdouble *predicted = g_new (gdouble, n + 1), *measured = g_new (gdouble, n + 1);
  guint at = 0;

  for (guint i = 0; i < self->replay->trial->n_statements; i++)
    for (guint side = 0; self->items[i].is_measured && side < KVSQL_TRIAL_SIDES; side++, at++)
      {
        predicted[at] = self->items[i].sides[side].predicted;
        measured[at] = self->items[i].sides[side].median;
      }
  self->correlation = kvsqlctl_rank_correlation (predicted, measured, n);
}

KvsqlctlFindings *
kvsqlctl_findings_new (const KvsqlctlReplay *replay, gdouble share, guint32 seed)
{
  KvsqlctlFindings *self = g_new0 (KvsqlctlFindings, 1);

  self->replay = replay;
  self->share = share;
  self->seed = seed;
  self->is_in_ms = replay->trial->unit_ms > 0;
  self->differences = replay->differences;
  self->items = g_new0 (KvsqlctlFinding, replay->trial->n_statements);
  for (guint i = 0; i < replay->trial->n_statements; i++)
    {
      KvsqlctlFinding *item = &self->items[i];

      read_statement (self, &replay->tried[i], item);
      self->n_measured += item->is_measured ? 1 : 0;
      for (guint side = 0; item->is_measured && side < KVSQL_TRIAL_SIDES; side++)
        {
          self->predicted[side] += item->tried->statement->weight * item->sides[side].predicted;
          self->measured[side] += item->tried->statement->weight * item->sides[side].median;
        }
    }
  correlate (self);
  return self;
}

void
kvsqlctl_findings_free (KvsqlctlFindings *self)
{
  if (self == NULL)
    return;
  g_free (self->items);
  g_free (self);
}

gboolean
kvsqlctl_findings_are_better (const KvsqlctlFindings *self)
{
  return self->n_measured > 0 && self->measured[1] <= (1 - WORTH) * self->measured[0];
}
