/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * store.h: declarations that only the files of the RocksDB store share.
 *
 * Lock order: tombstones.lock, tables.lock, rows.all, then rows.some by ascending number, then
 * clock.lock. space.lock, sync.lock and last_error.lock are leaves. Readers lock tables.lock only
 * to look up a table; RocksDB gives them one state of the whole store during a call or a scan.
 */
#pragma once

#include <rocksdb/c.h>

#include "core/store/store.h"
#include "daemon/stores/rocksdb/batch.h"
#include "daemon/stores/rocksdb/key.h"
#include "daemon/stores/rocksdb/lock.h"

G_BEGIN_DECLS

#define KVSQLD_ROCKSDB_ROW_LOCKS 256

/* The directory of tables. Ids are never reused. */
typedef struct
{
  KvsqldFairLock lock; /* shared by writers of cells, so that their table stays while they write */
  GHashTable *ids;
  guint32 next_id;
} KvsqldRocksdbTables;

/* A write holds the locks of its rows. A call with very many rows locks all. */
typedef struct
{
  KvsqldFairLock all;                     /* shared by calls that hold some locks */
  GRWLock some[KVSQLD_ROCKSDB_ROW_LOCKS]; /* indexed by the hash of a row; never shared */
} KvsqldRocksdbRows;

/* The newest timestamp of any cell. A cell that is at least as new can be written without reading
 * the cell that it replaces. */
typedef struct
{
  GRWLock lock;
  gint64 newest;
  gint64 recorded; /* on disk; never less than the newest timestamp on disk */
} KvsqldRocksdbClock;

/* Free space of the disk of the store's directory. */
typedef struct
{
  GMutex lock;
  guint64 min_free_bytes; /* with less free space puts are rejected; 0: never */
  gint64 read_us;         /* time at which @free_bytes was read */
  guint64 free_bytes;
  guint64 n_refused;
} KvsqldRocksdbSpace;

/* Syncs the log to disk at an interval, in a thread of its own. */
typedef struct
{
  GMutex lock;
  GCond ended;
  GThread *thread; /* NULL: each write syncs the log itself, or none does */
  guint interval_ms;
  gboolean is_over;
} KvsqldRocksdbSync;

/* Ranges that contain only tombstones, and are covered by one range tombstone each. */
typedef struct
{
  GMutex lock;
  GHashTable *ends; /* table -> GBytes: the end of its last range */
  gint64 next_us;   /* the earliest time of the next range */
  gint n_covered;   /* atomic */
} KvsqldRocksdbTombstones;

/* Error of the last write, if it failed. */
typedef struct
{
  GMutex lock;
  gchar *text; /* nullable; the pointer is set and read without the lock, the text only with it */
} KvsqldRocksdbLastError;

typedef struct
{
  KvsqlStore base;
  gchar *path;
  rocksdb_t *db;
  rocksdb_column_family_handle_t *cells; /* the default column family, which contains everything */
  rocksdb_writeoptions_t *write_options;
  rocksdb_readoptions_t *read_options;
  KvsqldRocksdbTables tables;
  KvsqldRocksdbClock clock;
  KvsqldRocksdbRows rows;
  KvsqldRocksdbSpace space;
  KvsqldRocksdbSync sync;
  KvsqldRocksdbLastError last_error;
  KvsqldRocksdbTombstones tombstones;
} KvsqldRocksdbStore;

/* open.c */
typedef struct
{
  gchar *path;
  gboolean sync;
  guint sync_interval_ms; /* 0: no interval */
  guint64 cache_bytes;
  guint64 min_free_bytes;
} KvsqldRocksdbOptions;

