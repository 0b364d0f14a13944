/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * json.c: trees of JSON, their text, and JSONB's numbers and keys. json-read.c reads,
 * json-order.c compares texts.
 */
#include "config.h"

#include "core/base/json.h"

#include "core/base/interrupt.h"
#include "core/base/sort.h"

/* PostgreSQL's limits of NUMERIC */
#define MAX_DIGITS_BEFORE_POINT 131072
#define MAX_DIGITS_AFTER_POINT 16383
/* Of a tree: a text that needs more for its numbers has a canonical text that is too large. */
#define MAX_MEMORY ((gsize)16 * KVSQL_JSON_MAX_BYTES)

KvsqlJson
kvsql_json_string (KvsqlSlice string)
{
  return (KvsqlJson){ .kind = KVSQL_JSON_STRING, .string = string };
}

KvsqlJson
kvsql_json_number (KvsqlSlice number)
{
  return (KvsqlJson){ .kind = KVSQL_JSON_NUMBER, .string = number };
}

KvsqlJson
kvsql_json_boolean (gboolean truth)
{
  return (KvsqlJson){ .kind = KVSQL_JSON_BOOLEAN, .n = truth != FALSE };
}

KvsqlJson *
kvsql_json_find (const KvsqlJson *self, KvsqlSlice key)
{
  for (guint i = self->n; i > 0; i--)
    if (kvsql_slice_equal (self->keys[i - 1], key))
      return &self->items[i - 1];
  return NULL;
}

KvsqlJson *
kvsql_json_at (const KvsqlJson *self, gint64 index)
{
  if (index < 0)
    index += self->n;
  return index >= 0 && index < self->n ? &self->items[index] : NULL;
}

/* ---- numbers */

static gboolean
fail_overflow (GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "value overflows numeric format");
  return kvsql_error_sqlstate (error, "22003");
}

static gboolean
fail_too_large (GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE, "JSONB of more than %d bytes",
                          KVSQL_JSON_MAX_BYTES);
}

/* Appends @n zeros. */
static guint8 *
put_zeros (guint8 *at, gint64 n)
{
  if (n <= 0)
    return at;
  memset (at, '0', (gsize)n);
  return at + n;
}

/* A number without an exponent, which keeps the zeros after its point: 1.50e1 is 15.0. */
static gboolean
plain_number (KvsqlSlice text, KvsqlArena *arena, KvsqlSlice *out, GError **error)
{
  const guint8 *at = text.data, *end = text.data + text.size, *first;
  gboolean is_negative = *at == '-', is_zero = TRUE;
  gint64 exponent = 0, n_whole, n_fraction, scale, point;
  guint8 *digits, *result, *to;
  gsize n = 0;

  if (memchr (at, 'e', text.size) == NULL && memchr (at, 'E', text.size) == NULL
      && text.size <= MAX_DIGITS_AFTER_POINT && !is_negative)
    return TRUE; /* is as it should be */
  at += is_negative;
  digits = kvsql_arena_alloc (arena, text.size);
  for (; at < end && g_ascii_isdigit ((gchar)*at); at++)
    digits[n++] = *at;
  n_whole = (gint64)n;
  for (at += at < end && *at == '.'; at < end && g_ascii_isdigit ((gchar)*at); at++)
    digits[n++] = *at;
  n_fraction = (gint64)n - n_whole;
  if (at < end)
    {
      gboolean is_small = *++at == '-';

      for (at += *at == '-' || *at == '+'; at < end && exponent < G_MAXINT32; at++)
        exponent = exponent * 10 + (*at - '0');
      exponent = is_small ? -exponent : exponent;
    }
  for (gsize i = 0; i < n; i++)
    is_zero = is_zero && digits[i] == '0';
  point = is_zero ? 1 : n_whole + exponent;
  scale = MAX (n_fraction - exponent, 0);
  for (first = digits; !is_zero && first < digits + n && *first == '0' && point > 1; first++)
    point--;
  if (is_zero)
    first = digits + n;
  n -= (gsize)(first - digits);
  if (point > MAX_DIGITS_BEFORE_POINT || scale > MAX_DIGITS_AFTER_POINT)
    return fail_overflow (error);
  if (kvsql_arena_get_size (arena) > MAX_MEMORY)
    return fail_too_large (error);
  result = to = kvsql_arena_alloc (arena, (gsize)(MAX (point, 1) + scale + 3));
  if (is_negative && !is_zero)
    *to++ = '-';
  /* the digits before the point, with zeros where there are none */
  if (point <= 0)
    *to++ = '0';
  for (gint64 i = 0; i < point; i++)
    *to++ = i < (gint64)n ? first[i] : '0';
  if (scale > 0)
    *to++ = '.';
  if (is_zero)
    to = put_zeros (to, scale);
  for (gint64 i = point; !is_zero && i < point + scale; i++)
    *to++ = i >= 0 && i < (gint64)n ? first[i] : '0';
  *out = kvsql_slice (result, (gsize)(to - result));
  return TRUE;
}

