/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * calibrate.h: CALIBRATE.
 */
#pragma once

#include "core/engine/execution.h"
#include "core/engine/result-page.h"

G_BEGIN_DECLS

/**
 * kvsql_execute_calibrate:
 *
 * Measures what the operations of the store cost, for up to half of the time that is left, and at
 * most 20 seconds. A row for each of them: in microseconds, and in units of the planner.
 */
KvsqlResultPage *kvsql_execute_calibrate (const KvsqlExecution *execution,
                                          KvsqlStoreCosts *out_costs, GError **error);

G_END_DECLS
