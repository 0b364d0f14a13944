/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * show-views.h: SHOW VIEWS, SHOW CREATE and DESCRIBE of a view, and its columns.
 */
#pragma once

#include "core/engine/execution.h"
#include "core/engine/result-page.h"

G_BEGIN_DECLS

KvsqlResultPage *kvsql_execute_show_views (const KvsqlExecution *execution, GError **error);
KvsqlResultPage *kvsql_execute_show_create_view (const KvsqlView *view);
/* The columns that it has now, as its relations are. */
KvsqlResultPage *kvsql_execute_describe_view (const KvsqlExecution *execution,
                                              const KvsqlView *view, GError **error);

/* These columns. NULL: an error, such as that what it reads is gone. (transfer none): in the arena
 * of the execution's binder */
const KvsqlResultColumn *kvsql_execution_list_view_columns (const KvsqlExecution *execution,
                                                            const KvsqlView *view, guint *out_n,
                                                            GError **error);

G_END_DECLS
