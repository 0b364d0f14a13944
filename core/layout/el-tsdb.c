/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-tsdb.c: tsdb_offset{at} and tsdb_value{v}: qualifier and value of OpenTSDB's points.
 *
 * The qualifier has the time within the hour of the row key, and four flags (big-endian):
 *
 *   2 bytes: 12 bits seconds | 4 bits flags                  the first byte is less than f0
 *   4 bytes: 1111 | 22 bits milliseconds | 00 | 4 bits flags
 *
 * Flags: 8 is a float, 7 its size or that of a whole number, less 1. In a compacted cell, the
 * qualifiers of several points follow one another, and so do their values, and then a byte: 0, or 1
 * if qualifiers of both sizes are mixed.
 *
 * Only read: a point may have two forms, and its qualifier depends on its value.
 */
#include "config.h"

#include "core/layout/el-tsdb.h"

#include "core/layout/derived.h"
#include "core/layout/element-classes.h"
#include "core/layout/inner.h"
#include "core/layout/automata/nfa.h"
#include "core/schema/relation.h"
#include "core/sql/ast-definition.h"
#include "core/sql/field.h"

#include <math.h>
#include <string.h>

#define HOUR 3600000
#define SECOND 1000
#define IS_FLOAT 0x8
#define SIZE_BITS 0x7
#define ALL_FLAGS 0xf
#define MILLISECONDS 0xf0 /* in the first byte */

/* ---- the offset in the hour */

static gboolean
compile_offset (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
                GError **error)
{
  self->step = HOUR;
  if (!kvsql_element_expect (node, 0, 0, TRUE, error)
      || !kvsql_element_compile_part (self, compiler, node, KVSQL_TYPE_NULL, error))
    return FALSE;
  if (self->type != KVSQL_TYPE_TIMESTAMP || node->inner.nodes[0].kind != KVSQL_LAYOUT_ATTRIBUTE)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->inner.span,
                            "tsdb_offset applies to one attribute of type TIMESTAMP");
  self->is_prefix_free = TRUE;
  return TRUE;
}

static guint
get_flags (const KvsqlValue *value)
{
  if (value->type == KVSQL_TYPE_DOUBLE)
    return IS_FLOAT | (sizeof (gdouble) - 1);
  for (guint size = 1; size < sizeof (gint64); size *= 2)
    if (value->integer >> (8 * size - 1) == 0 || value->integer >> (8 * size - 1) == -1)
      return size - 1;
  return sizeof (gint64) - 1;
}

/* The proof looks for examples, which are encoded. */
static gboolean
encode_offset (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out,
               GError **error)
{
  const KvsqlValue *at = kvsql_encoder_get_value (encoder, self, error);
  const KvsqlElement *partner = self->own;
  const KvsqlValue *value = at == NULL ? NULL : kvsql_encoder_get_value (encoder, partner, error);
  guint32 offset;
  guint8 bytes[4];

  if (value == NULL)
    return FALSE;
  offset = (guint32)(at->integer % HOUR + (at->integer % HOUR < 0 ? HOUR : 0));
  if (offset % SECOND == 0)
    {
      offset = offset / SECOND << 4 | get_flags (value);
      bytes[0] = offset >> 8;
      bytes[1] = offset & 0xff;
      kvsql_buffer_append (out, bytes, 2);
      return TRUE;
    }
  kvsql_put_be32 (bytes, (guint32)MILLISECONDS << 24 | offset << 6 | get_flags (value));
  kvsql_buffer_append (out, bytes, 4);
  return TRUE;
}

static gboolean
decode_offset (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  guint32 offset;

  if (bytes.size == 2)
    offset = (bytes.data[0] << 4 | bytes.data[1] >> 4) * SECOND;
  else if (bytes.size == 4 && bytes.data[0] >= MILLISECONDS && (bytes.data[3] & 0x30) == 0)
    offset = (bytes.data[0] & 0x0fu) << 18 | bytes.data[1] << 10 | bytes.data[2] << 2
             | bytes.data[3] >> 6;
  else
    return FALSE;
  if (offset >= HOUR)
    return FALSE;
  if (self->slot >= 0 && decoder->slots != NULL)
    decoder->slots[self->slot] = (KvsqlSlot){ .bytes = bytes, .number = offset };
  return TRUE;
}

