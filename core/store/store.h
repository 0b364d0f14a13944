/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * store.h: the contract of a key-value store.
 *
 * A store holds cells (table, row, family, qualifier, timestamp, value). Rows of a
 * table are ordered by their bytes, the cells of a row by family and then
 * qualifier. Only the newest version of a cell is ever seen. tests/contract/
 * is this page as a program: a store is done when it passes.
 *
 * Timestamps are milliseconds, >= 1, given by the caller with every mutation. A put
 * with a timestamp below that of the cell it would replace is accepted and stays
 * invisible; with an equal one the later put wins. A delete at timestamp T removes versions
 * with timestamps <= T and nothing newer. (A store may remember a delete, as HBase does:
 * a later put at or below T may stay invisible.)
 *
 * Threads: a KvsqlStore is shared by all threads; a KvsqlScan belongs to one.
 * Deadlines: every call takes a KvsqlCall; past its deadline or once it is cancelled, the call ends
 * soon with KVSQL_ERROR_DEADLINE (reads), or KVSQL_ERROR_UNKNOWN_OUTCOME (writes that may have
 * been applied). KVSQL_ERROR_UNAVAILABLE says that nothing was done, and so does
 * KVSQL_ERROR_DEADLINE from a write. A missing table gives KVSQL_ERROR_STORE with a message that
 * names the table and a hint.
 */
#pragma once

#include <gio/gio.h>

#include "core/base/error.h"
#include "core/base/slice.h"
#include "core/store/usage.h"

G_BEGIN_DECLS

#define KVSQL_STORE_VERSION 1

/* The circumstances of a call: when to give up, who may cancel. */
typedef struct
{
  gint64 deadline_us;        /* g_get_monotonic_time() terms; 0: none */
  GCancellable *cancellable; /* nullable */
  KvsqlUsage *usage;         /* nullable: what the call is counted in, beside the store's own */
} KvsqlCall;

/* FALSE with KVSQL_ERROR_DEADLINE once the call is cancelled or its time has run out, and with
 * KVSQL_ERROR_LIMIT once its statement holds too much memory. */
gboolean kvsql_call_check (const KvsqlCall *call, GError **error);

typedef struct
{
  KvsqlSlice family;
  KvsqlSlice qualifier;
  KvsqlSlice value;
  gint64 timestamp;
} KvsqlCell;

typedef struct
{
  KvsqlSlice key;
  guint first_cell; /* index into KvsqlRows.cells */
  guint n_cells;    /* >= 1 in a scan; 0 in a get of a row that does not exist */
} KvsqlRow;

/* A batch of whole rows. Every slice stays valid until the next call on what produced it. */
typedef struct
{
  guint n_rows;
  KvsqlRow *rows;
  guint n_cells;
  KvsqlCell *cells;
} KvsqlRows;

/* Rows with start <= key < stop. An empty stop means to the end of the table. */
typedef struct
{
  KvsqlSlice start;
  KvsqlSlice stop;
} KvsqlRowRange;

/* A range of exactly one row key. */
static inline gboolean
kvsql_row_range_is_point (const KvsqlRowRange *self)
{
  return self->stop.size == self->start.size + 1 && self->stop.data[self->start.size] == 0
         && kvsql_slice_has_prefix (self->stop, self->start);
}

/* A column or a whole family; a NULL-data qualifier with @whole_family set means every qualifier.
 */
typedef struct
{
  KvsqlSlice family;
  KvsqlSlice qualifier;
  gboolean whole_family;
} KvsqlColumn;

/* Timestamps from @min up to, not including, @max; 0: no such bound. */
typedef struct
{
  gint64 min;
  gint64 max;
} KvsqlTimeRange;

static inline gboolean
kvsql_time_range_has (const KvsqlTimeRange *self, gint64 timestamp)
{
  return timestamp >= self->min && (self->max == 0 || timestamp < self->max);
}

typedef struct _KvsqlFilter KvsqlFilter; /* filter.h */

