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

/* The calls of several such results, to be shown together. Free it. */
GPtrArray *kvsqlctl_calls_new (void);
/* Adds nothing if @result is not what was expected. */
gboolean kvsqlctl_calls_add (GPtrArray *self, KvsqlResult *result, GError **error);
void kvsqlctl_calls_show (const GPtrArray *self, Kvsqlctl *ctl);

G_END_DECLS
