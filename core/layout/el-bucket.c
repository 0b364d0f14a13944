/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-bucket.c: bucket(width){…} and offset(width){…}: a number rounded down to a multiple, and the
 * remainder.
 *
 * Both pass another number to the layout in their braces: bucket one of the type of the attribute,
 * offset an INT or, for BIGINT and TIMESTAMP, a BIGINT. Together they give the attribute back. One
 * alone repeats an attribute that another element holds (derived.h). Negative numbers are rounded
 * down: with bucket(10), -1 is in bucket -10 at offset 9.
 */
#include "config.h"

#include "core/layout/derived.h"
#include "core/layout/sequence.h"
#include "core/layout/intersect.h"
#include "core/layout/element-classes.h"
#include "core/layout/automata/nfa.h"
#include "core/layout/encoding/scalar.h"
#include "core/schema/relation.h"
#include "core/sql/ast-definition.h"

#include <stdlib.h>

#define MAX_STEP (G_GINT64_CONSTANT (1) << 53)

static gboolean
is_bucket (const KvsqlElement *self)
{
  return self->klass == &kvsql_element_bucket;
}

static KvsqlType
offset_type (KvsqlType type)
{
  return kvsql_scalar_get_size (type) == 4 ? KVSQL_TYPE_INT : KVSQL_TYPE_BIGINT;
}

static KvsqlType
value_type (const KvsqlElement *self)
{
  return is_bucket (self) ? self->type : offset_type (self->type);
}

/* The type of the only attribute that is named in the braces. */
static KvsqlType
named_type (const KvsqlLayoutCompiler *compiler, const KvsqlLayoutSequence *layout)
{
  for (guint i = 0; i < layout->n_nodes; i++)
    {
      const KvsqlLayoutNode *node = &layout->nodes[i];
      guint attribute;
      KvsqlType type = KVSQL_TYPE_NULL;

      if (node->kind == KVSQL_LAYOUT_ATTRIBUTE
          && kvsql_relation_find (compiler->relation, &node->name, &attribute, NULL))
        type = compiler->relation->attributes[attribute].type;
      else if (node->has_inner)
        type = named_type (compiler, &node->inner);
      if (type != KVSQL_TYPE_NULL)
        return type;
    }
  return KVSQL_TYPE_NULL;
}

static gboolean
compile (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
         GError **error)
{
  KvsqlType type = named_type (compiler, &node->inner);

  if (!kvsql_element_expect (node, 1, 1, TRUE, error)
      || !kvsql_element_wide_argument (node, 0, 1, MAX_STEP, &self->step, error))
    return FALSE;
  if (is_bucket (self) || kvsql_type_get_class (type) != KVSQL_CLASS_INTEGER)
    type = KVSQL_TYPE_NULL;
  else
    type = offset_type (type);
  if (!kvsql_element_compile_part (self, compiler, node, type, error))
    return FALSE;
  if (kvsql_scalar_get_size (self->type) == 4 && self->step > G_MAXINT32)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->arguments[0].span,
                            "%s needs a width of at most %d for %s", node->name.text, G_MAXINT32,
                            kvsql_type_get_name (self->type));
  self->fixed_size = self->inner->fixed_size;
  self->is_open = self->inner->n_elements == 1 && self->inner->elements[0]->is_open;
  return TRUE;
}

/* ---- numbers */

static gint64
rest_of (gint64 number, gint64 step)
{
  gint64 rest = number % step;

  return rest < 0 ? rest + step : rest;
}

/* FALSE if the result would be below all numbers. */
static gboolean
floor_of (gint64 number, gint64 step, gint64 *out)
{
  return !__builtin_sub_overflow (number, rest_of (number, step), out);
}

/* ---- encoding and decoding */

