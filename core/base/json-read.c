/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * json-read.c: a strict reader of JSON (RFC 8259), with PostgreSQL's errors.
 *
 * It recurses once for each level, of which there are at most KVSQL_JSON_MAX_DEPTH. The items of
 * open arrays and objects are on one stack, and move to the arena when their number is known.
 */
#include "config.h"

#include "core/base/json.h"

#include "core/base/interrupt.h"
#include "core/base/text.h"

#define SHOWN_BYTES 60
#define MAX_ITEMS KVSQL_JSON_MAX_ITEMS /* no account counts the stack */

typedef struct
{
  const guint8 *start, *at, *end;
  KvsqlArena *arena; /* nullable: only check */
  GArray *items;     /* of KvsqlJson */
  GArray *keys;      /* of KvsqlSlice */
  guint depth;
  GError **error;
} Reader;

/* ---- errors */

static gboolean
set_place (Reader *self, const guint8 *at)
{
  glong place = g_utf8_strlen ((const gchar *)self->start, at - self->start);

  kvsql_error_sqlstate (self->error, "22P02");
  return kvsql_error_detail (self->error, "It is at character %ld of the text.", place + 1);
}

/* The token that begins here, as PostgreSQL shows it. */
static gboolean
fail_token (Reader *self, const gchar *expected)
{
  const guint8 *at = self->at, *stop = at;
  g_autofree gchar *shown = NULL;

  if (at >= self->end)
    {
      kvsql_error_set (self->error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                       "invalid input syntax for type json: the input string ended unexpectedly");
      return set_place (self, self->end);
    }
  while (stop < self->end && stop - at < SHOWN_BYTES
         && (g_ascii_isalnum ((gchar)*stop) || *stop >= 0x80 || *stop == '_'))
    stop++;
  if (stop == at)
    stop++;
  while (stop < self->end && (*stop & 0xc0) == 0x80)
    stop++;
  shown = kvsql_readable (kvsql_slice (at, (gsize)(stop - at)));
  if (expected == NULL)
    kvsql_error_set (self->error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                     "invalid input syntax for type json: token \"%s\" is invalid", shown);
  else
    kvsql_error_set (self->error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                     "invalid input syntax for type json: expected %s, but found \"%s\"", expected,
                     shown);
  return set_place (self, at);
}

static gboolean
fail_string (Reader *self, const guint8 *at, const gchar *what)
{
  kvsql_error_set (self->error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                   "invalid input syntax for type json: %s", what);
  return set_place (self, at);
}

/* An escape that text cannot hold. */
static gboolean
fail_unicode (Reader *self, const guint8 *at, const gchar *what)
{
  fail_string (self, at, what);
  return kvsql_error_sqlstate (self->error, "22P05");
}

/* ---- strings */

static gint
hex4 (const guint8 *at, const guint8 *end)
{
  gint value = 0;

  if (end - at < 4)
    return -1;
  for (guint i = 0; i < 4; i++)
    {
      gint digit = g_ascii_xdigit_value ((gchar)at[i]);
      if (digit < 0)
        return -1;
      value = value << 4 | digit;
    }
  return value;
}

/* At the 'u' of \uXXXX. A pair of surrogates is one character. */
static gboolean
read_unicode (Reader *self, GString *out)
{
  const guint8 *escape = self->at - 1;
  gint code = hex4 (self->at + 1, self->end), low;

  if (code < 0)
    return fail_string (self, escape, "\"\\u\" must be followed by four hexadecimal digits");
  self->at += 5;
  if (out == NULL)
    return TRUE;
  if (code == 0)
    return fail_unicode (self, escape, "\\u0000 cannot be converted to text");
  if (code >= 0xdc00 && code <= 0xdfff)
    return fail_unicode (self, escape, "a low surrogate must follow a high surrogate");
  if (code >= 0xd800 && code <= 0xdbff)
    {
      low = self->end - self->at >= 6 && self->at[0] == '\\' && self->at[1] == 'u'
                ? hex4 (self->at + 2, self->end)
                : -1;
      if (low < 0xdc00 || low > 0xdfff)
        return fail_unicode (self, escape, "a low surrogate must follow a high surrogate");
      self->at += 6;
      code = 0x10000 + ((code & 0x3ff) << 10) + (low & 0x3ff);
    }
  g_string_append_unichar (out, (gunichar)code);
  return TRUE;
}