gboolean kvsqld_rocksdb_options_parse (const gchar *url, KvsqldRocksdbOptions *out,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
void kvsqld_rocksdb_options_clear (KvsqldRocksdbOptions *self);
gboolean kvsqld_rocksdb_open (KvsqldRocksdbStore *self, const KvsqldRocksdbOptions *options,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* errors.c */

/* Takes RocksDB's @cause. TRUE if that is NULL; else FALSE with the error "could not @what:
 * cause". */
gboolean kvsqld_rocksdb_check (gchar *cause, const gchar *what,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The same for a write, whose outcome may be unknown. */
gboolean kvsqld_rocksdb_check_write (KvsqldRocksdbStore *self, gchar *cause,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A write without a caller: its @cause, or NULL, is reported as the last error. Takes it. */
void kvsqld_rocksdb_note_write (KvsqldRocksdbStore *self, gchar *cause);

/* space.c */
void kvsqld_rocksdb_space_init (KvsqldRocksdbStore *self);
void kvsqld_rocksdb_space_clear (KvsqldRocksdbStore *self);
guint64 kvsqld_rocksdb_space_get_free (KvsqldRocksdbStore *self); /* bytes; at most a moment old */
gchar *kvsqld_rocksdb_space_describe_lack (KvsqldRocksdbStore *self); /* NULL: there is enough */
/* FALSE with KVSQL_ERROR_UNAVAILABLE if there is too little. */
gboolean kvsqld_rocksdb_space_check (KvsqldRocksdbStore *self,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The same for mutations: deletions alone are always allowed, because they free space. */
gboolean kvsqld_rocksdb_space_check_for (KvsqldRocksdbStore *self, const KvsqlRowMutation *rows,
                                         guint n_rows, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* sync.c */
void kvsqld_rocksdb_sync_init (KvsqldRocksdbStore *self);
void kvsqld_rocksdb_sync_start (KvsqldRocksdbStore *self);
void kvsqld_rocksdb_sync_stop (KvsqldRocksdbStore *self);

/* tombstones.c */
void kvsqld_rocksdb_tombstones_init (KvsqldRocksdbStore *self);
void kvsqld_rocksdb_tombstones_clear (KvsqldRocksdbStore *self);
/* Count the tombstones that this thread steps over between the two calls. */
guint64 kvsqld_rocksdb_skipped_begin (void);
guint64 kvsqld_rocksdb_skipped_end (guint64 begin) G_GNUC_WARN_UNUSED_RESULT;
/* By default RocksDB counts the reads of each thread, at some cost. Turns that off for this thread,
 * once. */
void kvsqld_rocksdb_count_nothing (void);
/* Covers the keys from @start up to @end of this table with one range tombstone, if there are no
 * cells, so that later scans jump over them. Locks rows.all: the caller must not hold a row
 * lock. */
void kvsqld_rocksdb_cover_tombstones (KvsqldRocksdbStore *self, guint32 table, KvsqlSlice start,
                                      KvsqlSlice end);

/* prefix.c: maps a key to its row's prefix, for Bloom filters. (transfer full) */
rocksdb_slicetransform_t *kvsqld_rocksdb_prefix_new (void);

/* checkpoint.c */
gboolean kvsqld_rocksdb_checkpoint (KvsqlStore *store, const gchar *directory,
                                    const KvsqlCall *call,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* report.c */
void kvsqld_rocksdb_report (KvsqlStore *store, KvsqlFactFunc func, gpointer data);

/* tables.c: the directory of tables, stored under table id 0 */
void kvsqld_rocksdb_tables_init (KvsqldRocksdbStore *self);
void kvsqld_rocksdb_tables_clear (KvsqldRocksdbStore *self);
gboolean kvsqld_rocksdb_tables_load (KvsqldRocksdbStore *self,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
guint32 kvsqld_rocksdb_tables_find_locked (KvsqldRocksdbStore *self, KvsqlSlice name); /* 0: none */
guint32 kvsqld_rocksdb_tables_find (KvsqldRocksdbStore *self, KvsqlSlice name);
/* Creates missing tables of puts. On success tables.lock is held, shared. */
gboolean kvsqld_rocksdb_tables_lock_for (KvsqldRocksdbStore *self, const KvsqlRowMutation *rows,
                                         guint n_rows, GError **error) G_GNUC_WARN_UNUSED_RESULT;
GPtrArray *kvsqld_rocksdb_list_tables (KvsqlStore *store, KvsqlSlice prefix, const KvsqlCall *call,
                                       GError **error);
gboolean kvsqld_rocksdb_ensure_table (KvsqlStore *store, const KvsqlTableSpec *spec,
                                      const KvsqlCall *call, gboolean *out_created,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsqld_rocksdb_drop_table (KvsqlStore *store, KvsqlSlice name, const KvsqlCall *call,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* clock.c: raises the newest timestamp to @timestamp. *out_before: its value before. */
void kvsqld_rocksdb_clock_init (KvsqldRocksdbStore *self);
void kvsqld_rocksdb_clock_clear (KvsqldRocksdbStore *self);
gboolean kvsqld_rocksdb_clock_load (KvsqldRocksdbStore *self,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsqld_rocksdb_clock_raise (KvsqldRocksdbStore *self, gint64 timestamp, gint64 *out_before,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* write.c */
void kvsqld_rocksdb_rows_init (KvsqldRocksdbStore *self);
void kvsqld_rocksdb_rows_clear (KvsqldRocksdbStore *self);
gboolean kvsqld_rocksdb_apply (KvsqlStore *store, const KvsqlRowMutation *rows, guint n_rows,
                               const KvsqlCall *call, GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsqld_rocksdb_check_and_apply (KvsqlStore *store, const KvsqlCheck *check,
                                         const KvsqlCellMutation *cells, guint n_cells,
                                         const KvsqlCall *call, gboolean *out_applied,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsqld_rocksdb_increment (KvsqlStore *store, KvsqlSlice table, KvsqlSlice row,
                                   KvsqlSlice family, KvsqlSlice qualifier, gint64 amount,
                                   const KvsqlCall *call, gint64 *out_value,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* edit.c: converts mutations to a write batch. The caller holds the locks of tables and
 * rows. */
gboolean kvsqld_rocksdb_edit (KvsqldRocksdbStore *self, const KvsqlRowMutation *rows, guint n_rows,
                              KvsqldRocksdbBatch *batch, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* scan.c, get.c */
KvsqlScan *kvsqld_rocksdb_open_scan (KvsqlStore *store, const KvsqlScanSpec *spec,
                                     const KvsqlCall *call, GError **error);
gboolean kvsqld_rocksdb_scan_next (KvsqlScan *scan, const KvsqlCall *call,
                                   const KvsqlRows **out_rows,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
void kvsqld_rocksdb_scan_close (KvsqlScan *scan);
gboolean kvsqld_rocksdb_multi_get (KvsqlStore *store, KvsqlSlice table, const KvsqlSlice *keys,
                                   guint n_keys, const KvsqlColumn *columns, guint n_columns,
                                   const KvsqlCall *call, KvsqlArena *arena, KvsqlRows *out_rows,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* split.c */
gboolean kvsqld_rocksdb_split_points (KvsqlStore *store, KvsqlSlice table,
                                      const KvsqlRowRange *range, guint n_wanted,
                                      const KvsqlCall *call, KvsqlArena *arena,
                                      KvsqlSlice **out_keys, guint *out_n_keys,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The key of the current entry of a valid iterator. */
static inline KvsqlSlice
kvsqld_rocksdb_iterator_key (const rocksdb_iterator_t *iterator)
{
  size_t size;
  const char *data = rocksdb_iter_key (iterator, &size);

  return kvsql_slice (data, size);
}

static inline KvsqlSlice
kvsqld_rocksdb_iterator_value (const rocksdb_iterator_t *iterator)
{
  size_t size;
  const char *data = rocksdb_iter_value (iterator, &size);

  return kvsql_slice (data, size);
}

static inline void
kvsqld_rocksdb_iterator_seek (rocksdb_iterator_t *iterator, KvsqlSlice key)
{
  rocksdb_iter_seek (iterator, (const char *)key.data, key.size);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (rocksdb_iterator_t, rocksdb_iter_destroy)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (rocksdb_readoptions_t, rocksdb_readoptions_destroy)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (rocksdb_writebatch_t, rocksdb_writebatch_destroy)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (rocksdb_pinnableslice_t, rocksdb_pinnableslice_destroy)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (rocksdb_options_t, rocksdb_options_destroy)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqlBuffer, kvsql_buffer_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqldRocksdbBatch, kvsqld_rocksdb_batch_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqldRocksdbOptions, kvsqld_rocksdb_options_clear)

G_END_DECLS
