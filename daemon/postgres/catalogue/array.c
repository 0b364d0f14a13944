/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * array.c: see array.h.
 */
#include "config.h"

#include "daemon/postgres/catalogue/array.h"

#include <string.h>

#include "daemon/postgres/catalogue/facts.h"

/* ---- texts */

/* One element, up to the comma or brace after it. FALSE: the text ends too early. */
static gboolean
read_element (const gchar *text, gsize size, gsize *at, KvsqlArena *arena, KvsqlSlice *out)
{
  g_autoptr (GString) value = g_string_new (NULL);
  gboolean is_quoted = FALSE, was_quoted = FALSE;
  guint depth = 0;

  for (; *at < size; ++*at)
    {
      gchar c = text[*at];

      if (!is_quoted && depth == 0 && (c == ',' || c == '}'))
        break;
      if (c == '\\' && *at + 1 < size)
        g_string_append_c (value, text[++*at]);
      else if (c == '"')
        {
          is_quoted = !is_quoted;
          was_quoted = TRUE;
        }
      else
        {
          depth += !is_quoted && c == '{';
          depth -= !is_quoted && c == '}';
          g_string_append_c (value, c);
        }
    }
  if (*at >= size)
    return FALSE;
  *out = was_quoted || g_ascii_strcasecmp (value->str, "null") != 0
             ? kvsql_slice (kvsql_arena_strndup (arena, value->str, value->len), value->len)
             : KVSQL_SLICE_EMPTY;
  return TRUE;
}

static KvsqlSlice *
copy (const GArray *elements, KvsqlArena *arena, guint *out_n)
{
  KvsqlSlice *copies = kvsql_arena_array (arena, KvsqlSlice, elements->len + 1);

  if (elements->len > 0)
    memcpy (copies, elements->data, elements->len * sizeof (KvsqlSlice));
  *out_n = elements->len;
  return copies;
}

static KvsqlSlice *
read_vector (KvsqlSlice text, KvsqlArena *arena, guint *out_n)
{
  g_autoptr (GArray) elements = g_array_new (FALSE, FALSE, sizeof (KvsqlSlice));
  gsize at = 0;

  while (at < text.size)
    {
      gsize from;

      while (at < text.size && text.data[at] == ' ')
        at++;
      from = at;
      while (at < text.size && text.data[at] != ' ')
        at++;
      if (at > from)
        {
          const KvsqlSlice element = kvsql_slice (text.data + from, at - from);

          g_array_append_val (elements, element);
        }
    }
  return copy (elements, arena, out_n);
}

KvsqlSlice *
kvsqld_pg_array_read (KvsqlSlice text, KvsqlArena *arena, guint *out_n)
{
  g_autoptr (GArray) elements = NULL;
  const gchar *data = (const gchar *)text.data;
  gsize at = 1;

  *out_n = 0;
  if (text.size == 0 || data[0] != '{')
    return read_vector (text, arena, out_n);
  elements = g_array_new (FALSE, FALSE, sizeof (KvsqlSlice));
  while (at < text.size && data[at] != '}')
    {
      KvsqlSlice element;

      if (!read_element (data, text.size, &at, arena, &element))
        return NULL;
      g_array_append_val (elements, element);
      if (data[at] == ',')
        at++;
    }
  return at < text.size ? copy (elements, arena, out_n) : NULL;
}

static gboolean
needs_quotes (KvsqlSlice element)
{
  if (element.size == 0
      || (element.size == 4 && g_ascii_strncasecmp ((const gchar *)element.data, "null", 4) == 0))
    return TRUE;
  for (gsize i = 0; i < element.size; i++)
    if (strchr ("{},\"\\ \t\n\r\v\f", element.data[i]) != NULL)
      return TRUE;
  return FALSE;
}

void
kvsqld_pg_array_append (GString *out, KvsqlSlice element)
{
  if (element.data == NULL)
    {
      g_string_append (out, "NULL");
      return;
    }
  if (!needs_quotes (element))
    {
      g_string_append_len (out, (const gchar *)element.data, (gssize)element.size);
      return;
    }
  g_string_append_c (out, '"');
  for (gsize i = 0; i < element.size; i++)
    {
      if (element.data[i] == '"' || element.data[i] == '\\')
        g_string_append_c (out, '\\');
      g_string_append_c (out, (gchar)element.data[i]);
    }
  g_string_append_c (out, '"');
}

KvsqlSlice
kvsqld_pg_array_write (const KvsqlSlice *elements, guint n, KvsqlArena *arena)
{
  g_autoptr (GString) out = g_string_new ("{");

  for (guint i = 0; i < n; i++)
    {
      if (i > 0)
        g_string_append_c (out, ',');
      kvsqld_pg_array_append (out, elements[i]);
    }
  g_string_append_c (out, '}');
  return kvsql_slice_dup (arena, kvsql_slice (out->str, out->len));
}

