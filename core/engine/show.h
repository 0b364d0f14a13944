/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * show.h: SHOW of what the catalog has.
 */
#pragma once

#include "core/engine/execution.h"
#include "core/engine/result-page.h"

G_BEGIN_DECLS

/* SHOW RELATIONS, SHOW SCHEMAS and SHOW CREATE. */
KvsqlResultPage *kvsql_execute_show (const KvsqlExecution *execution, const KvsqlShow *show,
                                     GError **error);

G_END_DECLS
