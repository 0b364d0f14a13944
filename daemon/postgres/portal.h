/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * portal.h: a statement with the values of its parameters, and how far its result was sent.
 *
 * Threads: that of the connection.
 */
#pragma once

#include "daemon/postgres/copy-out.h"
#include "daemon/postgres/message.h"
#include "daemon/postgres/rows.h"
#include "daemon/postgres/statement.h"

G_BEGIN_DECLS

/* Reference-counted: DISCARD ALL removes the portal that executes it. */
typedef struct _KvsqldPgPortal
{
  gint ref_count;
  KvsqldPgSession *session;
  KvsqldPgStatement *statement;
  struct _KvsqldPgPortal *cursor; /* nullable: of FETCH: whose rows it gives */
  KvsqlArena *arena;              /* of the next members */
  KvsqlValue *parameters;
  KvsqldPgFormats formats;
  KvsqldPgCopyOut copy; /* of the query of COPY TO: how its rows are written */
  gboolean is_started;
  gboolean has_failed;
  gboolean is_done;                 /* all was sent */
  KvsqlResultPage *page;            /* nullable: the current one */
  gsize held_bytes;                 /* of the page, as counted in the session */
  guint row;                        /* the next one in the page */
  gint64 affected;                  /* as in the first page */
  const gchar *tag;                 /* nullable: instead of that of the command */
  guint n_columns;                  /* 0: there are no rows */
  const KvsqlResultColumn *columns; /* that the client was told; of the prepared statement, or in
                                       the arena */
  const KvsqldPgType *const *sent;  /* nullable: of the catalogue: how columns are sent */
} KvsqldPgPortal;

KvsqldPgPortal *kvsqld_pg_portal_new (KvsqldPgStatement *statement);
KvsqldPgPortal *kvsqld_pg_portal_ref (KvsqldPgPortal *self);
void kvsqld_pg_portal_unref (KvsqldPgPortal *self); /* accepts NULL */

/* (transfer full) NULL with 34000 if there is no such portal, nor a cursor. */
KvsqldPgPortal *kvsqld_pg_portal_find (KvsqldPgSession *session, const gchar *name,
                                       const gchar *what, GError **error);
/* FALSE with 42P03 if there is one, and if there are too many. The unnamed one is removed. */
gboolean kvsqld_pg_portal_check_name (KvsqldPgSession *session, const gchar *name,
                                      const gchar *what, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Makes all parameters NULL; then sets one of them. @is_binary: its format, else text */
void kvsqld_pg_portal_clear_parameters (KvsqldPgPortal *self);
gboolean kvsqld_pg_portal_set_parameter (KvsqldPgPortal *self, guint i, gboolean is_binary,
                                         KvsqlSlice bytes,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Reads the rest of a Bind message. */
gboolean kvsqld_pg_portal_bind (KvsqldPgPortal *self, KvsqldPgMessage *message,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Executes the statement, up to its first page. @max_rows: that are wanted; 0: all */
gboolean kvsqld_pg_portal_start (KvsqldPgPortal *self, guint max_rows,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Writes the columns of the result, or NoData. The columns of some statements are known only when
 * they have been executed, so that is done. */
gboolean kvsqld_pg_portal_describe (KvsqldPgPortal *self, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Writes rows and the end of the statement, or PortalSuspended after @max_rows (0: all). */
gboolean kvsqld_pg_portal_execute (KvsqldPgPortal *self, guint max_rows,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldPgPortal, kvsqld_pg_portal_unref)

G_END_DECLS
