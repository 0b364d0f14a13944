/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * each.c: finds and compiles each{…}, and splits fields into their elements.
 */
#include "config.h"

#include "core/layout/each.h"

#include "core/base/interrupt.h"
#include "core/layout/compile-sequence.h"
#include "core/layout/el-tsdb.h"
#include "core/layout/element.h"
#include "core/layout/sequence.h"
#include "core/schema/relation.h"

#include <string.h>

/* ---- finding */

static gboolean
is_each (const KvsqlLayoutNode *node)
{
  return node->kind == KVSQL_LAYOUT_ELEMENT && g_ascii_strcasecmp (node->name.text, "each") == 0;
}

static gboolean
fail_place (const KvsqlLayoutNode *node, const KvsqlLayoutNode *around, GError **error)
{
  if (around != NULL)
    kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->span,
                     "each{…} is not possible inside %s{…}", around->name.text);
  else
    kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->span,
                     "each{…} is possible in VALUE only, or in QUALIFIER and VALUE");
  return kvsql_error_hint (error, "Write VALUE each{…}: one cell then holds several tuples.");
}

static gboolean
reject_inside (const KvsqlLayoutNode *around, GError **error)
{
  for (guint i = 0; around->has_inner && i < around->inner.n_nodes; i++)
    {
      const KvsqlLayoutNode *node = &around->inner.nodes[i];

      if (!kvsql_interrupt_poll (error))
        return FALSE;
      if (is_each (node))
        return fail_place (node, around, error);
      if (!reject_inside (node, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
find_in_field (const KvsqlLayoutSequence *layout, KvsqlEachPlace *out, GError **error)
{
  for (guint i = 0; i < layout->n_nodes; i++)
    {
      const KvsqlLayoutNode *node = &layout->nodes[i];

      if (!kvsql_interrupt_poll (error) || !reject_inside (node, error))
        return FALSE;
      if (!is_each (node))
        continue;
      if (out->node != NULL)
        return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->span,
                                "a field can repeat one each{…} only")
               || kvsql_error_hint (error, "Put everything that repeats into one each{…}.");
      *out = (KvsqlEachPlace){ node, i };
    }
  return TRUE;
}

gboolean
kvsql_each_find (const KvsqlLayoutSequence *layouts, KvsqlEachPlaces *out, GError **error)
{
  *out = (KvsqlEachPlaces){ 0 };
  for (guint field = 0; field < KVSQL_N_FIELDS; field++)
    {
      KvsqlEachPlace place = { 0 };

      if (!find_in_field (&layouts[field], &place, error))
        return FALSE;
      if (place.node != NULL && field < KVSQL_FIELD_QUALIFIER)
        return fail_place (place.node, NULL, error);
      *(field == KVSQL_FIELD_VALUE ? &out->value : &out->qualifier) = place;
    }
  if (out->qualifier.node == NULL || out->value.node != NULL)
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, out->qualifier.node->span,
                          "each{…} in QUALIFIER needs one in VALUE")
         || kvsql_error_hint (error,
                              "The first element of QUALIFIER and the first one of VALUE are "
                              "a tuple.");
}

/* ---- compiling */

/* each{…}: to the end; each(2){…}: counted; each(','){…}: separated. */
static gboolean
read_argument (const KvsqlLayoutNode *node, KvsqlArena *arena, guint *out_count_size,
               KvsqlSlice *out_separator, GError **error)
{
  *out_count_size = 0;
  *out_separator = KVSQL_SLICE_EMPTY;
  if (!kvsql_element_expect (node, 0, 1, TRUE, error))
    return FALSE;
  if (node->n_arguments == 0)
    return TRUE;
  if (node->arguments[0].kind == KVSQL_ARGUMENT_VALUE
      && node->arguments[0].value.type == KVSQL_TYPE_BIGINT)
    return kvsql_element_integer_argument (node, 0, 1, 4, out_count_size, error);
  return kvsql_element_bytes_argument (node, 0, arena, out_separator, error)
         || kvsql_error_hint (error,
                              "each(','){…} has a separator, each(2){…} a number of elements "
                              "in 2 bytes, and each{…} goes to the end.");
}

static gboolean
flatten (const KvsqlEachPlace *place, KvsqlLayoutSequence *layout, KvsqlArena *arena,
         GError **error)
{
  const KvsqlLayoutNode *node = place->node;
  guint count_size, n = 0;
  KvsqlSlice separator;
  KvsqlLayoutNode *nodes;

  if (node == NULL)
    return TRUE;
  if (!read_argument (node, arena, &count_size, &separator, error))
    return FALSE;
  nodes = kvsql_arena_array (arena, KvsqlLayoutNode, layout->n_nodes + node->inner.n_nodes + 1);
  for (guint i = 0; i < place->index; i++)
    nodes[n++] = layout->nodes[i];
  if (count_size > 0)
    {
      guint8 *one = memset (kvsql_arena_alloc (arena, count_size), 0, count_size);

      one[count_size - 1] = 1;
      nodes[n++] = (KvsqlLayoutNode){ .kind = KVSQL_LAYOUT_CONSTANT,
                                      .span = node->span,
                                      .constant = kvsql_slice (one, count_size) };
    }
  for (guint i = 0; i < node->inner.n_nodes; i++)
    nodes[n++] = node->inner.nodes[i];
  for (guint i = place->index + 1; i < layout->n_nodes; i++)
    nodes[n++] = layout->nodes[i];
  *layout = (KvsqlLayoutSequence){ .span = layout->span, .nodes = nodes, .n_nodes = n };
  return TRUE;
}

gboolean
kvsql_each_flatten (const KvsqlEachPlaces *places, KvsqlLayoutSequence *layouts, KvsqlArena *arena,
                    GError **error)
{
  return flatten (&places->qualifier, &layouts[KVSQL_FIELD_QUALIFIER], arena, error)
         && flatten (&places->value, &layouts[KVSQL_FIELD_VALUE], arena, error);
}

/* The number of elements that are made of some nodes: an empty constant makes none. */
static guint
count_elements (const KvsqlLayoutNode *nodes, guint n)
{
  guint count = 0;

  for (guint i = 0; i < n; i++)
    count += nodes[i].kind != KVSQL_LAYOUT_CONSTANT || nodes[i].constant.size > 0;
  return count;
}

/* The first element whose end is unknown when it is read from the left; NULL: there is none. */
static const KvsqlElement *
find_endless (const KvsqlSequence *sequence)
{
  for (guint i = 0; i < sequence->n_elements; i++)
    {
      const KvsqlElement *element = sequence->elements[i];

      if (element->fixed_size < 0 && !element->is_delimited
          && !(element->is_prefix_free && element->klass->next_length != NULL))
        return element;
    }
  return NULL;
}

static gboolean
fail_endless (const KvsqlElement *element, const KvsqlRelation *relation, const gchar *hint,
              GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_DEFINITION, element->span,
                   "the elements of each{…} cannot be split");
  if (element->attribute >= 0)
    kvsql_error_detail (error, "Nothing says where the value of \"%s\" ends.",
                        relation->attributes[element->attribute].name);
  return kvsql_error_hint (error, "%s", hint);
}

static gboolean
check_ends (const KvsqlEach *self, const KvsqlRelation *relation, GError **error)
{
  const KvsqlElement *endless = find_endless (self->before);

  if (endless != NULL)
    return fail_endless (endless, relation,
                         "Say where it ends: suffix('-'){…}, size{…}, fixed(n){…}.", error);
  endless = self->is_tsdb ? NULL : find_endless (self->inner);
  if (endless != NULL)
    return fail_endless (endless, relation,
                         self->separator.size > 0
                             ? "Only the last part of an element may end at the separator. Say "
                               "where the others end: suffix('-'){…}, size{…}, fixed(n){…}."
                             : "Use each(','){…}, or say where it ends: suffix(','){…}, size{…}, "
                               "fixed(n){…}.",
                         error);
  if (self->after->fixed_size >= 0)
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, self->after->elements[0]->span,
                          "only elements of a fixed size may follow each{…}")
         || kvsql_error_hint (error, "Put them before each{…}.");
}

