/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * statement-shape.h: the text of a statement without its values, for display and log.
 *
 * Threads: any.
 */
#pragma once

#include "core/base/slice.h"

G_BEGIN_DECLS

/**
 * kvsqld_statement_shape:
 * @sql: a statement, or any text
 *
 * Returns: (transfer full): one line of at most 1,000 bytes. Every literal is `?`, a list of
 * literals is one `?`, and comments are removed. The name of a table in TABLE 't' is kept, if it is
 * printable ASCII. The text ends where it cannot be read as SQL, and after the first 64 KiB.
 * Statements that differ only in their values have the same shape.
 */
gchar *kvsqld_statement_shape (KvsqlSlice sql);

G_END_DECLS