static gssize
next_length (const KvsqlElement *self, KvsqlSlice rest, gssize previous)
{
  gsize length = rest.size > 0 && rest.data[0] >= MILLISECONDS ? 4 : 2;

  return previous >= 0 || length > rest.size ? -1 : (gssize)length;
}

static KvsqlNfaFragment
offset_automaton (const KvsqlElement *self, KvsqlNfa *nfa)
{
  KvsqlByteSet seconds = kvsql_byte_set_range (0, MILLISECONDS - 1);
  KvsqlByteSet milliseconds = kvsql_byte_set_range (MILLISECONDS, 0xff);
  KvsqlNfaFragment two
      = kvsql_nfa_sequence (nfa, kvsql_nfa_byte_set (nfa, &seconds), kvsql_nfa_any_bytes (nfa, 1));
  KvsqlNfaFragment four = kvsql_nfa_sequence (nfa, kvsql_nfa_byte_set (nfa, &milliseconds),
                                              kvsql_nfa_any_bytes (nfa, 3));

  return kvsql_element_mark (self, nfa, kvsql_nfa_alternative (nfa, two, four));
}

/* With the bucket of the row key. That one chooses it. */
static guint
choose (KvsqlElement *const *all, guint n, guint first, KvsqlElement **out_chosen, guint *out_n)
{
  return 0;
}

static void
constrain_nothing (const KvsqlElement *self, const KvsqlConstrainer *constrainer,
                   KvsqlDelimiter delimiter, KvsqlByteRanges *out)
{
  *out = (KvsqlByteRanges){ .is_open = TRUE };
}

const KvsqlElementClass kvsql_element_tsdb_offset = {
  .name = "tsdb_offset",
  .compile = compile_offset,
  .encode = encode_offset,
  .decode = decode_offset,
  .next_length = next_length,
  .constrain = constrain_nothing,
  .automaton = offset_automaton,
  .choose = choose,
};

/* ---- the value */

static gboolean
compile_value (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
               GError **error)
{
  if (!kvsql_element_expect (node, 0, 0, TRUE, error)
      || !kvsql_element_bind_inner_attribute (self, compiler, node, error))
    return FALSE;
  if (self->type == KVSQL_TYPE_BIGINT || self->type == KVSQL_TYPE_DOUBLE)
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->inner.span,
                          "tsdb_value holds a DOUBLE or a BIGINT, not %s",
                          kvsql_type_get_name (self->type))
         || kvsql_error_hint (error, "DOUBLE reads all points, BIGINT those of whole numbers.");
}

static gboolean
encode_value (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out,
              GError **error)
{
  const KvsqlValue *value = kvsql_encoder_get_value (encoder, self, error);
  guint8 bytes[8];
  guint64 bits;
  gsize size;

  if (value == NULL)
    return FALSE;
  size = (get_flags (value) & SIZE_BITS) + 1;
  bits = (guint64)value->integer;
  if (value->type == KVSQL_TYPE_DOUBLE)
    memcpy (&bits, &value->real, sizeof bits);
  kvsql_put_be64 (bytes, bits);
  kvsql_buffer_append (out, bytes + sizeof bytes - size, size);
  return TRUE;
}

static gdouble
read_float (guint64 bits, gsize size)
{
  guint32 short_bits = (guint32)bits;
  gfloat single;
  gdouble whole;

  memcpy (&single, &short_bits, sizeof single);
  memcpy (&whole, &bits, sizeof whole);
  return size == 4 ? single : whole;
}

static guint
flags_of (const KvsqlElement *self, const KvsqlSlot *slots)
{
  const KvsqlElement *partner = self->own;
  KvsqlSlice bytes = slots[partner->slot].bytes;

  return bytes.data[bytes.size - 1] & ALL_FLAGS;
}