/* ---- objects */

static gint
compare_keys (gconstpointer a, gconstpointer b)
{
  const KvsqlSlice *x = a, *y = b;

  if (x->size != y->size)
    return x->size < y->size ? -1 : 1;
  return kvsql_slice_compare (*x, *y);
}

typedef struct
{
  KvsqlSlice key; /* first, for compare_keys() */
  KvsqlJson item;
} Member;

/* Sorts the members, and keeps the last one of each key. */
static void
sort_members (KvsqlJson *self, KvsqlArena *arena)
{
  gboolean is_sorted = TRUE;
  Member *members;
  guint n = 0;

  for (guint i = 1; i < self->n && is_sorted; i++)
    is_sorted = compare_keys (&self->keys[i - 1], &self->keys[i]) < 0;
  if (is_sorted)
    return;
  members = kvsql_arena_array (arena, Member, self->n);
  for (guint i = 0; i < self->n; i++)
    members[i] = (Member){ self->keys[i], self->items[i] };
  kvsql_sort (members, self->n, sizeof *members, compare_keys, arena); /* stable */
  for (guint i = 0; i < self->n && kvsql_interrupt_tick (); i++)
    {
      if (n > 0 && kvsql_slice_equal (self->keys[n - 1], members[i].key))
        n--;
      self->keys[n] = members[i].key;
      self->items[n++] = members[i].item;
    }
  self->n = n;
}

gboolean
kvsql_json_normalise (KvsqlJson *self, KvsqlArena *arena, GError **error)
{
  if (!kvsql_interrupt_poll (error))
    return FALSE;
  if (self->kind == KVSQL_JSON_NUMBER)
    return plain_number (self->string, arena, &self->string, error);
  if (self->kind != KVSQL_JSON_ARRAY && self->kind != KVSQL_JSON_OBJECT)
    return TRUE;
  if (self->kind == KVSQL_JSON_OBJECT)
    sort_members (self, arena);
  for (guint i = 0; i < self->n; i++)
    if (!kvsql_json_normalise (&self->items[i], arena, error))
      return FALSE;
  return TRUE;
}

/* ---- equality */

gboolean
kvsql_json_equal (const KvsqlJson *a, const KvsqlJson *b)
{
  if (a->kind != b->kind)
    return FALSE;
  switch (a->kind)
    {
    case KVSQL_JSON_NULL:
      return TRUE;
    case KVSQL_JSON_STRING:
      return kvsql_slice_equal (a->string, b->string);
    case KVSQL_JSON_NUMBER:
      return kvsql_jsonb_compare (a->string, b->string) == 0;
    case KVSQL_JSON_BOOLEAN:
      return a->n == b->n;
    default:
      break;
    }
  if (a->n != b->n)
    return FALSE;
  for (guint i = 0; i < a->n && kvsql_interrupt_tick (); i++)
    if ((a->kind == KVSQL_JSON_OBJECT && !kvsql_slice_equal (a->keys[i], b->keys[i]))
        || !kvsql_json_equal (&a->items[i], &b->items[i]))
      return FALSE;
  return TRUE;
}

