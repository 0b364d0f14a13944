/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-optional.c: optional(s){…}: s and the values; nothing if the values have no bytes.
 *
 * So Phoenix writes the last columns of a key that may be NULL: the separators before trailing
 * NULLs are left out. An open element before it ends at the first s, or at the end of the field.
 */
#include "config.h"

#include "core/layout/inner.h"
#include "core/layout/element-classes.h"

#include "core/layout/automata/nfa.h"

static gboolean
compile (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
         GError **error)
{
  if (!kvsql_element_expect (node, 1, 1, TRUE, error)
      || !kvsql_element_bytes_argument (node, 0, compiler->arena, &self->front, error)
      || !kvsql_element_compile_inner (self, compiler, node, error))
    return FALSE;
  self->is_open = TRUE;
  return TRUE;
}

static gboolean
encode (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out, GError **error)
{
  gsize start = out->size;

  kvsql_buffer_append_slice (out, self->front);
  if (!kvsql_sequence_encode (self->inner, encoder, out, error))
    return FALSE;
  if (out->size == start + self->front.size)
    out->size = start;
  return TRUE;
}

static gboolean
decode (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  gsize n = bytes.size == 0 ? 0 : self->front.size;
  guint steps = decoder->steps;
  gboolean ok;

  if (n > 0 && (bytes.size == n || !kvsql_slice_has_prefix (bytes, self->front)))
    return FALSE;
  ok = kvsql_sequence_decode (self->inner, kvsql_slice (bytes.data + n, bytes.size - n), decoder);
  decoder->steps += steps;
  return ok;
}

/* Nothing; or s, at least one byte, and then anywhere, or where the constant after it begins. */
static gssize
next_length (const KvsqlElement *self, KvsqlSlice rest, gssize previous)
{
  gsize from = MAX ((gsize)(previous + 1), self->front.size + 1);

  if (previous < 0
      && (!self->is_delimited || kvsql_slice_has_prefix (rest, self->separator)
          || (self->may_end_field && rest.size == 0)))
    return 0;
  return kvsql_slice_has_prefix (rest, self->front) ? kvsql_element_find_end (self, rest, from)
                                                    : -1;
}

static KvsqlSlice
with_front (const KvsqlElement *self, KvsqlSlice bytes, KvsqlArena *arena)
{
  return bytes.size == 0 ? bytes : kvsql_slice_join (arena, self->front, bytes);
}

/* Whether @ranges allow more than some values. */
static gboolean
has_range (const KvsqlByteRanges *ranges)
{
  for (guint i = 0; i < ranges->n_ranges; i++)
    if (!ranges->ranges[i].is_point)
      return TRUE;
  return ranges->is_open;
}

static gboolean
is_constrained (const KvsqlElement *self, const KvsqlConstrainer *constrainer)
{
  const KvsqlAttributeSet *attributes = &self->inner->attributes;

  for (gint a = -1; (a = kvsql_attribute_set_next (attributes, a)) >= 0;)
    if (constrainer->constraints[a].is_constrained)
      return TRUE;
  return FALSE;
}

/* The bytes sort as those of the inner layout do, which may be none. After none, the bytes of the
 * next element come, of which a range would not know. */
static void
constrain (const KvsqlElement *self, const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
           KvsqlByteRanges *out)
{
  /* no bytes are between those of no values and a front of one byte 0 */
  gboolean is_tight = self->front.size == 1 && self->front.data[0] == 0;
  KvsqlArena *arena = constrainer->arena;
  KvsqlByteRanges values;
  KvsqlSlice last;
  gboolean has_last = kvsql_slice_successor (arena, self->front, &last);

  kvsql_sequence_constrain (self->inner, constrainer, delimiter, &values);
  if (delimiter.kind != KVSQL_DELIMITER_END && has_range (&values))
    {
      *out = (KvsqlByteRanges){ .is_open = TRUE };
      return;
    }
  if (values.is_open)
    {
      kvsql_byte_ranges_init (out, constrainer, 1);
      out->is_fan_out = TRUE; /* it bounds what is before it, not the values */
      kvsql_byte_ranges_add_range (out, KVSQL_SLICE_EMPTY, has_last, last,
                                   is_tight && !is_constrained (self, constrainer));
      return;
    }
  kvsql_byte_ranges_init (out, constrainer, values.n_ranges);
  out->n_fixed = values.n_fixed;
  out->is_fan_out = values.is_fan_out;
  for (guint i = 0; i < values.n_ranges; i++)
    {
      const KvsqlByteRange *range = &values.ranges[i];
      KvsqlSlice low = with_front (self, range->low, arena);

      if (range->is_point)
        {
          kvsql_byte_ranges_add_point (out, low);
          out->ranges[out->n_ranges - 1].is_exact = range->is_exact;
        }
      else
        kvsql_byte_ranges_add_range (out, low, range->has_high || has_last,
                                     range->has_high ? with_front (self, range->high, arena) : last,
                                     range->is_exact && (is_tight || low.size > 0));
    }
}

/* Accepts more than decode(): s alone. */
static KvsqlNfaFragment
automaton (const KvsqlElement *self, KvsqlNfa *nfa)
{
  return kvsql_nfa_alternative (nfa, kvsql_nfa_literal (nfa, KVSQL_SLICE_EMPTY),
                                kvsql_nfa_sequence (nfa, kvsql_nfa_literal (nfa, self->front),
                                                    kvsql_sequence_automaton (self->inner, nfa)));
}

static KvsqlByteOrder
byte_order (const KvsqlElement *self)
{
  return kvsql_sequence_inner_order (self->inner);
}

const KvsqlElementClass kvsql_element_optional = {
  .name = "optional",
  .compile = compile,
  .encode = encode,
  .decode = decode,
  .next_length = next_length,
  .constrain = constrain,
  .automaton = automaton,
  .byte_order = byte_order,
};
