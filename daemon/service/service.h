/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * service.h: all functions of the daemon, independent of Thrift.
 *
 * Front ends (rpc/, postgres/) translate their requests into these calls and the answers back. One
 * service is shared by all threads. A call blocks its caller no longer than the request's time-out.
 * Definitions and plans are immutable snapshots: they do not change during a request.
 *
 * All errors are of KVSQL_ERROR.
 */
#pragma once

#include "daemon/identity/login.h"
#include "daemon/session/activity.h"
#include "core/engine/result-page.h"
#include "daemon/session/prepared.h"

G_BEGIN_DECLS

typedef struct _KvsqldService KvsqldService;
typedef struct _KvsqlStore KvsqlStore;     /* core/store/store.h */
typedef struct _KvsqlCatalog KvsqlCatalog; /* core/catalog/catalog.h */

/* Limits that the operator sets; 0 means the default. All but the store and registry can be changed
 * while running. */
typedef struct
{
  guint page_rows;             /* default 5,000 */
  gsize page_bytes;            /* default 1 MiB; at most 8 MiB */
  gint64 request_timeout_ms;   /* default 60,000; also the upper bound of a caller's own time-out */
  gsize sort_bytes;            /* memory of one ORDER BY, GROUP BY or DISTINCT; default 64 MiB */
  const gchar *sort_directory; /* of temporary files; NULL: the system's. Must live as long as the
                                  process. */
  guint64 sort_disk_bytes;     /* of temporary files of one ORDER BY; 0: none */
  const gchar
      *backup_directory;        /* of BACKUP; NULL: no backups. Must live as long as the process. */
  guint64 max_scan_rows;        /* that a statement may read; 0: no limit */
  guint max_statements;         /* prepared statements, all sessions; default 10,000 */
  guint max_session_statements; /* of one session; default 1,000 */
  guint max_statement_shapes;   /* whose costs are counted; 0: none. Without limits 1,000 */
  guint max_cursors;            /* cursors in the cache; default 200 */
  guint cursor_idle_s;          /* default 60 */
  gsize max_statement_bytes;    /* default 4 MiB */
  guint max_running_statements; /* default 1,000; SHOW and KILL run in any case */
  gsize max_statement_memory;   /* default 256 MiB; sort_bytes is at most half of it */
  gsize max_memory;             /* of all statements, default 2 GiB */
  guint64 max_result_rows;      /* while its cursor is in the cache; 0: no limit */
  guint64 max_result_bytes;     /* while its cursor is in the cache; 0: no limit */
  gint64 slow_statement_ms;     /* slower statements are logged; 0: none */
  guint scan_workers; /* threads that read a long scan, with the caller's; default: the number of
                         processors */
  guint64 scan_serial_rows; /* a scan is long after this many tuples; default 16,384 */
  gint64 timestamp_lease_s; /* how long a daemon uses timestamps without the registry; default
                               3,600. Not changed while running, as the next two */
  gint64 late_request_s;    /* the longest time that a request to the store may take effect after it
                               was given up; default 3,600 */
  gint64 delete_grace_s;    /* how long new tables remember deletes; default 86,400 */
  gint64 anchor_cleanup_interval_s; /* how often anchors are removed; 0: never. Not changed while
                                       running, either */
} KvsqldServiceLimits;

/**
 * kvsqld_service_new:
 * @store: (transfer full)
 * @store_url: for status; secrets already removed
 *
 * Opens the registry in the thread-default main context, whose loop must run for watches to arrive.
 * A registry that is away is no error: definitions are empty, or the last known ones, until the
 * registry is back.
 */
KvsqldService *kvsqld_service_new (KvsqlStore *store, const gchar *store_url,
                                   const gchar *registry_url, const KvsqldServiceLimits *limits,
                                   GError **error);
void kvsqld_service_free (KvsqldService *self); /* no request may be running */
void kvsqld_service_set_limits (KvsqldService *self, const KvsqldServiceLimits *limits);

/* Describes an activity that still runs @grace_us after its deadline; NULL: there is none. */
const gchar *kvsqld_service_find_stuck (KvsqldService *self, gint64 grace_us);

