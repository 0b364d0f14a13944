/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fn-text.c: functions of texts and bytes. A STRING is counted in characters, BYTES in bytes.
 */
#include "config.h"

#include "core/expr/function.h"

/* ---- characters */

static gsize
character_size (KvsqlSlice text, gsize at)
{
  gsize size = 1;

  while (at + size < text.size && (text.data[at + size] & 0xc0) == 0x80)
    size++;
  return size;
}

static gint64
count_characters (KvsqlSlice text)
{
  gint64 n = 0;

  for (gsize i = 0; i < text.size; i++)
    n += (text.data[i] & 0xc0) != 0x80;
  return n;
}

/* The byte where character @index begins, or the end. */
static gsize
offset_of (KvsqlSlice text, gint64 index)
{
  gsize at = 0;

  for (; index > 0 && at < text.size; index--)
    at += character_size (text, at);
  return at;
}

static gboolean
give (KvsqlType type, gconstpointer data, gsize size, KvsqlValue *out)
{
  *out = (KvsqlValue){ .type = type, .bytes = kvsql_slice (data, size) };
  return TRUE;
}

static gboolean
give_integer (gint64 integer, KvsqlValue *out)
{
  *out = (KvsqlValue){ .type = KVSQL_TYPE_INT, .integer = integer };
  return TRUE;
}

static gboolean
give_boolean (gboolean truth, KvsqlValue *out)
{
  *out = (KvsqlValue){ .type = KVSQL_TYPE_BOOLEAN, .boolean = truth != FALSE };
  return TRUE;
}

static KvsqlSlice
part (KvsqlSlice text, gsize from, gsize to)
{
  return kvsql_slice (text.size > 0 ? text.data + from : NULL, to - from);
}

static gboolean
give_part (const KvsqlValue *of, gsize from, gsize to, KvsqlValue *out)
{
  *out = (KvsqlValue){ .type = of->type, .bytes = part (of->bytes, from, to) };
  return TRUE;
}

/* ---- lengths */

static gboolean
text_length (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  return give_integer (count_characters (arguments[0].bytes), out);
}

static gboolean
octet_length (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  return give_integer (arguments[0].bytes.size, out);
}

/* ---- case */

static gboolean
change_case (const KvsqlFunctionCall *call, KvsqlSlice text, gunichar (*change) (gunichar),
             KvsqlValue *out, GError **error)
{
  const gchar *p = (const gchar *)text.data, *end = p + text.size;
  /* no character becomes more than twice as long */
  gchar *result = kvsql_function_allocate (call, 2 * text.size + 6, error);
  gsize size = 0;

  if (result == NULL)
    return FALSE;
  while (p < end)
    {
      gunichar c = g_utf8_get_char_validated (p, end - p);
      if (c == (gunichar)-1 || c == (gunichar)-2) /* no UTF-8 */
        {
          result[size++] = *p++;
          continue;
        }
      size += g_unichar_to_utf8 (change (c), result + size);
      p = g_utf8_next_char (p);
    }
  return give (KVSQL_TYPE_STRING, result, size, out);
}

static gboolean
text_lower (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
            GError **error)
{
  return change_case (call, arguments[0].bytes, g_unichar_tolower, out, error);
}

static gboolean
text_upper (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
            GError **error)
{
  return change_case (call, arguments[0].bytes, g_unichar_toupper, out, error);
}

/* ---- parts */

/* Positions count from 1 and may lie outside, as in PostgreSQL. */
static gboolean
take_part (const KvsqlValue *of, gint64 start, gint64 count, KvsqlValue *out)
{
  gboolean is_text = of->type == KVSQL_TYPE_STRING;
  gint64 end, size = (gint64)of->bytes.size;
  gsize from, to;

  if (__builtin_add_overflow (start, count, &end))
    end = G_MAXINT64;
  start = MAX (start, 1) - 1;
  end = MAX (end, 1) - 1;
  if (start >= end || start >= size)
    return give_part (of, 0, 0, out);
  end = MIN (end, size);
  from = is_text ? offset_of (of->bytes, start) : (gsize)start;
  to = is_text ? from + offset_of (part (of->bytes, from, of->bytes.size), end - start)
               : (gsize)end;
  return give_part (of, from, to, out);
}

