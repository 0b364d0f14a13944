/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-text.c: text{a} and text(width){a}: decimal or ISO text.
 *
 * Without a width, the text is as short as possible. With a width (only for whole numbers), it is
 * padded with zeros after the minus sign. Then non-negative numbers sort as their text does, and
 * negative numbers sort before them in descending order. The decoder accepts only the text that the
 * encoder writes: "007" is not a text{INT}. So each value has exactly one form.
 */
#include "config.h"

#include "core/base/conversion.h"
#include "core/base/uuid.h"
#include "core/layout/inner.h"
#include "core/layout/element-classes.h"

#include "core/layout/automata/nfa.h"
#include "core/sql/ast-definition.h"

#define DATE_SIZE 10
#define TIMESTAMP_SIZE 24
#define TIME_SIZE 12
#define UUID_PATTERN "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
/* Years 0001 to 9999. The decoder checks the number of days in a month. */
#define CLOCK_PATTERN "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\\.[0-9]{3}"
#define DATE_PATTERN                                                                               \
  "([1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])"                                           \
  "-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"

static gboolean
is_whole_number (KvsqlType type)
{
  return type == KVSQL_TYPE_INT || type == KVSQL_TYPE_BIGINT;
}

static gboolean
compile (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
         GError **error)
{
  if (!kvsql_element_expect (node, 0, 1, TRUE, error))
    return FALSE;
  if (!kvsql_element_bind_inner_attribute (self, compiler, node, error))
    return FALSE;
  if (node->n_arguments == 1)
    {
      if (!kvsql_element_integer_argument (node, 0, 1, 40, &self->width, error))
        return FALSE;
      if (!is_whole_number (self->type))
        {
          kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->arguments[0].span,
                           "text takes a width for INT and BIGINT only");
          return kvsql_error_hint (error, "Use fixed(n, pad){…} for other text.");
        }
      self->fixed_size = self->width;
    }
  else if (self->type == KVSQL_TYPE_DATE)
    self->fixed_size = DATE_SIZE;
  else if (self->type == KVSQL_TYPE_TIMESTAMP)
    self->fixed_size = TIMESTAMP_SIZE;
  else if (self->type == KVSQL_TYPE_TIME)
    self->fixed_size = TIME_SIZE;
  else if (self->type == KVSQL_TYPE_UUID)
    self->fixed_size = KVSQL_UUID_TEXT;
  else if (self->type == KVSQL_TYPE_BYTES)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->span, "BYTES have no text form")
           || kvsql_error_hint (error, "Use the bare attribute.");
  self->is_open = self->fixed_size < 0;
  self->least_byte = 1;
  return TRUE;
}

/* FALSE if the number does not fit in the width. */
static gboolean
append_number (gint64 number, guint width, KvsqlBuffer *out)
{
  gchar digits[48];
  guint64 magnitude = number < 0 ? 0 - (guint64)number : (guint64)number;
  gint n = g_snprintf (digits, sizeof digits, "%s%0*" G_GUINT64_FORMAT, number < 0 ? "-" : "",
                       width == 0 ? 1 : (gint)width - (number < 0), magnitude);

  if (width > 0 && n != (gint)width)
    return FALSE;
  kvsql_buffer_append (out, digits, n);
  return TRUE;
}

/* A time of day has all three digits after the point here, so that its size is fixed. */
static void
append_clock (gint64 ms, GString *out)
{
  gsize start = out->len;

  kvsql_clock_append_text (ms, out);
  if (out->len - start < TIME_SIZE)
    g_string_append (out, ".000" + (out->len - start > 8 ? out->len - start - 8 : 0));
}

static void
append_text (const KvsqlValue *value, GString *out)
{
  if (value->type == KVSQL_TYPE_TIME)
    append_clock (value->integer, out);
  else
    kvsql_value_append_text (value, out);
}

static gboolean
append_value (const KvsqlElement *self, const KvsqlValue *value, KvsqlBuffer *out)
{
  g_autoptr (GString) text = NULL;

  if (is_whole_number (self->type))
    return append_number (value->integer, self->width, out);
  if (self->type == KVSQL_TYPE_STRING)
    {
      kvsql_buffer_append_slice (out, value->bytes);
      return TRUE;
    }
  text = g_string_new (NULL);
  append_text (value, text);
  kvsql_buffer_append (out, text->str, text->len);
  return TRUE;
}

static gboolean
encode (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out, GError **error)
{
  const KvsqlValue *value = kvsql_encoder_get_value (encoder, self, error);

  if (value == NULL)
    return FALSE;
  if (!append_value (self, value, out))
    return kvsql_encode_error (encoder, self, error,
                               "is %" G_GINT64_FORMAT ", which does not fit text(%u)",
                               value->integer, self->width);
  return TRUE;
}