typedef struct
{
  KvsqlSlice table;
  const KvsqlRowRange *ranges; /* disjoint, ascending, none of them empty */
  guint n_ranges;              /* 0: no rows at all; everything is one range with both ends empty */
  const KvsqlColumn *columns;  /* only these cells; rows without any of them are left out */
  guint n_columns;             /* 0: all cells */
  KvsqlTimeRange times; /* only cells whose newest version has such a timestamp, rows without any
                         * are left out; @max needs KVSQL_STORE_ONE_VERSION */
  const KvsqlFilter *filter; /* nullable: rows that it does not admit may be left out. Needs
                              * @columns, each of a family that a term of the filter names */
  gboolean keys_only;        /* values may come empty */
  gboolean is_reversed;      /* rows in descending order; needs KVSQL_STORE_REVERSE_SCAN */
  guint64 row_limit;         /* 0: none. A hint: no more rows than this will be read */
  guint64 row_hint;      /* so many rows are probably enough: none are read ahead beyond them; 0:
                          * not known */
  guint64 expected_rows; /* about so many will come, by what is known of such scans: how large the
                          * first request is made; 0: not known */
  guint batch_rows;      /* rows wanted in a batch; 0: the store chooses. An upper bound */
} KvsqlScanSpec;

typedef enum
{
  KVSQL_MUTATION_PUT,
  KVSQL_MUTATION_DELETE,     /* this cell */
  KVSQL_MUTATION_DELETE_ROW, /* every cell of the row; family and qualifier are empty */
} KvsqlMutationKind;

typedef struct
{
  KvsqlMutationKind kind;
  KvsqlSlice table;
  KvsqlSlice row;
  KvsqlSlice family;
  KvsqlSlice qualifier;
  KvsqlSlice value; /* puts */
  gint64 timestamp;
} KvsqlMutation;

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
} KvsqlCheck;

/* What a new table needs. Stores ignore what they have no use for. */
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
  gint versions;               /* kept of a cell; 0: as the store likes */
  gint ttl_seconds;            /* 0: for ever */
} KvsqlTableSpec;

/* What a store can do, as data for the planner. */
typedef enum
{
  KVSQL_STORE_REVERSE_SCAN = 1 << 0,
  KVSQL_STORE_ATOMIC_BATCH = 1 << 1, /* one apply() is all or nothing, over any rows and tables */
  KVSQL_STORE_IMPLICIT_TABLES
  = 1 << 2, /* a put makes its table and family; a scan of a missing table is empty */
  KVSQL_STORE_ONE_VERSION = 1 << 3, /* what a put replaces is gone. Where older versions are kept, a
                                     * scan up to some time would show them as if they were current
                                     */
} KvsqlStoreFlags;

/* What a store does about the parts of a scan that only save work. */
typedef enum
{
  KVSQL_FILTER_VALUES = 1 << 0,    /* leaves out rows that the filter of a scan does not admit */
  KVSQL_FILTER_KEYS_ONLY = 1 << 1, /* gives out no values where none are wanted */
} KvsqlFilterFlags;

typedef struct
{
  guint flags;             /* KvsqlStoreFlags */
  guint filters;           /* KvsqlFilterFlags */
  gsize max_row_bytes;     /* longest row key */
  gsize max_value_bytes;   /* longest value */
  gdouble request_cost;    /* what a request costs, in units of reading one row */
  gint64 newest_timestamp; /* no cell was newer when the store was opened; 0: unknown. New writes
                            * begin here, so that a clock set back hides none of them */
} KvsqlStoreCapabilities;

typedef struct _KvsqlStore KvsqlStore;
typedef struct _KvsqlScan KvsqlScan;

typedef enum
{
  KVSQL_FACT_TEXT,
  KVSQL_FACT_GAUGE,   /* a number that goes up and down */
  KVSQL_FACT_COUNTER, /* one that only grows while the store is open */
} KvsqlFactKind;

/* Something about how a store is doing, for people and for metrics. Names are lower case with
 * spaces between words, and stay what they are: a metric's name is made of them. */
