/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * statement-shape.h: a statement's text without what was a value: to be shown and logged.
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
 * Returns: (transfer full): one line of at most 1,000 bytes: every literal is `?`, many in a row
 * are one, comments are gone. What does not read as SQL is left out from there on, and so is what
 * stands behind the first 64 KiB. Statements
 * that differ only in their values have one shape.
 */
gchar *kvsqld_statement_shape (KvsqlSlice sql);

G_END_DECLS
