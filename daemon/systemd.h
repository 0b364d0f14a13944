/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * systemd.h: notifications to the service manager, and sockets from it.
 *
 * Outside systemd every call does nothing.
 *
 * Threads: the main thread only.
 */
#pragma once

#include <gio/gio.h>

#include "core/base/error.h"

G_BEGIN_DECLS

void kvsqld_systemd_ready (void);
/* The daemon reads its configuration again, until the next kvsqld_systemd_ready(). */
void kvsqld_systemd_reloading (void);
void kvsqld_systemd_stopping (void);
/* One line for `systemctl status`. */
void kvsqld_systemd_status (const gchar *format, ...) G_GNUC_PRINTF (1, 2);

/**
 * kvsqld_systemd_sockets:
 *
 * The listening sockets that the service manager opened for this process, with close-on-exec set. A
 * descriptor that is not a listening stream socket is an error, because it is a mistake in the
 * unit, and would otherwise stay hidden.
 *
 * Returns: (element-type gint) (transfer full): descriptors, which the caller has to close; may be
 * empty, or %NULL with %KVSQL_ERROR_INVALID
 */
GArray *kvsqld_systemd_sockets (GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Called in the main loop. FALSE: a part of the daemon is stuck, and the service manager is to
 * restart the daemon. */
typedef gboolean (*KvsqldIsWell) (gpointer data);

/* If the unit has WatchdogSec, pings from the default main context at half that time, as long as
 * @is_well returns TRUE. If it returns FALSE, or if the main loop hangs, the service manager
 * restarts the daemon. Returns: the source to destroy, 0 if there is no watchdog. */
guint kvsqld_systemd_watchdog_start (KvsqldIsWell is_well, gpointer data);

G_END_DECLS
