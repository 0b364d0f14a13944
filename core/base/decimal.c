/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * decimal.c: canonical decimal text.
 */
#include "config.h"

#include "core/base/decimal-private.h"

static gboolean
bad_number (KvsqlSlice text, GError **error)
{
  g_autofree gchar *shown = kvsql_readable (kvsql_slice (text.data, MIN (text.size, 60)));
  return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "invalid DECIMAL \"%s\"",
                          shown)
         || kvsql_error_sqlstate (error, "22P02");
}

static gboolean
too_many_digits (GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                          "DECIMAL has more than %d digits", KVSQL_DECIMAL_MAX_DIGITS)
         || kvsql_error_sqlstate (error, "22003");
}

KvsqlSlice
kvsql_decimal_canonical (const KvsqlDecimalParts *parts, KvsqlArena *arena)
{
  gsize n = parts->n_digits;
  gint64 scale = parts->scale;
  const gchar *digits = parts->digits;
  gsize at = 0;
  gchar *out;

  while (n > 0 && scale > 0 && digits[n - 1] == '0')
    n--, scale--;
  while (n > 0 && digits[0] == '0')
    n--, digits++;
  if (n == 0)
    return KVSQL_SLICE_LITERAL ("0");
  out = kvsql_arena_alloc (arena, n + 4 + ABS (scale));
  if (parts->is_negative)
    out[at++] = '-';
  if (scale <= 0)
    {
      memcpy (out + at, digits, n);
      memset (out + at + n, '0', -scale);
      return kvsql_slice (out, at + n - scale);
    }
  if ((gint64)n <= scale)
    {
      out[at++] = '0';
      out[at++] = '.';
      memset (out + at, '0', scale - n);
      at += scale - n;
      memcpy (out + at, digits, n);
      return kvsql_slice (out, at + n);
    }
  memcpy (out + at, digits, n - scale);
  at += n - scale;
  out[at++] = '.';
  memcpy (out + at, digits + n - scale, scale);
  return kvsql_slice (out, at + scale);
}

gboolean
kvsql_decimal_parse (KvsqlSlice text, KvsqlArena *arena, KvsqlSlice *out, GError **error)
{
  const gchar *p = (const gchar *)text.data, *end = p + text.size;
  gchar digits[KVSQL_DECIMAL_MAX_DIGITS + 1];
  KvsqlDecimalParts parts = { .digits = digits };
  gboolean has_digits = FALSE, has_point = FALSE;

  while (p < end && g_ascii_isspace (*p))
    p++;
  while (end > p && g_ascii_isspace (end[-1]))
    end--;
  if (p < end && (*p == '-' || *p == '+'))
    parts.is_negative = *p++ == '-';
  for (; p < end && (g_ascii_isdigit (*p) || (*p == '.' && !has_point)); p++)
    {
      if (*p == '.')
        {
          has_point = TRUE;
          continue;
        }
      has_digits = TRUE;
      parts.scale += has_point;
      if (parts.n_digits == 0 && *p == '0')
        continue;
      if (parts.n_digits == KVSQL_DECIMAL_MAX_DIGITS)
        return too_many_digits (error);
      digits[parts.n_digits++] = *p;
    }
  if (has_digits && p < end && (*p == 'e' || *p == 'E'))
    {
      gint64 exponent = 0;
      gboolean is_negative = FALSE, has_exponent = FALSE;
      p++;
      if (p < end && (*p == '-' || *p == '+'))
        is_negative = *p++ == '-';
      for (; p < end && g_ascii_isdigit (*p); p++, has_exponent = TRUE)
        if (exponent < 100000)
          exponent = exponent * 10 + (*p - '0');
      if (!has_exponent)
        return bad_number (text, error);
      parts.scale += is_negative ? exponent : -exponent;
    }
  if (!has_digits || p != end)
    return bad_number (text, error);
  if (parts.n_digits > 0
      && (parts.scale > KVSQL_DECIMAL_MAX_DIGITS
          || (gint64)parts.n_digits - parts.scale > KVSQL_DECIMAL_MAX_DIGITS))
    return too_many_digits (error);
  if (parts.n_digits == 0)
    parts.scale = 0;
  *out = kvsql_decimal_canonical (&parts, arena);
  return TRUE;
}

KvsqlDecimalSplit
kvsql_decimal_split (KvsqlSlice self)
{
  const gchar *p = (const gchar *)self.data;
  gsize n = self.size;
  KvsqlDecimalSplit result = { 0 };
  const gchar *point;

  if (n > 0 && *p == '-')
    {
      result.is_negative = TRUE;
      p++;
      n--;
    }
  point = n > 0 ? memchr (p, '.', n) : NULL;
  result.whole = p;
  result.n_whole = point != NULL ? (gsize)(point - p) : n;
  if (point != NULL)
    {
      result.fraction = point + 1;
      result.n_fraction = n - result.n_whole - 1;
    }
  return result;
}

static gint
compare_magnitude (const KvsqlDecimalSplit *a, const KvsqlDecimalSplit *b)
{
  gint order;

  if (a->n_whole != b->n_whole)
    return a->n_whole < b->n_whole ? -1 : 1;
  order = memcmp (a->whole, b->whole, a->n_whole);
  if (order != 0)
    return order;
  return kvsql_slice_compare (kvsql_slice (a->fraction, a->n_fraction),
                              kvsql_slice (b->fraction, b->n_fraction));
}

gint
kvsql_decimal_compare (KvsqlSlice a, KvsqlSlice b)
{
  KvsqlDecimalSplit x = kvsql_decimal_split (a), y = kvsql_decimal_split (b);

  if (x.is_negative != y.is_negative)
    return x.is_negative ? -1 : 1;
  return x.is_negative ? compare_magnitude (&y, &x) : compare_magnitude (&x, &y);
}

gdouble
kvsql_decimal_to_double (KvsqlSlice self)
{
  g_autofree gchar *text = g_strndup ((const gchar *)self.data, self.size);

  return g_ascii_strtod (text, NULL);
}

gboolean
kvsql_decimal_to_int64 (KvsqlSlice self, gint64 *out, gboolean *out_exact)
{
  KvsqlDecimalSplit parts = kvsql_decimal_split (self);
  guint64 magnitude = 0, limit = parts.is_negative ? (guint64)G_MAXINT64 + 1 : G_MAXINT64;

  if (parts.n_whole > 19)
    return FALSE;
  for (gsize i = 0; i < parts.n_whole; i++)
    magnitude = magnitude * 10 + (parts.whole[i] - '0');
  if (parts.n_fraction > 0 && parts.fraction[0] >= '5')
    magnitude++;
  if (magnitude > limit)
    return FALSE;
  *out = parts.is_negative ? (gint64)(0 - magnitude) : (gint64)magnitude;
  if (out_exact != NULL)
    *out_exact = parts.n_fraction == 0;
  return TRUE;
}
