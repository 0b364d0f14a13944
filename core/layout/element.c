/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * element.c: functions that the classes of elements share.
 */
#include "config.h"

#include "core/layout/element.h"

#include "core/layout/automata/nfa.h"
#include "core/schema/relation.h"
#include "core/sql/ast-definition.h"

#include <string.h>

/* Of UTF-8. */
#define MAX_BYTE_OF_TEXT 0xf4

void
kvsql_element_set_inner (KvsqlElement *self, KvsqlSequence *inner)
{
  self->inner = inner;
  /* in messages and marks, an element with one leaf has the attribute of the leaf */
  if (inner->n_elements == 1)
    {
      self->attribute = inner->elements[0]->attribute;
      self->is_copy = inner->elements[0]->is_copy;
      self->holds_null = inner->elements[0]->holds_null;
    }
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
  if (self->is_cell_key && kvsql_type_is_json (self->type))
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, name->span,
                            "attribute \"%s\" is a %s, which cannot be in a cell key", name->text,
                            kvsql_type_get_name (self->type))
           || kvsql_error_hint (error, "Put it into VALUE. To find tuples by a part of it, copy "
                                       "that part to an attribute of its own.");
  self->is_copy = kvsql_attribute_set_has (&compiler->placed, attribute);
  kvsql_attribute_set_add (&compiler->placed, attribute);
  return TRUE;
}

guint32
kvsql_element_get_mark (const KvsqlElement *self)
{
  return self->attribute < 0 || self->is_copy
             ? KVSQL_NFA_NO_MARK
             : self->attribute + self->mark_shift * KVSQL_MAX_ATTRIBUTES;
}

/* The bytes of UTF-8 without NUL, which no STRING has. */
static KvsqlNfaFragment
any_text_without (KvsqlNfa *nfa, guint8 separator)
{
  KvsqlByteSet bytes = KVSQL_BYTE_SET_EMPTY;

  for (guint byte = 1; byte <= MAX_BYTE_OF_TEXT; byte++)
    if (byte != separator)
      kvsql_byte_set_add_range (&bytes, (guint8)byte, (guint8)byte);
  return kvsql_nfa_repeat (nfa, kvsql_nfa_byte_set (nfa, &bytes), 0, KVSQL_NFA_UNLIMITED);
}

KvsqlNfaFragment
kvsql_element_any_without (const KvsqlElement *self, KvsqlNfa *nfa, KvsqlSlice separator)
{
  return self->type == KVSQL_TYPE_STRING && self->inner == NULL && self->least_byte > 0
                 && separator.size == 1
             ? any_text_without (nfa, separator.data[0])
             : kvsql_nfa_any_without (nfa, separator);
}

KvsqlNfaFragment
kvsql_element_any_value (const KvsqlElement *self, KvsqlNfa *nfa)
{
  if (self->fixed_size >= 0)
    return kvsql_nfa_any_bytes (nfa, self->fixed_size);
  return self->is_restricted ? kvsql_element_any_without (self, nfa, self->separator)
                             : kvsql_nfa_any (nfa);
}

KvsqlNfaFragment
kvsql_element_mark (const KvsqlElement *self, KvsqlNfa *nfa, KvsqlNfaFragment value)
{
  guint32 mark = kvsql_element_get_mark (self);

  return mark == KVSQL_NFA_NO_MARK ? value : kvsql_nfa_mark (nfa, value, mark);
}

KvsqlNfaFragment
kvsql_element_any_united (const KvsqlElement *self, KvsqlNfa *nfa)
{
  KvsqlNfaFragment value = kvsql_element_any_value (self, nfa);

  for (guint i = 0; i < self->inner->n_elements; i++)
    if (!self->inner->elements[i]->is_copy)
      return kvsql_element_mark (self->inner->elements[i], nfa, value);
  return value;
}

void
kvsql_element_constrain_nothing (const KvsqlElement *self, const KvsqlConstrainer *constrainer,
                                 KvsqlDelimiter delimiter, KvsqlByteRanges *out)
{
  *out = (KvsqlByteRanges){ .is_open = TRUE };
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

void
kvsql_decoder_clear_null (KvsqlDecoder *decoder, const KvsqlElement *element)
{
  KvsqlVector *column = &decoder->batch->columns[element->attribute];

  if (!element->is_copy && column->has_nulls)
    kvsql_vector_clear_null (column, decoder->row);
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

/* Whether the value itself, and not only what is written for it, has the separator at @at. */
static gboolean
has_separator_at (const KvsqlEncoder *encoder, const KvsqlElement *element, gsize at)
{
  const KvsqlValue *value = element->attribute < 0 ? NULL : &encoder->tuple[element->attribute];
  KvsqlSlice separator = element->separator;

  return value != NULL && (value->type == KVSQL_TYPE_STRING || value->type == KVSQL_TYPE_BYTES)
         && value->bytes.size >= at + separator.size
         && memcmp (value->bytes.data + at, separator.data, separator.size) == 0;
}

gboolean
kvsql_encode_separator_error (const KvsqlEncoder *encoder, const KvsqlElement *element,
                              GError **error, gsize at)
{
  g_autofree gchar *shown = kvsql_readable (element->separator);

  kvsql_encode_error (
      encoder, element, error, "%s \"%s\" at byte %" G_GSIZE_FORMAT ", which ends it",
      has_separator_at (encoder, element, at) ? "contains" : "is written with", shown, at);
  return kvsql_error_hint (error, "Use size{…} or another separator where values may contain it.");
}

gssize
kvsql_element_find_end (const KvsqlElement *self, KvsqlSlice rest, gsize from)
{
  const guint8 *found;

  if (from > rest.size)
    return -1;
  if (!self->is_delimited)
    return from;
  found = memmem (rest.data + from, rest.size - from, self->separator.data, self->separator.size);
  if (found == NULL)
    return self->may_end_field ? (gssize)rest.size : -1;
  return found - rest.data;
}

gssize
kvsql_element_next_open_length (const KvsqlElement *self, KvsqlSlice rest, gssize previous)
{
  return kvsql_element_find_end (self, rest, (gsize)(previous + 1));
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

KvsqlByteOrder
kvsql_element_byte_order (const KvsqlElement *self)
{
  return self->klass->byte_order == NULL ? KVSQL_BYTE_ORDER_NONE : self->klass->byte_order (self);
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
