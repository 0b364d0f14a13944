/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-unsigned.c: unsigned(n){a} and flipped{a}: numbers whose big-endian bytes sort as the numbers
 * do.
 *
 * unsigned(n) is for numbers >= 0, in n bytes. unsigned(n, bits, tail) uses the lowest bits for a
 * constant: OpenTSDB's qualifiers have their format there. flipped inverts the sign bit; for
 * negative reals it inverts all bits. Kudu, TiDB, Accumulo's lexicoders and others use this form.
 * Both hold whole numbers and times; flipped without n also holds reals.
 */
#include "config.h"

#include "core/layout/derived.h"
#include "core/layout/inner.h"
#include "core/layout/element-classes.h"
#include "core/layout/automata/nfa.h"
#include "core/layout/encoding/scalar.h"
#include "core/layout/encoding/sorted.h"
#include "core/sql/ast-definition.h"

static const KvsqlSortedForm *
form_of (const KvsqlElement *self)
{
  return self->own;
}

static gboolean
is_real (const KvsqlElement *self)
{
  return kvsql_type_get_class (self->type) == KVSQL_CLASS_REAL;
}

/* ---- compiling */

/* 2^n - 1 */
static guint64
ones (guint n)
{
  return n >= 64 ? G_MAXUINT64 : (G_GUINT64_CONSTANT (1) << n) - 1;
}

static void
append_whole (const KvsqlSortedForm *self, const KvsqlValue *value, KvsqlBuffer *out)
{
  guint64 number = (guint64)value->integer - (guint64)self->min;
  guint8 bytes[8];

  kvsql_put_be64 (bytes,
                  self->n_tail_bits == 0 ? number : number << self->n_tail_bits | self->tail);
  kvsql_buffer_append (out, bytes + sizeof bytes - self->size, self->size);
}

static void
append_real (const KvsqlSortedForm *self, const KvsqlValue *value, KvsqlBuffer *out)
{
  kvsql_sorted_append_real (self->type, value, out);
}

static gboolean
check_type (const KvsqlElement *self, const KvsqlLayoutNode *node, GError **error)
{
  gboolean is_flipped = self->klass == &kvsql_element_flipped;

  if (kvsql_type_get_class (self->type) == KVSQL_CLASS_INTEGER
      || (is_real (self) && is_flipped && node->n_arguments == 0))
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->inner.span,
                   "%s holds whole numbers%s and times, not %s", node->name.text,
                   is_flipped && node->n_arguments == 0 ? ", reals" : "",
                   kvsql_type_get_name (self->type));
  if (is_real (self))
    return kvsql_error_hint (error, "Write flipped{…}, which has the size of its type.");
  return kvsql_error_hint (error, "ordered{…} keeps the order of every type.");
}

static gboolean
compile_flipped (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
                 GError **error)
{
  KvsqlSortedForm *form = kvsql_arena_new0 (compiler->arena, KvsqlSortedForm);

  if (!kvsql_element_expect (node, 0, 1, TRUE, error)
      || (node->n_arguments == 1
          && !kvsql_element_integer_argument (node, 0, 1, 8, &self->width, error))
      || !kvsql_element_bind_inner_attribute (self, compiler, node, error)
      || !check_type (self, node, error))
    return FALSE;
  if (node->n_arguments == 0)
    self->width = kvsql_scalar_get_size (self->type);
  self->fixed_size = self->width;
  *form = (KvsqlSortedForm){ .type = self->type,
                             .size = self->width,
                             .min = -(gint64)(ones (8 * self->width - 1)) - 1,
                             .max = (gint64)ones (8 * self->width - 1),
                             .append = is_real (self) ? append_real : append_whole };
  self->own = form;
  return TRUE;
}

