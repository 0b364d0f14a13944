/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sequence.c: elements one after another.
 *
 * Reading splits the bytes from left to right while elements delimit themselves; behind the first
 * element whose tail has a fixed size, lengths follow from the end; only where a separator may
 * occur inside a value does it try the next place (the definition proof says where that is). A
 * constraint is laid over the elements from the front: points multiply, the first range or gap ends
 * the walk.
 */
#include "config.h"

#include "core/layout/decode-plan.h"
#include "core/layout/split.h"

/* Tries of one field, after which its bytes count as not of this layout. */
#define MAX_STEPS 1000000

/* ---- compiling */

static const KvsqlElementClass *
class_of (const KvsqlLayoutNode *node, GError **error)
{
  const KvsqlElementClass *klass;
  const gchar *const *known = kvsql_element_class_list ();
  const gchar *near;

  if (node->kind == KVSQL_LAYOUT_CONSTANT)
    return &kvsql_element_constant;
  if (node->kind == KVSQL_LAYOUT_ATTRIBUTE)
    return &kvsql_element_attribute;
  klass = kvsql_element_class_find (node->name.text);
  if (klass != NULL)
    return klass;
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, node->name.span,
                   "layout element \"%s\" does not exist", node->name.text);
  near = kvsql_suggest (node->name.text, known, g_strv_length ((gchar **)known));
  if (near != NULL)
    kvsql_error_hint (error, "Did you mean \"%s\"?", near);
  else
    {
      g_autofree gchar *all = g_strjoinv (", ", (gchar **)known);
      kvsql_error_hint (error, "Elements are %s.", all);
    }
  return NULL;
}

/* text(4){bucket(10){n}} says the same as bucket(10){text(4){n}}: the form of a changed value.
 * NULL: it is not written so. */
static const KvsqlLayoutNode *
turned_round (const KvsqlElementClass *klass, const KvsqlLayoutNode *node, KvsqlArena *arena)
{
  const KvsqlElementClass *inner;
  KvsqlLayoutNode *form, *changer;

  if (!klass->takes_attribute || !node->has_inner || node->inner.n_nodes != 1
      || node->inner.nodes[0].kind != KVSQL_LAYOUT_ELEMENT)
    return NULL;
  inner = kvsql_element_class_find (node->inner.nodes[0].name.text);
  if (inner == NULL || !inner->is_changer)
    return NULL;
  form = kvsql_arena_copy (arena, node, sizeof *node);
  changer = kvsql_arena_copy (arena, &node->inner.nodes[0], sizeof *node);
  form->inner = changer->inner;
  changer->inner.nodes = form;
  changer->inner.n_nodes = 1;
  return changer;
}

static KvsqlElement *
compile_node (KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node, GError **error)
{
  const KvsqlElementClass *klass = class_of (node, error);
  const KvsqlLayoutNode *turned;
  KvsqlElement *self;

  if (klass == NULL)
    return NULL;
  turned = turned_round (klass, node, compiler->arena);
  if (turned != NULL)
    return compile_node (compiler, turned, error);
  self = kvsql_arena_new0 (compiler->arena, KvsqlElement);
  self->klass = klass;
  self->span = node->span;
  self->fixed_size = -1;
  self->attribute = -1;
  self->pad = -1;
  self->slot = -1;
  self->field = compiler->field;
  return klass->compile (self, compiler, node, error) ? self : NULL;
}

/* An open element ends where the constant bytes that begin the next one do. */
static void
delimit (KvsqlSequence *self)
{
  for (guint i = 0; i + 1 < self->n_elements; i++)
    {
      KvsqlElement *element = self->elements[i];
      if (element->is_open && self->elements[i + 1]->constant.size > 0)
        {
          element->is_delimited = TRUE;
          element->separator = self->elements[i + 1]->constant;
        }
    }
}

static void
measure (KvsqlSequence *self, KvsqlArena *arena)
{
  gssize tail = 0;

  self->tail_sizes = kvsql_arena_array (arena, gssize, self->n_elements + 1);
  for (guint i = self->n_elements; i-- > 0;)
    {
      gssize size = self->elements[i]->fixed_size;
      self->tail_sizes[i] = tail;
      tail = tail < 0 || size < 0 ? -1 : tail + size;
    }
  self->fixed_size = tail;
}

