/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * printer-private.h: shared by the parts of the printer.
 */
#pragma once

#include "core/base/decimal.h"
#include "core/sql/ast.h"

G_BEGIN_DECLS

/* A literal that is parsed to the same type. */
void kvsql_print_value (const KvsqlValue *value, GString *out);
void kvsql_print_expressions (KvsqlAstExpr *const *exprs, guint n,
                              GString *out);                                    /* joined by ", " */
void kvsql_print_groups (KvsqlAstExpr *const *elements, guint n, GString *out); /* of GROUP BY */
void kvsql_print_window (const KvsqlAstExpr *expr, GString *out); /* what is in parentheses */
void kvsql_print_attribute (const KvsqlAttributeDefinition *attribute, GString *out);
void kvsql_print_constraint (const KvsqlConstraintDefinition *self, GString *out);
void kvsql_print_constraints (const KvsqlConstraintDefinition *self, guint n, const gchar *first,
                              const gchar *separator,
                              GString *out); /* after @first, and then after @separator */
void kvsql_print_options (const KvsqlOptions *self, GString *out); /* " WITH (…)", or nothing */
void kvsql_print_create_table (const KvsqlCreateTable *self, GString *out);
void kvsql_print_create_index (const KvsqlCreateIndex *self, GString *out);
void kvsql_print_create_view (const KvsqlCreateView *self, GString *out);
void kvsql_print_names (const KvsqlName *names, guint n, GString *out); /* text NULL: PUBLIC */
void kvsql_print_patterns (const KvsqlValue *patterns, guint n, GString *out);
void kvsql_print_grant (const KvsqlGrantStatement *self, GString *out);
void kvsql_print_set_role (const KvsqlSetRole *self, GString *out);
void kvsql_print_copy (const KvsqlCopy *self, GString *out);
void kvsql_print_create_sequence (const KvsqlCreateSequence *self, GString *out);
void kvsql_print_identity (const KvsqlAttributeDefinition *attribute, GString *out);
void kvsql_print_role (const KvsqlRoleStatement *self, GString *out);
void kvsql_print_select (const KvsqlSelect *self, GString *out);
void kvsql_print_insert (const KvsqlInsert *self, GString *out);
void kvsql_print_update (const KvsqlUpdate *self, GString *out);
void kvsql_print_delete (const KvsqlDelete *self, GString *out);
void kvsql_print_truncate (const KvsqlTruncate *self, GString *out);

/* The name of a type, including MAP<STRING, INT>. */
void kvsql_print_type (const KvsqlName *name, GString *out);

G_END_DECLS
