/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * record-ndjson.c: parses a row of NDJSON: an object on a line of its own.
 *
 * json-glib is not used: it converts numbers to doubles, so that a DECIMAL would lose digits; it
 * does not report the column of an error, and accepts more than JSON. Here a number keeps its
 * digits, and an array or object its text, which kvsqld parses.
 */
#include "config.h"

#include <string.h>

#include "client/ctl/import/record.h"

#define MAX_DEPTH 64

typedef struct
{
  KvsqlctlRecord *record;
  const gchar *bytes;
  gsize at;
  gsize end; /* of the line, without the line end */
} Json;

static gboolean parse_value (Json *self, KvsqlctlField *out, guint depth);

static gboolean
reject (Json *self, const gchar *problem, const gchar *hint)
{
  kvsqlctl_record_reject (self->record, self->at, problem, hint);
  return FALSE;
}

static gchar
peek (Json *self)
{
  while (self->at < self->end && strchr (" \t\r", self->bytes[self->at]) != NULL
         && self->bytes[self->at] != '\0')
    self->at++;
  return self->at < self->end ? self->bytes[self->at] : '\0';
}

static gboolean
take (Json *self, gchar mark, const gchar *problem)
{
  if (peek (self) != mark)
    return reject (self, problem, NULL);
  self->at++;
  return TRUE;
}

/* ---- strings */

static gboolean
read_hex (Json *self, gunichar *out)
{
  *out = 0;
  for (guint i = 0; i < 4; i++)
    {
      gint digit = self->at < self->end ? g_ascii_xdigit_value (self->bytes[self->at]) : -1;

      if (digit < 0)
        return reject (self, "\\u needs four hexadecimal digits", NULL);
      *out = *out << 4 | (gunichar)digit;
      self->at++;
    }
  return TRUE;
}

/* Parses after "\u". */
static gboolean
append_unicode (Json *self, GString *out)
{
  gunichar first, second;

  if (!read_hex (self, &first))
    return FALSE;
  if (first == 0)
    return reject (self, "text with a NUL character", "STRING is UTF-8 without NUL bytes.");
  if (first >= 0xd800 && first < 0xdc00)
    {
      if (self->end - self->at < 2 || memcmp (self->bytes + self->at, "\\u", 2) != 0)
        return reject (self, "half a surrogate pair", NULL);
      self->at += 2;
      if (!read_hex (self, &second))
        return FALSE;
      if (second < 0xdc00 || second > 0xdfff)
        return reject (self, "half a surrogate pair", NULL);
      first = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
    }
  else if (first >= 0xdc00 && first < 0xe000)
    return reject (self, "half a surrogate pair", NULL);
  g_string_append_unichar (out, first);
  return TRUE;
}

/* Parses after the backslash. */
static gboolean
append_escape (Json *self, GString *out)
{
  static const gchar letters[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
  gchar letter = self->at < self->end ? self->bytes[self->at] : '\0';
  const gchar *at = letter != '\0' ? strchr (letters, letter) : NULL;

  if (letter == 'u')
    {
      self->at++;
      return append_unicode (self, out);
    }
  if (at == NULL)
    return reject (self, "not an escape of JSON", "Write a backslash twice.");
  g_string_append_c (out, bytes[at - letters]);
  self->at++;
  return TRUE;
}

/* With @out NULL it only checks. */
static gboolean
parse_string (Json *self, KvsqlctlField *out)
{
  GString *unescaped = self->record->unescaped;
  gsize opened = self->at++, from = self->at, start = unescaped->len;
  gboolean has_escapes = FALSE;

  for (;; self->at++)
    {
      gchar byte = self->at < self->end ? self->bytes[self->at] : '\0';

      if (byte == '"')
        break;
      if (self->at == self->end)
        {
          self->at = opened;
          return reject (self, "this string is never closed", NULL);
        }
      if ((guchar)byte < 0x20)
        return reject (self, "a control character in a string", "Write it as \\u00XX.");
      if (byte != '\\')
        continue;
      g_string_append_len (unescaped, self->bytes + from, (gssize)(self->at - from));
      has_escapes = TRUE;
      from = self->at++;
      if (!append_escape (self, unescaped))
        {
          self->record->place = from;
          return FALSE;
        }
      from = self->at--;
    }
  if (has_escapes)
    g_string_append_len (unescaped, self->bytes + from, (gssize)(self->at - from));
  if (out != NULL)
    *out = (KvsqlctlField){ .kind = KVSQLCTL_FIELD_STRING,
                            .is_unescaped = has_escapes,
                            .start = has_escapes ? start : from,
                            .size = has_escapes ? unescaped->len - start : self->at - from,
                            .place = opened };
  else
    g_string_truncate (unescaped, start);
  self->at++;
  return TRUE;
}

/* ---- the other values */

static gsize
count_digits (Json *self)
{
  gsize start = self->at;

  while (self->at < self->end && g_ascii_isdigit (self->bytes[self->at]))
    self->at++;
  return self->at - start;
}

static gboolean
is_next (const Json *self, const gchar *any_of)
{
  return self->at < self->end && self->bytes[self->at] != '\0'
         && strchr (any_of, self->bytes[self->at]) != NULL;
}

static gboolean
parse_number (Json *self)
{
  gsize digits, start;

  self->at += is_next (self, "-");
  start = self->at;
  digits = count_digits (self);
  if (digits == 0 || (digits > 1 && self->bytes[start] == '0'))
    self->at = start;
  if (self->at == start)
    return reject (self, "not a number of JSON", NULL);
  if (is_next (self, "."))
    {
      self->at++;
      if (count_digits (self) == 0)
        return reject (self, "a number needs digits after its point", NULL);
    }
  if (is_next (self, "eE"))
    {
      self->at++;
      self->at += is_next (self, "+-");
      if (count_digits (self) == 0)
        return reject (self, "a number needs digits in its exponent", NULL);
    }
  return TRUE;
}

static gboolean
parse_word (Json *self, KvsqlctlFieldKind *out_kind)
{
  static const struct
  {
    const gchar *word;
    KvsqlctlFieldKind kind;
  } words[] = { { "null", KVSQLCTL_FIELD_NULL },
                { "true", KVSQLCTL_FIELD_BOOLEAN },
                { "false", KVSQLCTL_FIELD_BOOLEAN } };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      gsize size = strlen (words[i].word);

      if (self->end - self->at < size || memcmp (self->bytes + self->at, words[i].word, size) != 0)
        continue;
      self->at += size;
      *out_kind = words[i].kind;
      return TRUE;
    }
  return reject (self, "not a value of JSON", "Put text in double quotes.");
}

