/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * created-schema.h: the schemas of CREATE TABLE and CREATE INDEX, whose layout kvsql chooses.
 *
 * The layout is written as the text of DEFINE SCHEMA, which is then decided as if a user had given
 * it. Row keys are OrderedBytes: they sort as the values of the columns, one column after another.
 */
#pragma once

#include "core/engine/definitions-private.h"

G_BEGIN_DECLS

/* "stem", or "stem1", "stem2" …: a name that no schema has. (transfer full) */
gchar *kvsql_unused_schema_name (const KvsqlCatalog *catalog, const gchar *stem);

/* A name for a table that no schema has as its table, and that is empty or does not exist: @stem
 * without what not every store takes, and with a number if that is used. (transfer full) */
gchar *kvsql_unused_table_name (const KvsqlExecution *execution, const gchar *stem);

/* Adds "ordered{a}", after a colon if it is not the first element. */
void kvsql_append_ordered (const KvsqlAttribute *attribute, gboolean is_descending,
                           GString *layout);
void kvsql_append_attribute_name (const KvsqlAttribute *attribute, GString *out);

/* Parses the text of a DEFINE SCHEMA, in the decision's arena. */
const KvsqlDefineSchema *kvsql_created_schema_parse (const KvsqlDecision *self, const gchar *text,
                                                     GError **error);
/* An error about such a text becomes one about the part of the statement at @span. Returns: %FALSE
 */
gboolean kvsql_created_schema_fail (GError *failure, KvsqlSpan span, GError **error);

G_END_DECLS
