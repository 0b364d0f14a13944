/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tuple-record.c: see the header.
 */
#include "config.h"

#include "core/anchor/tuple-record.h"

#include "core/anchor/varint.h"
#include "core/layout/encoding/scalar.h"

#define FORMAT 1

/* The size is known only when the value is encoded. */
static void
append_sized_value (const KvsqlValue *value, KvsqlBuffer *out)
{
  guint8 prefix[KVSQL_VARINT_MAX_BYTES];
  gsize start = out->size, size, n;

  kvsql_scalar_encode (value->type, value, out);
  size = out->size - start;
  n = kvsql_varint_write (prefix, (guint32)size);
  kvsql_buffer_extend (out, n);
  memmove (out->data + start + n, out->data + start, size);
  memcpy (out->data + start, prefix, n);
}

void
kvsql_tuple_record_append (const KvsqlRelation *relation, const KvsqlValue *tuple, KvsqlBuffer *out)
{
  kvsql_buffer_append_byte (out, FORMAT);
  for (guint i = 0; i < relation->n_attributes; i++)
    {
      if (kvsql_value_is_null (&tuple[i]))
        continue;
      kvsql_append_varint (out, relation->attributes[i].id);
      kvsql_buffer_append_byte (out, (guint8)tuple[i].type);
      append_sized_value (&tuple[i], out);
    }
}

/* The number of the attribute with this id; n_attributes: there is none. */
static guint
find_attribute (const KvsqlRelation *relation, guint32 id)
{
  guint i = id - 1;

  /* if no attribute was dropped, ids count up */
  if (i < relation->n_attributes && relation->attributes[i].id == id)
    return i;
  for (i = 0; i < relation->n_attributes && relation->attributes[i].id != id; i++)
    ;
  return i;
}

static gboolean
take_attribute (const KvsqlRelation *relation, KvsqlSlice *rest, KvsqlArena *arena, KvsqlValue *out)
{
  KvsqlSlice bytes;
  guint32 id;
  guint8 type;
  guint i;

  if (!kvsql_take_varint (rest, &id) || !kvsql_take_byte (rest, &type)
      || !kvsql_take_sized (rest, &bytes))
    return FALSE;
  i = find_attribute (relation, id);
  if (i == relation->n_attributes)
    return TRUE;
  return relation->attributes[i].type == (KvsqlType)type
         && kvsql_scalar_decode ((KvsqlType)type, bytes, TRUE, arena, &out[i]);
}

static gboolean
has_key (const KvsqlRelation *relation, const KvsqlValue *tuple)
{
  for (guint i = 0; i < relation->n_attributes; i++)
    if (relation->attributes[i].is_key && kvsql_value_is_null (&tuple[i]))
      return FALSE;
  return TRUE;
}

gboolean
kvsql_tuple_record_read (const KvsqlRelation *relation, KvsqlSlice record, KvsqlArena *arena,
                         KvsqlValue *out)
{
  KvsqlSlice rest = record;
  guint8 format;

  for (guint i = 0; i < relation->n_attributes; i++)
    out[i] = KVSQL_VALUE_NULL;
  if (!kvsql_take_byte (&rest, &format) || format != FORMAT)
    return FALSE;
  while (rest.size > 0)
    if (!take_attribute (relation, &rest, arena, out))
      return FALSE;
  return has_key (relation, out);
}
