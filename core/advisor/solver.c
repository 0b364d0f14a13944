/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * solver.c: solves a choice, by one solver or several.
 */
#include "config.h"

#include "core/advisor/solver.h"
#include "core/base/error.h"

#include <math.h>

/* For how long the built-in solver runs before CBC is asked. */
#define BUILTIN_SECONDS 2.0

static gboolean
run (const KvsqlSolver *solver, const KvsqlChoice *choice, gdouble seconds, KvsqlSelection *best,
     gdouble *bound, GError **error)
{
  gpointer self = solver->new (choice);
  gdouble found = -INFINITY;
  gboolean is_done = solver->solve (self, seconds, best, &found, error);

  solver->free (self);
  if (is_done)
    *bound = MAX (*bound, found);
  return is_done;
}

/* The built-in one, and CBC if that was not enough. Without CBC, the built-in one goes on. */
static gboolean
run_both (const KvsqlChoice *choice, gdouble seconds, KvsqlSelection *best, gdouble *bound,
          GError **error)
{
  gdouble first = MIN (seconds, BUILTIN_SECONDS), rest = seconds - first;

  if (!run (&kvsql_solver_builtin, choice, first, best, bound, error))
    return FALSE;
  if (*bound >= best->cost || rest <= 0)
    return TRUE;
  return run (&kvsql_solver_cbc, choice, rest, best, bound, NULL)
         || run (&kvsql_solver_builtin, choice, rest, best, bound, error);
}

static gboolean
run_named (const gchar *name, const KvsqlChoice *choice, gdouble seconds, KvsqlSelection *best,
           gdouble *bound, GError **error)
{
  if (name == NULL)
    return run_both (choice, seconds, best, bound, error);
  if (strcmp (name, kvsql_solver_builtin.name) == 0)
    return run (&kvsql_solver_builtin, choice, seconds, best, bound, error);
  if (strcmp (name, kvsql_solver_cbc.name) == 0)
    return run (&kvsql_solver_cbc, choice, seconds, best, bound, error);
  return kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, KVSQL_SPAN_NONE,
                          "solver \"%s\" does not exist", name)
         || kvsql_error_hint (error, "There are: builtin, cbc.");
}

static gboolean
fail_infeasible (const KvsqlChoice *choice, const KvsqlSelection *least, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                   "the primary schemas need %.0f bytes, more than the storage limit of %.0f",
                   least->size, choice->size_limit);
  return kvsql_error_hint (error, "The primary of each relation holds all its attributes.");
}

KvsqlSelection *
kvsql_solve (const KvsqlChoice *choice, const gchar *solver, gdouble seconds, gdouble *out_gap,
             GError **error)
{
  g_autoptr (KvsqlSelection) best = kvsql_selection_new (choice);
  gdouble bound = -INFINITY;

  if (!kvsql_selection_start (best, choice))
    {
      fail_infeasible (choice, best, error);
      return NULL;
    }
  kvsql_selection_improve (best, choice);
  if (!run_named (solver, choice, seconds, best, &bound, error))
    return NULL;
  kvsql_selection_improve (best, choice);
  *out_gap = best->cost > 0 ? CLAMP ((best->cost - bound) / best->cost, 0, 1) : 0;
  if (*out_gap < 1e-9)
    *out_gap = 0;
  return g_steal_pointer (&best);
}
