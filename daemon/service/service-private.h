/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * service-private.h: shared by the files of the service.
 *
 * Lock order: service->mutex is taken last and held for a few instructions only. Nothing blocks
 * under it. The cursors and the statements have locks of their own, which are never taken together.
 */
#pragma once

#include "core/base/interrupt.h"
#include "core/base/sequence-source.h"
#include "core/catalog/alter.h"
#include "core/write/storage.h"
#include "core/write/returning.h"
#include "core/engine/definitions.h"
#include "core/engine/execution.h"
#include "core/engine/subquery.h"
#include "core/exec/select.h"
#include "core/maintain/filling.h"
#include "core/plan/calls.h"
#include "core/plan/select-plan.h"
#include "core/sql/ast.h"
#include "daemon/log/audit.h"
#include "daemon/identity/exposure.h"
#include "daemon/backfill/backfill.h"
#include "daemon/recovery/anchor-cleanup.h"
#include "daemon/recovery/later.h"
#include "daemon/recovery/recovery.h"
#include "daemon/cluster/clock.h"
#include "daemon/log/log-rate.h"
#include "daemon/session/cursors.h"
#include "daemon/cluster/definitions.h"
#include "daemon/cluster/protocol-change.h"
#include "daemon/cluster/sequences.h"
#include "daemon/session/worker-pool.h"
#include "daemon/metrics/metrics.h"
#include "daemon/service/service.h"
#include "daemon/session/statement-statistics.h"
#include "daemon/session/statements.h"
#include "daemon/session/turns.h"
#include "daemon/metrics/trim.h"
#include "daemon/metrics/undecodable-counts.h"

G_BEGIN_DECLS

/* Parts of max_memory for what is held between requests: all prepared statements, all cached
 * cursors, what front ends hold, and the same of one session. The rest, three eighths of
 * max_memory, is left to the running statements. */
#define KVSQLD_PREPARED_PART 4
#define KVSQLD_CURSORS_PART 4
#define KVSQLD_HOLDINGS_PART 8
#define KVSQLD_SESSION_PART 16

/* Bounds of a page that neither a request nor the configuration can exceed. */
#define KVSQLD_MAX_PAGE_BYTES (8 * 1024 * 1024)
#define KVSQLD_MAX_PAGE_ROWS 1000000

struct _KvsqldService
{
  KvsqlStore *store;
  KvsqlStorage *storage;
  KvsqldDefinitions *definitions;
  KvsqldCursors *cursors;
  KvsqldStatements *statements;
  KvsqldPlanCache *plans;
  KvsqldStatementStatistics *shapes;
  KvsqldClock *clock; /* nullable: only this daemon uses the store */
  KvsqldSequences *sequences;
  KvsqldActivity *activity;
  KvsqldRoleUsages *roles;
  KvsqldLogins *logins;
  KvsqldExposure *exposure; /* nullable */
  KvsqlAccount *account;    /* of all statements' memory */
  KvsqlAccount *holdings;   /* of it, what front ends hold between requests */
  KvsqlCount n_running;     /* statements */
  KvsqldTurns *turns;       /* of long statements */
  KvsqlWorkerPool *workers; /* of long scans */
  KvsqldLogRate slow_lines; /* of the log */
  KvsqldMetrics metrics;
  KvsqldUndecodableCounts *undecodable;
  KvsqldBackfills *backfills;
  KvsqlWriteLog *log;       /* nullable: writes need none */
  KvsqldRecovery *recovery; /* with @log, as the next three */
  KvsqldAnchorCleanup *cleanup;
  KvsqldProtocolChange *protocol;
  KvsqldLater *later;
  gchar *store_url;
  gchar *registry_url;
  gint64 started_us;
  GSource *sweeper; /* frees idle cursors and free memory */
  KvsqldTrim trim;

  GMutex mutex;
  KvsqldServiceLimits limits;
};

