/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * solver-cbc.c: solves a choice with COIN-OR CBC.
 *
 * The model, with all variables binary:
 *
 *   min  Σ cost_i x_i + Σ weight_g cost_p y_p
 *   Σ y_p over the plans of g = 1, or z_g if g is conditional
 *   y_p <= x_item(p), y_p <= r_primary(p)
 *   r_i <= x_i, Σ r_i over a class = 1
 *   z_g >= x_t for each trigger t
 *   Σ size_i x_i <= limit, Σ x_i over a class <= limit
 *
 * CBC may abort, prints where it wants, and is not safe with threads. So it runs in a child
 * process, which also is the only one that loads it.
 */
#include "config.h"

#include "core/advisor/solver.h"
#include "core/base/error.h"

#include <math.h>

#ifdef HAVE_CBC
#include "core/advisor/cbc-model.h"
#include "core/advisor/solver-process.h"
#endif

typedef struct
{
  const KvsqlChoice *choice;
} Cbc;

static gpointer
cbc_new (const KvsqlChoice *choice)
{
  Cbc *self = g_new0 (Cbc, 1);

  self->choice = choice;
  return self;
}

static gboolean
cbc_solve (gpointer data, gdouble seconds, KvsqlSelection *best, gdouble *out_bound, GError **error)
{
#ifdef HAVE_CBC
  Cbc *self = data;
  g_autoptr (KvsqlSelection) found = kvsql_selection_new (self->choice);
  g_autoptr (GError) problem = NULL;

  if (!kvsql_solver_process_run (self->choice, best, seconds, kvsql_cbc_solve, found, out_bound,
                                 &problem))
    {
      *out_bound = -INFINITY; /* it looks at its clock too rarely: no bound, and no better one */
      if (g_error_matches (problem, KVSQL_ERROR, KVSQL_ERROR_LIMIT))
        return TRUE;
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }
  kvsql_selection_evaluate (found, self->choice);
  if (kvsql_selection_compare (found, best) < 0)
    kvsql_selection_copy (best, found, self->choice);
  return TRUE;
#else
  return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, KVSQL_SPAN_NONE,
                          "kvsql was built without CBC");
#endif
}

const KvsqlSolver kvsql_solver_cbc = {
  .name = "cbc",
  .new = cbc_new,
  .solve = cbc_solve,
  .free = g_free,
};