static gboolean
encode (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out, GError **error)
{
  const KvsqlValue *value = kvsql_encoder_get_value (encoder, self, error);
  KvsqlEncoder inside = *encoder;
  KvsqlValue tuple[KVSQL_MAX_ATTRIBUTES];
  KvsqlValue *number = &tuple[self->attribute];

  if (value == NULL)
    return FALSE;
  *number
      = (KvsqlValue){ .type = value_type (self), .integer = rest_of (value->integer, self->step) };
  if (is_bucket (self)
      && (!floor_of (value->integer, self->step, &number->integer)
          || !kvsql_integer_fits (self->type, number->integer)))
    return kvsql_encode_error (encoder, self, error,
                               "is in a bucket(%" G_GINT64_FORMAT
                               ") that begins before the first %s",
                               self->step, kvsql_type_get_name (self->type));
  inside.tuple = tuple;
  return kvsql_sequence_encode (self->inner, &inside, out, error);
}

static gboolean
decode (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  KvsqlVector columns[KVSQL_MAX_ATTRIBUTES];
  gint64 number = 0;
  guint8 nulls = 0;
  KvsqlBatch batch
      = { .n_rows = 1, .capacity = 1, .n_columns = self->attribute + 1, .columns = columns };
  KvsqlDecoder inside = { .batch = &batch, .arena = decoder->arena };

  columns[self->attribute]
      = (KvsqlVector){ .type = value_type (self), .nulls = &nulls, .integers = &number };
  if (!kvsql_sequence_decode (self->inner, bytes, &inside) || nulls != 0)
    return FALSE;
  decoder->steps += inside.steps;
  if (!self->is_copy
      && (is_bucket (self) ? rest_of (number, self->step) != 0
                           : number < 0 || number >= self->step))
    return FALSE;
  if (self->slot >= 0 && decoder->slots != NULL)
    decoder->slots[self->slot] = (KvsqlSlot){ .bytes = bytes, .number = number };
  return TRUE;
}

static gssize
next_length (const KvsqlElement *self, KvsqlSlice rest, gssize previous)
{
  const KvsqlElement *only = self->inner->n_elements == 1 ? self->inner->elements[0] : NULL;

  if (only != NULL && only->klass->next_length != NULL)
    return only->klass->next_length (only, rest, previous);
  return kvsql_element_next_open_length (self, rest, previous);
}

/* ---- composition */

static guint
choose (KvsqlElement *const *all, guint n, guint first, KvsqlElement **out_chosen, guint *out_n)
{
  for (guint i = 0; i < n && is_bucket (all[first]); i++)
    if ((all[i]->klass == &kvsql_element_offset || all[i]->klass == &kvsql_element_tsdb_offset)
        && all[i]->step == all[first]->step)
      {
        out_chosen[0] = all[first];
        out_chosen[1] = all[i];
        *out_n = 2;
        return G_MAXUINT;
      }
  return 0;
}

static gboolean
join (KvsqlElement *const *chosen, guint n, const KvsqlSlot *slots, gint64 *out)
{
  return !__builtin_add_overflow (slots[chosen[0]->slot].number, slots[chosen[1]->slot].number,
                                  out);
}

static gboolean
unit (const KvsqlElement *self, gint64 number, gint64 *out_first, gint64 *out_last)
{
  return floor_of (number, self->step, out_first)
         && !__builtin_add_overflow (*out_first, self->step - 1, out_last);
}

/* ---- ranges */

typedef struct
{
  gint64 low, high; /* both inclusive */
  gboolean has_low, has_high;
} Span;

/* FALSE if the interval contains no number. */
static gboolean
span_of (const KvsqlInterval *interval, Span *out)
{
  *out = (Span){ .has_low = interval->has_low, .has_high = interval->has_high };
  if (interval->has_low
      && __builtin_add_overflow (interval->low.integer, interval->low_is_open != 0, &out->low))
    return FALSE;
  if (interval->has_high
      && __builtin_sub_overflow (interval->high.integer, interval->high_is_open != 0, &out->high))
    return FALSE;
  return !out->has_low || !out->has_high || out->low <= out->high;
}

