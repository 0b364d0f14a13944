/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * bench-store.c: the same tuples without kvsqld: through RocksDB's C API, and through our store.
 *
 *   bench-store STORE_URL ROWS [DIR]
 *   bench-store --compact DIR
 *
 * This program creates the raw database in DIR, with the keys and values of a hand-written program
 * (no table, no timestamp). STORE_URL is a store that kvsqld has written. Without DIR there is no
 * raw database.
 */
#include "config.h"

#include <rocksdb/c.h>
#include <stdio.h>

#include "daemon/stores/rocksdb/store.h"
#include "daemon/stores/stores.h"
#include "tests/bench/events.h"
#include "tests/bench/program.h"

#define CACHE_BYTES (128 * 1024 * 1024)
#define S(text) KVSQL_SLICE_LITERAL (text)

typedef struct
{
  KvsqlStore *store;
  guint64 n_rows;
  rocksdb_t *raw;
  rocksdb_readoptions_t *read_options;
  rocksdb_writeoptions_t *write_options[2]; /* without and with sync */
  volatile guint64 sink;
} Bench;

/* ---- raw: the key is a letter for the table, then the row; with cells of their own, then a name
 */

static const gchar *const cells[] = { "day", "id", "note", "price", "qty" };

static gsize
raw_key (const gchar *table, const Event *event, guint8 *at)
{
  at[0] = (guint8)*table;
  return 1 + event_row (event, at + 1);
}

static gsize
cell_value (const Event *event, guint cell, guint8 *at)
{
  guint64 bits;

  switch (cell)
    {
    case 0:
      return event_put_big_endian (at, (guint64)event->day, 4);
    case 1:
      return event_put_big_endian (at, (guint64)event->id, 8);
    case 2:
      memcpy (at, event->note, strlen (event->note));
      return strlen (event->note);
    case 3:
      memcpy (&bits, &event->price, 8);
      return event_put_big_endian (at, bits, 8);
    default:
      return event_put_big_endian (at, (guint64)event->qty, 4);
    }
}

static void
raw_add (rocksdb_writebatch_t *batch, const gchar *table, const Event *event)
{
  guint8 key[96], value[64];
  gsize key_size = raw_key (table, event, key);

  if (*table != 'c')
    {
      rocksdb_writebatch_put (batch, (char *)key, key_size, (char *)value,
                              event_value (event, value));
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (cells); i++)
    {
      gsize name_size = strlen (cells[i]);
      memcpy (key + key_size, cells[i], name_size);
      rocksdb_writebatch_put (batch, (char *)key, key_size + name_size, (char *)value,
                              cell_value (event, i, value));
    }
}

static gint64
raw_write (Bench *self, const gchar *table, guint64 first, guint n, gboolean is_synced)
{
  rocksdb_writebatch_t *batch = rocksdb_writebatch_create ();
  char *cause = NULL;
  Event event;

  for (guint i = 0; i < n; i++)
    {
      event_make (first + i, &event);
      raw_add (batch, table, &event);
    }
  rocksdb_write (self->raw, self->write_options[is_synced], batch, &cause);
  rocksdb_writebatch_destroy (batch);
  return cause == NULL ? n : bench_fail (cause);
}

static gint64
raw_bulk (gpointer context, const gchar *table, guint64 number)
{
  return raw_write (context, table, number * EVENTS_BATCH, EVENTS_BATCH, FALSE);
}

static gint64
raw_put (gpointer context, const gchar *table, guint64 number)
{
  return raw_write (context, table, number, 1, FALSE);
}

static gint64
raw_put_sync (gpointer context, const gchar *table, guint64 number)
{
  return raw_write (context, table, number, 1, TRUE);
}

