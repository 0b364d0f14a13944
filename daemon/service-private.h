/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * service-private.h: what the files of the service share.
 *
 * Lock order: service->mutex is taken last and held for a few instructions only; nothing
 * blocks under it. The cursors and the statements have locks of their own, never taken together.
 */
#pragma once

#include "core/catalog/alter.h"
#include "core/exec/engine.h"
#include "core/exec/misfits.h"
#include "core/exec/returning.h"
#include "core/exec/select.h"
#include "core/plan/calls.h"
#include "core/plan/product.h"
#include "core/sql/ast.h"
#include "daemon/backfill.h"
#include "daemon/clock.h"
#include "daemon/cursors.h"
#include "daemon/definitions.h"
#include "daemon/helpers.h"
#include "daemon/metrics.h"
#include "daemon/service.h"
#include "daemon/slow-log.h"
#include "daemon/statements.h"

G_BEGIN_DECLS

/* A statement longer than this is not put into tokens: its cursors live only as long as they stay
 * warm. */
#define KVSQLD_MAX_TOKEN_SQL (64 * 1024)

struct _KvsqldService
{
  KvsqlStore *store;
  KvsqlEngine *engine;
  KvsqldDefinitions *definitions;
  KvsqldCursors *cursors;
  KvsqldStatements *statements;
  KvsqldPlanCache *plans;
  KvsqldClock *clock; /* nullable: the store belongs to this daemon alone */
  KvsqldActivity *activity;
  KvsqlAccount *account; /* of the memory of all statements */
  KvsqlCount n_running;  /* statements */
  KvsqlHelpers *helpers; /* of long scans */
  KvsqldSlowLog slow;
  KvsqldMetrics metrics;
  KvsqldBackfills *backfills;
  gchar *store_url;
  gchar *registry_url;
  gint64 started_us;
  GSource *sweeper; /* of idle cursors */

  GMutex mutex;
  KvsqldServiceLimits limits;
  GHashTable *unparsable; /* schema name -> KvsqldUnparsable */
  GHashTable *statistics; /* core/plan/statistics.h; NULL: none yet. The table is never changed */
};

/* One request on its way through the service. */
typedef struct
{
  KvsqldService *service;
  const KvsqldRequest *request;
  KvsqldServiceLimits limits;
  KvsqlCall call;
  KvsqlUsage usage;       /* of the call */
  GCancellable *killable; /* nullable: of the session */
  gint64 id;              /* of the statement in its session; 0: there is no session */
  KvsqldWork work;        /* OTHER until the statement is known */
  KvsqlSlice text;        /* what is shown of it; the caller's */
  KvsqlAccount *account;  /* of its memory */
  KvsqlAccount *outer;    /* nullable: the thread's before */
  gint64 began_us;
  KvsqlCatalog *catalog;
  KvsqlArena *arena;    /* of the statement; stolen by a cursor that outlives the request */
  KvsqldParsed *parsed; /* borrowed; NULL: the statement lives in @arena */
  KvsqlSlice sql;
  const KvsqlStatement *statement;
  const KvsqlValue *parameters;
  guint n_parameters;
  GHashTable *statistics; /* nullable */
  KvsqldPlan *kept;       /* nullable: the statement's plan, from an earlier time */
  gboolean keeps_plan;    /* its plan is wanted for later */
  KvsqlRunCounts *counts; /* nullable: EXPLAIN ANALYZE wants to know */
  gint64 now;             /* milliseconds: what now () is in all of the statement */
} KvsqldTask;

/* @sql: (nullable text): shown while the task runs; the caller's until its end */
void kvsqld_task_begin (KvsqldTask *self, KvsqldService *service, const KvsqldRequest *request,
                        KvsqlSlice sql);
/* @error: (nullable): if not @ok, why; in and out: it says who has killed the statement */
void kvsqld_task_end (KvsqldTask *self, gboolean ok, GError **error);
/* For a task that waits for others to take up newer definitions: it has none itself in between. */
void kvsqld_task_pause (KvsqldTask *self);
void kvsqld_task_resume (KvsqldTask *self); /* with the newest */
KvsqlBinder kvsqld_task_get_binder (const KvsqldTask *self);
KvsqlSelectLimits kvsqld_task_get_select_limits (const KvsqldTask *self);

/* Memory of a cursor goes on being counted where it was. */
void kvsqld_task_adopt_account (KvsqldTask *self, KvsqlAccount *account);
/* FALSE with KVSQL_ERROR_LIMIT if too many statements run already. */
gboolean kvsqld_task_admit (const KvsqldTask *self, GError **error);

/* slow-log.c; at its end. @error: (nullable) */
void kvsqld_task_log_if_slow (KvsqldTask *self, const GError *error);

/* Runs self->statement. */
KvsqldPage *kvsqld_task_run (KvsqldTask *self, GError **error);