/* Two forms of a value of a KEY attribute would be two elements for one tuple. */
static void
make_keys_strict (KvsqlSequence *sequence, const KvsqlRelation *relation)
{
  for (guint i = 0; i < sequence->n_elements; i++)
    {
      KvsqlElement *element = sequence->elements[i];

      if (element->attribute >= 0 && relation->attributes[element->attribute].is_key)
        element->is_cell_key = TRUE;
      if (element->inner != NULL)
        make_keys_strict (element->inner, relation);
    }
}

static KvsqlEach *
compile_field (const KvsqlEachPlace *place, const KvsqlLayoutSequence *layout,
               const KvsqlSequence *field, const KvsqlRelation *relation, KvsqlArena *arena,
               GError **error)
{
  KvsqlEach *self = kvsql_arena_new0 (arena, KvsqlEach);
  const KvsqlLayoutNode *node = place->node;
  guint n_before = count_elements (layout->nodes, place->index), from, n_inner;
  KvsqlElement *last;

  self->span = node->span;
  if (!read_argument (node, arena, &self->count_size, &self->separator, error))
    return NULL;
  from = n_before + (self->count_size > 0);
  n_inner = count_elements (node->inner.nodes, node->inner.n_nodes);
  g_assert (from + n_inner <= field->n_elements);
  self->before = kvsql_sequence_cut (field, 0, n_before, arena);
  self->inner = kvsql_sequence_cut (field, from, n_inner, arena);
  self->after
      = kvsql_sequence_cut (field, from + n_inner, field->n_elements - from - n_inner, arena);
  self->attributes = self->inner->attributes;
  if (self->inner->is_constant)
    {
      kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->inner.span,
                       "the elements of each{…} have no attribute");
      return NULL;
    }
  last = self->inner->elements[n_inner - 1];
  if (last->is_open)
    {
      last->is_delimited = self->separator.size > 0;
      last->separator = self->separator;
    }
  self->is_tsdb = kvsql_tsdb_is_value (self->inner);
  make_keys_strict (self->inner, relation);
  return check_ends (self, relation, error) ? self : NULL;
}

