/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * backfill.h: checks the schema of BACKFILL.
 */
#pragma once

#include "core/engine/execution.h"

G_BEGIN_DECLS

/* The schema that BACKFILL SCHEMA names. NULL if it is the primary, or only read, or if its
 * relation has no primary schema. */
const KvsqlSchema *kvsql_execution_find_fillable (const KvsqlExecution *self, const KvsqlName *name,
                                                  GError **error);

G_END_DECLS
