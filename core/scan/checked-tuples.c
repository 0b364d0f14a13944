/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-tuples.c: see the header.
 */
#include "config.h"

#include "core/scan/checked-tuples.h"

#include "core/anchor/tuple-record.h"

KvsqlSlice
kvsql_checked_tuple_row (guint64 relation_id, KvsqlSlice key, KvsqlArena *arena)
{
  KvsqlBuffer buffer = { 0 };

  kvsql_anchor_append_row (relation_id, key, &buffer);
  return kvsql_buffer_move (&buffer, arena);
}

gboolean
kvsql_checked_tuple_read_record (const KvsqlRelation *relation, KvsqlSlice record,
                                 KvsqlArena *arena, const KvsqlValue **out, GError **error)
{
  KvsqlValue *tuple = kvsql_arena_array (arena, KvsqlValue, relation->n_attributes);

  *out = tuple;
  return kvsql_tuple_record_read (relation, record, arena, tuple)
         || kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                             "an anchor of relation \"%s\" has a damaged tuple", relation->name);
}

static gboolean
fail_damaged (const KvsqlAnchorSource *self, KvsqlSlice key, GError **error)
{
  g_autofree gchar *text = kvsql_readable (key);

  return kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                          "the anchor of the key \"%s\" of relation \"%s\" is damaged", text,
                          self->relation->name);
}

gboolean
kvsql_checked_tuples_get (const KvsqlAnchorSource *self, const KvsqlSlice *keys, guint n,
                          KvsqlArena *arena, KvsqlRows *out, GError **error)
{
  const KvsqlColumn family = { .family = KVSQL_ANCHOR_FAMILY, .whole_family = TRUE };
  KvsqlSlice *rows = kvsql_arena_array (arena, KvsqlSlice, n);
  gint64 started_us = g_get_monotonic_time ();

  for (guint i = 0; i < n; i++)
    rows[i] = kvsql_checked_tuple_row (self->relation_id, keys[i], arena);
  if (!kvsql_store_multi_get (self->store, KVSQL_ANCHOR_TABLE, rows, n, &family, 1, self->call,
                              arena, out, error))
    return FALSE;
  if (self->counts != NULL)
    {
      self->counts->requests++;
      kvsql_read_counts_add (self->counts, out, g_get_monotonic_time () - started_us);
    }
  return TRUE;
}

gboolean
kvsql_checked_tuples_decode (const KvsqlAnchorSource *self, const KvsqlSlice *keys,
                             const KvsqlRows *rows, KvsqlArena *arena, KvsqlCheckedTuple *out,
                             GError **error)
{
  for (guint i = 0; i < rows->n_rows; i++)
    {
      const KvsqlRow *row = &rows->rows[i];

      out[i] = (KvsqlCheckedTuple){ .key = keys[i] };
      if (!kvsql_anchor_read (rows->cells + row->first_cell, row->n_cells, &out[i].anchor))
        return fail_damaged (self, keys[i], error);
      if (out[i].anchor.is_live
          && !kvsql_checked_tuple_read_record (self->relation, out[i].anchor.tuple, arena,
                                               &out[i].tuple, error))
        return FALSE;
      out[i].newest = out[i].anchor.timestamp;
    }
  return TRUE;
}

gboolean
kvsql_checked_tuples_read (const KvsqlAnchorSource *self, const KvsqlSlice *keys, guint n,
                           KvsqlArena *arena, KvsqlCheckedTuple *out, GError **error)
{
  KvsqlRows rows;

  return kvsql_checked_tuples_get (self, keys, n, arena, &rows, error)
         && kvsql_checked_tuples_decode (self, keys, &rows, arena, out, error);
}