/* Reads whole tuples with a prefix. With @is_filter, counts only those with the qty EVENTS_QTY. */
static gint64
raw_iterate (Bench *self, const guint8 *prefix, gsize prefix_size, gboolean is_filter)
{
  rocksdb_iterator_t *iterator = rocksdb_create_iterator (self->raw, self->read_options);
  gint64 rows = 0, entries = 0;
  guint64 sum = 0;

  for (rocksdb_iter_seek (iterator, (const char *)prefix, prefix_size);
       rocksdb_iter_valid (iterator); rocksdb_iter_next (iterator))
    {
      size_t key_size, value_size;
      const char *key = rocksdb_iter_key (iterator, &key_size);
      const char *value = rocksdb_iter_value (iterator, &value_size);

      if (key_size < prefix_size || memcmp (key, prefix, prefix_size) != 0)
        break;
      entries++;
      sum += (guchar)key[key_size - 1] + (guchar)value[0];
      if (!is_filter || (guchar)value[11] == EVENTS_QTY)
        rows++;
    }
  rocksdb_iter_destroy (iterator);
  self->sink += sum;
  return prefix[0] == 'c' ? rows / (gint64)G_N_ELEMENTS (cells) : rows;
}

static gint64
raw_get (gpointer context, const gchar *table, guint64 number)
{
  Bench *self = context;
  guint8 key[96];
  gsize key_size, size;
  Event event;
  char *value, *cause = NULL;

  event_make (event_some (number, self->n_rows), &event);
  key_size = raw_key (table, &event, key);
  if (*table == 'c')
    return raw_iterate (self, key, key_size, FALSE);
  value = rocksdb_get (self->raw, self->read_options, (char *)key, key_size, &size, &cause);
  if (value == NULL)
    return bench_fail (cause != NULL ? cause : "a row is missing");
  self->sink += (guchar)value[0];
  rocksdb_free (value);
  return 1;
}

/* For packed tuples only: the reads of an IN list of whole keys. */
static gint64
raw_multi_get (gpointer context, const gchar *table, guint64 number)
{
  Bench *self = context;
  guint8 keys[EVENTS_IN][96];
  const char *at[EVENTS_IN];
  char *values[EVENTS_IN], *causes[EVENTS_IN];
  size_t sizes[EVENTS_IN], value_sizes[EVENTS_IN];
  guint64 first = event_some_group (number, self->n_rows);
  gint64 rows = 0;
  Event event;

  for (guint i = 0; i < EVENTS_IN; i++)
    {
      event_make (first + i, &event);
      sizes[i] = raw_key (table, &event, keys[i]);
      at[i] = (const char *)keys[i];
    }
  rocksdb_multi_get (self->raw, self->read_options, EVENTS_IN, at, sizes, values, value_sizes,
                     causes);
  for (guint i = 0; i < EVENTS_IN; i++)
    {
      rows += values[i] != NULL;
      self->sink += values[i] != NULL ? (guchar)values[i][0] : 0;
      rocksdb_free (values[i]);
      rocksdb_free (causes[i]);
    }
  return rows == EVENTS_IN ? rows : bench_fail ("a row is missing");
}

static gint64
raw_scan (gpointer context, const gchar *table, guint64 number)
{
  return raw_iterate (context, (const guint8 *)table, 1, FALSE);
}

static gint64
raw_filter (gpointer context, const gchar *table, guint64 number)
{
  return raw_iterate (context, (const guint8 *)table, 1, TRUE);
}

static gint64
raw_range (gpointer context, const gchar *table, guint64 number)
{
  Bench *self = context;
  guint8 key[96];
  Event event;

  event_make (event_some (number * EVENTS_PER_CUSTOMER, self->n_rows), &event);
  return raw_iterate (self, key, raw_key (table, &event, key) - 12, FALSE);
}

/* ---- our store */

static gint64
store_get (gpointer context, const gchar *table, guint64 number)
{
  Bench *self = context;
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlColumn column = { S ("f"), KVSQL_SLICE_EMPTY, TRUE };
  g_autoptr (GError) error = NULL;
  guint8 bytes[64];
  KvsqlSlice key;
  KvsqlRows rows;
  Event event;

  event_make (event_some (number, self->n_rows), &event);
  key = kvsql_slice (bytes, event_row (&event, bytes));
  if (!kvsql_store_multi_get (self->store, kvsql_slice_from_text (table), &key, 1, &column, 1, NULL,
                              arena, &rows, &error))
    return bench_fail (error->message);
  return rows.n_rows == 1 && rows.rows[0].n_cells > 0 ? 1 : bench_fail ("a row is missing");
}

