/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * key-forecast.c: see the header.
 */
#include "config.h"

#include "core/write/key-forecast.h"

/* So many INSERTs in a row make it certain enough: a request that a wrong forecast adds is made
 * alone, the one that a right forecast saves would have been made next to others. */
#define ENOUGH 8

static guint
slot_of (guint64 relation_id)
{
  return (guint)(relation_id % KVSQL_KEY_FORECAST_SLOTS);
}

KvsqlKeysExpected
kvsql_key_forecast_get (const KvsqlKeyForecast *self, guint64 relation_id)
{
  gint recent = g_atomic_int_get (&self->recent[slot_of (relation_id)]);

  if (recent >= ENOUGH)
    return KVSQL_KEYS_NEW;
  return recent <= -ENOUGH ? KVSQL_KEYS_KNOWN : KVSQL_KEYS_UNCERTAIN;
}

void
kvsql_key_forecast_copy (const KvsqlKeyForecast *from, KvsqlKeyForecast *to)
{
  for (guint i = 0; i < KVSQL_KEY_FORECAST_SLOTS; i++)
    g_atomic_int_set (&to->recent[i], g_atomic_int_get (&from->recent[i]));
}

void
kvsql_key_forecast_learn (KvsqlKeyForecast *self, guint64 relation_id, guint n_new, guint n_known)
{
  gint *recent = &self->recent[slot_of (relation_id)];
  gint before = g_atomic_int_get (recent), after = 0;

  if (n_known == 0)
    after = CLAMP (before + 1, 1, ENOUGH);
  else if (n_new == 0)
    after = CLAMP (before - 1, -ENOUGH, -1);
  if (after != before)
    g_atomic_int_set (recent, after);
}