static void
note_derived (KvsqlSequence *self)
{
  for (guint i = 0; i < self->n_elements; i++)
    {
      const KvsqlElement *element = self->elements[i];
      if (element->is_derived || element->is_part)
        kvsql_sequence_collect_attributes (element->inner, &self->derived_from);
      else if (element->inner != NULL)
        kvsql_attribute_set_add_all (&self->derived_from, &element->inner->derived_from);
    }
}

static void
note_constant (KvsqlSequence *self, KvsqlArena *arena)
{
  self->is_constant = TRUE;
  self->constant = KVSQL_SLICE_EMPTY;
  for (guint i = 0; i < self->n_elements && self->is_constant; i++)
    {
      self->is_constant = self->elements[i]->klass == &kvsql_element_constant;
      self->constant = kvsql_slice_join (arena, self->constant, self->elements[i]->constant);
    }
}

KvsqlSequence *
kvsql_sequence_compile (KvsqlLayoutCompiler *compiler, const KvsqlLayoutSequence *layout,
                        GError **error)
{
  KvsqlSequence *self = kvsql_arena_new0 (compiler->arena, KvsqlSequence);

  self->elements = kvsql_arena_array (compiler->arena, KvsqlElement *, layout->n_nodes + 1);
  for (guint i = 0; i < layout->n_nodes; i++)
    {
      const KvsqlLayoutNode *node = &layout->nodes[i];
      if (node->kind == KVSQL_LAYOUT_CONSTANT && node->constant.size == 0)
        continue;
      self->elements[self->n_elements] = compile_node (compiler, node, error);
      if (self->elements[self->n_elements++] == NULL)
        return NULL;
    }
  delimit (self);
  measure (self, compiler->arena);
  self->n_attributes = compiler->relation->n_attributes;
  note_derived (self);
  note_constant (self, compiler->arena);
  kvsql_sequence_collect_attributes (self, &self->attributes);
  return self;
}

void
kvsql_sequence_collect_attributes (const KvsqlSequence *self, KvsqlAttributeSet *out)
{
  for (guint i = 0; i < self->n_elements; i++)
    {
      const KvsqlElement *element = self->elements[i];
      if (element->inner != NULL)
        kvsql_sequence_collect_attributes (element->inner, out);
      else if (element->attribute >= 0)
        kvsql_attribute_set_add (out, element->attribute);
    }
}

/* ---- writing */

gboolean
kvsql_sequence_encode (const KvsqlSequence *self, const KvsqlEncoder *encoder, KvsqlBuffer *out,
                       GError **error)
{
  for (guint i = 0; i < self->n_elements; i++)
    {
      const KvsqlElement *element = self->elements[i];
      gsize start = out->size;
      if (!element->klass->encode (element, encoder, out, error))
        return FALSE;
      if (element->is_restricted && element->is_open)
        {
          /* an open value must not contain what ends it; suffix checks its own */
          start += element->constant.size;
          /* a buffer that nothing was written to has no address */
          const guint8 *found = out->size == start
                                    ? NULL
                                    : memmem (out->data + start, out->size - start,
                                              element->separator.data, element->separator.size);
          if (found != NULL)
            {
              g_autofree gchar *shown = kvsql_readable (element->separator);
              kvsql_encode_error (encoder, element, error,
                                  "contains \"%s\" at byte %" G_GSIZE_FORMAT ", which ends it",
                                  shown, (gsize)(found - (out->data + start)));
              return kvsql_error_hint (
                  error, "Use size{…} or another separator where values may contain it.");
            }
        }
    }
  return TRUE;
}

/* ---- reading */

gssize
kvsql_element_next_open_length (const KvsqlElement *self, KvsqlSlice rest, gssize previous)
{
  gsize from = previous + 1;
  const guint8 *found;

  if (from > rest.size)
    return -1;
  if (!self->is_delimited)
    return from;
  found = memmem (rest.data + from, rest.size - from, self->separator.data, self->separator.size);
  return found == NULL ? -1 : found - rest.data;
}

