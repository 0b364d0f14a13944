/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-hex.c: hex{…}: the inner bytes as digits 0-9 and a-f, two for each byte.
 *
 * The digits sort as the bytes do. So ranges and order are those of the inner layout.
 */
#include "config.h"

#include "core/layout/inner.h"
#include "core/layout/element-classes.h"

#include "core/layout/automata/nfa.h"

#define SMALL 64

static const gchar digits[] = "0123456789abcdef";

static gboolean
is_digit (guint8 byte)
{
  return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'f');
}

/* @digit: is_digit() */
static guint8
value_of (guint8 digit)
{
  return digit <= '9' ? digit - '0' : digit - 'a' + 10;
}

/* The number of digits at the start of @bytes, rounded down to whole bytes. */
static gsize
count_digits (KvsqlSlice bytes)
{
  gsize n = 0;

  while (n < bytes.size && is_digit (bytes.data[n]))
    n++;
  return n & ~(gsize)1;
}

/* @bytes are digits, an even number of them. */
static void
read_digits (KvsqlSlice bytes, guint8 *out)
{
  for (gsize i = 0; i < bytes.size / 2; i++)
    out[i] = (guint8)(value_of (bytes.data[2 * i]) << 4 | value_of (bytes.data[2 * i + 1]));
}

static void
write_digits (KvsqlSlice bytes, guint8 *out)
{
  for (gsize i = 0; i < bytes.size; i++)
    {
      out[2 * i] = digits[bytes.data[i] >> 4];
      out[2 * i + 1] = digits[bytes.data[i] & 15];
    }
}

static gboolean
compile (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
         GError **error)
{
  if (!kvsql_element_expect (node, 0, 0, TRUE, error)
      || !kvsql_element_compile_inner (self, compiler, node, error)
      || !kvsql_element_reject_lengths (self, node, error))
    return FALSE;
  self->least_byte = '0';
  if (self->inner->fixed_size >= 0)
    self->fixed_size = self->inner->fixed_size * 2;
  else if (self->inner->n_elements == 1 && self->inner->elements[0]->is_prefix_free)
    self->is_prefix_free = TRUE;
  else
    self->is_open = TRUE;
  return TRUE;
}

static gboolean
encode (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out, GError **error)
{
  gsize start = out->size, size;

  if (!kvsql_sequence_encode (self->inner, encoder, out, error))
    return FALSE;
  size = out->size - start;
  kvsql_buffer_extend (out, size);
  /* from the end, so that no byte is overwritten before it was read */
  for (gsize i = size; i-- > 0;)
    {
      guint8 byte = out->data[start + i];
      out->data[start + 2 * i + 1] = digits[byte & 15];
      out->data[start + 2 * i] = digits[byte >> 4];
    }
  return TRUE;
}

static gboolean
decode (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  guint steps = decoder->steps + bytes.size / 64; /* long values count as several steps */
  guint8 *inside;
  gboolean ok;

  if (bytes.size % 2 != 0 || count_digits (bytes) != bytes.size)
    return FALSE;
  inside = kvsql_arena_alloc (decoder->arena, bytes.size / 2 + 1);
  read_digits (bytes, inside);
  ok = kvsql_sequence_decode (self->inner, kvsql_slice (inside, bytes.size / 2), decoder);
  decoder->steps += steps;
  return ok;
}

/* The next length in @text, which consists of digits. @inside has room for their bytes. */
static gssize
own_length_in (const KvsqlElement *self, KvsqlSlice text, guint8 *inside)
{
  gssize length;

  read_digits (text, inside);
  length = kvsql_sequence_get_own_length (self->inner, kvsql_slice (inside, text.size / 2));
  return length < 0 ? -1 : length * 2;
}

/* First tries a few digits: a short value is found there, since it is not a prefix of another
 * value. */
static gssize
next_own_length (const KvsqlElement *self, KvsqlSlice rest)
{
  guint8 small[SMALL];
  g_autofree guint8 *large = NULL;
  gsize n = count_digits (rest);
  gssize length = own_length_in (self, kvsql_slice (rest.data, MIN (n, 2 * SMALL)), small);

  if (length >= 0 || n <= 2 * SMALL)
    return length;
  large = g_malloc (n / 2);
  return own_length_in (self, kvsql_slice (rest.data, n), large);
}

static gssize
next_length (const KvsqlElement *self, KvsqlSlice rest, gssize previous)
{
  if (self->is_prefix_free)
    return previous >= 0 ? -1 : next_own_length (self, rest);
  for (;;)
    {
      previous = kvsql_element_next_open_length (self, rest, previous);
      if (previous < 0 || (gsize)previous > count_digits (rest))
        return -1;
      if (previous % 2 == 0)
        return previous;
      if (self->is_restricted)
        return -1; /* the first separator ends the value */
    }
}

/* Translates the delimiter to the inner bytes. A delimiter that sorts before the digits has no
 * effect. */
static KvsqlDelimiter
delimiter_inside (const KvsqlElement *self, KvsqlDelimiter delimiter)
{
  if (self->fixed_size >= 0)
    return kvsql_sequence_inner_delimiter (self->inner, self->inner->fixed_size);
  if (delimiter.kind == KVSQL_DELIMITER_BYTES && delimiter.bytes.data[0] < '0')
    delimiter.kind = KVSQL_DELIMITER_END;
  if (delimiter.kind == KVSQL_DELIMITER_FIXED && delimiter.size % 2 == 0)
    delimiter.size /= 2;
  else if (delimiter.kind != KVSQL_DELIMITER_END)
    return (KvsqlDelimiter){ .kind = KVSQL_DELIMITER_UNKNOWN };
  return delimiter;
}

static KvsqlSlice
shown (KvsqlSlice bytes, KvsqlArena *arena)
{
  guint8 *text = kvsql_arena_alloc (arena, bytes.size * 2 + 1);

  write_digits (bytes, text);
  return kvsql_slice (text, bytes.size * 2);
}

static void
constrain (const KvsqlElement *self, const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
           KvsqlByteRanges *out)
{
  kvsql_sequence_constrain (self->inner, constrainer, delimiter_inside (self, delimiter), out);
  for (guint i = 0; i < out->n_ranges; i++)
    {
      KvsqlByteRange *range = &out->ranges[i];
      if (self->fixed_size >= 0)
        kvsql_byte_range_cut (range, self->inner->fixed_size, constrainer);
      range->low = shown (range->low, constrainer->arena);
      if (range->has_high)
        range->high = shown (range->high, constrainer->arena);
    }
}

static KvsqlNfaFragment
automaton (const KvsqlElement *self, KvsqlNfa *nfa)
{
  if (self->is_restricted && self->attribute >= 0)
    return kvsql_element_mark (self->inner->elements[0], nfa,
                               kvsql_nfa_any_without (nfa, self->separator));
  return kvsql_nfa_hex (nfa, kvsql_sequence_automaton (self->inner, nfa));
}

static KvsqlByteOrder
byte_order (const KvsqlElement *self)
{
  KvsqlByteOrder order = kvsql_sequence_inner_order (self->inner);

  order.is_last_only = order.is_last_only && self->fixed_size < 0;
  return order;
}

const KvsqlElementClass kvsql_element_hex = {
  .name = "hex",
  .is_text = TRUE,
  .compile = compile,
  .encode = encode,
  .decode = decode,
  .next_length = next_length,
  .constrain = constrain,
  .automaton = automaton,
  .byte_order = byte_order,
};
