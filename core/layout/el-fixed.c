/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-fixed.c: fixed(n){…} and fixed(n, pad){…}: exactly n bytes.
 *
 * Without a pad, the value must have n bytes. With a pad, shorter values are filled up on the
 * right. A value that ends in the pad byte is rejected, since it would be decoded as a shorter
 * value (unless its own bytes show where it ends).
 */
#include "config.h"

#include "core/layout/inner.h"
#include "core/layout/element-classes.h"

#include "core/layout/automata/nfa.h"
#include "core/sql/ast-definition.h"

static gboolean
compile (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
         GError **error)
{
  KvsqlSlice pad;

  if (!kvsql_element_expect (node, 1, 2, TRUE, error)
      || !kvsql_element_integer_argument (node, 0, 1, 32767, &self->width, error))
    return FALSE;
  if (node->n_arguments == 2)
    {
      if (!kvsql_element_bytes_argument (node, 1, compiler->arena, &pad, error))
        return FALSE;
      if (pad.size != 1)
        return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->arguments[1].span,
                                "fixed pads with exactly one byte");
      self->pad = pad.data[0];
    }
  if (!kvsql_element_compile_inner (self, compiler, node, error))
    return FALSE;
  self->fixed_size = self->width;
  if (self->inner->fixed_size > (gssize)self->width
      || (self->inner->fixed_size >= 0 && self->pad < 0
          && self->inner->fixed_size != (gssize)self->width))
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->span,
                            "the layout in fixed(%u) always has %" G_GSSIZE_FORMAT " bytes",
                            self->width, self->inner->fixed_size);
  return TRUE;
}

static gboolean
encode (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out, GError **error)
{
  gsize start = out->size, length;

  if (!kvsql_sequence_encode (self->inner, encoder, out, error))
    return FALSE;
  length = out->size - start;
  if (length > self->width || (self->pad < 0 && length != self->width))
    return kvsql_encode_error (encoder, self, error,
                               "has %" G_GSIZE_FORMAT " bytes, but fixed(%u) needs %s%u", length,
                               self->width, self->pad < 0 ? "exactly " : "at most ", self->width);
  if (length == self->width)
    return TRUE;
  memset (kvsql_buffer_extend (out, self->width - length), self->pad, self->width - length);
  return TRUE;
}

static gboolean
decode (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  guint steps = decoder->steps;
  gboolean ok;
  gssize own;

  if (bytes.size != self->width)
    return FALSE;
  own = self->pad < 0 || self->inner->fixed_size >= 0
            ? self->inner->fixed_size
            : kvsql_sequence_get_own_length (self->inner, bytes);
  if (self->pad >= 0 && own < 0)
    while (bytes.size > 0 && bytes.data[bytes.size - 1] == self->pad)
      bytes.size--;
  else if (self->pad >= 0)
    {
      for (gsize i = own; i < bytes.size; i++)
        if (bytes.data[i] != self->pad)
          return FALSE;
      bytes.size = own;
    }
  ok = kvsql_sequence_decode (self->inner, bytes, decoder);
  decoder->steps += steps;
  return ok;
}

/* A value that would be decoded as a shorter value. */
static gboolean
ends_in_pad (const KvsqlElement *self, KvsqlSlice value)
{
  return self->pad >= 0 && self->inner->fixed_size < 0 && value.size > 0
         && value.data[value.size - 1] == self->pad
         && kvsql_sequence_get_own_length (self->inner, value) < 0;
}

static void
constrain (const KvsqlElement *self, const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
           KvsqlByteRanges *out)
{
  KvsqlDelimiter mine = kvsql_sequence_inner_delimiter (self->inner, self->width);
  guint8 *padding = NULL;
  guint n = 0;

  if (self->pad >= 0)
    {
      padding = kvsql_arena_alloc (constrainer->arena, self->width);
      memset (padding, self->pad, self->width);
      mine = (KvsqlDelimiter){ .kind = KVSQL_DELIMITER_BYTES,
                               .bytes = kvsql_slice (padding, self->width) };
    }
  if (self->inner->n_elements == 1)
    mine.least = self->inner->elements[0]->least_byte;
  kvsql_sequence_constrain (self->inner, constrainer, mine, out);
  for (guint i = 0; i < out->n_ranges; i++)
    {
      KvsqlByteRange range = out->ranges[i];
      if (range.is_point)
        {
          guint8 *bytes;
          if (range.low.size > self->width || (self->pad < 0 && range.low.size != self->width)
              || ends_in_pad (self, range.low))
            continue; /* such a value cannot be stored */
          bytes = kvsql_arena_alloc (constrainer->arena, self->width);
          if (range.low.size > 0)
            memcpy (bytes, range.low.data, range.low.size);
          if (self->pad >= 0)
            memset (bytes + range.low.size, self->pad, self->width - range.low.size);
          range.low = kvsql_slice (bytes, self->width);
        }
      else
        kvsql_byte_range_cut (&range, self->width, constrainer);
      out->ranges[n++] = range;
    }
  out->n_ranges = n;
}

static KvsqlNfaFragment
automaton (const KvsqlElement *self, KvsqlNfa *nfa)
{
  if (self->attribute >= 0)
    return kvsql_element_mark (self, nfa, kvsql_nfa_any_bytes (nfa, self->width));
  /* Several inner elements: the automaton ignores the length and accepts any padding. It accepts
   * too much, which is safe. */
  KvsqlNfaFragment inner = kvsql_sequence_automaton (self->inner, nfa);
  KvsqlByteSet pad;

  if (self->pad < 0)
    return inner;
  pad = kvsql_byte_set_range (self->pad, self->pad);
  return kvsql_nfa_sequence (
      nfa, inner, kvsql_nfa_repeat (nfa, kvsql_nfa_byte_set (nfa, &pad), 0, KVSQL_NFA_UNLIMITED));
}

/* A value that is a prefix of another value sorts before it if no byte of the longer value is below
 * the pad byte. That is true for the pad 0: a value never ends in it, so a greater byte follows.
 * For other pads it is unknown. */
static KvsqlByteOrder
byte_order (const KvsqlElement *self)
{
  KvsqlByteOrder order = kvsql_sequence_inner_order (self->inner);

  if (!order.is_last_only)
    return order;
  if (self->pad > 0 && self->inner->elements[0]->least_byte <= self->pad)
    return KVSQL_BYTE_ORDER_NONE;
  order.is_last_only = FALSE;
  return order;
}

const KvsqlElementClass kvsql_element_fixed = {
  .name = "fixed",
  .compile = compile,
  .encode = encode,
  .decode = decode,
  .constrain = constrain,
  .automaton = automaton,
  .byte_order = byte_order,
};