static gboolean
substring_from (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                GError **error)
{
  return take_part (&arguments[0], arguments[1].integer, G_MAXINT64, out);
}

static gboolean
substring (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
           GError **error)
{
  if (arguments[2].integer < 0)
    return kvsql_function_fail (error, "negative substring length not allowed");
  return take_part (&arguments[0], arguments[1].integer, arguments[2].integer, out);
}

/* A negative count leaves out so many at the other end. */
static gboolean
text_left (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
           GError **error)
{
  gint64 n = arguments[1].integer;

  if (n < 0)
    n = MAX (count_characters (arguments[0].bytes) + MAX (n, -G_MAXINT32), 0);
  return give_part (&arguments[0], 0, offset_of (arguments[0].bytes, n), out);
}

static gboolean
text_right (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
            GError **error)
{
  gint64 n = arguments[1].integer, length = count_characters (arguments[0].bytes);
  gint64 skipped = n < 0 ? -MAX (n, -G_MAXINT32) : MAX (length - MIN (n, length), 0);

  return give_part (&arguments[0], offset_of (arguments[0].bytes, skipped), arguments[0].bytes.size,
                    out);
}

static gboolean
contains_character (KvsqlSlice set, KvsqlSlice character)
{
  for (gsize i = 0; i < set.size; i += character_size (set, i))
    if (kvsql_slice_equal (part (set, i, i + character_size (set, i)), character))
      return TRUE;
  return FALSE;
}

static gsize
previous_character (KvsqlSlice text, gsize at)
{
  for (at--; at > 0 && (text.data[at] & 0xc0) == 0x80; at--)
    ;
  return at;
}

static gboolean
trim (const KvsqlValue *text, KvsqlSlice set, gboolean front, gboolean back, KvsqlValue *out)
{
  KvsqlSlice bytes = text->bytes;
  gsize from = 0, to = bytes.size;

  while (front && from < to)
    {
      gsize next = from + character_size (bytes, from);
      if (!contains_character (set, part (bytes, from, next)))
        break;
      from = next;
    }
  while (back && to > from)
    {
      gsize previous = previous_character (bytes, to);
      if (!contains_character (set, part (bytes, previous, to)))
        break;
      to = previous;
    }
  return give_part (text, from, to, out);
}

static gboolean
trim_both (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
           GError **error)
{
  return trim (&arguments[0], KVSQL_SLICE_LITERAL (" "), TRUE, TRUE, out);
}

static gboolean
trim_front (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
            GError **error)
{
  return trim (&arguments[0], KVSQL_SLICE_LITERAL (" "), TRUE, FALSE, out);
}

static gboolean
trim_back (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
           GError **error)
{
  return trim (&arguments[0], KVSQL_SLICE_LITERAL (" "), FALSE, TRUE, out);
}

static gboolean
trim_set_both (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  return trim (&arguments[0], arguments[1].bytes, TRUE, TRUE, out);
}

static gboolean
trim_set_front (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                GError **error)
{
  return trim (&arguments[0], arguments[1].bytes, TRUE, FALSE, out);
}

static gboolean
trim_set_back (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  return trim (&arguments[0], arguments[1].bytes, FALSE, TRUE, out);
}

/* ---- looking for something */

/* Where @needle begins in @text from @from on; G_MAXSIZE: nowhere. */
static gsize
find (KvsqlSlice text, KvsqlSlice needle, gsize from)
{
  const guint8 *found;

  if (needle.size == 0)
    return from;
  if (from >= text.size)
    return G_MAXSIZE;
  found = memmem (text.data + from, text.size - from, needle.data, needle.size);
  return found == NULL ? G_MAXSIZE : (gsize)(found - text.data);
}

static gboolean
position (const KvsqlValue *text, const KvsqlValue *needle, KvsqlValue *out)
{
  gsize at = find (text->bytes, needle->bytes, 0);

  if (at == G_MAXSIZE)
    return give_integer (0, out);
  return give_integer (1
                           + (text->type == KVSQL_TYPE_STRING
                                  ? count_characters (part (text->bytes, 0, at))
                                  : (gint64)at),
                       out);
}

