/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fn-text.c: functions of texts and bytes. A STRING is counted in characters, BYTES in bytes.
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/expr/function.h"
#include "core/expr/letter-case.h"

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

/* The byte offset of character @index, or the end. */
static gsize
offset_of (KvsqlSlice text, gint64 index)
{
  gsize at = 0;

  for (; index > 0 && at < text.size; index--)
    at += character_size (text, at);
  return at;
}

static gboolean
set_bytes (KvsqlType type, gconstpointer data, gsize size, KvsqlValue *out)
{
  *out = (KvsqlValue){ .type = type, .bytes = kvsql_slice (data, size) };
  return TRUE;
}

static gboolean
set_integer (gint64 integer, KvsqlValue *out)
{
  *out = (KvsqlValue){ .type = KVSQL_TYPE_INT, .integer = integer };
  return TRUE;
}

static gboolean
set_boolean (gboolean truth, KvsqlValue *out)
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
set_part (const KvsqlValue *of, gsize from, gsize to, KvsqlValue *out)
{
  *out = (KvsqlValue){ .type = of->type, .bytes = part (of->bytes, from, to) };
  return TRUE;
}

/* ---- lengths */

static gboolean
text_length (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  return set_integer (count_characters (arguments[0].bytes), out);
}

static gboolean
octet_length (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  return set_integer (arguments[0].bytes.size, out);
}

static gboolean
bit_length (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
            GError **error)
{
  return set_integer (8 * (gint64)arguments[0].bytes.size, out);
}

/* ---- case */

typedef gunichar (*ChangeCase) (gunichar letter);

/* @first changes the first character of each word and what is in no word, @rest all others. */
static gboolean
change_case (const KvsqlFunctionCall *call, KvsqlSlice text, ChangeCase first, ChangeCase rest,
             KvsqlValue *out, GError **error)
{
  const gchar *p = (const gchar *)text.data, *end = p + text.size;
  /* the case mapping makes no character more than twice as long */
  gchar *result = kvsql_function_allocate (call, 2 * text.size + 6, error);
  gboolean is_in_word = FALSE;
  gsize size = 0;

  if (result == NULL)
    return FALSE;
  while (p < end)
    {
      gunichar c = g_utf8_get_char_validated (p, end - p);
      if (c == (gunichar)-1 || c == (gunichar)-2) /* not UTF-8 */
        {
          result[size++] = *p++;
          is_in_word = FALSE;
          continue;
        }
      size += g_unichar_to_utf8 (is_in_word ? rest (c) : first (c), result + size);
      is_in_word = first != rest && kvsql_letter_is_in_word (c);
      p = g_utf8_next_char (p);
    }
  return set_bytes (KVSQL_TYPE_STRING, result, size, out);
}

static gboolean
text_lower (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
            GError **error)
{
  return change_case (call, arguments[0].bytes, kvsql_letter_to_lower, kvsql_letter_to_lower, out,
                      error);
}

static gboolean
text_upper (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
            GError **error)
{
  return change_case (call, arguments[0].bytes, kvsql_letter_to_upper, kvsql_letter_to_upper, out,
                      error);
}

static gboolean
text_initcap (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  return change_case (call, arguments[0].bytes, kvsql_letter_to_upper, kvsql_letter_to_lower, out,
                      error);
}

/* ---- parts */

/* Positions count from 1 and may be outside of the text, as in PostgreSQL. */
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
    return set_part (of, 0, 0, out);
  end = MIN (end, size);
  from = is_text ? offset_of (of->bytes, start) : (gsize)start;
  to = is_text ? from + offset_of (part (of->bytes, from, of->bytes.size), end - start)
               : (gsize)end;
  return set_part (of, from, to, out);
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
    return kvsql_function_fail_as (error, "22011", "negative substring length not allowed");
  return take_part (&arguments[0], arguments[1].integer, arguments[2].integer, out);
}

