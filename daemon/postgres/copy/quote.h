/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * quote.h: a field of COPY TO in the text or CSV format.
 */
#pragma once

#include "core/base/slice.h"

G_BEGIN_DECLS

typedef struct _KvsqlCopy KvsqlCopy; /* core/sql/ast-copy.h */

/**
 * kvsqld_pg_quote_field:
 * @out: its bytes from @start on are the text of the value, and become the field
 * @is_forced: the value is in quotes in any case (CSV)
 * @is_alone: the line has no other field (CSV: \. would end the data)
 */
void kvsqld_pg_quote_field (const KvsqlCopy *copy, KvsqlBuffer *out, gsize start,
                            gboolean is_forced, gboolean is_alone);

G_END_DECLS
