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

KvsqlSlice
kvsql_checked_key (const KvsqlCheckedWriter *self, const KvsqlValue *tuple, KvsqlArena *arena)
{
  return kvsql_tuple_make_key (self->entry->relation, tuple, arena);
}

KvsqlSlice
_kvsql_checked_record (const KvsqlCheckedWriter *self, const KvsqlValue *tuple, KvsqlArena *arena)
{
  KvsqlBuffer record = { 0 };

  kvsql_tuple_record_append (self->entry->relation, tuple, &record);
  return kvsql_buffer_move (&record, arena);
}

KvsqlSlice
_kvsql_checked_state (const KvsqlAnchor *anchor, KvsqlArena *arena)
{
  KvsqlBuffer state = { 0 };

  if (anchor->timestamp == 0)
    return KVSQL_SLICE_EMPTY;
  kvsql_anchor_append_state (anchor, &state);
  return kvsql_buffer_move (&state, arena);
}

static KvsqlSlice
payload_of (const KvsqlAnchor *anchor, KvsqlArena *arena)
{
  KvsqlBuffer payload = { 0 };

  kvsql_anchor_append_payload (anchor, &payload);
  return kvsql_buffer_move (&payload, arena);
}

static KvsqlSlice
load_qualifier (gint64 timestamp, KvsqlArena *arena)
{
  KvsqlBuffer qualifier = { 0 };

  kvsql_anchor_append_load_qualifier (timestamp, &qualifier);
  return kvsql_buffer_move (&qualifier, arena);
}

static KvsqlSlice
payload_qualifier (const KvsqlAnchor *anchor, KvsqlArena *arena)
{
  return anchor->is_loaded ? load_qualifier (anchor->timestamp, arena) : KVSQL_ANCHOR_PAYLOAD;
}

static KvsqlSlice
row_of (const KvsqlCheckedWriter *self, KvsqlSlice key, KvsqlArena *arena)
{
  return kvsql_checked_tuple_row (self->relation_id, key, arena);
}

/* ---- reading */

gboolean
_kvsql_checked_read_record (const KvsqlCheckedWriter *self, KvsqlSlice record, KvsqlArena *arena,
                            const KvsqlValue **out, GError **error)
{
  return kvsql_checked_tuple_read_record (self->entry->relation, record, arena, out, error);
}