/* The flags must agree with the type and the size. */
static gboolean
decode_value (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  KvsqlValue value = { .type = self->type };
  guint64 bits = 0;
  guint flags;
  gint64 number;

  if (decoder->slots == NULL)
    return FALSE;
  flags = flags_of (self, decoder->slots);
  if (bytes.size != (flags & SIZE_BITS) + 1 || (bytes.size & (bytes.size - 1)) != 0)
    return FALSE;
  for (gsize i = 0; i < bytes.size; i++)
    bits = bits << 8 | bytes.data[i];
  if ((flags & IS_FLOAT) != 0 && (bytes.size < 4 || self->type != KVSQL_TYPE_DOUBLE))
    return FALSE;
  /* in two's complement */
  number = (gint64)(bits << (64 - 8 * bytes.size)) >> (64 - 8 * bytes.size);
  if (self->type == KVSQL_TYPE_BIGINT)
    value.integer = number;
  else
    value.real = (flags & IS_FLOAT) != 0 ? read_float (bits, bytes.size) : (gdouble)number;
  if (self->type == KVSQL_TYPE_DOUBLE && isnan (value.real))
    value.real = NAN;
  return kvsql_decoder_set (decoder, self, &value);
}

static KvsqlNfaFragment
value_automaton (const KvsqlElement *self, KvsqlNfa *nfa)
{
  KvsqlNfaFragment any = kvsql_nfa_any_bytes (nfa, 1);

  for (guint size = 2; size <= 8; size *= 2)
    any = kvsql_nfa_alternative (nfa, any, kvsql_nfa_any_bytes (nfa, size));
  return kvsql_element_mark (self, nfa, any);
}

const KvsqlElementClass kvsql_element_tsdb_value = {
  .name = "tsdb_value",
  .takes_attribute = TRUE,
  .compile = compile_value,
  .encode = encode_value,
  .decode = decode_value,
  .constrain = constrain_nothing,
  .automaton = value_automaton,
};

/* ---- the two together */

static KvsqlElement *
find (const KvsqlSequence *sequence, const KvsqlElementClass *klass)
{
  for (guint i = 0; i < sequence->n_elements; i++)
    {
      KvsqlElement *element = sequence->elements[i];

      if (element->klass != klass && element->inner != NULL)
        element = find (element->inner, klass);
      if (element != NULL && element->klass == klass)
        return element;
    }
  return NULL;
}

static gboolean
fail_alone (const KvsqlElement *element, GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, element->span,
                          "tsdb_offset and tsdb_value are the only elements of QUALIFIER and VALUE")
         || kvsql_error_hint (error, "Write QUALIFIER each{tsdb_offset{at}}, VALUE "
                                     "each{tsdb_value{v}}.");
}

gboolean
kvsql_tsdb_resolve (KvsqlSequence *const *fields, GError **error)
{
  const KvsqlSequence *qualifier = fields[KVSQL_FIELD_QUALIFIER],
                      *value = fields[KVSQL_FIELD_VALUE];

  for (guint field = 0; field < KVSQL_N_FIELDS; field++)
    {
      KvsqlElement *offset_here = find (fields[field], &kvsql_element_tsdb_offset);
      KvsqlElement *value_here = find (fields[field], &kvsql_element_tsdb_value);
      const KvsqlElement *here = offset_here != NULL ? offset_here : value_here;

      if (here != NULL
          && (qualifier->n_elements != 1 || value->n_elements != 1
              || qualifier->elements[0]->klass != &kvsql_element_tsdb_offset
              || value->elements[0]->klass != &kvsql_element_tsdb_value
              || field < KVSQL_FIELD_QUALIFIER))
        return fail_alone (here, error);
    }
  if (kvsql_tsdb_is_value (value))
    {
      value->elements[0]->own = qualifier->elements[0];
      qualifier->elements[0]->own = value->elements[0];
    }
  return TRUE;
}

gboolean
kvsql_tsdb_is_value (const KvsqlSequence *sequence)
{
  return sequence->n_elements == 1 && sequence->elements[0]->klass == &kvsql_element_tsdb_value;
}

gsize
kvsql_tsdb_get_width (const KvsqlSequence *value, const KvsqlSlot *slots)
{
  return (flags_of (value->elements[0], slots) & SIZE_BITS) + 1;
}
