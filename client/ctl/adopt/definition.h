/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * definition.h: the statements that define a table of another program in kvsql.
 */
#pragma once

#include "client/ctl/kvsqlctl.h"

G_BEGIN_DECLS

typedef struct
{
  GPtrArray *notes;      /* (element-type utf8): what the reader should know, also if there are no
                          * statements */
  GPtrArray *statements; /* (element-type utf8): without ';', in their order */
} KvsqlctlDefinition;

KvsqlctlDefinition *kvsqlctl_definition_new (void);
void kvsqlctl_definition_free (KvsqlctlDefinition *self);
void kvsqlctl_definition_note (KvsqlctlDefinition *self, const gchar *format, ...)
    G_GNUC_PRINTF (2, 3);
/* @statement: (transfer full) */
void kvsqlctl_definition_take (KvsqlctlDefinition *self, gchar *statement);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlctlDefinition, kvsqlctl_definition_free)

G_END_DECLS
