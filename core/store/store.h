/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * store.h: the contract of a key-value store.
 *
 * A store holds cells. A cell has a cell key (table, row, family, qualifier), a timestamp and a
 * value. The rows of a table are ordered by their bytes, the cells of a row by family, then
 * qualifier. Reads return only the newest version of a cell. The suite tests/contract/ checks this
 * contract: an implementation is complete when it passes.
 *
 * Timestamps are milliseconds, >= 1, given by the caller with every mutation. A put with a
 * timestamp below that of the existing cell is accepted and stays invisible. With an equal
 * timestamp the later put wins. A delete at timestamp T removes versions with timestamps <= T and
 * nothing newer. (A store may remember a delete, as HBase does: a later put at or below T may stay
 * invisible.)
 *
 * Threads: all threads share a KvsqlStore. A KvsqlScan belongs to one thread.
 * Deadlines: every call takes a KvsqlCall. After its deadline or its cancellation, the call ends
 * soon with KVSQL_ERROR_DEADLINE (reads), or KVSQL_ERROR_UNKNOWN_OUTCOME (writes that may have been
 * applied).
 * Errors: KVSQL_ERROR_UNAVAILABLE means that nothing was done, and so does KVSQL_ERROR_DEADLINE
 * from a write. A missing table is KVSQL_ERROR_STORE with a message that names the table, and a
 * hint.
 */
#pragma once

#include "core/store/call.h"
#include "core/store/capabilities.h"
#include "core/store/filter.h"
#include "core/store/mutation.h"
#include "core/store/row-types.h"

G_BEGIN_DECLS

#define KVSQL_STORE_VERSION 1

typedef struct
{
  KvsqlSlice table;
  const KvsqlRowRange *ranges; /* disjoint, ascending, none of them empty */
  guint n_ranges;              /* 0: no rows. One range with two empty ends: all rows */
  const KvsqlColumn *columns;  /* only these cells; rows without any of them are omitted */
  guint n_columns;             /* 0: all cells */
  KvsqlTimeRange times; /* only cells whose newest version has such a timestamp; rows without any
                         * are omitted. @max needs KVSQL_STORE_ONE_VERSION */
  const KvsqlFilter *filter; /* nullable: rows that it does not admit may be omitted. Needs
                              * @columns, each of a family that a term of the filter names */
  gboolean keys_only;        /* values may be empty */
  gboolean is_reversed;      /* rows in descending order; needs KVSQL_STORE_REVERSE_SCAN */
  guint64 row_limit;         /* a hint: the caller reads at most so many rows; 0: no limit */
  guint64 row_hint;      /* so many rows are probably enough: more are not read ahead; 0: unknown */
  guint64 expected_rows; /* an estimate of the number of rows, which sets the size of the first
                          * request; 0: unknown */
  guint batch_rows;      /* the largest number of rows in a batch; 0: the store chooses */
} KvsqlScanSpec;

typedef enum
{
  KVSQL_CHECK_ABSENT, /* the cell does not exist (one with an empty value may count as absent) */
  KVSQL_CHECK_EQUAL,  /* the cell exists and has these bytes */
} KvsqlCheckKind;

typedef struct
{
  KvsqlCheckKind kind;
  KvsqlSlice table;
  KvsqlSlice row;
  KvsqlSlice family;
  KvsqlSlice qualifier;
  KvsqlSlice value; /* EQUAL; not empty */
  /* A timestamp that no other writer of these cells uses: the timestamp of the puts, and that of
   * the deletes plus one. After an unreliable answer, a store reads the cells and looks for this
   * timestamp, to find out whether the mutations were applied. 0: there is no such timestamp. */
  gint64 mark;
  guint n_versions; /* so many versions of the cells that are put are kept; 0: unknown */
} KvsqlCheck;