static gboolean
text_strpos (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  return position (&arguments[0], &arguments[1], out);
}

static gboolean
text_position (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  return position (&arguments[1], &arguments[0], out);
}

static gboolean
starts_with (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  return give_boolean (kvsql_slice_has_prefix (arguments[0].bytes, arguments[1].bytes), out);
}

static gboolean
ends_with (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
           GError **error)
{
  KvsqlSlice text = arguments[0].bytes, end = arguments[1].bytes;

  return give_boolean (end.size <= text.size
                           && kvsql_slice_equal (part (text, text.size - end.size, text.size), end),
                       out);
}

static gsize
count_of (KvsqlSlice text, KvsqlSlice needle)
{
  gsize n = 0;

  for (gsize at = find (text, needle, 0); at != G_MAXSIZE; at = find (text, needle, at))
    {
      n++;
      at += needle.size;
    }
  return n;
}

static gboolean
replace (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
         GError **error)
{
  KvsqlSlice text = arguments[0].bytes, old = arguments[1].bytes, new = arguments[2].bytes;
  gsize n = old.size == 0 ? 0 : count_of (text, old), size = 0, from = 0;
  gchar *result;

  if (n == 0)
    return give (KVSQL_TYPE_STRING, text.data, text.size, out);
  result = kvsql_function_allocate (call, text.size - n * old.size + n * new.size, error);
  if (result == NULL)
    return FALSE;
  for (; n > 0; n--)
    {
      gsize at = find (text, old, from);
      memcpy (result + size, text.data + from, at - from);
      size += at - from;
      if (new.size > 0)
        memcpy (result + size, new.data, new.size);
      size += new.size;
      from = at + old.size;
    }
  if (from < text.size)
    memcpy (result + size, text.data + from, text.size - from);
  return give (KVSQL_TYPE_STRING, result, size + text.size - from, out);
}

/* The parts between separators, from 1; from the end if negative. */
static gboolean
split_part (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
            GError **error)
{
  KvsqlSlice text = arguments[0].bytes, separator = arguments[1].bytes;
  gint64 wanted = arguments[2].integer, n_parts;
  gsize from = 0, to;

  if (wanted == 0)
    return kvsql_function_fail (error, "field position must not be zero");
  n_parts = separator.size == 0 ? 1 : 1 + (gint64)count_of (text, separator);
  if (wanted < 0)
    wanted = wanted < -n_parts ? 0 : n_parts + 1 + wanted;
  if (wanted < 1 || wanted > n_parts)
    return give_part (&arguments[0], 0, 0, out);
  for (gint64 i = 1; i < wanted; i++)
    from = find (text, separator, from) + separator.size;
  to = separator.size == 0 ? G_MAXSIZE : find (text, separator, from);
  return give_part (&arguments[0], from, MIN (to, text.size), out);
}

/* ---- making texts */

static gboolean
reverse (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
         GError **error)
{
  KvsqlSlice text = arguments[0].bytes;
  guint8 *result = kvsql_function_allocate (call, text.size, error);

  if (result == NULL)
    return FALSE;
  for (gsize at = 0; at < text.size;)
    {
      gsize size = character_size (text, at);
      memcpy (result + text.size - at - size, text.data + at, size);
      at += size;
    }
  return give (KVSQL_TYPE_STRING, result, text.size, out);
}

static gboolean
repeat (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out, GError **error)
{
  KvsqlSlice text = arguments[0].bytes;
  gint64 n = MAX (arguments[1].integer, 0);
  guint8 *result;

  if (text.size == 0 || n == 0)
    return give (KVSQL_TYPE_STRING, NULL, 0, out);
  if (n > G_MAXINT32)
    return kvsql_function_too_long (error);
  result = kvsql_function_allocate (call, text.size * n, error);
  if (result == NULL)
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    memcpy (result + i * text.size, text.data, text.size);
  return give (KVSQL_TYPE_STRING, result, text.size * n, out);
}