/* ---- the binary format */

#define ABSENT ((guint32)-1)

static void
put_int32 (KvsqlBuffer *out, guint32 value)
{
  kvsql_put_be32 (kvsql_buffer_extend (out, 4), value);
}

static guint
size_of_number (guint32 type)
{
  switch (type)
    {
    case KVSQLD_PGT_INT2:
      return 2;
    case KVSQLD_PGT_INT4:
    case KVSQLD_PGT_OID:
    case KVSQLD_PGT_XID:
      return 4;
    case KVSQLD_PGT_INT8:
      return 8;
    default:
      return 0;
    }
}

static gboolean
put_element (KvsqlSlice element, guint32 type, KvsqlBuffer *out)
{
  guint size = size_of_number (type);
  g_autofree gchar *text = NULL;
  gchar *end;
  guint64 value;

  if (element.data == NULL)
    {
      put_int32 (out, ABSENT);
      return TRUE;
    }
  put_int32 (out, size > 0 ? size : (guint32)element.size);
  if (size == 0)
    {
      kvsql_buffer_append_slice (out, element);
      return TRUE;
    }
  text = g_strndup ((const gchar *)element.data, element.size);
  value = (guint64)g_ascii_strtoll (text, &end, 10);
  for (guint i = size; i-- > 0;)
    kvsql_buffer_append_byte (out, (guint8)(value >> (8 * i)));
  return *text != '\0' && *end == '\0';
}

gboolean
kvsqld_pg_array_to_binary (KvsqlSlice text, guint32 element, KvsqlBuffer *out)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  gboolean is_vector = text.size == 0 || text.data[0] != '{', has_null = FALSE;
  guint n;
  KvsqlSlice *elements = kvsqld_pg_array_read (text, arena, &n);

  if (elements == NULL)
    return FALSE;
  for (guint i = 0; i < n; i++)
    has_null = has_null || elements[i].data == NULL;
  put_int32 (out, n > 0 || is_vector ? 1 : 0);
  put_int32 (out, has_null);
  put_int32 (out, element);
  if (n > 0 || is_vector)
    {
      put_int32 (out, n);
      put_int32 (out, is_vector ? 0 : 1);
    }
  for (guint i = 0; i < n; i++)
    if (!put_element (elements[i], element, out))
      return FALSE;
  return TRUE;
}

static guint32
take_int32 (KvsqlSlice bytes, gsize *at, gboolean *ok)
{
  if (bytes.size - *at < 4)
    {
      *ok = FALSE;
      return 0;
    }
  *at += 4;
  return kvsql_get_be32 (bytes.data + *at - 4);
}

/* A number as its text. */
static KvsqlSlice
read_number (KvsqlSlice bytes, gboolean is_signed, KvsqlArena *arena)
{
  gint64 value = is_signed && bytes.data[0] >= 0x80 ? -1 : 0;
  gchar *text;

  for (gsize i = 0; i < bytes.size; i++)
    value = (gint64)((guint64)value << 8 | bytes.data[i]);
  text = kvsql_arena_printf (arena, "%" G_GINT64_FORMAT, value);
  return kvsql_slice_from_text (text);
}

KvsqlSlice
kvsqld_pg_array_from_binary (KvsqlSlice bytes, KvsqlArena *arena)
{
  gsize at = 0;
  gboolean ok = TRUE;
  guint32 n_dimensions = take_int32 (bytes, &at, &ok);
  guint32 n, element;
  KvsqlSlice *elements;

  take_int32 (bytes, &at, &ok);
  element = take_int32 (bytes, &at, &ok);
  if (!ok || n_dimensions > 1)
    return KVSQL_SLICE_EMPTY;
  if (n_dimensions == 0)
    return kvsql_slice_from_text ("{}");
  n = take_int32 (bytes, &at, &ok);
  take_int32 (bytes, &at, &ok);
  if (!ok || n > (bytes.size - at) / 4)
    return KVSQL_SLICE_EMPTY;
  elements = kvsql_arena_array (arena, KvsqlSlice, n + 1);
  for (guint i = 0; i < n; i++)
    {
      guint32 size = take_int32 (bytes, &at, &ok);

      elements[i] = KVSQL_SLICE_EMPTY;
      if (!ok || (size != ABSENT && size > bytes.size - at))
        return KVSQL_SLICE_EMPTY;
      if (size == ABSENT)
        continue;
      elements[i] = kvsql_slice (bytes.data + at, size);
      at += size;
      if (size_of_number (element) == size)
        elements[i] = read_number (elements[i], element != KVSQLD_PGT_OID, arena);
      else if (size_of_number (element) != 0)
        return KVSQL_SLICE_EMPTY;
    }
  return at == bytes.size ? kvsqld_pg_array_write (elements, n, arena) : KVSQL_SLICE_EMPTY;
}
