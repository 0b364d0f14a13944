/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-ordered.c: ordered{a}: an attribute in HBase's OrderedBytes (ordered.h).
 *
 * The bytes sort as the values do for each type, show where the value ends, and have a form for
 * NULL.
 */
#include "config.h"

#include "core/layout/encoding/ordered.h"

#include "core/layout/inner.h"
#include "core/layout/element-classes.h"
#include "core/layout/automata/nfa.h"
#include "core/schema/relation.h"

static gboolean
compile (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
         GError **error)
{
  if (!kvsql_element_expect (node, 0, 0, TRUE, error)
      || !kvsql_element_bind_inner_attribute (self, compiler, node, error))
    return FALSE;
  self->holds_null = !compiler->relation->attributes[self->attribute].is_not_null;
  self->is_prefix_free = TRUE;
  if (!self->holds_null)
    self->fixed_size = kvsql_ordered_get_size (self->type);
  return TRUE;
}

static gboolean
encode (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out, GError **error)
{
  const KvsqlValue *value = &encoder->tuple[self->attribute];

  if (kvsql_value_is_null (value) && !self->holds_null)
    return kvsql_encoder_get_value (encoder, self, error) != NULL;
  if (self->type == KVSQL_TYPE_DECIMAL && !kvsql_value_is_null (value)
      && !kvsql_ordered_decimal_fits (value->bytes))
    {
      kvsql_encode_error (encoder, self, error,
                          "has more than %d significant digits or is too large for ordered{…}",
                          KVSQL_ORDERED_MAX_DIGITS);
      return kvsql_error_hint (error, "HBase's OrderedBytes would round it; use text{…} instead.");
    }
  kvsql_ordered_encode (self->type, value, out);
  return TRUE;
}

static gboolean
decode (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  KvsqlValue value;

  return kvsql_ordered_decode (self->type, bytes, decoder->arena, &value)
         && (self->holds_null || !kvsql_value_is_null (&value))
         && kvsql_decoder_set (decoder, self, &value);
}

static gssize
next_length (const KvsqlElement *self, KvsqlSlice rest, gssize previous)
{
  return previous >= 0 ? -1 : kvsql_ordered_get_length (self->type, rest);
}

static void
constrain (const KvsqlElement *self, const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
           KvsqlByteRanges *out)
{
  kvsql_ordered_constrain (self->type, self->holds_null, &constrainer->constraints[self->attribute],
                           constrainer, out);
}

static KvsqlNfaFragment
automaton (const KvsqlElement *self, KvsqlNfa *nfa)
{
  return kvsql_element_mark (self, nfa,
                             kvsql_ordered_automaton (self->type, self->holds_null, nfa));
}

/* -0 and 0 are equal and have two forms, as in HBase. BYTES do not sort exactly as values do. */
static KvsqlByteOrder
byte_order (const KvsqlElement *self)
{
  if (self->type == KVSQL_TYPE_BYTES)
    return KVSQL_BYTE_ORDER_NONE;
  return (KvsqlByteOrder){ .order = KVSQL_ORDER_ASCENDING,
                           .nulls_first = TRUE,
                           .is_loose = kvsql_type_get_class (self->type) == KVSQL_CLASS_REAL };
}

const KvsqlElementClass kvsql_element_ordered = {
  .name = "ordered",
  .takes_attribute = TRUE,
  .compile = compile,
  .encode = encode,
  .decode = decode,
  .next_length = next_length,
  .constrain = constrain,
  .automaton = automaton,
  .byte_order = byte_order,
};
