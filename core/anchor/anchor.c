/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * anchor.c: see the header.
 */
#include "config.h"

#include "core/anchor/anchor.h"

#include "core/anchor/varint.h"
#include "core/layout/encoding/digest.h"

#define FORMAT 1
#define ID_BYTES 8
#define HASH_BYTES 2
#define STATE_BYTES 18

/* flags of the state */
#define PENDING 1
#define LIVE 2
#define MOVING 4
#define LOADED 8
#define ALL_FLAGS (PENDING | LIVE | MOVING | LOADED)

/* parts of the payload */
#define HAS_TUPLE 1
#define HAS_MOVE 2
#define HAS_ARRIVAL 4

void
kvsql_anchor_append_row (guint64 relation_id, KvsqlSlice key, KvsqlBuffer *out)
{
  guint8 hash[KVSQL_DIGEST_MAX_SIZE];

  kvsql_put_be64 (kvsql_buffer_extend (out, ID_BYTES), relation_id);
  /* keys that follow each other go to different regions */
  kvsql_digest_compute (KVSQL_DIGEST_CRC32, key, hash);
  kvsql_buffer_append (out, hash, HASH_BYTES);
  kvsql_buffer_append_slice (out, key);
}

gboolean
kvsql_anchor_parse_row (KvsqlSlice row, guint64 *out_relation_id, KvsqlSlice *out_key)
{
  if (row.size < ID_BYTES + HASH_BYTES)
    return FALSE;
  *out_relation_id = kvsql_get_be64 (row.data);
  *out_key = kvsql_slice (row.data + ID_BYTES + HASH_BYTES, row.size - ID_BYTES - HASH_BYTES);
  return TRUE;
}

void
kvsql_anchor_append_part_start (guint64 relation_id, guint32 part, KvsqlBuffer *out)
{
  if (part == KVSQL_ANCHOR_PARTS && relation_id == G_MAXUINT64)
    return;
  kvsql_put_be64 (kvsql_buffer_extend (out, ID_BYTES), relation_id + part / KVSQL_ANCHOR_PARTS);
  if (part % KVSQL_ANCHOR_PARTS == 0)
    return;
  kvsql_buffer_append_byte (out, (guint8)(part >> 8));
  kvsql_buffer_append_byte (out, (guint8)part);
}

void
kvsql_anchor_append_state (const KvsqlAnchor *self, KvsqlBuffer *out)
{
  guint8 *at = kvsql_buffer_extend (out, STATE_BYTES);

  at[0] = FORMAT;
  at[1] = (guint8)((self->is_pending ? PENDING : 0) | (self->is_live ? LIVE : 0)
                   | (self->is_moving ? MOVING : 0) | (self->is_loaded ? LOADED : 0));
  kvsql_put_be64 (at + 2, (guint64)self->timestamp);
  kvsql_put_be64 (at + 10, (guint64)self->previous);
}

void
kvsql_anchor_append_first_dead_state (gboolean is_pending, gint64 timestamp, KvsqlBuffer *out)
{
  const KvsqlAnchor first = { .timestamp = timestamp, .is_pending = is_pending };

  kvsql_anchor_append_state (&first, out);
}

void
kvsql_anchor_append_load_qualifier (gint64 timestamp, KvsqlBuffer *out)
{
  kvsql_buffer_append_slice (out, KVSQL_ANCHOR_LOAD);
  kvsql_put_be64 (kvsql_buffer_extend (out, 8), (guint64)timestamp);
}

void
kvsql_anchor_append_payload (const KvsqlAnchor *self, KvsqlBuffer *out)
{
  kvsql_buffer_append_byte (out, FORMAT);
  kvsql_buffer_append_byte (out, (guint8)((self->is_live ? HAS_TUPLE : 0)
                                          | (self->is_moving ? HAS_MOVE : 0)
                                          | (self->arrival != 0 ? HAS_ARRIVAL : 0)));
  if (self->is_live)
    kvsql_append_sized (out, self->tuple);
  if (self->is_moving)
    {
      kvsql_append_sized (out, self->moved_tuple);
      kvsql_append_sized (out, self->expected_state);
    }
  if (self->arrival != 0)
    {
      kvsql_append_sized (out, self->source);
      kvsql_put_be64 (kvsql_buffer_extend (out, 8), (guint64)self->arrival);
    }
  for (guint i = 0; i < self->n_old; i++)
    kvsql_append_sized (out, self->old[i]);
}

