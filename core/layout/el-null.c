/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-null.c: null(s){…}: the bytes s mean NULL.
 *
 * A value whose own bytes are s is rejected when it is written, so s always means NULL. s may be
 * empty.
 */
#include "config.h"

#include "core/layout/inner.h"
#include "core/layout/element-classes.h"

#include "core/layout/automata/nfa.h"
#include "core/schema/relation.h"
#include "core/sql/ast-definition.h"

static gboolean
read_form (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
           GError **error)
{
  const KvsqlLayoutArgument *argument = &node->arguments[0];

  if (argument->kind == KVSQL_ARGUMENT_VALUE
      && (argument->value.type == KVSQL_TYPE_STRING || argument->value.type == KVSQL_TYPE_BYTES)
      && argument->value.bytes.size == 0)
    {
      self->null_form = KVSQL_SLICE_LITERAL ("");
      return TRUE;
    }
  return kvsql_element_bytes_argument (node, 0, compiler->arena, &self->null_form, error);
}

static gboolean
compile (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
         GError **error)
{
  const KvsqlElement *only;

  if (!kvsql_element_expect (node, 1, 1, TRUE, error) || !read_form (self, compiler, node, error)
      || !kvsql_element_compile_inner (self, compiler, node, error))
    return FALSE;
  if (self->attribute < 0)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->inner.span,
                            "null applies to one attribute");
  if (kvsql_element_holds_part (self->inner->elements[0]))
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->inner.span,
                            "null applies to a whole attribute");
  only = self->inner->elements[0];
  if (only->holds_null)
    {
      kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->inner.span,
                       "the layout in null(…) has a form for NULL already");
      return kvsql_error_hint (error, "Leave null(…) out.");
    }
  self->holds_null = !compiler->relation->attributes[self->attribute].is_not_null;
  self->least_byte = only->least_byte;
  for (gsize i = 0; i < self->null_form.size; i++)
    self->least_byte = MIN (self->least_byte, self->null_form.data[i]);
  if (self->inner->fixed_size == (gssize)self->null_form.size)
    self->fixed_size = self->inner->fixed_size;
  self->is_open = only->is_open;
  return TRUE;
}

static gboolean
encode (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out, GError **error)
{
  gsize start = out->size;

  if (self->holds_null && kvsql_value_is_null (&encoder->tuple[self->attribute]))
    {
      kvsql_buffer_append_slice (out, self->null_form);
      return TRUE;
    }
  if (!kvsql_sequence_encode (self->inner, encoder, out, error))
    return FALSE;
  if (kvsql_slice_equal (kvsql_slice (out->data + start, out->size - start), self->null_form))
    {
      g_autofree gchar *shown = kvsql_readable (self->null_form);
      kvsql_encode_error (encoder, self, error, "would be written as \"%s\", which means NULL",
                          shown);
      return kvsql_error_hint (error, "Use a schema whose null(…) is something no value is.");
    }
  return TRUE;
}

static gboolean
decode (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  guint steps = decoder->steps;
  gboolean ok;

  if (kvsql_slice_equal (bytes, self->null_form))
    return self->holds_null && kvsql_decoder_set (decoder, self, &KVSQL_VALUE_NULL);
  kvsql_decoder_clear_null (decoder, self);
  ok = kvsql_sequence_decode (self->inner, bytes, decoder);
  decoder->steps += steps;
  return ok;
}

static gssize
next_value_length (const KvsqlElement *self, KvsqlSlice rest, gssize previous)
{
  const KvsqlElement *only = self->inner->elements[0];

  if (only->fixed_size >= 0)
    return previous < only->fixed_size && (gsize)only->fixed_size <= rest.size ? only->fixed_size
                                                                               : -1;
  if (only->is_open || only->klass->next_length == NULL)
    return kvsql_element_next_open_length (self, rest, previous);
  for (gssize length = only->klass->next_length (only, rest, -1);;
       length = only->klass->next_length (only, rest, length))
    if (length < 0 || length > previous)
      return length;
}

static gssize
next_length (const KvsqlElement *self, KvsqlSlice rest, gssize previous)
{
  gssize value = next_value_length (self, rest, previous), null = self->null_form.size;

  if (self->is_restricted)
    return value; /* the first separator also ends NULL */
  if (null <= previous || !kvsql_slice_has_prefix (rest, self->null_form))
    return value;
  return value < 0 ? null : MIN (value, null);
}

/* Whether the bytes of NULL, followed by any bytes, may be in the byte range. */
static gboolean
may_hold_null (const KvsqlElement *self, const KvsqlByteRange *range)
{
  return (kvsql_slice_compare (self->null_form, range->low) >= 0
          || kvsql_slice_has_prefix (range->low, self->null_form))
         && (!range->has_high || kvsql_slice_compare (self->null_form, range->high) < 0);
}

static void
constrain (const KvsqlElement *self, const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
           KvsqlByteRanges *out)
{
  const KvsqlConstraint *constraint = &constrainer->constraints[self->attribute];
  KvsqlByteRanges values;

  if (!constraint->is_constrained)
    {
      *out = (KvsqlByteRanges){ .is_open = TRUE };
      return;
    }
  kvsql_sequence_constrain (self->inner, constrainer, delimiter, &values);
  if (values.is_open)
    {
      *out = values;
      return;
    }
  kvsql_byte_ranges_init (out, constrainer, values.n_ranges + 1);
  out->n_fixed = values.n_fixed;
  if (self->holds_null && constraint->allows_null)
    kvsql_byte_ranges_add_point (out, self->null_form);
  for (guint i = 0; i < values.n_ranges; i++)
    {
      KvsqlByteRange range = values.ranges[i];
      if (range.is_point && kvsql_slice_equal (range.low, self->null_form))
        continue; /* such a value cannot be stored */
      if (!range.is_point)
        range.is_exact
            = range.is_exact && (constraint->allows_null || !may_hold_null (self, &range));
      out->ranges[out->n_ranges++] = range;
    }
}

static KvsqlNfaFragment
automaton (const KvsqlElement *self, KvsqlNfa *nfa)
{
  KvsqlNfaFragment null = kvsql_nfa_literal (nfa, self->null_form);
  KvsqlNfaFragment value;

  if (self->is_restricted)
    value = kvsql_element_mark (self, nfa, kvsql_nfa_any_without (nfa, self->separator));
  else
    value = kvsql_sequence_automaton (self->inner, nfa);
  return self->holds_null ? kvsql_nfa_alternative (nfa, kvsql_element_mark (self, nfa, null), value)
                          : value;
}

/* NULL sorts where its bytes do: either before all values, or among them, which is no order. */
static KvsqlByteOrder
byte_order (const KvsqlElement *self)
{
  const KvsqlElement *only = self->inner->elements[0];
  KvsqlByteOrder order = kvsql_element_byte_order (only);

  if (!self->holds_null)
    return order;
  order.nulls_first = TRUE;
  if (self->null_form.size == 0)
    {
      order.is_last_only = TRUE; /* the bytes after the element would sort among the values */
      return order;
    }
  if (self->null_form.data[0] < only->least_byte && only->fixed_size > 0)
    return order;
  return KVSQL_BYTE_ORDER_NONE;
}

const KvsqlElementClass kvsql_element_null = {
  .name = "null",
  .compile = compile,
  .encode = encode,
  .decode = decode,
  .next_length = next_length,
  .constrain = constrain,
  .automaton = automaton,
  .byte_order = byte_order,
};