/* ---- text */

void
kvsql_json_append_string (KvsqlSlice string, GString *out)
{
  static const gchar letters[] = "btnvfr"; /* of bytes 8 to 13 */
  const gchar *at = (const gchar *)string.data, *end = at + string.size;

  g_string_append_c (out, '"');
  while (at < end)
    {
      const gchar *start = at;
      guint8 byte;

      while (at < end && (guint8)*at >= 0x20 && *at != '"' && *at != '\\')
        at++;
      g_string_append_len (out, start, at - start);
      if (at == end)
        break;
      byte = (guint8)*at++;
      if (byte >= 0x20)
        g_string_append_printf (out, "\\%c", byte);
      else if (byte >= 8 && byte <= 13 && byte != 11)
        g_string_append_printf (out, "\\%c", letters[byte - 8]);
      else
        g_string_append_printf (out, "\\u%04x", byte);
    }
  g_string_append_c (out, '"');
}

static void
append_scalar (const KvsqlJson *self, GString *out)
{
  switch (self->kind)
    {
    case KVSQL_JSON_STRING:
      kvsql_json_append_string (self->string, out);
      break;
    case KVSQL_JSON_NUMBER:
      g_string_append_len (out, (const gchar *)self->string.data, (gssize)self->string.size);
      break;
    case KVSQL_JSON_BOOLEAN:
      g_string_append (out, self->n ? "true" : "false");
      break;
    default:
      g_string_append (out, "null");
      break;
    }
}

/* @indent: of the lines in it; -1: all on one line. A text that grows beyond the limit is not
 * continued. */
static void
append (const KvsqlJson *self, gint indent, GString *out)
{
  gboolean is_object = self->kind == KVSQL_JSON_OBJECT;

  if (!is_object && self->kind != KVSQL_JSON_ARRAY)
    {
      append_scalar (self, out);
      return;
    }
  g_string_append_c (out, is_object ? '{' : '[');
  for (guint i = 0; i < self->n && out->len <= KVSQL_JSON_MAX_BYTES && kvsql_interrupt_tick (); i++)
    {
      if (i > 0)
        g_string_append (out, indent < 0 ? ", " : ",");
      if (indent >= 0)
        g_string_append_printf (out, "\n%*s", indent, "");
      if (is_object)
        {
          kvsql_json_append_string (self->keys[i], out);
          g_string_append (out, ": ");
        }
      append (&self->items[i], indent < 0 ? -1 : indent + 4, out);
    }
  if (indent >= 0)
    g_string_append_printf (out, "\n%*s", indent - 4, "");
  g_string_append_c (out, is_object ? '}' : ']');
}

void
kvsql_json_append (const KvsqlJson *self, GString *out)
{
  append (self, -1, out);
}

void
kvsql_json_append_pretty (const KvsqlJson *self, GString *out)
{
  append (self, 4, out);
}

gboolean
kvsql_jsonb_write (const KvsqlJson *self, KvsqlArena *arena, KvsqlSlice *out, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  kvsql_json_append (self, text);
  if (!kvsql_interrupt_poll (error))
    return FALSE;
  if (text->len > KVSQL_JSON_MAX_BYTES)
    return fail_too_large (error);
  *out = kvsql_slice_dup (arena, kvsql_slice (text->str, text->len));
  return TRUE;
}

gboolean
kvsql_jsonb_parse (KvsqlSlice text, KvsqlArena *arena, KvsqlSlice *out, GError **error)
{
  g_autoptr (KvsqlArena) scratch = kvsql_arena_new ();
  KvsqlJson tree;

  return kvsql_json_read (text, scratch, &tree, error)
         && kvsql_json_normalise (&tree, scratch, error)
         && kvsql_jsonb_write (&tree, arena, out, error);
}
