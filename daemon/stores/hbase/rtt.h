/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rtt.h: the round-trip time of a TCP connection.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The smallest recent round-trip time of a TCP connection in microseconds, as the kernel measures
 * it from acknowledgements. An answer spent at least this time on the network. 0: unknown. */
gint64 kvsqld_t2_min_rtt (gint fd);

G_END_DECLS
