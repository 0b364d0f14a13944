/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-desc.c: desc{…}: descending order.
 *
 * desc{a} of an INT, BIGINT, DATE or TIMESTAMP is MAX - a, which reverses the order of all values.
 * For all other layouts it is the complement of the inner bytes. That reverses the order if no form
 * of a value is a prefix of another: in ordered{…}, fixed{…}, suffix(x'00'){…}. An open STRING has
 * no order.
 */
#include "config.h"

#include "core/layout/encoding/scalar.h"

#include "core/layout/inner.h"
#include "core/layout/element-classes.h"
#include "core/layout/automata/nfa.h"
#include "core/schema/relation.h"
#include "core/sql/ast-definition.h"

#define SMALL 64

static gboolean
is_whole (const KvsqlElement *self)
{
  return self->inner == NULL;
}

/* ---- compiling */

static gboolean
check_inner (const KvsqlElement *self, const KvsqlLayoutNode *node, GError **error)
{
  if (self->attribute < 0)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->inner.span,
                            "desc applies to one attribute");
  for (const KvsqlSequence *at = self->inner; at != NULL; at = at->elements[0]->inner)
    if (at->elements[0]->klass->is_text)
      {
        kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->inner.span,
                         "desc turns all bits, so what %s writes would be text no more",
                         at->elements[0]->klass->name);
        return kvsql_error_hint (error, "Use desc{a} or desc{ordered{a}}; hex{desc{a}} is text.");
      }
  return kvsql_element_reject_lengths (self, node, error);
}

static gboolean
compile_number (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
                gboolean *out_is_number, GError **error)
{
  const KvsqlLayoutNode *only = &node->inner.nodes[0];
  KvsqlType type = compiler->as_type;
  guint attribute;

  *out_is_number = FALSE;
  if (node->inner.n_nodes != 1 || only->kind != KVSQL_LAYOUT_ATTRIBUTE)
    return TRUE;
  if (!kvsql_relation_find (compiler->relation, &only->name, &attribute, error))
    return FALSE;
  if (type == KVSQL_TYPE_NULL)
    type = compiler->relation->attributes[attribute].type;
  if (kvsql_type_get_class (type) != KVSQL_CLASS_INTEGER)
    return TRUE;
  *out_is_number = TRUE;
  if (!kvsql_element_bind_attribute (self, compiler, &only->name, error))
    return FALSE;
  self->fixed_size = kvsql_scalar_get_size (self->type);
  return TRUE;
}

static gboolean
compile (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
         GError **error)
{
  gboolean is_number;

  if (!kvsql_element_expect (node, 0, 0, TRUE, error)
      || !compile_number (self, compiler, node, &is_number, error))
    return FALSE;
  if (is_number)
    return TRUE;
  if (!kvsql_element_compile_inner (self, compiler, node, error)
      || !check_inner (self, node, error))
    return FALSE;
  self->fixed_size = self->inner->fixed_size;
  self->is_open = self->fixed_size < 0 && self->inner->elements[0]->is_open;
  self->is_prefix_free = self->inner->elements[0]->is_prefix_free;
  return TRUE;
}

/* ---- bytes */

static void
complement (guint8 *to, const guint8 *from, gsize size)
{
  for (gsize i = 0; i < size; i++)
    to[i] = ~from[i];
}

/* MAX - x, and its inverse. In two's complement this inverts all bits except the first. */
static void
turn_number (guint8 *to, const guint8 *from, gsize size)
{
  complement (to, from, size);
  to[0] ^= 0x80;
}

static gboolean
encode (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out, GError **error)
{
  gsize start = out->size;
  const KvsqlValue *value;

  if (!is_whole (self))
    {
      if (!kvsql_sequence_encode (self->inner, encoder, out, error))
        return FALSE;
      complement (out->data + start, out->data + start, out->size - start);
      return TRUE;
    }
  value = kvsql_encoder_get_value (encoder, self, error);
  if (value == NULL)
    return FALSE;
  kvsql_scalar_encode (self->type, value, out);
  turn_number (out->data + start, out->data + start, out->size - start);
  return TRUE;
}

