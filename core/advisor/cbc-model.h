/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cbc-model.h: a choice as a model of CBC.
 */
#pragma once

#include "core/advisor/choice.h"

G_BEGIN_DECLS

/* For kvsql_solver_process_run(): loads CBC, and solves the choice. */
gboolean kvsql_cbc_solve (const KvsqlChoice *choice, const KvsqlSelection *start, gdouble seconds,
                          KvsqlSelection *out, gdouble *out_bound);

G_END_DECLS
