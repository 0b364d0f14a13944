/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-move.h: an UPDATE that changes the KEY, where anchors decide writes. Steps and model:
 * checked-settle.h.
 */
#pragma once

#include "core/write/checked-anchors.h"

G_BEGIN_DECLS

/**
 * kvsql_checked_move:
 * @before: as it was read; has a tuple
 * @target: what was read for the new key; has no tuple
 * @new: the tuple with the new key
 *
 * Both keys are logged. *out_applied: FALSE: one of the two has changed, and both are to be read
 * again. Errors: as of kvsql_checked_apply().
 */
gboolean kvsql_checked_move (const KvsqlCheckedWriter *self, const KvsqlCheckedTuple *before,
                             const KvsqlCheckedTuple *target, const KvsqlValue *new,
                             gboolean *out_applied, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
