/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * compile-sequence.c: makes elements of the AST of a layout.
 */
#include "config.h"

#include "core/layout/compile-sequence.h"

#include "core/base/interrupt.h"
#include "core/layout/element.h"
#include "core/layout/element-classes.h"
#include "core/schema/relation.h"
#include "core/sql/ast-definition.h"

#include <string.h>

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
new_element (const KvsqlLayoutCompiler *compiler, const KvsqlElementClass *klass, KvsqlSpan span)
{
  KvsqlElement *self = kvsql_arena_new0 (compiler->arena, KvsqlElement);

  self->klass = klass;
  self->span = span;
  self->fixed_size = -1;
  self->attribute = -1;
  self->pad = -1;
  self->slot = -1;
  self->field = compiler->field;
  return self;
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
  self = new_element (compiler, klass, node->span);
  if (!klass->compile (self, compiler, node, error))
    return NULL;
  g_assert (self->attribute < (gint)compiler->relation->n_attributes);
  g_assert (self->slot < (gint)compiler->n_slots && self->fixed_size >= -1);
  return self;
}

/* An open element ends where the constant at the start of the next element begins. Of a last
 * element that is optional, nothing may be there. */
static void
delimit (KvsqlSequence *self)
{
  for (guint i = 0; i + 1 < self->n_elements; i++)
    {
      KvsqlElement *element = self->elements[i];
      const KvsqlElement *next = self->elements[i + 1];
      gboolean may_end = i + 2 == self->n_elements && next->front.size > 0;

      if (!element->is_open || (next->constant.size == 0 && !may_end))
        continue;
      element->is_delimited = TRUE;
      element->may_end_field = may_end;
      element->separator = may_end ? next->front : next->constant;
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
note_loss (KvsqlSequence *self)
{
  for (guint i = 0; i < self->n_elements; i++)
    {
      const KvsqlElement *element = self->elements[i];

      if (element->loss != NULL)
        self->loss = element->loss;
      else if (!element->is_derived && element->inner != NULL && element->inner->loss != NULL)
        self->loss = element->inner->loss;
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

/* Computes what follows from the elements. */
static void
note_elements (KvsqlSequence *self, KvsqlArena *arena)
{
  measure (self, arena);
  note_derived (self);
  note_constant (self, arena);
  note_loss (self);
  kvsql_sequence_collect_attributes (self, &self->attributes);
}

KvsqlSequence *
kvsql_sequence_cut (const KvsqlSequence *self, guint from, guint n, KvsqlArena *arena)
{
  KvsqlSequence *part = kvsql_arena_new0 (arena, KvsqlSequence);

  g_assert (from + n <= self->n_elements);
  part->elements = kvsql_arena_array (arena, KvsqlElement *, n + 1);
  for (guint i = 0; i < n; i++)
    part->elements[part->n_elements++] = self->elements[from + i];
  part->n_attributes = self->n_attributes;
  note_elements (part, arena);
  return part;
}

/* The sequence of one element, in which all elements of @inner are. */
static KvsqlSequence *
unite (KvsqlSequence *inner, const KvsqlElementClass *klass, KvsqlLayoutCompiler *compiler,
       GError **error)
{
  KvsqlSequence *outer = kvsql_arena_new0 (compiler->arena, KvsqlSequence);
  KvsqlElement *whole = new_element (compiler, klass, inner->elements[0]->span);

  note_elements (inner, compiler->arena);
  if (!klass->unite (whole, inner, compiler, error))
    return NULL;
  kvsql_element_set_inner (whole, inner);
  outer->elements = kvsql_arena_array (compiler->arena, KvsqlElement *, 1);
  outer->elements[outer->n_elements++] = whole;
  outer->n_attributes = inner->n_attributes;
  return outer;
}

/* Elements that are only a part of one with their like become that one. */
static KvsqlSequence *
unite_parts (KvsqlSequence *self, KvsqlLayoutCompiler *compiler, GError **error)
{
  for (guint i = 0; i < self->n_elements; i++)
    if (self->elements[i]->klass->unite != NULL)
      return unite (self, self->elements[i]->klass, compiler, error);
  return self;
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
  g_assert (self->n_elements <= layout->n_nodes);
  self->n_attributes = compiler->relation->n_attributes;
  self = unite_parts (self, compiler, error);
  if (self == NULL)
    return NULL;
  delimit (self);
  note_elements (self, compiler->arena);
  if (!kvsql_interrupt_spend (1 + (gint)(self->n_elements / 4)) && !kvsql_interrupt_check (error))
    return NULL;
  return self;
}
