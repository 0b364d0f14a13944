/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * key-forecast.h: whether the next INSERT into a relation will probably find its keys new or known,
 * from what the last ones have found.
 *
 * A wrong forecast costs requests to the store, and nothing else. Some relations may have
 * one forecast together.
 *
 * Threads: any thread may use it.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define KVSQL_KEY_FORECAST_SLOTS 256

typedef enum
{
  KVSQL_KEYS_UNCERTAIN,
  KVSQL_KEYS_NEW,
  KVSQL_KEYS_KNOWN,
} KvsqlKeysExpected;

/* All zero: nothing was found yet. */
typedef struct
{
  gint recent[KVSQL_KEY_FORECAST_SLOTS]; /* atomic; of so many INSERTs in a row all keys were new,
                                            or, if negative, known */
} KvsqlKeyForecast;

KvsqlKeysExpected kvsql_key_forecast_get (const KvsqlKeyForecast *self, guint64 relation_id);
void kvsql_key_forecast_copy (const KvsqlKeyForecast *from, KvsqlKeyForecast *to);
/* What an INSERT has found. */
void kvsql_key_forecast_learn (KvsqlKeyForecast *self, guint64 relation_id, guint n_new,
                               guint n_known);

G_END_DECLS