/* At the backslash. */
static gboolean
read_escape (Reader *self, GString *out)
{
  static const gchar letters[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
  const guint8 *escape = self->at++;
  const gchar *letter;

  if (self->at >= self->end)
    return fail_token (self, NULL);
  if (*self->at == 'u')
    return read_unicode (self, out);
  letter = *self->at == '\0' ? NULL : strchr (letters, *self->at);
  if (letter == NULL)
    return fail_string (self, escape, "an escape sequence is invalid");
  if (out != NULL)
    g_string_append_c (out, values[letter - letters]);
  self->at++;
  return TRUE;
}

static const guint8 *
plain_end (const guint8 *at, const guint8 *end)
{
  while (at < end && *at != '"' && *at != '\\' && *at >= 0x20)
    at++;
  return at;
}

/* At the quote. @out: nullable: without escapes; bytes of the text if it has none. */
static gboolean
read_string (Reader *self, KvsqlSlice *out)
{
  g_autoptr (GString) text = NULL;
  const guint8 *start = ++self->at;

  self->at = plain_end (self->at, self->end);
  if (self->at < self->end && *self->at == '"')
    {
      if (out != NULL)
        *out = kvsql_slice (start, (gsize)(self->at - start));
      self->at++;
      return TRUE;
    }
  if (out != NULL)
    text = g_string_new_len ((const gchar *)start, self->at - start);
  while (self->at < self->end && *self->at != '"')
    {
      if (*self->at == '\\')
        {
          if (!read_escape (self, text))
            return FALSE;
        }
      else if (*self->at < 0x20)
        return fail_string (self, self->at, "a control character in a string must be escaped");
      start = self->at;
      self->at = plain_end (self->at, self->end);
      if (text != NULL)
        g_string_append_len (text, (const gchar *)start, self->at - start);
      if (!kvsql_interrupt_poll (self->error))
        return FALSE;
    }
  if (self->at >= self->end)
    return fail_token (self, NULL);
  self->at++;
  if (text != NULL)
    *out = kvsql_slice_dup (self->arena, kvsql_slice (text->str, text->len));
  return TRUE;
}

/* ---- numbers and words */

static gboolean
take_digits (const guint8 **at, const guint8 *end)
{
  const guint8 *start = *at;

  while (*at < end && g_ascii_isdigit ((gchar) * *at))
    (*at)++;
  return *at > start;
}

static gboolean
read_number (Reader *self)
{
  const guint8 *at = self->at, *end = self->end;
  gboolean ok;

  at += *at == '-';
  ok = at < end && *at != '0' ? take_digits (&at, end) : at < end && *at++ == '0';
  if (ok && at < end && *at == '.')
    ok = (at++, take_digits (&at, end));
  if (ok && at < end && (*at | 0x20) == 'e')
    {
      at++;
      at += at < end && (*at == '+' || *at == '-');
      ok = take_digits (&at, end);
    }
  if (!ok || (at < end && (g_ascii_isalnum ((gchar)*at) || *at == '_' || *at >= 0x80)))
    return fail_token (self, NULL);
  self->at = at;
  return TRUE;
}

static gboolean
read_word (Reader *self, KvsqlJson *out)
{
  static const struct
  {
    const gchar *word;
    KvsqlJson value;
  } words[] = { { "true", { .kind = KVSQL_JSON_BOOLEAN, .n = 1 } },
                { "false", { .kind = KVSQL_JSON_BOOLEAN } },
                { "null", { .kind = KVSQL_JSON_NULL } } };
  const guint8 *stop = self->at;

  while (stop < self->end && (g_ascii_isalnum ((gchar)*stop) || *stop == '_' || *stop >= 0x80))
    stop++;
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (kvsql_slice_equal (kvsql_slice (self->at, (gsize)(stop - self->at)),
                           kvsql_slice_from_text (words[i].word)))
      {
        *out = words[i].value;
        self->at = stop;
        return TRUE;
      }
  return fail_token (self, NULL);
}

/* ---- arrays and objects */

static gboolean read_value (Reader *self, KvsqlJson *out);

static void
skip_blanks (Reader *self)
{
  while (self->at < self->end
         && (*self->at == ' ' || *self->at == '\t' || *self->at == '\n' || *self->at == '\r'))
    self->at++;
}

static gboolean
at_byte (Reader *self, guint8 byte)
{
  skip_blanks (self);
  return self->at < self->end && *self->at == byte;
}

static gboolean
read_key (Reader *self)
{
  KvsqlSlice key = KVSQL_SLICE_EMPTY;

  if (!at_byte (self, '"'))
    return fail_token (self, "a string");
  if (!read_string (self, self->arena == NULL ? NULL : &key))
    return FALSE;
  if (!at_byte (self, ':'))
    return fail_token (self, "\":\"");
  self->at++;
  if (self->arena != NULL)
    g_array_append_val (self->keys, key);
  return TRUE;
}

static gboolean
read_item (Reader *self, gboolean is_object)
{
  KvsqlJson item;

  if ((is_object && !read_key (self)) || !read_value (self, &item))
    return FALSE;
  if (self->arena != NULL)
    g_array_append_val (self->items, item);
  return TRUE;
}

/* Moves what was read from the stacks. */
static void
take_items (Reader *self, guint first_item, guint first_key, KvsqlJson *out)
{
  out->n = self->items->len - first_item;
  if (out->n > 0)
    out->items = kvsql_arena_copy (self->arena, &g_array_index (self->items, KvsqlJson, first_item),
                                   out->n * sizeof (KvsqlJson));
  if (self->keys->len > first_key)
    out->keys = kvsql_arena_copy (self->arena, &g_array_index (self->keys, KvsqlSlice, first_key),
                                  out->n * sizeof (KvsqlSlice));
  g_array_set_size (self->items, first_item);
  g_array_set_size (self->keys, first_key);
}

static gboolean
read_container (Reader *self, gboolean is_object, KvsqlJson *out)
{
  guint8 close = is_object ? '}' : ']';
  guint first_item = self->items->len, first_key = self->keys->len;

  *out = (KvsqlJson){ .kind = is_object ? KVSQL_JSON_OBJECT : KVSQL_JSON_ARRAY };
  if (++self->depth > KVSQL_JSON_MAX_DEPTH)
    {
      kvsql_error_set (self->error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                       "JSON is nested more than %d levels deep", KVSQL_JSON_MAX_DEPTH);
      return kvsql_error_sqlstate (self->error, "54001");
    }
  self->at++;
  if (!at_byte (self, close))
    while (TRUE)
      {
        if (!read_item (self, is_object))
          return FALSE;
        if (at_byte (self, close))
          break;
        if (!at_byte (self, ','))
          return fail_token (self, is_object ? "\",\" or \"}\"" : "\",\" or \"]\"");
        self->at++;
      }
  self->at++;
  self->depth--;
  if (self->arena != NULL)
    take_items (self, first_item, first_key, out);
  return TRUE;
}

static gboolean
read_value (Reader *self, KvsqlJson *out)
{
  const guint8 *start;
  gboolean ok;

  *out = KVSQL_JSON_VALUE_NULL;
  skip_blanks (self);
  start = self->at;
  if (self->at >= self->end)
    return fail_token (self, NULL);
  if (!kvsql_interrupt_poll (self->error))
    return FALSE;
  if (self->items->len > MAX_ITEMS)
    return kvsql_error_set (self->error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                            "JSON with more than %d values in an array or object", MAX_ITEMS);
  switch (*self->at)
    {
    case '{':
    case '[':
      ok = read_container (self, *self->at == '{', out);
      break;
    case '"':
      out->kind = KVSQL_JSON_STRING;
      ok = read_string (self, self->arena == NULL ? NULL : &out->string);
      break;
    default:
      if (*start != '-' && !g_ascii_isdigit ((gchar)*start))
        ok = read_word (self, out);
      else
        {
          out->kind = KVSQL_JSON_NUMBER;
          ok = read_number (self);
          out->string = kvsql_slice (start, (gsize)(self->at - start));
        }
      break;
    }
  out->text = kvsql_slice (start, (gsize)(self->at - start));
  return ok;
}

static gboolean
read_all (KvsqlSlice text, KvsqlArena *arena, KvsqlJson *out, GError **error)
{
  Reader self = { .start = text.data,
                  .at = text.data,
                  .end = text.data + text.size,
                  .arena = arena,
                  .error = error };
  gboolean ok;

  if (!kvsql_text_is_valid (text))
    {
      kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                       "invalid input syntax for type json: it is not UTF-8");
      return kvsql_error_sqlstate (error, "22P02");
    }
  self.items = g_array_new (FALSE, FALSE, sizeof (KvsqlJson));
  self.keys = g_array_new (FALSE, FALSE, sizeof (KvsqlSlice));
  ok = read_value (&self, out);
  if (ok)
    {
      skip_blanks (&self);
      ok = self.at == self.end || fail_token (&self, "the end of the input");
    }
  g_array_free (self.items, TRUE);
  g_array_free (self.keys, TRUE);
  return ok;
}

gboolean
kvsql_json_check (KvsqlSlice text, GError **error)
{
  KvsqlJson unused;

  return read_all (text, NULL, &unused, error);
}

gboolean
kvsql_json_read (KvsqlSlice text, KvsqlArena *arena, KvsqlJson *out, GError **error)
{
  return read_all (text, arena, out, error);
}