/* The context of a running request. */
typedef struct
{
  KvsqldService *service;
  const KvsqldRequest *request;
  KvsqldServiceLimits limits;
  KvsqlCall call;
  KvsqlUsage usage;               /* of the call */
  GCancellable *killable;         /* nullable: of the session */
  gint64 id;                      /* of the statement in its session; 0: no session */
  KvsqldAuditEvent audited;       /* if it is executed */
  KvsqldRequestKind kind;         /* OTHER until the statement is known */
  KvsqlSlice text;                /* for display; borrowed from the caller */
  KvsqlAccount *account;          /* of its memory */
  KvsqlAccount *previous_account; /* nullable: of the thread, to be restored */
  KvsqlInterrupt interrupt;       /* checks the limits of @call, and its turn */
  KvsqldTurn turn;
  gboolean takes_turns; /* not a statement that writes: others wait for its locks. Operators wait
                           for SHOW */
  KvsqlSequenceSource source;                 /* of nextval () */
  const KvsqlSequenceSource *previous_source; /* nullable: of the thread, to be restored */
  gint64 began_us;
  KvsqlCatalog *catalog;
  KvsqlArena *arena;    /* of the statement; moved to a cursor that outlives the request */
  KvsqldParsed *parsed; /* borrowed; NULL: the statement lives in @arena */
  KvsqlSlice sql;
  const KvsqlAstStatement *statement;
  const KvsqlValue *parameters;
  guint n_parameters;
  KvsqlAuthority authority;    /* of the client; set by kvsqld_context_is_allowed() */
  KvsqldRoleUsage *role_usage; /* nullable: where the request is counted as a running statement */
  gint64 role_limits[KVSQL_N_ROLE_LIMITS]; /* of that role; -1: none */
  const gchar *role; /* nullable: the name of its role during a pause, in @arena */
  gboolean
      checks_attributes; /* cached plans are not used, because they do not say what they read */
  gchar *used_sequence;  /* nullable: the last one that it was allowed to use */
  guint used_rights;     /* for that */
  KvsqldPlan *kept;      /* nullable: the cached plan of the statement */
  gboolean caches_plan;  /* the plan is to be cached */
  gboolean is_verified;  /* each SELECT is WITH VERIFIED */
  KvsqlStoreCapabilities capabilities; /* with measured costs, if there are any */
  gint64 now; /* milliseconds: the value of now () in the whole statement */
  KvsqldUndecodableCells *undecodable; /* nullable: for a note on the page */
  KvsqldShape *shape;                  /* nullable: what is counted at the end */
  gint64 n_rows;                       /* given or changed, for @shape */
  gint64 began_ms;                     /* as @began_us, since 1970 */
} KvsqldContext;

/* @sql: (nullable text): for display; borrowed until the end of the request */
void kvsqld_context_begin (KvsqldContext *self, KvsqldService *service,
                           const KvsqldRequest *request, KvsqlSlice sql);
/* @error: (nullable): if not @ok, the error; in and out: the killer of the statement is added */
void kvsqld_context_end (KvsqldContext *self, gboolean ok, GError **error);
/* For a request that waits until other daemons use newer definitions: it uses none itself in
 * between. */
void kvsqld_context_pause (KvsqldContext *self);
void kvsqld_context_resume (KvsqldContext *self); /* with the newest definitions */

/* What has to be done also if the statement was cancelled or its time is over: it has @time_us of
 * its own, and cannot be cancelled. The caller owns @undo. */
typedef struct
{
  KvsqlCall call;
  KvsqlInterrupt interrupt;
} KvsqldUndo;

void kvsqld_context_begin_undo (KvsqldContext *self, KvsqldUndo *undo, gint64 time_us);
void kvsqld_context_end_undo (KvsqldContext *self, KvsqldUndo *undo);
KvsqlBinder kvsqld_context_get_binder (const KvsqldContext *self);
KvsqlSelectLimits kvsqld_context_get_select_limits (const KvsqldContext *self);
/* Valid as long as the context; uses its arena. */
KvsqlExecution kvsqld_context_get_execution (KvsqldContext *self);

/* Limits of a page. */
KvsqlPageBounds kvsqld_context_get_page_bounds (const KvsqldContext *self);

/* The id of the request's session; 0: no session. @request: nullable */
gint64 kvsqld_request_get_session (const KvsqldRequest *request);
gint64 kvsqld_context_get_session (const KvsqldContext *self);

