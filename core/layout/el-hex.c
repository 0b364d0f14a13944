/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-hex.c: hex{…}: the bytes inside as digits 0-9 and a-f, two a byte.
 *
 * Digits sort as the bytes do, so ranges and order are those of what is inside.
 */
#include "config.h"

#include "core/layout/element.h"

#define SMALL 64

static const gchar digits[] = "0123456789abcdef";

static gint
digit_of (guint8 byte)
{
  if (byte >= '0' && byte <= '9')
    return byte - '0';
  return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

/* How many digits @bytes begin with; only whole bytes count. */
static gsize
count_digits (KvsqlSlice bytes)
{
  gsize n = 0;

  while (n < bytes.size && digit_of (bytes.data[n]) >= 0)
    n++;
  return n & ~(gsize)1;
}

/* @bytes are digits, an even number of them. */
static void
read_digits (KvsqlSlice bytes, guint8 *out)
{
  for (gsize i = 0; i < bytes.size / 2; i++)
    out[i] = digit_of (bytes.data[2 * i]) << 4 | digit_of (bytes.data[2 * i + 1]);
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
      || !kvsql_element_refuse_lengths (self, node, error))
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
  /* from the end: no byte is overwritten before it was read */
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
  guint steps = decoder->steps + bytes.size / 64; /* tries of long values cost more */
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

/* In @text, which is digits; with room for their bytes in @inside. */
static gssize
own_length_in (const KvsqlElement *self, KvsqlSlice text, guint8 *inside)
{
  gssize length;

  read_digits (text, inside);
  length = kvsql_sequence_get_own_length (self->inner, kvsql_slice (inside, text.size / 2));
  return length < 0 ? -1 : length * 2;
}

/* A value that is short is found in the first digits: it is no other's beginning. */
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
        return -1; /* the first separator ends it */
    }
}

/* What follows, in terms of the bytes inside: nothing that sorts before the digits changes
 * anything. */
static KvsqlFollow
follow_inside (const KvsqlElement *self, KvsqlFollow follow)
{
  if (self->fixed_size >= 0)
    return kvsql_sequence_follow_fixed (self->inner, self->inner->fixed_size);
  if (follow.kind == KVSQL_FOLLOW_BYTES && follow.bytes.data[0] < '0')
    follow.kind = KVSQL_FOLLOW_END;
  if (follow.kind == KVSQL_FOLLOW_FIXED && follow.size % 2 == 0)
    follow.size /= 2;
  else if (follow.kind != KVSQL_FOLLOW_END)
    return (KvsqlFollow){ .kind = KVSQL_FOLLOW_UNKNOWN };
  return follow;
}

static KvsqlSlice
shown (KvsqlSlice bytes, KvsqlArena *arena)
{
  guint8 *text = kvsql_arena_alloc (arena, bytes.size * 2 + 1);

  write_digits (bytes, text);
  return kvsql_slice (text, bytes.size * 2);
}

static void
constrain (const KvsqlElement *self, const KvsqlConstrainer *constrainer, KvsqlFollow follow,
           KvsqlPieces *out)
{
  kvsql_sequence_constrain (self->inner, constrainer, follow_inside (self, follow), out);
  for (guint i = 0; i < out->n_pieces; i++)
    {
      KvsqlPiece *piece = &out->pieces[i];
      if (self->fixed_size >= 0)
        kvsql_piece_cut (piece, self->inner->fixed_size, constrainer);
      piece->low = shown (piece->low, constrainer->arena);
      if (piece->has_high)
        piece->high = shown (piece->high, constrainer->arena);
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
