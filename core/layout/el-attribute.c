/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-attribute.c: a bare attribute, in HBase's Bytes encoding (scalar.h).
 */
#include "config.h"

#include "core/layout/encoding/scalar.h"

#include "core/layout/element-classes.h"
#include "core/layout/automata/nfa.h"
#include "core/sql/ast-definition.h"

#include <math.h>

static gboolean
compile (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
         GError **error)
{
  if (!kvsql_element_bind_attribute (self, compiler, &node->name, error))
    return FALSE;
  self->fixed_size = kvsql_scalar_get_size (self->type);
  self->is_open = self->fixed_size < 0;
  self->least_byte = self->type == KVSQL_TYPE_STRING; /* STRING contains no NUL */
  return TRUE;
}

static gboolean
encode (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out, GError **error)
{
  const KvsqlValue *value = kvsql_encoder_get_value (encoder, self, error);

  if (value == NULL)
    return FALSE;
  kvsql_scalar_encode (self->type, value, out);
  return TRUE;
}

static gboolean
decode (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  KvsqlVector *column = &decoder->batch->columns[self->attribute];
  KvsqlValue unused;

  if (self->is_copy || column->type == KVSQL_TYPE_NULL)
    return kvsql_scalar_decode (self->type, bytes, self->is_cell_key, decoder->arena, &unused);
  return kvsql_scalar_decode_into (self->type, bytes, self->is_cell_key, decoder->arena, column,
                                   decoder->row);
}

/* Outside of cell keys any NaN is read as NaN. NaNs with a sign bit are among the bytes of negative
 * numbers. */
static void
add_every_nan (const KvsqlElement *self, const KvsqlConstrainer *constrainer, KvsqlByteRanges *out)
{
  gboolean is_float = self->type == KVSQL_TYPE_FLOAT;
  KvsqlSlice first = is_float ? KVSQL_SLICE_LITERAL ("\x7f\x80") : KVSQL_SLICE_LITERAL ("\x7f\xf0");
  KvsqlSlice signed_first
      = is_float ? KVSQL_SLICE_LITERAL ("\xff\x80") : KVSQL_SLICE_LITERAL ("\xff\xf0");
  KvsqlByteRanges all;

  kvsql_byte_ranges_init (&all, constrainer, out->n_ranges + 2);
  for (guint i = 0; i < out->n_ranges; i++)
    all.ranges[all.n_ranges++] = out->ranges[i];
  kvsql_byte_ranges_add_range (&all, first, TRUE, KVSQL_SLICE_LITERAL ("\x80"), FALSE);
  kvsql_byte_ranges_add_range (&all, signed_first, FALSE, KVSQL_SLICE_EMPTY, FALSE);
  *out = all;
}

/* Outside of cell keys a value may have been written in other forms than ours (scalar.h). */
static void
allow_other_forms (const KvsqlElement *self, const KvsqlConstraint *constraint,
                   const KvsqlConstrainer *constrainer, KvsqlByteRanges *out)
{
  KvsqlValue value = { .type = self->type };

  switch (kvsql_type_get_class (self->type))
    {
    case KVSQL_CLASS_INTEGER:
      return;
    case KVSQL_CLASS_REAL:
      value.real = NAN;
      if (kvsql_constraint_admits (constraint, &value))
        add_every_nan (self, constrainer, out);
      return;
    case KVSQL_CLASS_BOOLEAN:
      value.boolean = TRUE;
      if (kvsql_constraint_admits (constraint, &value))
        out->ranges[out->n_ranges - 1]
            = (KvsqlByteRange){ .low = KVSQL_SLICE_LITERAL ("\x01"), .is_exact = TRUE };
      return;
    default:
      if (self->type != KVSQL_TYPE_STRING && self->type != KVSQL_TYPE_BYTES
          && self->type != KVSQL_TYPE_UUID)
        *out = (KvsqlByteRanges){ .is_open = TRUE };
    }
}

static void
constrain (const KvsqlElement *self, const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
           KvsqlByteRanges *out)
{
  kvsql_scalar_constrain (self->type, &constrainer->constraints[self->attribute], constrainer,
                          delimiter, out);
  if (!self->is_cell_key && !out->is_open)
    allow_other_forms (self, &constrainer->constraints[self->attribute], constrainer, out);
}

static KvsqlNfaFragment
automaton (const KvsqlElement *self, KvsqlNfa *nfa)
{
  return kvsql_element_mark (self, nfa, kvsql_element_any_value (self, nfa));
}

/* Numbers and times are signed, so they sort only among values of the same sign. DECIMAL has no
 * order. */
static KvsqlByteOrder
byte_order (const KvsqlElement *self)
{
  switch (self->type)
    {
    case KVSQL_TYPE_STRING:
    case KVSQL_TYPE_BYTES:
      return (KvsqlByteOrder){ .order = KVSQL_ORDER_ASCENDING, .is_last_only = TRUE };
    case KVSQL_TYPE_BOOLEAN:
      /* outside of cell keys each byte except 00 is read as TRUE */
      return (KvsqlByteOrder){ .order = KVSQL_ORDER_ASCENDING, .is_loose = !self->is_cell_key };
    case KVSQL_TYPE_TIME: /* never negative */
      return (KvsqlByteOrder){ .order = KVSQL_ORDER_ASCENDING };
    case KVSQL_TYPE_INT:
    case KVSQL_TYPE_BIGINT:
    case KVSQL_TYPE_DATE:
    case KVSQL_TYPE_TIMESTAMP:
      return (KvsqlByteOrder){ .order_by_sign = KVSQL_ORDER_ASCENDING };
    case KVSQL_TYPE_UUID:
      return (KvsqlByteOrder){ .order = KVSQL_ORDER_ASCENDING };
    default:
      return KVSQL_BYTE_ORDER_NONE;
    }
}

const KvsqlElementClass kvsql_element_attribute = {
  .compile = compile,
  .encode = encode,
  .decode = decode,
  .constrain = constrain,
  .automaton = automaton,
  .byte_order = byte_order,
};
