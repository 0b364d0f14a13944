/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-phoenix.c: phoenix{a}: an attribute as Apache Phoenix's data types write it (phoenix.h).
 *
 * Keeps the order of every type. STRING, BYTES and DECIMAL don't tell where they end: in the middle
 * of a key Phoenix writes 00 behind them, which is suffix(x'00'){phoenix{a}}.
 */
#include "config.h"

#include "core/layout/phoenix.h"
#include "core/layout/scalar.h"

static const KvsqlSortedForm *
form_of (const KvsqlElement *self)
{
  return self->own;
}

static gboolean
compile (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
         GError **error)
{
  KvsqlSortedForm *form = kvsql_arena_new0 (compiler->arena, KvsqlSortedForm);

  if (!kvsql_element_expect (node, 0, 0, TRUE, error)
      || !kvsql_element_bind_inner_attribute (self, compiler, node, error))
    return FALSE;
  if (kvsql_phoenix_get_form (self->type, form))
    {
      self->own = form;
      self->fixed_size = form->size;
    }
  self->is_open = self->fixed_size < 0;
  self->least_byte = self->type == KVSQL_TYPE_STRING || self->type == KVSQL_TYPE_DECIMAL;
  return TRUE;
}

static gboolean
encode (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out, GError **error)
{
  const KvsqlValue *value = kvsql_encoder_get_value (encoder, self, error);

  if (value == NULL)
    return FALSE;
  if (self->own != NULL)
    form_of (self)->append (form_of (self), value, out);
  else if (self->type != KVSQL_TYPE_DECIMAL)
    kvsql_buffer_append_slice (out, value->bytes);
  else if (kvsql_phoenix_decimal_fits (value->bytes))
    kvsql_phoenix_decimal_append (value->bytes, out);
  else
    {
      kvsql_encode_error (encoder, self, error,
                          "has more than %d significant digits or is too large for phoenix{…}",
                          KVSQL_PHOENIX_MAX_DIGITS);
      return kvsql_error_hint (error, "Phoenix would round it; use text{…} instead.");
    }
  return TRUE;
}

static gboolean
decode (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  KvsqlValue value = { .type = self->type };

  if (self->own != NULL ? !kvsql_phoenix_read (self->type, bytes, decoder->arena, &value)
      : self->type == KVSQL_TYPE_DECIMAL
          ? !kvsql_phoenix_decimal_read (bytes, decoder->arena, &value.bytes)
          : !kvsql_scalar_decode (self->type, bytes, TRUE, decoder->arena, &value))
    return FALSE;
  return kvsql_decoder_set (decoder, self, &value);
}

static KvsqlSlice
decimal_bytes (const KvsqlValue *value, KvsqlArena *arena)
{
  KvsqlBuffer buffer = { 0 };
  KvsqlSlice result;

  kvsql_phoenix_decimal_append (value->bytes, &buffer);
  result = kvsql_slice_dup (arena, kvsql_buffer_slice (&buffer));
  kvsql_buffer_clear (&buffer);
  return result;
}

/* As the bytes sort as the numbers, an interval of numbers is one of byte strings. */
static void
constrain_decimal (const KvsqlConstraint *constraint, const KvsqlConstrainer *constrainer,
                   KvsqlFollow follow, KvsqlPieces *out)
{
  KvsqlArena *arena = constrainer->arena;
  KvsqlConstraint bytes = *constraint;
  KvsqlInterval *intervals = kvsql_arena_array (arena, KvsqlInterval, constraint->n_intervals + 1);

  bytes.n_intervals = 0;
  for (guint i = 0; i < constraint->n_intervals; i++)
    {
      KvsqlInterval interval = constraint->intervals[i];
      if (kvsql_interval_is_point (&interval) && !kvsql_phoenix_decimal_fits (interval.low.bytes))
        continue; /* no such value can be stored */
      if (interval.has_low)
        interval.low = (KvsqlValue){ .type = KVSQL_TYPE_BYTES,
                                     .bytes = decimal_bytes (&interval.low, arena) };
      if (interval.has_high)
        interval.high = (KvsqlValue){ .type = KVSQL_TYPE_BYTES,
                                      .bytes = decimal_bytes (&interval.high, arena) };
      intervals[bytes.n_intervals++] = interval;
    }
  bytes.intervals = intervals;
  kvsql_pieces_from_slices (&bytes, constrainer, follow, out);
}

static void
constrain (const KvsqlElement *self, const KvsqlConstrainer *constrainer, KvsqlFollow follow,
           KvsqlPieces *out)
{
  const KvsqlConstraint *constraint = &constrainer->constraints[self->attribute];

  if (self->own != NULL)
    kvsql_sorted_constrain (form_of (self), constraint, constrainer, out);
  else if (self->type == KVSQL_TYPE_DECIMAL && constraint->is_constrained)
    constrain_decimal (constraint, constrainer, follow, out);
  else
    kvsql_pieces_from_slices (constraint, constrainer, follow, out);
}

/* ---- the automaton */

static KvsqlNfaFragment
decimal_automaton (KvsqlNfa *nfa)
{
  KvsqlByteSet zero = kvsql_byte_set_range (0x80, 0x80), positive, negative, digit, end;
  KvsqlNfaFragment above, below;

  positive
      = kvsql_byte_set_range (0xc0 + KVSQL_PHOENIX_MIN_EXPONENT, 0xc0 + KVSQL_PHOENIX_MAX_EXPONENT);
  negative
      = kvsql_byte_set_range (0x3f - KVSQL_PHOENIX_MAX_EXPONENT, 0x3f - KVSQL_PHOENIX_MIN_EXPONENT);
  digit = kvsql_byte_set_range (1, 101);
  end = kvsql_byte_set_range (0x66, 0x66);
  above = kvsql_nfa_sequence (
      nfa, kvsql_nfa_byte_set (nfa, &positive),
      kvsql_nfa_repeat (nfa, kvsql_nfa_byte_set (nfa, &digit), 1, KVSQL_NFA_UNLIMITED));
  below = kvsql_nfa_sequence (
      nfa, kvsql_nfa_byte_set (nfa, &negative),
      kvsql_nfa_repeat (nfa, kvsql_nfa_byte_set (nfa, &digit), 1, KVSQL_NFA_UNLIMITED));
  below = kvsql_nfa_sequence (nfa, below,
                              kvsql_nfa_repeat (nfa, kvsql_nfa_byte_set (nfa, &end), 0, 1));
  return kvsql_nfa_alternative (nfa, kvsql_nfa_byte_set (nfa, &zero),
                                kvsql_nfa_alternative (nfa, above, below));
}

static KvsqlNfaFragment
automaton (const KvsqlElement *self, KvsqlNfa *nfa)
{
  return kvsql_element_mark (self, nfa,
                             self->type == KVSQL_TYPE_DECIMAL
                                 ? decimal_automaton (nfa)
                                 : kvsql_element_any_value (self, nfa));
}

/* What doesn't tell where it ends sorts only if nothing, or something below all that it may go on
 * with, follows. */
static KvsqlByteOrder
byte_order (const KvsqlElement *self)
{
  return (KvsqlByteOrder){ .order = KVSQL_ORDER_ASCENDING,
                           .is_last_only = self->fixed_size < 0,
                           .is_loose = kvsql_type_get_class (self->type) == KVSQL_CLASS_REAL };
}

const KvsqlElementClass kvsql_element_phoenix = {
  .name = "phoenix",
  .takes_attribute = TRUE,
  .compile = compile,
  .encode = encode,
  .decode = decode,
  .constrain = constrain,
  .automaton = automaton,
  .byte_order = byte_order,
};
