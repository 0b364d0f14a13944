/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * service.h: what the daemon can do, free of Thrift.
 *
 * Front ends (rpc/ today) translate their requests into these calls and the
 * answers back. One service is shared by all threads; every call blocks its
 * caller no longer than the request's time-out. Definitions and plans are immutable
 * snapshots: a request never sees one change.
 *
 * Errors are of KVSQL_ERROR only.
 */
#pragma once

#include "core/base/vector.h"
#include "core/store/store.h"
#include "daemon/activity.h"
#include "daemon/registry/registry.h"

G_BEGIN_DECLS

typedef struct _KvsqldService KvsqldService;

/* Bounds that the operator sets; 0 means the default. All but the store and registry can be changed
 * while running. */
typedef struct
{
  guint page_rows;           /* default 5,000 */
  gsize page_bytes;          /* default 1 MiB; never over 8 MiB */
  gint64 request_timeout_ms; /* default 60,000; also the upper bound of what a caller may ask for */
  gsize sort_bytes;          /* memory of one ORDER BY, GROUP BY or DISTINCT; default 64 MiB */
  const gchar *sort_directory;   /* of temporary files; NULL: the system's. Lives for ever. */
  guint64 sort_disk_bytes;       /* of temporary files of one ORDER BY; 0: none */
  const gchar *backup_directory; /* of BACKUP; NULL: none. Lives for ever. */
  guint64 max_scan_rows;         /* that a statement may read; 0: any number */
  guint max_statements;          /* prepared statements, all sessions; default 10,000 */
  guint max_cursors;             /* live scanners kept warm; default 200 */
  guint cursor_idle_s;           /* default 60 */
  gsize max_statement_bytes;     /* default 4 MiB */
  guint max_running_statements;  /* default 1,000; SHOW and KILL run nonetheless */
  gsize max_statement_memory;    /* default 256 MiB; sort_bytes is never over half of it */
  gsize max_memory;              /* of all statements, default 2 GiB */
  guint64 max_result_rows;       /* while its cursor stays warm; 0: any number */
  guint64 max_result_bytes;      /* likewise */
  gint64 slow_statement_ms;      /* longer ones are logged; 0: none */
  guint scan_workers;            /* threads that a long scan is read by, the caller's among them;
                                    default: as many as there are processors */
  guint64 scan_serial_rows;      /* a scan that has read so many tuples is long; default 16,384 */
} KvsqldServiceLimits;

/**
 * kvsqld_service_new:
 * @store: (transfer full)
 * @store_url: for status; secrets already removed
 *
 * Opens the registry in the thread-default main context, whose loop must run for
 * watches to arrive. Works with a registry that is away: definitions are then empty, or
 * those last seen, and kept until it is back.
 */
KvsqldService *kvsqld_service_new (KvsqlStore *store, const gchar *store_url,
                                   const gchar *registry_url, const KvsqldServiceLimits *limits,
                                   GError **error);
void kvsqld_service_free (KvsqldService *self); /* no request may be under way */
void kvsqld_service_set_limits (KvsqldService *self, const KvsqldServiceLimits *limits);

/* What goes on though its time was over @grace_us ago, for people; NULL: nothing does. */
const gchar *kvsqld_service_find_stuck (KvsqldService *self, gint64 grace_us);

/* Where front ends put their sessions. (transfer none) */
KvsqldActivity *kvsqld_service_get_activity (KvsqldService *self);

/* The circumstances of one request; all of it may be zero. */
typedef struct
{
  guint max_rows;
  gsize max_bytes;
  gint64 timeout_ms;
  guint64 max_scan_rows; /* refuse to read more; the daemon has its own bound */
  gboolean is_read_only;
  gboolean wants_progress;   /* pages shall say how far they are */
  gboolean knows_columns;    /* of a prepared statement: said again only if they have changed */
  gboolean follows;          /* nothing is done if the request before it failed */
  const gchar *request_id;   /* nullable */
  GCancellable *cancellable; /* nullable: the peer hung up, the daemon stops */
  const gchar *peer;         /* nullable: who asks: an address, or "user 1000" */
  KvsqldSession *session;    /* nullable; else its cancellable is what counts */
} KvsqldRequest;