/* From now on memory is counted in the account of a cursor. */
void kvsqld_context_adopt_account (KvsqldContext *self, KvsqlAccount *account);
/* FALSE with KVSQL_ERROR_LIMIT if too many statements are running. */
gboolean kvsqld_context_admit (const KvsqldContext *self, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* When a statement is executed, and when its views are known: remembers what the audit log will
 * have of it, as it may be gone at the end. */
void kvsqld_context_note_audited (KvsqldContext *self);
/* At the end of a request: writes it to the audit log, if it belongs there. */
void kvsqld_context_audit (const KvsqldContext *self, const GError *error);
/* The same of a session that begins. */
void kvsqld_context_audit_session (const KvsqldContext *self);
/* At the end of a request (slow-log.c). @error: (nullable) */
void kvsqld_context_log_if_slow (KvsqldContext *self, gint64 now_us, const GError *error);

/* Before the statement is executed: looks up the shape that it counts for (shapes.c). */
void kvsqld_context_note_shape (KvsqldContext *self, const KvsqlAstStatement *statement);
/* The same of an INSERT of columns. */
void kvsqld_context_note_inserted (KvsqldContext *self, const KvsqlAstStatement *insert,
                                   guint n_columns);
/* At the end of a request that has a shape. */
void kvsqld_context_count_shape (KvsqldContext *self, gboolean ok, gint64 duration_us);
KvsqlResultPage *kvsqld_run_analyze (KvsqldContext *context, GError **error);
KvsqlResultPage *kvsqld_run_calibrate (KvsqldContext *context, GError **error);
KvsqlResultPage *kvsqld_show_statement_statistics (KvsqldContext *context, GError **error);
KvsqlResultPage *kvsqld_run_reset (KvsqldContext *context, GError **error);

/* A read-only request refuses all but the first. */
typedef enum
{
  KVSQLD_CHANGES_NOTHING,
  KVSQLD_CHANGES_FILES,
  KVSQLD_CHANGES_DEFINITIONS,
  KVSQLD_CHANGES_TUPLES,
} KvsqldEffect;

KvsqldEffect kvsqld_statement_get_effect (const KvsqlAstStatement *statement);
/* FALSE with KVSQL_ERROR_READ_ONLY if the statement writes and the request is read-only, or the
 * daemon does not know the write protocol of its registry. FALSE with KVSQL_ERROR_UNAVAILABLE if
 * that protocol is not in use yet. */
gboolean kvsqld_context_may_execute (const KvsqldContext *self, const KvsqlAstStatement *statement,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* FALSE with KVSQL_ERROR_NOT_ALLOWED, KVSQL_ERROR_UNKNOWN_NAME or KVSQL_ERROR_AUTHENTICATION if the
 * connection may not do that (kvsqld_identity_check(), kvsql_execution_check_rights()). Sets whose
 * rights count in the context. @statement: (nullable): NULL: it is not known yet */
gboolean kvsqld_context_is_allowed (KvsqldContext *self, const KvsqlAstStatement *statement,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* As whom the request counts, and which limits it has (role-limits.c). FALSE with KVSQL_ERROR_LIMIT
 * if the role may not have another connection. */
gboolean kvsqld_context_join_role (KvsqldContext *self, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void kvsqld_context_leave_role (KvsqldContext *self);
/* FALSE with KVSQL_ERROR_LIMIT if the role has too many running statements. */
gboolean kvsqld_context_check_role_statements (const KvsqldContext *self,
                                               GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* FALSE with KVSQL_ERROR_LIMIT if a result of @n_rows has more than the role may get. */
gboolean kvsqld_context_check_role_rows (const KvsqldContext *self, guint64 n_rows,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

gboolean kvsqld_context_check_parameters (const KvsqldContext *self,
                                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Runs self->statement. */
KvsqlResultPage *kvsqld_context_run (KvsqldContext *self, GError **error);

/* Runs the subqueries of self->statement and replaces them by their values. */
gboolean kvsqld_context_run_subqueries (KvsqldContext *self,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Statements that the engine does not execute alone. */
KvsqlResultPage *kvsqld_run_select (KvsqldContext *context, GError **error);
KvsqlResultPage *kvsqld_run_backfill (KvsqldContext *context, GError **error);
/* Starts the job that fills a schema (folded), and waits for it until @until_us, or until the
 * statement has to end. FALSE: it still runs. @out: (inout): zeroed; it stays so if the schema
 * was dropped */
gboolean kvsqld_fill_schema (KvsqldContext *context, const gchar *schema, gint64 until_us,
                             KvsqldBackfillState *out);
/* A page after the first. */
KvsqlResultPage *kvsqld_fetch_backfill (KvsqldContext *context, const KvsqldCursorToken *token,
                                        GError **error);
/* Also REPAIR. */
KvsqlResultPage *kvsqld_run_verify (KvsqldContext *context, GError **error);
KvsqlResultPage *kvsqld_fetch_verify (KvsqldContext *context, const KvsqldCursorToken *token,
                                      GError **error);
/* A cursor of a statement that is not a SELECT: its text, and its own state. (transfer full) */
GBytes *kvsqld_seal_statement (KvsqldContext *context, const KvsqlScanPosition *position,
                               KvsqlValue *values, guint n_values);
/* Decides what changes in the context's catalog, and commits it. Decides again if another commit
 * came first. */
typedef gboolean (*KvsqldDecide) (KvsqlDecision *decision, gconstpointer data, GError **error);
KvsqlResultPage *kvsqld_change_definitions (KvsqldContext *context, KvsqldDecide decide,
                                            gconstpointer data, GError **error);
/* While the writes of the relation are paused, waits for newer definitions, which the context has
 * then. */
gboolean kvsqld_context_await_writes (KvsqldContext *self, const KvsqlAstStatement *statement,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* DEFINE, DROP, COMMENT ON and RESTORE; ALTER. */
KvsqlResultPage *kvsqld_run_definition (KvsqldContext *context, GError **error);
KvsqlResultPage *kvsqld_run_create_table (KvsqldContext *context, GError **error);
KvsqlResultPage *kvsqld_run_truncate (KvsqldContext *context, GError **error);
KvsqlResultPage *kvsqld_run_create_index (KvsqldContext *context, GError **error);
KvsqlResultPage *kvsqld_run_alter (KvsqldContext *context, GError **error);
KvsqlResultPage *kvsqld_run_add_key (KvsqldContext *context, GError **error);
/* Executes an INSERT … SELECT into a relation that the statement has just made. */
KvsqlResultPage *kvsqld_fill_new_table (KvsqldContext *context, const KvsqlAstStatement *insert,
                                        GError **error);

/* Paused writes of a relation (core/engine/write-mode.h). */
typedef struct
{
  KvsqldContext *context;
  const KvsqlName *relation;
  gint64 epoch;  /* since then they are paused */
  guint64 pause; /* KvsqlRelation.pause */
  guint64 id;    /* of checked and blind writes in the log; 0: they were plain */
  KvsqlWriteMode former;
} KvsqldPause;

/* FALSE: the writes of the relation are not paused. */
gboolean kvsqld_pause_read (KvsqldContext *context, const KvsqlName *relation, KvsqldPause *out);
/* Waits until no daemon writes in the former mode. In a pause of the context, as the next one. */
gboolean kvsqld_pause_await (const KvsqldPause *self, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Gives the writes their former mode, also if the statement was cancelled or its time is over. */
gboolean kvsqld_pause_take_back (const KvsqldPause *self);
KvsqlResultPage *kvsqld_show_history (KvsqldContext *context, GError **error);
/* A page after the first. */
KvsqlResultPage *kvsqld_fetch_history (KvsqldContext *context, const KvsqldCursorToken *token,
                                       GError **error);
KvsqlResultPage *kvsqld_run_show (KvsqldContext *context, GError **error);
KvsqlResultPage *kvsqld_run_set_role (KvsqldContext *context, GError **error);
KvsqlResultPage *kvsqld_run_kill (KvsqldContext *context, GError **error);

/* The parts of self->statement: see service.h. */
GPtrArray *kvsqld_context_partition (KvsqldContext *self, guint n_wanted, GError **error);

G_END_DECLS
