/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rocksdb-store.h: what the files of the RocksDB store share; nobody else includes it.
 *
 * Lock order: tables.lock, rows.all, then rows.some by ascending number, then clock.lock.
 * Readers take tables.lock only to look up a table; RocksDB gives them one state
 * of the whole store for as long as a call or a scan lasts.
 */
#pragma once

#include <rocksdb/c.h>

#include "core/store/store.h"
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
} KvsqldRocksdbStore;

/* rocksdb-open.c: the database itself, and what RocksDB says went wrong */
typedef struct
{
  gchar *path;
  gboolean sync;
  guint64 cache_bytes;
} KvsqldRocksdbOptions;

gboolean kvsqld_rocksdb_options_parse (const gchar *url, KvsqldRocksdbOptions *out, GError **error);
void kvsqld_rocksdb_options_clear (KvsqldRocksdbOptions *self);
gboolean kvsqld_rocksdb_open (KvsqldRocksdbStore *self, const KvsqldRocksdbOptions *options,
                              GError **error);
/* Takes RocksDB's @cause. TRUE if there is none; else FALSE with "could not @what: cause". */
gboolean kvsqld_rocksdb_check (gchar *cause, const gchar *what, GError **error);
/* The same for a write, whose outcome may be unknown. */
gboolean kvsqld_rocksdb_check_write (gchar *cause, GError **error);

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
                              guint n_mutations, rocksdb_writebatch_t *batch, GError **error);

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
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqldRocksdbOptions, kvsqld_rocksdb_options_clear)

G_END_DECLS