/* The properties of a new table. A store ignores those that it does not support. */
typedef struct
{
  KvsqlSlice name;
  const KvsqlSlice *families;
  guint n_families; /* >= 1 */
  const KvsqlSlice *splits;
  guint n_splits;
  const gchar *compression;    /* nullable: "NONE", "GZ", "SNAPPY" … */
  const gchar *bloom;          /* nullable: "NONE", "ROW", "ROWCOL" */
  const gchar *block_encoding; /* nullable: "FAST_DIFF" … */
  gint versions;               /* the number of versions kept of a cell; 0: the store's default */
  gint ttl_seconds;            /* 0: no expiry */
  gint64 delete_grace_ms;      /* a delete is remembered until its timestamp is so old, at least; 0:
                                * the store's default */
  gboolean must_exist; /* nothing is made: KVSQL_ERROR_STORE if the table or a family is missing.
                        * Stores with implicit tables ignore it. */
} KvsqlTableSpec;

/* What a store knows of a table without reading its rows. */
typedef struct
{
  KvsqlSlice *families;
  guint n_families; /* 0: they are those that cells have */
  KvsqlSlice *region_starts;
  guint n_regions; /* 0: a table has no parts of its own */
} KvsqlTableDescription;

typedef struct _KvsqlStore KvsqlStore;
typedef struct _KvsqlScan KvsqlScan;

typedef enum
{
  KVSQL_FACT_TEXT,
  KVSQL_FACT_GAUGE,   /* a number that goes up and down */
  KVSQL_FACT_COUNTER, /* a number that only grows while the store is open */
} KvsqlFactKind;

/* A statistic of a store, for SHOW STATUS and for metrics. Names are lower case with spaces between
 * words. They are stable, as names of metrics are derived from them. */
typedef struct
{
  const gchar *group; /* nullable: a kind of part, "gateway"; NULL: the store itself */
  const gchar *item;  /* the part, "10.0.0.1:9090"; NULL if @group is NULL */
  const gchar *name;  /* "connections in use" */
  KvsqlFactKind kind;
  const gchar *text; /* of KVSQL_FACT_TEXT */
  gint64 number;     /* of the other kinds */
} KvsqlFact;

/* @fact and everything it points to are valid during the call only. */
typedef void (*KvsqlFactFunc) (const KvsqlFact *fact, gpointer data);

/* Makes call number @index of several. */
typedef gboolean (*KvsqlStoreTask) (gpointer data, guint index, GError **error);