KvsqlEach *
kvsql_each_compile (const KvsqlEachPlaces *places, const KvsqlLayoutSequence *layouts,
                    KvsqlSequence *const *fields, const KvsqlRelation *relation, KvsqlArena *arena,
                    GError **error)
{
  KvsqlEach *self = compile_field (&places->value, &layouts[KVSQL_FIELD_VALUE],
                                   fields[KVSQL_FIELD_VALUE], relation, arena, error);

  if (self == NULL || places->qualifier.node == NULL)
    return self;
  self->qualifier = compile_field (&places->qualifier, &layouts[KVSQL_FIELD_QUALIFIER],
                                   fields[KVSQL_FIELD_QUALIFIER], relation, arena, error);
  if (self->qualifier == NULL)
    return NULL;
  kvsql_attribute_set_add_all (&self->attributes, &self->qualifier->attributes);
  return self;
}

/* ---- reading */

/* The length of an element whose end is searched; -1: it has no end. */
static gssize
find_end (const KvsqlElement *element, KvsqlSlice rest)
{
  gsize start = element->constant.size;
  const guint8 *found;

  if (!element->is_open)
    return element->klass->next_length (element, rest, -1);
  if (start > rest.size)
    return -1;
  found = memmem (rest.data + start, rest.size - start, element->separator.data,
                  element->separator.size);
  return found == NULL ? -1 : found - rest.data;
}

/* The length of a value of the sequence at the start of @bytes; -1: there is none. If the end of
 * @bytes may end it, @is_last. */
static gssize
measure (const KvsqlSequence *self, KvsqlSlice bytes, gboolean is_last)
{
  gsize at = 0;

  for (guint i = 0; i < self->n_elements; i++)
    {
      const KvsqlElement *element = self->elements[i];
      KvsqlSlice rest = kvsql_slice (bytes.data + at, bytes.size - at);
      gssize length = element->fixed_size;

      if (length < 0)
        length = find_end (element, rest);
      if (length < 0 && is_last && i + 1 == self->n_elements && element->is_open)
        length = (gssize)rest.size;
      if (length < 0 || (gsize)length > rest.size)
        return -1;
      at += (gsize)length;
    }
  return (gssize)at;
}

static gboolean
take (KvsqlSlice *rest, gsize n, KvsqlSlice *out)
{
  if (n > rest->size)
    return FALSE;
  *out = kvsql_slice (rest->data, n);
  *rest = kvsql_slice (rest->data + n, rest->size - n);
  return TRUE;
}

