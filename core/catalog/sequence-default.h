/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sequence-default.h: which sequence gives the DEFAULT of an attribute.
 *
 * Threads: any.
 */
#pragma once

#include "core/schema/relation.h"

G_BEGIN_DECLS

/* The name in the registry of the sequence, if the expression is nextval ('…'); NULL: it is
 * something else. (transfer full) */
gchar *kvsql_expression_get_sequence (const KvsqlAstExpr *expr);

G_END_DECLS
