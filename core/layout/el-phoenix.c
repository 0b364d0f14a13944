/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-phoenix.c: phoenix{a}: an attribute in the form of Apache Phoenix's data types (phoenix.h).
 * A list is an array, which is el-phoenix-array.c's.
 * phoenix_decimal{a}: a whole number or a time as a DECIMAL. Phoenix's indexes have that instead of
 * types of a fixed size that may be NULL.
 *
 * The bytes sort as the values do for each type. STRING, BYTES and DECIMAL do not show where they
 * end: in the middle of a key, Phoenix writes 00 after them, which is suffix(x'00'){phoenix{a}}.
 */
#include "config.h"

#include "core/layout/encoding/phoenix.h"
#include "core/layout/el-phoenix.h"
#include "core/layout/derived.h"
#include "core/layout/inner.h"
#include "core/layout/element-classes.h"
#include "core/layout/automata/nfa.h"
#include "core/layout/encoding/scalar.h"
#include "core/sql/ast-definition.h"

static const KvsqlSortedForm *
form_of (const KvsqlElement *self)
{
  return self->own;
}

/* Of a number in decimal: room for its text. */
typedef gchar IntegerText[24];

static gboolean
is_decimal (const KvsqlElement *self)
{
  return self->type == KVSQL_TYPE_DECIMAL || self->klass == &kvsql_element_phoenix_decimal;
}

/* The canonical text of a value of is_decimal(). */
static KvsqlSlice
decimal_text (const KvsqlElement *self, const KvsqlValue *value, IntegerText text)
{
  if (self->type == KVSQL_TYPE_DECIMAL)
    return value->bytes;
  g_snprintf (text, sizeof (IntegerText), "%" G_GINT64_FORMAT, value->integer);
  return kvsql_slice_from_text (text);
}

static gboolean
compile (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
         GError **error)
{
  gboolean may_be_array = self->klass == &kvsql_element_phoenix;
  KvsqlSortedForm *form = kvsql_arena_new0 (compiler->arena, KvsqlSortedForm);

  if (!kvsql_element_expect (node, 0, may_be_array ? 2 : 0, TRUE, error)
      || !kvsql_element_bind_inner_attribute (self, compiler, node, error))
    return FALSE;
  if (kvsql_type_is_list (self->type))
    return kvsql_phoenix_array_compile (self, compiler, node, error);
  if (node->n_arguments > 0)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->span,
                            "phoenix takes arguments for a list only")
           || kvsql_error_hint (error, "They say what its elements are in Phoenix.");
  if (self->type == KVSQL_TYPE_UUID)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->inner.span,
                            "Phoenix has no type for a UUID")
           || kvsql_error_hint (error,
                                "A BINARY(16) is the bare attribute, a CHAR(36) is text{…}.");
  if (self->klass == &kvsql_element_phoenix_decimal)
    {
      if (kvsql_type_get_class (self->type) != KVSQL_CLASS_INTEGER)
        return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->inner.span,
                                "phoenix_decimal holds whole numbers and times, not %s",
                                kvsql_type_get_name (self->type));
    }
  else if (kvsql_phoenix_get_form (self->type, form))
    {
      self->own = form;
      self->fixed_size = form->size;
    }
  self->is_open = self->fixed_size < 0;
  self->least_byte = self->type == KVSQL_TYPE_STRING || is_decimal (self);
  return TRUE;
}

static gboolean
reject_empty (const KvsqlElement *self, const KvsqlEncoder *encoder, GError **error)
{
  kvsql_encode_error (encoder, self, error, "is empty, which has no form");
  return kvsql_error_hint (error,
                           "Phoenix takes '' as NULL and writes another row key for it, so there "
                           "would be two rows of one primary key. Give it a value.");
}

