/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-load.h: many tuples in few requests.
 *
 * A compare-and-set is a request for each anchor. A load has no condition: its tuples replace what
 * is there. So it puts new versions of all its anchors in one request, and reads them again in one
 * request, to find out what became of them:
 *
 *   - the load's version is the newest one: the tuple is written as after a compare-and-set.
 * Checked writes and loads that came after the load had read the anchor are below it, and their
 * tuples are older tuples of it (anchor.h);
 *   - the payload of the load is gone, as a checked write has replaced it, or another load's
 * version is the newest one: the tuple was there, and was replaced;
 *   - the payload is there, and the newest version is that of a checked write, which did not know
 *     it: the tuple was never there, and is to be written again.
 *
 * An anchor that is pending when the load reads it is replaced by a compare-and-set.
 *
 * tests/model/anchor.pml is the model, load.pml that of loads next to moves.
 */
#pragma once

#include "core/write/checked-write.h"

G_BEGIN_DECLS

/* As kvsql_checked_apply(), for changes with a new tuple that does not depend on the one before. */
gboolean kvsql_checked_load (const KvsqlCheckedWriter *self, KvsqlCheckedChange *changes, guint n,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