static gboolean
parse_number (const KvsqlElement *self, KvsqlSlice bytes, KvsqlValue *out)
{
  gsize at = bytes.size > 0 && bytes.data[0] == '-' ? 1 : 0;
  guint64 magnitude = 0, limit = self->type == KVSQL_TYPE_INT ? (guint64)G_MAXINT32 + at
                                                              : (guint64)G_MAXINT64 + at;
  gboolean has_needless_zero = bytes.size > at + 1 && bytes.data[at] == '0';

  if (bytes.size == at || (self->width == 0 && has_needless_zero)
      || (self->width > 0 && bytes.size != self->width))
    return FALSE;
  for (gsize i = at; i < bytes.size; i++)
    {
      guint digit = bytes.data[i] - '0';
      if (digit > 9 || magnitude > (limit - digit) / 10)
        return FALSE;
      magnitude = magnitude * 10 + digit;
    }
  if (at == 1 && magnitude == 0)
    return FALSE;
  *out = (KvsqlValue){ .type = self->type,
                       .integer = at == 1 ? (gint64)(0 - magnitude) : (gint64)magnitude };
  return TRUE;
}

static gboolean
parse (const KvsqlElement *self, KvsqlSlice bytes, KvsqlArena *arena, KvsqlValue *out)
{
  g_autoptr (GString) again = NULL;

  if (is_whole_number (self->type))
    return parse_number (self, bytes, out);
  if (self->type == KVSQL_TYPE_STRING)
    {
      *out = (KvsqlValue){ .type = KVSQL_TYPE_STRING, .bytes = bytes };
      return g_utf8_validate_len ((const gchar *)bytes.data, bytes.size, NULL);
    }
  if (!kvsql_value_parse (self->type, bytes, arena, out, NULL))
    return FALSE;
  again = g_string_new (NULL);
  append_text (out, again);
  return kvsql_slice_equal (kvsql_slice (again->str, again->len), bytes);
}

static gboolean
decode (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  KvsqlVector *column = &decoder->batch->columns[self->attribute];
  KvsqlValue value;

  if (!parse (self, bytes, decoder->arena, &value))
    return FALSE;
  if (!self->is_copy && column->type != KVSQL_TYPE_NULL)
    kvsql_vector_set (column, decoder->row, &value);
  return TRUE;
}

/* ---- ranges */

static KvsqlSlice
text_slice (const KvsqlElement *self, const KvsqlValue *value, KvsqlArena *arena)
{
  KvsqlBuffer buffer = { 0 };
  KvsqlSlice result = KVSQL_SLICE_EMPTY;

  if (append_value (self, value, &buffer))
    result = kvsql_slice_dup (arena, kvsql_buffer_slice (&buffer));
  kvsql_buffer_clear (&buffer);
  return result;
}

/* Numbers first .. last of the same sign, both inclusive, limited to those that fit in the
 * width. */
static void
add_numbers (const KvsqlElement *self, gint64 first, gint64 last, KvsqlArena *arena,
             KvsqlByteRanges *out)
{
  gboolean is_negative = last < 0;
  gint64 bound = 1;
  KvsqlValue a = { .type = self->type }, b = { .type = self->type };
  KvsqlSlice high;
  gboolean has_high;

  for (guint i = is_negative; i < self->width && bound <= G_MAXINT64 / 10; i++)
    bound *= 10;
  if (self->width - is_negative <= 18)
    {
      first = MAX (first, -(bound - 1));
      last = MIN (last, bound - 1);
    }
  if (first > last || (is_negative && self->width == 1))
    return;
  /* negative numbers sort by magnitude */
  a.integer = is_negative ? last : first;
  b.integer = is_negative ? first : last;
  if (first == last)
    {
      kvsql_byte_ranges_add_point (out, text_slice (self, &a, arena));
      return;
    }
  has_high = kvsql_slice_successor (arena, text_slice (self, &b, arena), &high);
  kvsql_byte_ranges_add_range (out, text_slice (self, &a, arena), has_high, high, TRUE);
}

static void
constrain_padded (const KvsqlElement *self, const KvsqlConstraint *constraint,
                  const KvsqlConstrainer *constrainer, KvsqlByteRanges *out)
{
  kvsql_byte_ranges_init (out, constrainer, constraint->n_intervals * 2);
  for (guint i = 0; i < constraint->n_intervals; i++)
    {
      const KvsqlInterval *interval = &constraint->intervals[i];
      gint64 low = interval->has_low ? interval->low.integer : G_MININT64;
      gint64 high = interval->has_high ? interval->high.integer : G_MAXINT64;
      if ((interval->has_low && interval->low_is_open && low == G_MAXINT64)
          || (interval->has_high && interval->high_is_open && high == G_MININT64))
        continue;
      low += interval->has_low && interval->low_is_open;
      high -= interval->has_high && interval->high_is_open;
      if (low <= high && low < 0)
        add_numbers (self, low, MIN (high, -1), constrainer->arena, out);
      if (low <= high && high >= 0)
        add_numbers (self, MAX (low, 0), high, constrainer->arena, out);
    }
}

/* ISO dates and times, and UUIDs, have a fixed length and sort as text, so the bounds become text.
 */
