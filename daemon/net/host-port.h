/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * host-port.h: HOST:PORT, as in addresses to listen on, stores and registries.
 *
 * An IPv6 host is in brackets, and may then be followed by a port: [::1]:5797. The host is not
 * looked up. A port is a number, not the name of a service.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define KVSQLD_PORT_REQUIRED (-1)

/**
 * kvsqld_host_port_parse:
 * @text: "host:port", or only "host" if there is a default
 * @least_port: the least port, 0 or 1
 * @default_port: the port of a @text that has none, or %KVSQLD_PORT_REQUIRED
 * @out_host: (out) (transfer full): the host without brackets; not set on failure
 * @out_port: (out): the port; not set on failure
 *
 * Returns: (nullable): %NULL on success, else what is wrong with @text, as the end of a message
 */
const gchar *kvsqld_host_port_parse (const gchar *text, guint least_port, gint default_port,
                                     gchar **out_host, guint16 *out_port) G_GNUC_WARN_UNUSED_RESULT;

/* "host:port", which is parsed to the same again. (transfer full) */
gchar *kvsqld_host_port_print (const gchar *host, guint16 port);

G_END_DECLS
