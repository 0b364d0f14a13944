/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * quote.c: see quote.h.
 */
#include "config.h"

#include "daemon/postgres/copy/quote.h"

#include "core/sql/ast-copy.h"

/* Makes each byte for which @get_prefix has one two bytes, in place, from the end. */
static void
put_prefixes (KvsqlBuffer *out, gsize start, guint n_more,
              gboolean (*get_prefix) (const KvsqlCopy *copy, guint8 *byte, guint8 *out_prefix),
              const KvsqlCopy *copy)
{
  gsize from = out->size, to;

  kvsql_buffer_extend (out, n_more);
  to = out->size;
  while (from > start && to > from)
    {
      guint8 byte = out->data[--from], prefix;
      gboolean has_prefix = get_prefix (copy, &byte, &prefix);

      out->data[--to] = byte;
      if (has_prefix)
        out->data[--to] = prefix;
    }
}

/* ---- text */

static gboolean
get_backslash (const KvsqlCopy *copy, guint8 *byte, guint8 *out_prefix)
{
  static const gchar letters[] = "bfnrtv", bytes[] = "\b\f\n\r\t\v";
  const gchar *found = *byte >= '\b' && *byte <= '\r' ? strchr (bytes, *byte) : NULL;

  *out_prefix = '\\';
  if (found == NULL)
    return *byte == '\\' || *byte == (guint8)copy->delimiter;
  *byte = (guint8)letters[found - bytes];
  return TRUE;
}

static void
quote_text (const KvsqlCopy *copy, KvsqlBuffer *out, gsize start)
{
  guint n = 0;

  for (gsize i = start; i < out->size; i++)
    {
      guint8 byte = out->data[i], prefix;

      n += get_backslash (copy, &byte, &prefix);
    }
  if (n > 0)
    put_prefixes (out, start, n, get_backslash, copy);
}

/* ---- CSV */

static gboolean
get_escape (const KvsqlCopy *copy, guint8 *byte, guint8 *out_prefix)
{
  *out_prefix = (guint8)copy->escape;
  return *byte == (guint8)copy->quote || *byte == (guint8)copy->escape;
}

static gboolean
needs_quotes (const KvsqlCopy *copy, KvsqlSlice text, gboolean is_alone)
{
  if (text.size == strlen (copy->null)
      && (text.size == 0 || memcmp (text.data, copy->null, text.size) == 0))
    return TRUE;
  if (is_alone && text.size == 2 && memcmp (text.data, "\\.", 2) == 0)
    return TRUE;
  for (gsize i = 0; i < text.size; i++)
    if (text.data[i] == (guint8)copy->delimiter || text.data[i] == (guint8)copy->quote
        || text.data[i] == '\n' || text.data[i] == '\r')
      return TRUE;
  return FALSE;
}

static void
quote_csv (const KvsqlCopy *copy, KvsqlBuffer *out, gsize start, gboolean is_forced,
           gboolean is_alone)
{
  guint n = 0;

  if (!is_forced
      && !needs_quotes (copy, kvsql_slice (out->data + start, out->size - start), is_alone))
    return;
  for (gsize i = start; i < out->size; i++)
    {
      guint8 byte = out->data[i], prefix;

      n += get_escape (copy, &byte, &prefix);
    }
  if (n > 0)
    put_prefixes (out, start, n, get_escape, copy);
  kvsql_buffer_append_byte (out, (guint8)copy->quote);
  memmove (out->data + start + 1, out->data + start, out->size - start - 1);
  out->data[start] = (guint8)copy->quote;
  kvsql_buffer_append_byte (out, (guint8)copy->quote);
}

void
kvsqld_pg_quote_field (const KvsqlCopy *copy, KvsqlBuffer *out, gsize start, gboolean is_forced,
                       gboolean is_alone)
{
  if (copy->format == KVSQL_COPY_CSV)
    quote_csv (copy, out, start, is_forced, is_alone);
  else
    quote_text (copy, out, start);
}
