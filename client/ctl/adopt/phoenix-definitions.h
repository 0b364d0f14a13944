/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * phoenix-definitions.h: the statements that define tables of Apache Phoenix in kvsql.
 */
#pragma once

#include "client/ctl/adopt/definition.h"
#include "client/ctl/adopt/phoenix-catalog.h"

G_BEGIN_DECLS

/**
 * kvsqlctl_phoenix_define:
 * @catalog: (element-type KvsqlctlPhoenixTable)
 * @table: a table or view of it
 * @is_writable: not only for reading, if Phoenix then finds what kvsql writes
 *
 * The statements define a table with its indexes, or a view. What is not possible is in the notes.
 *
 * Returns: (transfer full)
 */
KvsqlctlDefinition *kvsqlctl_phoenix_define (const GPtrArray *catalog,
                                             const KvsqlctlPhoenixTable *table,
                                             gboolean is_writable);

G_END_DECLS