static gboolean decode_from (const KvsqlSequence *self, guint index, KvsqlSlice rest,
                             KvsqlDecoder *decoder);

static gboolean
decode_by_search (const KvsqlSequence *self, guint index, KvsqlSlice rest, KvsqlDecoder *decoder)
{
  const KvsqlElement *element = self->elements[index];
  gssize length = -1;

  for (;;)
    {
      length = element->klass->next_length != NULL
                   ? element->klass->next_length (element, rest, length)
                   : kvsql_element_next_open_length (element, rest, length);
      if (length < 0 || ++decoder->steps > MAX_STEPS)
        return FALSE;
      if (element->klass->decode (element, kvsql_slice (rest.data, length), decoder)
          && decode_from (self, index + 1, kvsql_slice (rest.data + length, rest.size - length),
                          decoder))
        return TRUE;
      if (element->is_restricted)
        return FALSE;
    }
}

gboolean
kvsql_element_is_forbidden (const KvsqlElement *self, KvsqlSlice bytes)
{
  gsize start = self->constant.size;

  return self->is_restricted && self->is_open && bytes.size > start
         && memmem (bytes.data + start, bytes.size - start, self->separator.data,
                    self->separator.size)
                != NULL;
}

static gboolean
decode_from (const KvsqlSequence *self, guint index, KvsqlSlice rest, KvsqlDecoder *decoder)
{
  for (; index < self->n_elements; index++)
    {
      const KvsqlElement *element = self->elements[index];
      gssize tail = self->tail_sizes[index], length;

      if (tail >= 0)
        {
          if (rest.size < (gsize)tail)
            return FALSE;
          length = rest.size - tail;
        }
      else if (element->fixed_size >= 0)
        length = element->fixed_size;
      else
        return decode_by_search (self, index, rest, decoder);
      if ((gsize)length > rest.size
          || kvsql_element_is_forbidden (element, kvsql_slice (rest.data, length))
          || !element->klass->decode (element, kvsql_slice (rest.data, length), decoder))
        return FALSE;
      rest = kvsql_slice (rest.data + length, rest.size - length);
    }
  return rest.size == 0;
}

gboolean
kvsql_sequence_decode (const KvsqlSequence *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  if (bytes.size == 0)
    bytes = kvsql_slice ("", 0); /* an empty slice may have no address to count from */
  decoder->steps = 0;            /* also where none is counted: who is around adds its own again */
  if (self->plan != NULL)
    return kvsql_decode_plan_run (self->plan, bytes, decoder);
  if (self->fixed_size >= 0 && (gsize)self->fixed_size != bytes.size)
    return FALSE;
  return decode_from (self, 0, bytes, decoder);
}

/* ---- constraints to byte ranges */

void
kvsql_pieces_init (KvsqlPieces *self, const KvsqlConstrainer *constrainer, guint n)
{
  *self = (KvsqlPieces){ .pieces = kvsql_arena_array (constrainer->arena, KvsqlPiece, n) };
}

void
kvsql_pieces_add_point (KvsqlPieces *self, KvsqlSlice bytes)
{
  self->pieces[self->n_pieces++] = (KvsqlPiece){ .is_point = TRUE, .is_exact = TRUE, .low = bytes };
}

void
kvsql_pieces_add_range (KvsqlPieces *self, KvsqlSlice low, gboolean has_high, KvsqlSlice high,
                        gboolean is_exact)
{
  self->pieces[self->n_pieces++]
      = (KvsqlPiece){ .low = low, .has_high = has_high, .high = high, .is_exact = is_exact };
}

KvsqlFollow
kvsql_sequence_follow_fixed (const KvsqlSequence *inner, gsize size)
{
  /* around more than one bare value the size of each is not known */
  if (inner->n_elements == 1 && inner->elements[0]->inner == NULL)
    return (KvsqlFollow){ .kind = KVSQL_FOLLOW_FIXED, .size = size };
  return (KvsqlFollow){ .kind = KVSQL_FOLLOW_UNKNOWN };
}

