/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * element.c: the table of element kinds, and functions that the compile functions of elements
 * share.
 */
#include "config.h"

#include "core/layout/element.h"

#include "core/layout/automata/nfa.h"
#include "core/sql/ast-definition.h"

#include <stdlib.h>

/* One line for each class. */
/* clang-format off */
static const KvsqlElementClass *const classes[] = {
  &kvsql_element_base64,
  &kvsql_element_bucket,
  &kvsql_element_desc,
  &kvsql_element_fixed,
  &kvsql_element_flipped,
  &kvsql_element_format,
  &kvsql_element_hash,
  &kvsql_element_hex,
  &kvsql_element_json,
  &kvsql_element_null,
  &kvsql_element_offset,
  &kvsql_element_ordered,
  &kvsql_element_phoenix,
  &kvsql_element_prefix,
  &kvsql_element_regexp,
  &kvsql_element_salt,
  &kvsql_element_size,
  &kvsql_element_suffix,
  &kvsql_element_text,
  &kvsql_element_unsigned,
  &kvsql_element_uuid,
};

/* These are expanded before elements are compiled. */
static const gchar *const expanded[] = { "attr_name", "attr_value", "map_key", "map_value" };
/* clang-format on */

const KvsqlElementClass *
kvsql_element_class_find (const gchar *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    if (g_ascii_strcasecmp (classes[i]->name, name) == 0)
      return classes[i];
  return NULL;
}

static int
compare_names (const void *a, const void *b)
{
  return strcmp (*(const gchar *const *)a, *(const gchar *const *)b);
}

const gchar *const *
kvsql_element_class_list (void)
{
  static const gchar *names[G_N_ELEMENTS (classes) + G_N_ELEMENTS (expanded) + 1];
  static gsize is_made;

  if (g_once_init_enter (&is_made))
    {
      guint n = 0;

      for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
        names[n++] = classes[i]->name;
      for (guint i = 0; i < G_N_ELEMENTS (expanded); i++)
        names[n++] = expanded[i];
      qsort (names, n, sizeof *names, compare_names);
      g_once_init_leave (&is_made, 1);
    }
  return names;
}

gboolean
kvsql_element_expect (const KvsqlLayoutNode *node, guint min_arguments, guint max_arguments,
                      gboolean has_inner, GError **error)
{
  const gchar *name = node->name.text;

  if (node->n_arguments < min_arguments || node->n_arguments > max_arguments)
    {
      if (max_arguments == 0)
        return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->span, "%s takes no arguments",
                                name);
      if (min_arguments == max_arguments)
        return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->span, "%s takes %u argument%s",
                                name, min_arguments, min_arguments == 1 ? "" : "s");
      return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->span,
                              "%s takes %u to %u arguments", name, min_arguments, max_arguments);
    }
  if (node->has_list)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->span, "%s takes no list in [ ]",
                            name);
  if (has_inner && (!node->has_inner || node->inner.n_nodes == 0))
    {
      kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->span,
                       "%s needs what it applies to in { }", name);
      return kvsql_error_hint (error, "Write it as %s{attribute}.", name);
    }
  if (has_inner && node->inner.is_list)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->inner.span,
                            "%s takes elements joined by \":\"", name);
  return TRUE;
}

gboolean
kvsql_element_bytes_argument (const KvsqlLayoutNode *node, guint index, KvsqlArena *arena,
                              KvsqlSlice *out, GError **error)
{
  const KvsqlLayoutArgument *argument = &node->arguments[index];

  if (argument->kind != KVSQL_ARGUMENT_VALUE
      || (argument->value.type != KVSQL_TYPE_STRING && argument->value.type != KVSQL_TYPE_BYTES))
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, argument->span,
                            "%s needs text or bytes here", node->name.text);
  if (argument->value.bytes.size == 0)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, argument->span,
                            "%s needs at least one byte here", node->name.text);
  *out = kvsql_slice_dup (arena, argument->value.bytes);
  return TRUE;
}

