/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * calls.h: shows requests to the store as rows.
 */
#pragma once

#include "client/ctl/kvsqlctl.h"

G_BEGIN_DECLS

/* Put before a statement, it asks for the requests instead of running the statement. */
#define KVSQLCTL_CALLS_PREFIX "EXPLAIN (CALLS, FORMAT JSON) "

/**
 * kvsqlctl_show_calls:
 * @ctl: contains the output format
 * @result: of a statement with %KVSQLCTL_CALLS_PREFIX
 * @error: return location
 *
 * Writes one row to stdout for each cell; as JSON, the answer of kvsqld.
 */
gboolean kvsqlctl_show_calls (Kvsqlctl *ctl, KvsqlResult *result,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The calls of several such results, to be shown as one table. Free it. */
GPtrArray *kvsqlctl_calls_new (void);
/* Adds nothing if @result is not of such a statement. */
gboolean kvsqlctl_calls_add (GPtrArray *self, KvsqlResult *result,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
void kvsqlctl_calls_show (const GPtrArray *self, Kvsqlctl *ctl);

G_END_DECLS
