/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * write-array.c: see write-array.h.
 */
#include "config.h"

#include "daemon/postgres/write-array.h"

#include "core/base/collection.h"
#include "daemon/postgres/output.h"
#include "daemon/postgres/scalar-type.h"

#define NULL_SIZE G_MAXUINT32

/* A list as a column of its elements. */
typedef struct
{
  KvsqlArena *arena;
  KvsqlBatch *batch;
  const KvsqldPgType *type;
  guint n;
} Elements;

static void
elements_init (Elements *self, const KvsqlVector *column, guint row)
{
  KvsqlType type = kvsql_type_get_element (column->type);
  KvsqlValue *values;

  self->arena = kvsql_arena_new ();
  self->type = kvsqld_pg_scalar_type_of (type);
  kvsql_list_split (column->type, column->slices[row], self->arena, &values, &self->n);
  self->batch = kvsql_batch_new (&type, 1, MAX (self->n, 1));
  for (guint i = 0; i < self->n; i++)
    kvsql_vector_set (&self->batch->columns[0], i, &values[i]);
}

static void
elements_clear (Elements *self)
{
  kvsql_batch_free (self->batch);
  kvsql_arena_free (self->arena);
}

static gboolean
needs_quotes (const guint8 *text, gsize size)
{
  if (size == 0 || (size == 4 && g_ascii_strncasecmp ((const gchar *)text, "NULL", 4) == 0))
    return TRUE;
  for (gsize i = 0; i < size; i++)
    if (strchr ("{},\"\\ \t\n\v\f\r", text[i]) != NULL)
      return TRUE;
  return FALSE;
}

/* Puts what was appended from @start on into quotes. */
static void
quote (KvsqlBuffer *out, gsize start, KvsqlArena *arena)
{
  KvsqlSlice text = kvsql_slice_dup (arena, kvsql_slice (out->data + start, out->size - start));

  out->size = start;
  kvsql_buffer_append_byte (out, '"');
  for (gsize i = 0; i < text.size; i++)
    {
      if (text.data[i] == '"' || text.data[i] == '\\')
        kvsql_buffer_append_byte (out, '\\');
      kvsql_buffer_append_byte (out, text.data[i]);
    }
  kvsql_buffer_append_byte (out, '"');
}

void
kvsqld_pg_write_array_text (KvsqlBuffer *out, const KvsqlVector *column, guint row)
{
  Elements self;

  elements_init (&self, column, row);
  kvsql_buffer_append_byte (out, '{');
  for (guint i = 0; i < self.n; i++)
    {
      gsize start;

      if (i > 0)
        kvsql_buffer_append_byte (out, ',');
      start = out->size;
      if (kvsql_vector_is_null (&self.batch->columns[0], i))
        {
          kvsql_buffer_append (out, "NULL", 4);
          continue;
        }
      self.type->write_text (out, &self.batch->columns[0], i);
      if (needs_quotes (out->data + start, out->size - start))
        quote (out, start, self.arena);
    }
  kvsql_buffer_append_byte (out, '}');
  elements_clear (&self);
}

static gboolean
have_nulls (const Elements *self)
{
  for (guint i = 0; i < self->n; i++)
    if (kvsql_vector_is_null (&self->batch->columns[0], i))
      return TRUE;
  return FALSE;
}

void
kvsqld_pg_write_array_binary (KvsqlBuffer *out, const KvsqlVector *column, guint row)
{
  Elements self;

  elements_init (&self, column, row);
  kvsqld_pg_put_int32 (out, self.n > 0 ? 1 : 0); /* dimensions */
  kvsqld_pg_put_int32 (out, have_nulls (&self));
  kvsqld_pg_put_int32 (out, self.type->oid);
  if (self.n > 0)
    {
      kvsqld_pg_put_int32 (out, self.n);
      kvsqld_pg_put_int32 (out, 1); /* the index of the first one */
    }
  for (guint i = 0; i < self.n; i++)
    {
      gsize length_at = out->size;

      if (kvsql_vector_is_null (&self.batch->columns[0], i))
        {
          kvsqld_pg_put_int32 (out, NULL_SIZE);
          continue;
        }
      kvsqld_pg_put_int32 (out, 0);
      self.type->write_binary (out, &self.batch->columns[0], i);
      kvsql_put_be32 (out->data + length_at, (guint32)(out->size - length_at - 4));
    }
  elements_clear (&self);
}
