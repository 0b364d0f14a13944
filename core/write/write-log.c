/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * write-log.c: see the header.
 */
#include "config.h"

#include "core/write/write-log.h"

#include "core/anchor/varint.h"
#include "core/store/store.h"

#define FREE 0
#define FORMAT_KEYS 2
#define FORMAT_INTENT 3
#define KEYS KVSQL_SLICE_LITERAL ("keys")
#define ROW_BYTES 12

/* A place without an entry. */
typedef struct
{
  guint32 place;
  gint64 last_ms; /* the timestamp of its last entry */
} Place;

struct _KvsqlWriteLog
{
  KvsqlStore *store;
  guint64 daemon_id;
  GMutex mutex; /* protects what follows; a leaf */
  guint64 last_number;
  GHashTable *running; /* numbers */
  GArray *free_places; /* (element-type Place) */
  guint32 n_places;
  guint n_left;
  gint64 lost_us; /* of an intent */
};

KvsqlWriteLog *
kvsql_write_log_new (KvsqlStore *store, guint64 daemon_id)
{
  KvsqlWriteLog *self = g_new0 (KvsqlWriteLog, 1);

  self->store = store;
  self->daemon_id = daemon_id;
  g_mutex_init (&self->mutex);
  self->running = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->free_places = g_array_new (FALSE, FALSE, sizeof (Place));
  return self;
}

void
kvsql_write_log_free (KvsqlWriteLog *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->running);
  g_array_unref (self->free_places);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

guint64
kvsql_write_log_get_daemon_id (const KvsqlWriteLog *self)
{
  return self->daemon_id;
}

/* ---- running writes */

/* With the mutex held. */
static Place
take_place (KvsqlWriteLog *self)
{
  guint n = self->free_places->len;
  Place taken;

  if (n == 0)
    return (Place){ .place = self->n_places++ };
  taken = g_array_index (self->free_places, Place, n - 1);
  g_array_set_size (self->free_places, n - 1);
  return taken;
}

static KvsqlLogEntry
add_running (KvsqlWriteLog *self)
{
  KvsqlLogEntry entry = { .daemon_id = self->daemon_id };
  Place taken;

  g_mutex_lock (&self->mutex);
  taken = take_place (self);
  entry.number = ++self->last_number;
  entry.place = taken.place;
  entry.begun_ms = MAX (taken.last_ms + 1, g_get_real_time () / 1000);
  g_hash_table_add (self->running, g_memdup2 (&entry.number, sizeof entry.number));
  g_mutex_unlock (&self->mutex);
  return entry;
}

/* @is_free: no request of the entry can change its place any more */
static void
remove_running (KvsqlWriteLog *self, const KvsqlLogEntry *entry, gboolean is_free)
{
  const Place place = { .place = entry->place, .last_ms = entry->begun_ms };

  g_mutex_lock (&self->mutex);
  g_hash_table_remove (self->running, &entry->number);
  if (is_free)
    g_array_append_val (self->free_places, place);
  else
    self->n_left++;
  g_mutex_unlock (&self->mutex);
}

gboolean
kvsql_write_log_is_running (KvsqlWriteLog *self, guint64 number)
{
  gboolean is_running;

  g_mutex_lock (&self->mutex);
  is_running = g_hash_table_contains (self->running, &number);
  g_mutex_unlock (&self->mutex);
  return is_running;
}

guint
kvsql_write_log_get_n_left (KvsqlWriteLog *self)
{
  guint n;

  g_mutex_lock (&self->mutex);
  n = self->n_left;
  g_mutex_unlock (&self->mutex);
  return n;
}

gint64
kvsql_write_log_get_lost_us (KvsqlWriteLog *self)
{
  gint64 lost_us;

  g_mutex_lock (&self->mutex);
  lost_us = self->lost_us;
  g_mutex_unlock (&self->mutex);
  return lost_us;
}

void
kvsql_write_log_forget_left (KvsqlWriteLog *self, guint n)
{
  g_mutex_lock (&self->mutex);
  self->n_left -= MIN (n, self->n_left);
  g_mutex_unlock (&self->mutex);
}

/* ---- writing */

static void
write_row (const KvsqlLogEntry *entry, guint8 *out)
{
  kvsql_put_be64 (out, entry->daemon_id);
  kvsql_put_be32 (out + 8, entry->place);
}

static void
append_value (const KvsqlLogEntry *entry, KvsqlBuffer *out)
{
  kvsql_buffer_append_byte (out, entry->intent.size > 0 ? FORMAT_INTENT : FORMAT_KEYS);
  kvsql_put_be64 (kvsql_buffer_extend (out, 8), entry->number);
  kvsql_put_be64 (kvsql_buffer_extend (out, 8), entry->relation_id);
  kvsql_buffer_append_slice (out, entry->intent);
  for (guint i = 0; i < entry->n_keys; i++)
    kvsql_append_sized (out, entry->keys[i]);
}

/* @row: (array fixed-size=ROW_BYTES): is written, and borrowed */
static KvsqlMutation
put_of (const KvsqlLogEntry *entry, KvsqlSlice value, guint8 *row)
{
  write_row (entry, row);
  return (KvsqlMutation){ .kind = KVSQL_MUTATION_PUT,
                          .table = KVSQL_LOG_TABLE,
                          .row = kvsql_slice (row, ROW_BYTES),
                          .family = KVSQL_LOG_FAMILY,
                          .qualifier = KEYS,
                          .value = value,
                          .timestamp = entry->begun_ms };
}

