/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-seconds.c: seconds(n){a}: a TIMESTAMP as whole seconds since 1970, in n bytes, big-endian.
 *
 * A TIMESTAMP has milliseconds. One that is not a whole second has no form. Inside bucket{…}, the
 * beginnings of buckets of whole seconds all have one.
 */
#include "config.h"

#include "core/layout/derived.h"
#include "core/layout/element-classes.h"
#include "core/layout/inner.h"

#include "core/layout/automata/nfa.h"
#include "core/layout/encoding/scalar.h"
#include "core/layout/encoding/sorted.h"
#include "core/sql/ast-definition.h"

#define SECOND 1000

static void
append_seconds (const KvsqlSortedForm *form, const KvsqlValue *value, KvsqlBuffer *out)
{
  guint8 bytes[8];

  kvsql_put_be64 (bytes, (guint64)value->integer / SECOND);
  kvsql_buffer_append (out, bytes + sizeof bytes - form->size, form->size);
}

static gboolean
compile (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
         GError **error)
{
  KvsqlSortedForm *form = kvsql_arena_new0 (compiler->arena, KvsqlSortedForm);

  if (!kvsql_element_expect (node, 1, 1, TRUE, error)
      || !kvsql_element_integer_argument (node, 0, 4, 6, &self->width, error)
      || !kvsql_element_bind_inner_attribute (self, compiler, node, error))
    return FALSE;
  if (self->type != KVSQL_TYPE_TIMESTAMP)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->inner.span,
                            "seconds holds a TIMESTAMP, not %s", kvsql_type_get_name (self->type))
           || kvsql_error_hint (error, "Write unsigned(4){…} for a number of seconds.");
  self->fixed_size = self->width;
  *form = (KvsqlSortedForm){ .type = self->type,
                             .size = self->width,
                             .max = ((G_GINT64_CONSTANT (1) << 8 * self->width) - 1) * SECOND,
                             .append = append_seconds };
  self->own = form;
  return TRUE;
}

static gboolean
encode (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out, GError **error)
{
  const KvsqlSortedForm *form = self->own;
  const KvsqlValue *value = kvsql_encoder_get_value (encoder, self, error);

  if (value == NULL)
    return FALSE;
  if (value->integer % SECOND != 0)
    return kvsql_encode_error (encoder, self, error, "is not a whole second");
  if (value->integer < 0 || value->integer > form->max)
    return kvsql_encode_error (encoder, self, error, "does not fit seconds(%u)", self->width)
           || kvsql_error_hint (error, "It holds times from 1970 on.");
  append_seconds (form, value, out);
  return TRUE;
}

static gboolean
decode (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  KvsqlValue value = { .type = self->type };

  if (bytes.size != (gsize)self->fixed_size)
    return FALSE;
  for (gsize i = 0; i < bytes.size; i++)
    value.integer = value.integer << 8 | bytes.data[i];
  value.integer *= SECOND;
  return kvsql_integer_fits (self->type, value.integer)
         && kvsql_decoder_set (decoder, self, &value);
}

/* ---- ranges */

/* The first whole second from @at on. */
static gboolean
round_up (gint64 at, gint64 *out)
{
  gint64 rest = at % SECOND;

  if (rest <= 0)
    {
      *out = at - rest;
      return TRUE;
    }
  return !__builtin_add_overflow (at, SECOND - rest, out);
}

/* The interval of whole seconds in @interval. FALSE: there are none that have a form. */
static gboolean
narrow (const KvsqlElement *self, const KvsqlInterval *interval, KvsqlInterval *out)
{
  const KvsqlSortedForm *form = self->own;
  gint64 low, high;

  if (!kvsql_scalar_clip (self->type, interval, &low, &high) || high < 0
      || !round_up (MAX (low, 0), &low))
    return FALSE;
  high = MIN (high, form->max);
  high -= high % SECOND;
  *out = (KvsqlInterval){ .low = { .type = self->type, .integer = low },
                          .high = { .type = self->type, .integer = high },
                          .has_low = TRUE,
                          .has_high = TRUE };
  return low <= high;
}

static void
constrain (const KvsqlElement *self, const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
           KvsqlByteRanges *out)
{
  KvsqlConstraint whole = constrainer->constraints[self->attribute];

  if (whole.is_constrained)
    {
      KvsqlInterval *intervals
          = kvsql_arena_array (constrainer->arena, KvsqlInterval, whole.n_intervals + 1);
      guint n = 0;

      for (guint i = 0; i < whole.n_intervals; i++)
        n += narrow (self, &whole.intervals[i], &intervals[n]) ? 1 : 0;
      whole.intervals = intervals;
      whole.n_intervals = n;
    }
  kvsql_sorted_constrain (self->own, &whole, constrainer, out);
}

static KvsqlNfaFragment
automaton (const KvsqlElement *self, KvsqlNfa *nfa)
{
  return kvsql_element_mark (self, nfa, kvsql_nfa_any_bytes (nfa, self->width));
}

static KvsqlByteOrder
byte_order (const KvsqlElement *self)
{
  return (KvsqlByteOrder){ .order = KVSQL_ORDER_ASCENDING };
}

const KvsqlElementClass kvsql_element_seconds = {
  .name = "seconds",
  .takes_attribute = TRUE,
  .compile = compile,
  .encode = encode,
  .decode = decode,
  .constrain = constrain,
  .automaton = automaton,
  .byte_order = byte_order,
};