/* What a front end holds for a session between its requests: texts, values, pages that were not
 * sent yet. An arena counts there if the front end has entered the account. (transfer full) */
KvsqlAccount *kvsqld_service_new_holding (KvsqldService *self);
/* Counts a page of the service as held, too. @bytes: negative when it is no longer held */
void kvsqld_service_hold (KvsqldService *self, KvsqlAccount *holding, gssize bytes);
/* FALSE with %KVSQL_ERROR_LIMIT if this session, or all together, hold more than their part of
 * max_memory. */
gboolean kvsqld_service_check_holding (KvsqldService *self, const KvsqlAccount *holding,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* For log-ins by password. (transfer none) */
KvsqldLogins *kvsqld_service_get_logins (KvsqldService *self);
/* To be called once if clients log in: warns if others may read or write the registry. */
void kvsqld_service_watch_exposure (KvsqldService *self);
/* Makes a connection the role that its client asks for: kvsqld_identity_assume(). */
gboolean kvsqld_service_assume_role (KvsqldService *self, KvsqldIdentity *identity,
                                     const gchar *role, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The list where front ends register their sessions. (transfer none) */
KvsqldActivity *kvsqld_service_get_activity (KvsqldService *self);

/* The parameters of one request; all may be zero. */
typedef struct
{
  guint max_rows;
  gsize max_bytes;
  gint64 timeout_ms;
  guint64 max_scan_rows; /* a lower limit than the daemon's own */
  gboolean is_read_only;
  gboolean wants_progress; /* pages shall say how much of the result is done */
  gboolean
      knows_columns;    /* of a prepared statement: they are sent again only if they have changed */
  gboolean follows;     /* skipped if the request before it failed */
  gboolean is_verified; /* each SELECT is WITH VERIFIED; not of a fetch */
  gboolean wants_types; /* of prepare: the types that the places of parameters have */
  const KvsqlType *parameter_types; /* nullable, of prepare: those that the client gives to the
                                       first parameters; NULL: none */
  guint n_parameter_types;
  guint64 n_written;         /* tuples that the same statement has written in earlier requests */
  const gchar *request_id;   /* nullable */
  GCancellable *cancellable; /* nullable: fires when the peer hangs up or the daemon stops */
  const gchar *peer;         /* nullable: the client: an address, or "user 1000" */
  KvsqldSession *session;    /* nullable; if set, its cancellable is used */
  KvsqldIdentity *identity;  /* nullable: the daemon itself, which may do everything */
} KvsqldRequest;

/* Parameters are BOOLEAN, BIGINT, DOUBLE, STRING, BYTES or NULL, and are converted to the type of
 * their place. */
KvsqlResultPage *kvsqld_service_query (KvsqldService *self, const KvsqldRequest *request,
                                       KvsqlSlice sql, const KvsqlValue *parameters,
                                       guint n_parameters, GError **error);
KvsqldPrepared *kvsqld_service_prepare (KvsqldService *self, const KvsqldRequest *request,
                                        KvsqlSlice sql, GError **error);
KvsqlResultPage *kvsqld_service_execute (KvsqldService *self, const KvsqldRequest *request,
                                         gint64 statement_id, const KvsqlValue *parameters,
                                         guint n_parameters, GError **error);
/* A statement belongs to the request's session: other sessions can neither execute nor close it. */
gboolean kvsqld_service_close_statement (KvsqldService *self, const KvsqldRequest *request,
                                         gint64 statement_id,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
KvsqlResultPage *kvsqld_service_fetch (KvsqldService *self, const KvsqldRequest *request,
                                       KvsqlSlice cursor, GError **error);
/* Cursors of the parts of a SELECT's result. The parts in their order are the result; they may be
 * fetched in any order, by any client. About @n_wanted of them; none if the result cannot be
 * divided. (element-type GBytes) (transfer full) */
GPtrArray *kvsqld_service_partition (KvsqldService *self, const KvsqldRequest *request,
                                     KvsqlSlice sql, const KvsqlValue *parameters,
                                     guint n_parameters, guint n_wanted, GError **error);
/* A cursor that is not authentic is an error. One that has ended is not. */
gboolean kvsqld_service_close_cursor (KvsqldService *self, KvsqlSlice cursor,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
/**
 * kvsqld_service_describe_rows:
 * @attributes: (nullable) (array length=n): of which rows will be inserted; %NULL: all of them
 * @arena: of the columns
 *
 * The columns of rows that the client may insert now by kvsqld_service_insert_rows(). Errors: those
 * of an insert without rows.
 */
gboolean kvsqld_service_describe_rows (KvsqldService *self, const KvsqldRequest *request,
                                       const gchar *relation, const gchar *const *attributes,
                                       guint n, KvsqlArena *arena, KvsqlResultColumn **out_columns,
                                       guint *out_n, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* @data: one vector for each name of @attributes, with types as for parameters, and n_rows rows
 * each. @out_affected: (out): tuples that were certainly written, also when the call fails. An
 * error of a row has its number (kvsql_error_get_row ()). */
gboolean kvsqld_service_insert_rows (KvsqldService *self, const KvsqldRequest *request,
                                     const gchar *relation, const gchar *const *attributes,
                                     const KvsqlBatch *data, gint64 *out_affected,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
typedef struct _KvsqlAuthority KvsqlAuthority; /* core/catalog/rights.h */
typedef struct _KvsqlRelation KvsqlRelation;   /* core/schema/relation.h */
typedef struct _KvsqlView KvsqlView;           /* core/catalog/view.h */

/* Definitions for a front end. */
typedef struct
{
  const KvsqlCatalog *catalog;
  const KvsqlAuthority *authority; /* which of them exist for the client */
  gconstpointer execution;         /* for the functions below */
} KvsqldKnownDefinitions;

/* Whether a view exists for the client. */
gboolean kvsqld_known_definitions_have_view (const KvsqldKnownDefinitions *self,
                                             const KvsqlView *view);
/* The tuples that ANALYZE has counted; -1: it has not. */
gint64 kvsqld_known_definitions_count_tuples (const KvsqldKnownDefinitions *self,
                                              const KvsqlRelation *relation);
/* Its columns, valid during the request. NULL: what it reads is gone. */
const KvsqlResultColumn *
kvsqld_known_definitions_list_view_columns (const KvsqldKnownDefinitions *self,
                                            const KvsqlView *view, guint *out_n);

/* What a front end makes of them. */
typedef gboolean (*KvsqldReadDefinitions) (const KvsqldKnownDefinitions *definitions, gpointer data,
                                           GError **error);
/* After a log-in. FALSE with KVSQL_ERROR_LIMIT if its role has too many connections. */
gboolean kvsqld_service_join_role (KvsqldService *self, const KvsqldRequest *request,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Calls @read as a statement, @sql: in the time of the request and with its memory, and KILL ends
 * it. */
gboolean kvsqld_service_read_definitions (KvsqldService *self, const KvsqldRequest *request,
                                          KvsqlSlice sql, KvsqldReadDefinitions read, gpointer data,
                                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Both texts (transfer full). */
gboolean kvsqld_service_explain (KvsqldService *self, const KvsqldRequest *request, KvsqlSlice sql,
                                 const KvsqlValue *parameters, guint n_parameters,
                                 gboolean is_analyze, gchar **out_text, gchar **out_json,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

typedef struct
{
  const gchar *store_url;
  const gchar *registry_url;
  gint64 epoch;
  gboolean definitions_writable;
  gchar *last_error;     /* of the registry; nullable */
  gchar *writes_refused; /* why this daemon writes nothing (daemon/cluster/writable.h); nullable */
} KvsqldStatus;

void kvsqld_service_get_status (KvsqldService *self, KvsqldStatus *out);

static inline void
kvsqld_status_clear (KvsqldStatus *self)
{
  g_free (self->last_error);
  g_free (self->writes_refused);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldService, kvsqld_service_free)

G_END_DECLS
