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
gchar *kvsql_unused_table_name (const KvsqlExecution *execution, const gchar *stem, GError **error);

/* Adds "ordered{a}", after a colon if it is not the first element. */
void kvsql_append_ordered (const KvsqlAttribute *attribute, gboolean is_descending,
                           GString *layout);
void kvsql_append_attribute_name (const KvsqlAttribute *attribute, GString *out);

/**
 * kvsql_decision_add_created_schema:
 * @text: a DEFINE SCHEMA
 * @warns: if the schema has to be filled
 * @span: the part of the statement that errors are about
 *
 * Decides it as kvsql_decision_add_schema() does.
 */
gboolean kvsql_decision_add_created_schema (KvsqlDecision *self, const KvsqlCatalogEntry *entry,
                                            const gchar *text, gboolean warns, KvsqlSpan span,
                                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
