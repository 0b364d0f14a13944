/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * scan-cut.h: cuts a scan into parts that can be read in parallel.
 */
#pragma once

#include "core/scan/table-scan.h"

G_BEGIN_DECLS

/**
 * kvsql_scan_cut:
 * @path: of a schema whose tuples lie in one row each
 * @position: (nullable): only what comes after it
 * @n_wanted: how many parts, at least 1; each of several tables is at least one part
 * @arena: owns the parts and their bytes
 * @out_n_parts: (out): 0 if the scan can only be read as a whole
 *
 * The parts together, in their order, give the tuples of the scan in its order. The position, if a
 * scan can still resume from it, lies in the first part.
 */
gboolean kvsql_scan_cut (KvsqlStore *store, const KvsqlAccessPath *path,
                         const KvsqlAttributeSet *wanted, const KvsqlScanPosition *position,
                         guint n_wanted, const KvsqlCall *call, KvsqlArena *arena,
                         KvsqlScanPart **out_parts, guint *out_n_parts,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
