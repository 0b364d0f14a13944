/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * columns.c: see columns.h.
 *
 * As in arguments.c, failures are deferred: after a failure all values read as empty. Memory that a
 * bulk read was to fill must then not be read.
 */
#include "config.h"

#include "daemon/rpc/columns.h"

#include "daemon/rpc/request.h"

typedef struct _KvsqldRpcColumn
{
  KvsqlVector vector; /* the last list */
  guint n_values;
  guint n_lists;
  gboolean is_text_bad;
  gboolean has_nul;
  guint8 *bitmap; /* of NULLs */
  gsize bitmap_size;
  gboolean has_bitmap;
} Column;

typedef struct
{
  KvsqlProtocol *protocol;
  KvsqlArena *arena;
} Reader;

/* ---- text and bytes */

/* Copies bytes that the next read may move. The length fields between the values are copied too, so
 * that a column is one copy. */
static KvsqlSlice
keep (Reader *self, KvsqlSlice *slices, guint32 n)
{
  const guint8 *from = slices[0].data;
  gsize size = (gsize)(slices[n - 1].data + slices[n - 1].size - from);
  const guint8 *copy = kvsql_arena_copy (self->arena, from, size);

  for (guint32 i = 0; i < n; i++)
    slices[i].data = copy + (slices[i].data - from);
  return kvsql_slice (copy, size);
}

static gboolean
is_ascii (KvsqlSlice bytes)
{
  guint64 all = 0, word;
  gsize i = 0;

  for (; bytes.size - i >= sizeof word; i += sizeof word)
    {
      memcpy (&word, bytes.data + i, sizeof word);
      all |= word;
    }
  for (; i < bytes.size; i++)
    all |= bytes.data[i];
  return (all & G_GUINT64_CONSTANT (0x8080808080808080)) == 0;
}

/* @block: all values with the length fields between them, whose bytes are seldom above 0x7f, so
 * that one check of the block is mostly enough. */
static gboolean
are_utf8 (KvsqlSlice block, const KvsqlSlice *slices, guint32 n)
{
  if (is_ascii (block))
    return TRUE;
  for (guint32 i = 0; i < n; i++)
    if (!is_ascii (slices[i])
        && !g_utf8_validate ((const gchar *)slices[i].data, (gssize)slices[i].size, NULL))
      return FALSE;
  return TRUE;
}

static gboolean
read_texts (Reader *self, guint32 n, Column *out)
{
  KvsqlSlice *slices = out->vector.slices;
  KvsqlSlice block;

  if (!kvsql_protocol_read_slice_list (self->protocol, slices, n, NULL))
    return FALSE;
  if (n == 0)
    return TRUE;
  for (guint32 i = 0; i < n && !out->has_nul; i++)
    out->has_nul = slices[i].size > 0 && memchr (slices[i].data, 0, slices[i].size) != NULL;
  block = keep (self, slices, n);
  out->is_text_bad = !are_utf8 (block, slices, n);
  return TRUE;
}

static gboolean
read_binaries (Reader *self, guint32 n, Column *out)
{
  if (!kvsql_protocol_read_slice_list (self->protocol, out->vector.slices, n, NULL))
    return FALSE;
  if (n > 0)
    keep (self, out->vector.slices, n);
  return TRUE;
}

/* ---- a column */

static gboolean
read_booleans (Reader *self, guint32 n, Column *out)
{
  return kvsql_protocol_read_bool_list (self->protocol, out->vector.booleans, n, NULL);
}

static gboolean
read_integers (Reader *self, guint32 n, Column *out)
{
  return kvsql_protocol_read_int64_list (self->protocol, out->vector.integers, n, NULL);
}

static gboolean
read_reals (Reader *self, guint32 n, Column *out)
{
  return kvsql_protocol_read_double_list (self->protocol, out->vector.reals, n, NULL);
}

typedef struct
{
  KvsqlType type;
  ThriftType element;
  gsize size; /* of one value in the vector */
  gboolean (*read) (Reader *self, guint32 n, Column *out);
} Member;

/* Indexed by field number. */
static const Member members[] = {
  [2] = { KVSQL_TYPE_BOOLEAN, T_BOOL, sizeof (guint8), read_booleans },
  [3] = { KVSQL_TYPE_BIGINT, T_I64, sizeof (gint64), read_integers },
  [4] = { KVSQL_TYPE_DOUBLE, T_DOUBLE, sizeof (gdouble), read_reals },
  [5] = { KVSQL_TYPE_STRING, T_STRING, sizeof (KvsqlSlice), read_texts },
  [6] = { KVSQL_TYPE_BYTES, T_STRING, sizeof (KvsqlSlice), read_binaries },
};

