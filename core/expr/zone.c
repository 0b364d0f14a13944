/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * zone.c: see the header.
 */
#include "config.h"

#include "core/expr/zone.h"

#define DAY_S (24 * 60 * 60)
#define MAX_NAME_BYTES 64
/* More than the database has names. Spellings of one name are several. */
#define MAX_ZONES 2000

struct _KvsqlZone
{
  GTimeZone *zone;
};

/* By the name as it was written. GLib would read the zone's file again each time. */
static GMutex mutex;
static GHashTable *zones;

/* A name is part of a path of a file, so it has neither points nor a "/" at its begin. */
static gboolean
is_name (KvsqlSlice name)
{
  if (name.size == 0 || name.size > MAX_NAME_BYTES || !g_ascii_isalpha (name.data[0]))
    return FALSE;
  for (gsize i = 0; i < name.size; i++)
    if (!g_ascii_isalnum (name.data[i]) && strchr ("/_-+", name.data[i]) == NULL)
      return FALSE;
  return TRUE;
}

/* europe/isle_of_man → Europe/Isle_Of_Man, and so on: the files have such names. */
static gchar *
change_case (const gchar *name, gboolean is_upper)
{
  gchar *changed = is_upper ? g_ascii_strup (name, -1) : g_ascii_strdown (name, -1);

  for (gchar *at = changed; *at != '\0'; at++)
    if (at == changed || strchr ("/_-", at[-1]) != NULL)
      *at = g_ascii_toupper (*at);
  return changed;
}

static GTimeZone *
open_zone (const gchar *name)
{
  GTimeZone *zone = g_time_zone_new_identifier (name);

  for (guint is_upper = 0; is_upper < 2 && zone == NULL; is_upper++)
    {
      g_autofree gchar *changed = change_case (name, is_upper != 0);

      zone = g_time_zone_new_identifier (changed);
    }
  return zone;
}

/* Under the lock. */
static const KvsqlZone *
find (const gchar *name)
{
  const KvsqlZone *found;
  KvsqlZone *added;
  GTimeZone *zone;

  if (zones == NULL)
    zones = g_hash_table_new (g_str_hash, g_str_equal);
  found = g_hash_table_lookup (zones, name);
  if (found != NULL || g_hash_table_size (zones) >= MAX_ZONES)
    return found;
  zone = open_zone (name);
  if (zone == NULL)
    return NULL;
  added = g_new (KvsqlZone, 1);
  added->zone = zone;
  g_hash_table_insert (zones, g_strdup (name), added);
  return added;
}

const KvsqlZone *
kvsql_zone_find (KvsqlSlice name, GError **error)
{
  const KvsqlZone *found = NULL;
  gchar text[MAX_NAME_BYTES + 1];

  if (is_name (name))
    {
      memcpy (text, name.data, name.size);
      text[name.size] = '\0';
      g_mutex_lock (&mutex);
      found = find (text);
      g_mutex_unlock (&mutex);
    }
  if (found == NULL)
    {
      g_autofree gchar *shown = kvsql_readable (kvsql_slice (name.data, MIN (name.size, 60)));

      kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "time zone \"%s\" not recognized",
                       shown);
      kvsql_error_sqlstate (error, "22023");
      kvsql_error_hint (error, "A zone is a name of the server's time zone database, as in "
                               "'Europe/Berlin' or 'UTC'.");
    }
  return found;
}

/* At an instant, in seconds. */
static gint64
get_offset (const KvsqlZone *self, gint64 instant_s)
{
  gint interval = g_time_zone_find_interval (self->zone, G_TIME_TYPE_UNIVERSAL, instant_s);

  return g_time_zone_get_offset (self->zone, MAX (interval, 0));
}

static gint64
to_seconds (gint64 ms)
{
  return ms >= 0 ? ms / 1000 : -((999 - ms) / 1000);
}

gint64
kvsql_zone_get_clock (const KvsqlZone *self, gint64 instant_ms)
{
  return instant_ms + get_offset (self, to_seconds (instant_ms)) * 1000;
}

gint64
kvsql_zone_get_instant (const KvsqlZone *self, gint64 clock_ms)
{
  /* a zone does not change twice in two days */
  gint64 clock_s = to_seconds (clock_ms);
  gint64 before = get_offset (self, clock_s - DAY_S), after = get_offset (self, clock_s + DAY_S);
  gboolean is_after = get_offset (self, clock_s - after) == after;

  return clock_ms - (is_after ? after : before) * 1000;
}
