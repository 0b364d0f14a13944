/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * shown-type.h: how clients of PostgreSQL see what is computed: a time with its zone, a DECIMAL
 * with its zeros.
 *
 * A value does not have them: a TIMESTAMP is one of UTC, and 12.50 is 12.5. So they are found from
 * the types of the operands. PostgreSQL counts the digits of each value: where these differ within
 * a column, as in CASE WHEN b THEN price ELSE 0 END, all values are shown with the most digits.
 */
#pragma once

#include "core/expr/expr.h"

G_BEGIN_DECLS

/* The digits after the point with which @expr is shown. FALSE: not known. */
gboolean kvsql_expr_find_scale (const KvsqlExpr *expr, guint *out);

/* Sets the limit of @self, if it has none, to kind ZONE or SCALE. */
void kvsql_expr_note_shown (KvsqlExpr *self);

G_END_DECLS