static gboolean
begin_list (const KvsqlEach *self, KvsqlSlice bytes, KvsqlDecoder *decoder, KvsqlEachList *out)
{
  KvsqlSlice rest = bytes.size > 0 ? bytes : kvsql_slice ("", 0), part, after;
  gssize n_before = measure (self->before, rest, FALSE);
  gsize n_after = (gsize)self->after->fixed_size;

  *out = (KvsqlEachList){ .each = self, .has_element = self->separator.size > 0 };
  if (n_before < 0 || !take (&rest, (gsize)n_before, &part)
      || !kvsql_sequence_decode (self->before, part, decoder)
      || !take (&rest, self->count_size, &part) || rest.size < n_after)
    return FALSE;
  for (gsize i = 0; i < part.size; i++)
    out->n_left = out->n_left << 8 | part.data[i];
  after = kvsql_slice (rest.data + rest.size - n_after, n_after);
  out->rest = kvsql_slice (rest.data, rest.size - n_after);
  return kvsql_sequence_decode (self->after, after, decoder);
}

gboolean
kvsql_each_begin (const KvsqlEach *self, KvsqlSequence *const *fields, KvsqlSlice qualifier,
                  KvsqlSlice value, KvsqlDecoder *decoder, KvsqlEachWalk *out)
{
  *out = (KvsqlEachWalk){ 0 };
  return (self->qualifier != NULL
              ? begin_list (self->qualifier, qualifier, decoder, &out->qualifier)
              : kvsql_sequence_decode (fields[KVSQL_FIELD_QUALIFIER], qualifier, decoder))
         && begin_list (self, value, decoder, &out->value);
}

/* Skips the separator after an element, if there is one. */
static gboolean
skip_separator (KvsqlEachList *self)
{
  KvsqlSlice separator = self->each->separator;

  if (separator.size == 0 || self->rest.size == 0)
    return TRUE;
  if (!kvsql_slice_has_prefix (self->rest, separator))
    return FALSE;
  self->rest = kvsql_slice (self->rest.data + separator.size, self->rest.size - separator.size);
  self->has_element = TRUE;
  return TRUE;
}

static KvsqlEachStep
next_of_list (KvsqlEachList *self, KvsqlDecoder *decoder)
{
  const KvsqlEach *each = self->each;
  gssize length;

  if (each->count_size > 0 ? self->n_left == 0 : self->rest.size == 0 && !self->has_element)
    return self->rest.size == 0 ? KVSQL_EACH_END : KVSQL_EACH_DAMAGED;
  if (each->is_tsdb)
    length = (gssize)kvsql_tsdb_get_width (each->inner, decoder->slots);
  else
    length = measure (each->inner, self->rest, each->separator.size > 0);
  /* without a separator, an element without bytes would have no end */
  if (length < 0 || (length == 0 && each->separator.size == 0)
      || !take (&self->rest, (gsize)length, &self->element)
      || !kvsql_sequence_decode (each->inner, self->element, decoder))
    return KVSQL_EACH_DAMAGED;
  self->has_element = FALSE;
  self->n_left--;
  return skip_separator (self) ? KVSQL_EACH_ELEMENT : KVSQL_EACH_DAMAGED;
}

/* A byte after the values of several points: 0, or 1 if their qualifiers have different sizes. A
 * single one has it if it was left over when equal points were merged. */
static KvsqlEachStep
end_points (const KvsqlEachWalk *self)
{
  KvsqlSlice rest = self->value.rest;

  if (rest.size == 0)
    return self->n == 1 ? KVSQL_EACH_END : KVSQL_EACH_DAMAGED;
  return rest.size == 1 && rest.data[0] <= 1 && self->n > 0 ? KVSQL_EACH_END : KVSQL_EACH_DAMAGED;
}

KvsqlEachStep
kvsql_each_next (KvsqlEachWalk *self, KvsqlDecoder *decoder)
{
  gboolean is_in_step = self->qualifier.each != NULL;
  KvsqlEachStep first = is_in_step ? next_of_list (&self->qualifier, decoder) : KVSQL_EACH_ELEMENT;
  KvsqlEachStep step;

  if (first == KVSQL_EACH_DAMAGED)
    return KVSQL_EACH_DAMAGED;
  if (first == KVSQL_EACH_END && self->value.each->is_tsdb)
    return end_points (self);
  step = next_of_list (&self->value, decoder);
  if (is_in_step && step != first) /* both lists have the same number of elements */
    return KVSQL_EACH_DAMAGED;
  self->n++;
  return step;
}
