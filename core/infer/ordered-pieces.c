/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ordered-pieces.c: HBase's OrderedBytes, ascending and descending. Each value begins with a byte
 * that tells its type, so it is hardly ever anything else.
 */
#include "config.h"

#include <math.h>

#include "core/base/interrupt.h"
#include "core/infer/column-types.h"
#include "core/infer/pieces.h"
#include "core/layout/encoding/ordered.h"

/* In fewer strings, it may be by chance. */
#define MIN_STRINGS 4

/* By their first bytes in ascending order. */
static const struct
{
  guint8 first, last;
  KvsqlType type;
  const gchar *stem;
} kinds[] = {
  { 0x34, 0x34, KVSQL_TYPE_STRING, "s" },     { 0x2b, 0x2b, KVSQL_TYPE_INT, "n" },
  { 0x2c, 0x2c, KVSQL_TYPE_TIMESTAMP, "at" }, { 0x2c, 0x2c, KVSQL_TYPE_BIGINT, "n" },
  { 0x31, 0x31, KVSQL_TYPE_DOUBLE, "x" },     { 0x30, 0x30, KVSQL_TYPE_FLOAT, "x" },
  { 0x07, 0x23, KVSQL_TYPE_DECIMAL, "x" },    { 0x37, 0x37, KVSQL_TYPE_BYTES, "b" },
  { 0x29, 0x29, KVSQL_TYPE_BOOLEAN, "flag" },
};

static KvsqlSlice
inverted (KvsqlArena *arena, KvsqlSlice bytes)
{
  guint8 *out = kvsql_arena_alloc (arena, bytes.size);

  for (gsize i = 0; i < bytes.size; i++)
    out[i] = (guint8)~bytes.data[i];
  return kvsql_slice (out, bytes.size);
}

/* The size of the value at the beginning; 0: there is none of the type. */
static gsize
value_size (KvsqlSlice bytes, KvsqlType type, KvsqlArena *arena)
{
  gssize size = kvsql_ordered_get_length (type, bytes);
  KvsqlValue value;

  if (size <= 0 || (gsize)size > bytes.size
      || !kvsql_ordered_decode (type, kvsql_slice (bytes.data, (gsize)size), arena, &value))
    return 0;
  if (type == KVSQL_TYPE_TIMESTAMP && !kvsql_value_is_null (&value)
      && !kvsql_infer_is_time (value.integer))
    return 0;
  return (gsize)size;
}

/* Whether all bytes are those of text: then it is by chance that they look like a value. */
static gboolean
is_text (KvsqlSlice bytes)
{
  for (gsize i = 0; i < bytes.size; i++)
    if (bytes.data[i] < 0x20 || bytes.data[i] >= 0x7f)
      return FALSE;
  return TRUE;
}

static gboolean
begins_as (KvsqlSlice bytes, guint kind, gboolean is_descending)
{
  guint8 byte = (guint8)(is_descending ? ~bytes.data[0] : bytes.data[0]);

  /* 05 is NULL */
  return (byte >= kinds[kind].first && byte <= kinds[kind].last) || byte == 0x05;
}

static void
try_kind (KvsqlInferSearch *self, const KvsqlSlice *rests, guint kind, gboolean is_descending)
{
  const KvsqlInferPiece piece = { .kind = KVSQL_INFER_ATTRIBUTE,
                                  .before = "",
                                  .inner_before = is_descending ? "desc{ordered{" : "ordered{",
                                  .inner_after = is_descending ? "}}" : "}",
                                  .after = "",
                                  .type = kinds[kind].type,
                                  .stem = kinds[kind].stem };
  KvsqlSlice *after;
  gdouble bits = 0;
  guint n_full = 0;

  for (guint i = 0; i < self->n; i++)
    if (rests[i].size == 0 || !begins_as (rests[i], kind, is_descending))
      return;
  after = kvsql_arena_array (self->arena, KvsqlSlice, self->n);
  for (guint i = 0; i < self->n && kvsql_interrupt_tick (); i++)
    {
      KvsqlSlice bytes = is_descending ? inverted (self->arena, rests[i]) : rests[i];
      gsize size = value_size (bytes, kinds[kind].type, self->arena);

      if (size == 0 || is_text (kvsql_slice (rests[i].data, size)))
        return;
      n_full += size > 1;
      bits += 5 * (gdouble)size;
      after[i] = kvsql_slice (rests[i].data + size, rests[i].size - size);
    }
  if (n_full == 0)
    return;
  kvsql_infer_offer (self, &piece, after, bits);
  self->is_certain = self->n >= MIN_STRINGS;
}

void
kvsql_infer_ordered (KvsqlInferSearch *self, const KvsqlSlice *rests)
{
  for (guint kind = 0; kind < G_N_ELEMENTS (kinds) && !self->is_certain; kind++)
    for (guint descending = 0; descending < 2 && !self->is_certain; descending++)
      try_kind (self, rests, kind, descending != 0);
}
