/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-anchors.c: see the header.
 */
#include "config.h"

#include "core/write/checked-anchors.h"

#include "core/anchor/tuple-record.h"
#include "core/catalog/catalog.h"
#include "core/scan/tuple-key.h"

KvsqlCheckedWriter
kvsql_checked_writer (KvsqlStorage *storage, const KvsqlCatalogEntry *entry, const KvsqlCall *call,
                      KvsqlCheckedClears *clears)
{
  return (KvsqlCheckedWriter){ .storage = storage,
                               .entry = entry,
                               .relation_id = entry->relation->id,
                               .call = call,
                               .clears = clears };
}

/* ---- bytes */

/* The bytes of @buffer, in @arena. */
static KvsqlSlice
keep (KvsqlBuffer *buffer, KvsqlArena *arena)
{
  KvsqlSlice bytes = kvsql_slice_dup (arena, kvsql_buffer_slice (buffer));

  kvsql_buffer_clear (buffer);
  return bytes;
}

KvsqlSlice
kvsql_checked_key (const KvsqlCheckedWriter *self, const KvsqlValue *tuple, KvsqlArena *arena)
{
  KvsqlBuffer key = { 0 };

  kvsql_tuple_append_key (self->entry->relation, tuple, &key);
  return keep (&key, arena);
}

KvsqlSlice
_kvsql_checked_record (const KvsqlCheckedWriter *self, const KvsqlValue *tuple, KvsqlArena *arena)
{
  KvsqlBuffer record = { 0 };

  kvsql_tuple_record_append (self->entry->relation, tuple, &record);
  return keep (&record, arena);
}

KvsqlSlice
_kvsql_checked_state (const KvsqlAnchor *anchor, KvsqlArena *arena)
{
  KvsqlBuffer state = { 0 };

  if (anchor->timestamp == 0)
    return KVSQL_SLICE_EMPTY;
  kvsql_anchor_append_state (anchor, &state);
  return keep (&state, arena);
}

static KvsqlSlice
payload_of (const KvsqlAnchor *anchor, KvsqlArena *arena)
{
  KvsqlBuffer payload = { 0 };

  kvsql_anchor_append_payload (anchor, &payload);
  return keep (&payload, arena);
}

static KvsqlSlice
row_of (const KvsqlCheckedWriter *self, KvsqlSlice key, KvsqlArena *arena)
{
  KvsqlBuffer row = { 0 };

  kvsql_anchor_append_row (self->relation_id, key, &row);
  return keep (&row, arena);
}

/* ---- reading */

gboolean
_kvsql_checked_read_record (const KvsqlCheckedWriter *self, KvsqlSlice record, KvsqlArena *arena,
                            const KvsqlValue **out, GError **error)
{
  const KvsqlRelation *relation = self->entry->relation;
  KvsqlValue *tuple = kvsql_arena_array (arena, KvsqlValue, relation->n_attributes);

  *out = tuple;
  return kvsql_tuple_record_read (relation, record, arena, tuple)
         || kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                             "an anchor of relation \"%s\" has a damaged tuple", relation->name);
}

static gboolean
fail_damaged (const KvsqlCheckedWriter *self, KvsqlSlice key, GError **error)
{
  g_autofree gchar *text = kvsql_readable (key);

  return kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                          "the anchor of the key \"%s\" of relation \"%s\" is damaged", text,
                          self->entry->relation->name);
}