static gint64
store_iterate (Bench *self, const gchar *table, KvsqlRowRange range)
{
  KvsqlColumn column = { S ("f"), KVSQL_SLICE_EMPTY, TRUE };
  KvsqlScanSpec spec = { .table = kvsql_slice_from_text (table),
                         .ranges = &range,
                         .n_ranges = 1,
                         .columns = &column,
                         .n_columns = 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlScan) scan = kvsql_store_open_scan (self->store, &spec, NULL, &error);
  const KvsqlRows *rows;
  gint64 n = 0;

  if (scan == NULL)
    return bench_fail (error->message);
  do
    {
      if (!kvsql_scan_next (scan, NULL, &rows, &error))
        return bench_fail (error->message);
      n += rows->n_rows;
    }
  while (rows->n_rows > 0);
  return n;
}

static gint64
store_scan (gpointer context, const gchar *table, guint64 number)
{
  return store_iterate (context, table, (KvsqlRowRange){ 0 });
}

static gint64
store_range (gpointer context, const gchar *table, guint64 number)
{
  Bench *self = context;
  gchar stop[16];
  Event event;

  event_make (event_some (number * EVENTS_PER_CUSTOMER, self->n_rows), &event);
  g_snprintf (stop, sizeof stop, "%s.", event.cust); /* "." comes after "-" */
  return store_iterate (
      self, table,
      (KvsqlRowRange){ kvsql_slice_from_text (event.cust), kvsql_slice_from_text (stop) });
}

/* For packed tuples only. */
static gint64
store_write (Bench *self, guint64 first, guint n)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlMutation *puts = kvsql_arena_array (arena, KvsqlMutation, n);
  gint64 timestamp = g_get_real_time () / 1000;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n; i++)
    {
      guint8 *bytes = kvsql_arena_alloc (arena, 128);
      Event event;

      event_make (first + i, &event);
      puts[i]
          = (KvsqlMutation){ .kind = KVSQL_MUTATION_PUT,
                             .table = S ("written"),
                             .row = kvsql_slice (bytes, event_row (&event, bytes)),
                             .family = S ("f"),
                             .qualifier = S ("e"),
                             .value = kvsql_slice (bytes + 64, event_value (&event, bytes + 64)),
                             .timestamp = timestamp };
    }
  return kvsql_store_apply (self->store, puts, n, NULL, &error) ? n : bench_fail (error->message);
}

static gint64
store_bulk (gpointer context, const gchar *table, guint64 number)
{
  return store_write (context, number * EVENTS_BATCH, EVENTS_BATCH);
}

static gint64
store_put (gpointer context, const gchar *table, guint64 number)
{
  return store_write (context, number, 1);
}

/* ---- opening */

/* The options of the store (daemon/stores/rocksdb/open.c). */
static rocksdb_options_t *
make_raw_options (void)
{
  rocksdb_options_t *options = rocksdb_options_create ();
  rocksdb_block_based_table_options_t *blocks = rocksdb_block_based_options_create ();
  rocksdb_cache_t *cache = rocksdb_cache_create_lru (CACHE_BYTES);

  rocksdb_block_based_options_set_block_cache (blocks, cache);
  rocksdb_block_based_options_set_filter_policy (blocks,
                                                 rocksdb_filterpolicy_create_bloom_full (10));
  rocksdb_options_set_block_based_table_factory (options, blocks);
  rocksdb_options_set_create_if_missing (options, 1);
  rocksdb_options_set_compression (options, rocksdb_lz4_compression);
  rocksdb_options_set_level_compaction_dynamic_level_bytes (options, 1);
  rocksdb_options_set_max_background_jobs (options, 2);
  rocksdb_cache_destroy (cache);
  rocksdb_block_based_options_destroy (blocks);
  return options;
}

static gboolean
open_raw (Bench *self, const gchar *path)
{
  rocksdb_options_t *options = make_raw_options ();
  char *cause = NULL;

  self->raw = rocksdb_open (options, path, &cause);
  rocksdb_options_destroy (options);
  if (self->raw == NULL)
    return bench_fail (cause) >= 0;
  self->read_options = rocksdb_readoptions_create ();
  for (guint i = 0; i < 2; i++)
    {
      self->write_options[i] = rocksdb_writeoptions_create ();
      rocksdb_writeoptions_set_sync (self->write_options[i], i);
    }
  return TRUE;
}

