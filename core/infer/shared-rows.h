/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * shared-rows.h: whether families have the same rows.
 */
#pragma once

#include "core/infer/lines.h"

G_BEGIN_DECLS

/* Whether the rows of the smaller families of the lines are mostly rows of others of them. */
gboolean kvsql_infer_share_rows (const KvsqlInferLines *lines, const KvsqlRows *rows);

G_END_DECLS
