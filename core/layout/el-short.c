/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-short.c: short{a} and byte{a}: whole numbers in 2 bytes and in 1 byte, two's complement, as
 * Bytes.toBytes (short) and a byte of Java.
 */
#include "config.h"

#include "core/layout/derived.h"
#include "core/layout/inner.h"
#include "core/layout/element-classes.h"
#include "core/layout/automata/nfa.h"
#include "core/layout/encoding/scalar.h"
#include "core/sql/ast-definition.h"

static gint64
least (const KvsqlElement *self)
{
  return -(G_GINT64_CONSTANT (1) << (8 * self->width - 1));
}

static gint64
greatest (const KvsqlElement *self)
{
  return -least (self) - 1;
}

static gboolean
compile (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
         GError **error)
{
  self->width = self->klass == &kvsql_element_short ? 2 : 1;
  self->fixed_size = self->width;
  if (!kvsql_element_expect (node, 0, 0, TRUE, error)
      || !kvsql_element_bind_inner_attribute (self, compiler, node, error))
    return FALSE;
  if (kvsql_type_get_class (self->type) == KVSQL_CLASS_INTEGER)
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->inner.span,
                          "%s holds whole numbers and times, not %s", node->name.text,
                          kvsql_type_get_name (self->type));
}

/* The lowest bytes of a number, big-endian. */
static void
put (const KvsqlElement *self, gint64 number, guint8 *out)
{
  guint8 bytes[8];

  kvsql_put_be64 (bytes, (guint64)number);
  memcpy (out, bytes + sizeof bytes - self->width, self->width);
}

static gboolean
encode (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out, GError **error)
{
  const KvsqlValue *value = kvsql_encoder_get_value (encoder, self, error);
  guint8 bytes[2];

  if (value == NULL)
    return FALSE;
  if (value->integer < least (self) || value->integer > greatest (self))
    {
      kvsql_encode_error (encoder, self, error,
                          "would be written as %" G_GINT64_FORMAT ", which does not fit %s",
                          value->integer, self->klass->name);
      return kvsql_error_hint (error,
                               "It holds %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
                               "; use more bytes in a new schema.",
                               least (self), greatest (self));
    }
  put (self, value->integer, bytes);
  kvsql_buffer_append (out, bytes, self->width);
  return TRUE;
}

static gboolean
decode (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  KvsqlValue value = { .type = self->type };

  if (bytes.size != self->width)
    return FALSE;
  value.integer = (gint8)bytes.data[0];
  if (self->width == 2)
    value.integer = value.integer * 256 + bytes.data[1];
  return kvsql_integer_fits (self->type, value.integer)
         && kvsql_decoder_set (decoder, self, &value);
}

/* Adds the numbers @low .. @high, which have the same sign. */
static void
add (const KvsqlElement *self, gint64 low, gint64 high, KvsqlArena *arena, KvsqlByteRanges *out)
{
  guint8 *first = kvsql_arena_alloc (arena, self->width);
  guint8 *last = kvsql_arena_alloc (arena, self->width);
  KvsqlSlice end = KVSQL_SLICE_EMPTY;
  gboolean has_end;

  if (low > high)
    return;
  put (self, low, first);
  put (self, high, last);
  if (low == high)
    {
      kvsql_byte_ranges_add_point (out, kvsql_slice (first, self->width));
      return;
    }
  has_end = kvsql_slice_successor (arena, kvsql_slice (last, self->width), &end);
  kvsql_byte_ranges_add_range (out, kvsql_slice (first, self->width), has_end, end, TRUE);
}

/* Negative numbers come after the others. */
static void
constrain (const KvsqlElement *self, const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
           KvsqlByteRanges *out)
{
  const KvsqlConstraint *constraint = &constrainer->constraints[self->attribute];
  gint64 low, high;

  if (!constraint->is_constrained)
    {
      *out = (KvsqlByteRanges){ .is_open = TRUE };
      return;
    }
  kvsql_byte_ranges_init (out, constrainer, constraint->n_intervals * 2);
  for (guint i = 0; i < constraint->n_intervals; i++)
    {
      if (!kvsql_scalar_clip (self->type, &constraint->intervals[i], &low, &high))
        continue;
      low = MAX (low, least (self));
      high = MIN (high, greatest (self));
      add (self, MAX (low, 0), high, constrainer->arena, out);
      add (self, low, MIN (high, -1), constrainer->arena, out);
    }
}

static KvsqlNfaFragment
automaton (const KvsqlElement *self, KvsqlNfa *nfa)
{
  return kvsql_element_mark (self, nfa, kvsql_nfa_any_bytes (nfa, self->fixed_size));
}

static KvsqlByteOrder
byte_order (const KvsqlElement *self)
{
  return (KvsqlByteOrder){ .order_by_sign = KVSQL_ORDER_ASCENDING };
}

const KvsqlElementClass kvsql_element_short = {
  .name = "short",
  .takes_attribute = TRUE,
  .compile = compile,
  .encode = encode,
  .decode = decode,
  .constrain = constrain,
  .automaton = automaton,
  .byte_order = byte_order,
};

const KvsqlElementClass kvsql_element_byte = {
  .name = "byte",
  .takes_attribute = TRUE,
  .compile = compile,
  .encode = encode,
  .decode = decode,
  .constrain = constrain,
  .automaton = automaton,
  .byte_order = byte_order,
};
