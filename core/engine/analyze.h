/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * analyze.h: ANALYZE.
 */
#pragma once

#include "core/engine/execution.h"
#include "core/engine/result-page.h"

G_BEGIN_DECLS

/**
 * kvsql_execute_analyze:
 * @out_statistics: (out) (transfer full)
 *
 * Samples the relation, for half of the time that is left.
 */
KvsqlResultPage *kvsql_execute_analyze (const KvsqlExecution *execution, const KvsqlName *relation,
                                        KvsqlStatistics **out_statistics, GError **error);

G_END_DECLS
