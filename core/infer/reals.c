/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * reals.c: whether bytes are floating-point numbers, and not whole numbers or times.
 */
#include "config.h"

#include "core/infer/column-types.h"

#include <math.h>
#include <stdio.h>

/* 2000-01-01 to 2036-07-18. Before 2010, times are rarer than FLOATs below 10,000,000. */
#define MIN_SECONDS 946684800
#define MIN_LIKELY_SECONDS 1262304000
#define MAX_SECONDS 2100000000
#define MAX_SHORT_DIGITS 6.5

static gdouble
read_double (const guint8 *bytes)
{
  union
  {
    guint64 bits;
    gdouble number;
  } u = { .bits = kvsql_get_be64 (bytes) };

  return u.number;
}

static gfloat
read_float (const guint8 *bytes)
{
  union
  {
    guint32 bits;
    gfloat number;
  } u = { .bits = kvsql_get_be32 (bytes) };

  return u.number;
}

static gboolean
is_plausible (gdouble number)
{
  return number == 0 || (fabs (number) > 1e-9 && fabs (number) < 1e15);
}

gboolean
kvsql_infer_are_doubles (const KvsqlSlice *values, guint n)
{
  guint n_full = 0;

  for (guint i = 0; i < n; i++)
    {
      if (values[i].size == 0)
        continue;
      if (values[i].size != 8 || !is_plausible (read_double (values[i].data)))
        return FALSE;
      n_full += read_double (values[i].data) != 0;
    }
  return n_full > 0;
}

/* How many digits tell the number. */
static guint
count_digits (gfloat number)
{
  for (guint digits = 1; digits < 9; digits++)
    {
      gchar text[40];

      snprintf (text, sizeof text, "%.*g", (gint)digits, (gdouble)number);
      if ((gfloat)g_ascii_strtod (text, NULL) == number)
        return digits;
    }
  return 9;
}

gboolean
kvsql_infer_have_few_digits (const KvsqlSlice *values, guint n)
{
  guint n_full = 0;
  gdouble n_digits = 0;

  for (guint i = 0; i < n; i++)
    if (values[i].size == 4 && read_float (values[i].data) != 0)
      {
        n_full++;
        n_digits += count_digits (read_float (values[i].data));
      }
  return n_full > 0 && n_digits / n_full <= MAX_SHORT_DIGITS;
}

gboolean
kvsql_infer_are_floats (const KvsqlSlice *values, guint n)
{
  gint64 min = G_MAXINT64, max = G_MININT64;

  for (guint i = 0; i < n; i++)
    {
      gint64 whole;

      if (values[i].size == 0)
        continue;
      if (values[i].size != 4 || !is_plausible ((gdouble)read_float (values[i].data)))
        return FALSE;
      if (read_float (values[i].data) == 0)
        continue;
      whole = (gint32)kvsql_get_be32 (values[i].data);
      min = MIN (min, whole);
      max = MAX (max, whole);
    }
  if (min > max)
    return FALSE;
  return kvsql_infer_have_few_digits (values, n) || min < MIN_SECONDS || max < MIN_LIKELY_SECONDS
         || max >= MAX_SECONDS;
}