gboolean
kvsql_element_wide_argument (const KvsqlLayoutNode *node, guint index, gint64 min, gint64 max,
                             gint64 *out, GError **error)
{
  const KvsqlLayoutArgument *argument = &node->arguments[index];

  if (argument->kind != KVSQL_ARGUMENT_VALUE || argument->value.type != KVSQL_TYPE_BIGINT
      || argument->value.integer < min || argument->value.integer > max)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, argument->span,
                            "%s needs a whole number from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
                            " here",
                            node->name.text, min, max);
  *out = argument->value.integer;
  return TRUE;
}

gboolean
kvsql_element_integer_argument (const KvsqlLayoutNode *node, guint index, gint64 min, gint64 max,
                                guint *out, GError **error)
{
  gint64 wide;

  if (!kvsql_element_wide_argument (node, index, min, max, &wide, error))
    return FALSE;
  *out = wide;
  return TRUE;
}

gboolean
kvsql_element_bind_attribute (KvsqlElement *self, KvsqlLayoutCompiler *compiler,
                              const KvsqlName *name, GError **error)
{
  guint attribute;

  if (!kvsql_relation_find (compiler->relation, name, &attribute, error))
    return FALSE;
  self->attribute = attribute;
  self->type = compiler->as_type != KVSQL_TYPE_NULL
                   ? compiler->as_type
                   : compiler->relation->attributes[attribute].type;
  self->is_cell_key = compiler->is_cell_key;
  self->is_copy = kvsql_attribute_set_has (&compiler->placed, attribute);
  kvsql_attribute_set_add (&compiler->placed, attribute);
  return TRUE;
}

gboolean
kvsql_element_bind_inner_attribute (KvsqlElement *self, KvsqlLayoutCompiler *compiler,
                                    const KvsqlLayoutNode *node, GError **error)
{
  if (node->inner.n_nodes != 1 || node->inner.nodes[0].kind != KVSQL_LAYOUT_ATTRIBUTE)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->inner.span,
                            "%s applies to one attribute", node->name.text);
  if (!kvsql_element_bind_attribute (self, compiler, &node->inner.nodes[0].name, error))
    return FALSE;
  if (kvsql_type_is_collection (self->type) && self->klass != &kvsql_element_json)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->span,
                            "%s{…} cannot hold attribute \"%s\", which is a %s", node->name.text,
                            node->inner.nodes[0].name.text, kvsql_type_get_name (self->type))
           || kvsql_error_hint (error, "Use json{%s}.", node->inner.nodes[0].name.text);
  return TRUE;
}

gboolean
kvsql_element_compile_inner (KvsqlElement *self, KvsqlLayoutCompiler *compiler,
                             const KvsqlLayoutNode *node, GError **error)
{
  self->inner = kvsql_sequence_compile (compiler, &node->inner, error);
  if (self->inner == NULL)
    return FALSE;
  /* in messages and marks, an element with one leaf has the attribute of the leaf */
  if (self->inner->n_elements == 1)
    {
      self->attribute = self->inner->elements[0]->attribute;
      self->is_copy = self->inner->elements[0]->is_copy;
      self->holds_null = self->inner->elements[0]->holds_null;
    }
  return TRUE;
}

guint32
kvsql_element_get_mark (const KvsqlElement *self)
{
  return self->attribute < 0 || self->is_copy
             ? KVSQL_NFA_NO_MARK
             : self->attribute + self->mark_shift * KVSQL_MAX_ATTRIBUTES;
}

static const KvsqlElement *
find_length (const KvsqlSequence *sequence)
{
  for (guint i = 0; i < sequence->n_elements; i++)
    {
      const KvsqlElement *element = sequence->elements[i], *inside;
      if (element->klass->has_length && element->fixed_size < 0)
        return element;
      inside = element->inner == NULL ? NULL : find_length (element->inner);
      if (inside != NULL)
        return inside;
    }
  return NULL;
}

gboolean
kvsql_element_reject_lengths (const KvsqlElement *self, const KvsqlLayoutNode *node, GError **error)
{
  const KvsqlElement *found = find_length (self->inner);

  if (found == NULL)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_DEFINITION, found->span, "%s is not possible in %s",
                   found->klass->name, node->name.text);
  return kvsql_error_hint (error, "Put it around: %s{%s{…}}.", found->klass->name, node->name.text);
}