/* A negative count means all but so many characters at the other end. */
static gboolean
text_left (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
           GError **error)
{
  gint64 n = arguments[1].integer;

  if (n < 0)
    n = MAX (count_characters (arguments[0].bytes) + MAX (n, -G_MAXINT32), 0);
  return set_part (&arguments[0], 0, offset_of (arguments[0].bytes, n), out);
}

static gboolean
text_right (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
            GError **error)
{
  gint64 n = arguments[1].integer, length = count_characters (arguments[0].bytes);
  gint64 skipped = n < 0 ? -MAX (n, -G_MAXINT32) : MAX (length - MIN (n, length), 0);

  return set_part (&arguments[0], offset_of (arguments[0].bytes, skipped), arguments[0].bytes.size,
                   out);
}

/* A hash key: the bytes of a character. Longer ones are not UTF-8, and get 0. */
static gpointer
key_of (KvsqlSlice text, gsize at, gsize size)
{
  guint32 key = 0;

  for (gsize i = 0; i < size && size <= 4; i++)
    key = key << 8 | text.data[at + i];
  return GUINT_TO_POINTER (key);
}

/* The characters of a list, each with its place in another list. */
typedef struct
{
  KvsqlSlice from, to;
  GHashTable *table; /* nullable: the list is searched instead */
} CharacterMap;

/* A table costs more than it saves unless both list and text are longer. */
#define MAX_SEARCHED_BYTES 32