void
kvsql_piece_cut (KvsqlPiece *self, gsize size, const KvsqlConstrainer *constrainer)
{
  if (!self->is_point && self->has_high && self->high.size > size)
    self->has_high = kvsql_slice_successor (constrainer->arena, kvsql_slice (self->high.data, size),
                                            &self->high);
  if (!self->is_point && self->low.size > size)
    kvsql_slice_successor (constrainer->arena, kvsql_slice (self->low.data, size), &self->low);
}

static KvsqlSlice
joined (KvsqlArena *arena, KvsqlSlice a, KvsqlSlice b)
{
  return b.size == 0 ? a : kvsql_slice_join (arena, a, b);
}

static KvsqlFollow
follow_of (const KvsqlSequence *self, guint index, KvsqlFollow outer)
{
  const KvsqlElement *next;

  if (index + 1 == self->n_elements)
    return outer;
  next = self->elements[index + 1];
  if (next->constant.size > 0)
    return (KvsqlFollow){ .kind = KVSQL_FOLLOW_BYTES,
                          .bytes = next->constant,
                          .least = self->elements[index]->least_byte };
  return (KvsqlFollow){ .kind = KVSQL_FOLLOW_UNKNOWN };
}

/* Everything that begins with one of the points in @fronts, narrowed by @last (NULL: not at all).
 * At the end of the sequence (@is_end) points stay points. */
static void
finish_with_ranges (const KvsqlPieces *fronts, const KvsqlPieces *last, gboolean is_end,
                    const KvsqlConstrainer *constrainer, KvsqlPieces *out)
{
  KvsqlArena *arena = constrainer->arena;
  guint n_last = last == NULL ? 1 : last->n_pieces;

  kvsql_pieces_init (out, constrainer, fronts->n_pieces * n_last);
  for (guint i = 0; i < fronts->n_pieces; i++)
    for (guint j = 0; j < n_last; j++)
      {
        const KvsqlPiece *piece = last == NULL ? NULL : &last->pieces[j];
        KvsqlSlice front = fronts->pieces[i].low;
        KvsqlSlice low = piece == NULL ? front : joined (arena, front, piece->low);
        KvsqlSlice high = KVSQL_SLICE_EMPTY;
        gboolean has_high;

        if (is_end && piece != NULL && piece->is_point)
          {
            kvsql_pieces_add_point (out, low);
            out->pieces[out->n_pieces - 1].is_exact = fronts->pieces[i].is_exact && piece->is_exact;
            continue;
          }
        if (piece != NULL && !piece->is_point && piece->has_high)
          {
            high = joined (arena, front, piece->high);
            has_high = TRUE;
          }
        else
          has_high = kvsql_slice_successor (arena, piece != NULL && piece->is_point ? low : front,
                                            &high);
        /* what a gap holds is not looked at */
        kvsql_pieces_add_range (out, low, has_high, high,
                                fronts->pieces[i].is_exact && piece != NULL && piece->is_exact);
      }
}

static gboolean
all_points (const KvsqlPieces *pieces)
{
  for (guint i = 0; i < pieces->n_pieces; i++)
    if (!pieces->pieces[i].is_point)
      return FALSE;
  return TRUE;
}

static void
multiply_points (KvsqlPieces *fronts, const KvsqlPieces *next, const KvsqlConstrainer *constrainer)
{
  KvsqlPieces product;

  kvsql_pieces_init (&product, constrainer, fronts->n_pieces * next->n_pieces);
  product.n_fixed = fronts->n_fixed + 1;
  for (guint i = 0; i < fronts->n_pieces; i++)
    for (guint j = 0; j < next->n_pieces; j++)
      {
        const KvsqlPiece *a = &fronts->pieces[i], *b = &next->pieces[j];
        kvsql_pieces_add_point (&product, joined (constrainer->arena, a->low, b->low));
        product.pieces[product.n_pieces - 1].is_exact = a->is_exact && b->is_exact;
      }
  *fronts = product;
}

/* Whether an element says more than another one does: about another attribute. (Where they are
 * about one, its intervals are cut already: split.c.) */
