/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rocksdb-store.h: what the files of the RocksDB store share; nobody else includes it.
 *
 * Lock order: gaps.lock, tables.lock, rows.all, then rows.some by ascending number, then
 * clock.lock. space.lock, sync.lock and trouble.lock are leaves. Readers take tables.lock only to
 * look up a table; RocksDB gives them one state of the whole store for as long as a call or a scan
 * lasts.
 */
#pragma once

#include <rocksdb/c.h>

#include "core/store/store.h"
#include "daemon/stores/rocksdb-batch.h"
#include "daemon/stores/rocksdb-key.h"
#include "daemon/stores/rocksdb-lock.h"

G_BEGIN_DECLS

#define KVSQLD_ROCKSDB_ROW_LOCKS 256

/* The directory of tables. Ids are never given out twice. */
typedef struct
{
  KvsqldFairLock lock; /* shared by writers of cells: a table stays while they write */
  GHashTable *ids;
  guint32 next_id;
} KvsqldRocksdbTables;

/* Who changes a row holds its lock. A call with very many rows takes them all. */
typedef struct
{
  KvsqldFairLock all;                     /* shared by those who hold some */
  GRWLock some[KVSQLD_ROCKSDB_ROW_LOCKS]; /* of rows by their hash; never shared */
} KvsqldRocksdbRows;

/* The newest timestamp of any cell. What is at least as new needs no look at the cell it replaces.
 */
typedef struct
{
  GRWLock lock;
  gint64 newest;
  gint64 recorded; /* on disk; never less than the newest on disk */
} KvsqldRocksdbClock;

/* Whether the folder's disk has room. */
typedef struct
{
  GMutex lock;
  guint64 min_free_bytes; /* with less no puts are taken; 0: whatever is free */
  gint64 looked_us;       /* when @free_bytes was found out */
  guint64 free_bytes;
  guint64 n_refused;
} KvsqldRocksdbSpace;

/* The log goes to the disk now and then; a thread of its own sees to it. */
typedef struct
{
  GMutex lock;
  GCond ended;
  GThread *thread; /* NULL: each write sees to it by itself, or none does */
  guint interval_ms;
  gboolean is_over;
} KvsqldRocksdbSync;

/* Stretches without a cell that one deletion covers. */
typedef struct
{
  GMutex lock;
  GHashTable *ends; /* table -> GBytes: where its last one ended */
  gint64 next_us;   /* when there may be another */
  gint n_covered;   /* atomic */
} KvsqldRocksdbGaps;

/* Why the last write failed, if it did. */
typedef struct
{
  GMutex lock;
  gchar *text; /* nullable; is set and read as a pointer without the lock, but not looked into */
} KvsqldRocksdbTrouble;

typedef struct
{
  KvsqlStore base;
  gchar *path;
  rocksdb_t *db;
  rocksdb_column_family_handle_t *cells; /* the default one, which holds all */
  rocksdb_writeoptions_t *write_options;
  rocksdb_readoptions_t *read_options;
  KvsqldRocksdbTables tables;
  KvsqldRocksdbClock clock;
  KvsqldRocksdbRows rows;
  KvsqldRocksdbSpace space;
  KvsqldRocksdbSync sync;
  KvsqldRocksdbTrouble trouble;
  KvsqldRocksdbGaps gaps;
} KvsqldRocksdbStore;

/* rocksdb-open.c: the database itself, and what RocksDB says went wrong */
typedef struct
{
  gchar *path;
  gboolean sync;
  guint sync_interval_ms; /* 0: none */
  guint64 cache_bytes;
  guint64 min_free_bytes;
} KvsqldRocksdbOptions;

gboolean kvsqld_rocksdb_options_parse (const gchar *url, KvsqldRocksdbOptions *out, GError **error);
void kvsqld_rocksdb_options_clear (KvsqldRocksdbOptions *self);
gboolean kvsqld_rocksdb_open (KvsqldRocksdbStore *self, const KvsqldRocksdbOptions *options,
                              GError **error);
/* Takes RocksDB's @cause. TRUE if there is none; else FALSE with "could not @what: cause". */
gboolean kvsqld_rocksdb_check (gchar *cause, const gchar *what, GError **error);
/* The same for a write, whose outcome may be unknown. */
gboolean kvsqld_rocksdb_check_write (KvsqldRocksdbStore *self, gchar *cause, GError **error);

/* rocksdb-space.c */
void kvsqld_rocksdb_space_init (KvsqldRocksdbStore *self);
void kvsqld_rocksdb_space_clear (KvsqldRocksdbStore *self);
guint64 kvsqld_rocksdb_space_get_free (KvsqldRocksdbStore *self); /* bytes, as of a moment ago */
gchar *kvsqld_rocksdb_space_describe_lack (KvsqldRocksdbStore *self); /* NULL: there is enough */
/* FALSE with KVSQL_ERROR_UNAVAILABLE if there is too little. */
gboolean kvsqld_rocksdb_space_check (KvsqldRocksdbStore *self, GError **error);
/* The same for mutations: what only deletes is let through, since it makes room. */
gboolean kvsqld_rocksdb_space_check_for (KvsqldRocksdbStore *self, const KvsqlMutation *mutations,
                                         guint n_mutations, GError **error);

/* rocksdb-sync.c */
void kvsqld_rocksdb_sync_init (KvsqldRocksdbStore *self);
void kvsqld_rocksdb_sync_start (KvsqldRocksdbStore *self);
void kvsqld_rocksdb_sync_stop (KvsqldRocksdbStore *self);

