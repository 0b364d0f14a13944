/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * zone.c: see the header.
 */
#include "config.h"

#include "core/base/zone.h"

/* GLib caches zones that are in use. This table keeps them in use. It has no more zones than the
 * database. */
GTimeZone *
kvsql_zone_find (const gchar *name)
{
  static GMutex mutex;
  static GHashTable *zones;
  GTimeZone *zone;

  g_mutex_lock (&mutex);
  if (zones == NULL)
    zones = g_hash_table_new (g_str_hash, g_str_equal);
  zone = g_hash_table_lookup (zones, name);
  if (zone == NULL)
    {
      zone = g_time_zone_new_identifier (name);
      if (zone != NULL)
        g_hash_table_insert (zones, g_strdup (name), zone);
    }
  g_mutex_unlock (&mutex);
  return zone;
}

gint64
kvsql_zone_get_offset (GTimeZone *zone, gint64 utc)
{
  gint64 seconds = utc / 1000 - (utc % 1000 < 0);
  gint interval = g_time_zone_find_interval (zone, G_TIME_TYPE_UNIVERSAL, seconds);

  return (gint64)g_time_zone_get_offset (zone, interval) * 1000;
}
