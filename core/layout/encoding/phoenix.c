/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * phoenix.c: Phoenix's data types of a fixed size.
 */
#include "config.h"

#include "core/layout/encoding/phoenix.h"
#include "core/layout/encoding/scalar.h"

static void
append_whole (const KvsqlSortedForm *self, const KvsqlValue *value, KvsqlBuffer *out)
{
  guint8 *at = kvsql_buffer_extend (out, self->size);
  gint64 number = value->integer;

  if (self->type == KVSQL_TYPE_DATE)
    number *= KVSQL_MS_PER_DAY;
  if (self->size == 4)
    kvsql_put_be32 (at, (guint32)number);
  else
    kvsql_put_be64 (at, (guint64)number);
  kvsql_sorted_turn_sign (at, self->size, FALSE);
}

static void
append_boolean (const KvsqlSortedForm *self, const KvsqlValue *value, KvsqlBuffer *out)
{
  kvsql_buffer_append_byte (out, value->boolean != FALSE);
}

/* Adds @step to a big-endian number. */
static void
count_on (guint8 *bytes, gsize size, gint step)
{
  if (size == 4)
    kvsql_put_be32 (bytes, kvsql_get_be32 (bytes) + (guint32)step);
  else
    kvsql_put_be64 (bytes, kvsql_get_be64 (bytes) + (guint64)(gint64)step);
}

static void
append_real (const KvsqlSortedForm *self, const KvsqlValue *value, KvsqlBuffer *out)
{
  gsize start = out->size;

  kvsql_sorted_append_real (self->type, value, out);
  count_on (out->data + start, self->size, 1);
}

gboolean
kvsql_phoenix_get_form (KvsqlType type, KvsqlSortedForm *out)
{
  gssize size = kvsql_scalar_get_size (type);

  if (size < 0)
    return FALSE;
  *out = (KvsqlSortedForm){ .type = type, .min = G_MININT64, .max = G_MAXINT64 };
  /* Phoenix's DATE and TIME are both milliseconds since 1970 */
  out->size = type == KVSQL_TYPE_DATE || type == KVSQL_TYPE_TIME ? 8 : (gsize)size;
  switch (kvsql_type_get_class (type))
    {
    case KVSQL_CLASS_BOOLEAN:
      out->append = append_boolean;
      break;
    case KVSQL_CLASS_REAL:
      out->append = append_real;
      break;
    default:
      out->append = append_whole;
      break;
    }
  if (type == KVSQL_TYPE_DATE)
    {
      out->min
          = KVSQL_DATE_MIN; /* for dates outside of these limits, milliseconds might overflow */
      out->max = KVSQL_DATE_MAX;
    }
  return TRUE;
}

gboolean
kvsql_phoenix_read (KvsqlType type, KvsqlSlice bytes, KvsqlArena *arena, KvsqlValue *out)
{
  guint8 copy[8];

  if (bytes.size > sizeof copy || bytes.size == 0)
    return FALSE;
  memcpy (copy, bytes.data, bytes.size);
  *out = (KvsqlValue){ .type = type };
  switch (kvsql_type_get_class (type))
    {
    case KVSQL_CLASS_BOOLEAN:
      out->boolean = copy[0] == 1;
      return bytes.size == 1 && copy[0] <= 1;
    case KVSQL_CLASS_REAL:
      if (bytes.size != (gsize)kvsql_scalar_get_size (type))
        return FALSE;
      count_on (copy, bytes.size, -1);
      return kvsql_sorted_read_real (type, copy, arena, out);
    default:
      break;
    }
  copy[0] ^= 0x80;
  if (type != KVSQL_TYPE_DATE && type != KVSQL_TYPE_TIME)
    return kvsql_scalar_decode (type, kvsql_slice (copy, bytes.size), TRUE, arena, out);
  if (bytes.size != 8)
    return FALSE;
  out->integer = (gint64)kvsql_get_be64 (copy);
  if (type == KVSQL_TYPE_DATE)
    {
      if (out->integer % KVSQL_MS_PER_DAY != 0)
        return FALSE;
      out->integer /= KVSQL_MS_PER_DAY;
    }
  return kvsql_type_has_integer (type, out->integer);
}