/* rocksdb-gap.c */
void kvsqld_rocksdb_gaps_init (KvsqldRocksdbStore *self);
void kvsqld_rocksdb_gaps_clear (KvsqldRocksdbStore *self);
/* How many deletions this thread steps over between the two calls. */
guint64 kvsqld_rocksdb_skipped_begin (void);
guint64 kvsqld_rocksdb_skipped_end (guint64 begin) G_GNUC_WARN_UNUSED_RESULT;
/* A thread counts what it reads, at some cost, until it is told not to: once by this. */
void kvsqld_rocksdb_count_nothing (void);
/* Keys from @start up to @end, of this table: if there are none, they are not looked at again.
 * Takes rows.all: not for who holds a row. */
void kvsqld_rocksdb_cover_gap (KvsqldRocksdbStore *self, guint32 table, KvsqlSlice start,
                               KvsqlSlice end);

/* rocksdb-prefix.c: what a key's filter is asked about: its row. (transfer full) */
rocksdb_slicetransform_t *kvsqld_rocksdb_prefix_new (void);

/* rocksdb-checkpoint.c */
gboolean kvsqld_rocksdb_checkpoint (KvsqlStore *store, const gchar *directory,
                                    const KvsqlCall *call, GError **error);

/* rocksdb-report.c */
void kvsqld_rocksdb_report (KvsqlStore *store, KvsqlFactFunc func, gpointer data);

/* rocksdb-tables.c: what is kept under table id 0 */
void kvsqld_rocksdb_tables_init (KvsqldRocksdbStore *self);
void kvsqld_rocksdb_tables_clear (KvsqldRocksdbStore *self);
gboolean kvsqld_rocksdb_tables_load (KvsqldRocksdbStore *self, GError **error);
guint32 kvsqld_rocksdb_tables_find_locked (KvsqldRocksdbStore *self, KvsqlSlice name); /* 0: none */
guint32 kvsqld_rocksdb_tables_find (KvsqldRocksdbStore *self, KvsqlSlice name);
/* Makes the tables that are missing for a put, and shares tables.lock if all is well. */
gboolean kvsqld_rocksdb_tables_lock_for (KvsqldRocksdbStore *self, const KvsqlMutation *mutations,
                                         guint n_mutations, GError **error);
GPtrArray *kvsqld_rocksdb_list_tables (KvsqlStore *store, KvsqlSlice prefix, const KvsqlCall *call,
                                       GError **error);
gboolean kvsqld_rocksdb_ensure_table (KvsqlStore *store, const KvsqlTableSpec *spec,
                                      const KvsqlCall *call, gboolean *out_created, GError **error);
gboolean kvsqld_rocksdb_drop_table (KvsqlStore *store, KvsqlSlice name, const KvsqlCall *call,
                                    GError **error);

/* rocksdb-clock.c: raises the newest timestamp to @timestamp, and says what it was before. */
void kvsqld_rocksdb_clock_init (KvsqldRocksdbStore *self);
void kvsqld_rocksdb_clock_clear (KvsqldRocksdbStore *self);
gboolean kvsqld_rocksdb_clock_load (KvsqldRocksdbStore *self, GError **error);
gboolean kvsqld_rocksdb_clock_raise (KvsqldRocksdbStore *self, gint64 timestamp, gint64 *out_before,
                                     GError **error);

/* rocksdb-write.c */
void kvsqld_rocksdb_rows_init (KvsqldRocksdbStore *self);
void kvsqld_rocksdb_rows_clear (KvsqldRocksdbStore *self);
gboolean kvsqld_rocksdb_apply (KvsqlStore *store, const KvsqlMutation *mutations, guint n_mutations,
                               const KvsqlCall *call, GError **error);
gboolean kvsqld_rocksdb_check_and_apply (KvsqlStore *store, const KvsqlCheck *check,
                                         const KvsqlMutation *mutations, guint n_mutations,
                                         const KvsqlCall *call, gboolean *out_applied,
                                         GError **error);
gboolean kvsqld_rocksdb_increment (KvsqlStore *store, KvsqlSlice table, KvsqlSlice row,
                                   KvsqlSlice family, KvsqlSlice qualifier, gint64 amount,
                                   const KvsqlCall *call, gint64 *out_value, GError **error);

/* rocksdb-edit.c: mutations become a write batch. Tables and rows are locked. */
gboolean kvsqld_rocksdb_edit (KvsqldRocksdbStore *self, const KvsqlMutation *mutations,
                              guint n_mutations, KvsqldRocksdbBatch *batch, GError **error);

/* rocksdb-scan.c, rocksdb-get.c */
KvsqlScan *kvsqld_rocksdb_open_scan (KvsqlStore *store, const KvsqlScanSpec *spec,
                                     const KvsqlCall *call, GError **error);
gboolean kvsqld_rocksdb_scan_next (KvsqlScan *scan, const KvsqlCall *call,
                                   const KvsqlRows **out_rows, GError **error);
void kvsqld_rocksdb_scan_close (KvsqlScan *scan);
gboolean kvsqld_rocksdb_multi_get (KvsqlStore *store, KvsqlSlice table, const KvsqlSlice *keys,
                                   guint n_keys, const KvsqlColumn *columns, guint n_columns,
                                   const KvsqlCall *call, KvsqlArena *arena, KvsqlRows *out_rows,
                                   GError **error);

/* rocksdb-split.c */
gboolean kvsqld_rocksdb_split_points (KvsqlStore *store, KvsqlSlice table,
                                      const KvsqlRowRange *range, guint n_wanted,
                                      const KvsqlCall *call, KvsqlArena *arena,
                                      KvsqlSlice **out_keys, guint *out_n_keys, GError **error);

/* The current entry of an iterator that is valid. */
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