static gboolean
decode (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  guint steps = decoder->steps;
  guint8 *turned;
  gboolean ok;

  if (is_whole (self))
    {
      guint8 number[8];
      KvsqlValue value;
      if (bytes.size != (gsize)self->fixed_size)
        return FALSE;
      turn_number (number, bytes.data, bytes.size);
      return kvsql_scalar_decode (self->type, kvsql_slice (number, bytes.size), TRUE,
                                  decoder->arena, &value)
             && kvsql_decoder_set (decoder, self, &value);
    }
  turned = kvsql_arena_alloc (decoder->arena, bytes.size + 1);
  complement (turned, bytes.data, bytes.size);
  ok = kvsql_sequence_decode (self->inner, kvsql_slice (turned, bytes.size), decoder);
  decoder->steps += steps + bytes.size / 64; /* long values count as several steps */
  return ok;
}

/* The next length of a value in @turned, the complement of the rest. */
static gssize
next_length_inside (const KvsqlElement *self, KvsqlSlice turned, gssize previous)
{
  const KvsqlElement *only = self->inner->elements[0];

  if (only->fixed_size >= 0)
    return previous < only->fixed_size && (gsize)only->fixed_size <= turned.size ? only->fixed_size
                                                                                 : -1;
  if (turned.size == 0)
    turned = kvsql_slice ("", 0); /* an empty slice may have a NULL pointer */
  return only->klass->next_length (only, turned, previous);
}

static gssize
next_length (const KvsqlElement *self, KvsqlSlice rest, gssize previous)
{
  guint8 small[SMALL];
  g_autofree guint8 *large = NULL;
  gssize length;

  if (self->is_open)
    return kvsql_element_next_open_length (self, rest, previous);
  /* an end within the first bytes does not depend on the bytes after them */
  complement (small, rest.data, MIN (rest.size, SMALL));
  length = next_length_inside (self, kvsql_slice (small, MIN (rest.size, SMALL)), previous);
  if (length >= 0 || rest.size <= SMALL)
    return length;
  large = g_malloc (rest.size);
  complement (large, rest.data, rest.size);
  return next_length_inside (self, kvsql_slice (large, rest.size), previous);
}

/* ---- ranges */

static void
constrain_number (const KvsqlElement *self, const KvsqlConstrainer *constrainer,
                  KvsqlByteRanges *out)
{
  const KvsqlConstraint *constraint = &constrainer->constraints[self->attribute];
  KvsqlArena *arena = constrainer->arena;
  gsize size = self->fixed_size;
  gint64 low, high;

  if (!constraint->is_constrained)
    {
      *out = (KvsqlByteRanges){ .is_open = TRUE };
      return;
    }
  kvsql_byte_ranges_init (out, constrainer, constraint->n_intervals);
  for (guint i = constraint->n_intervals; i-- > 0;)
    {
      guint8 *first = kvsql_arena_alloc (arena, 16), *last = first + 8, from[8];
      KvsqlSlice end = KVSQL_SLICE_EMPTY;
      gboolean has_end;

      if (!kvsql_scalar_clip (self->type, &constraint->intervals[i], &low, &high))
        continue;
      kvsql_put_be64 (from, (guint64)high);
      turn_number (first, from + 8 - size, size);
      kvsql_put_be64 (from, (guint64)low);
      turn_number (last, from + 8 - size, size);
      if (low == high)
        {
          kvsql_byte_ranges_add_point (out, kvsql_slice (first, size));
          continue;
        }
      has_end = kvsql_slice_successor (arena, kvsql_slice (last, size), &end);
      kvsql_byte_ranges_add_range (out, kvsql_slice (first, size), has_end, end, TRUE);
    }
}

static KvsqlSlice
complemented (KvsqlSlice bytes, KvsqlArena *arena)
{
  guint8 *turned = kvsql_arena_alloc (arena, bytes.size + 1);

  complement (turned, bytes.data, bytes.size);
  return kvsql_slice (turned, bytes.size);
}

/* The length of the shortest prefix of @bound that may be a complete value and is not below @least
 * (NULL: no limit). If there is none, the length of @bound. */
