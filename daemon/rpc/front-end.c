/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * front-end.c: see front-end.h.
 */
#include "config.h"

#include "daemon/rpc/front-end.h"

#include "daemon/rpc/connection.h"
#include "idl/wire/thrift-setup.h"
#include "kvsql_rpc_sql.h"

typedef struct
{
  KvsqldFrontEnd parent;
  KvsqlRpcSqlProcessor *processor;
} KvsqldRpcFrontEnd;

static GPrivate current = G_PRIVATE_INIT (NULL); /* the connection that this thread serves */

GCancellable *
kvsqld_rpc_get_current_cancellable (void)
{
  KvsqldRpcConnection *connection = g_private_get (&current);

  return connection != NULL ? connection->base.entry.cancellable : NULL;
}

const gchar *
kvsqld_rpc_get_current_peer (void)
{
  KvsqldRpcConnection *connection = g_private_get (&current);

  return connection != NULL ? connection->base.peer : NULL;
}

KvsqldSession *
kvsqld_rpc_get_current_session (void)
{
  KvsqldRpcConnection *connection = g_private_get (&current);

  return connection != NULL ? connection->base.entry.session : NULL;
}

KvsqldIdentity *
kvsqld_rpc_get_current_identity (void)
{
  KvsqldRpcConnection *connection = g_private_get (&current);

  return connection != NULL ? &connection->base.identity : NULL;
}

KvsqldLogin **
kvsqld_rpc_get_current_login (void)
{
  KvsqldRpcConnection *connection = g_private_get (&current);

  return connection != NULL ? &connection->login : NULL;
}

void
kvsqld_rpc_end_current (void)
{
  KvsqldRpcConnection *connection = g_private_get (&current);

  if (connection != NULL)
    connection->is_over = TRUE;
}

gboolean
kvsqld_rpc_has_failed (void)
{
  KvsqldRpcConnection *connection = g_private_get (&current);

  return connection != NULL && connection->has_failed;
}

void
kvsqld_rpc_note_outcome (gboolean has_failed)
{
  KvsqldRpcConnection *connection = g_private_get (&current);

  if (connection != NULL)
    connection->has_failed = has_failed;
}

/* ---- the front end */

static KvsqldConnectionOutcome
serve (KvsqldConnection *base, GError **error)
{
  KvsqldRpcConnection *connection = (KvsqldRpcConnection *)base;
  KvsqldConnectionOutcome outcome;

  connection->processor = ((KvsqldRpcFrontEnd *)base->front_end)->processor;
  g_private_set (&current, connection);
  outcome = kvsqld_rpc_connection_serve (connection, error);
  g_private_set (&current, NULL);
  return outcome;
}

static void
refuse (KvsqldConnection *connection)
{
  kvsqld_rpc_connection_refuse ((KvsqldRpcConnection *)connection);
}

static void
end (KvsqldConnection *connection)
{
  kvsqld_rpc_connection_end ((KvsqldRpcConnection *)connection);
}

KvsqldFrontEnd *
kvsqld_rpc_front_end_new (struct _KvsqlRpcSqlProcessor *processor)
{
  KvsqldRpcFrontEnd *self = g_new0 (KvsqldRpcFrontEnd, 1);

  kvsql_thrift_setup ();
  self->parent = (KvsqldFrontEnd){ .alpn = "kvsql",
                                   .connection_size = sizeof (KvsqldRpcConnection),
                                   .serve = serve,
                                   .refuse = refuse,
                                   .end = end };
  self->processor = g_object_ref (processor);
  return &self->parent;
}

void
kvsqld_rpc_front_end_free (KvsqldFrontEnd *front_end)
{
  KvsqldRpcFrontEnd *self = (KvsqldRpcFrontEnd *)front_end;

  if (self == NULL)
    return;
  g_object_unref (self->processor);
  g_free (self);
}
