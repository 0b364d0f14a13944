/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * pool-private.h: what the files of the pool share.
 */
#pragma once

#include "daemon/stores/hbase/health.h"
#include "daemon/stores/hbase/pool.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqldT2Endpoint *endpoint;
  GQueue idle;  /* of KvsqldT2Connection*, last used first */
  guint n_busy; /* connections in use or being opened */
  GArray *live; /* of guint64: serials of the connections that are idle or in use */
  KvsqldT2Health health;
} KvsqldT2Gateway;

struct _KvsqldT2Pool
{
  KvsqldT2Settings settings;
  guint n_gateways;
  GCancellable *ended;

  GMutex lock;   /* guards what follows and all of the gateways but their endpoints */
  GCond changed; /* for who waits for a connection */
  guint n_waiting;
  GCond due; /* for the keeper */
  gint64 keeper_until_us;
  gboolean is_ended;
  guint candidates; /* transports that the gateways may speak; one: it is known */
  KvsqldT2Transport transport;
  KvsqldT2Gateway *gateways;
  GThread *keeper;
};

/* Opens a connection to a gateway for which the caller has counted itself in n_busy; after a
 * failure that is undone. The lock is not held. */
KvsqldT2Connection *_kvsqld_t2_pool_open (KvsqldT2Pool *self, gint gateway, const KvsqlCall *call,
                                          GError **error);
/* Adds an idle connection, in place of one in use. Lock held. */
void _kvsqld_t2_pool_keep (KvsqldT2Pool *self, KvsqldT2Gateway *gateway,
                           KvsqldT2Connection *connection);
/* Forgets a connection that is about to be freed. Lock held. */
void _kvsqld_t2_pool_forget (KvsqldT2Gateway *gateway, const KvsqldT2Connection *connection);
/* Makes the keeper look at what is due. Lock held. */
void _kvsqld_t2_pool_wake_keeper (KvsqldT2Pool *self);

/* pool-keeper.c: the thread's function; @data is the pool. */
gpointer _kvsqld_t2_pool_keep_up (gpointer data);

G_END_DECLS
