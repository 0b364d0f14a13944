/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * first-of-each.c: compares the key of each row with that of the row before.
 */
#include "config.h"

#include "core/exec/first-of-each.h"

typedef struct
{
  KvsqlRowSource base;
  KvsqlKeyPart *parts;
  KvsqlRowKeys keys;
  KvsqlBuffer last_key;
  gboolean has_last_key;
  guint32 *selection;
  guint capacity;
} FirstOfEach;

static void
first_free (KvsqlRowSource *source)
{
  FirstOfEach *self = (FirstOfEach *)source;

  kvsql_row_keys_clear (&self->keys);
  kvsql_buffer_clear (&self->last_key);
  g_free (self->parts);
  g_free (self->selection);
  g_free (self);
}

static void
select_rows (FirstOfEach *self, KvsqlRowSlice *inout)
{
  guint n = 0;

  if (inout->n > self->capacity)
    {
      self->capacity = inout->n;
      self->selection = g_renew (guint32, self->selection, self->capacity);
    }
  kvsql_row_keys_run (&self->keys, inout->batch);
  for (guint i = 0; i < inout->n; i++)
    {
      KvsqlSlice key = kvsql_row_keys_get (&self->keys, inout->rows[i]);

      if (self->has_last_key && kvsql_slice_equal (key, kvsql_buffer_slice (&self->last_key)))
        continue;
      self->has_last_key = TRUE;
      self->last_key.size = 0;
      kvsql_buffer_append_slice (&self->last_key, key);
      self->selection[n++] = inout->rows[i];
    }
  inout->rows = self->selection;
  inout->n = n;
}

static gboolean
first_next (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
            KvsqlRowSlice *out, GError **error)
{
  FirstOfEach *self = (FirstOfEach *)source;

  if (!kvsql_call_check (call, error)
      || !kvsql_row_source_poll (self->base.input, &kvsql_row_demand_all, call, out, error))
    return FALSE;
  if (out->n > 0)
    select_rows (self, out);
  out->chunk = NULL;
  return TRUE;
}

static const KvsqlRowSourceClass first_class = { .next = first_next, .free = first_free };

KvsqlRowSource *
kvsql_first_of_each_new (KvsqlRowSource *input, const guint *columns, guint n_columns)
{
  FirstOfEach *self = g_new0 (FirstOfEach, 1);

  self->base.klass = &first_class;
  self->base.input = input;
  self->parts = g_new0 (KvsqlKeyPart, n_columns);
  for (guint i = 0; i < n_columns; i++)
    self->parts[i].column = columns[i];
  kvsql_row_keys_init (&self->keys, self->parts, n_columns);
  return &self->base;
}