typedef struct
{
  guint version;     /* KVSQL_STORE_VERSION */
  const gchar *name; /* "memory", "rocksdb", "hbase" */

  void (*close) (KvsqlStore *self);

  /* Checks cheaply that the store answers; for status. */
  gboolean (*ping) (KvsqlStore *self, const KvsqlCall *call, GError **error);

  /* @spec and everything it points to need to be valid during the call only. */
  KvsqlScan *(*open_scan) (KvsqlStore *self, const KvsqlScanSpec *spec, const KvsqlCall *call,
                           GError **error);
  /* TRUE with *out_rows set. n_rows == 0 is the end. A batch holds whole rows only. Each row has
   * the state of some moment since open_scan(). After an error the scan can only be closed. */
  gboolean (*scan_next) (KvsqlScan *scan, const KvsqlCall *call, const KvsqlRows **out_rows,
                         GError **error);
  void (*scan_close) (KvsqlScan *scan);

  /* Reads rows by key: one result per key, in the same order (n_cells 0: no such row). The result
   * lives in @arena. */
  gboolean (*multi_get) (KvsqlStore *self, KvsqlSlice table, const KvsqlSlice *keys, guint n_keys,
                         const KvsqlColumn *columns, guint n_columns, const KvsqlCall *call,
                         KvsqlArena *arena, KvsqlRows *out_rows, GError **error);

  /* @rows: in the order of table and row, each row once. The mutations of one row are atomic and
   * are applied in order; those of several rows are atomic only with ATOMIC_BATCH. */
  gboolean (*apply) (KvsqlStore *self, const KvsqlRowMutation *rows, guint n_rows,
                     const KvsqlCall *call, GError **error);
  /* Nullable. FALSE: @apply never takes this row, although the capabilities allow it. */
  gboolean (*check_row) (KvsqlStore *self, const KvsqlRowMutation *row, GError **error);
  /* Compare and set: applies the cells to the check's row, if the check holds. *out_applied is
   * certain. If it cannot be known, the call fails with KVSQL_ERROR_UNKNOWN_OUTCOME. */
  gboolean (*check_and_apply) (KvsqlStore *self, const KvsqlCheck *check,
                               const KvsqlCellMutation *cells, guint n_cells, const KvsqlCall *call,
                               gboolean *out_applied, GError **error);
  /* Adds to a cell of 8 bytes, big-endian. An absent cell counts as 0. */
  gboolean (*increment) (KvsqlStore *self, KvsqlSlice table, KvsqlSlice row, KvsqlSlice family,
                         KvsqlSlice qualifier, gint64 amount, const KvsqlCall *call,
                         gint64 *out_value, GError **error);

  /* Nullable, for stores whose calls wait for another machine: kvsql_store_run_tasks(). */
  gboolean (*run_tasks) (KvsqlStore *self, guint n, KvsqlStoreTask task, gpointer data,
                         GError **error);

  /* (transfer full): a GPtrArray of GBytes, sorted: the names that begin with @prefix. */
  GPtrArray *(*list_tables) (KvsqlStore *self, KvsqlSlice prefix, const KvsqlCall *call,
                             GError **error);
  /* Nullable, for stores that know nothing of a table. @out lives in @arena. */
  gboolean (*describe_table) (KvsqlStore *self, KvsqlSlice name, const KvsqlCall *call,
                              KvsqlArena *arena, KvsqlTableDescription *out, GError **error);
  /* Creates the table, or adds missing families. Never changes existing families. @out_created:
   * (nullable): whether the table was created. */
  gboolean (*ensure_table) (KvsqlStore *self, const KvsqlTableSpec *spec, const KvsqlCall *call,
                            gboolean *out_created, GError **error);
  gboolean (*drop_table) (KvsqlStore *self, KvsqlSlice name, const KvsqlCall *call, GError **error);
  /* After it, every acknowledged write is on disk. */
  gboolean (*flush) (KvsqlStore *self, const KvsqlCall *call, GError **error);

  /* Nullable. Creates @directory, which must not exist, as a copy of the store at one moment during
   * the call. A store of the same kind can be opened on it. */
  gboolean (*checkpoint) (KvsqlStore *self, const gchar *directory, const KvsqlCall *call,
                          GError **error);

  /* Nullable. Calls @func for every fact; the facts of an item follow each other. Does not block
   * and makes no request. @func must not call the store. */
  void (*report) (KvsqlStore *self, KvsqlFactFunc func, gpointer data);
  /* Returns @n_wanted keys, >= 1, ascending, with start < key < stop, that divide the range into
   * parts of about the same size. It returns fewer keys, or none, if there are few rows or if too
   * little is known about them. A key need not be a row. A missing table has no keys, or is an
   * error. Keys live in @arena. kvsql_split_by_scanning() (split.h) fits any store that can scan
   * backwards. */
  gboolean (*split_points) (KvsqlStore *self, KvsqlSlice table, const KvsqlRowRange *range,
                            guint n_wanted, const KvsqlCall *call, KvsqlArena *arena,
                            KvsqlSlice **out_keys, guint *out_n_keys, GError **error);
} KvsqlStoreClass;

/* An implementation embeds these structs as the first member of its own. */
struct _KvsqlStore
{
  const KvsqlStoreClass *klass;
  KvsqlStoreCapabilities capabilities;
  KvsqlStoreUsage usage;
};

struct _KvsqlScan
{
  KvsqlStore *store;
};

