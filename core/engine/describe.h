/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * describe.h: DESCRIBE.
 */
#pragma once

#include "core/engine/execution.h"
#include "core/engine/result-page.h"

G_BEGIN_DECLS

/* Describes the relation or schema with that name. */
KvsqlResultPage *kvsql_execute_describe (const KvsqlExecution *execution, const KvsqlName *name,
                                         GError **error);

/* A field of a schema as in its definition. (transfer full) */
gchar *kvsql_schema_field_text (const KvsqlSchema *schema, KvsqlField field);
/* Adds which other schemas may share cells with this one. */
void kvsql_describe_sharing (KvsqlResultPage *page, const KvsqlSchema *schema);

G_END_DECLS
