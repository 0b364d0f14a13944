/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-tsdb.h: what each{…} has to know of OpenTSDB's points (el-tsdb.c).
 */
#pragma once

#include "core/layout/layout-types.h"

G_BEGIN_DECLS

/* Finds the tsdb_offset of each tsdb_value of a cell. Fails if one of the two is alone, or not in
 * its place. @fields: (array length=KVSQL_N_FIELDS): the compiled fields, with one element each */
gboolean kvsql_tsdb_resolve (KvsqlSequence *const *fields,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Whether the sequence is the value of a point. */
gboolean kvsql_tsdb_is_value (const KvsqlSequence *sequence);
/* The number of bytes of the value, which its tsdb_offset gives. That one was decoded before, with
 * the same slots. */
gsize kvsql_tsdb_get_width (const KvsqlSequence *value, const KvsqlSlot *slots);

G_END_DECLS