/* Callers use these functions. They check arguments (row length, empty family …) for all stores. A
 * @call that is NULL has no deadline. multi_get() finds nothing for keys that no row can have. */
void kvsql_store_close (KvsqlStore *self); /* accepts NULL */
gboolean kvsql_store_ping (KvsqlStore *self, const KvsqlCall *call,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
KvsqlScan *kvsql_store_open_scan (KvsqlStore *self, const KvsqlScanSpec *spec,
                                  const KvsqlCall *call, GError **error);
gboolean kvsql_scan_next (KvsqlScan *scan, const KvsqlCall *call, const KvsqlRows **out_rows,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
void kvsql_scan_close (KvsqlScan *scan); /* accepts NULL */
gboolean kvsql_store_multi_get (KvsqlStore *self, KvsqlSlice table, const KvsqlSlice *keys,
                                guint n_keys, const KvsqlColumn *columns, guint n_columns,
                                const KvsqlCall *call, KvsqlArena *arena, KvsqlRows *out_rows,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_store_apply_rows (KvsqlStore *self, const KvsqlRowMutation *rows, guint n_rows,
                                 const KvsqlCall *call, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The same for mutations in any order. */
gboolean kvsql_store_apply (KvsqlStore *self, const KvsqlMutation *mutations, guint n_mutations,
                            const KvsqlCall *call, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether kvsql_store_apply() would take these mutations: what can be said without a request. */
gboolean kvsql_store_check (KvsqlStore *self, const KvsqlMutation *mutations, guint n_mutations,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_store_check_and_apply (KvsqlStore *self, const KvsqlCheck *check,
                                      const KvsqlCellMutation *cells, guint n_cells,
                                      const KvsqlCall *call, gboolean *out_applied,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_store_increment (KvsqlStore *self, KvsqlSlice table, KvsqlSlice row,
                                KvsqlSlice family, KvsqlSlice qualifier, gint64 amount,
                                const KvsqlCall *call, gint64 *out_value,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
/**
 * kvsql_store_run_tasks:
 * @task: calls this store; several threads may call it at the same time
 *
 * Runs the tasks 0 to @n - 1 in any order, and in parallel where that saves time. After a failure
 * no further task is started. The error is that of one that failed, and one with
 * KVSQL_ERROR_UNKNOWN_OUTCOME if there is any.
 */
gboolean kvsql_store_run_tasks (KvsqlStore *self, guint n, KvsqlStoreTask task, gpointer data,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
GPtrArray *kvsql_store_list_tables (KvsqlStore *self, KvsqlSlice prefix, const KvsqlCall *call,
                                    GError **error);
gboolean kvsql_store_describe_table (KvsqlStore *self, KvsqlSlice name, const KvsqlCall *call,
                                     KvsqlArena *arena, KvsqlTableDescription *out,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether there is no table of that name. FALSE also if the store does not say. */
gboolean kvsql_store_lacks_table (KvsqlStore *self, KvsqlSlice name, const KvsqlCall *call);
gboolean kvsql_store_ensure_table (KvsqlStore *self, const KvsqlTableSpec *spec,
                                   const KvsqlCall *call, gboolean *out_created,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_store_drop_table (KvsqlStore *self, KvsqlSlice name, const KvsqlCall *call,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_store_flush (KvsqlStore *self, const KvsqlCall *call,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* KVSQL_ERROR_UNSUPPORTED if the store has no such call. */
gboolean kvsql_store_checkpoint (KvsqlStore *self, const gchar *directory, const KvsqlCall *call,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
void kvsql_store_report (KvsqlStore *self, KvsqlFactFunc func, gpointer data);
gboolean kvsql_store_split_points (KvsqlStore *self, KvsqlSlice table, const KvsqlRowRange *range,
                                   guint n_wanted, const KvsqlCall *call, KvsqlArena *arena,
                                   KvsqlSlice **out_keys, guint *out_n_keys,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlStore, kvsql_store_close)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlScan, kvsql_scan_close)

G_END_DECLS
