/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * derived.c: finds the parts that give an attribute back, and checks derived elements.
 */
#include "config.h"

#include "core/layout/derived.h"

#include "core/layout/compile-sequence.h"
#include "core/layout/element-classes.h"
#include "core/schema/relation.h"
#include "core/sql/ast-definition.h"

/* ---- compiling */

gboolean
kvsql_element_take_slot (KvsqlElement *self, KvsqlLayoutCompiler *compiler, GError **error)
{
  if (compiler->is_apart)
    return TRUE;
  if (compiler->n_slots == KVSQL_MAX_SLOTS)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, self->span,
                            "a cell has at most %d elements that are derived or hold a part",
                            KVSQL_MAX_SLOTS);
  self->slot = compiler->n_slots;
  compiler->slots[compiler->n_slots++] = self;
  return TRUE;
}

static gboolean
compile_inner (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
               KvsqlType as_type, GError **error)
{
  KvsqlLayoutCompiler apart = *compiler;

  apart.placed = (KvsqlAttributeSet){ 0 };
  apart.is_apart = TRUE;
  apart.as_type = as_type;
  self->inner = kvsql_sequence_compile (&apart, &node->inner, error);
  return self->inner != NULL;
}

gboolean
kvsql_element_compile_apart (KvsqlElement *self, KvsqlLayoutCompiler *compiler,
                             const KvsqlLayoutNode *node, GError **error)
{
  self->is_derived = TRUE;
  return compile_inner (self, compiler, node, KVSQL_TYPE_NULL, error)
         && kvsql_element_take_slot (self, compiler, error);
}

/* The only attribute in @sequence; -1 if there is none or more than one. */
static gint
only_attribute (const KvsqlSequence *sequence)
{
  gint found = -1;

  for (guint i = 0; i < sequence->n_elements; i++)
    {
      const KvsqlElement *element = sequence->elements[i];
      gint attribute
          = element->inner != NULL ? only_attribute (element->inner) : element->attribute;
      if (attribute < 0 && element->klass == &kvsql_element_constant)
        continue;
      if (attribute < 0 || found >= 0)
        return -1;
      found = attribute;
    }
  return found;
}

static gboolean
holds_derived (const KvsqlSequence *sequence)
{
  KvsqlAttributeSet none = { 0 };

  return !kvsql_attribute_set_contains (&none, &sequence->derived_from);
}

gboolean
kvsql_element_compile_part (KvsqlElement *self, KvsqlLayoutCompiler *compiler,
                            const KvsqlLayoutNode *node, KvsqlType as_type, GError **error)
{
  const gchar *name = node->name.text;

  self->is_part = TRUE;
  if (!compile_inner (self, compiler, node, as_type, error))
    return FALSE;
  self->attribute = only_attribute (self->inner);
  if (self->attribute < 0 || holds_derived (self->inner))
    {
      kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->inner.span,
                       "%s applies to one attribute", name);
      return kvsql_error_hint (error,
                               "It may have elements of its own there, as in %s(…){"
                               "suffix('-'){attribute}}.",
                               name);
    }
  self->type = compiler->relation->attributes[self->attribute].type;
  if (kvsql_type_get_class (self->type) != KVSQL_CLASS_INTEGER)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->inner.span,
                            "%s applies to INT, BIGINT, DATE and TIMESTAMP, and \"%s\" is %s", name,
                            compiler->relation->attributes[self->attribute].name,
                            kvsql_type_get_name (self->type));
  self->is_cell_key = compiler->is_cell_key;
  return kvsql_element_take_slot (self, compiler, error);
}

/* ---- resolving */

static void
set_inner_marks (KvsqlSequence *sequence, gboolean is_copy, guint mark_shift)
{
  for (guint i = 0; i < sequence->n_elements; i++)
    {
      KvsqlElement *element = sequence->elements[i];
      element->is_copy = is_copy;
      element->mark_shift = mark_shift;
      if (element->inner != NULL)
        set_inner_marks (element->inner, is_copy, mark_shift);
    }
}

static void
set_marks (KvsqlElement *part, gboolean is_copy, guint mark_shift)
{
  part->is_copy = is_copy;
  part->mark_shift = mark_shift;
  if (part->inner != NULL)
    set_inner_marks (part->inner, is_copy, mark_shift);
}

static guint
list_parts (const KvsqlLayoutCompiler *compiler, guint attribute, KvsqlElement **out)
{
  guint n = 0;

  for (guint i = 0; i < compiler->n_slots; i++)
    if (compiler->slots[i]->is_part && compiler->slots[i]->attribute == (gint)attribute)
      out[n++] = compiler->slots[i];
  return n;
}

/* Chooses the parts that determine the attribute, those that determine the most of it. Returns
 * their number; 0 if none do. */
