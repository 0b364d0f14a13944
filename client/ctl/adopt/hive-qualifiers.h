/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * hive-qualifiers.h: which qualifiers of a family are keys of a map.
 *
 * In Hive, a map of a family also has the cells that are columns of their own. In kvsql a cell is
 * in one line of CELLS, so the map has the cells that no other column has.
 */
#pragma once

#include "client/ctl/adopt/hive-mapping.h"

G_BEGIN_DECLS

/**
 * kvsqlctl_hive_qualifiers_write:
 * @place: of the map, a column of a whole family
 * @hides_prefix: the keys are what is after the text with which all qualifiers begin
 * @key: the layout of a key: map_key(…)
 * @out_reason: (out) (nullable): why it is not possible
 * @out_is_narrower: (out): other columns have cells of the family
 *
 * The layout of the qualifiers of a map.
 *
 * Returns: (transfer full) (nullable)
 */
gchar *kvsqlctl_hive_qualifiers_write (const GPtrArray *mappings, guint place,
                                       gboolean hides_prefix, const gchar *key,
                                       const gchar **out_reason, gboolean *out_is_narrower);

G_END_DECLS
