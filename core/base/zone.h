/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * zone.h: zones of the system's time zone database (Debian's package tzdata).
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* "Europe/Berlin". (transfer none): it is kept until the process ends. NULL: there is none. */
GTimeZone *kvsql_zone_find (const gchar *name);

/* How much its clocks are ahead of UTC at @utc; both in milliseconds. */
gint64 kvsql_zone_get_offset (GTimeZone *zone, gint64 utc);

G_END_DECLS
