/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * zookeeper-slots.c: the node /slots.
 *
 * It is read from a server that has caught up with the leader, because a daemon relies on it for a
 * whole lease.
 */
#include "config.h"

#include <string.h>

#include "daemon/registry/registry-private.h"
#include "daemon/registry/zookeeper-private.h"

#define MAX_ATTEMPTS 30

#define ENTRY "/slots"

static gboolean
await_ready (KvsqldZookeeper *self, gint64 end_us, const KvsqlCall *call, GError **error)
{
  return kvsql_call_check (call, error)
         && _kvsqld_zk_await_ready (self, end_us, KVSQLD_ZK_MAX_AWAY_US,
                                    call != NULL ? call->cancellable : NULL, error);
}

static gboolean
is_lost_race (gint rc)
{
  return rc == ZNONODE || rc == ZNODEEXISTS || rc == ZTHROTTLEDOP
         || _kvsqld_zk_is_link_failure (rc);
}

/* The result is seen when the node is read again. */
static gboolean
make_node (KvsqldZookeeper *self, gint64 end_us, const KvsqlCall *call, GError **error)
{
  g_autoptr (KvsqldZkBatch) batch = _kvsqld_zk_batch_new (1);

  _kvsqld_zk_create (self, batch, 0, ENTRY, "", 0, ZOO_PERSISTENT);
  return _kvsqld_zk_wait (batch, end_us, call, "making the slots", error);
}

gboolean
_kvsqld_zk_read_slots (KvsqldRegistry *registry, gchar **out_text, gint64 *out_version,
                       const KvsqlCall *call, GError **error)
{
  KvsqldZookeeper *self = (KvsqldZookeeper *)registry;
  gint64 end_us = _kvsqld_call_end (call, KVSQLD_ZK_LONGEST_CALL_US);

  for (gulong attempt = 0; attempt < MAX_ATTEMPTS; attempt++)
    {
      g_autoptr (KvsqldZkBatch) batch = _kvsqld_zk_batch_new (2);
      KvsqldZkReply *entry = &batch->replies[1];
      gint rc;

      if (!await_ready (self, end_us, call, error))
        return FALSE;
      _kvsqld_zk_sync (self, batch, 0);
      _kvsqld_zk_get (self, batch, 1, ENTRY);
      if (!_kvsqld_zk_wait (batch, end_us, call, "reading the slots", error))
        return FALSE;
      rc = batch->replies[0].rc != ZOK ? batch->replies[0].rc : entry->rc;
      if (rc == ZOK)
        {
          *out_text = g_steal_pointer (&entry->data);
          *out_version = entry->stat.version;
          return TRUE;
        }
      if (!is_lost_race (rc))
        return _kvsqld_zk_fail (self, rc, "read the slots", error);
      if (rc == ZNONODE && !make_node (self, end_us, call, error))
        return FALSE;
      g_usleep (attempt * 1000);
    }
  return kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                          "the slots in ZooKeeper at %s can neither be read nor made",
                          self->servers);
}

gboolean
_kvsqld_zk_write_slots (KvsqldRegistry *registry, gint64 version, const gchar *text,
                        gboolean *out_is_written, const KvsqlCall *call, GError **error)
{
  KvsqldZookeeper *self = (KvsqldZookeeper *)registry;
  gint64 end_us = _kvsqld_call_end (call, KVSQLD_ZK_LONGEST_CALL_US);
  g_autoptr (KvsqldZkBatch) batch = NULL;
  gint rc;

  *out_is_written = FALSE;
  if (!await_ready (self, end_us, call, error))
    return FALSE;
  batch = _kvsqld_zk_batch_new (1);
  _kvsqld_zk_set (self, batch, 0, ENTRY, text, (gint)strlen (text), (gint)version);
  if (!_kvsqld_zk_wait (batch, end_us, call, "writing the slots", error))
    return FALSE;
  rc = batch->replies[0].rc;
  *out_is_written = rc == ZOK;
  if (rc == ZOK || rc == ZBADVERSION || is_lost_race (rc))
    return TRUE;
  return _kvsqld_zk_fail (self, rc, "write the slots", error);
}
