/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * grouping.c: values that represent groups.
 */
#include "config.h"

#include "core/exec/grouping.h"

#include <math.h>

KvsqlKeyPart *
kvsql_grouping_parts (guint n_columns)
{
  KvsqlKeyPart *parts = g_new0 (KvsqlKeyPart, n_columns);

  for (guint c = 0; c < n_columns; c++)
    parts[c].column = c;
  return parts;
}

void
kvsql_grouping_add_row (KvsqlBatch *rows, KvsqlArena *arena, const KvsqlBatch *batch, guint row)
{
  if (rows->n_rows == rows->capacity)
    kvsql_batch_reserve (rows, rows->capacity * 2);
  for (guint c = 0; c < rows->n_columns; c++)
    {
      KvsqlValue value = kvsql_vector_get (&batch->columns[c], row);

      value = kvsql_value_dup (&value, arena);
      kvsql_vector_set (&rows->columns[c], rows->n_rows, &value);
    }
  rows->n_rows++;
}

void
kvsql_grouping_add_name (KvsqlBatch *names, KvsqlArena *arena, const KvsqlBatch *batch, guint row)
{
  guint number = names->n_rows;

  kvsql_grouping_add_row (names, arena, batch, row);
  for (guint c = 0; c < names->n_columns; c++)
    if (kvsql_type_get_class (names->columns[c].type) == KVSQL_CLASS_REAL)
      {
        gdouble *real = &names->columns[c].reals[number];
        *real = *real == 0 ? 0.0 : isnan (*real) ? NAN : *real;
      }
}

gboolean
kvsql_grouping_out_of_memory (const KvsqlSortLimits *limits, const gchar *what, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                   "%s needs more than %" G_GSIZE_FORMAT " MiB", what, limits->memory_bytes >> 20);
  return kvsql_error_hint (error, "Narrow the predicate, ask for fewer different values, or raise "
                                  "sort_bytes or sort_disk_bytes in the daemon's configuration.");
}

/* ---- rows that do not fit into memory */

typedef struct
{
  KvsqlRowSource base;
  KvsqlGroupingNext next;
  gpointer owner;
} Rest;

static gboolean
rest_next (KvsqlRowSource *source, const KvsqlRowDemand *demand, const KvsqlCall *call,
           KvsqlRowSlice *out, GError **error)
{
  Rest *self = (Rest *)source;
  const KvsqlBatch *batch;

  if (!self->next (self->owner, self->base.input, call, &batch, error))
    return FALSE;
  g_assert (batch != NULL); /* an empty one at the end */
  kvsql_row_slice_set_batch (out, batch);
  return TRUE;
}

static void
rest_free (KvsqlRowSource *source)
{
  g_free (source);
}

static const KvsqlRowSourceClass rest_class = { .next = rest_next, .free = rest_free };

KvsqlRowSource *
kvsql_grouping_rest_new (KvsqlRowSource *input, KvsqlGroupingNext next, gpointer owner)
{
  Rest *self = g_new0 (Rest, 1);

  self->base.klass = &rest_class;
  self->base.input = input;
  self->next = next;
  self->owner = owner;
  return &self->base;
}