typedef struct
{
  const gchar *group; /* nullable: what it is about, "gateway"; NULL: the store itself */
  const gchar *item;  /* which one of the group, "10.0.0.1:9090"; NULL where @group is */
  const gchar *name;  /* "connections in use" */
  KvsqlFactKind kind;
  const gchar *text; /* of KVSQL_FACT_TEXT */
  gint64 number;     /* of the others */
} KvsqlFact;

/* @fact and all it points to are good during the call only. */
typedef void (*KvsqlFactFunc) (const KvsqlFact *fact, gpointer data);

typedef struct
{
  guint version;     /* KVSQL_STORE_VERSION */
  const gchar *name; /* "memory", "rocksdb", "hbase" */

  void (*close) (KvsqlStore *self);

  /* Cheap proof that the store answers; for status. */
  gboolean (*ping) (KvsqlStore *self, const KvsqlCall *call, GError **error);

  /* @spec and all it points to are copied or kept only until the call returns. */
  KvsqlScan *(*open_scan) (KvsqlStore *self, const KvsqlScanSpec *spec, const KvsqlCall *call,
                           GError **error);
  /* TRUE with *out_rows set; n_rows == 0 means the end. A batch holds whole rows only.
   * Each row is seen as it was at some moment since open_scan(); after an error the scan is only
   * good to be closed. */
  gboolean (*scan_next) (KvsqlScan *scan, const KvsqlCall *call, const KvsqlRows **out_rows,
                         GError **error);
  void (*scan_close) (KvsqlScan *scan);

  /* Rows by key, one result per key in the same order (n_cells 0: no such row). The result lives in
   * @arena. */
  gboolean (*multi_get) (KvsqlStore *self, KvsqlSlice table, const KvsqlSlice *keys, guint n_keys,
                         const KvsqlColumn *columns, guint n_columns, const KvsqlCall *call,
                         KvsqlArena *arena, KvsqlRows *out_rows, GError **error);

  /* Mutations of one row and call are atomic; of several rows only with ATOMIC_BATCH. Order within
   * a row counts. */
  gboolean (*apply) (KvsqlStore *self, const KvsqlMutation *mutations, guint n_mutations,
                     const KvsqlCall *call, GError **error);
  /* As apply(), if the check holds; all mutations are of the check's table and row. */
  gboolean (*check_and_apply) (KvsqlStore *self, const KvsqlCheck *check,
                               const KvsqlMutation *mutations, guint n_mutations,
                               const KvsqlCall *call, gboolean *out_applied, GError **error);
  /* Adds to a cell of 8 bytes big-endian (an absent one counts as 0). */
  gboolean (*increment) (KvsqlStore *self, KvsqlSlice table, KvsqlSlice row, KvsqlSlice family,
                         KvsqlSlice qualifier, gint64 amount, const KvsqlCall *call,
                         gint64 *out_value, GError **error);

  /* (element-type utf8) (transfer full): GPtrArray of GBytes, sorted; only names that begin with
   * @prefix. */
  GPtrArray *(*list_tables) (KvsqlStore *self, KvsqlSlice prefix, const KvsqlCall *call,
                             GError **error);
  /* Makes the table, or adds the families it lacks; never changes what is there. @out_created may
   * be NULL and says whether the table was made. */
  gboolean (*ensure_table) (KvsqlStore *self, const KvsqlTableSpec *spec, const KvsqlCall *call,
                            gboolean *out_created, GError **error);
  gboolean (*drop_table) (KvsqlStore *self, KvsqlSlice name, const KvsqlCall *call, GError **error);
  /* Everything acknowledged is on disk. */
  gboolean (*flush) (KvsqlStore *self, const KvsqlCall *call, GError **error);

  /* Nullable. Makes @directory, which must not be there, a copy of the store as it is at one moment
   * of the call, which an opener of the same kind opens. */
  gboolean (*checkpoint) (KvsqlStore *self, const gchar *directory, const KvsqlCall *call,
                          GError **error);

  /* Nullable. Calls @func for every fact, those of one item one after the other; asks no server
   * and waits for nothing. @func may not call the store. */
  void (*report) (KvsqlStore *self, KvsqlFactFunc func, gpointer data);
  /* @n_wanted keys, >= 1, that cut the range into parts of about the same size, ascending and
   * within it: start < key < stop. Fewer, or none, if there are few rows or little is known of
   * them; a key need not be a row. A missing table has none, or is an error. Keys live in @arena.
   * NULL: rows are looked up by short scans (split.h). */
  gboolean (*split_points) (KvsqlStore *self, KvsqlSlice table, const KvsqlRowRange *range,
                            guint n_wanted, const KvsqlCall *call, KvsqlArena *arena,
                            KvsqlSlice **out_keys, guint *out_n_keys, GError **error);
} KvsqlStoreClass;

