/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * findings.h: what a trial has found, in numbers and as text or JSON.
 */
#pragma once

#include "client/ctl/verify/replay.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Of a statement on one side. Times are milliseconds. */
typedef struct
{
  gdouble predicted; /* in ms, or units of the planner */
  gdouble median, p95;
} KvsqlctlMeasured;

typedef struct
{
  const KvsqlctlTried *tried;
  gboolean is_measured;
  guint n; /* executions on each side */
  KvsqlctlMeasured sides[KVSQL_TRIAL_SIDES];
} KvsqlctlFinding;

typedef struct
{
  const KvsqlctlReplay *replay;
  gdouble share; /* of the tuples */
  guint32 seed;
  KvsqlctlFinding *items; /* by statement */
  guint n_measured;
  gdouble predicted[KVSQL_TRIAL_SIDES]; /* sums, each statement by its weight */
  gdouble measured[KVSQL_TRIAL_SIDES];
  gdouble correlation;          /* NAN: not known */
  gboolean is_in_ms;            /* predictions are times */
  const GPtrArray *differences; /* (element-type utf8) */
} KvsqlctlFindings;

KvsqlctlFindings *kvsqlctl_findings_new (const KvsqlctlReplay *replay, gdouble share, guint32 seed);
void kvsqlctl_findings_free (KvsqlctlFindings *self); /* accepts NULL */

/* Whether all statements together are faster by so much that it is worth the change. */
gboolean kvsqlctl_findings_are_better (const KvsqlctlFindings *self);

/* (transfer full) */
gchar *kvsqlctl_findings_to_text (const KvsqlctlFindings *self);
/* An object. (transfer full) */
JsonNode *kvsqlctl_findings_to_json (const KvsqlctlFindings *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlctlFindings, kvsqlctl_findings_free)

G_END_DECLS
