/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * write-log.c: see the header.
 */
#include "config.h"

#include "core/write/write-log.h"

#include "core/anchor/varint.h"

#define FORMAT 1
#define KEYS KVSQL_SLICE_LITERAL ("keys")
#define ROW_BYTES 16

struct _KvsqlWriteLog
{
  KvsqlStore *store;
  guint64 daemon_id;
  guint64 last_number; /* atomic */
};

KvsqlWriteLog *
kvsql_write_log_new (KvsqlStore *store, guint64 daemon_id)
{
  KvsqlWriteLog *self = g_new0 (KvsqlWriteLog, 1);

  self->store = store;
  self->daemon_id = daemon_id;
  return self;
}

void
kvsql_write_log_free (KvsqlWriteLog *self)
{
  g_free (self);
}

/* ---- writing */

static void
write_row (const KvsqlLogEntry *entry, guint8 *out)
{
  kvsql_put_be64 (out, entry->daemon_id);
  kvsql_put_be64 (out + 8, entry->number);
}

static void
append_keys (const KvsqlLogEntry *entry, KvsqlBuffer *out)
{
  kvsql_buffer_append_byte (out, FORMAT);
  kvsql_put_be64 (kvsql_buffer_extend (out, 8), entry->relation_id);
  for (guint i = 0; i < entry->n_keys; i++)
    kvsql_append_sized (out, entry->keys[i]);
}

gboolean
kvsql_write_log_begin (KvsqlWriteLog *self, guint64 relation_id, const KvsqlSlice *keys,
                       guint n_keys, const KvsqlCall *call, KvsqlLogEntry *out, GError **error)
{
  KvsqlBuffer value = { 0 };
  guint8 row[ROW_BYTES];
  KvsqlMutation put;
  gboolean ok;

  *out = (KvsqlLogEntry){
    .daemon_id = self->daemon_id,
    .number = __atomic_add_fetch (&self->last_number, 1, __ATOMIC_RELAXED),
    .begun_ms = g_get_real_time () / 1000,
    .relation_id = relation_id,
    .keys = (KvsqlSlice *)keys,
    .n_keys = n_keys,
  };
  write_row (out, row);
  append_keys (out, &value);
  put = (KvsqlMutation){ .kind = KVSQL_MUTATION_PUT,
                         .table = KVSQL_LOG_TABLE,
                         .row = kvsql_slice (row, sizeof row),
                         .family = KVSQL_LOG_FAMILY,
                         .qualifier = KEYS,
                         .value = kvsql_buffer_slice (&value),
                         .timestamp = out->begun_ms };
  ok = kvsql_store_apply (self->store, &put, 1, call, error);
  kvsql_buffer_clear (&value);
  return ok;
}

gboolean
kvsql_log_entries_remove (KvsqlStore *store, const KvsqlLogEntry *entries, guint n,
                          const KvsqlCall *call, GError **error)
{
  g_autofree KvsqlMutation *deletes = g_new (KvsqlMutation, n + 1);
  g_autofree guint8 *rows = g_malloc (n * ROW_BYTES + 1);

  if (n == 0)
    return TRUE;
  for (guint i = 0; i < n; i++)
    {
      write_row (&entries[i], rows + i * ROW_BYTES);
      deletes[i] = (KvsqlMutation){ .kind = KVSQL_MUTATION_DELETE,
                                    .table = KVSQL_LOG_TABLE,
                                    .row = kvsql_slice (rows + i * ROW_BYTES, ROW_BYTES),
                                    .family = KVSQL_LOG_FAMILY,
                                    .qualifier = KEYS,
                                    .timestamp = entries[i].begun_ms };
    }
  return kvsql_store_apply (store, deletes, n, call, error);
}

/* ---- reading */

static gboolean
read_keys (KvsqlSlice rest, KvsqlArena *arena, KvsqlLogEntry *out)
{
  guint8 format;

  if (!kvsql_take_byte (&rest, &format) || format != FORMAT
      || !kvsql_take_be64 (&rest, &out->relation_id))
    return FALSE;
  while (rest.size > 0)
    {
      KvsqlSlice key;

      if (!kvsql_take_sized (&rest, &key))
        return FALSE;
      *KVSQL_ARENA_ADD (arena, out->keys, out->n_keys) = kvsql_slice_dup (arena, key);
    }
  return TRUE;
}

static gboolean
read_entry (const KvsqlRows *rows, const KvsqlRow *row, KvsqlArena *arena, KvsqlLogEntry *out,
            GError **error)
{
  const KvsqlCell *cell = &rows->cells[row->first_cell];

  *out = (KvsqlLogEntry){ .begun_ms = cell->timestamp };
  if (row->key.size == ROW_BYTES && row->n_cells == 1 && read_keys (cell->value, arena, out))
    {
      out->daemon_id = kvsql_get_be64 (row->key.data);
      out->number = kvsql_get_be64 (row->key.data + 8);
      return TRUE;
    }
  return kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                          "an entry of the log of writes is damaged");
}

gboolean
kvsql_log_entries_read (KvsqlStore *store, guint64 daemon_id, const KvsqlCall *call,
                        KvsqlArena *arena, KvsqlLogEntry **out, guint *out_n, GError **error)
{
  guint8 start[8], stop[8];
  const KvsqlRowRange range
      = { kvsql_slice (start, daemon_id != 0 ? 8 : 0),
          kvsql_slice (stop, daemon_id != 0 && daemon_id != G_MAXUINT64 ? 8 : 0) };
  const KvsqlScanSpec spec = { .table = KVSQL_LOG_TABLE, .ranges = &range, .n_ranges = 1 };
  g_autoptr (KvsqlScan) scan = NULL;
  const KvsqlRows *rows;

  *out = NULL;
  *out_n = 0;
  kvsql_put_be64 (start, daemon_id);
  kvsql_put_be64 (stop, daemon_id + 1);
  scan = kvsql_store_open_scan (store, &spec, call, error);
  if (scan == NULL)
    return FALSE;
  for (;;)
    {
      if (!kvsql_scan_next (scan, call, &rows, error))
        return FALSE;
      if (rows->n_rows == 0)
        return TRUE;
      for (guint i = 0; i < rows->n_rows; i++)
        if (!read_entry (rows, &rows->rows[i], arena, KVSQL_ARENA_ADD (arena, *out, *out_n), error))
          return FALSE;
    }
}