static void
constrain_as_text (const KvsqlElement *self, const KvsqlConstraint *constraint,
                   const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
                   KvsqlByteRanges *out)
{
  KvsqlConstraint text = *constraint;

  text.intervals = kvsql_arena_array (constrainer->arena, KvsqlInterval, constraint->n_intervals);
  for (guint i = 0; i < constraint->n_intervals; i++)
    {
      KvsqlInterval *interval = &text.intervals[i];
      *interval = constraint->intervals[i];
      if (interval->has_low)
        interval->low
            = (KvsqlValue){ .type = KVSQL_TYPE_STRING,
                            .bytes = text_slice (self, &interval->low, constrainer->arena) };
      if (interval->has_high)
        interval->high
            = (KvsqlValue){ .type = KVSQL_TYPE_STRING,
                            .bytes = text_slice (self, &interval->high, constrainer->arena) };
    }
  kvsql_byte_ranges_from_slices (&text, constrainer, delimiter, out);
}

static void
constrain (const KvsqlElement *self, const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
           KvsqlByteRanges *out)
{
  const KvsqlConstraint *constraint = &constrainer->constraints[self->attribute];

  if (!constraint->is_constrained)
    *out = (KvsqlByteRanges){ .is_open = TRUE };
  else if (self->type == KVSQL_TYPE_STRING)
    kvsql_byte_ranges_from_slices (constraint, constrainer, delimiter, out);
  else if (kvsql_type_is_time (self->type) || self->type == KVSQL_TYPE_UUID)
    constrain_as_text (self, constraint, constrainer,
                       (KvsqlDelimiter){ .kind = KVSQL_DELIMITER_FIXED, .size = self->fixed_size },
                       out);
  else if (self->width > 0)
    constrain_padded (self, constraint, constrainer, out);
  else if (kvsql_constraint_is_points (constraint) && self->type != KVSQL_TYPE_FLOAT
           && self->type != KVSQL_TYPE_DOUBLE)
    constrain_as_text (self, constraint, constrainer, delimiter, out);
  else
    *out = (KvsqlByteRanges){ .is_open = TRUE };
}

/* ---- automaton */

static const gchar *
pattern_of (const KvsqlElement *self)
{
  switch (self->type)
    {
    case KVSQL_TYPE_BOOLEAN:
      return "true|false";
    case KVSQL_TYPE_INT:
    case KVSQL_TYPE_BIGINT:
      return "0|-?[1-9][0-9]*";
    case KVSQL_TYPE_DECIMAL:
      return "-?[0-9]+(\\.[0-9]+)?";
    case KVSQL_TYPE_DATE:
      return DATE_PATTERN;
    case KVSQL_TYPE_UUID:
      return UUID_PATTERN;
    case KVSQL_TYPE_TIMESTAMP:
      return DATE_PATTERN "T" CLOCK_PATTERN "Z";
    case KVSQL_TYPE_TIME:
      return CLOCK_PATTERN "|24:00:00\\.000";
    default:
      return "NaN|-?Infinity|-?[0-9]+(\\.[0-9]+)?(e[-+][0-9]+)?";
    }
}

static KvsqlNfaFragment
automaton (const KvsqlElement *self, KvsqlNfa *nfa)
{
  KvsqlNfaFragment value;

  if (self->width > 0)
    value = kvsql_nfa_any_bytes (nfa, self->width);
  else if (self->is_restricted && self->type == KVSQL_TYPE_STRING)
    value = kvsql_nfa_any_without (nfa, self->separator);
  else if (self->type == KVSQL_TYPE_STRING
           || !kvsql_nfa_regexp (nfa, kvsql_slice_from_text (pattern_of (self)), &value, NULL))
    value = kvsql_nfa_any (nfa);
  return kvsql_element_mark (self, nfa, value);
}

/* Numbers sort by their digits, negative numbers in descending order. All other types sort as their
 * text does. */
static KvsqlByteOrder
byte_order (const KvsqlElement *self)
{
  switch (self->type)
    {
    case KVSQL_TYPE_STRING:
      return (KvsqlByteOrder){ .order = KVSQL_ORDER_ASCENDING, .is_last_only = TRUE };
    case KVSQL_TYPE_BOOLEAN: /* the first bytes of "false" and "true" differ */
    case KVSQL_TYPE_DATE:
    case KVSQL_TYPE_TIMESTAMP:
    case KVSQL_TYPE_TIME:
    case KVSQL_TYPE_UUID:
      return (KvsqlByteOrder){ .order = KVSQL_ORDER_ASCENDING };
    default:
      return KVSQL_BYTE_ORDER_NONE;
    }
}

const KvsqlElementClass kvsql_element_text = {
  .name = "text",
  .is_text = TRUE,
  .takes_attribute = TRUE,
  .compile = compile,
  .encode = encode,
  .decode = decode,
  .constrain = constrain,
  .automaton = automaton,
  .byte_order = byte_order,
};