/* An implementation embeds these two as its first member. */
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

/* Callers use these; they check arguments (row length, empty family …) once for all stores. A @call
 * that is NULL has no end. multi_get() finds nothing under keys that no row can have. */
void kvsql_store_close (KvsqlStore *self); /* accepts NULL */
gboolean kvsql_store_ping (KvsqlStore *self, const KvsqlCall *call, GError **error);
KvsqlScan *kvsql_store_open_scan (KvsqlStore *self, const KvsqlScanSpec *spec,
                                  const KvsqlCall *call, GError **error);
gboolean kvsql_scan_next (KvsqlScan *scan, const KvsqlCall *call, const KvsqlRows **out_rows,
                          GError **error);
void kvsql_scan_close (KvsqlScan *scan); /* accepts NULL */
gboolean kvsql_store_multi_get (KvsqlStore *self, KvsqlSlice table, const KvsqlSlice *keys,
                                guint n_keys, const KvsqlColumn *columns, guint n_columns,
                                const KvsqlCall *call, KvsqlArena *arena, KvsqlRows *out_rows,
                                GError **error);
gboolean kvsql_store_apply (KvsqlStore *self, const KvsqlMutation *mutations, guint n_mutations,
                            const KvsqlCall *call, GError **error);
gboolean kvsql_store_check_and_apply (KvsqlStore *self, const KvsqlCheck *check,
                                      const KvsqlMutation *mutations, guint n_mutations,
                                      const KvsqlCall *call, gboolean *out_applied, GError **error);
gboolean kvsql_store_increment (KvsqlStore *self, KvsqlSlice table, KvsqlSlice row,
                                KvsqlSlice family, KvsqlSlice qualifier, gint64 amount,
                                const KvsqlCall *call, gint64 *out_value, GError **error);
GPtrArray *kvsql_store_list_tables (KvsqlStore *self, KvsqlSlice prefix, const KvsqlCall *call,
                                    GError **error);
gboolean kvsql_store_ensure_table (KvsqlStore *self, const KvsqlTableSpec *spec,
                                   const KvsqlCall *call, gboolean *out_created, GError **error);
gboolean kvsql_store_drop_table (KvsqlStore *self, KvsqlSlice name, const KvsqlCall *call,
                                 GError **error);
gboolean kvsql_store_flush (KvsqlStore *self, const KvsqlCall *call, GError **error);
/* KVSQL_ERROR_UNSUPPORTED where the store has no such call. */
gboolean kvsql_store_checkpoint (KvsqlStore *self, const gchar *directory, const KvsqlCall *call,
                                 GError **error);
void kvsql_store_report (KvsqlStore *self, KvsqlFactFunc func, gpointer data);
gboolean kvsql_store_split_points (KvsqlStore *self, KvsqlSlice table, const KvsqlRowRange *range,
                                   guint n_wanted, const KvsqlCall *call, KvsqlArena *arena,
                                   KvsqlSlice **out_keys, guint *out_n_keys, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlStore, kvsql_store_close)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlScan, kvsql_scan_close)

G_END_DECLS