/* @length characters: cut, or filled up in front or behind. */
static gboolean
pad (const KvsqlFunctionCall *call, KvsqlSlice text, gint64 length, KvsqlSlice fill,
     gboolean in_front, KvsqlValue *out, GError **error)
{
  gint64 has = count_characters (text), missing;
  gsize n_fill, rest, fill_bytes, start;
  guint8 *result;

  length = MAX (length, 0);
  if (has >= length || count_characters (fill) == 0)
    return give (KVSQL_TYPE_STRING, text.data, offset_of (text, length), out);
  if (length > G_MAXINT32)
    return kvsql_function_too_long (error);
  missing = length - has;
  n_fill = missing / count_characters (fill);
  rest = offset_of (fill, missing % count_characters (fill));
  fill_bytes = n_fill * fill.size + rest;
  result = kvsql_function_allocate (call, text.size + fill_bytes, error);
  if (result == NULL)
    return FALSE;
  start = in_front ? 0 : text.size;
  for (gsize i = 0; i < n_fill; i++)
    memcpy (result + start + i * fill.size, fill.data, fill.size);
  memcpy (result + start + n_fill * fill.size, fill.data, rest);
  if (text.size > 0)
    memcpy (result + (in_front ? fill_bytes : 0), text.data, text.size);
  return give (KVSQL_TYPE_STRING, result, text.size + fill_bytes, out);
}

static gboolean
pad_left (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
          GError **error)
{
  return pad (call, arguments[0].bytes, arguments[1].integer, KVSQL_SLICE_LITERAL (" "), TRUE, out,
              error);
}

static gboolean
pad_right (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
           GError **error)
{
  return pad (call, arguments[0].bytes, arguments[1].integer, KVSQL_SLICE_LITERAL (" "), FALSE, out,
              error);
}

static gboolean
pad_left_with (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  return pad (call, arguments[0].bytes, arguments[1].integer, arguments[2].bytes, TRUE, out, error);
}

static gboolean
pad_right_with (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                GError **error)
{
  return pad (call, arguments[0].bytes, arguments[1].integer, arguments[2].bytes, FALSE, out,
              error);
}

static gboolean
text_ascii (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
            GError **error)
{
  KvsqlSlice text = arguments[0].bytes;
  gunichar c;

  if (text.size == 0)
    return give_integer (0, out);
  c = g_utf8_get_char_validated ((const gchar *)text.data, text.size);
  return give_integer (c == (gunichar)-1 || c == (gunichar)-2 ? text.data[0] : c, out);
}

static gboolean
text_chr (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
          GError **error)
{
  gint64 code = arguments[0].integer;
  gchar *result;

  if (code < 1 || code > 0x10ffff || !g_unichar_validate ((gunichar)code))
    return kvsql_function_fail (error, "requested character is not valid: %" G_GINT64_FORMAT, code);
  result = kvsql_arena_alloc (call->arena, 6);
  return give (KVSQL_TYPE_STRING, result, g_unichar_to_utf8 ((gunichar)code, result), out);
}