static void
read_list (Reader *self, const Member *member, Column *out)
{
  guint32 n;

  if (!kvsql_protocol_read_list_size (self->protocol, member->element, &n, NULL))
    return;
  out->vector.type = member->type;
  out->vector.data = kvsql_arena_alloc (self->arena, (gsize)n * member->size);
  if (!member->read (self, n, out))
    return;
  out->n_values = n;
  out->n_lists++;
}

static void
read_bitmap (Reader *self, Column *out)
{
  KvsqlSlice bytes;

  if (!kvsql_protocol_read_bytes (self->protocol, &bytes, NULL))
    return;
  out->bitmap = kvsql_arena_copy (self->arena, bytes.data, bytes.size);
  out->bitmap_size = bytes.size;
  out->has_bitmap = TRUE;
}

static void
read_column (Reader *self, Column *out)
{
  ThriftProtocol *thrift = THRIFT_PROTOCOL (self->protocol);
  gchar *name = NULL;
  ThriftType type;
  gint16 id;

  thrift_protocol_read_struct_begin (thrift, &name, NULL);
  for (;;)
    {
      thrift_protocol_read_field_begin (thrift, &name, &type, &id, NULL);
      if (type == T_STOP)
        break;
      if (id == 1 && type == T_STRING)
        read_bitmap (self, out);
      else if (id >= 2 && id < (gint16)G_N_ELEMENTS (members) && type == T_LIST)
        read_list (self, &members[id], out);
      else
        thrift_protocol_skip (thrift, type, NULL);
    }
  thrift_protocol_read_struct_end (thrift, NULL);
}

void
kvsqld_rpc_columns_read (KvsqlProtocol *protocol, KvsqlArena *arena, KvsqldRpcColumns *out)
{
  Reader self = { .protocol = protocol, .arena = arena };
  guint32 n = 0;

  if (!kvsql_protocol_read_list_size (protocol, T_STRUCT, &n, NULL))
    return;
  out->columns = kvsql_arena_array (arena, Column, n);
  out->n_columns = n;
  for (guint32 i = 0; i < n; i++)
    read_column (&self, &out->columns[i]);
  thrift_protocol_read_list_end (THRIFT_PROTOCOL (protocol), NULL);
}

/* ---- rules */

static gboolean
check_bitmap (const Column *column, guint number, guint n_rows, KvsqlVector *out, GError **error)
{
  if (!column->has_bitmap)
    return TRUE;
  if (column->bitmap_size != ((gsize)n_rows + 7) / 8)
    return kvsqld_rpc_reject (error, "column %u has %" G_GSIZE_FORMAT " bytes of nulls for %u rows",
                              number, column->bitmap_size, n_rows);
  out->nulls = column->bitmap;
  for (gsize i = 0; i < column->bitmap_size && !out->has_nulls; i++)
    out->has_nulls = column->bitmap[i] != 0;
  return TRUE;
}

static gboolean
is_all_null (const KvsqlVector *vector, guint n_rows)
{
  for (guint i = 0; i < n_rows; i++)
    if (!kvsql_vector_is_null (vector, i))
      return FALSE;
  return TRUE;
}

static gboolean
check_column (const Column *column, guint number, guint n_rows, KvsqlVector *out, GError **error)
{
  if (column->n_lists > 1)
    return kvsqld_rpc_reject (error, "column %u has %u lists set", number, column->n_lists);
  *out = column->vector;
  if (!check_bitmap (column, number, n_rows, out, error))
    return FALSE;
  if (column->n_lists == 0)
    return is_all_null (out, n_rows)
           || kvsqld_rpc_reject (error, "column %u has no values", number);
  if (column->has_nul)
    return kvsqld_rpc_reject (error, "column %u holds a string with U+0000, which is in no text",
                              number);
  if (column->is_text_bad)
    return kvsqld_rpc_reject (error, "column %u holds a string that is not UTF-8", number);
  return column->n_values == n_rows
         || kvsqld_rpc_reject (error, "column %u has %u values for %u rows", number,
                               column->n_values, n_rows);
}

gboolean
kvsqld_rpc_columns_check (const KvsqldRpcColumns *self, gint32 n_rows, KvsqlArena *arena,
                          KvsqlBatch *out, GError **error)
{
  if (n_rows < 0)
    return kvsqld_rpc_reject (error, "nrows is negative");
  if (self->n_columns == 0)
    return kvsqld_rpc_reject (error, "no columns");
  *out = (KvsqlBatch){
    .n_rows = (guint)n_rows,
    .capacity = (guint)n_rows,
    .n_columns = self->n_columns,
    .columns = kvsql_arena_array (arena, KvsqlVector, self->n_columns),
  };
  for (guint i = 0; i < self->n_columns; i++)
    if (!check_column (&self->columns[i], i + 1, (guint)n_rows, &out->columns[i], error))
      return FALSE;
  return TRUE;
}