static void
close_raw (Bench *self)
{
  if (self->raw == NULL)
    return;
  rocksdb_close (self->raw);
  rocksdb_readoptions_destroy (self->read_options);
  for (guint i = 0; i < 2; i++)
    rocksdb_writeoptions_destroy (self->write_options[i]);
}

static gboolean
fill_raw (Bench *self)
{
  for (guint64 first = 0; first < self->n_rows; first += EVENTS_BATCH)
    {
      guint n = MIN (EVENTS_BATCH, self->n_rows - first);
      if (raw_write (self, "packed", first, n, FALSE) < 0
          || raw_write (self, "cells", first, n, FALSE) < 0)
        return FALSE;
    }
  rocksdb_compact_range (self->raw, NULL, 0, NULL, 0);
  return TRUE;
}

/* Creates the table unless kvsqld has done so. */
static gboolean
ensure_written_table (KvsqlStore *store, GError **error)
{
  const KvsqlSlice family = S ("f");
  const KvsqlTableSpec spec = { .name = S ("written"), .families = &family, .n_families = 1 };

  return kvsql_store_ensure_table (store, &spec, NULL, NULL, error);
}

/* Compacts kvsqld's database with its own options, as the raw database is compacted, too. */
static int
compact (const gchar *path)
{
  g_autofree gchar *url = g_strdup_printf ("rocksdb://%s", path);
  g_autoptr (GError) error = NULL;
  KvsqldRocksdbStore *store = (KvsqldRocksdbStore *)kvsqld_store_open (url, &error);

  if (store == NULL)
    return bench_fail (error->message) < 0;
  rocksdb_compact_range_cf (store->db, store->cells, NULL, 0, NULL, 0);
  kvsql_store_close ((KvsqlStore *)store);
  return 0;
}

/* All threads use the same store, as in kvsqld. */
static gpointer
connect_store (gpointer data)
{
  return data;
}

static void
disconnect_store (gpointer connection)
{
}

static void
close_all (Bench *self)
{
  if (self->store != NULL)
    kvsql_store_close (self->store);
  close_raw (self);
}

static gboolean
open_all (Bench *self, const gchar *url, const gchar *raw_path)
{
  g_autoptr (GError) error = NULL;

  self->store = kvsqld_store_open (url, &error);
  if (self->store == NULL || !ensure_written_table (self->store, &error))
    return bench_fail (error->message) >= 0;
  return raw_path == NULL || (open_raw (self, raw_path) && fill_raw (self));
}

int
main (int argc, char **argv)
{
  static const BenchCommand commands[] = {
    { "raw-get", raw_get },       { "raw-multi-get", raw_multi_get },
    { "raw-range", raw_range },   { "raw-scan", raw_scan },
    { "raw-filter", raw_filter }, { "raw-bulk", raw_bulk },
    { "raw-put", raw_put },       { "raw-put-sync", raw_put_sync },
    { "store-get", store_get },   { "store-range", store_range },
    { "store-scan", store_scan }, { "store-bulk", store_bulk },
    { "store-put", store_put },
  };
  Bench self = { 0 };
  const BenchProgram program = {
    .commands = commands,
    .n_commands = G_N_ELEMENTS (commands),
    .connect = connect_store,
    .disconnect = disconnect_store,
    .data = &self,
  };
  int status = 1;

  g_set_prgname ("bench-store");
  if (argc == 3 && strcmp (argv[1], "--compact") == 0)
    return compact (argv[2]);
  if (argc != 3 && argc != 4)
    {
      fprintf (stderr, "usage: bench-store STORE_URL ROWS [DIR]\n");
      return 2;
    }
  self.n_rows = g_ascii_strtoull (argv[2], NULL, 10);
  if (open_all (&self, argv[1], argc == 4 ? argv[3] : NULL))
    status = bench_serve (&program);
  close_all (&self);
  return status;
}