static const KvsqlFunction functions[] = {
  KVSQL_FUNCTION_1 ("length", STRING, INT, text_length, NULL, TRUE),
  KVSQL_FUNCTION_1 ("length", BYTES, INT, octet_length, NULL, TRUE),
  KVSQL_FUNCTION_1 ("char_length", STRING, INT, text_length, NULL, TRUE),
  KVSQL_FUNCTION_1 ("octet_length", STRING, INT, octet_length, NULL, TRUE),
  KVSQL_FUNCTION_1 ("octet_length", BYTES, INT, octet_length, NULL, TRUE),
  KVSQL_FUNCTION_1 ("lower", STRING, STRING, text_lower),
  KVSQL_FUNCTION_1 ("upper", STRING, STRING, text_upper),
  KVSQL_FUNCTION_2 ("substr", STRING, BIGINT, STRING, substring_from, NULL, TRUE),
  KVSQL_FUNCTION_2 ("substr", BYTES, BIGINT, BYTES, substring_from, NULL, TRUE),
  KVSQL_FUNCTION_3 ("substr", STRING, BIGINT, BIGINT, STRING, substring),
  KVSQL_FUNCTION_3 ("substr", BYTES, BIGINT, BIGINT, BYTES, substring),
  KVSQL_FUNCTION_2 ("substring", STRING, BIGINT, STRING, substring_from, NULL, TRUE),
  KVSQL_FUNCTION_2 ("substring", BYTES, BIGINT, BYTES, substring_from, NULL, TRUE),
  KVSQL_FUNCTION_3 ("substring", STRING, BIGINT, BIGINT, STRING, substring),
  KVSQL_FUNCTION_3 ("substring", BYTES, BIGINT, BIGINT, BYTES, substring),
  KVSQL_FUNCTION_2 ("left", STRING, BIGINT, STRING, text_left, NULL, TRUE),
  KVSQL_FUNCTION_2 ("right", STRING, BIGINT, STRING, text_right, NULL, TRUE),
  KVSQL_FUNCTION_1 ("trim", STRING, STRING, trim_both, NULL, TRUE),
  KVSQL_FUNCTION_1 ("btrim", STRING, STRING, trim_both, NULL, TRUE),
  KVSQL_FUNCTION_1 ("ltrim", STRING, STRING, trim_front, NULL, TRUE),
  KVSQL_FUNCTION_1 ("rtrim", STRING, STRING, trim_back, NULL, TRUE),
  KVSQL_FUNCTION_2 ("trim", STRING, STRING, STRING, trim_set_both, NULL, TRUE),
  KVSQL_FUNCTION_2 ("btrim", STRING, STRING, STRING, trim_set_both, NULL, TRUE),
  KVSQL_FUNCTION_2 ("ltrim", STRING, STRING, STRING, trim_set_front, NULL, TRUE),
  KVSQL_FUNCTION_2 ("rtrim", STRING, STRING, STRING, trim_set_back, NULL, TRUE),
  KVSQL_FUNCTION_2 ("strpos", STRING, STRING, INT, text_strpos, NULL, TRUE),
  KVSQL_FUNCTION_2 ("strpos", BYTES, BYTES, INT, text_strpos, NULL, TRUE),
  KVSQL_FUNCTION_2 ("position", STRING, STRING, INT, text_position, NULL, TRUE),
  KVSQL_FUNCTION_2 ("position", BYTES, BYTES, INT, text_position, NULL, TRUE),
  KVSQL_FUNCTION_2 ("starts_with", STRING, STRING, BOOLEAN, starts_with, NULL, TRUE),
  KVSQL_FUNCTION_2 ("starts_with", BYTES, BYTES, BOOLEAN, starts_with, NULL, TRUE),
  KVSQL_FUNCTION_2 ("ends_with", STRING, STRING, BOOLEAN, ends_with, NULL, TRUE),
  KVSQL_FUNCTION_2 ("ends_with", BYTES, BYTES, BOOLEAN, ends_with, NULL, TRUE),
  KVSQL_FUNCTION_3 ("replace", STRING, STRING, STRING, STRING, replace),
  KVSQL_FUNCTION_3 ("split_part", STRING, STRING, BIGINT, STRING, split_part),
  KVSQL_FUNCTION_1 ("reverse", STRING, STRING, reverse),
  KVSQL_FUNCTION_2 ("repeat", STRING, BIGINT, STRING, repeat),
  KVSQL_FUNCTION_2 ("lpad", STRING, BIGINT, STRING, pad_left),
  KVSQL_FUNCTION_2 ("rpad", STRING, BIGINT, STRING, pad_right),
  KVSQL_FUNCTION_3 ("lpad", STRING, BIGINT, STRING, STRING, pad_left_with),
  KVSQL_FUNCTION_3 ("rpad", STRING, BIGINT, STRING, STRING, pad_right_with),
  KVSQL_FUNCTION_1 ("ascii", STRING, INT, text_ascii, NULL, TRUE),
  KVSQL_FUNCTION_1 ("chr", BIGINT, STRING, text_chr),
};

const KvsqlFunctionFamily kvsql_functions_text = { functions, G_N_ELEMENTS (functions) };