/* If the table was dropped, it is made again, and has no rows. */
gboolean
_kvsql_checked_read_anchors (const KvsqlCheckedWriter *self, const KvsqlSlice *keys, guint n,
                             KvsqlArena *arena, KvsqlCheckedTuple *out, GError **error)
{
  const KvsqlAnchorSource source = { .store = kvsql_storage_get_store (self->storage),
                                     .relation = self->entry->relation,
                                     .relation_id = self->relation_id,
                                     .call = self->call };
  g_autoptr (GError) failure = NULL;

  if (kvsql_checked_tuples_read (&source, keys, n, arena, out, &failure))
    return TRUE;
  if (kvsql_storage_remake_anchors (self->storage, failure, self->call))
    return kvsql_checked_tuples_read (&source, keys, n, arena, out, error);
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
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

/* Both cells of a version, and the deletes of the loads' payloads that it replaces. */
static KvsqlCellMutation *
cells_of (const KvsqlAnchor *anchor, KvsqlArena *arena, guint *out_n)
{
  KvsqlCellMutation *cells = kvsql_arena_array (arena, KvsqlCellMutation, 2 + anchor->n_loads);

  cells[0] = put_of (KVSQL_ANCHOR_STATE, _kvsql_checked_state (anchor, arena), anchor->timestamp);
  cells[1]
      = put_of (payload_qualifier (anchor, arena), payload_of (anchor, arena), anchor->timestamp);
  *out_n = 2;
  for (guint i = 0; i < anchor->n_loads; i++)
    cells[(*out_n)++] = (KvsqlCellMutation){ .kind = KVSQL_MUTATION_DELETE,
                                             .family = KVSQL_ANCHOR_FAMILY,
                                             .qualifier = load_qualifier (anchor->loads[i], arena),
                                             .timestamp = anchor->timestamp - 1 };
  return cells;
}

gboolean
_kvsql_checked_replace (const KvsqlCheckedWriter *self, KvsqlSlice key, KvsqlSlice before,
                        const KvsqlAnchor *anchor, gboolean *out_replaced, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  guint n;
  const KvsqlCellMutation *cells = cells_of (anchor, arena, &n);
  const KvsqlCheck check = { .kind = before.size > 0 ? KVSQL_CHECK_EQUAL : KVSQL_CHECK_ABSENT,
                             .table = KVSQL_ANCHOR_TABLE,
                             .row = row_of (self, key, arena),
                             .family = KVSQL_ANCHOR_FAMILY,
                             .qualifier = KVSQL_ANCHOR_STATE,
                             .value = before,
                             .mark = anchor->timestamp,
                             .n_versions = KVSQL_ANCHOR_VERSIONS };

  *out_replaced = FALSE;
  return kvsql_store_check_and_apply (kvsql_storage_get_store (self->storage), &check, cells, n,
                                      self->call, out_replaced, error);
}

void
_kvsql_checked_clear_dead (const KvsqlCheckedWriter *self, KvsqlSlice key,
                           const KvsqlAnchor *anchor)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlAnchor cleared = *anchor;
  const KvsqlCheck check = { .kind = KVSQL_CHECK_EQUAL,
                             .table = KVSQL_ANCHOR_TABLE,
                             .row = row_of (self, key, arena),
                             .family = KVSQL_ANCHOR_FAMILY,
                             .qualifier = KVSQL_ANCHOR_STATE,
                             .value = _kvsql_checked_state (anchor, arena) };
  KvsqlCellMutation cell;
  gboolean ignored;

  cleared.is_pending = FALSE;
  cell = put_of (KVSQL_ANCHOR_STATE, _kvsql_checked_state (&cleared, arena), anchor->timestamp);
  if (!kvsql_store_check_and_apply (kvsql_storage_get_store (self->storage), &check, &cell, 1,
                                    self->call, &ignored, NULL))
    return;
}

void
_kvsql_checked_put_loaded (const KvsqlCheckedWriter *self, KvsqlSlice key,
                           const KvsqlAnchor *anchor, KvsqlArena *arena, KvsqlMutation *out)
{
  KvsqlSlice row = row_of (self, key, arena);
  guint n;
  const KvsqlCellMutation *cells = cells_of (anchor, arena, &n);

  for (guint i = 0; i < n; i++)
    out[i] = (KvsqlMutation){ .kind = cells[i].kind,
                              .table = KVSQL_ANCHOR_TABLE,
                              .row = row,
                              .family = cells[i].family,
                              .qualifier = cells[i].qualifier,
                              .value = cells[i].value,
                              .timestamp = cells[i].timestamp };
}

void
_kvsql_checked_add_load_delete (const KvsqlCheckedWriter *self, KvsqlSlice key, gint64 timestamp,
                                KvsqlArena *arena, KvsqlMutation *out)
{
  *out = (KvsqlMutation){ .kind = KVSQL_MUTATION_DELETE,
                          .table = KVSQL_ANCHOR_TABLE,
                          .row = row_of (self, key, arena),
                          .family = KVSQL_ANCHOR_FAMILY,
                          .qualifier = load_qualifier (timestamp, arena),
                          .timestamp = timestamp };
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
  for (guint i = 0; anchor->is_loaded && i < anchor->n_loads; i++)
    if (anchor->loads[i] < anchor->timestamp
        && kvsql_anchor_replaces_load (anchor, anchor->loads[i]))
      clear.replaced_loads[clear.n_replaced_loads++] = load_qualifier (anchor->loads[i], arena);
  kvsql_checked_clears_add (clears, &clear);
}
