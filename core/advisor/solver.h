/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * solver.h: programs that find the best selection.
 *
 * A solver is three functions: new, solve, free. Equal problems have equal results, unless the time
 * limit ends the search.
 */
#pragma once

#include "core/advisor/choice.h"

G_BEGIN_DECLS

typedef struct
{
  const gchar *name;
  gpointer (*new) (const KvsqlChoice *choice);
  /* @best: (inout): a selection that is within the limits; replaced by a better one. @out_bound: no
   * selection costs less. FALSE: the solver has failed; @best is as it was. */
  gboolean (*solve) (gpointer self, gdouble seconds, KvsqlSelection *best, gdouble *out_bound,
                     GError **error);
  void (*free) (gpointer self);
} KvsqlSolver;

/* Branch and bound of our own. */
extern const KvsqlSolver kvsql_solver_builtin;
/* COIN-OR CBC, in a process of its own. It fails if CBC is not there. */
extern const KvsqlSolver kvsql_solver_cbc;

/**
 * kvsql_solve:
 * @solver: (nullable): "builtin" or "cbc"; %NULL: the built-in one, and if it does not end soon,
 * CBC
 * @out_gap: (out): the best selection may cost too much by this share of its cost at most
 *
 * KVSQL_ERROR_INVALID if no selection is within the limits.
 */
KvsqlSelection *kvsql_solve (const KvsqlChoice *choice, const gchar *solver, gdouble seconds,
                             gdouble *out_gap, GError **error);

/* ---- used by solvers */

/* The same for all classes at once. */
KvsqlSelection *kvsql_solve_whole (const KvsqlChoice *choice, const gchar *solver, gdouble seconds,
                                   gdouble *out_gap, GError **error);

/* Improves a selection step by step: adds, drops and exchanges items, and other primaries. */
void kvsql_selection_improve (KvsqlSelection *self, const KvsqlChoice *choice);
/* The smallest primary of each class. FALSE: it exceeds a limit. */
gboolean kvsql_selection_start (KvsqlSelection *self, const KvsqlChoice *choice);

G_END_DECLS
