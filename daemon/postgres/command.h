/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * command.h: what kind of statement a text is: one of the session, which this front end executes
 * itself, or one of the engine; and the tag that reports its end.
 *
 * Threads: any.
 */
#pragma once

#include "core/base/error.h"
#include "core/base/slice.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQLD_PG_ENGINE,    /* the service executes it */
  KVSQLD_PG_CATALOGUE, /* a query of PostgreSQL's catalogue */
  KVSQLD_PG_BEGIN,
  KVSQLD_PG_COMMIT,
  KVSQLD_PG_ROLLBACK,
  KVSQLD_PG_SAVEPOINT,   /* .name */
  KVSQLD_PG_RELEASE,     /* .name */
  KVSQLD_PG_ROLLBACK_TO, /* .name */
  KVSQLD_PG_SET_MODES,   /* SET TRANSACTION; with .is_lasting SET SESSION CHARACTERISTICS */
  KVSQLD_PG_SET,         /* .name, .value; NULL: DEFAULT */
  KVSQLD_PG_RESET,       /* .name; NULL: ALL */
  KVSQLD_PG_SHOW,        /* .name */
  KVSQLD_PG_DISCARD,     /* .is_all: else nothing is to be done */
  KVSQLD_PG_DEALLOCATE,  /* .name; NULL: ALL */
  KVSQLD_PG_CLOSE,       /* .name; NULL: ALL */
  KVSQLD_PG_DECLARE,     /* .name, .inner; .is_lasting: WITH HOLD */
  KVSQLD_PG_FETCH,       /* .name, .limit */
  KVSQLD_PG_COPY,        /* .inner of COPY (query) TO */
  KVSQLD_PG_PREPARE,     /* .name, .types, .inner */
  KVSQLD_PG_EXECUTE,     /* .name, .inner: the arguments */
} KvsqldPgCommandKind;

/* What the number of a tag counts. */
typedef enum
{
  KVSQLD_PG_COUNT_NOTHING, /* there is no number */
  KVSQLD_PG_COUNT_ROWS,
  KVSQLD_PG_COUNT_TUPLES, /* that were written */
} KvsqldPgCount;

typedef struct
{
  KvsqldPgCommandKind kind;
  const gchar *tag; /* static, or in the arena */
  KvsqldPgCount count;
  gboolean is_definition; /* of the engine: it changes definitions */
  gboolean is_write;      /* of the engine: it writes tuples, and its tag has no number */
  gboolean is_session;    /* SET ROLE: of the engine, and gives no rows */
  gboolean is_explain;    /* its column is called QUERY PLAN */
  gboolean is_silent;     /* ANALYZE: its rows are not sent, as PostgreSQL gives none */
  gboolean is_shown;      /* SHOW or DESCRIBE: its columns are known when it has run */
  const gchar *name;      /* nullable, in the arena, as the next two */
  const gchar *value;     /* nullable */
  const gchar *isolation; /* nullable: of BEGIN and SET_MODES, in lower case */
  const gchar *read_only; /* nullable: "on" or "off" */
  gboolean is_local;      /* SET LOCAL */
  gboolean is_lasting;
  gboolean is_all;
  gboolean is_chained;     /* AND CHAIN */
  KvsqlSlice inner;        /* a part of the text: the query of a cursor, and the like */
  const KvsqlSlice *types; /* of PREPARE: the names of types, in the text, too */
  guint n_types;
  guint limit; /* of FETCH; 0: all rows */
} KvsqldPgCommand;

/**
 * kvsqld_pg_command_read:
 * @sql: one statement
 *
 * Errors: %KVSQL_ERROR_SYNTAX for a statement of the session, %KVSQL_ERROR_UNSUPPORTED for those of
 * PostgreSQL that this front end does not have. The engine checks its own statements.
 */
gboolean kvsqld_pg_command_read (KvsqlSlice sql, KvsqlArena *arena, KvsqldPgCommand *out,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Whether it gives rows whose columns are known only when it was executed, and changes nothing that
 * its client has not asked for. */
gboolean kvsqld_pg_command_gives_table (const KvsqldPgCommand *self);
/* Whether that is no work, so that its columns may be asked for without a wish to execute it. */
gboolean kvsqld_pg_command_only_shows (const KvsqldPgCommand *self);
/* Whether it can end a block in which a statement has failed. */
gboolean kvsqld_pg_command_ends_failure (const KvsqldPgCommand *self);

G_END_DECLS