static gboolean
read_state (KvsqlSlice value, KvsqlAnchor *out)
{
  if (value.size != STATE_BYTES || value.data[0] != FORMAT || (value.data[1] & ~ALL_FLAGS) != 0)
    return FALSE;
  out->is_pending = (value.data[1] & PENDING) != 0;
  out->is_live = (value.data[1] & LIVE) != 0;
  out->is_moving = (value.data[1] & MOVING) != 0;
  out->is_loaded = (value.data[1] & LOADED) != 0;
  out->timestamp = (gint64)kvsql_get_be64 (value.data + 2);
  out->previous = (gint64)kvsql_get_be64 (value.data + 10);
  return out->timestamp > out->previous && out->previous >= 0
         && (!out->is_moving || (out->is_pending && out->is_live && !out->is_loaded))
         && (!out->is_loaded || out->is_live);
}

static gboolean
read_arrival (KvsqlSlice *rest, KvsqlAnchor *out)
{
  guint64 arrival;

  if (!kvsql_take_sized (rest, &out->source) || !kvsql_take_be64 (rest, &arrival))
    return FALSE;
  out->arrival = (gint64)arrival;
  return out->arrival > 0;
}

/* @out has what its state says. */
static gboolean
read_payload (KvsqlSlice rest, KvsqlAnchor *out)
{
  guint8 format, parts;

  if (!kvsql_take_byte (&rest, &format) || format != FORMAT || !kvsql_take_byte (&rest, &parts)
      || (parts & ~(HAS_TUPLE | HAS_MOVE | HAS_ARRIVAL)) != 0
      || ((parts & HAS_TUPLE) != 0) != out->is_live
      || (out->is_live && !kvsql_take_sized (&rest, &out->tuple)))
    return FALSE;
  if (!out->is_pending)
    return TRUE;
  if (((parts & HAS_MOVE) != 0) != out->is_moving
      || (out->is_moving
          && (!kvsql_take_sized (&rest, &out->moved_tuple)
              || !kvsql_take_sized (&rest, &out->expected_state)))
      || ((parts & HAS_ARRIVAL) != 0 && !read_arrival (&rest, out)))
    return FALSE;
  while (rest.size > 0)
    {
      KvsqlSlice record;

      if (!kvsql_take_sized (&rest, &record) || !kvsql_anchor_add_old (out, record))
        return FALSE;
    }
  return TRUE;
}

/* ---- the cells of a row */

typedef struct
{
  const KvsqlCell *state, *payload;               /* nullable */
  const KvsqlCell *loads[KVSQL_ANCHOR_MAX_LOADS]; /* ascending by T */
  guint n_loads;
} Cells;

static gboolean
is_load (KvsqlSlice qualifier)
{
  return qualifier.size == KVSQL_ANCHOR_LOAD.size + 8
         && memcmp (qualifier.data, KVSQL_ANCHOR_LOAD.data, KVSQL_ANCHOR_LOAD.size) == 0;
}

/* A row has its cells in the order of their qualifiers. */
static gboolean
sort_cells (const KvsqlCell *cells, guint n_cells, Cells *out)
{
  *out = (Cells){ NULL };
  for (guint i = 0; i < n_cells; i++)
    if (kvsql_slice_equal (cells[i].qualifier, KVSQL_ANCHOR_STATE))
      out->state = &cells[i];
    else if (kvsql_slice_equal (cells[i].qualifier, KVSQL_ANCHOR_PAYLOAD))
      out->payload = &cells[i];
    else if (is_load (cells[i].qualifier))
      {
        if (out->n_loads == KVSQL_ANCHOR_MAX_LOADS)
          return FALSE;
        out->loads[out->n_loads++] = &cells[i];
      }
  return TRUE;
}

