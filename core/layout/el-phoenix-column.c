/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-phoenix-column.c: phoenix_column(n){…}: a column in the one cell of a row, which Phoenix
 * writes for tables with IMMUTABLE_STORAGE_SCHEME = SINGLE_CELL_ARRAY_WITH_OFFSETS.
 *
 * The cell as Phoenix 5.2.1 writes it (SingleCellConstructorExpression, PArrayDataTypeEncoder):
 *
 *   the elements, without anything between them; element 0 is "x", and column n is element n - 10
 *   where each element starts, in 2 or 4 bytes; negative: the column has no value
 *   4 bytes: where these offsets start
 *   4 bytes: the number of elements, negative if an offset has 4 bytes
 *   1 byte: the version, 3
 *
 * All numbers are big-endian. A column without a value, and one with an empty value, is NULL.
 */
#include "config.h"

#include "core/layout/inner.h"
#include "core/layout/element-classes.h"

#include "core/layout/automata/nfa.h"
#include "core/schema/relation.h"
#include "core/sql/ast-definition.h"

#define FIRST_COLUMN 11
#define LAST_COLUMN 65535
#define SERIALIZATION_VERSION 3
#define TRAILER_SIZE 9
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

/* Phoenix decides by the last offset alone; the others are not greater. */
static gboolean
needs_wide_offsets (gint32 last)
{
  return last < G_MININT16 || last > G_MAXINT16;
}

static void
append_trailer (const gint32 *offsets, guint n, gsize start, KvsqlBuffer *out)
{
  gboolean is_wide = needs_wide_offsets (offsets[n - 1]);
  guint32 position = (guint32)(out->size - start);
  gsize width = is_wide ? sizeof (gint32) : sizeof (gint16);
  guint8 *at = kvsql_buffer_extend (out, n * width + TRAILER_SIZE);

  for (guint i = 0; i < n; i++, at += width)
    if (is_wide)
      kvsql_put_be32 (at, (guint32)offsets[i]);
    else
      kvsql_put_be16 (at, (guint16)offsets[i]);
  kvsql_put_be32 (at, position);
  kvsql_put_be32 (at + 4, is_wide ? -n : n);
  at[8] = SERIALIZATION_VERSION;
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
  append_trailer (offsets, row->n_elements, start, out);
  return TRUE;
}

/* ---- decoding */

typedef struct
{
  KvsqlSlice elements;
  const guint8 *offsets;
  guint32 n;
  gboolean is_wide;
} Reader;

static gboolean
read_trailer (KvsqlSlice bytes, Reader *out)
{
  const guint8 *trailer;
  guint32 position, n;
  gsize width;

  if (bytes.size < TRAILER_SIZE || bytes.data[bytes.size - 1] != SERIALIZATION_VERSION)
    return FALSE;
  trailer = bytes.data + bytes.size - TRAILER_SIZE;
  position = kvsql_get_be32 (trailer);
  n = kvsql_get_be32 (trailer + 4);
  out->is_wide = (gint32)n < 0;
  out->n = out->is_wide ? -n : n;
  width = out->is_wide ? sizeof (gint32) : sizeof (gint16);
  if (out->n == 0 || position + out->n * width != bytes.size - TRAILER_SIZE)
    return FALSE;
  out->elements = kvsql_slice (bytes.data, position);
  out->offsets = bytes.data + position;
  return TRUE;
}

static gint64
offset_of (const Reader *self, guint32 i)
{
  return self->is_wide ? (gint32)kvsql_get_be32 (self->offsets + i * sizeof (gint32))
                       : (gint16)kvsql_get_be16 (self->offsets + i * sizeof (gint16));
}

/* Sets *out to empty bytes if the element has no value. */
static gboolean
read_element (const Reader *self, guint32 i, KvsqlSlice *out)
{
  gint64 from = i < self->n ? offset_of (self, i) : -1;
  gint64 to = i + 1 < self->n ? ABS (offset_of (self, i + 1)) : (gint64)self->elements.size;

  *out = KVSQL_SLICE_EMPTY;
  if (from < 0)
    return TRUE;
  if (to < from || (gsize)to > self->elements.size)
    return FALSE;
  *out = kvsql_slice (self->elements.data + from, (gsize)(to - from));
  return TRUE;
}

static gboolean
decode_column (const KvsqlElement *column, const Reader *reader, KvsqlDecoder *decoder)
{
  guint steps = decoder->steps;
  KvsqlSlice bytes;
  gboolean ok;

  if (!read_element (reader, column->width - FIRST_COLUMN + 1, &bytes))
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
  Reader reader;

  if (!read_trailer (bytes, &reader))
    return FALSE;
  for (guint i = 0; i < self->inner->n_elements; i++)
    if (!decode_column (self->inner->elements[i], &reader, decoder))
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
