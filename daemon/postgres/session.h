/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * session.h: what a client has between its messages: settings, a transaction block, prepared
 * statements and portals.
 *
 * Threads: that of the connection.
 */
#pragma once

#include "daemon/postgres/block.h"
#include "daemon/postgres/cancel.h"
#include "daemon/postgres/command.h"
#include "daemon/postgres/output.h"
#include "daemon/postgres/report.h"
#include "daemon/postgres/settings.h"
#include "daemon/service/service.h"

G_BEGIN_DECLS

typedef struct _KvsqldPgCatalogue KvsqldPgCatalogue; /* catalogue/catalogue.h */
typedef struct _KvsqldPgCopyIn KvsqldPgCopyIn;       /* copy-in.h */

typedef struct
{
  KvsqldService *service; /* borrowed, as the next three */
  KvsqldSession *activity;
  GCancellable *cancellable;
  const gchar *peer;
  KvsqldIdentity *identity; /* borrowed, too */
  gchar *user;              /* as the client calls itself: with auth=none nothing depends on it */
  gchar *database;
  KvsqlAccount *holding; /* what the next members, statements and portals need */
  KvsqldPgOutput output;
  KvsqldPgSettings *settings;
  KvsqldPgBlock block;
  KvsqldPgCatalogue *catalogue; /* borrowed */
  KvsqldPgCancel cancel;
  GHashTable *statements;  /* name -> KvsqldPgStatement (statement.h) */
  GHashTable *portals;     /* name -> KvsqldPgPortal (portal.h) */
  GHashTable *held;        /* the same, of cursors WITH HOLD, which do not end with a block */
  KvsqldPgCopyIn *copy_in; /* nullable: COPY FROM STDIN, whose data is read */
  gchar *role_at_block;    /* nullable: of SET ROLE, when the block began */
  gboolean skips_to_sync;  /* after an error in the extended protocol */
  gboolean is_ready;       /* ReadyForQuery was the last message */
} KvsqldPgSession;

/* The request of a statement of this session. */
KvsqldRequest kvsqld_pg_session_get_request (const KvsqldPgSession *self);

/* What version () says. (transfer full) */
gchar *kvsqld_pg_session_get_version (const KvsqldPgSession *self);

/* The role of SET ROLE: as DISCARD ALL leaves it; as it is when a block begins, and as ROLLBACK
 * leaves it. */
void kvsqld_pg_session_reset_role (KvsqldPgSession *self);
void kvsqld_pg_session_keep_role (KvsqldPgSession *self);
void kvsqld_pg_session_return_to_role (KvsqldPgSession *self);

/* Lists the session by its application_name, if it has one. */
void kvsqld_pg_session_note_client (KvsqldPgSession *self);

/* Whether a CancelRequest has come since the session began to answer, after its last wait for the
 * client: all that has arrived until then is cancelled. */
gboolean kvsqld_pg_session_is_cancelled (const KvsqldPgSession *self);
void kvsqld_pg_session_begin_answers (KvsqldPgSession *self);

/* Before each step of a statement. FALSE with 57P01 if an operator has ended the session, with
 * 57014 if the client has cancelled, and with 25P02 if a statement of the block has failed, and
 * @command does not end that. */
gboolean kvsqld_pg_session_check (const KvsqldPgSession *self, const KvsqldPgCommand *command,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* FALSE if the session holds too much to hold more. */
gboolean kvsqld_pg_session_check_memory (const KvsqldPgSession *self,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Reports the error to the client; the transaction block has failed. */
void kvsqld_pg_session_fail (KvsqldPgSession *self, const GError *error,
                             const KvsqldPgSource *source);
/* Warns that changes stay that PostgreSQL would take back. */
void kvsqld_pg_session_warn_of_changes (KvsqldPgSession *self, const KvsqldPgChanges *changes);
/* ReadyForQuery, and before it the settings that have changed. */
void kvsqld_pg_session_put_ready (KvsqldPgSession *self);

G_END_DECLS