static void
constrain_inner (const KvsqlElement *self, const Span *spans, guint n,
                 const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
                 KvsqlByteRanges *out)
{
  KvsqlConstrainer inside = *constrainer;
  KvsqlConstraint *constraints
      = kvsql_arena_array (constrainer->arena, KvsqlConstraint, self->inner->n_attributes);
  KvsqlInterval *intervals = kvsql_arena_array (constrainer->arena, KvsqlInterval, n + 1);

  for (guint i = 0; i < n; i++)
    intervals[i] = (KvsqlInterval){
      .low = { .type = value_type (self), .integer = spans[i].low },
      .high = { .type = value_type (self), .integer = spans[i].high },
      .has_low = spans[i].has_low,
      .has_high = spans[i].has_high,
    };
  constraints[self->attribute]
      = (KvsqlConstraint){ .is_constrained = TRUE, .intervals = intervals, .n_intervals = n };
  inside.constraints = constraints;
  inside.arena = constrainer->arena;
  kvsql_sequence_intersect (self->inner, &inside, delimiter, out);
}

/* Appends a span that does not begin before the last span. */
static void
append_span (Span *spans, guint *n, Span span)
{
  Span *last = *n > 0 ? &spans[*n - 1] : NULL;

  if (last == NULL || (last->has_high && span.has_low && span.low > last->high))
    spans[(*n)++] = span;
  else if (last->has_high && (!span.has_high || span.high > last->high))
    {
      last->has_high = span.has_high;
      last->high = span.high;
    }
}

/* The same buckets as points; NULL if there are too many. */
static KvsqlByteRanges *
buckets_as_points (const KvsqlElement *self, const Span *spans, guint n,
                   const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter)
{
  Span *points = kvsql_arena_array (constrainer->arena, Span, KVSQL_MAX_STEPS_AS_POINTS + 1);
  KvsqlByteRanges *ranges = kvsql_arena_new0 (constrainer->arena, KvsqlByteRanges);
  guint n_points = 0;

  for (guint i = 0; i < n; i++)
    {
      if (!spans[i].has_low || !spans[i].has_high
          || ((guint64)spans[i].high - (guint64)spans[i].low) / self->step
                 >= KVSQL_MAX_STEPS_AS_POINTS)
        return NULL;
      gboolean is_over = spans[i].low > spans[i].high;
      for (gint64 at = spans[i].low; !is_over && at <= spans[i].high;
           is_over = __builtin_add_overflow (at, self->step, &at))
        {
          if (n_points == KVSQL_MAX_STEPS_AS_POINTS)
            return NULL;
          points[n_points++] = (Span){ .low = at, .high = at, .has_low = TRUE, .has_high = TRUE };
        }
    }
  constrain_inner (self, points, n_points, constrainer, delimiter, ranges);
  return ranges;
}

static void
constrain_bucket (const KvsqlElement *self, const KvsqlConstrainer *constrainer,
                  KvsqlDelimiter delimiter, KvsqlByteRanges *out)
{
  const KvsqlConstraint *constraint = &constrainer->constraints[self->attribute];
  Span *spans = kvsql_arena_array (constrainer->arena, Span, constraint->n_intervals + 1);
  gboolean is_exact = TRUE, has_range = FALSE;
  guint n = 0;

  for (guint i = 0; i < constraint->n_intervals; i++)
    {
      Span span;
      if (!span_of (&constraint->intervals[i], &span))
        continue;
      is_exact = is_exact && (!span.has_low || rest_of (span.low, self->step) == 0)
                 && (!span.has_high || rest_of (span.high, self->step) == self->step - 1);
      if (span.has_low
          && (!floor_of (span.low, self->step, &span.low)
              || !kvsql_integer_fits (self->type, span.low)))
        span.has_low = FALSE; /* no value can be written into that bucket */
      if (span.has_high && !floor_of (span.high, self->step, &span.high))
        continue;
      append_span (spans, &n, span);
      has_range = has_range || !span.has_low || !span.has_high || span.low != span.high;
    }
  constrain_inner (self, spans, n, constrainer, delimiter, out);
  for (guint i = 0; i < out->n_ranges && !is_exact; i++)
    out->ranges[i].is_exact = FALSE;
  out->as_points = has_range ? buckets_as_points (self, spans, n, constrainer, delimiter) : NULL;
  if (out->as_points != NULL)
    for (guint i = 0; i < out->as_points->n_ranges && !is_exact; i++)
      out->as_points->ranges[i].is_exact = FALSE;
}