typedef struct
{
  gchar *name;
  KvsqlType type;
  gboolean is_nullable;
  gchar *relation; /* nullable */
} KvsqldColumn;

/* One page of an answer, or the answer of a statement without rows. */
typedef struct
{
  KvsqldColumn *columns; /* set on the first page of a result only; NULL otherwise */
  guint n_columns;       /* of @rows, on every page */
  KvsqlBatch *rows;      /* NULL when the statement returns no rows */
  KvsqlArena *arena;     /* owns the bytes of @rows */
  GBytes *cursor;        /* NULL: the end */
  gint64 affected;       /* tuples written or deleted; -1: not such a statement */
  gdouble done;          /* of the whole answer, 0 … 1, by a guess; < 0: nobody knows */
  GPtrArray *warnings;   /* (element-type utf8) nullable */
} KvsqldPage;

void kvsqld_page_free (KvsqldPage *self);

typedef struct
{
  gint64 id;
  guint n_parameters;
  gchar **parameter_names; /* n_parameters + 1, NULL entries for `?` */
  KvsqlType *parameter_types;
  guint n_columns;
  KvsqldColumn *columns;
} KvsqldPrepared;

void kvsqld_prepared_free (KvsqldPrepared *self);

/* Parameters come as BOOLEAN, BIGINT, DOUBLE, STRING, BYTES or NULL and are converted to what the
 * place needs. */
KvsqldPage *kvsqld_service_query (KvsqldService *self, const KvsqldRequest *request, KvsqlSlice sql,
                                  const KvsqlValue *parameters, guint n_parameters, GError **error);
KvsqldPrepared *kvsqld_service_prepare (KvsqldService *self, const KvsqldRequest *request,
                                        KvsqlSlice sql, GError **error);
KvsqldPage *kvsqld_service_execute (KvsqldService *self, const KvsqldRequest *request,
                                    gint64 statement_id, const KvsqlValue *parameters,
                                    guint n_parameters, GError **error);
gboolean kvsqld_service_close_statement (KvsqldService *self, gint64 statement_id, GError **error);
KvsqldPage *kvsqld_service_fetch (KvsqldService *self, const KvsqldRequest *request,
                                  KvsqlSlice cursor, GError **error);
/* Cursors of parts of a SELECT's answer, which give it one behind the other; to be fetched in any
 * order, by anybody. About @n_wanted of them; none if the answer can only be given as a whole.
 * (element-type GBytes) (transfer full) */
GPtrArray *kvsqld_service_partition (KvsqldService *self, const KvsqldRequest *request,
                                     KvsqlSlice sql, const KvsqlValue *parameters,
                                     guint n_parameters, guint n_wanted, GError **error);
/* A cursor that is not ours is an error; one that has ended is not. */
gboolean kvsqld_service_close_cursor (KvsqldService *self, KvsqlSlice cursor, GError **error);
/* @data: one vector a name of @attributes, types as of parameters, n_rows rows each. */
gboolean kvsqld_service_insert_rows (KvsqldService *self, const KvsqldRequest *request,
                                     const gchar *relation, const gchar *const *attributes,
                                     const KvsqlBatch *data, gint64 *out_affected, GError **error);
/* Both texts (transfer full). */
gboolean kvsqld_service_explain (KvsqldService *self, const KvsqldRequest *request, KvsqlSlice sql,
                                 const KvsqlValue *parameters, guint n_parameters,
                                 gboolean is_analyze, gchar **out_text, gchar **out_json,
                                 GError **error);

typedef struct
{
  const gchar *store_url;
  const gchar *registry_url;
  gint64 epoch;
  gboolean definitions_writable;
  gchar *trouble; /* (transfer full) nullable */
} KvsqldStatus;

void kvsqld_service_get_status (KvsqldService *self, KvsqldStatus *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldService, kvsqld_service_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldPage, kvsqld_page_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldPrepared, kvsqld_prepared_free)

G_END_DECLS
