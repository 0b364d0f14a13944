/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-suffix.c: suffix(s){…}: the value, then s.
 *
 * The decoder reads up to the first s after which the rest of the field matches. If the definition
 * proof found that an s inside the value would be ambiguous, the element is restricted: the first s
 * ends the value, and a value that contains s is rejected when it is written.
 */
#include "config.h"

#include "core/layout/inner.h"
#include "core/layout/element-classes.h"

#include "core/layout/automata/nfa.h"

static gboolean
compile (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
         GError **error)
{
  if (!kvsql_element_expect (node, 1, 1, TRUE, error)
      || !kvsql_element_bytes_argument (node, 0, compiler->arena, &self->separator, error))
    return FALSE;
  if (!kvsql_element_compile_inner (self, compiler, node, error))
    return FALSE;
  self->is_delimited = TRUE;
  self->is_prefix_free = self->inner->n_elements == 1
                         && self->inner->elements[0]->least_byte > self->separator.data[0];
  if (self->inner->fixed_size >= 0)
    self->fixed_size = self->inner->fixed_size + self->separator.size;
  return TRUE;
}

static gboolean
encode (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out, GError **error)
{
  gsize start = out->size;

  if (!kvsql_sequence_encode (self->inner, encoder, out, error))
    return FALSE;
  kvsql_buffer_append_slice (out, self->separator);
  if (self->is_restricted)
    {
      const guint8 *first = memmem (out->data + start, out->size - start, self->separator.data,
                                    self->separator.size);
      if ((gsize)(first - out->data) + self->separator.size != out->size)
        return kvsql_encode_separator_error (encoder, self, error,
                                             (gsize)(first - (out->data + start)));
    }
  return TRUE;
}

static gboolean
decode (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  gsize n = self->separator.size;
  guint steps = decoder->steps;
  gboolean ok;

  if (bytes.size < n || memcmp (bytes.data + bytes.size - n, self->separator.data, n) != 0)
    return FALSE;
  if (self->is_restricted
      && memmem (bytes.data, bytes.size, self->separator.data, n) != bytes.data + bytes.size - n)
    return FALSE;
  ok = kvsql_sequence_decode (self->inner, kvsql_slice (bytes.data, bytes.size - n), decoder);
  decoder->steps += steps;
  return ok;
}

static gssize
next_length (const KvsqlElement *self, KvsqlSlice rest, gssize previous)
{
  gsize n = self->separator.size;
  gsize from = previous < 0 ? 0 : previous - n + 1;
  const guint8 *found;

  if (from + n > rest.size)
    return -1;
  found = memmem (rest.data + from, rest.size - from, self->separator.data, n);
  return found == NULL ? -1 : (gssize)(found - rest.data + n);
}

static void
constrain (const KvsqlElement *self, const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
           KvsqlByteRanges *out)
{
  KvsqlDelimiter mine = { .kind = KVSQL_DELIMITER_BYTES, .bytes = self->separator };

  if (self->inner->n_elements == 1)
    mine.least = self->inner->elements[0]->least_byte;
  kvsql_sequence_constrain (self->inner, constrainer, mine, out);
  for (guint i = 0; i < out->n_ranges; i++)
    if (out->ranges[i].is_point)
      out->ranges[i].low
          = kvsql_slice_join (constrainer->arena, out->ranges[i].low, self->separator);
}

static KvsqlNfaFragment
automaton (const KvsqlElement *self, KvsqlNfa *nfa)
{
  KvsqlNfaFragment value;

  if (self->is_restricted && self->inner->n_elements == 1 && self->inner->elements[0]->is_open
      && self->attribute >= 0)
    value = kvsql_element_mark (
        self->inner->elements[0], nfa,
        kvsql_element_any_without (self->inner->elements[0], nfa, self->separator));
  else
    value = kvsql_sequence_automaton (self->inner, nfa);
  return kvsql_nfa_sequence (nfa, value, kvsql_nfa_literal (nfa, self->separator));
}

/* The separator must sort before each byte with which a longer value may continue. A zero byte does
 * if no value contains one: STRING never does, and restricted BYTES are checked for it. */
static KvsqlByteOrder
byte_order (const KvsqlElement *self)
{
  KvsqlByteOrder order = kvsql_sequence_inner_order (self->inner);
  gboolean is_zeros = TRUE;

  if (!order.is_last_only)
    return order;
  for (gsize i = 0; i < self->separator.size; i++)
    is_zeros = is_zeros && self->separator.data[i] == 0;
  if (self->inner->elements[0]->least_byte <= self->separator.data[0]
      && !(is_zeros && self->is_restricted && order.order == KVSQL_ORDER_ASCENDING))
    return KVSQL_BYTE_ORDER_NONE;
  order.is_last_only = FALSE;
  return order;
}

const KvsqlElementClass kvsql_element_suffix = {
  .name = "suffix",
  .compile = compile,
  .encode = encode,
  .decode = decode,
  .next_length = next_length,
  .constrain = constrain,
  .automaton = automaton,
  .byte_order = byte_order,
};
