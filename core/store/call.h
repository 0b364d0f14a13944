/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * call.h: the context of a call of a store or a registry.
 */
#pragma once

#include <gio/gio.h>

#include "core/base/error.h"
#include "core/store/usage.h"

G_BEGIN_DECLS

/* The context of a call: deadline, cancellation, accounting. */
typedef struct
{
  gint64 deadline_us;        /* as of g_get_monotonic_time(); 0: none */
  GCancellable *cancellable; /* nullable */
  KvsqlUsage *usage;         /* nullable: counts the call, in addition to the store's own usage */
  gconstpointer tag;         /* nullable: of the caller; stores do not use it */
} KvsqlCall;

/* FALSE with KVSQL_ERROR_DEADLINE after the call's cancellation or deadline, and with
 * KVSQL_ERROR_LIMIT if its statement holds too much memory. */
gboolean kvsql_call_check (const KvsqlCall *call, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Before @n tuples are written: kvsql_usage_count_written(). */
gboolean kvsql_call_count_written (const KvsqlCall *call, guint64 n,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
