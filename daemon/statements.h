/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * statements.h: prepared statements: parsed once, bound at each execution.
 *
 * Threads: locked.
 */
#pragma once

#include "core/sql/ast.h"
#include "daemon/service.h"

G_BEGIN_DECLS

/* Reference-counted, and immutable but for what is remembered of its executions. */
typedef struct
{
  KvsqlArena *arena;
  KvsqlSlice sql;
  const KvsqlStatement *statement;
  const KvsqldColumn *columns; /* as whoever prepared it was told */
  guint n_columns;
  guint n_rows; /* that its scan reads, about; atomic */
} KvsqldParsed;

/* Takes the arena, and copies the columns. */
KvsqldParsed *kvsqld_parsed_new (KvsqlArena *arena, KvsqlSlice sql, const KvsqlStatement *statement,
                                 const KvsqldColumn *columns, guint n_columns);
KvsqldParsed *kvsqld_parsed_ref (KvsqldParsed *self);
void kvsqld_parsed_unref (KvsqldParsed *self); /* accepts NULL */

/* An execution has read @n_rows. What is remembered falls slowly: to expect too many rows costs
 * less than to expect too few. */
void kvsqld_parsed_note_rows (KvsqldParsed *self, guint64 n_rows);
/* How many rows the next one will probably read; 0: not known. */
guint kvsqld_parsed_get_rows (const KvsqldParsed *self);

typedef struct _KvsqldStatements KvsqldStatements;

KvsqldStatements *kvsqld_statements_new (void);
void kvsqld_statements_free (KvsqldStatements *self); /* accepts NULL */
/* The statement's id; 0 and KVSQL_ERROR_LIMIT if there are @max already. */
gint64 kvsqld_statements_add (KvsqldStatements *self, KvsqldParsed *parsed, guint max,
                              GError **error);
/* (transfer full) NULL and KVSQL_ERROR_BAD_STATEMENT_ID if there is none. */
KvsqldParsed *kvsqld_statements_find (KvsqldStatements *self, gint64 id, GError **error);
gboolean kvsqld_statements_remove (KvsqldStatements *self, gint64 id, GError **error);
guint kvsqld_statements_get_size (KvsqldStatements *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldParsed, kvsqld_parsed_unref)

G_END_DECLS
