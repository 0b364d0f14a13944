/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * calls.h: requests to the store as rows that people read.
 */
#pragma once

#include "client/ctl/kvsqlctl.h"

G_BEGIN_DECLS

/* Before a statement it asks for them instead. */
#define KVSQLCTL_CALLS_PREFIX "EXPLAIN (CALLS, FORMAT JSON) "

/**
 * kvsqlctl_show_calls:
 * @ctl: says the format
 * @result: of a statement with %KVSQLCTL_CALLS_PREFIX
 * @error: return location
 *
 * One row on stdout for each cell; as JSON what kvsqld said.
 */
gboolean kvsqlctl_show_calls (Kvsqlctl *ctl, KvsqlResult *result, GError **error);

G_END_DECLS
