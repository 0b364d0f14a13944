/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-prefix.c: prefix(s){…}: s, then the value.
 *
 * The value shows by itself where it ends, or, as with a bare attribute, the next element shows it.
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
      || !kvsql_element_bytes_argument (node, 0, compiler->arena, &self->constant, error))
    return FALSE;
  if (!kvsql_element_compile_inner (self, compiler, node, error))
    return FALSE;
  if (self->inner->fixed_size >= 0)
    self->fixed_size = self->inner->fixed_size + self->constant.size;
  else if (self->inner->n_elements == 1 && self->inner->elements[0]->is_prefix_free)
    self->is_prefix_free = TRUE;
  else
    self->is_open = TRUE;
  return TRUE;
}

static gboolean
encode (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out, GError **error)
{
  kvsql_buffer_append_slice (out, self->constant);
  return kvsql_sequence_encode (self->inner, encoder, out, error);
}

static gboolean
decode (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  guint steps = decoder->steps;
  gboolean ok = kvsql_slice_has_prefix (bytes, self->constant)
                && kvsql_sequence_decode (self->inner,
                                          kvsql_slice (bytes.data + self->constant.size,
                                                       bytes.size - self->constant.size),
                                          decoder);

  decoder->steps += steps;
  return ok;
}

/* The value may end where the constant of the next element begins, but not inside s. */
static gssize
next_length (const KvsqlElement *self, KvsqlSlice rest, gssize previous)
{
  gsize from = MAX ((gsize)(previous + 1), self->constant.size);
  gssize own;

  if (from > rest.size)
    return -1;
  if (self->is_prefix_free)
    {
      own = previous >= 0 ? -1
                          : kvsql_sequence_get_own_length (
                              self->inner, kvsql_slice (rest.data + self->constant.size,
                                                        rest.size - self->constant.size));
      return own < 0 ? -1 : (gssize)self->constant.size + own;
    }
  return kvsql_element_find_end (self, rest, from);
}

static void
constrain (const KvsqlElement *self, const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
           KvsqlByteRanges *out)
{
  KvsqlSequence both = { 0 };
  KvsqlElement front = { .klass = &kvsql_element_constant, .constant = self->constant };
  KvsqlElement **elements
      = kvsql_arena_array (constrainer->arena, KvsqlElement *, self->inner->n_elements + 1);

  elements[0] = &front;
  for (guint i = 0; i < self->inner->n_elements; i++)
    elements[i + 1] = self->inner->elements[i];
  both.elements = elements;
  both.n_elements = self->inner->n_elements + 1;
  kvsql_sequence_constrain (&both, constrainer, delimiter, out);
}

static KvsqlNfaFragment
automaton (const KvsqlElement *self, KvsqlNfa *nfa)
{
  KvsqlNfaFragment value;

  if (self->is_restricted && self->attribute >= 0)
    value = kvsql_element_mark (self->inner->elements[0], nfa,
                                kvsql_nfa_any_without (nfa, self->separator));
  else
    value = kvsql_sequence_automaton (self->inner, nfa);
  return kvsql_nfa_sequence (nfa, kvsql_nfa_literal (nfa, self->constant), value);
}

static KvsqlByteOrder
byte_order (const KvsqlElement *self)
{
  return kvsql_sequence_inner_order (self->inner);
}

const KvsqlElementClass kvsql_element_prefix = {
  .name = "prefix",
  .compile = compile,
  .encode = encode,
  .decode = decode,
  .next_length = next_length,
  .constrain = constrain,
  .automaton = automaton,
  .byte_order = byte_order,
};
