/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sequence.c: elements one after another.
 *
 * Decoding goes from left to right while elements show where they end. After the first element
 * whose tail has a fixed size, lengths follow from the end of the field. Only where a separator may
 * occur inside a value (the definition proof finds these places) does the decoder search: it tries
 * the next separator if the rest of the field does not match.
 *
 * A constraint is intersected with the elements from the left. Points are multiplied with the
 * points of the next element. The first range or unconstrained element ends the walk.
 */
#include "config.h"

#include "core/layout/decode-plan.h"
#include "core/base/interrupt.h"
#include "core/layout/element.h"
#include "core/layout/automata/nfa.h"
#include "core/layout/readings.h"
#include "core/layout/split.h"
#include "core/sql/ast-definition.h"

#include <string.h>

/* For the automaton of an element, which takes some 10 us. */
#define TICKS_FOR_AUTOMATON 4
/* After this number of steps in one field, its bytes are not accepted. */
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

/* text(4){bucket(10){n}} means bucket(10){text(4){n}}: the text form of the changed value. Returns
 * NULL if @node has no such form. */
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

/* An open element ends where the constant at the start of the next element begins. */
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

/* Joins the constants in one copy: a layout may have very many of them. */
static void
note_constant (KvsqlSequence *self, KvsqlArena *arena)
{
  gsize size = 0;
  guint8 *bytes;

  self->constant = KVSQL_SLICE_EMPTY;
  self->is_constant = TRUE;
  for (guint i = 0; i < self->n_elements && self->is_constant; i++)
    {
      self->is_constant = self->elements[i]->klass == &kvsql_element_constant;
      size += self->elements[i]->constant.size;
    }
  if (!self->is_constant || size == 0)
    return;
  bytes = kvsql_arena_alloc (arena, size);
  size = 0;
  for (guint i = 0; i < self->n_elements; i++)
    {
      KvsqlSlice constant = self->elements[i]->constant;

      if (constant.size > 0)
        memcpy (bytes + size, constant.data, constant.size);
      size += constant.size;
    }
  self->constant = kvsql_slice (bytes, size);
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
      if (self->elements[self->n_elements++] == NULL || !kvsql_interrupt_poll (error))
        return NULL;
    }
  delimit (self);
  measure (self, compiler->arena);
  self->n_attributes = compiler->relation->n_attributes;
  note_derived (self);
  note_constant (self, compiler->arena);
  kvsql_sequence_collect_attributes (self, &self->attributes);
  if (!kvsql_interrupt_spend (1 + (gint)(self->n_elements / 4)) && !kvsql_interrupt_check (error))
    return NULL;
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

/* ---- encoding */

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
          /* the value of an open element must not contain its separator; suffix checks its own */
          start += element->constant.size;
          /* an empty buffer may have a NULL pointer */
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

/* ---- decoding */

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

/* As decode_by_search(), but only with the end that the reading chooses. */
static gboolean
decode_as_chosen (const KvsqlSequence *self, guint index, KvsqlSlice rest, KvsqlDecoder *decoder)
{
  const KvsqlElement *element = self->elements[index];
  gint choice = kvsql_readings_choose (decoder->readings);
  gssize length = -1;

  if (choice < 0)
    return FALSE;
  for (gint i = 0; i <= choice; i++)
    {
      length = element->klass->next_length != NULL
                   ? element->klass->next_length (element, rest, length)
                   : kvsql_element_next_open_length (element, rest, length);
      if (length < 0 || ++decoder->steps > MAX_STEPS || (i > 0 && element->is_restricted))
        {
          decoder->readings->is_past_end = TRUE;
          return FALSE;
        }
    }
  return element->klass->decode (element, kvsql_slice (rest.data, length), decoder)
         && decode_from (self, index + 1, kvsql_slice (rest.data + length, rest.size - length),
                         decoder);
}

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
      else if (decoder->readings != NULL)
        return decode_as_chosen (self, index, rest, decoder);
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
    bytes = kvsql_slice ("", 0); /* an empty slice may have a NULL pointer */
  decoder->steps = 0; /* also without a search, since outer elements add their own steps to it */
  if (self->plan != NULL && decoder->readings == NULL)
    return kvsql_decode_plan_run (self->plan, bytes, decoder);
  if (self->fixed_size >= 0 && (gsize)self->fixed_size != bytes.size)
    return FALSE;
  return decode_from (self, 0, bytes, decoder);
}