static int
compare_spans (const void *x, const void *y)
{
  const Span *a = x, *b = y;

  return (a->low > b->low) - (a->low < b->low);
}

/* The offsets of one span, as at most two spans; 0: all offsets. */
static guint
offsets_of (const KvsqlElement *self, const Span *span, Span *out)
{
  gint64 low = rest_of (span->low, self->step), high = rest_of (span->high, self->step);
  guint64 distance = (guint64)span->high - (guint64)span->low;

  if (!span->has_low || !span->has_high || distance >= (guint64)self->step - 1)
    return 0;
  out[0] = (Span){ .low = low, .high = high, .has_low = TRUE, .has_high = TRUE };
  if (low <= high)
    return 1;
  out[0].high = self->step - 1;
  out[1] = (Span){ .low = 0, .high = high, .has_low = TRUE, .has_high = TRUE };
  return 2;
}

static void
constrain_offset (const KvsqlElement *self, const KvsqlConstrainer *constrainer,
                  KvsqlDelimiter delimiter, KvsqlByteRanges *out)
{
  const KvsqlConstraint *constraint = &constrainer->constraints[self->attribute];
  guint most = 2 * constraint->n_intervals + 1, n_all = 0, n = 0;
  Span *all = kvsql_arena_array (constrainer->arena, Span, most);
  Span *spans = kvsql_arena_array (constrainer->arena, Span, most);

  for (guint i = 0; i < constraint->n_intervals; i++)
    {
      Span span;
      guint added;
      if (!span_of (&constraint->intervals[i], &span))
        continue;
      added = offsets_of (self, &span, all + n_all);
      if (added == 0)
        {
          *out = (KvsqlByteRanges){ .is_open = TRUE };
          return;
        }
      n_all += added;
    }
  qsort (all, n_all, sizeof (Span), compare_spans);
  for (guint i = 0; i < n_all; i++)
    append_span (spans, &n, all[i]);
  constrain_inner (self, spans, n, constrainer, delimiter, out);
  for (guint i = 0; i < out->n_ranges; i++)
    out->ranges[i].is_exact = FALSE;
}

static void
constrain (const KvsqlElement *self, const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
           KvsqlByteRanges *out)
{
  if (!constrainer->constraints[self->attribute].is_constrained)
    *out = (KvsqlByteRanges){ .is_open = TRUE };
  else if (is_bucket (self))
    constrain_bucket (self, constrainer, delimiter, out);
  else
    constrain_offset (self, constrainer, delimiter, out);
}

static KvsqlNfaFragment
automaton (const KvsqlElement *self, KvsqlNfa *nfa)
{
  return kvsql_sequence_automaton (self->inner, nfa);
}

const KvsqlElementClass kvsql_element_bucket = {
  .name = "bucket",
  .is_changer = TRUE,
  .compile = compile,
  .encode = encode,
  .decode = decode,
  .next_length = next_length,
  .constrain = constrain,
  .automaton = automaton,
  .choose = choose,
  .unit = unit,
  .join = join,
};

const KvsqlElementClass kvsql_element_offset = {
  .name = "offset",
  .is_changer = TRUE,
  .compile = compile,
  .encode = encode,
  .decode = decode,
  .next_length = next_length,
  .constrain = constrain,
  .automaton = automaton,
  .choose = choose,
  .unit = unit,
  .join = join,
};