static gboolean
encode (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out, GError **error)
{
  const KvsqlValue *value = kvsql_encoder_get_value (encoder, self, error);
  IntegerText text;

  if (value == NULL)
    return FALSE;
  if (self->own != NULL)
    form_of (self)->append (form_of (self), value, out);
  else if (!is_decimal (self))
    {
      if (self->is_never_empty && value->bytes.size == 0)
        return reject_empty (self, encoder, error);
      kvsql_buffer_append_slice (out, value->bytes);
    }
  else if (kvsql_phoenix_decimal_fits (decimal_text (self, value, text)))
    kvsql_phoenix_decimal_append (decimal_text (self, value, text), out);
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
read_decimal (const KvsqlElement *self, KvsqlSlice bytes, KvsqlArena *arena, KvsqlValue *out)
{
  KvsqlSlice text;

  if (!kvsql_phoenix_decimal_read (bytes, arena, &text))
    return FALSE;
  if (self->type == KVSQL_TYPE_DECIMAL)
    {
      out->bytes = text;
      return TRUE;
    }
  return g_ascii_string_to_signed (kvsql_arena_strndup (arena, (const gchar *)text.data, text.size),
                                   10, G_MININT64, G_MAXINT64, &out->integer, NULL)
         && kvsql_integer_fits (self->type, out->integer);
}

static gboolean
decode (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  KvsqlValue value = { .type = self->type };

  if (self->is_never_empty && bytes.size == 0)
    return FALSE;
  if (self->own != NULL   ? !kvsql_phoenix_read (self->type, bytes, decoder->arena, &value)
      : is_decimal (self) ? !read_decimal (self, bytes, decoder->arena, &value)
                          : !kvsql_scalar_decode (self->type, bytes, TRUE, decoder->arena, &value))
    return FALSE;
  return kvsql_decoder_set (decoder, self, &value);
}

static KvsqlSlice
decimal_bytes (const KvsqlElement *self, const KvsqlValue *value, KvsqlArena *arena)
{
  KvsqlBuffer buffer = { 0 };
  IntegerText text;

  kvsql_phoenix_decimal_append (decimal_text (self, value, text), &buffer);
  return kvsql_buffer_move (&buffer, arena);
}

/* The bytes sort as the numbers do, so an interval of numbers becomes an interval of byte
 * strings. */
static void
constrain_decimal (const KvsqlElement *self, const KvsqlConstraint *constraint,
                   const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
                   KvsqlByteRanges *out)
{
  KvsqlArena *arena = constrainer->arena;
  KvsqlConstraint bytes = *constraint;
  KvsqlInterval *intervals = kvsql_arena_array (arena, KvsqlInterval, constraint->n_intervals + 1);

  bytes.n_intervals = 0;
  for (guint i = 0; i < constraint->n_intervals; i++)
    {
      KvsqlInterval interval = constraint->intervals[i];
      IntegerText text;

      if (kvsql_interval_is_point (&interval)
          && !kvsql_phoenix_decimal_fits (decimal_text (self, &interval.low, text)))
        continue; /* such a value cannot be stored */
      if (interval.has_low)
        interval.low = (KvsqlValue){ .type = KVSQL_TYPE_BYTES,
                                     .bytes = decimal_bytes (self, &interval.low, arena) };
      if (interval.has_high)
        interval.high = (KvsqlValue){ .type = KVSQL_TYPE_BYTES,
                                      .bytes = decimal_bytes (self, &interval.high, arena) };
      intervals[bytes.n_intervals++] = interval;
    }
  bytes.intervals = intervals;
  kvsql_byte_ranges_from_slices (&bytes, constrainer, delimiter, out);
}

static void
constrain (const KvsqlElement *self, const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
           KvsqlByteRanges *out)
{
  const KvsqlConstraint *constraint = &constrainer->constraints[self->attribute];

  if (self->own != NULL)
    kvsql_sorted_constrain (form_of (self), constraint, constrainer, out);
  else if (is_decimal (self) && constraint->is_constrained)
    constrain_decimal (self, constraint, constrainer, delimiter, out);
  else
    kvsql_byte_ranges_from_slices (constraint, constrainer, delimiter, out);
}

/* ---- automaton */

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
  KvsqlNfaFragment value;

  if (is_decimal (self))
    value = decimal_automaton (nfa);
  else if (self->is_never_empty && !self->is_restricted)
    value = kvsql_nfa_sequence (nfa, kvsql_nfa_any_bytes (nfa, 1), kvsql_nfa_any (nfa));
  else
    value = kvsql_element_any_value (self, nfa);
  return kvsql_element_mark (self, nfa, value);
}

/* A form that does not show where it ends sorts as the values do only if nothing follows, or if the
 * next byte is less than each byte of a longer value. */
static KvsqlByteOrder
byte_order (const KvsqlElement *self)
{
  return (KvsqlByteOrder){ .order = KVSQL_ORDER_ASCENDING,
                           .is_last_only = self->fixed_size < 0,
                           .is_loose = kvsql_type_get_class (self->type) == KVSQL_CLASS_REAL };
}

/* ---- row keys */

/* The element that holds a text of Phoenix, within its outer elements; NULL: none. */
static KvsqlElement *
find_text (KvsqlElement *element)
{
  while (element->inner != NULL && element->inner->n_elements == 1)
    element = element->inner->elements[0];
  return element->klass == &kvsql_element_phoenix && element->own == NULL
                 && element->type != KVSQL_TYPE_DECIMAL
             ? element
             : NULL;
}

void
kvsql_phoenix_forbid_empty (const KvsqlSequence *row)
{
  for (guint i = 0; i < row->n_elements; i++)
    {
      KvsqlElement *text = row->elements[i]->is_derived ? NULL : find_text (row->elements[i]);
      gboolean is_descending = row->elements[i]->klass == &kvsql_element_desc;
      gboolean is_last = i + 1 == row->n_elements;

      /* after a value of a fixed size, and after one in descending order, Phoenix writes all
       * bytes */
      if (text != NULL
          && (is_descending
              || (is_last && i > 0 && row->elements[i - 1]->klass == &kvsql_element_suffix)))
        text->is_never_empty = TRUE;
    }
}

const KvsqlElementClass kvsql_element_phoenix = {
  .name = "phoenix",
  .takes_attribute = TRUE,
  .takes_list = TRUE,
  .compile = compile,
  .encode = encode,
  .decode = decode,
  .constrain = constrain,
  .automaton = automaton,
  .byte_order = byte_order,
};

const KvsqlElementClass kvsql_element_phoenix_decimal = {
  .name = "phoenix_decimal",
  .takes_attribute = TRUE,
  .compile = compile,
  .encode = encode,
  .decode = decode,
  .constrain = constrain,
  .automaton = automaton,
  .byte_order = byte_order,
};
