/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-desc.c: desc{…}: the greatest value first.
 *
 * desc{a} of a number of INT, BIGINT, DATE or TIMESTAMP is MAX - a, which sorts backwards over all
 * of the type. Around everything else it is the complement of the bytes inside, which sorts
 * backwards if no form of a value begins another: of ordered{…}, of fixed{…}, of suffix(x'00'){…}.
 * An open STRING has no order.
 */
#include "config.h"

#include "core/layout/scalar.h"

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
  return kvsql_element_refuse_lengths (self, node, error);
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

/* MAX - x, and back. In two's complement that turns all bits but the first. */
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
  decoder->steps += steps + bytes.size / 64; /* tries of long values cost more */
  return ok;
}

/* Where a value may end in @turned, the complement of the rest. */
static gssize
next_length_inside (const KvsqlElement *self, KvsqlSlice turned, gssize previous)
{
  const KvsqlElement *only = self->inner->elements[0];

  if (only->fixed_size >= 0)
    return previous < only->fixed_size && (gsize)only->fixed_size <= turned.size ? only->fixed_size
                                                                                 : -1;
  if (turned.size == 0)
    turned = kvsql_slice ("", 0); /* an empty slice may have no address to count from */
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
  /* what ends in the first bytes does so whatever follows them */
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
constrain_number (const KvsqlElement *self, const KvsqlConstrainer *constrainer, KvsqlPieces *out)
{
  const KvsqlConstraint *constraint = &constrainer->constraints[self->attribute];
  KvsqlArena *arena = constrainer->arena;
  gsize size = self->fixed_size;
  gint64 low, high;

  if (!constraint->is_constrained)
    {
      *out = (KvsqlPieces){ .is_open = TRUE };
      return;
    }
  kvsql_pieces_init (out, constrainer, constraint->n_intervals);
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
          kvsql_pieces_add_point (out, kvsql_slice (first, size));
          continue;
        }
      has_end = kvsql_slice_successor (arena, kvsql_slice (last, size), &end);
      kvsql_pieces_add_range (out, kvsql_slice (first, size), has_end, end, TRUE);
    }
}

static KvsqlSlice
complemented (KvsqlSlice bytes, KvsqlArena *arena)
{
  guint8 *turned = kvsql_arena_alloc (arena, bytes.size + 1);

  complement (turned, bytes.data, bytes.size);
  return kvsql_slice (turned, bytes.size);
}

/* The shortest beginning of @bound that may be all of a value and is not below @least (NULL:
 * whatever it is); its own length if there is none. */
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

/* What is in low <= x < high is, turned, above the turned high and below or in all that begins with
 * the turned low. Only a value that begins the upper bound sorts before it on both sides. */
static void
turn_range (const KvsqlElement *self, KvsqlPiece *piece, KvsqlArena *arena)
{
  KvsqlSlice low = piece->low, high = piece->high;
  gboolean has_high = piece->has_high;
  gsize n;

  if (shortest_value (self, low, NULL) < low.size)
    piece->is_exact = FALSE;
  piece->has_high = kvsql_slice_successor (arena, complemented (low, arena), &piece->high);
  piece->low = KVSQL_SLICE_EMPTY;
  if (!has_high)
    return;
  n = shortest_value (self, high, &low);
  piece->is_exact = piece->is_exact && n == high.size;
  piece->low = complemented (kvsql_slice (high.data, n), arena);
  /* nothing that begins with the upper bound itself is in */
  if (n == high.size && !kvsql_slice_successor (arena, piece->low, &piece->low))
    piece->is_exact = FALSE;
}

static void
constrain (const KvsqlElement *self, const KvsqlConstrainer *constrainer, KvsqlFollow follow,
           KvsqlPieces *out)
{
  gssize size = self->fixed_size;
  KvsqlFollow inside = { .kind = KVSQL_FOLLOW_UNKNOWN };

  if (is_whole (self))
    {
      constrain_number (self, constrainer, out);
      return;
    }
  if (size >= 0)
    inside = kvsql_sequence_follow_fixed (self->inner, size);
  else if (follow.kind == KVSQL_FOLLOW_END)
    inside = follow;
  kvsql_sequence_constrain (self->inner, constrainer, inside, out);
  for (guint i = 0; i < out->n_pieces && !out->is_open; i++)
    {
      KvsqlPiece *piece = &out->pieces[i];
      if (size >= 0)
        kvsql_piece_cut (piece, size, constrainer);
      if (piece->is_point)
        piece->low = complemented (piece->low, constrainer->arena);
      else
        turn_range (self, piece, constrainer->arena);
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