/* Runs the subqueries of self->statement and puts their values in their place. @is_prepare: only
 * looks whether they can be run. */
gboolean kvsqld_task_run_subqueries (KvsqldTask *self, gboolean is_prepare, GError **error);

/* The attribute's DEFAULT becomes the literal that it computes. */
gboolean kvsqld_fold_default (KvsqldTask *task, KvsqlAttributeDefinition *attribute,
                              GError **error);

/* By kind. */
KvsqldPage *kvsqld_run_select (KvsqldTask *task, GError **error);
KvsqldPage *kvsqld_run_insert (KvsqldTask *task, GError **error);
KvsqldPage *kvsqld_run_update (KvsqldTask *task, GError **error); /* and DELETE */
KvsqldPage *kvsqld_run_analyze (KvsqldTask *task, GError **error);
KvsqldPage *kvsqld_run_backup (KvsqldTask *task, GError **error);
KvsqldPage *kvsqld_run_backfill (KvsqldTask *task, GError **error);
/* A page that is not the first. */
KvsqldPage *kvsqld_fetch_backfill (KvsqldTask *task, const KvsqldCursorToken *token,
                                   GError **error);
/* Tuples a second, of the job; seconds until it is done, < 0: not known. */
gdouble kvsqld_backfill_state_get_rate (const KvsqldBackfillState *self);
gdouble kvsqld_backfill_state_get_seconds_left (const KvsqldBackfillState *self);
/* VERIFY and REPAIR. */
KvsqldPage *kvsqld_run_verify (KvsqldTask *task, GError **error);
KvsqldPage *kvsqld_fetch_verify (KvsqldTask *task, const KvsqldCursorToken *token, GError **error);
/* A cursor of a statement that is no SELECT: its text, and what it wants to remember. (transfer
 * full) */
GBytes *kvsqld_seal_statement (KvsqldTask *task, const KvsqlScanPosition *position,
                               KvsqlValue *values, guint n_values);
KvsqldPage *kvsqld_run_explain (KvsqldTask *task, GError **error);
KvsqldPage *kvsqld_run_define_relation (KvsqldTask *task, GError **error);
KvsqldPage *kvsqld_run_define_schema (KvsqldTask *task, GError **error);
KvsqldPage *kvsqld_run_drop (KvsqldTask *task, GError **error);
KvsqldPage *kvsqld_run_alter (KvsqldTask *task, GError **error);
KvsqldPage *kvsqld_run_comment (KvsqldTask *task, GError **error);
KvsqldPage *kvsqld_run_restore (KvsqldTask *task, GError **error);
KvsqldPage *kvsqld_show_history (KvsqldTask *task, const KvsqlName *name, GError **error);
KvsqldPage *kvsqld_show_daemons (KvsqldTask *task, GError **error);
KvsqldPage *kvsqld_run_show (KvsqldTask *task, GError **error);
KvsqldPage *kvsqld_run_kill (KvsqldTask *task, GError **error);
/* SHOW SESSIONS and STATEMENTS */
KvsqldPage *kvsqld_show_sessions (KvsqldTask *task);
KvsqldPage *kvsqld_show_statements (KvsqldTask *task);
KvsqldPage *kvsqld_run_describe (KvsqldTask *task, GError **error);
/* Adds which other schemas may share cells with this one. */
void kvsqld_describe_sharing (KvsqldPage *page, const KvsqlSchema *schema);

/* The tuples of INSERT … VALUES, in the task's arena. */
const KvsqlValue **kvsqld_bind_insert (KvsqldTask *task, const KvsqlInsert *insert,
                                       const KvsqlCatalogEntry *entry, GError **error);
/* Of an INSERT. */
KvsqlWritePlan *kvsqld_plan_insert (KvsqldTask *task, const KvsqlStatement *statement,
                                    gboolean is_prepare, GError **error);
gboolean kvsqld_explain_insert_calls (KvsqldTask *task, const KvsqlStatement *statement,
                                      KvsqlCalls *calls, GError **error);
/* Of an UPDATE or a DELETE. */
KvsqlWritePlan *kvsqld_plan_update (KvsqldTask *task, const KvsqlStatement *statement,
                                    gboolean is_prepare, GError **error);
gboolean kvsqld_explain_update_calls (KvsqldTask *task, const KvsqlStatement *statement,
                                      KvsqlCalls *calls, GError **error);
/* The rows of RETURNING as a page; without RETURNING one that says how many. */
void kvsqld_returning_begin (KvsqlReturning *self, const KvsqlWritePlan *plan);
KvsqldPage *kvsqld_returning_end (KvsqlReturning *self, gint64 affected);
KvsqldColumn *kvsqld_columns_of_returning (const KvsqlWritePlan *plan);
/* Whether a relation is among those of FROM. */
gboolean kvsqld_reads_from (const KvsqlSelectPlan *plan, const KvsqlCatalogEntry *entry);
/* The parts of self->statement: service.h. */
GPtrArray *kvsqld_task_partition (KvsqldTask *self, guint n_wanted, GError **error);
/* The requests of a SELECT, in the order in which they are made. */
void kvsqld_calls_add_select (KvsqlCalls *calls, const KvsqlSelectPlan *plan);
/* Text and JSON of an EXPLAIN. */
gboolean kvsqld_explain_statement (KvsqldTask *task, const KvsqlStatement *statement,
                                   gchar **out_text, gchar **out_json, GError **error);

