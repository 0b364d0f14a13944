/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-hive.c: hive{a} and hive(scale){a}: the text of Apache Hive, where it is not that of text{a}.
 *
 * A value is written in one form. Those of other releases are read, too, except in cell keys, where
 * each value must have exactly one form.
 */
#include "config.h"

#include "core/layout/element-classes.h"
#include "core/layout/inner.h"

#include "core/layout/automata/nfa.h"
#include "core/layout/encoding/hive-text.h"
#include "core/sql/ast-definition.h"

#define REAL_PATTERN "[-+.0-9EeNaInfity]+"
#define DECIMAL_PATTERN "-?[0-9]+(\\.[0-9]+)?"
#define TIME_PATTERN "[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?"

static gboolean
check_scale (KvsqlElement *self, const KvsqlLayoutNode *node, GError **error)
{
  if (node->n_arguments == 1 && self->type == KVSQL_TYPE_DECIMAL)
    return kvsql_element_integer_argument (node, 0, 0, KVSQL_HIVE_MAX_SCALE, &self->width, error);
  if (node->n_arguments == 1)
    kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->arguments[0].span,
                     "hive takes the digits after the point of a DECIMAL only");
  else if (self->type == KVSQL_TYPE_DECIMAL)
    kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->span,
                     "hive needs the digits after the point of a DECIMAL");
  else
    return TRUE;
  return kvsql_error_hint (error, "Write hive(2){…} for decimal(p,2) of Hive.");
}

static gboolean
compile (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
         GError **error)
{
  if (!kvsql_element_expect (node, 0, 1, TRUE, error)
      || !kvsql_element_bind_inner_attribute (self, compiler, node, error))
    return FALSE;
  if (self->type != KVSQL_TYPE_FLOAT && self->type != KVSQL_TYPE_DOUBLE
      && self->type != KVSQL_TYPE_DECIMAL && self->type != KVSQL_TYPE_TIMESTAMP)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->inner.span,
                            "hive holds a FLOAT, DOUBLE, DECIMAL or TIMESTAMP, not %s",
                            kvsql_type_get_name (self->type))
           || kvsql_error_hint (error, "Use text{…}, or the bare attribute for text.");
  self->is_open = TRUE;
  self->least_byte = 1;
  return check_scale (self, node, error);
}

static gboolean
encode (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out, GError **error)
{
  const KvsqlValue *value = kvsql_encoder_get_value (encoder, self, error);
  g_autoptr (GString) text = g_string_new (NULL);

  if (value == NULL)
    return FALSE;
  if (!kvsql_hive_append_text (value, self->width, text))
    return kvsql_encode_error (encoder, self, error,
                               "has more than %u digits after the point, as hive(%u) has",
                               self->width, self->width)
           || kvsql_error_hint (error, "Round it, or let NUMERIC(p, %u) round what is written.",
                                self->width);
  kvsql_buffer_append (out, text->str, text->len);
  return TRUE;
}

static gboolean
is_canonical (const KvsqlElement *self, const KvsqlValue *value, KvsqlSlice bytes)
{
  g_autoptr (GString) text = g_string_new (NULL);

  return kvsql_hive_append_text (value, self->width, text)
         && kvsql_slice_equal (kvsql_slice (text->str, text->len), bytes);
}

static gboolean
decode (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  KvsqlValue value;

  return kvsql_hive_parse_text (self->type, self->width, bytes, decoder->arena, &value)
         && (!self->is_cell_key || is_canonical (self, &value, bytes))
         && kvsql_decoder_set (decoder, self, &value);
}

/* ---- ranges */

/* FALSE: the value has no form. */
static gboolean
make_text (const KvsqlElement *self, KvsqlValue *value, KvsqlArena *arena)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (!kvsql_hive_append_text (value, self->width, text))
    return FALSE;
  *value = (KvsqlValue){ .type = KVSQL_TYPE_STRING,
                         .bytes = kvsql_slice_dup (arena, kvsql_slice (text->str, text->len)) };
  return TRUE;
}

/* The bounds as text: times sort as their texts do, as a text is before those that it begins. */
static void
constrain_as_text (const KvsqlElement *self, const KvsqlConstraint *constraint,
                   const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
                   KvsqlByteRanges *out)
{
  KvsqlConstraint text = *constraint;

  text.intervals = kvsql_arena_array (constrainer->arena, KvsqlInterval, constraint->n_intervals);
  text.n_intervals = 0;
  for (guint i = 0; i < constraint->n_intervals; i++)
    {
      KvsqlInterval *interval = &text.intervals[text.n_intervals];

      *interval = constraint->intervals[i];
      if ((!interval->has_low || make_text (self, &interval->low, constrainer->arena))
          && (!interval->has_high || make_text (self, &interval->high, constrainer->arena)))
        text.n_intervals++;
    }
  kvsql_byte_ranges_from_slices (&text, constrainer, delimiter, out);
}

static void
constrain (const KvsqlElement *self, const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
           KvsqlByteRanges *out)
{
  const KvsqlConstraint *constraint = &constrainer->constraints[self->attribute];

  /* -0 and 0 have different forms */
  if (self->is_cell_key && constraint->is_constrained
      && (self->type == KVSQL_TYPE_TIMESTAMP
          || (self->type == KVSQL_TYPE_DECIMAL && kvsql_constraint_is_points (constraint))))
    constrain_as_text (self, constraint, constrainer, delimiter, out);
  else
    *out = (KvsqlByteRanges){ .is_open = TRUE };
}

/* ---- automaton */

static KvsqlNfaFragment
automaton (const KvsqlElement *self, KvsqlNfa *nfa)
{
  const gchar *pattern = self->type == KVSQL_TYPE_DECIMAL     ? DECIMAL_PATTERN
                         : self->type == KVSQL_TYPE_TIMESTAMP ? TIME_PATTERN
                                                              : REAL_PATTERN;
  KvsqlNfaFragment value;

  if (!kvsql_nfa_regexp (nfa, kvsql_slice_from_text (pattern), &value, NULL))
    value = kvsql_nfa_any (nfa);
  return kvsql_element_mark (self, nfa, value);
}

static KvsqlByteOrder
byte_order (const KvsqlElement *self)
{
  if (self->type != KVSQL_TYPE_TIMESTAMP || !self->is_cell_key)
    return KVSQL_BYTE_ORDER_NONE;
  return (KvsqlByteOrder){ .order = KVSQL_ORDER_ASCENDING, .is_last_only = TRUE };
}

const KvsqlElementClass kvsql_element_hive = {
  .name = "hive",
  .is_text = TRUE,
  .takes_attribute = TRUE,
  .compile = compile,
  .encode = encode,
  .decode = decode,
  .constrain = constrain,
  .automaton = automaton,
  .byte_order = byte_order,
};
