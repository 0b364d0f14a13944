/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fields.c: see fields.h.
 */
#include "config.h"

#include "daemon/postgres/copy/fields.h"

#include "core/sql/ast-copy.h"

static gboolean
is_null (const KvsqlCopy *copy, KvsqlSlice raw)
{
  return raw.size == strlen (copy->null) && memcmp (raw.data, copy->null, raw.size) == 0;
}

/* ---- text */

static gboolean
is_octal (guint8 c)
{
  return c >= '0' && c <= '7';
}

/* The byte that an escape means, after its backslash. Advances *at. */
static guint8
resolve_escape (const guint8 **at, const guint8 *end)
{
  static const gchar letters[] = "bfnrtv", meanings[] = "\b\f\n\r\t\v";
  guint8 c = *(*at)++;
  const gchar *letter;
  guint value = 0;

  if (is_octal (c))
    {
      value = c - '0';
      for (guint i = 0; i < 2 && *at < end && is_octal (**at); i++)
        value = value << 3 | (guint)(*(*at)++ - '0');
      return (guint8)value;
    }
  if (c == 'x' && *at < end && g_ascii_isxdigit (**at))
    {
      for (guint i = 0; i < 2 && *at < end && g_ascii_isxdigit (**at); i++)
        value = value << 4 | (guint)g_ascii_xdigit_value ((gchar) * (*at)++);
      return (guint8)value;
    }
  letter = c != '\0' ? strchr (letters, c) : NULL;
  return letter != NULL ? (guint8)meanings[letter - letters] : c;
}

static KvsqlSlice
resolve_escapes (KvsqlSlice raw, KvsqlArena *arena)
{
  guint8 *copy = kvsql_arena_alloc (arena, raw.size), *to = copy;
  const guint8 *at = raw.data, *end = raw.data + raw.size;

  while (at < end)
    if (*at != '\\')
      *to++ = *at++;
    else if (++at < end)
      *to++ = resolve_escape (&at, end);
  return kvsql_slice (copy, (gsize)(to - copy));
}

static void
split_text (const KvsqlCopy *copy, KvsqlSlice line, KvsqlArena *arena, KvsqldPgField *out,
            guint max, guint *out_n)
{
  const guint8 *at = line.data, *end = line.data + line.size;
  const guint8 delimiter = (guint8)copy->delimiter;

  *out_n = 0;
  for (;;)
    {
      const guint8 *start = at;
      gboolean has_escapes = FALSE;

      for (; at < end && *at != delimiter; at++)
        if (*at == '\\')
          {
            has_escapes = TRUE;
            if (at + 1 < end)
              at++;
          }
      if (*out_n < max)
        {
          KvsqlSlice raw = kvsql_slice (start, (gsize)(at - start));

          out[*out_n].is_null = is_null (copy, raw);
          out[*out_n].bytes
              = has_escapes && !out[*out_n].is_null ? resolve_escapes (raw, arena) : raw;
        }
      ++*out_n;
      if (at >= end)
        return;
      at++;
    }
}

/* ---- CSV */

/* The rest of a field after its opening quote: appends to *to, and advances *at beyond the closing
 * one. FALSE: there is none. */
static gboolean
read_quoted (const KvsqlCopy *copy, const guint8 **at, const guint8 *end, guint8 **to)
{
  const guint8 quote = (guint8)copy->quote, escape = (guint8)copy->escape;

  while (*at < end)
    {
      guint8 c = *(*at)++;

      if (c == escape && *at < end && (**at == escape || **at == quote))
        c = *(*at)++;
      else if (c == quote)
        return TRUE;
      *(*to)++ = c;
    }
  return FALSE;
}

static gboolean
split_csv (const KvsqlCopy *copy, KvsqlSlice line, KvsqlArena *arena, KvsqldPgField *out, guint max,
           guint *out_n, GError **error)
{
  const guint8 *at = line.data, *end = line.data + line.size;
  const guint8 delimiter = (guint8)copy->delimiter, quote = (guint8)copy->quote;
  guint8 *to = NULL; /* the line without quotes; made for the first of them */

  *out_n = 0;
  for (;;)
    {
      const guint8 *start = at;
      guint8 *copied = NULL;
      KvsqlSlice bytes;

      while (at < end && *at != delimiter)
        if (*at == quote)
          {
            if (to == NULL)
              to = kvsql_arena_alloc (arena, line.size);
            if (copied == NULL)
              {
                copied = to;
                memcpy (to, start, (gsize)(at - start));
                to += at - start;
              }
            at++;
            if (!read_quoted (copy, &at, end, &to))
              {
                kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                                 "unterminated CSV quoted field");
                return kvsql_error_sqlstate (error, "22P04");
              }
          }
        else if (copied != NULL)
          *to++ = *at++;
        else
          at++;
      bytes = copied != NULL ? kvsql_slice (copied, (gsize)(to - copied))
                             : kvsql_slice (start, (gsize)(at - start));
      if (*out_n < max)
        out[*out_n] = (KvsqldPgField){ bytes, copied == NULL && is_null (copy, bytes) };
      ++*out_n;
      if (at >= end)
        return TRUE;
      at++;
    }
}

gboolean
kvsqld_pg_fields_split (const KvsqlCopy *copy, KvsqlSlice line, KvsqlArena *arena,
                        KvsqldPgField *out, guint max, guint *out_n, GError **error)
{
  if (line.data == NULL) /* an empty line has an address in the loops */
    line.data = (const guint8 *)"";
  if (copy->format == KVSQL_COPY_CSV)
    return split_csv (copy, line, arena, out, max, out_n, error);
  split_text (copy, line, arena, out, max, out_n);
  return TRUE;
}