static gboolean
begin (KvsqlWriteLog *self, const KvsqlLogEntry *entry, const KvsqlCall *call, GError **error)
{
  KvsqlBuffer value = { 0 };
  guint8 row[ROW_BYTES];
  KvsqlMutation put;
  gboolean ok;

  append_value (entry, &value);
  put = put_of (entry, kvsql_buffer_slice (&value), row);
  ok = kvsql_store_apply (self->store, &put, 1, call, error);
  kvsql_buffer_clear (&value);
  if (!ok)
    remove_running (self, entry, FALSE);
  return ok;
}

gboolean
kvsql_write_log_begin (KvsqlWriteLog *self, guint64 relation_id, const KvsqlSlice *keys,
                       guint n_keys, const KvsqlCall *call, KvsqlLogEntry *out, GError **error)
{
  *out = add_running (self);
  out->relation_id = relation_id;
  out->keys = (KvsqlSlice *)keys;
  out->n_keys = n_keys;
  return begin (self, out, call, error);
}

gboolean
kvsql_write_log_begin_intent (KvsqlWriteLog *self, guint64 relation_id, KvsqlSlice intent,
                              const KvsqlCall *call, KvsqlLogEntry *out, GError **error)
{
  GError *failure = NULL;

  g_return_val_if_fail (intent.size > 0, FALSE);
  *out = add_running (self);
  out->relation_id = relation_id;
  out->intent = intent;
  if (begin (self, out, call, &failure))
    return TRUE;
  if (g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME))
    {
      g_mutex_lock (&self->mutex);
      self->lost_us = g_get_monotonic_time ();
      g_mutex_unlock (&self->mutex);
    }
  g_propagate_error (error, failure);
  return FALSE;
}

void
kvsql_write_log_end (KvsqlWriteLog *self, const KvsqlLogEntry *entry, gboolean is_done,
                     const KvsqlCall *call)
{
  if (is_done)
    kvsql_write_log_end_done (self, entry, 1, call);
  else
    remove_running (self, entry, FALSE);
}

void
kvsql_write_log_end_done (KvsqlWriteLog *self, const KvsqlLogEntry *entries, guint n,
                          const KvsqlCall *call)
{
  static const guint8 free_place = FREE;
  g_autofree KvsqlMutation *puts = g_new (KvsqlMutation, n);
  g_autofree guint8 *rows = g_malloc (n * ROW_BYTES);
  gboolean are_free;

  for (guint i = 0; i < n; i++)
    puts[i] = put_of (&entries[i], kvsql_slice (&free_place, 1), rows + i * ROW_BYTES);
  are_free = n == 0 || kvsql_store_apply (self->store, puts, n, call, NULL);
  for (guint i = 0; i < n; i++)
    remove_running (self, &entries[i], are_free);
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
read_value (KvsqlSlice rest, KvsqlArena *arena, KvsqlLogEntry *out)
{
  guint8 format;

  if (!kvsql_take_byte (&rest, &format) || (format != FORMAT_KEYS && format != FORMAT_INTENT)
      || !kvsql_take_be64 (&rest, &out->number) || !kvsql_take_be64 (&rest, &out->relation_id))
    return FALSE;
  if (format == FORMAT_INTENT)
    {
      out->intent = kvsql_slice_dup (arena, rest);
      return rest.size > 0;
    }
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
  if (row->key.size == ROW_BYTES && row->n_cells == 1 && read_value (cell->value, arena, out))
    {
      out->daemon_id = kvsql_get_be64 (row->key.data);
      out->place = kvsql_get_be32 (row->key.data + 8);
      return TRUE;
    }
  return kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                          "an entry of the log of writes is damaged");
}

static gboolean
is_free (const KvsqlRows *rows, const KvsqlRow *row)
{
  const KvsqlSlice value = rows->cells[row->first_cell].value;

  return value.size == 1 && value.data[0] == FREE;
}

gboolean
kvsql_log_entries_read (KvsqlStore *store, guint64 first_id, guint64 last_id, const KvsqlCall *call,
                        KvsqlArena *arena, KvsqlLogEntry **out, guint *out_n, GError **error)
{
  guint8 start[8] = { 0 }, stop[8] = { 0 };
  const KvsqlRowRange range = { kvsql_slice (start, sizeof start),
                                kvsql_slice (stop, last_id == G_MAXUINT64 ? 0 : sizeof stop) };
  const KvsqlScanSpec spec = { .table = KVSQL_LOG_TABLE, .ranges = &range, .n_ranges = 1 };
  g_autoptr (KvsqlScan) scan = NULL;
  const KvsqlRows *rows;

  *out = NULL;
  *out_n = 0;
  kvsql_put_be64 (start, first_id);
  kvsql_put_be64 (stop, last_id + 1);
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
        if (!is_free (rows, &rows->rows[i])
            && !read_entry (rows, &rows->rows[i], arena, KVSQL_ARENA_ADD (arena, *out, *out_n),
                            error))
          return FALSE;
    }
}
