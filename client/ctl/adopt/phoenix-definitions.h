/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * phoenix-definitions.h: the statements that define tables of Apache Phoenix in kvsql.
 */
#pragma once

#include "client/ctl/adopt/phoenix-catalog.h"

G_BEGIN_DECLS

typedef struct
{
  GPtrArray *notes;      /* (element-type utf8): what the reader should know, also if there are no
                          * statements */
  GPtrArray *statements; /* (element-type utf8): without ';', in their order */
} KvsqlctlPhoenixDefinition;

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
KvsqlctlPhoenixDefinition *kvsqlctl_phoenix_define (const GPtrArray *catalog,
                                                    const KvsqlctlPhoenixTable *table,
                                                    gboolean is_writable);
void kvsqlctl_phoenix_definition_free (KvsqlctlPhoenixDefinition *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlctlPhoenixDefinition, kvsqlctl_phoenix_definition_free)

G_END_DECLS
