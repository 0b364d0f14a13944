/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * backup.h: BACKUP TO.
 */
#pragma once

#include "core/engine/execution.h"
#include "core/engine/result-page.h"

G_BEGIN_DECLS

/**
 * kvsql_execute_backup:
 * @directory: (nullable): where backups are made; NULL: nowhere, and the statement fails
 *
 * Copies the store, and the definitions by copy_definitions() of the execution, into a new folder.
 * After an error that folder is removed.
 */
KvsqlResultPage *kvsql_execute_backup (const KvsqlExecution *execution,
                                       const KvsqlAstStatement *statement, const gchar *directory,
                                       GError **error);

G_END_DECLS
