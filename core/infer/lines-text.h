/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * lines-text.h: the text of a CELLS block, and names for its attributes.
 */
#pragma once

#include "core/infer/layout-text.h"
#include "core/infer/lines.h"

G_BEGIN_DECLS

/* (transfer full): a name for each line, NULL where it has no single attribute; they are taken from
 * @names, so before those of ROW. */
GPtrArray *kvsql_infer_take_line_names (const KvsqlInferLines *lines, KvsqlInferNames *names);

/* Appends CELLS { … }, and the attributes to @attributes (element-type KvsqlInferAttribute).
 * @of_lines: from kvsql_infer_take_line_names () */
void kvsql_infer_append_lines (const KvsqlInferLines *lines, const GPtrArray *of_lines,
                               KvsqlInferNames *names, GArray *attributes, GString *out);

G_END_DECLS
