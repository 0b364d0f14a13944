/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * solver.c: solves a choice as a whole, by one solver or several.
 */
#include "config.h"

#include "core/advisor/solver.h"
#include "core/base/error.h"

#include <math.h>

/* For how long the built-in solver runs before CBC is asked. */
#define BUILTIN_SECONDS 2.0
/* The part of the time for local search, before and after the solvers. */
#define SHARE_OF_SEARCH 0.25
/* The built-in solver has a table of groups and items, of 8 bytes each. */
#define MAX_CELLS 10000000.0

static gboolean
is_large (const KvsqlChoice *choice)
{
  return (gdouble)choice->n_groups * choice->n_items > MAX_CELLS;
}

static gboolean
run (const KvsqlSolver *solver, const KvsqlChoice *choice, gdouble seconds, KvsqlSelection *best,
     gdouble *bound, GError **error)
{
  gdouble found = -INFINITY;
  gboolean is_done;
  gpointer self;

  if (is_large (choice))
    return TRUE; /* what local search has found stays, without a bound */
  self = solver->new (choice);
  is_done = solver->solve (self, seconds, best, &found, error);
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
  return run (&kvsql_solver_cbc, choice, seconds, best, bound, error);
}

static gboolean
check_name (const gchar *name, GError **error)
{
  if (name == NULL || strcmp (name, kvsql_solver_builtin.name) == 0
      || strcmp (name, kvsql_solver_cbc.name) == 0)
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, KVSQL_SPAN_NONE,
                          "solver \"%s\" does not exist", name)
         || kvsql_error_hint (error, "There are: builtin, cbc.");
}

static gboolean
fail_infeasible (const KvsqlChoice *choice, const KvsqlSelection *least, GError **error)
{
  if (least->size <= choice->size_limit)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                       "more schemas must stay than the limit of %u of a relation",
                       choice->count_limit);
      return kvsql_error_hint (error, "The primary must stay, and those of --keep.");
    }
  kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                   "the primary schemas need %.0f bytes, more than the storage limit of %.0f",
                   least->size, choice->size_limit);
  return kvsql_error_hint (error, "The primary of each relation holds all its attributes. Schemas "
                                  "that must stay count, too.");
}

/* Until a time from now on. */
static void
set_deadline (KvsqlChoice *choice, gdouble seconds)
{
  choice->deadline_us = g_get_monotonic_time () + (gint64)(MIN (seconds, 1e9) * G_USEC_PER_SEC);
}

KvsqlSelection *
kvsql_solve_whole (const KvsqlChoice *original, const gchar *solver, gdouble seconds,
                   gdouble *out_gap, GError **error)
{
  g_autoptr (KvsqlSelection) best = kvsql_selection_new (original);
  gdouble bound = -INFINITY, for_search = seconds * SHARE_OF_SEARCH;
  KvsqlChoice choice = *original;

  if (!check_name (solver, error))
    return NULL;
  if (!kvsql_selection_start (best, &choice))
    {
      fail_infeasible (&choice, best, error);
      return NULL;
    }
  set_deadline (&choice, for_search);
  kvsql_selection_improve (best, &choice);
  set_deadline (&choice, seconds - 2 * for_search);
  if (!run_named (solver, &choice, seconds - 2 * for_search, best, &bound, error))
    return NULL;
  set_deadline (&choice, for_search);
  kvsql_selection_improve (best, &choice);
  *out_gap = best->cost > 0 ? CLAMP ((best->cost - bound) / best->cost, 0, 1) : 0;
  if (*out_gap < 1e-9)
    *out_gap = 0;
  return g_steal_pointer (&best);
}
