/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-phoenix-column.c: phoenix_column(n){…}: a column in the one cell of a row, which Phoenix
 * writes for tables with IMMUTABLE_STORAGE_SCHEME = SINGLE_CELL_ARRAY_WITH_OFFSETS.
 *
 * The cell as Phoenix 5.2.1 writes it (SingleCellConstructorExpression, PArrayDataTypeEncoder):
 *
 *   the elements, without anything between them; element 0 is "x", and column n is element n - 10
 *   where each element starts (phoenix-offsets.h, version 3); negative: the column has no value
 *
 * A column without a value, and one with an empty value, is NULL.
 */
#include "config.h"

#include "core/layout/inner.h"
#include "core/layout/element-classes.h"

#include "core/layout/automata/nfa.h"
#include "core/layout/encoding/phoenix-offsets.h"
#include "core/schema/relation.h"
#include "core/sql/ast-definition.h"

#define FIRST_COLUMN 11
#define LAST_COLUMN 65535
#define FIRST_ELEMENT "x"

/* ---- compiling */

typedef struct
{
  guint n_elements;
  const KvsqlElement **columns; /* [n_elements]; NULL: no column is named */
} Row;

static gboolean
fail_inner (const KvsqlLayoutNode *node, const gchar *what, GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->inner.span,
                          "phoenix_column applies to one %s", what);
}

/* Takes the attribute of the only inner element that is no constant. */
static gboolean
take_attribute (KvsqlElement *self, const KvsqlLayoutNode *node, GError **error)
{
  const KvsqlElement *leaf = NULL;

  for (guint i = 0; i < self->inner->n_elements; i++)
    {
      const KvsqlElement *element = self->inner->elements[i];

      if (element->klass == &kvsql_element_constant)
        continue;
      if (leaf != NULL || element->attribute < 0)
        return fail_inner (node, "attribute", error);
      leaf = element;
    }
  if (leaf == NULL)
    return fail_inner (node, "attribute", error);
  if (kvsql_element_holds_part (leaf))
    return fail_inner (node, "whole attribute", error);
  self->attribute = leaf->attribute;
  self->type = leaf->type;
  self->is_copy = leaf->is_copy;
  return TRUE;
}

static gboolean
compile (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
         GError **error)
{
  if (!kvsql_element_expect (node, 1, 1, TRUE, error)
      || !kvsql_element_integer_argument (node, 0, FIRST_COLUMN, LAST_COLUMN, &self->width, error))
    return FALSE;
  if (compiler->is_cell_key)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->span,
                            "phoenix_column is possible in VALUE only");
  if (!kvsql_element_compile_inner (self, compiler, node, error)
      || !take_attribute (self, node, error))
    return FALSE;
  self->holds_null = !compiler->relation->attributes[self->attribute].is_not_null;
  self->is_open = TRUE;
  return TRUE;
}

static gboolean
add_column (Row *row, const KvsqlElement *column, GError **error)
{
  guint element = column->width - FIRST_COLUMN + 1;

  if (column->klass != &kvsql_element_phoenix_column)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, column->span,
                            "this element is next to columns of Phoenix")
           || kvsql_error_hint (error, "Elements of phoenix_column are one cell, in which nothing "
                                       "else can be.");
  if (row->columns[element] != NULL)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, column->span,
                            "column %u is that of another element", column->width);
  row->columns[element] = column;
  return TRUE;
}

/* Makes one element of a sequence of columns. */
static gboolean
unite (KvsqlElement *self, const KvsqlSequence *columns, KvsqlLayoutCompiler *compiler,
       GError **error)
{
  Row *row = kvsql_arena_new0 (compiler->arena, Row);
  guint last = 0;

  for (guint i = 0; i < columns->n_elements; i++)
    last = MAX (last, columns->elements[i]->width);
  row->n_elements = last - FIRST_COLUMN + 2;
  row->columns = kvsql_arena_array (compiler->arena, const KvsqlElement *, row->n_elements);
  for (guint i = 0; i < columns->n_elements; i++)
    if (!add_column (row, columns->elements[i], error))
      return FALSE;
  self->klass = &kvsql_element_phoenix_row;
  self->own = row;
  self->is_open = TRUE;
  self->loss = "the columns of Phoenix's cell that no phoenix_column names";
  return TRUE;
}

