/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * systemd.h: what kvsqld tells the service manager, and the sockets it gets from it.
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
/* Between this and the next kvsqld_systemd_ready() the daemon is reading its configuration again.
 */
void kvsqld_systemd_reloading (void);
void kvsqld_systemd_stopping (void);
/* One line for `systemctl status`. */
void kvsqld_systemd_status (const gchar *format, ...) G_GNUC_PRINTF (1, 2);

/**
 * kvsqld_systemd_sockets:
 *
 * The listening sockets that the service manager opened for this process, close-on-exec set. What
 * is handed over but is no listening stream socket is an error: it is a mistake in the unit that
 * would otherwise hide.
 *
 * Returns: (element-type gint) (transfer full): descriptors, the caller's to close; maybe empty, or
 * %NULL with %KVSQL_ERROR_INVALID
 */
GArray *kvsqld_systemd_sockets (GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Main loop; FALSE: something is stuck, and the service manager shall find out. */
typedef gboolean (*KvsqldIsWell) (gpointer data);

/* If the unit has WatchdogSec, pings from the default main context at half that time while
 * @is_well: else, or if the main loop hangs, the daemon is restarted. Returns: the source to
 * destroy, 0 if there is no watchdog. */
guint kvsqld_systemd_watchdog_start (KvsqldIsWell is_well, gpointer data);

G_END_DECLS
