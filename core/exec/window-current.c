/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * window-current.c: ends are searched once for each partition and each group of peers.
 */
#include "config.h"

#include "core/exec/window-current.h"

#include "core/base/interrupt.h"

gboolean
kvsql_window_current_move (KvsqlWindowCurrent *self, guint64 row, GError **error)
{
  const KvsqlBatch *batch;
  const KvsqlWindowPlace *places;

  if (!kvsql_window_rows_get (self->rows, row, &batch, &places, error))
    return FALSE;
  self->row = row;
  self->place = places[row % KVSQL_BATCH_ROWS];
  return TRUE;
}

gboolean
kvsql_window_current_find_end (KvsqlWindowCurrent *self, guint64 *out, GError **error)
{
  if (!self->has_end || self->end_of != self->place.partition)
    {
      if (!kvsql_window_rows_find_end (self->rows, self->row, &self->end, error))
        return FALSE;
      self->end_of = self->place.partition;
      self->has_end = TRUE;
    }
  *out = self->end;
  return TRUE;
}

gboolean
kvsql_window_current_find_peers_end (KvsqlWindowCurrent *self, guint64 *out, GError **error)
{
  guint64 row = self->row + 1;

  if (!self->has_order)
    return kvsql_window_current_find_end (self, out, error);
  while (!self->has_peers_end || self->peers_end_of != self->place.peers)
    {
      const KvsqlBatch *batch;
      const KvsqlWindowPlace *places;
      gboolean any, is_peer;

      if (!kvsql_interrupt_poll (error) || !kvsql_window_rows_read (self->rows, row, &any, error)
          || (any && !kvsql_window_rows_get (self->rows, row, &batch, &places, error)))
        return FALSE;
      is_peer = any && places[row % KVSQL_BATCH_ROWS].peers == self->place.peers;
      row += is_peer;
      if (is_peer)
        continue;
      self->peers_end = row;
      self->peers_end_of = self->place.peers;
      self->has_peers_end = TRUE;
    }
  *out = self->peers_end;
  return TRUE;
}

gboolean
kvsql_window_current_has (KvsqlWindowCurrent *self, guint64 row, gboolean *out, GError **error)
{
  const KvsqlBatch *batch;
  const KvsqlWindowPlace *places;

  if (self->has_end && self->end_of == self->place.partition)
    {
      *out = row < self->end;
      return TRUE;
    }
  if (!kvsql_window_rows_read (self->rows, row, out, error))
    return FALSE;
  if (!*out)
    return TRUE;
  if (!kvsql_window_rows_get (self->rows, row, &batch, &places, error))
    return FALSE;
  *out = places[row % KVSQL_BATCH_ROWS].partition == self->place.partition;
  return TRUE;
}
