/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * zookeeper-clock.c: the time of the leader of the servers, and the nodes /clock and /clock-stamp.
 *
 * Only a write is stamped with the leader's time. The write goes to a node of its own, at any
 * version, so that daemons that read the time at the same moment do not conflict, however long an
 * answer takes. The entry is read before and after the write, all in one round trip: if both reads
 * are equal, the entry is valid for this time.
 */
#include "config.h"

#include <string.h>

#include "daemon/registry/registry-private.h"
#include "daemon/registry/zookeeper-private.h"

/* A lost race is another daemon's success, so this many in a row mean an error. */
#define MAX_ATTEMPTS 100

#define ENTRY "/clock"
#define STAMP "/clock-stamp"

typedef enum
{
  STEP_DONE,
  STEP_AGAIN, /* another daemon was first, or the connection broke */
  STEP_FAILED,
} Step;

static Step
evaluate (KvsqldZookeeper *self, gint rc, GError **error)
{
  if (rc == ZOK)
    return STEP_DONE;
  if (rc == ZBADVERSION || rc == ZNONODE || rc == ZNODEEXISTS || rc == ZTHROTTLEDOP
      || _kvsqld_zk_is_link_failure (rc))
    return STEP_AGAIN;
  _kvsqld_zk_fail (self, rc, "set the common clock", error);
  return STEP_FAILED;
}

/* Evaluates the replies of @batch, which holds all requests of a reading. */
static Step
wait (KvsqldZookeeper *self, KvsqldZkBatch *batch, gint64 end_us, const KvsqlCall *call,
      GError **error)
{
  Step step = STEP_DONE;

  if (!_kvsqld_zk_wait (batch, end_us, call, "comparing the common clock", error))
    return STEP_FAILED;
  for (guint i = 0; i < batch->n_replies && step == STEP_DONE; i++)
    step = evaluate (self, batch->replies[i].rc, error);
  return step;
}

static Step
make_nodes (KvsqldZookeeper *self, gint64 end_us, const KvsqlCall *call, GError **error)
{
  g_autoptr (KvsqldZkBatch) batch = _kvsqld_zk_batch_new (2);
  Step step;

  _kvsqld_zk_create (self, batch, 0, ENTRY, "", 0, ZOO_PERSISTENT);
  _kvsqld_zk_create (self, batch, 1, STAMP, "", 0, ZOO_PERSISTENT);
  step = wait (self, batch, end_us, call, error);
  return step == STEP_DONE ? STEP_AGAIN : step;
}

static Step
read_once (KvsqldZookeeper *self, KvsqldClockReading *out, gint64 end_us, const KvsqlCall *call,
           GError **error)
{
  g_autoptr (KvsqldZkBatch) batch = _kvsqld_zk_batch_new (3);
  const KvsqldZkReply *before = &batch->replies[0], *stamp = &batch->replies[1];
  const KvsqldZkReply *entry = &batch->replies[2];
  Step step;

  _kvsqld_zk_get (self, batch, 0, ENTRY);
  _kvsqld_zk_set (self, batch, 1, STAMP, "", 0, -1);
  _kvsqld_zk_get (self, batch, 2, ENTRY);
  step = wait (self, batch, end_us, call, error);
  if (step == STEP_AGAIN && (entry->rc == ZNONODE || stamp->rc == ZNONODE))
    return make_nodes (self, end_us, call, error);
  if (step != STEP_DONE)
    return step;
  if (before->stat.version != entry->stat.version)
    return STEP_AGAIN;
  g_strlcpy (out->text, entry->length > 0 ? entry->data : "", sizeof out->text);
  g_strchomp (out->text);
  out->version = entry->stat.version;
  out->server_ms = stamp->stat.mtime;
  /* a leader's number is the upper half of its transactions' numbers */
  out->term = stamp->stat.mzxid >> 32;
  return STEP_DONE;
}

static gboolean
await_ready (KvsqldZookeeper *self, gint64 end_us, const KvsqlCall *call, GError **error)
{
  return kvsql_call_check (call, error)
         && _kvsqld_zk_await_ready (self, end_us, KVSQLD_ZK_MAX_AWAY_US,
                                    call != NULL ? call->cancellable : NULL, error);
}

gboolean
_kvsqld_zk_read_clock (KvsqldRegistry *registry, KvsqldClockReading *out, const KvsqlCall *call,
                       GError **error)
{
  KvsqldZookeeper *self = (KvsqldZookeeper *)registry;
  gint64 end_us = _kvsqld_call_end (call, KVSQLD_ZK_LONGEST_CALL_US);

  for (gulong attempt = 0; attempt < MAX_ATTEMPTS; attempt++)
    {
      Step step;

      if (!await_ready (self, end_us, call, error))
        return FALSE;
      step = read_once (self, out, end_us, call, error);
      if (step != STEP_AGAIN)
        return step == STEP_DONE;
      g_usleep (attempt * 1000);
    }
  return kvsql_error_set (
      error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
      "the common clock in ZooKeeper at %s is changed faster than it can be read", self->servers);
}

gboolean
_kvsqld_zk_write_clock (KvsqldRegistry *registry, const KvsqldClockReading *reading,
                        const gchar *text, gboolean *out_is_written, const KvsqlCall *call,
                        GError **error)
{
  KvsqldZookeeper *self = (KvsqldZookeeper *)registry;
  gint64 end_us = _kvsqld_call_end (call, KVSQLD_ZK_LONGEST_CALL_US);
  g_autoptr (KvsqldZkBatch) batch = NULL;
  Step step;

  *out_is_written = FALSE;
  if (!await_ready (self, end_us, call, error))
    return FALSE;
  batch = _kvsqld_zk_batch_new (1);
  _kvsqld_zk_set (self, batch, 0, ENTRY, text, (gint)strlen (text), (gint)reading->version);
  step = wait (self, batch, end_us, call, error);
  *out_is_written = step == STEP_DONE;
  return step != STEP_FAILED;
}
