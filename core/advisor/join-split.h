/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-split.h: a SELECT with joins as statements that read one relation each.
 */
#pragma once

#include "core/advisor/workload.h"

G_BEGIN_DECLS

/* Adds the parts of the join to the statements of the workload, in the order in which they are
 * read: the cheapest order, if there were the best schema for each of them. A part that is looked
 * up is executed for each row, or for each value, that the parts before it give. */
gboolean kvsql_join_split (KvsqlWorkload *workload, guint join,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