static guint
choose_parts (KvsqlElement *const *parts, guint n, KvsqlElement **out)
{
  guint n_best = 0, best = 0;

  for (guint i = 0; i < n; i++)
    {
      KvsqlElement *chosen[KVSQL_MAX_SLOTS];
      guint n_chosen = 0, score = parts[i]->klass->choose (parts, n, i, chosen, &n_chosen);
      g_assert (n_chosen <= n);
      if (score <= best)
        continue;
      best = score;
      n_best = n_chosen;
      memcpy (out, chosen, n_chosen * sizeof *chosen);
    }
  return n_best;
}

static gboolean
held_in_part (const KvsqlLayoutCompiler *compiler, const KvsqlElement *part, GError **error)
{
  const gchar *name = compiler->relation->attributes[part->attribute].name;

  kvsql_error_set (error, KVSQL_ERROR_DEFINITION, part->span,
                   "attribute \"%s\" does not follow from %s alone", name, part->klass->name);
  if (part->klass == &kvsql_element_format)
    return kvsql_error_hint (error,
                             "Let the formats of a cell have all fields from the year on, or put "
                             "the attribute elsewhere as a whole.");
  if (part->klass == &kvsql_element_tsdb_offset)
    return kvsql_error_hint (error, "Put its hour into ROW: bucket(3600000){seconds(4){%s}}.",
                             name);
  return kvsql_error_hint (
      error, "bucket and offset of the same width give it back; or put it elsewhere as a whole.");
}

static gboolean
resolve_parts (KvsqlLayoutCompiler *compiler, KvsqlDerived *self, guint attribute, GError **error)
{
  gboolean is_whole = kvsql_attribute_set_has (&compiler->placed, attribute);
  KvsqlElement *parts[KVSQL_MAX_SLOTS], *givers[KVSQL_MAX_SLOTS];
  guint n = list_parts (compiler, attribute, parts), n_givers;

  if (n == 0)
    return TRUE;
  for (guint i = 0; i < n; i++)
    set_marks (parts[i], TRUE, 0);
  n_givers = is_whole ? 0 : choose_parts (parts, n, givers);
  if (!is_whole && n_givers == 0)
    return held_in_part (compiler, parts[0], error);
  if (n_givers > 0)
    {
      KvsqlCompositeAttribute *composite = &self->composites[self->n_composites++];
      *composite = (KvsqlCompositeAttribute){ .attribute = attribute, .n_parts = n_givers };
      composite->parts = kvsql_arena_copy (compiler->arena, givers, n_givers * sizeof *givers);
      for (guint i = 0; i < n_givers; i++)
        {
          set_marks (givers[i], FALSE, i);
          givers[i]->n_parts = n_givers;
        }
      kvsql_attribute_set_add (&compiler->placed, attribute);
    }
  /* a part that gives the attribute back alone is decoded strictly; several parts must match each
   * other; a tsdb_offset, which has several forms, matches any bucket */
  for (guint i = 0; i < n; i++)
    if (parts[i]->is_copy || (n_givers > 1 && parts[i]->klass != &kvsql_element_tsdb_offset))
      self->checked[self->n_checked++] = parts[i];
  return TRUE;
}

static gboolean
check_sources (const KvsqlLayoutCompiler *compiler, const KvsqlElement *element,
               const KvsqlAttributeSet *sources, GError **error)
{
  for (guint a = 0; a < compiler->relation->n_attributes; a++)
    if (kvsql_attribute_set_has (sources, a) && !kvsql_attribute_set_has (&compiler->placed, a))
      {
        kvsql_error_set (error, KVSQL_ERROR_DEFINITION, element->span,
                         "%s needs attribute \"%s\" in the same cell", element->klass->name,
                         compiler->relation->attributes[a].name);
        return kvsql_error_hint (error,
                                 "It can be checked only where every cell that has it also holds "
                                 "what it is made from: put the attribute into the row key.");
      }
  return TRUE;
}

/* The last field with an element that holds one of @sources. */
static guint
last_field_of (const KvsqlDerived *self, KvsqlSequence *const *fields,
               const KvsqlAttributeSet *sources)
{
  for (guint n = 1; n <= KVSQL_N_FIELDS; n++)
    {
      KvsqlAttributeSet held = { 0 };
      kvsql_derived_collect_held (self, fields, n, &held);
      if (kvsql_attribute_set_contains (&held, sources))
        return n - 1;
    }
  return KVSQL_N_FIELDS - 1;
}

