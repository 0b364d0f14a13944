/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * keys-once.c: see the header.
 */
#include "config.h"

#include "core/exec/keys-once.h"

#include "core/base/memory.h"
#include "core/exec/group-table.h"
#include "core/exec/row-key.h"

typedef struct
{
  KvsqlRowSource base;
  KvsqlRunCounts *counts;
  KvsqlKeyPart *parts; /* the columns of the KEY attributes */
  KvsqlRowKeys keys;   /* of the current batch */
  KvsqlGroupTable *given;
  GArray *rows;    /* guint32: of the current batch, those that are new */
  GArray *numbers; /* guint: of each of @rows, among the rows that the input gave last */
} KeysOnce;

static void
keys_once_free (KvsqlRowSource *source)
{
  KeysOnce *self = (KeysOnce *)source;

  kvsql_row_keys_clear (&self->keys);
  g_free (self->parts);
  kvsql_group_table_free (self->given);
  g_array_unref (self->rows);
  g_array_unref (self->numbers);
  g_free (self);
}

static void
select_new (KeysOnce *self, const KvsqlRowSlice *slice)
{
  kvsql_row_keys_run (&self->keys, slice->batch);
  for (guint i = 0; i < slice->n; i++)
    {
      gboolean is_new;

      kvsql_group_table_add (self->given, kvsql_row_keys_get (&self->keys, slice->rows[i]),
                             &is_new);
      if (is_new)
        {
          g_array_append_val (self->rows, slice->rows[i]);
          g_array_append_val (self->numbers, i);
        }
    }
  self->counts->repeated += slice->n - self->rows->len;
}

/* All rows of the input's batch at once, as their keys are made at once. */
static gboolean
keys_once_next (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
                KvsqlRowSlice *out, GError **error)
{
  KeysOnce *self = (KeysOnce *)source;

  if (!kvsql_call_check (call, error)
      || !kvsql_row_source_poll (self->base.input, &kvsql_row_demand_all, call, out, error))
    return FALSE;
  g_array_set_size (self->rows, 0);
  g_array_set_size (self->numbers, 0);
  if (out->n == 0)
    return TRUE;
  g_assert (out->columns == NULL && out->chunk == NULL);
  select_new (self, out);
  out->rows = (const guint32 *)self->rows->data;
  out->n = self->rows->len;
  return TRUE;
}

static gboolean
keys_once_get_positions (KvsqlRowSource *source, guint first, guint n, KvsqlScanPosition *out)
{
  KeysOnce *self = (KeysOnce *)source;

  for (guint i = 0; i < n; i++)
    if (!kvsql_row_source_get_positions (
            self->base.input, g_array_index (self->numbers, guint, first + i), 1, &out[i]))
      return FALSE;
  return TRUE;
}

static const KvsqlRowSourceClass keys_once_class
    = { .next = keys_once_next, .free = keys_once_free, .get_positions = keys_once_get_positions };

/* ---- construction */

KvsqlRowSource *
kvsql_keys_once_new (KvsqlRowSource *input, const KvsqlSelectPlan *plan, KvsqlRunCounts *counts)
{
  const KvsqlRelation *relation = plan->entry->relation;
  KeysOnce *self = kvsql_new0 (KeysOnce);
  guint n = 0;

  self->base.klass = &keys_once_class;
  self->base.input = input;
  self->counts = counts;
  self->parts = g_new0 (KvsqlKeyPart, relation->n_attributes);
  for (guint a = 0; a < relation->n_attributes; a++)
    if (relation->attributes[a].is_key)
      self->parts[n++].column = a;
  kvsql_row_keys_init (&self->keys, self->parts, n);
  self->given = kvsql_group_table_new ();
  self->rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  return &self->base;
}