static gboolean
compile_unsigned (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
                  GError **error)
{
  KvsqlSortedForm *form = kvsql_arena_new0 (compiler->arena, KvsqlSortedForm);
  guint n_bits = 0, n_arguments = node->n_arguments;
  gint64 tail = 0;

  if (!kvsql_element_expect (node, 1, 3, TRUE, error)
      || !kvsql_element_integer_argument (node, 0, 1, 8, &self->width, error))
    return FALSE;
  if (n_arguments == 2)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->span,
                            "unsigned takes 1 or 3 arguments")
           || kvsql_error_hint (error, "unsigned(2, 4, 7) has 7 in its lowest 4 bits.");
  if (n_arguments == 3
      && (!kvsql_element_integer_argument (node, 1, 1, 8 * self->width - 1, &n_bits, error)
          || !kvsql_element_wide_argument (node, 2, 0, (gint64)ones (n_bits), &tail, error)))
    return FALSE;
  if (!kvsql_element_bind_inner_attribute (self, compiler, node, error)
      || !check_type (self, node, error))
    return FALSE;
  self->fixed_size = self->width;
  *form = (KvsqlSortedForm){ .type = self->type,
                             .size = self->width,
                             .max = (gint64)MIN (ones (8 * self->width - n_bits), G_MAXINT64),
                             .append = append_whole,
                             .n_tail_bits = n_bits,
                             .tail = (guint64)tail };
  self->own = form;
  return TRUE;
}

/* ---- encoding and decoding */

static gboolean
encode (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out, GError **error)
{
  const KvsqlSortedForm *form = form_of (self);
  const KvsqlValue *value = kvsql_encoder_get_value (encoder, self, error);

  if (value == NULL)
    return FALSE;
  if (!is_real (self) && (value->integer < form->min || value->integer > form->max))
    {
      kvsql_encode_error (encoder, self, error,
                          "would be written as %" G_GINT64_FORMAT ", which does not fit %s(%u)",
                          value->integer, self->klass->name, self->width);
      return kvsql_error_hint (error,
                               "It holds %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
                               "; use more bytes%s in a new schema.",
                               form->min, form->max,
                               value->integer < form->min && form->min == 0 ? " or flipped{…}"
                                                                            : "");
    }
  form->append (form, value, out);
  return TRUE;
}

static gboolean
decode_whole (const KvsqlElement *self, KvsqlSlice bytes, KvsqlValue *out)
{
  const KvsqlSortedForm *form = form_of (self);
  guint64 number = 0;

  for (gsize i = 0; i < bytes.size; i++)
    number = number << 8 | bytes.data[i];
  if ((number & ones (form->n_tail_bits)) != form->tail)
    return FALSE;
  number >>= form->n_tail_bits;
  if (number > (guint64)form->max - (guint64)form->min)
    return FALSE;
  *out = (KvsqlValue){ .type = self->type, .integer = (gint64)(number + (guint64)form->min) };
  return kvsql_integer_fits (self->type, out->integer);
}

static gboolean
decode (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  KvsqlValue value;

  if (bytes.size != (gsize)self->fixed_size)
    return FALSE;
  if (is_real (self) ? !kvsql_sorted_read_real (self->type, bytes.data, decoder->arena, &value)
                     : !decode_whole (self, bytes, &value))
    return FALSE;
  return kvsql_decoder_set (decoder, self, &value);
}

static void
constrain (const KvsqlElement *self, const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
           KvsqlByteRanges *out)
{
  kvsql_sorted_constrain (form_of (self), &constrainer->constraints[self->attribute], constrainer,
                          out);
}

static KvsqlNfaFragment
automaton (const KvsqlElement *self, KvsqlNfa *nfa)
{
  return kvsql_element_mark (self, nfa, kvsql_nfa_any_bytes (nfa, self->fixed_size));
}

static KvsqlByteOrder
byte_order (const KvsqlElement *self)
{
  return (KvsqlByteOrder){ .order = KVSQL_ORDER_ASCENDING, .is_loose = is_real (self) };
}

const KvsqlElementClass kvsql_element_unsigned = {
  .name = "unsigned",
  .takes_attribute = TRUE,
  .compile = compile_unsigned,
  .encode = encode,
  .decode = decode,
  .constrain = constrain,
  .automaton = automaton,
  .byte_order = byte_order,
};

const KvsqlElementClass kvsql_element_flipped = {
  .name = "flipped",
  .takes_attribute = TRUE,
  .compile = compile_flipped,
  .encode = encode,
  .decode = decode,
  .constrain = constrain,
  .automaton = automaton,
  .byte_order = byte_order,
};
