/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fn-zone.c: AT TIME ZONE. A TIMESTAMPTZ is stored as a TIMESTAMP in UTC, so only the binder
 * (bind-special.c) knows which of the two functions is meant.
 */
#include "config.h"

#include "core/expr/cast.h"
#include "core/expr/function.h"
#include "core/expr/zone.h"

static gboolean
convert (gint64 (*convert_ms) (const KvsqlZone *zone, gint64 ms), const KvsqlValue *arguments,
         KvsqlValue *out, GError **error)
{
  const KvsqlZone *zone = kvsql_zone_find (arguments[0].bytes, error);

  if (zone == NULL)
    return FALSE;
  *out = (KvsqlValue){ .type = KVSQL_TYPE_TIMESTAMP,
                       .integer = convert_ms (zone, arguments[1].integer) };
  return kvsql_cast_check_time (KVSQL_TYPE_TIMESTAMP, out->integer, error);
}

static gboolean
timezone_to_instant (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                     GError **error)
{
  return convert (kvsql_zone_get_instant, arguments, out, error);
}

static gboolean
timezone_to_clock (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                   GError **error)
{
  return convert (kvsql_zone_get_clock, arguments, out, error);
}

static const KvsqlFunction functions[] = {
  KVSQL_FUNCTION_2 ("timezone", STRING, TIMESTAMP, TIMESTAMP, timezone_to_instant,
                    .zone = KVSQL_ZONE_ALWAYS),
  KVSQL_FUNCTION_2 ("clock_of_zone", STRING, TIMESTAMP, TIMESTAMP, timezone_to_clock,
                    .zone = KVSQL_ZONE_NEVER),
};

const KvsqlFunctionFamily kvsql_functions_zone = { functions, G_N_ELEMENTS (functions) };