/* ---- constraints to byte ranges */

KvsqlDelimiter
kvsql_sequence_inner_delimiter (const KvsqlSequence *inner, gsize size)
{
  /* the sizes of several inner values are unknown */
  if (inner->n_elements == 1 && inner->elements[0]->inner == NULL)
    return (KvsqlDelimiter){ .kind = KVSQL_DELIMITER_FIXED, .size = size };
  return (KvsqlDelimiter){ .kind = KVSQL_DELIMITER_UNKNOWN };
}

static KvsqlSlice
joined (KvsqlArena *arena, KvsqlSlice a, KvsqlSlice b)
{
  return b.size == 0 ? a : kvsql_slice_join (arena, a, b);
}

static KvsqlDelimiter
delimiter_after (const KvsqlSequence *self, guint index, KvsqlDelimiter outer)
{
  const KvsqlElement *next;

  if (index + 1 == self->n_elements)
    return outer;
  next = self->elements[index + 1];
  if (next->constant.size > 0)
    return (KvsqlDelimiter){ .kind = KVSQL_DELIMITER_BYTES,
                             .bytes = next->constant,
                             .least = self->elements[index]->least_byte };
  return (KvsqlDelimiter){ .kind = KVSQL_DELIMITER_UNKNOWN };
}

/* Makes the ranges of all bytes that begin with a point of @prefixes, restricted by @last (NULL:
 * unrestricted). At the end of the sequence (@is_end), points stay points. */
static void
finish_with_ranges (const KvsqlByteRanges *prefixes, const KvsqlByteRanges *last, gboolean is_end,
                    const KvsqlConstrainer *constrainer, KvsqlByteRanges *out)
{
  KvsqlArena *arena = constrainer->arena;
  guint n_last = last == NULL ? 1 : last->n_ranges;

  kvsql_byte_ranges_init (out, constrainer, prefixes->n_ranges * n_last);
  for (guint i = 0; i < prefixes->n_ranges; i++)
    for (guint j = 0; j < n_last; j++)
      {
        const KvsqlByteRange *range = last == NULL ? NULL : &last->ranges[j];
        KvsqlSlice prefix = prefixes->ranges[i].low;
        KvsqlSlice low = range == NULL ? prefix : joined (arena, prefix, range->low);
        KvsqlSlice high = KVSQL_SLICE_EMPTY;
        gboolean has_high;

        if (is_end && range != NULL && range->is_point)
          {
            kvsql_byte_ranges_add_point (out, low);
            out->ranges[out->n_ranges - 1].is_exact
                = prefixes->ranges[i].is_exact && range->is_exact;
            continue;
          }
        if (range != NULL && !range->is_point && range->has_high)
          {
            high = joined (arena, prefix, range->high);
            has_high = TRUE;
          }
        else
          has_high = kvsql_slice_successor (arena, range != NULL && range->is_point ? low : prefix,
                                            &high);
        /* after a range, later elements are not considered */
        kvsql_byte_ranges_add_range (out, low, has_high, high,
                                     prefixes->ranges[i].is_exact && range != NULL
                                         && range->is_exact);
      }
}

static gboolean
all_points (const KvsqlByteRanges *ranges)
{
  for (guint i = 0; i < ranges->n_ranges; i++)
    if (!ranges->ranges[i].is_point)
      return FALSE;
  return TRUE;
}

static void
multiply_points (KvsqlByteRanges *prefixes, const KvsqlByteRanges *next,
                 const KvsqlConstrainer *constrainer)
{
  KvsqlByteRanges product;

  kvsql_byte_ranges_init (&product, constrainer, prefixes->n_ranges * next->n_ranges);
  product.n_fixed = prefixes->n_fixed + 1;
  for (guint i = 0; i < prefixes->n_ranges; i++)
    for (guint j = 0; j < next->n_ranges; j++)
      {
        const KvsqlByteRange *a = &prefixes->ranges[i], *b = &next->ranges[j];
        kvsql_byte_ranges_add_point (&product, joined (constrainer->arena, a->low, b->low));
        product.ranges[product.n_ranges - 1].is_exact = a->is_exact && b->is_exact;
      }
  *prefixes = product;
}