static gsize
shortest_value (const KvsqlElement *self, KvsqlSlice bound, const KvsqlSlice *least)
{
  gssize length = -1;

  while ((gsize)(length + 1) <= bound.size)
    {
      if (self->is_open)
        length++;
      else
        length = next_length_inside (self, bound, length);
      if (length < 0 || (gsize)length >= bound.size)
        break;
      if (least == NULL || kvsql_slice_compare (kvsql_slice (bound.data, length), *least) >= 0)
        return length;
    }
  return bound.size;
}

/* Converts low <= x < high to a range of complements. It begins after the complement of high, and
 * ends after all bytes that begin with the complement of low. Exception: a value that is a prefix
 * of the upper bound sorts before it in both orders. */
static void
turn_range (const KvsqlElement *self, KvsqlByteRange *range, KvsqlArena *arena)
{
  KvsqlSlice low = range->low, high = range->high;
  gboolean has_high = range->has_high;
  gsize n;

  if (shortest_value (self, low, NULL) < low.size)
    range->is_exact = FALSE;
  range->has_high = kvsql_slice_successor (arena, complemented (low, arena), &range->high);
  range->low = KVSQL_SLICE_EMPTY;
  if (!has_high)
    return;
  n = shortest_value (self, high, &low);
  range->is_exact = range->is_exact && n == high.size;
  range->low = complemented (kvsql_slice (high.data, n), arena);
  /* excludes all bytes that begin with the complement of the upper bound */
  if (n == high.size && !kvsql_slice_successor (arena, range->low, &range->low))
    range->is_exact = FALSE;
}

static void
constrain (const KvsqlElement *self, const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
           KvsqlByteRanges *out)
{
  gssize size = self->fixed_size;
  KvsqlDelimiter inside = { .kind = KVSQL_DELIMITER_UNKNOWN };

  if (is_whole (self))
    {
      constrain_number (self, constrainer, out);
      return;
    }
  if (size >= 0)
    inside = kvsql_sequence_inner_delimiter (self->inner, size);
  else if (delimiter.kind == KVSQL_DELIMITER_END)
    inside = delimiter;
  kvsql_sequence_constrain (self->inner, constrainer, inside, out);
  for (guint i = 0; i < out->n_ranges && !out->is_open; i++)
    {
      KvsqlByteRange *range = &out->ranges[i];
      if (size >= 0)
        kvsql_byte_range_cut (range, size, constrainer);
      if (range->is_point)
        range->low = complemented (range->low, constrainer->arena);
      else
        turn_range (self, range, constrainer->arena);
    }
}

/* ---- automaton and order */

static KvsqlNfaFragment
automaton (const KvsqlElement *self, KvsqlNfa *nfa)
{
  if (is_whole (self))
    return kvsql_element_mark (self, nfa, kvsql_nfa_any_bytes (nfa, self->fixed_size));
  if (self->is_restricted)
    return kvsql_element_mark (self->inner->elements[0], nfa,
                               kvsql_nfa_any_without (nfa, self->separator));
  return kvsql_nfa_complement (nfa, kvsql_sequence_automaton (self->inner, nfa));
}

static KvsqlByteOrder
byte_order (const KvsqlElement *self)
{
  KvsqlByteOrder order;

  if (is_whole (self))
    return (KvsqlByteOrder){ .order = KVSQL_ORDER_DESCENDING };
  order = kvsql_sequence_inner_order (self->inner);
  if (order.is_last_only || order.order == KVSQL_ORDER_NONE)
    return KVSQL_BYTE_ORDER_NONE;
  order.order
      = order.order == KVSQL_ORDER_ASCENDING ? KVSQL_ORDER_DESCENDING : KVSQL_ORDER_ASCENDING;
  order.nulls_first = !order.nulls_first;
  return order;
}

const KvsqlElementClass kvsql_element_desc = {
  .name = "desc",
  .takes_attribute = TRUE,
  .compile = compile,
  .encode = encode,
  .decode = decode,
  .next_length = next_length,
  .constrain = constrain,
  .automaton = automaton,
  .byte_order = byte_order,
};
