/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * statements.h: prepared statements: parsed once, bound at each execution.
 *
 * A statement belongs to the session that prepared it, and is removed with it.
 *
 * Threads: locked.
 */
#pragma once

#include "core/engine/result-page.h"

G_BEGIN_DECLS

typedef struct _KvsqlAstStatement KvsqlAstStatement; /* core/sql/ast.h */

/* Reference-counted. Immutable, except what it remembers of its executions. */
typedef struct _KvsqldParsed
{
  KvsqlArena *arena;
  KvsqlSlice sql;
  const KvsqlAstStatement *statement;
  const KvsqlResultColumn *columns; /* as returned by prepare */
  guint n_columns;
  const KvsqlType *parameter_types;       /* nullable: of their places; NULL: any is accepted */
  const KvsqlLimitKind *parameter_limits; /* nullable: of these, as of SMALLINT */
  gboolean is_cacheable;                  /* its plans: kvsqld_plan_is_cacheable() */
  guint64 allowed;     /* atomic: who may execute it, for the service; 0: not known */
  guint64 fingerprint; /* atomic: of @statement; 0: not known */
  guint n_rows;        /* estimate of the rows that its scan reads; atomic */
} KvsqldParsed;

/* Takes the arena, which has the statement and the columns. */
KvsqldParsed *kvsqld_parsed_new (KvsqlArena *arena, KvsqlSlice sql,
                                 const KvsqlAstStatement *statement,
                                 const KvsqlResultColumn *columns, guint n_columns,
                                 gboolean is_cacheable);
KvsqldParsed *kvsqld_parsed_ref (KvsqldParsed *self);
void kvsqld_parsed_unref (KvsqldParsed *self); /* accepts NULL */

/* An execution has read @n_rows. The remembered number falls slowly, because expecting too many
 * rows costs less than expecting too few. */
void kvsqld_parsed_note_rows (KvsqldParsed *self, guint64 n_rows);
/* Estimate of the rows that the next execution will read; 0: not known. */
guint kvsqld_parsed_get_rows (const KvsqldParsed *self);

typedef struct _KvsqldStatements KvsqldStatements;

/* The limits of the number of statements, and of their memory. */
typedef struct
{
  guint max;
  guint max_of_session;
  gsize max_bytes;
  gsize max_bytes_of_session;
} KvsqldStatementBounds;

KvsqldStatements *kvsqld_statements_new (void);
void kvsqld_statements_free (KvsqldStatements *self); /* accepts NULL */

/**
 * kvsqld_statements_add:
 * @session: the id of the session that the statement belongs to; 0: requests without a session, to
 *   which only the limits of all sessions apply
 * @bytes: memory of @parsed
 *
 * Returns: the statement's id; 0 and KVSQL_ERROR_LIMIT if a limit is reached
 */
gint64 kvsqld_statements_add (KvsqldStatements *self, gint64 session, KvsqldParsed *parsed,
                              gsize bytes, const KvsqldStatementBounds *bounds, GError **error);
/* (transfer full) NULL and KVSQL_ERROR_BAD_STATEMENT_ID if @session has no such statement. */
KvsqldParsed *kvsqld_statements_find (KvsqldStatements *self, gint64 session, gint64 id,
                                      GError **error);
gboolean kvsqld_statements_remove (KvsqldStatements *self, gint64 session, gint64 id,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Removes all statements of @session. */
void kvsqld_statements_end_session (KvsqldStatements *self, gint64 session);
guint kvsqld_statements_get_size (KvsqldStatements *self);
/* The memory of all statements. Takes no lock. */
gsize kvsqld_statements_get_bytes (const KvsqldStatements *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldParsed, kvsqld_parsed_unref)

G_END_DECLS
