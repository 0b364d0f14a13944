/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * holders.h: which daemons may write to the store now: those that hold a slot (slots.h).
 *
 * Threads: any.
 */
#pragma once

#include "daemon/registry/registry.h"

G_BEGIN_DECLS

typedef struct
{
  guint64 daemon_id;    /* in the log of writes */
  gboolean has_session; /* the registry lists it as alive */
  gint64 epoch;         /* if it has: it uses no older definitions */
} KvsqldHolder;

/**
 * kvsqld_holders_read:
 *
 * A daemon that is not listed writes no more: it has ended, or its lease is over. Its last requests
 * may still be on their way to the store.
 *
 * Returns: (element-type KvsqldHolder) (transfer full): ascending by @daemon_id; NULL: error
 */
GArray *kvsqld_holders_read (KvsqldRegistry *registry, const KvsqlCall *call, GError **error);

/* FALSE with KVSQL_ERROR_UNAVAILABLE if a daemon that may use timestamps has not acknowledged the
 * epoch, or has lost the registry: it may write by the definitions that it knows, until its lease
 * ends. In one look: a daemon that has a session now may not have had one when it was asked for its
 * epoch. */
gboolean kvsqld_holders_check_epoch (KvsqldRegistry *registry, gint64 epoch, const KvsqlCall *call,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Whether the registry's list of daemons (element-type KvsqldPeer) has this name. */
gboolean kvsqld_daemons_have (const GPtrArray *daemons, const gchar *peer);

/* (nullable) */
const KvsqldHolder *kvsqld_holders_find (const GArray *self, guint64 daemon_id);

G_END_DECLS