static gboolean
is_about_others (const KvsqlElement *element, const KvsqlElement *first)
{
  KvsqlAttributeSet mine = { 0 }, others = { 0 };
  KvsqlSequence sequence
      = { .elements = (KvsqlElement *[]){ (KvsqlElement *)first }, .n_elements = 1 };

  kvsql_sequence_collect_attributes (&sequence, &mine);
  sequence.elements = (KvsqlElement *[]){ (KvsqlElement *)element };
  kvsql_sequence_collect_attributes (&sequence, &others);
  return !kvsql_attribute_set_contains (&mine, &others);
}

/* Whether an element behind @index bounds keys further. */
static gboolean
is_narrowed_behind (const KvsqlSequence *self, guint index, const KvsqlConstrainer *constrainer,
                    KvsqlFollow follow)
{
  for (guint i = index + 1; i < self->n_elements; i++)
    {
      const KvsqlElement *element = self->elements[i];
      KvsqlPieces pieces = { 0 };

      if (element->klass == &kvsql_element_constant
          || !is_about_others (element, self->elements[index]))
        continue;
      element->klass->constrain (element, constrainer, follow_of (self, i, follow), &pieces);
      if (pieces.is_open || !pieces.is_fan_out)
        return !pieces.is_open;
    }
  return FALSE;
}

/* What one element says. A range of few values is taken as points where that lets the elements
 * behind it bound the keys too. */
static void
constrain_element (const KvsqlSequence *self, guint index, const KvsqlConstrainer *constrainer,
                   KvsqlFollow follow, KvsqlPieces *out)
{
  const KvsqlElement *element = self->elements[index];

  *out = (KvsqlPieces){ 0 };
  element->klass->constrain (element, constrainer, follow_of (self, index, follow), out);
  if (out->as_points != NULL
      && (out->is_open
          || (!all_points (out)
              && (constrainer->wants_points
                  || is_narrowed_behind (self, index, constrainer, follow)))))
    *out = *out->as_points;
}

void
kvsql_sequence_constrain_box (const KvsqlSequence *self, const KvsqlConstrainer *constrainer,
                              KvsqlFollow follow, KvsqlPieces *out)
{
  KvsqlPieces fronts, before_fan = { 0 };
  gint fan = -1; /* the first of the fan-outs behind which nothing is known so far */

  kvsql_pieces_init (&fronts, constrainer, 1);
  kvsql_pieces_add_point (&fronts, KVSQL_SLICE_EMPTY);
  for (guint i = 0; i < self->n_elements; i++)
    {
      KvsqlPieces pieces;
      guint n_fixed = fronts.n_fixed;

      constrain_element (self, i, constrainer, follow, &pieces);
      if (!pieces.is_open && pieces.n_pieces == 0)
        {
          *out = (KvsqlPieces){ 0 };
          return;
        }
      if (pieces.is_open || (gsize)fronts.n_pieces * pieces.n_pieces > KVSQL_MAX_PIECES)
        {
          finish_with_ranges (fan >= 0 ? &before_fan : &fronts, NULL, FALSE, constrainer, out);
          out->is_open = fan >= 0 ? fan == 0 : i == 0;
          out->n_fixed = fan >= 0 ? before_fan.n_fixed : n_fixed;
          return;
        }
      if (pieces.is_fan_out && fan < 0)
        {
          before_fan = fronts;
          fan = i;
        }
      else if (!pieces.is_fan_out && self->elements[i]->klass != &kvsql_element_constant)
        fan = -1;
      if (!all_points (&pieces))
        {
          finish_with_ranges (&fronts, &pieces, i + 1 == self->n_elements, constrainer, out);
          out->n_fixed = n_fixed;
          return;
        }
      multiply_points (&fronts, &pieces, constrainer);
    }
  *out = fronts;
  out->is_fan_out = fan == 0;
}

/* ---- the automaton */

KvsqlNfaFragment
kvsql_sequence_automaton (const KvsqlSequence *self, KvsqlNfa *nfa)
{
  KvsqlNfaFragment result = kvsql_nfa_literal (nfa, KVSQL_SLICE_EMPTY);

  for (guint i = 0; i < self->n_elements; i++)
    result = kvsql_nfa_sequence (nfa, result,
                                 self->elements[i]->klass->automaton (self->elements[i], nfa));
  return result;
}