/* Parses an array or object after its opening bracket. */
static gboolean
parse_members (Json *self, gboolean is_object, guint depth)
{
  gchar closing = is_object ? '}' : ']';

  if (depth == MAX_DEPTH)
    return reject (self, "values nested too deeply", NULL);
  if (peek (self) == closing)
    {
      self->at++;
      return TRUE;
    }
  for (;;)
    {
      if (is_object
          && (peek (self) != '"' ? !reject (self, "expected a name in double quotes", NULL)
                                 : !parse_string (self, NULL)))
        return FALSE;
      if (is_object && !take (self, ':', "expected \":\""))
        return FALSE;
      if (!parse_value (self, NULL, depth + 1))
        return FALSE;
      if (peek (self) != ',')
        return take (self, closing,
                     is_object ? "expected \",\" or \"}\"" : "expected \",\" or \"]\"");
      self->at++;
    }
}

static gboolean
parse_value (Json *self, KvsqlctlField *out, guint depth)
{
  gchar first = peek (self);
  KvsqlctlField field = { .start = self->at, .place = self->at };
  gboolean ok;

  if (first == '"')
    return parse_string (self, out);
  if (first == '{' || first == '[')
    {
      self->at++;
      field.kind = first == '{' ? KVSQLCTL_FIELD_OBJECT : KVSQLCTL_FIELD_ARRAY;
      ok = parse_members (self, first == '{', depth);
    }
  else if (first == '-' || g_ascii_isdigit (first))
    {
      field.kind = KVSQLCTL_FIELD_NUMBER;
      ok = parse_number (self);
    }
  else
    ok = parse_word (self, &field.kind);
  field.size = self->at - field.start;
  if (ok && out != NULL)
    *out = field;
  return ok;
}

/* ---- the row */

static gboolean
is_known_name (Json *self, const KvsqlctlField *name)
{
  GArray *fields = self->record->fields;

  for (guint i = 0; i < fields->len; i += 2)
    {
      const KvsqlctlField *other = &g_array_index (fields, KvsqlctlField, i);

      if (other->size == name->size
          && memcmp (kvsqlctl_record_get (self->record, self->bytes, other),
                     kvsqlctl_record_get (self->record, self->bytes, name), name->size)
                 == 0)
        return TRUE;
    }
  return FALSE;
}

static gboolean
parse_member (Json *self)
{
  KvsqlctlField name, value;

  if (peek (self) != '"')
    return reject (self, "expected a name in double quotes", NULL);
  if (!parse_string (self, &name))
    return FALSE;
  if (is_known_name (self, &name))
    {
      self->at = name.place;
      return reject (self, "this member is there twice", NULL);
    }
  if (!take (self, ':', "expected \":\"") || !parse_value (self, &value, 0))
    return FALSE;
  g_array_append_val (self->record->fields, name);
  g_array_append_val (self->record->fields, value);
  return TRUE;
}

static gboolean
parse_object (Json *self)
{
  if (peek (self) != '{')
    return reject (self, "expected an object", "Each line is one object: {\"name\": value, …}.");
  self->at++;
  if (peek (self) == '}')
    self->at++;
  else
    for (gboolean has_more = TRUE; has_more;)
      {
        if (!parse_member (self))
          return FALSE;
        has_more = peek (self) == ',';
        if (!has_more && !take (self, '}', "expected \",\" or \"}\""))
          return FALSE;
        self->at += has_more;
      }
  if (peek (self) != '\0' || self->at < self->end)
    return reject (self, "text after the object", "Each line is one object.");
  return TRUE;
}

KvsqlctlRecordStatus
kvsqlctl_record_parse_ndjson (KvsqlctlRecord *record, const gchar *bytes, gsize size,
                              gboolean is_end)
{
  const gchar *line = memchr (bytes, '\n', size);
  Json self = { .record = record, .bytes = bytes, .end = size };

  if (line == NULL && !is_end)
    return KVSQLCTL_RECORD_MORE;
  if (line != NULL)
    self.end = (gsize)(line - bytes);
  record->size = line != NULL ? self.end + 1 : size;
  if (peek (&self) == '\0' && self.at == self.end)
    return KVSQLCTL_RECORD_EMPTY;
  self.at = 0;
  return parse_object (&self) ? KVSQLCTL_RECORD_WHOLE : KVSQLCTL_RECORD_BAD;
}