/* Cells of a schema's scans that fit no layout, since the daemon began. */
typedef struct
{
  guint64 count;
  gchar *samples[KVSQL_MAX_SAMPLES]; /* the latest; NULL: none */
  guint next;
} KvsqldUnparsable;

void kvsqld_service_count_unparsable (KvsqldService *self, const KvsqlSchema *schema, guint64 n,
                                      const gchar *const *samples, guint n_samples);

/* Runs the statement and adds to both texts (in and out) what it has read. */
gboolean kvsqld_explain_actual (KvsqldTask *task, const KvsqlStatement *statement, gchar **text,
                                gchar **json, GError **error);

/* What a plan's answer looks like; n_items of them. */
KvsqldColumn *kvsqld_columns_of_plan (const KvsqlSelectPlan *plan);

/* ---- changing definitions */

#define KVSQLD_MAX_SCHEMAS 100 /* of one relation */

#define KVSQLD_MAX_CHANGES (2 * KVSQLD_MAX_SCHEMAS + 2)

/* Decides a change on the task's catalog; changes has room for two of each schema of a relation,
 * and two more. TRUE with *out_n 0: there is nothing to do. */
typedef gboolean (*KvsqldDecide) (KvsqldTask *task, KvsqldPage *page, KvsqldChange *changes,
                                  guint *out_n, GError **error);

/* Who asks for the task, and by what, for the history; in the task's arena. */
void kvsqld_task_make_author (KvsqldTask *task, KvsqldAuthor *out);
/* Decides and commits, again if somebody else was first. */
KvsqldPage *kvsqld_change_definitions (KvsqldTask *task, KvsqldDecide decide, GError **error);
/* What a DEFINE SCHEMA makes of the task's catalog. */
gboolean kvsqld_decide_schema (KvsqldTask *task, const KvsqlDefineSchema *definition,
                               KvsqldPage *page, KvsqldChange *changes, guint *out_n,
                               GError **error);
/* Tables whose names are known are made now. */
void kvsqld_make_table (KvsqldTask *task, KvsqldPage *page, const KvsqlSchema *schema);
/* A schema added later lacks the tuples that are there: it has to be filled before it is read. */
gboolean kvsqld_must_be_filled (KvsqldTask *task, const KvsqlCatalogEntry *entry,
                                const KvsqlSchema *schema, gboolean *out, GError **error);
/* Everybody has to know the schema before anybody puts anything there. If that takes too long, it
 * is left to BACKFILL. */
void kvsqld_begin_writing (KvsqldTask *task, const KvsqlName *schema, KvsqldPage *page);
/* What differs from @entry. */
void kvsqld_collect_changes (KvsqldTask *task, const KvsqlCatalogEntry *entry,
                             const KvsqlAlteration *altered, KvsqldChange *changes, guint *out_n);
gboolean kvsqld_check_n_schemas (const KvsqlCatalogEntry *entry, KvsqlSpan span, GError **error);
/* The key of a name in the registry, in the task's arena. */
const gchar *kvsqld_task_fold_name (KvsqldTask *task, const gchar *text, gboolean is_quoted);

/* readable, or how far it is on the way there, as this daemon knows. (transfer full) */
gchar *kvsqld_schema_state_text (KvsqldTask *task, const KvsqlSchema *schema);
/* A field of a schema as it was written. (transfer full) */
gchar *kvsqld_schema_field_text (const KvsqlSchema *schema, KvsqlField field);
/* Of a COMMENT that may be missing. */
const gchar *kvsqld_or_nothing (const gchar *comment);

/* ---- pages */

KvsqldPage *kvsqld_page_new_empty (gint64 affected);
/* For a page that is not the first. */
void kvsqld_page_forget_columns (KvsqldPage *self);
void kvsqld_page_warn (KvsqldPage *self, const gchar *format, ...) G_GNUC_PRINTF (2, 3);
/* Stands among the warnings, with "note: " in front, where nothing is wrong. */
void kvsqld_page_note (KvsqldPage *self, const gchar *format, ...) G_GNUC_PRINTF (2, 3);
/* A table of text, for SHOW and the like: columns now, then rows of n_columns texts (NULL: NULL).
 */
KvsqldPage *kvsqld_page_new_table (const gchar *const *names, guint n_columns);
void kvsqld_page_add_row (KvsqldPage *self, const gchar *const *texts);

G_END_DECLS
