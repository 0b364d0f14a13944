/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * pool-private.h: declarations that the files of the pool share.
 */
#pragma once

#include "daemon/stores/hbase/health.h"
#include "daemon/stores/hbase/pool.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqldT2Endpoint *endpoint;
  GQueue idle;  /* of KvsqldT2Connection*, the last used one first */
  guint n_busy; /* connections that are in use or being opened */
  GArray *live; /* of guint64: serial numbers of the connections that are idle or in use */
  KvsqldT2Health health;
} KvsqldT2Gateway;

struct _KvsqldT2Pool
{
  KvsqldT2Settings settings;
  guint n_gateways;
  GCancellable *ended;

  GMutex lock;   /* guards the members below, and the gateways except their endpoints */
  GCond changed; /* wakes callers that wait for a connection */
  guint n_waiting;
  GCond due; /* wakes the keeper */
  gint64 keeper_until_us;
  gboolean is_ended;
  guint candidates; /* transports that the gateways may use; one bit: the transport is known */
  KvsqldT2Transport transport;
  KvsqldT2Gateway *gateways;
  GThread *keeper;
};

/* pool-connections.c */

/* Opens a connection to a gateway. The caller has counted itself in n_busy; a failure undoes that.
 * The lock is not held. */
KvsqldT2Connection *_kvsqld_t2_pool_open (KvsqldT2Pool *self, gint gateway, const KvsqlCall *call,
                                          GError **error);
/* Turns a connection in use into an idle one. Lock held. */
void _kvsqld_t2_pool_keep (KvsqldT2Pool *self, KvsqldT2Gateway *gateway,
                           KvsqldT2Connection *connection);
/* Removes a connection that will be freed. Lock held. */
void _kvsqld_t2_pool_forget (KvsqldT2Gateway *gateway, const KvsqldT2Connection *connection);
/* Ends the use of a connection that will be freed; NULL: of one that was not opened. Lock held. */
void _kvsqld_t2_pool_drop (KvsqldT2Pool *self, KvsqldT2Gateway *gateway,
                           const KvsqldT2Connection *connection);
/* Frees @connection, if there is one, and ends its use. */
void _kvsqld_t2_pool_release (KvsqldT2Pool *self, gint gateway, KvsqldT2Connection *connection);

/* Records that HBase did not answer. The gateway is not the cause, and its connections are good. */
void _kvsqld_t2_pool_note_unserved (KvsqldT2Pool *self, gint index, const GError *error);
/* Records that a request had no answer. */
void _kvsqld_t2_pool_note_failure (KvsqldT2Pool *self, gint index, const GError *error);

/* Wakes the callers that wait for a connection. Lock held. */
void _kvsqld_t2_pool_note_change (KvsqldT2Pool *self);
/* Makes the keeper check what is due. Lock held. */
void _kvsqld_t2_pool_wake_keeper (KvsqldT2Pool *self);

/* pool-keeper.c: the thread's function; @data is the pool. */
gpointer _kvsqld_t2_pool_keep_up (gpointer data);

G_END_DECLS