static void
character_map_clear (CharacterMap *self)
{
  g_clear_pointer (&self->table, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CharacterMap, character_map_clear)

/* Both lists may be as long as a text: a search for each character of a text would take hours. */
static CharacterMap
make_map (KvsqlSlice from, KvsqlSlice to, KvsqlSlice text)
{
  CharacterMap self = { .from = from, .to = to };

  if (MIN (from.size, text.size) <= MAX_SEARCHED_BYTES)
    return self;
  self.table = g_hash_table_new (NULL, NULL);
  for (gsize i = 0, j = 0; i < from.size && kvsql_interrupt_tick (); i += character_size (from, i))
    {
      gpointer key = key_of (from, i, character_size (from, i));

      if (!g_hash_table_contains (self.table, key)) /* the first one counts */
        g_hash_table_insert (self.table, key, GSIZE_TO_POINTER (j));
      j += j < to.size ? character_size (to, j) : 0;
    }
  return self;
}

/* Whether the character of @text at @at is in the list. *out_to: the offset of its character in the
 * other list; the size of that list if there is none. */
static gboolean
find_character (const CharacterMap *self, KvsqlSlice text, gsize at, gsize size, gsize *out_to)
{
  KvsqlSlice from = self->from, to = self->to;
  gpointer found;

  if (self->table != NULL)
    {
      if (!g_hash_table_lookup_extended (self->table, key_of (text, at, size), NULL, &found))
        return FALSE;
      *out_to = GPOINTER_TO_SIZE (found);
      return TRUE;
    }
  *out_to = 0;
  for (gsize i = 0; i < from.size && kvsql_interrupt_tick (); i += character_size (from, i))
    {
      if (kvsql_slice_equal (part (from, i, i + character_size (from, i)),
                             part (text, at, at + size)))
        return TRUE;
      *out_to += *out_to < to.size ? character_size (to, *out_to) : 0;
    }
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
trim (const KvsqlValue *text, KvsqlSlice list, gboolean front, gboolean back, KvsqlValue *out)
{
  KvsqlSlice bytes = text->bytes;
  g_auto (CharacterMap) map = make_map (list, KVSQL_SLICE_EMPTY, bytes);
  gsize from = 0, to = bytes.size;
  gsize unused;

  while (front && from < to)
    {
      gsize size = character_size (bytes, from);
      if (!find_character (&map, bytes, from, size, &unused))
        break;
      from += size;
    }
  while (back && to > from)
    {
      gsize previous = previous_character (bytes, to);
      if (!find_character (&map, bytes, previous, to - previous, &unused))
        break;
      to = previous;
    }
  return set_part (text, from, to, out);
}

static gboolean
trim_both (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
           GError **error)
{
  return trim (&arguments[0], KVSQL_SLICE_LITERAL (" "), TRUE, TRUE, out);
}

static gboolean
trim_start (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
            GError **error)
{
  return trim (&arguments[0], KVSQL_SLICE_LITERAL (" "), TRUE, FALSE, out);
}

static gboolean
trim_end (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
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
trim_set_start (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
                GError **error)
{
  return trim (&arguments[0], arguments[1].bytes, TRUE, FALSE, out);
}

static gboolean
trim_set_end (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  return trim (&arguments[0], arguments[1].bytes, FALSE, TRUE, out);
}

/* ---- looking for something */

/* The offset of @needle in @text, from @from on; G_MAXSIZE if there is none. */
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
    return set_integer (0, out);
  return set_integer (1
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
  return set_boolean (kvsql_slice_has_prefix (arguments[0].bytes, arguments[1].bytes), out);
}

static gboolean
ends_with (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
           GError **error)
{
  KvsqlSlice text = arguments[0].bytes, end = arguments[1].bytes;

  return set_boolean (end.size <= text.size
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
    return set_bytes (KVSQL_TYPE_STRING, text.data, text.size, out);
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
  return set_bytes (KVSQL_TYPE_STRING, result, size + text.size - from, out);
}

/* Appends the translated text to @out (NULL: only measures it), at most @capacity bytes. A search
 * that is interrupted finds nothing, so an interrupted text may be longer than it was measured.
 * Returns the size. */
static gsize
append_translated (KvsqlSlice text, const CharacterMap *map, guint8 *out, gsize capacity)
{
  gsize size = 0;

  for (gsize at = 0, n; at < text.size && kvsql_interrupt_tick (); at += n)
    {
      KvsqlSlice character;
      gsize to;

      n = character_size (text, at);
      character = part (text, at, at + n);
      if (find_character (map, text, at, n, &to))
        {
          if (to >= map->to.size)
            continue;
          character = kvsql_slice (map->to.data + to, character_size (map->to, to));
        }
      if (character.size > capacity - size)
        break;
      if (out != NULL)
        memcpy (out + size, character.data, character.size);
      size += character.size;
    }
  return size;
}

static gboolean
translate (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
           GError **error)
{
  KvsqlSlice text = arguments[0].bytes;
  g_auto (CharacterMap) map = make_map (arguments[1].bytes, arguments[2].bytes, text);
  gsize size = append_translated (text, &map, NULL, G_MAXSIZE);
  guint8 *result = kvsql_function_allocate (call, size, error);

  if (result == NULL)
    return FALSE;
  append_translated (text, &map, result, size);
  return set_bytes (KVSQL_TYPE_STRING, result, size, out);
}

/* A part between separators, counted from 1, or from the end if negative. */
static gboolean
split_part (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
            GError **error)
{
  KvsqlSlice text = arguments[0].bytes, separator = arguments[1].bytes;
  gint64 wanted = arguments[2].integer, n_parts;
  gsize from = 0, to;

  if (wanted == 0)
    return kvsql_function_fail_as (error, "22023", "field position must not be zero");
  n_parts = separator.size == 0 ? 1 : 1 + (gint64)count_of (text, separator);
  if (wanted < 0)
    wanted = wanted < -n_parts ? 0 : n_parts + 1 + wanted;
  if (wanted < 1 || wanted > n_parts)
    return set_part (&arguments[0], 0, 0, out);
  for (gint64 i = 1; i < wanted; i++)
    from = find (text, separator, from) + separator.size;
  to = separator.size == 0 ? G_MAXSIZE : find (text, separator, from);
  return set_part (&arguments[0], from, MIN (to, text.size), out);
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
  return set_bytes (KVSQL_TYPE_STRING, result, text.size, out);
}

static gboolean
repeat (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out, GError **error)
{
  KvsqlSlice text = arguments[0].bytes;
  gint64 n = MAX (arguments[1].integer, 0);
  guint8 *result;

  if (text.size == 0 || n == 0)
    return set_bytes (KVSQL_TYPE_STRING, NULL, 0, out);
  if (n > G_MAXINT32)
    return kvsql_function_fail_too_long (error);
  result = kvsql_function_allocate (call, text.size * n, error);
  if (result == NULL)
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    memcpy (result + i * text.size, text.data, text.size);
  return set_bytes (KVSQL_TYPE_STRING, result, text.size * n, out);
}

/* @length characters: truncated, or padded at the beginning or the end. */
static gboolean
pad (const KvsqlFunctionCall *call, KvsqlSlice text, gint64 length, KvsqlSlice fill,
     gboolean at_start, KvsqlValue *out, GError **error)
{
  gint64 has = count_characters (text), missing;
  gsize n_fill, rest, fill_bytes, start;
  guint8 *result;

  length = MAX (length, 0);
  if (has >= length || count_characters (fill) == 0)
    return set_bytes (KVSQL_TYPE_STRING, text.data, offset_of (text, length), out);
  if (length > G_MAXINT32)
    return kvsql_function_fail_too_long (error);
  missing = length - has;
  n_fill = missing / count_characters (fill);
  rest = offset_of (fill, missing % count_characters (fill));
  fill_bytes = n_fill * fill.size + rest;
  result = kvsql_function_allocate (call, text.size + fill_bytes, error);
  if (result == NULL)
    return FALSE;
  start = at_start ? 0 : text.size;
  for (gsize i = 0; i < n_fill; i++)
    memcpy (result + start + i * fill.size, fill.data, fill.size);
  memcpy (result + start + n_fill * fill.size, fill.data, rest);
  if (text.size > 0)
    memcpy (result + (at_start ? fill_bytes : 0), text.data, text.size);
  return set_bytes (KVSQL_TYPE_STRING, result, text.size + fill_bytes, out);
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
    return set_integer (0, out);
  c = g_utf8_get_char_validated ((const gchar *)text.data, text.size);
  return set_integer (c == (gunichar)-1 || c == (gunichar)-2 ? text.data[0] : c, out);
}

static gboolean
text_chr (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
          GError **error)
{
  gint64 code = arguments[0].integer;
  gchar *result;

  if (code < 0)
    return kvsql_function_fail_as (error, "22023", "character number must be positive");
  if (code == 0 || code > 0x10ffff || !g_unichar_validate ((gunichar)code))
    return kvsql_function_fail_as (error, "54000",
                                   "requested character is not valid: %" G_GINT64_FORMAT, code);
  result = kvsql_arena_alloc (call->arena, 6);
  return set_bytes (KVSQL_TYPE_STRING, result, g_unichar_to_utf8 ((gunichar)code, result), out);
}

/* The characters from number @from on, @count of them, are replaced. */
static gboolean
overlay (const KvsqlFunctionCall *call, const KvsqlValue *arguments, gint64 count, KvsqlValue *out,
         GError **error)
{
  gboolean is_bytes = arguments[0].type == KVSQL_TYPE_BYTES;
  KvsqlSlice text = arguments[0].bytes, with = arguments[1].bytes;
  gint64 from = arguments[2].integer, end;
  gsize first, rest;
  guint8 *result;

  if (from <= 0)
    return kvsql_function_fail_as (error, "22011", "negative substring length not allowed");
  if (__builtin_add_overflow (from - 1, count, &end))
    return kvsql_function_fail_as (error, "22003", "INT out of range");
  first = is_bytes ? (gsize)MIN (from - 1, (gint64)text.size) : offset_of (text, from - 1);
  rest = end <= 0 ? 0 : is_bytes ? (gsize)MIN (end, (gint64)text.size) : offset_of (text, end);
  result = kvsql_function_allocate (call, first + with.size + text.size - rest, error);
  if (result == NULL)
    return FALSE;
  if (first > 0)
    memcpy (result, text.data, first);
  if (with.size > 0)
    memcpy (result + first, with.data, with.size);
  if (rest < text.size)
    memcpy (result + first + with.size, text.data + rest, text.size - rest);
  return set_bytes (arguments[0].type, result, first + with.size + text.size - rest, out);
}

static gboolean
overlay_all (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
             GError **error)
{
  return overlay (call, arguments,
                  arguments[1].type == KVSQL_TYPE_BYTES ? (gint64)arguments[1].bytes.size
                                                        : count_characters (arguments[1].bytes),
                  out, error);
}

static gboolean
overlay_count (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
               GError **error)
{
  return overlay (call, arguments, arguments[3].integer, out, error);
}

static const KvsqlFunction functions[] = {
  KVSQL_FUNCTION_1 ("length", STRING, INT, text_length, NULL, TRUE),
  KVSQL_FUNCTION_1 ("length", BYTES, INT, octet_length, NULL, TRUE),
  KVSQL_FUNCTION_1 ("char_length", STRING, INT, text_length, NULL, TRUE),
  KVSQL_FUNCTION_1 ("character_length", STRING, INT, text_length, NULL, TRUE),
  KVSQL_FUNCTION_1 ("bit_length", STRING, INT, bit_length, NULL, TRUE),
  KVSQL_FUNCTION_1 ("bit_length", BYTES, INT, bit_length, NULL, TRUE),
  KVSQL_FUNCTION_3 ("overlay", STRING, STRING, BIGINT, STRING, overlay_all),
  KVSQL_FUNCTION_3 ("overlay", BYTES, BYTES, BIGINT, BYTES, overlay_all),
  KVSQL_FUNCTION_4 ("overlay", STRING, STRING, BIGINT, BIGINT, STRING, overlay_count),
  KVSQL_FUNCTION_4 ("overlay", BYTES, BYTES, BIGINT, BIGINT, BYTES, overlay_count),
  KVSQL_FUNCTION_1 ("octet_length", STRING, INT, octet_length, NULL, TRUE),
  KVSQL_FUNCTION_1 ("octet_length", BYTES, INT, octet_length, NULL, TRUE),
  KVSQL_FUNCTION_1 ("lower", STRING, STRING, text_lower),
  KVSQL_FUNCTION_1 ("upper", STRING, STRING, text_upper),
  KVSQL_FUNCTION_1 ("initcap", STRING, STRING, text_initcap),
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
  KVSQL_FUNCTION_1 ("ltrim", STRING, STRING, trim_start, NULL, TRUE),
  KVSQL_FUNCTION_1 ("rtrim", STRING, STRING, trim_end, NULL, TRUE),
  KVSQL_FUNCTION_2 ("trim", STRING, STRING, STRING, trim_set_both, NULL, TRUE),
  KVSQL_FUNCTION_2 ("btrim", STRING, STRING, STRING, trim_set_both, NULL, TRUE),
  KVSQL_FUNCTION_2 ("ltrim", STRING, STRING, STRING, trim_set_start, NULL, TRUE),
  KVSQL_FUNCTION_2 ("rtrim", STRING, STRING, STRING, trim_set_end, NULL, TRUE),
  KVSQL_FUNCTION_2 ("strpos", STRING, STRING, INT, text_strpos, NULL, TRUE),
  KVSQL_FUNCTION_2 ("strpos", BYTES, BYTES, INT, text_strpos, NULL, TRUE),
  KVSQL_FUNCTION_2 ("position", STRING, STRING, INT, text_position, NULL, TRUE),
  KVSQL_FUNCTION_2 ("position", BYTES, BYTES, INT, text_position, NULL, TRUE),
  KVSQL_FUNCTION_2 ("starts_with", STRING, STRING, BOOLEAN, starts_with, NULL, TRUE),
  KVSQL_FUNCTION_2 ("starts_with", BYTES, BYTES, BOOLEAN, starts_with, NULL, TRUE),
  KVSQL_FUNCTION_2 ("ends_with", STRING, STRING, BOOLEAN, ends_with, NULL, TRUE),
  KVSQL_FUNCTION_2 ("ends_with", BYTES, BYTES, BOOLEAN, ends_with, NULL, TRUE),
  KVSQL_FUNCTION_3 ("replace", STRING, STRING, STRING, STRING, replace),
  KVSQL_FUNCTION_3 ("translate", STRING, STRING, STRING, STRING, translate),
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