/* Whether @element depends on another attribute than @first. (If both depend on one attribute,
 * split.c has already cut its intervals.) */
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

/* Whether an element after @index bounds the keys further. */
static gboolean
is_bounded_after (const KvsqlSequence *self, guint index, const KvsqlConstrainer *constrainer,
                  KvsqlDelimiter delimiter)
{
  for (guint i = index + 1; i < self->n_elements; i++)
    {
      const KvsqlElement *element = self->elements[i];
      KvsqlByteRanges ranges = { 0 };

      if (element->klass == &kvsql_element_constant
          || !is_about_others (element, self->elements[index]))
        continue;
      element->klass->constrain (element, constrainer, delimiter_after (self, i, delimiter),
                                 &ranges);
      if (ranges.is_open || !ranges.is_fan_out)
        return !ranges.is_open;
    }
  return FALSE;
}

/* The byte ranges of one element. A range with few values is taken as points if the elements after
 * it can then bound the keys too. */
static void
constrain_element (const KvsqlSequence *self, guint index, const KvsqlConstrainer *constrainer,
                   KvsqlDelimiter delimiter, KvsqlByteRanges *out)
{
  const KvsqlElement *element = self->elements[index];

  *out = (KvsqlByteRanges){ 0 };
  element->klass->constrain (element, constrainer, delimiter_after (self, index, delimiter), out);
  if (out->as_points != NULL
      && (out->is_open
          || (!all_points (out)
              && (constrainer->wants_points
                  || is_bounded_after (self, index, constrainer, delimiter)))))
    *out = *out->as_points;
}

void
kvsql_sequence_constrain_unsplit (const KvsqlSequence *self, const KvsqlConstrainer *constrainer,
                                  KvsqlDelimiter delimiter, KvsqlByteRanges *out)
{
  KvsqlByteRanges prefixes, before_fan = { 0 };
  gint fan = -1; /* the first fan-out after which no element bounds the keys so far */

  kvsql_byte_ranges_init (&prefixes, constrainer, 1);
  kvsql_byte_ranges_add_point (&prefixes, KVSQL_SLICE_EMPTY);
  for (guint i = 0; i < self->n_elements; i++)
    {
      KvsqlByteRanges ranges;
      guint n_fixed = prefixes.n_fixed;

      constrain_element (self, i, constrainer, delimiter, &ranges);
      if (!kvsql_interrupt_spend (1 + (gint)(ranges.n_ranges / 4)))
        ranges.is_open = TRUE;
      if (!ranges.is_open && ranges.n_ranges == 0)
        {
          *out = (KvsqlByteRanges){ 0 };
          return;
        }
      if (ranges.is_open || (gsize)prefixes.n_ranges * ranges.n_ranges > KVSQL_MAX_BYTE_RANGES)
        {
          finish_with_ranges (fan >= 0 ? &before_fan : &prefixes, NULL, FALSE, constrainer, out);
          out->is_open = fan >= 0 ? fan == 0 : i == 0;
          out->n_fixed = fan >= 0 ? before_fan.n_fixed : n_fixed;
          return;
        }
      if (ranges.is_fan_out && fan < 0)
        {
          before_fan = prefixes;
          fan = i;
        }
      else if (!ranges.is_fan_out && self->elements[i]->klass != &kvsql_element_constant)
        fan = -1;
      if (!all_points (&ranges))
        {
          finish_with_ranges (&prefixes, &ranges, i + 1 == self->n_elements, constrainer, out);
          out->n_fixed = n_fixed;
          return;
        }
      multiply_points (&prefixes, &ranges, constrainer);
    }
  *out = prefixes;
  out->is_fan_out = fan == 0;
}

/* ---- automaton */

KvsqlNfaFragment
kvsql_sequence_automaton (const KvsqlSequence *self, KvsqlNfa *nfa)
{
  KvsqlNfaFragment result = kvsql_nfa_literal (nfa, KVSQL_SLICE_EMPTY);

  for (guint i = 0; i < self->n_elements && kvsql_nfa_check (nfa, NULL)
                    && kvsql_interrupt_spend (TICKS_FOR_AUTOMATON);
       i++)
    result = kvsql_nfa_sequence (nfa, result,
                                 self->elements[i]->klass->automaton (self->elements[i], nfa));
  return result;
}
