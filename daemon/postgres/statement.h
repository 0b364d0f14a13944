/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * statement.h: a statement of a session, prepared or not.
 *
 * Threads: that of the connection.
 */
#pragma once

#include "daemon/postgres/catalogue-query.h"
#include "daemon/postgres/command.h"
#include "daemon/postgres/session.h"

G_BEGIN_DECLS

typedef struct _KvsqlCopy KvsqlCopy; /* core/sql/ast-copy.h */

/* Reference-counted: a portal keeps its statement. */
typedef struct _KvsqldPgStatement
{
  gint ref_count;
  KvsqldPgSession *session;
  KvsqlArena *arena; /* of the next members */
  KvsqlSlice sql;
  KvsqldPgSource source; /* of a prepared statement */
  KvsqldPgCommand command;
  KvsqldPrepared *prepared;         /* nullable: a statement of the session, or of a simple query */
  const KvsqlResultColumn *columns; /* of the prepared statement, with PostgreSQL's names */
  const KvsqldPgCatalogueQuery *catalogue; /* nullable: a query of the catalogue */
  guint n_parameters;
  guint32 *parameter_oids;
  const KvsqlCopy *copy;            /* nullable: of COPY */
  struct _KvsqldPgStatement *inner; /* nullable: of DECLARE and COPY TO: the prepared query */
} KvsqldPgStatement;

/* Without a preparation, for a simple query. @sql is borrowed. @source: (inout): its offset is
 * advanced to the query of a cursor */
KvsqldPgStatement *kvsqld_pg_statement_new (KvsqldPgSession *session, KvsqlSlice sql,
                                            KvsqldPgSource *source, GError **error);

/**
 * kvsqld_pg_statement_prepare:
 * @name: "" for the unnamed statement
 * @source: (inout): its text has one statement, or none; its offset is set to where that begins
 * @oids: types of the first parameters; 0: the client leaves it open
 *
 * Adds the statement to those of the session. The unnamed one is replaced; another one that exists
 * is an error (42P05).
 */
gboolean kvsqld_pg_statement_prepare (KvsqldPgSession *session, const gchar *name,
                                      KvsqldPgSource *source, const guint32 *oids, guint n_oids,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Borrowed. NULL with 26000 if there is none. */
KvsqldPgStatement *kvsqld_pg_statement_find (KvsqldPgSession *session, const gchar *name,
                                             GError **error);

KvsqldPgStatement *kvsqld_pg_statement_ref (KvsqldPgStatement *self);
void kvsqld_pg_statement_unref (KvsqldPgStatement *self); /* accepts NULL */

/* The columns of its result, as far as they are known before it is executed. */
typedef struct
{
  const KvsqlResultColumn *columns;
  guint n_columns;                 /* 0: not known, or none */
  const KvsqldPgType *const *sent; /* nullable: of the catalogue: how they are sent */
} KvsqldPgColumns;

KvsqldPgColumns kvsqld_pg_statement_get_columns (const KvsqldPgStatement *self);

static inline gboolean
kvsqld_pg_statement_is_empty (const KvsqldPgStatement *self)
{
  return self->sql.size == 0;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldPgStatement, kvsqld_pg_statement_unref)

G_END_DECLS
