/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * zone.h: time zones by name, as the system's time zone database (package tzdata) has them.
 *
 * Threads: all functions from any thread.
 */
#pragma once

#include "core/base/error.h"
#include "core/base/slice.h"

G_BEGIN_DECLS

typedef struct _KvsqlZone KvsqlZone;

/**
 * kvsql_zone_find:
 * @name: "Europe/Berlin", "UTC", …, in any case
 *
 * Returns: (transfer none): kept until the process ends; NULL with SQLSTATE 22023 if there is no
 * such zone
 */
const KvsqlZone *kvsql_zone_find (KvsqlSlice name, GError **error);

/* What clocks of the zone show at @instant_ms, and the instant at which they show @clock_ms. Both
 * are milliseconds since 1970-01-01 00:00. A time that clocks show twice is the second one; a time
 * that they leave out is one of before the change. So does PostgreSQL. */
gint64 kvsql_zone_get_clock (const KvsqlZone *self, gint64 instant_ms);
gint64 kvsql_zone_get_instant (const KvsqlZone *self, gint64 clock_ms);

G_END_DECLS