gboolean
kvsql_derived_resolve (KvsqlLayoutCompiler *compiler, KvsqlSequence *const *fields,
                       KvsqlDerived **out, GError **error)
{
  KvsqlDerived *self;

  *out = NULL;
  if (compiler->n_slots == 0)
    return TRUE;
  self = kvsql_arena_new0 (compiler->arena, KvsqlDerived);
  self->composites
      = kvsql_arena_array (compiler->arena, KvsqlCompositeAttribute, compiler->n_slots);
  self->checked = kvsql_arena_array (compiler->arena, KvsqlElement *, compiler->n_slots);
  for (guint a = 0; a < compiler->relation->n_attributes; a++)
    if (!resolve_parts (compiler, self, a, error))
      return FALSE;
  for (guint i = 0; i < compiler->n_slots; i++)
    {
      KvsqlElement *element = compiler->slots[i];
      KvsqlAttributeSet sources = { 0 };
      self->last_field = MAX (self->last_field, element->field);
      if (!element->is_derived)
        continue;
      kvsql_sequence_collect_attributes (element->inner, &sources);
      if (!check_sources (compiler, element, &sources, error))
        return FALSE;
      self->checked[self->n_checked++] = element;
    }
  for (guint i = 0; i < self->n_checked; i++)
    kvsql_sequence_collect_attributes (self->checked[i]->inner, &self->sources);
  self->last_field = MAX (self->last_field, last_field_of (self, fields, &self->sources));
  g_assert (self->n_checked <= compiler->n_slots && self->n_composites <= compiler->n_slots);
  *out = self;
  return TRUE;
}

/* ---- held attributes */

static void
collect_wholes (const KvsqlSequence *sequence, KvsqlAttributeSet *out)
{
  for (guint i = 0; i < sequence->n_elements; i++)
    {
      const KvsqlElement *element = sequence->elements[i];
      if (element->is_derived || element->is_part)
        continue;
      if (element->inner != NULL)
        collect_wholes (element->inner, out);
      else if (element->attribute >= 0)
        kvsql_attribute_set_add (out, element->attribute);
    }
}

void
kvsql_derived_collect_held (const KvsqlDerived *self, KvsqlSequence *const *fields, guint n_fields,
                            KvsqlAttributeSet *out)
{
  for (guint field = 0; field < n_fields; field++)
    collect_wholes (fields[field], out);
  for (guint i = 0; self != NULL && i < self->n_composites; i++)
    {
      const KvsqlCompositeAttribute *composite = &self->composites[i];
      guint last = 0;
      for (guint p = 0; p < composite->n_parts; p++)
        last = MAX (last, composite->parts[p]->field);
      if (last < n_fields)
        kvsql_attribute_set_add (out, composite->attribute);
    }
}

/* ---- decoding */

gboolean
kvsql_integer_fits (KvsqlType type, gint64 number)
{
  return kvsql_type_has_integer (type, number);
}

static gboolean
compose (const KvsqlCompositeAttribute *composite, KvsqlDecoder *decoder)
{
  const KvsqlElement *part = composite->parts[0];
  KvsqlVector *column = &decoder->batch->columns[composite->attribute];
  gint64 number;

  if (!part->klass->join (composite->parts, composite->n_parts, decoder->slots, &number)
      || !kvsql_integer_fits (part->type, number))
    return FALSE;
  if (column->type != KVSQL_TYPE_NULL)
    {
      column->integers[decoder->row] = number;
      if (column->has_nulls)
        kvsql_vector_clear_null (column, decoder->row);
    }
  return TRUE;
}

static gboolean
check (const KvsqlElement *element, const KvsqlEncoder *encoder, KvsqlBuffer *scratch,
       const KvsqlDecoder *decoder)
{
  scratch->size = 0;
  return element->klass->encode (element, encoder, scratch, NULL)
         && kvsql_slice_equal (kvsql_buffer_slice (scratch), decoder->slots[element->slot].bytes);
}

gboolean
kvsql_derived_finish (const KvsqlDerived *self, const KvsqlRelation *relation,
                      KvsqlDecoder *decoder)
{
  KvsqlValue tuple[KVSQL_MAX_ATTRIBUTES];
  KvsqlEncoder encoder = { .relation = relation, .schema = "", .tuple = tuple };
  KvsqlBuffer scratch = { 0 };
  gboolean is_right = TRUE;

  for (guint i = 0; i < self->n_composites; i++)
    if (!compose (&self->composites[i], decoder))
      return FALSE;
  if (self->n_checked == 0)
    return TRUE;
  for (guint a = 0; a < relation->n_attributes; a++)
    if (kvsql_attribute_set_has (&self->sources, a))
      tuple[a] = kvsql_vector_get (&decoder->batch->columns[a], decoder->row);
  for (guint i = 0; i < self->n_checked && is_right; i++)
    is_right = check (self->checked[i], &encoder, &scratch, decoder);
  kvsql_buffer_clear (&scratch);
  return is_right;
}