/* ---- encoding */

/* Sets *out_offset to where the element starts. */
static gboolean
append_column (const KvsqlElement *column, const KvsqlEncoder *encoder, gsize start,
               KvsqlBuffer *out, gint32 *out_offset, GError **error)
{
  gint32 offset = (gint32)(out->size - start);

  *out_offset = -offset;
  if (column == NULL
      || (column->holds_null && kvsql_value_is_null (&encoder->tuple[column->attribute])))
    return TRUE;
  *out_offset = offset;
  if (!kvsql_sequence_encode (column->inner, encoder, out, error))
    return FALSE;
  return (gint32)(out->size - start) > offset
         || kvsql_encode_error (encoder, column, error, "is empty, which has no form")
         || kvsql_error_hint (error, "Phoenix takes '' as NULL.");
}

static gboolean
encode (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out, GError **error)
{
  const Row *row = self->own;
  g_autofree gint32 *offsets = g_new0 (gint32, row->n_elements);
  gsize start = out->size;

  kvsql_buffer_append (out, FIRST_ELEMENT, strlen (FIRST_ELEMENT));
  for (guint i = 1; i < row->n_elements; i++)
    if (!append_column (row->columns[i], encoder, start, out, &offsets[i], error))
      return FALSE;
  kvsql_phoenix_offsets_append (KVSQL_PHOENIX_CELL, offsets, row->n_elements, start, out);
  return TRUE;
}

/* ---- decoding */

/* Sets *out to empty bytes if the element has no value. */
static gboolean
read_element (const KvsqlPhoenixOffsets *self, guint32 i, KvsqlSlice *out)
{
  gint64 from = i < self->n ? kvsql_phoenix_offsets_get (self, i) : -1;
  gint64 to = i + 1 < self->n ? ABS (kvsql_phoenix_offsets_get (self, i + 1))
                              : (gint64)self->elements.size;

  *out = KVSQL_SLICE_EMPTY;
  if (from < 0)
    return TRUE;
  if (to < from || (gsize)to > self->elements.size)
    return FALSE;
  *out = kvsql_slice (self->elements.data + from, (gsize)(to - from));
  return TRUE;
}

static gboolean
decode_column (const KvsqlElement *column, const KvsqlPhoenixOffsets *offsets,
               KvsqlDecoder *decoder)
{
  guint steps = decoder->steps;
  KvsqlSlice bytes;
  gboolean ok;

  if (!read_element (offsets, column->width - FIRST_COLUMN + 1, &bytes))
    return FALSE;
  if (bytes.size == 0)
    return column->holds_null && kvsql_decoder_set (decoder, column, &KVSQL_VALUE_NULL);
  kvsql_decoder_clear_null (decoder, column);
  ok = kvsql_sequence_decode (column->inner, bytes, decoder);
  decoder->steps += steps;
  return ok;
}

static gboolean
decode (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  KvsqlPhoenixOffsets offsets;

  if (!kvsql_phoenix_offsets_read (KVSQL_PHOENIX_CELL, bytes, &offsets))
    return FALSE;
  for (guint i = 0; i < self->inner->n_elements; i++)
    if (!decode_column (self->inner->elements[i], &offsets, decoder))
      return FALSE;
  return TRUE;
}

/* ---- classes */

/* Layouts do not have the second one: columns become a row. */

const KvsqlElementClass kvsql_element_phoenix_column = {
  .name = "phoenix_column",
  .compile = compile,
  .unite = unite,
};

const KvsqlElementClass kvsql_element_phoenix_row = {
  .name = "phoenix_column",
  .encode = encode,
  .decode = decode,
  .constrain = kvsql_element_constrain_nothing,
  .automaton = kvsql_element_any_united,
};
