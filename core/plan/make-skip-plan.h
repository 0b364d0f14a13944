/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * make-skip-plan.h: the skip scan of an access path.
 */
#pragma once

#include "core/plan/access-path.h"

G_BEGIN_DECLS

/**
 * kvsql_access_path_make_skip:
 * @self: has ranges and an estimate
 * @out: (out): the same access path with a skip scan
 *
 * Returns: %FALSE if a skip scan is not possible
 */
gboolean kvsql_access_path_make_skip (const KvsqlAccessPath *self, const KvsqlDnf *dnf,
                                      const KvsqlStoreCapabilities *capabilities, KvsqlArena *arena,
                                      KvsqlAccessPath *out);

G_END_DECLS