/* The tuple of a version below a loaded one, and its older tuples, are older tuples of that. What
 * the state of the covered version was, its payload says. */
static gboolean
cover (KvsqlAnchor *self, KvsqlSlice payload, KvsqlAnchor *out_covered)
{
  guint8 parts = payload.size > 1 ? payload.data[1] : 0;

  *out_covered = (KvsqlAnchor){ .is_pending = TRUE,
                                .is_live = (parts & HAS_TUPLE) != 0,
                                .is_moving = (parts & HAS_MOVE) != 0 };
  return read_payload (payload, out_covered)
         && (!out_covered->is_live || kvsql_anchor_add_old (self, out_covered->tuple))
         && kvsql_anchor_add_all_old (self, out_covered);
}

static gboolean
cover_checked (KvsqlAnchor *self, KvsqlSlice payload)
{
  KvsqlAnchor covered;

  if (!cover (self, payload, &covered))
    return FALSE;
  self->covers_move = covered.is_moving;
  self->moved_tuple = covered.moved_tuple;
  self->expected_state = covered.expected_state;
  self->arrival = covered.arrival;
  self->source = covered.source;
  return TRUE;
}

static gboolean
read_loaded (const Cells *cells, KvsqlAnchor *out)
{
  gint64 known = MAX (out->previous, out->checked); /* and what was before it */
  KvsqlAnchor covered;

  if (!kvsql_anchor_has_load (out, out->timestamp))
    return FALSE;
  for (guint i = 0; i < cells->n_loads; i++)
    if (out->loads[i] == out->timestamp
            ? !read_payload (cells->loads[i]->value, out)
            : (out->is_pending && out->loads[i] > known && out->loads[i] < out->timestamp
               && !cover (out, cells->loads[i]->value, &covered)))
      return FALSE;
  return !out->is_pending || out->checked <= out->previous
         || cover_checked (out, cells->payload->value);
}

gboolean
kvsql_anchor_read (const KvsqlCell *cells, guint n_cells, KvsqlAnchor *out)
{
  Cells sorted;

  *out = (KvsqlAnchor){ 0 };
  if (!sort_cells (cells, n_cells, &sorted))
    return FALSE;
  if (sorted.state == NULL)
    return sorted.payload == NULL && sorted.n_loads == 0;
  if (!read_state (sorted.state->value, out) || sorted.state->timestamp != out->timestamp)
    return FALSE;
  out->checked = sorted.payload != NULL ? sorted.payload->timestamp : 0;
  for (guint i = 0; i < sorted.n_loads; i++)
    out->loads[out->n_loads++] = sorted.loads[i]->timestamp;
  if (out->is_loaded)
    return read_loaded (&sorted, out);
  return out->checked == out->timestamp && read_payload (sorted.payload->value, out);
}

gboolean
kvsql_anchor_has_load (const KvsqlAnchor *self, gint64 timestamp)
{
  for (guint i = 0; i < self->n_loads; i++)
    if (self->loads[i] == timestamp)
      return TRUE;
  return FALSE;
}

gboolean
kvsql_anchor_replaces_load (const KvsqlAnchor *self, gint64 timestamp)
{
  return timestamp > self->checked && timestamp <= self->timestamp;
}

gboolean
kvsql_anchor_add_old (KvsqlAnchor *self, KvsqlSlice record)
{
  for (guint i = 0; i < self->n_old; i++)
    if (kvsql_slice_equal (self->old[i], record))
      return TRUE;
  if (self->n_old == G_N_ELEMENTS (self->old))
    return FALSE;
  self->old[self->n_old++] = record;
  return TRUE;
}

gboolean
kvsql_anchor_add_all_old (KvsqlAnchor *self, const KvsqlAnchor *from)
{
  for (guint i = 0; from->is_pending && i < from->n_old; i++)
    if (!kvsql_anchor_add_old (self, from->old[i]))
      return FALSE;
  return TRUE;
}
