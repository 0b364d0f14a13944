/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * solver-process.h: runs a solver in a child process.
 */
#pragma once

#include "core/advisor/solver.h"

G_BEGIN_DECLS

/* Runs in the child. Sets the items and primaries of @out, and @out_bound. FALSE: nothing found. */
typedef gboolean (*KvsqlSolverFunction) (const KvsqlChoice *choice, const KvsqlSelection *start,
                                         gdouble seconds, KvsqlSelection *out, gdouble *out_bound);

/* The child has no output, at most twice the time, and takes nothing else from its parent. The
 * caller has no other threads that hold locks, as the child is a fork without exec. */
gboolean kvsql_solver_process_run (const KvsqlChoice *choice, const KvsqlSelection *start,
                                   gdouble seconds, KvsqlSolverFunction solve, KvsqlSelection *out,
                                   gdouble *out_bound, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