/* If the table was dropped, it is made again, and has no rows. */
static gboolean
get_rows (const KvsqlCheckedWriter *self, const KvsqlSlice *rows, guint n, KvsqlArena *arena,
          KvsqlRows *out, GError **error)
{
  const KvsqlColumn family = { .family = KVSQL_ANCHOR_FAMILY, .whole_family = TRUE };
  KvsqlStore *store = kvsql_storage_get_store (self->storage);
  g_autoptr (GError) failure = NULL;

  if (kvsql_store_multi_get (store, KVSQL_ANCHOR_TABLE, rows, n, &family, 1, self->call, arena, out,
                             &failure))
    return TRUE;
  if (kvsql_storage_remake_anchors (self->storage, failure, self->call))
    return kvsql_store_multi_get (store, KVSQL_ANCHOR_TABLE, rows, n, &family, 1, self->call, arena,
                                  out, error);
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

gboolean
_kvsql_checked_read_anchors (const KvsqlCheckedWriter *self, const KvsqlSlice *keys, guint n,
                             KvsqlArena *arena, KvsqlCheckedTuple *out, GError **error)
{
  KvsqlSlice *row_keys = kvsql_arena_array (arena, KvsqlSlice, n);
  KvsqlRows rows;

  for (guint i = 0; i < n; i++)
    row_keys[i] = row_of (self, keys[i], arena);
  if (!get_rows (self, row_keys, n, arena, &rows, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      const KvsqlRow *row = &rows.rows[i];

      out[i] = (KvsqlCheckedTuple){ .key = keys[i] };
      if (!kvsql_anchor_read (rows.cells + row->first_cell, row->n_cells, &out[i].anchor))
        return fail_damaged (self, keys[i], error);
      if (out[i].anchor.is_live
          && !_kvsql_checked_read_record (self, out[i].anchor.tuple, arena, &out[i].tuple, error))
        return FALSE;
      out[i].newest = out[i].anchor.timestamp;
    }
  return TRUE;
}

/* ---- replacing */

gint64
_kvsql_checked_timestamp (const KvsqlCheckedWriter *self, KvsqlSlice key, gint64 newest,
                          GError **error)
{
  g_auto (KvsqlKeyLocks) locks = { 0 };

  kvsql_key_locks_add (&locks, key);
  return kvsql_storage_checked_timestamp (self->storage, &locks, newest, error);
}

static KvsqlCellMutation
put_of (KvsqlSlice qualifier, KvsqlSlice value, gint64 timestamp)
{
  return (KvsqlCellMutation){ .kind = KVSQL_MUTATION_PUT,
                              .family = KVSQL_ANCHOR_FAMILY,
                              .qualifier = qualifier,
                              .value = value,
                              .timestamp = timestamp };
}

gboolean
_kvsql_checked_replace (const KvsqlCheckedWriter *self, KvsqlSlice key, KvsqlSlice before,
                        const KvsqlAnchor *anchor, gboolean *out_replaced, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlCellMutation cells[]
      = { put_of (KVSQL_ANCHOR_STATE, _kvsql_checked_state (anchor, arena), anchor->timestamp),
          put_of (KVSQL_ANCHOR_PAYLOAD, payload_of (anchor, arena), anchor->timestamp) };
  const KvsqlCheck check = { .kind = before.size > 0 ? KVSQL_CHECK_EQUAL : KVSQL_CHECK_ABSENT,
                             .table = KVSQL_ANCHOR_TABLE,
                             .row = row_of (self, key, arena),
                             .family = KVSQL_ANCHOR_FAMILY,
                             .qualifier = KVSQL_ANCHOR_STATE,
                             .value = before,
                             .mark = anchor->timestamp,
                             .n_versions = KVSQL_ANCHOR_VERSIONS };

  *out_replaced = FALSE;
  return kvsql_store_check_and_apply (kvsql_storage_get_store (self->storage), &check, cells,
                                      G_N_ELEMENTS (cells), self->call, out_replaced, error);
}

void
_kvsql_checked_add_clear (const KvsqlCheckedWriter *self, KvsqlSlice key, const KvsqlAnchor *anchor,
                          KvsqlCheckedClears *clears)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlAnchor cleared = *anchor;
  KvsqlCheckedClear clear
      = { .key = key, .row = row_of (self, key, arena), .timestamp = anchor->timestamp };

  cleared.is_pending = FALSE;
  clear.state = _kvsql_checked_state (&cleared, arena);
  kvsql_checked_clears_add (clears, &clear);
}