gssize
kvsql_sequence_get_own_length (const KvsqlSequence *inner, KvsqlSlice bytes)
{
  const KvsqlElement *only = inner->n_elements == 1 ? inner->elements[0] : NULL;

  if (only == NULL || !only->is_prefix_free)
    return -1;
  if (only->fixed_size >= 0)
    return (gsize)only->fixed_size <= bytes.size ? only->fixed_size : -1;
  return only->klass->next_length (only, bytes, -1);
}

KvsqlNfaFragment
kvsql_element_any_value (const KvsqlElement *self, KvsqlNfa *nfa)
{
  if (self->fixed_size >= 0)
    return kvsql_nfa_any_bytes (nfa, self->fixed_size);
  return self->is_restricted ? kvsql_nfa_any_without (nfa, self->separator) : kvsql_nfa_any (nfa);
}

KvsqlNfaFragment
kvsql_element_mark (const KvsqlElement *self, KvsqlNfa *nfa, KvsqlNfaFragment value)
{
  guint32 mark = kvsql_element_get_mark (self);

  return mark == KVSQL_NFA_NO_MARK ? value : kvsql_nfa_mark (nfa, value, mark);
}

const KvsqlValue *
kvsql_encoder_get_value (const KvsqlEncoder *encoder, const KvsqlElement *element, GError **error)
{
  const KvsqlValue *value = &encoder->tuple[element->attribute];

  if (!kvsql_value_is_null (value))
    return value;
  kvsql_encode_error (encoder, element, error, "is NULL, which has no form");
  kvsql_error_hint (error,
                    "Give it a value, write it as null('…'){…} or ordered{…}, or put it into a "
                    "cell of its own with attr_value[…], which is then left out.");
  return NULL;
}

gboolean
kvsql_decoder_set (KvsqlDecoder *decoder, const KvsqlElement *element, const KvsqlValue *value)
{
  KvsqlVector *column = &decoder->batch->columns[element->attribute];

  /* with several readings, a copy also stores the value of its own bytes */
  if ((element->is_copy && decoder->readings == NULL) || column->type == KVSQL_TYPE_NULL)
    return TRUE;
  /* an abandoned reading may have left a NULL */
  if (column->has_nulls)
    kvsql_vector_clear_null (column, decoder->row);
  kvsql_vector_set (column, decoder->row, value);
  return TRUE;
}

gboolean
kvsql_encode_error (const KvsqlEncoder *encoder, const KvsqlElement *element, GError **error,
                    const gchar *format, ...)
{
  g_autofree gchar *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  if (element->attribute >= 0)
    return kvsql_error_set (
        error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "attribute \"%s\" %s in schema \"%s\"",
        encoder->relation->attributes[element->attribute].name, what, encoder->schema);
  return kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "a value %s in schema \"%s\"",
                          what, encoder->schema);
}

/* ---- order */

KvsqlByteOrder
kvsql_element_byte_order (const KvsqlElement *self)
{
  return self->klass->byte_order == NULL ? KVSQL_BYTE_ORDER_NONE : self->klass->byte_order (self);
}

/* Whether the next element sorts before each byte with which a longer value could continue. */
static gboolean
ends_below (const KvsqlSequence *self, guint index)
{
  const KvsqlElement *next;

  if (index + 1 == self->n_elements)
    return TRUE;
  next = self->elements[index + 1];
  return next->constant.size > 0 && next->constant.data[0] < self->elements[index]->least_byte;
}

KvsqlByteOrder
kvsql_sequence_byte_order (const KvsqlSequence *self, guint index)
{
  KvsqlByteOrder order = kvsql_element_byte_order (self->elements[index]);

  return order.is_last_only && !ends_below (self, index) ? KVSQL_BYTE_ORDER_NONE : order;
}

KvsqlByteOrder
kvsql_sequence_inner_order (const KvsqlSequence *self)
{
  return self->n_elements == 1 ? kvsql_element_byte_order (self->elements[0])
                               : KVSQL_BYTE_ORDER_NONE;
}
