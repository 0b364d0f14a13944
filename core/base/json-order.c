/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * json-order.c: the order of JSONB, as bytes that are made of its canonical text.
 *
 * The order is PostgreSQL's: Object, Array, Boolean, Number, String, Null, from the greatest; of
 * two objects or arrays the one with more items, else item by item. An empty array that is the
 * whole value is below everything. A value is a byte for its kind and
 *
 *   string: its bytes, 00 as the end; it has no NUL
 *   number: a byte for its sign, a power of ten, digits, 00; all bits turned if it is negative
 *   array: the number of items, the items
 *   object: the number of members, and of each the key as a string, and the value
 */
#include "config.h"

#include "core/base/json.h"

#include "core/base/interrupt.h"

#define EMPTY_ARRAY 0
#define KIND(kind) ((guint8)(KVSQL_JSON_##kind + 1))
#define ZERO 0x80
#define POWER_BIAS 0x40000000

typedef struct
{
  const guint8 *at, *end;
  KvsqlBuffer *out;
  guint depth;
} Maker;

static void append_value (Maker *self);

/* 0 for what canonical text does not have. */
static guint
hex_digit (guint8 byte)
{
  return (guint)MAX (g_ascii_xdigit_value ((gchar)byte), 0);
}

/* At the quote. Canonical text has \u only for control characters. */
static void
append_string (Maker *self)
{
  static const gchar letters[] = "bfnrt", values[] = "\b\f\n\r\t";

  for (self->at++; self->at < self->end && *self->at != '"'; self->at++)
    {
      guint8 byte = *self->at;

      if (byte == '\\' && self->at + 1 < self->end)
        {
          const gchar *letter;

          byte = *++self->at;
          letter = byte == '\0' ? NULL : strchr (letters, byte);
          if (letter != NULL)
            byte = (guint8)values[letter - letters];
          else if (byte == 'u' && self->end - self->at > 4)
            {
              byte = (guint8)(hex_digit (self->at[3]) << 4 | hex_digit (self->at[4]));
              self->at += 4;
            }
        }
      kvsql_buffer_append_byte (self->out, byte);
    }
  self->at++;
  kvsql_buffer_append_byte (self->out, 0);
}

static gboolean
is_number_byte (guint8 byte)
{
  return g_ascii_isdigit ((gchar)byte) || byte == '-' || byte == '.';
}

static void
append_number (Maker *self)
{
  const guint8 *at = self->at, *end = at, *point;
  gboolean is_negative = *at == '-';
  guint8 turn = is_negative ? 0xff : 0;
  gint64 power;
  guint8 *bytes;

  while (end < self->end && is_number_byte (*end))
    end++;
  self->at = end;
  at += is_negative;
  point = memchr (at, '.', (gsize)(end - at));
  power = (point == NULL ? end : point) - at;
  while (end > at && (end[-1] == '0' || end[-1] == '.'))
    end--;
  for (; at < end && (*at == '0' || *at == '.'); at++)
    power -= *at == '0';
  if (at >= end)
    {
      kvsql_buffer_append_byte (self->out, ZERO);
      return;
    }
  kvsql_buffer_append_byte (self->out, is_negative ? ZERO - 1 : ZERO + 1);
  bytes = kvsql_buffer_extend (self->out, 4);
  kvsql_put_be32 (bytes, (guint32)(power + POWER_BIAS));
  for (guint i = 0; i < 4; i++)
    bytes[i] ^= turn;
  for (; at < end; at++)
    if (*at != '.')
      kvsql_buffer_append_byte (self->out, *at ^ turn);
  kvsql_buffer_append_byte (self->out, turn);
}

static void
skip_signs (Maker *self)
{
  while (self->at < self->end && (*self->at == ',' || *self->at == ' ' || *self->at == ':'))
    self->at++;
}

/* The number of items is written when it is known. */
static void
append_container (Maker *self, guint8 close)
{
  gsize place = self->out->size;
  guint32 n = 0;

  kvsql_buffer_extend (self->out, 4);
  self->depth++;
  for (self->at++; self->at < self->end && *self->at != close && kvsql_interrupt_tick (); n++)
    {
      if (close == '}')
        {
          append_string (self);
          skip_signs (self);
        }
      append_value (self);
      skip_signs (self);
    }
  self->at++;
  self->depth--;
  kvsql_put_be32 (self->out->data + place, n);
}

static void
append_value (Maker *self)
{
  if (self->at >= self->end)
    return;
  /* canonical text is less deep, and has no other bytes here */
  if (self->depth > KVSQL_JSON_MAX_DEPTH
      || (!is_number_byte (*self->at)
          && (*self->at == '\0' || strchr ("\"[{tfn", *self->at) == NULL)))
    {
      self->at = self->end;
      return;
    }
  switch (*self->at)
    {
    case '"':
      kvsql_buffer_append_byte (self->out, KIND (STRING));
      append_string (self);
      break;
    case '[':
      kvsql_buffer_append_byte (self->out, KIND (ARRAY));
      append_container (self, ']');
      break;
    case '{':
      kvsql_buffer_append_byte (self->out, KIND (OBJECT));
      append_container (self, '}');
      break;
    case 't':
    case 'f':
      kvsql_buffer_append_byte (self->out, KIND (BOOLEAN));
      kvsql_buffer_append_byte (self->out, *self->at == 't');
      self->at += *self->at == 't' ? strlen ("true") : strlen ("false");
      break;
    case 'n':
      kvsql_buffer_append_byte (self->out, KIND (NULL));
      self->at += strlen ("null");
      break;
    default:
      kvsql_buffer_append_byte (self->out, KIND (NUMBER));
      append_number (self);
      break;
    }
}

void
kvsql_jsonb_append_key (KvsqlSlice text, KvsqlBuffer *out)
{
  Maker self = { .at = text.data, .end = text.data + text.size, .out = out };

  if (kvsql_slice_equal (text, KVSQL_SLICE_LITERAL ("[]")))
    kvsql_buffer_append_byte (out, EMPTY_ARRAY);
  else
    append_value (&self);
}

gint
kvsql_jsonb_compare (KvsqlSlice a, KvsqlSlice b)
{
  KvsqlBuffer x = { 0 }, y = { 0 };
  gint order;

  if (kvsql_slice_equal (a, b))
    return 0;
  kvsql_jsonb_append_key (a, &x);
  kvsql_jsonb_append_key (b, &y);
  order = kvsql_slice_compare (kvsql_buffer_slice (&x), kvsql_buffer_slice (&y));
  kvsql_buffer_clear (&x);
  kvsql_buffer_clear (&y);
  return order;
}
