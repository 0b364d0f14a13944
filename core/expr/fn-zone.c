/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fn-zone.c: AT TIME ZONE. A TIMESTAMPTZ is stored as a TIMESTAMP in UTC, so only the binder
 * (bind-special.c) knows which of the two functions is meant.
 */
#include "config.h"

#include "core/base/zone.h"
#include "core/expr/cast.h"
#include "core/expr/function.h"

#define MAX_NAME_BYTES 64

/* ---- names */

/* It becomes a part of a file's path: without points, and with one spelling of each file. */
static gboolean
is_name (KvsqlSlice name)
{
  if (name.size == 0 || name.size > MAX_NAME_BYTES || !g_ascii_isalpha (name.data[0]))
    return FALSE;
  for (gsize i = 1; i < name.size; i++)
    if ((!g_ascii_isalnum (name.data[i]) && strchr ("/_-+", name.data[i]) == NULL)
        || (name.data[i] == '/' && name.data[i - 1] == '/'))
      return FALSE;
  return TRUE;
}

/* europe/berlin → Europe/Berlin, est → EST: in such cases are the names of the database. */
static GTimeZone *
find_in_case (const gchar *name, gboolean is_upper)
{
  g_autofree gchar *changed = is_upper ? g_ascii_strup (name, -1) : g_ascii_strdown (name, -1);

  for (gchar *at = changed; *at != '\0'; at++)
    if (at == changed || strchr ("/_-", at[-1]) != NULL)
      *at = g_ascii_toupper (*at);
  return kvsql_zone_find (changed);
}

static GTimeZone *
find_zone (KvsqlSlice name)
{
  gchar text[MAX_NAME_BYTES + 1];
  GTimeZone *zone;

  if (!is_name (name))
    return NULL;
  memcpy (text, name.data, name.size);
  text[name.size] = '\0';
  zone = kvsql_zone_find (text);
  if (zone == NULL)
    zone = find_in_case (text, FALSE);
  return zone != NULL ? zone : find_in_case (text, TRUE);
}

/* The zone of a statement is mostly a constant: it is looked for once, not for each row. */
static GTimeZone *
get_zone (KvsqlSlice name)
{
  static _Thread_local gchar last_name[MAX_NAME_BYTES];
  static _Thread_local gsize last_size;
  static _Thread_local GTimeZone *last;
  GTimeZone *zone;

  if (last != NULL && kvsql_slice_equal (name, kvsql_slice (last_name, last_size)))
    return last;
  zone = find_zone (name);
  if (zone == NULL)
    return NULL;
  memcpy (last_name, name.data, name.size);
  last_size = name.size;
  last = zone;
  return zone;
}

static gboolean
fail_zone (KvsqlSlice name, GError **error)
{
  g_autofree gchar *shown = kvsql_readable (kvsql_slice (name.data, MIN (name.size, 60)));

  kvsql_function_fail (error, "time zone \"%s\" not recognized", shown);
  kvsql_error_sqlstate (error, "22023");
  return kvsql_error_hint (error, "A zone is a name of the server's time zone database, as in "
                                  "'Europe/Berlin' or 'UTC'.");
}

/* ---- clocks: milliseconds since their 1970-01-01 00:00 */

static gint64
to_clock (GTimeZone *zone, gint64 instant)
{
  return instant + kvsql_zone_get_offset (zone, instant);
}

/* A time that clocks show twice is the second one; a time that they leave out is one of before the
 * change. So does PostgreSQL. A zone does not change twice in two days. */
static gint64
to_instant (GTimeZone *zone, gint64 clock)
{
  gint64 before = kvsql_zone_get_offset (zone, clock - KVSQL_MS_PER_DAY);
  gint64 after = kvsql_zone_get_offset (zone, clock + KVSQL_MS_PER_DAY);

  return clock - (kvsql_zone_get_offset (zone, clock - after) == after ? after : before);
}

/* ---- functions */

static gboolean
convert (gint64 (*convert_ms) (GTimeZone *zone, gint64 ms), const KvsqlValue *arguments,
         KvsqlValue *out, GError **error)
{
  GTimeZone *zone = get_zone (arguments[0].bytes);

  if (zone == NULL)
    return fail_zone (arguments[0].bytes, error);
  *out = (KvsqlValue){ .type = KVSQL_TYPE_TIMESTAMP,
                       .integer = convert_ms (zone, arguments[1].integer) };
  return kvsql_cast_check_time (KVSQL_TYPE_TIMESTAMP, out->integer, error);
}

static gboolean
timezone_to_instant (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                     GError **error)
{
  return convert (to_instant, arguments, out, error);
}

static gboolean
timezone_to_clock (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                   GError **error)
{
  return convert (to_clock, arguments, out, error);
}

static const KvsqlFunction functions[] = {
  KVSQL_FUNCTION_2 ("timezone", STRING, TIMESTAMP, TIMESTAMP, timezone_to_instant,
                    .zone = KVSQL_ZONE_ALWAYS),
  KVSQL_FUNCTION_2 ("clock_of_zone", STRING, TIMESTAMP, TIMESTAMP, timezone_to_clock,
                    .zone = KVSQL_ZONE_NEVER),
};

const KvsqlFunctionFamily kvsql_functions_zone = { functions, G_N_ELEMENTS (functions) };
