/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * unlike-numbers.c: bytes of a fixed size that could be big-endian numbers, and are something else.
 */
#include "config.h"

#include <math.h>

#include "core/infer/column-types.h"

/* Of so many values, one may be printable by chance. */
#define ONE_PRINTABLE_IN 4
/* With fewer values, the order of the bytes cannot be told. */
#define MIN_VALUES 8
/* So many bits less for each value, on the average, are not chance. */
#define FEWER_BITS 10
/* Of amounts of money, and of finer ones. */
#define MAX_USUAL_SCALE 4

static gboolean
is_text (KvsqlSlice value)
{
  for (gsize i = 0; i < value.size; i++)
    if (value.data[i] < 0x20 || value.data[i] >= 0x7f)
      return FALSE;
  return value.size > 0;
}

gboolean
kvsql_infer_are_partly_text (const KvsqlSlice *values, guint n)
{
  guint n_text = 0;

  for (guint i = 0; i < n; i++)
    n_text += is_text (values[i]);
  return n_text * ONE_PRINTABLE_IN > n;
}

/* How large the number is, in bits. @flip: of the first byte */
static gdouble
bits_of (KvsqlSlice value, gboolean is_little, guint8 flip)
{
  guint64 number = 0;

  for (gsize i = 0; i < value.size; i++)
    {
      gsize at = is_little ? value.size - 1 - i : i;

      number = number << 8 | (value.data[at] ^ (at == 0 ? flip : 0));
    }
  if (value.size < 8 && (number & (G_GUINT64_CONSTANT (1) << (8 * value.size - 1))) != 0)
    number |= G_MAXUINT64 << (8 * value.size);
  return log2 (fabs ((gdouble)(gint64)number) + 1);
}

gboolean
kvsql_infer_are_little_endian (const KvsqlSlice *values, guint n, gboolean is_flipped)
{
  guint8 flip = is_flipped ? 0x80 : 0;
  gdouble big = 0, little = 0;
  guint n_full = 0;

  for (guint i = 0; i < n; i++)
    {
      if (values[i].size == 0)
        continue;
      if (values[i].size != 4 && values[i].size != 8)
        return FALSE;
      big += bits_of (values[i], FALSE, flip);
      little += bits_of (values[i], TRUE, flip);
      n_full++;
    }
  /* the last bytes of round FLOATs and DOUBLEs are zeros, too */
  return n_full >= MIN_VALUES && little + FEWER_BITS * (gdouble)n_full < big
         && !kvsql_infer_are_floats (values, n) && !kvsql_infer_are_doubles (values, n);
}

gboolean
kvsql_infer_are_amounts (const KvsqlSlice *values, guint n)
{
  guint32 scale = 0;

  for (guint i = 0; i < n; i++)
    {
      const guint8 *bytes = values[i].data;

      if (values[i].size == 0)
        continue;
      if (values[i].size < 5 || values[i].size > 9)
        return FALSE;
      scale = scale == 0 ? kvsql_get_be32 (bytes) : scale;
      /* the first byte of the number is needed */
      if (kvsql_get_be32 (bytes) != scale
          || (values[i].size > 5
              && ((bytes[4] == 0 && bytes[5] < 0x80) || (bytes[4] == 0xff && bytes[5] >= 0x80))))
        return FALSE;
    }
  return scale >= 2 && scale <= MAX_USUAL_SCALE;
}
