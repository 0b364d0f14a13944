/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * anchor.c: see the header.
 */
#include "config.h"

#include "core/anchor/anchor.h"

#include "core/anchor/varint.h"
#include "core/layout/encoding/digest.h"

#define FORMAT 1
#define PENDING 1
#define LIVE 2
#define HASH_BYTES 2

void
kvsql_anchor_append_row (guint64 relation_id, KvsqlSlice key, KvsqlBuffer *out)
{
  guint8 hash[KVSQL_DIGEST_MAX_SIZE];

  kvsql_put_be64 (kvsql_buffer_extend (out, 8), relation_id);
  /* keys that follow each other go to different regions */
  kvsql_digest_compute (KVSQL_DIGEST_CRC32, key, hash);
  kvsql_buffer_append (out, hash, HASH_BYTES);
  kvsql_buffer_append_slice (out, key);
}

void
kvsql_anchor_append_state (const KvsqlAnchor *self, KvsqlBuffer *out)
{
  guint8 *at = kvsql_buffer_extend (out, 18);

  at[0] = FORMAT;
  at[1] = (guint8)((self->is_pending ? PENDING : 0) | (self->is_live ? LIVE : 0));
  kvsql_put_be64 (at + 2, (guint64)self->timestamp);
  kvsql_put_be64 (at + 10, (guint64)self->previous);
}

void
kvsql_anchor_append_payload (const KvsqlAnchor *self, KvsqlBuffer *out)
{
  kvsql_buffer_append_byte (out, FORMAT);
  if (self->is_live)
    kvsql_append_sized (out, self->tuple);
  for (guint i = 0; i < self->n_old; i++)
    kvsql_append_sized (out, self->old[i]);
}

static gboolean
read_state (KvsqlSlice value, KvsqlAnchor *out)
{
  if (value.size != 18 || value.data[0] != FORMAT || (value.data[1] & ~(PENDING | LIVE)) != 0)
    return FALSE;
  out->is_pending = (value.data[1] & PENDING) != 0;
  out->is_live = (value.data[1] & LIVE) != 0;
  out->timestamp = (gint64)kvsql_get_be64 (value.data + 2);
  out->previous = (gint64)kvsql_get_be64 (value.data + 10);
  return out->timestamp > out->previous && out->previous >= 0;
}

static gboolean
read_payload (KvsqlSlice rest, KvsqlAnchor *out)
{
  guint8 format;

  if (!kvsql_take_byte (&rest, &format) || format != FORMAT
      || (out->is_live && !kvsql_take_sized (&rest, &out->tuple)))
    return FALSE;
  while (out->is_pending && rest.size > 0)
    {
      KvsqlSlice record;

      if (!kvsql_take_sized (&rest, &record) || !kvsql_anchor_add_old (out, record))
        return FALSE;
    }
  return TRUE;
}

gboolean
kvsql_anchor_read (const KvsqlCell *cells, guint n_cells, KvsqlAnchor *out)
{
  const KvsqlCell *state = NULL, *payload = NULL;

  *out = (KvsqlAnchor){ 0 };
  for (guint i = 0; i < n_cells; i++)
    if (kvsql_slice_equal (cells[i].qualifier, KVSQL_ANCHOR_STATE))
      state = &cells[i];
    else if (kvsql_slice_equal (cells[i].qualifier, KVSQL_ANCHOR_PAYLOAD))
      payload = &cells[i];
  if (state == NULL && payload == NULL)
    return TRUE;
  return state != NULL && payload != NULL && read_state (state->value, out)
         && state->timestamp == out->timestamp && payload->timestamp == out->timestamp
         && read_payload (payload->value, out);
}

gboolean
kvsql_anchor_add_old (KvsqlAnchor *self, KvsqlSlice record)
{
  for (guint i = 0; i < self->n_old; i++)
    if (kvsql_slice_equal (self->old[i], record))
      return TRUE;
  if (self->n_old == KVSQL_ANCHOR_MAX_OLD)
    return FALSE;
  self->old[self->n_old++] = record;
  return TRUE;
}

gboolean
kvsql_anchor_succeed (const KvsqlAnchor *before, KvsqlSlice tuple, gint64 timestamp,
                      KvsqlAnchor *out)
{
  *out = (KvsqlAnchor){ .timestamp = timestamp,
                        .previous = before->timestamp,
                        .is_pending = TRUE,
                        .is_live = tuple.size > 0,
                        .tuple = tuple };
  if (before->is_live && !kvsql_anchor_add_old (out, before->tuple))
    return FALSE;
  for (guint i = 0; before->is_pending && i < before->n_old; i++)
    if (!kvsql_anchor_add_old (out, before->old[i]))
      return FALSE;
  return TRUE;
}
