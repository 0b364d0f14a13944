/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-regexp.c: regexp(re){…}: a value that ends where the regular expression says.
 */
#include "config.h"

#include "core/layout/inner.h"
#include "core/layout/element-classes.h"

#include "core/layout/automata/dfa.h"
#include "core/layout/automata/nfa.h"
#include "core/sql/ast-definition.h"

static gboolean
compile (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
         GError **error)
{
  KvsqlSlice pattern;

  if (!kvsql_element_expect (node, 1, 1, TRUE, error)
      || !kvsql_element_bytes_argument (node, 0, compiler->arena, &pattern, error))
    return FALSE;
  self->pattern = kvsql_arena_strndup (compiler->arena, (const gchar *)pattern.data, pattern.size);
  self->dfa = kvsql_dfa_new_regexp (compiler->arena, pattern, error);
  if (self->dfa == NULL)
    return kvsql_error_at (error, node->arguments[0].span);
  if (!kvsql_element_compile_inner (self, compiler, node, error))
    return FALSE;
  self->least_byte = kvsql_dfa_get_least_byte (self->dfa);
  if (kvsql_dfa_get_min_length (self->dfa) == kvsql_dfa_get_max_length (self->dfa))
    self->fixed_size = kvsql_dfa_get_min_length (self->dfa);
  return TRUE;
}

static gboolean
encode (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out, GError **error)
{
  gsize start = out->size;

  if (!kvsql_sequence_encode (self->inner, encoder, out, error))
    return FALSE;
  if (!kvsql_dfa_matches (self->dfa, kvsql_slice (out->data + start, out->size - start)))
    {
      g_autofree gchar *shown
          = kvsql_readable (kvsql_slice (out->data + start, MIN (out->size - start, 60)));
      return kvsql_encode_error (encoder, self, error,
                                 "is \"%s\", which does not match regexp(\"%s\")", shown,
                                 self->pattern);
    }
  return TRUE;
}

static gboolean
decode (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  guint steps = decoder->steps;
  gboolean ok
      = kvsql_dfa_matches (self->dfa, bytes) && kvsql_sequence_decode (self->inner, bytes, decoder);

  decoder->steps += steps;
  return ok;
}

static gssize
next_length (const KvsqlElement *self, KvsqlSlice rest, gssize previous)
{
  KvsqlDfaScan scan;
  gsize length;

  kvsql_dfa_scan_start (&scan, self->dfa, rest);
  while (kvsql_dfa_scan_next (&scan, &length))
    if ((gssize)length > previous)
      return length;
  return -1;
}

static void
constrain (const KvsqlElement *self, const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
           KvsqlByteRanges *out)
{
  if (self->fixed_size >= 0)
    delimiter = kvsql_sequence_inner_delimiter (self->inner, self->fixed_size);
  kvsql_sequence_constrain (self->inner, constrainer, delimiter, out);
  for (guint i = 0; self->fixed_size >= 0 && i < out->n_ranges; i++)
    kvsql_byte_range_cut (&out->ranges[i], self->fixed_size, constrainer);
}

static KvsqlNfaFragment
automaton (const KvsqlElement *self, KvsqlNfa *nfa)
{
  KvsqlNfaFragment value;

  /* The expression was compiled before. An automaton that became too large reports that on the
   * first question. */
  if (!kvsql_nfa_regexp (nfa, kvsql_slice_from_text (self->pattern), &value, NULL))
    value = kvsql_nfa_any (nfa);
  return kvsql_element_mark (self, nfa, value);
}

/* Whole numbers without a sign and with the same number of digits sort as numbers do. */
static gboolean
holds_digits (const KvsqlElement *self)
{
  const KvsqlElement *only = self->inner->elements[0];

  return self->inner->n_elements == 1 && only->klass == &kvsql_element_text
         && (only->type == KVSQL_TYPE_INT || only->type == KVSQL_TYPE_BIGINT)
         && self->fixed_size >= 0 && self->least_byte >= '0';
}

static KvsqlByteOrder
byte_order (const KvsqlElement *self)
{
  KvsqlByteOrder order = kvsql_sequence_inner_order (self->inner);

  if (holds_digits (self))
    return (KvsqlByteOrder){ .order = KVSQL_ORDER_ASCENDING };
  order.is_last_only = order.is_last_only && self->fixed_size < 0;
  return order;
}

const KvsqlElementClass kvsql_element_regexp = {
  .name = "regexp",
  .compile = compile,
  .encode = encode,
  .decode = decode,
  .next_length = next_length,
  .constrain = constrain,
  .automaton = automaton,
  .byte_order = byte_order,
};
