/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * zookeeper.c: ZooKeeper as registry, for daemons on many machines.
 *
 * Every definition is a node. Every commit is one multi-operation that also sets /epoch at the
 * version it was read with. So /epoch orders all commits, and a snapshot is consistent if /epoch is
 * the same before and after reading it. docs/registry.md shows the nodes.
 */
#include "config.h"

#include "daemon/registry/registry.h"

#include <string.h>

#include "daemon/net/host-port.h"
#include "daemon/registry/history.h"
#include "daemon/registry/registry-private.h"
#include "daemon/registry/zookeeper-auth.h"
#include "daemon/registry/zookeeper-private.h"

/* A server accepts 1,048,575 bytes in a request (jute.maxbuffer); the rest is for the frame. */
#define MAX_COMMIT_BYTES 960000
#define CHANGE_OVERHEAD_BYTES 80
/* Definitions that are older than the history are added with the first change that has one. */
#define MAX_OLD_BYTES 40000
#define MAX_ATTEMPTS 30

static const gchar *const folders[] = {
  [KVSQL_DEFINITION_RELATION] = "/relations",
  [KVSQL_DEFINITION_SCHEMA] = "/schemas",
  [KVSQL_DEFINITION_BACKFILL] = "/backfills",
  [KVSQL_DEFINITION_ROLE] = "/roles",
  [KVSQL_DEFINITION_VIEW] = "/views",
  [KVSQL_DEFINITION_RIGHTS] = "/rights",
  [KVSQL_DEFINITION_SEQUENCE] = "/sequences",
  [KVSQL_DEFINITION_SEQUENCE_RIGHTS] = "/sequence-rights",
  [KVSQL_DEFINITION_STATISTICS] = "/statistics",
  [KVSQL_DEFINITION_COSTS] = "/costs",
};

G_STATIC_ASSERT (G_N_ELEMENTS (folders) == KVSQL_N_DEFINITION_KINDS);

static gchar *
entry_path (KvsqldZookeeper *self, const KvsqlDefinitionChange *change)
{
  g_autofree gchar *escaped = _kvsqld_registry_escape (change->name);

  return g_strconcat (self->root, folders[change->kind], "/", escaped, NULL);
}

static GCancellable *
cancellable_of (const KvsqlCall *call)
{
  return call != NULL ? call->cancellable : NULL;
}

/* ---- load ---- */

enum
{
  FIRST_SYNC,
  FIRST_EPOCH,
  FIRST_NAMES, /* one for each kind */
  N_FIRST = FIRST_NAMES + KVSQL_N_DEFINITION_KINDS,
};

typedef enum
{
  LOAD_DONE,
  LOAD_AGAIN, /* the epoch changed during the reading, or the connection broke */
  LOAD_FAILED,
} LoadResult;

/* What a failed reply means for the load. A missing node was removed in the meantime. */
static LoadResult
evaluate_failure (KvsqldZookeeper *self, gint rc, GError **error)
{
  if (rc == ZNONODE || rc == ZTHROTTLEDOP || _kvsqld_zk_is_link_failure (rc))
    return LOAD_AGAIN;
  _kvsqld_zk_fail (self, rc, "read the definitions", error);
  return LOAD_FAILED;
}

static LoadResult
check_replies (KvsqldZookeeper *self, const KvsqldZkBatch *batch, GError **error)
{
  for (guint i = 0; i < batch->n_replies; i++)
    if (batch->replies[i].rc != ZOK)
      return evaluate_failure (self, batch->replies[i].rc, error);
  return LOAD_DONE;
}

/* Starts reading the nodes of a kind. The replies start at @first. */
static void
start_reading (KvsqldZookeeper *self, KvsqldZkBatch *batch, guint first, KvsqlDefinitionKind kind,
               gchar **children)
{
  for (guint i = 0; children[i] != NULL; i++)
    {
      g_autofree gchar *path = g_strconcat (folders[kind], "/", children[i], NULL);

      _kvsqld_zk_get (self, batch, first + i, path);
    }
}

static gboolean
fill_entry (KvsqldEntry *entry, KvsqlDefinitionKind kind, const gchar *child, KvsqldZkReply *reply,
            GError **error)
{
  entry->kind = kind;
  entry->name = _kvsqld_registry_unescape (child);
  if (entry->name == NULL)
    return kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                            "node \"%s/%s\" in ZooKeeper has no escaped name", folders[kind],
                            child);
  if (!g_utf8_validate_len (reply->data, (gsize)reply->length, NULL))
    return kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                            "node \"%s/%s\" in ZooKeeper does not hold UTF-8 text", folders[kind],
                            child);
  entry->text = g_steal_pointer (&reply->data);
  entry->version = reply->stat.mzxid;
  return TRUE;
}

static KvsqldSnapshot *
build_snapshot (const KvsqldZkBatch *first, KvsqldZkBatch *batch, GError **error)
{
  g_autoptr (KvsqldSnapshot) snapshot = kvsqld_snapshot_new (0, batch->n_replies - 1);
  KvsqldZkEpoch epoch;
  guint n = 0;

  if (!_kvsqld_zk_parse_epoch (&first->replies[FIRST_EPOCH], &epoch, error))
    return NULL;
  snapshot->epoch = epoch.epoch;
  snapshot->protocol = epoch.protocol;
  for (guint kind = 0; kind < KVSQL_N_DEFINITION_KINDS; kind++)
    {
      gchar **children = first->replies[FIRST_NAMES + kind].children;

      for (guint i = 0; children[i] != NULL; i++, n++)
        if (!fill_entry (&snapshot->entries[n], kind, children[i], &batch->replies[n], error))
          return NULL;
    }
  return g_steal_pointer (&snapshot);
}

/* The names and the epoch, in one round trip. The sync lets a server with older data catch up, so
 * that a daemon that lost a race sees the winner's change. */
static KvsqldZkBatch *
start_first (KvsqldZookeeper *self)
{
  KvsqldZkBatch *batch = _kvsqld_zk_batch_new (N_FIRST);

  _kvsqld_zk_sync (self, batch, FIRST_SYNC);
  _kvsqld_zk_get (self, batch, FIRST_EPOCH, "/epoch");
  for (guint kind = 0; kind < KVSQL_N_DEFINITION_KINDS; kind++)
    _kvsqld_zk_get_children (self, batch, FIRST_NAMES + kind, folders[kind]);
  return batch;
}

/* The texts, and the epoch once more at the end. Requests of a session are answered in order. */
static KvsqldZkBatch *
start_second (KvsqldZookeeper *self, const KvsqldZkBatch *first)
{
  const KvsqldZkReply *names = first->replies + FIRST_NAMES;
  KvsqldZkBatch *batch;
  guint n = 0;

  for (guint kind = 0; kind < KVSQL_N_DEFINITION_KINDS; kind++)
    n += g_strv_length (names[kind].children);
  batch = _kvsqld_zk_batch_new (n + 1);
  n = 0;
  for (guint kind = 0; kind < KVSQL_N_DEFINITION_KINDS; kind++)
    {
      start_reading (self, batch, n, kind, names[kind].children);
      n += g_strv_length (names[kind].children);
    }
  _kvsqld_zk_get (self, batch, n, "/epoch");
  return batch;
}

/* A registry that was made before there were entries of some kind has no node for them. The result
 * is seen when the names are read again. */
static gboolean
make_missing_folders (KvsqldZookeeper *self, const KvsqldZkBatch *first, gint64 end_us,
                      const KvsqlCall *call)
{
  g_autoptr (KvsqldZkBatch) batch = NULL;
  const gchar *missing[KVSQL_N_DEFINITION_KINDS];
  guint n = 0;

  for (guint kind = 0; kind < KVSQL_N_DEFINITION_KINDS; kind++)
    if (first->replies[FIRST_NAMES + kind].rc == ZNONODE)
      missing[n++] = folders[kind];
  batch = _kvsqld_zk_batch_new (n);
  for (guint i = 0; i < n; i++)
    _kvsqld_zk_create (self, batch, i, missing[i], "", 0, ZOO_PERSISTENT);
  return n > 0 && _kvsqld_zk_batch_wait (batch, end_us, cancellable_of (call));
}

static LoadResult
load_once (KvsqldZookeeper *self, gint64 end_us, const KvsqlCall *call,
           KvsqldSnapshot **out_snapshot, GError **error)
{
  g_autoptr (KvsqldZkBatch) first = start_first (self);
  g_autoptr (KvsqldZkBatch) second = NULL;
  const struct Stat *before, *after;
  LoadResult result;

  if (!_kvsqld_zk_wait (first, end_us, call, "reading from ZooKeeper", error))
    return LOAD_FAILED;
  if (make_missing_folders (self, first, end_us, call))
    return LOAD_AGAIN;
  result = check_replies (self, first, error);
  if (result != LOAD_DONE)
    return result;

  second = start_second (self, first);
  if (!_kvsqld_zk_wait (second, end_us, call, "reading from ZooKeeper", error))
    return LOAD_FAILED;
  result = check_replies (self, second, error);
  if (result != LOAD_DONE)
    return result;

  before = &first->replies[FIRST_EPOCH].stat;
  after = &second->replies[second->n_replies - 1].stat;
  if (before->mzxid != after->mzxid)
    return LOAD_AGAIN;
  *out_snapshot = build_snapshot (first, second, error);
  return *out_snapshot != NULL ? LOAD_DONE : LOAD_FAILED;
}

static KvsqldSnapshot *
zookeeper_load (KvsqldRegistry *registry, const KvsqlCall *call, GError **error)
{
  KvsqldZookeeper *self = (KvsqldZookeeper *)registry;
  gint64 end_us = _kvsqld_call_end (call, KVSQLD_ZK_LONGEST_CALL_US);

  if (!kvsql_call_check (call, error))
    return NULL;
  for (gulong attempt = 0; attempt < MAX_ATTEMPTS; attempt++)
    {
      KvsqldSnapshot *snapshot = NULL;

      if (!_kvsqld_zk_await_ready (self, end_us, KVSQLD_ZK_MAX_AWAY_US, cancellable_of (call),
                                   error))
        return NULL;
      if (load_once (self, end_us, call, &snapshot, error) != LOAD_AGAIN)
        return snapshot;
      g_usleep (attempt * 1000);
    }
  kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                   "definitions in ZooKeeper at %s change faster than they can be read, or "
                   "\"/epoch\" is missing",
                   self->servers);
  return NULL;
}

/* ---- commit ---- */

typedef struct
{
  gint64 expected_epoch;
  const KvsqlDefinitionChange *changes;
  guint n_changes;
  gchar **paths;                       /* of the changes, below the root */
  const KvsqldWriteProtocol *protocol; /* nullable: it stays as it is */
  const KvsqldAuthor *author;          /* nullable: then the history gets no record */
  gint64 end_us;
  const KvsqlCall *call;
  gchar *id;         /* distinguishes this commit from all others */
  gchar *epoch_text; /* new content of /epoch */
  guint generation;  /* of the session that sent it */
} Commit;

static void
commit_clear (Commit *self)
{
  g_strfreev (self->paths);
  g_free (self->id);
  g_free (self->epoch_text);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Commit, commit_clear)

static gboolean
set_conflict (GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_CONFLICT, KVSQL_SPAN_NONE,
                          "definitions were changed by another at the same time");
}

static gboolean
set_nothing_changed (KvsqldZookeeper *self, const Commit *commit, GError **error)
{
  if (_kvsqld_call_is_cancelled (commit->call))
    return kvsql_error_set (error, KVSQL_ERROR_DEADLINE, KVSQL_SPAN_NONE,
                            "changing the definitions was cancelled before it began");
  kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                   "ZooKeeper at %s did not take the change", self->servers);
  return kvsql_error_hint (error, "Nothing was changed. Try again.");
}

static gboolean
set_unknown_outcome (KvsqldZookeeper *self, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_OUTCOME, KVSQL_SPAN_NONE,
                   "ZooKeeper at %s did not say whether it took the change", self->servers);
  return kvsql_error_hint (error, "Look at the definitions before you try again.");
}

static gboolean
make_commit_id (Commit *commit, GError **error)
{
  guint8 bytes[16];
  GString *id;

  if (!_kvsqld_random_bytes (bytes, sizeof bytes, error))
    return FALSE;
  id = g_string_new (NULL);
  for (guint i = 0; i < sizeof bytes; i++)
    g_string_append_printf (id, "%02x", bytes[i]);
  commit->id = g_string_free (id, FALSE);
  return TRUE;
}

enum
{
  BEFORE_EPOCH,
  BEFORE_HISTORY,
  BEFORE_CHANGES, /* one request each */
};

/* Reads /epoch and after it the names of the history and the changed nodes, as far as they
 * exist. */
static KvsqldZkBatch *
read_before_commit (KvsqldZookeeper *self, const Commit *commit, GError **error)
{
  g_autoptr (KvsqldZkBatch) batch = _kvsqld_zk_batch_new (commit->n_changes + BEFORE_CHANGES);

  _kvsqld_zk_get (self, batch, BEFORE_EPOCH, "/epoch");
  _kvsqld_zk_get_children (self, batch, BEFORE_HISTORY, "/history");
  for (guint i = 0; i < commit->n_changes; i++)
    _kvsqld_zk_get (self, batch, i + BEFORE_CHANGES, commit->paths[i] + strlen (self->root));
  if (!_kvsqld_zk_batch_wait (batch, commit->end_us, cancellable_of (commit->call)))
    {
      set_nothing_changed (self, commit, error);
      return NULL;
    }
  for (guint i = 0; i < batch->n_replies; i++)
    {
      gint rc = batch->replies[i].rc;

      if (rc != ZOK && (rc != ZNONODE || i == BEFORE_EPOCH))
        {
          _kvsqld_zk_fail (self, rc, "change the definitions", error);
          return NULL;
        }
    }
  return g_steal_pointer (&batch);
}

static void
add_change (KvsqldZookeeper *self, const KvsqlDefinitionChange *change, const gchar *path,
            gboolean exists, GArray *ops)
{
  zoo_op_t op;

  if (change->text == NULL && !exists)
    return;
  if (change->text == NULL)
    zoo_delete_op_init (&op, path, -1);
  else if (exists)
    zoo_set_op_init (&op, path, change->text, (int)strlen (change->text), -1, NULL);
  else
    zoo_create_op_init (&op, path, change->text, (int)strlen (change->text),
                        _kvsqld_zk_get_acl (self), ZOO_PERSISTENT, NULL, 0);
  g_array_append_val (ops, op);
}

static gboolean
existed_before (const KvsqldZkBatch *before, guint change)
{
  return before->replies[change + BEFORE_CHANGES].rc == ZOK;
}

/* The new records of the history. Definitions that are older than the history come first, if there
 * is room for them. */
static GPtrArray *
make_records (const Commit *commit, const KvsqldZkBatch *before, const GPtrArray *keys)
{
  GPtrArray *records = g_ptr_array_new_with_free_func (kvsql_definition_record_free);
  gsize n_bytes = 0;

  for (guint i = 0; i < commit->n_changes; i++)
    {
      const KvsqlDefinitionChange *change = &commit->changes[i];
      const KvsqldZkReply *old = &before->replies[i + BEFORE_CHANGES];

      if (!_kvsqld_history_wants (change->kind)
          || (change->text == NULL && !existed_before (before, i)))
        continue;
      g_ptr_array_add (records,
                       _kvsqld_record_new (change, commit->author, commit->expected_epoch + 1));
      /* the old text of a role has its verifier */
      if (!existed_before (before, i) || change->kind == KVSQL_DEFINITION_ROLE
          || _kvsqld_history_has (keys, change->kind, change->name)
          || (n_bytes += (gsize)old->length) > MAX_OLD_BYTES
          || !g_utf8_validate_len (old->data, (gsize)old->length, NULL))
        continue;
      g_ptr_array_add (records, _kvsqld_record_new_first (change->kind, change->name, old->data,
                                                          commit->expected_epoch));
    }
  return records;
}

static void
add_history (KvsqldZookeeper *self, const Commit *commit, const KvsqldZkBatch *before,
             GPtrArray *strings, GArray *ops)
{
  const KvsqldZkReply *names = &before->replies[BEFORE_HISTORY];
  g_autoptr (GPtrArray) keys = _kvsqld_zk_history_keys (names->children);
  g_autoptr (GPtrArray) records = make_records (commit, before, keys);
  gchar *path = g_strconcat (self->root, "/history", NULL);
  zoo_op_t op;

  g_ptr_array_add (strings, path);
  if (names->rc == ZNONODE && records->len > 0)
    {
      zoo_create_op_init (&op, path, "", 0, _kvsqld_zk_get_acl (self), ZOO_PERSISTENT, NULL, 0);
      g_array_append_val (ops, op);
    }
  _kvsqld_zk_history_add_ops (self, keys, records, strings, ops);
}

/* Sends the whole change. The epoch comes first, so that its error is the one that is returned. */
static KvsqldZkBatch *
send_commit (KvsqldZookeeper *self, Commit *commit, const KvsqldZkBatch *before)
{
  KvsqldZkBatch *batch = _kvsqld_zk_batch_new (1);
  g_autoptr (GArray) ops = g_array_new (FALSE, TRUE, sizeof (zoo_op_t));
  g_autoptr (GPtrArray) strings = g_ptr_array_new_with_free_func (g_free);
  g_autofree gchar *epoch_path = g_strconcat (self->root, "/epoch", NULL);
  zoo_op_t op;

  zoo_set_op_init (&op, epoch_path, commit->epoch_text, (int)strlen (commit->epoch_text),
                   before->replies[BEFORE_EPOCH].stat.version, NULL);
  g_array_append_val (ops, op);
  for (guint i = 0; i < commit->n_changes; i++)
    add_change (self, &commit->changes[i], commit->paths[i], existed_before (before, i), ops);
  if (commit->author != NULL)
    add_history (self, commit, before, strings, ops);

  g_mutex_lock (&self->lock);
  commit->generation = self->generation;
  g_mutex_unlock (&self->lock);
  _kvsqld_zk_multi (self, batch, 0, (const zoo_op_t *)ops->data, ops->len);
  return batch;
}

/* Whether the session that sent the commit may still have it in flight. It may not if we hold that
 * session again (the servers drop what an older connection of it sent), or if the session is known
 * to have ended. */
static gboolean
is_settled (KvsqldZookeeper *self, const Commit *commit)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return self->abandoned < commit->generation;
}

/* Whether the commit was applied, from the content of /epoch. */
static gboolean
evaluate_commit (KvsqldZookeeper *self, const Commit *commit, const KvsqldZkReply *reply,
                 gint64 *out_epoch, GError **error)
{
  gint64 oldest, found;
  KvsqldZkEpoch now;

  if (!_kvsqld_zk_parse_epoch (reply, &now, NULL))
    return set_unknown_outcome (self, error);
  found = _kvsqld_zk_find_commit (reply, commit->id, &oldest);
  if (found >= 0)
    {
      *out_epoch = found;
      return TRUE;
    }
  if (now.epoch == commit->expected_epoch && is_settled (self, commit))
    return set_nothing_changed (self, commit, error);
  /* another commit has the epoch that ours would have */
  if (now.epoch > commit->expected_epoch && oldest <= commit->expected_epoch + 1)
    return set_conflict (error);
  return set_unknown_outcome (self, error);
}

/* The connection broke while the commit was in flight. */
static gboolean
find_outcome (KvsqldZookeeper *self, const Commit *commit, gint64 *out_epoch, GError **error)
{
  GCancellable *cancellable = cancellable_of (commit->call);

  for (guint attempt = 0; attempt < MAX_ATTEMPTS; attempt++)
    {
      g_autoptr (KvsqldZkBatch) batch = _kvsqld_zk_batch_new (2);

      if (!_kvsqld_zk_await_ready (self, commit->end_us, KVSQLD_ZK_LONGEST_CALL_US, cancellable,
                                   NULL))
        break;
      _kvsqld_zk_sync (self, batch, 0);
      _kvsqld_zk_get (self, batch, 1, "/epoch");
      if (!_kvsqld_zk_batch_wait (batch, commit->end_us, cancellable))
        break;
      if (batch->replies[0].rc == ZOK && batch->replies[1].rc == ZOK)
        return evaluate_commit (self, commit, &batch->replies[1], out_epoch, error);
    }
  return set_unknown_outcome (self, error);
}

static gboolean
finish_commit (KvsqldZookeeper *self, const Commit *commit, KvsqldZkBatch *batch, gint64 *out_epoch,
               GError **error)
{
  gint rc;

  if (!_kvsqld_zk_batch_wait (batch, commit->end_us, cancellable_of (commit->call)))
    return set_unknown_outcome (self, error);
  rc = batch->replies[0].rc;
  if (rc == ZOK)
    {
      *out_epoch = commit->expected_epoch + 1;
      return TRUE;
    }
  if (rc == ZBADVERSION || rc == ZNODEEXISTS || rc == ZNONODE)
    return set_conflict (error);
  if (_kvsqld_zk_is_link_failure (rc))
    return find_outcome (self, commit, out_epoch, error);
  return _kvsqld_zk_fail (self, rc, "change the definitions", error);
}

static gboolean
commit_prepared (KvsqldZookeeper *self, Commit *commit, gint64 *out_epoch, GError **error)
{
  g_autoptr (KvsqldZkBatch) before = NULL;
  g_autoptr (KvsqldZkBatch) batch = NULL;
  KvsqldZkEpoch epoch;

  if (!_kvsqld_zk_await_ready (self, commit->end_us, KVSQLD_ZK_MAX_AWAY_US,
                               cancellable_of (commit->call), error))
    return FALSE;
  before = read_before_commit (self, commit, error);
  if (before == NULL || !_kvsqld_zk_parse_epoch (&before->replies[BEFORE_EPOCH], &epoch, error))
    return FALSE;
  if (epoch.epoch != commit->expected_epoch)
    return set_conflict (error);

  if (commit->protocol != NULL)
    epoch.protocol = *commit->protocol;
  else if (epoch.epoch == 0 && epoch.protocol.number == 0)
    epoch.protocol.number = self->parent.first_protocol;
  epoch.epoch++;
  commit->epoch_text = _kvsqld_zk_print_epoch (&epoch, &before->replies[BEFORE_EPOCH], commit->id);
  batch = send_commit (self, commit, before);
  return finish_commit (self, commit, batch, out_epoch, error);
}

static gboolean
zookeeper_commit (KvsqldRegistry *registry, gint64 expected_epoch,
                  const KvsqlDefinitionChange *changes, guint n_changes, const KvsqldAuthor *author,
                  const KvsqlCall *call, gint64 *out_epoch, GError **error)
{
  KvsqldZookeeper *self = (KvsqldZookeeper *)registry;
  g_auto (Commit) commit = { .expected_epoch = expected_epoch,
                             .changes = changes,
                             .n_changes = n_changes,
                             .author = author,
                             .end_us = _kvsqld_call_end (call, KVSQLD_ZK_LONGEST_CALL_US),
                             .call = call };
  gsize overhead = 2 * n_changes * (CHANGE_OVERHEAD_BYTES + strlen (self->root));
  gint64 epoch = 0;

  if (!kvsql_call_check (call, error)
      || !_kvsqld_changes_check (changes, n_changes, author,
                                 overhead < MAX_COMMIT_BYTES ? MAX_COMMIT_BYTES - overhead : 0,
                                 error)
      || !make_commit_id (&commit, error))
    return FALSE;
  commit.paths = g_new0 (gchar *, (gsize)n_changes + 1);
  for (guint i = 0; i < n_changes; i++)
    commit.paths[i] = entry_path (self, &changes[i]);
  if (!commit_prepared (self, &commit, &epoch, error))
    return FALSE;
  if (out_epoch != NULL)
    *out_epoch = epoch;
  return TRUE;
}

static gboolean
zookeeper_change_protocol (KvsqldRegistry *registry, gint64 expected_epoch,
                           const KvsqldWriteProtocol *protocol, const KvsqlCall *call,
                           GError **error)
{
  g_auto (Commit) commit = { .expected_epoch = expected_epoch,
                             .protocol = protocol,
                             .end_us = _kvsqld_call_end (call, KVSQLD_ZK_LONGEST_CALL_US),
                             .call = call };
  gint64 epoch;

  return kvsql_call_check (call, error) && make_commit_id (&commit, error)
         && commit_prepared ((KvsqldZookeeper *)registry, &commit, &epoch, error);
}

/* ---- the secret ---- */

static GBytes *
cache_secret (KvsqldZookeeper *self, const KvsqldZkReply *reply, GError **error)
{
  g_autoptr (GMutexLocker) locker = NULL;

  if (reply->length != KVSQLD_SECRET_BYTES)
    {
      kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                       "node \"/secret\" in ZooKeeper has %d bytes instead of %d", reply->length,
                       KVSQLD_SECRET_BYTES);
      kvsql_error_hint (error, "Delete it; a new one is made, and open cursors end.");
      return NULL;
    }
  locker = g_mutex_locker_new (&self->lock);
  if (self->secret == NULL)
    self->secret = g_bytes_new (reply->data, KVSQLD_SECRET_BYTES);
  return g_bytes_ref (self->secret);
}

/* Offers a secret, then reads the one that was accepted. */
static KvsqldZkBatch *
offer_secret (KvsqldZookeeper *self, GError **error)
{
  guint8 bytes[KVSQLD_SECRET_BYTES];
  KvsqldZkBatch *batch;

  if (!_kvsqld_random_bytes (bytes, sizeof bytes, error))
    return NULL;
  batch = _kvsqld_zk_batch_new (2);
  _kvsqld_zk_create (self, batch, 0, "/secret", (const gchar *)bytes, sizeof bytes, ZOO_PERSISTENT);
  _kvsqld_zk_get (self, batch, 1, "/secret");
  return batch;
}

static GBytes *
fetch_secret (KvsqldZookeeper *self, const KvsqlCall *call, GError **error)
{
  gint64 end_us = _kvsqld_call_end (call, KVSQLD_ZK_LONGEST_CALL_US);
  gboolean is_missing = FALSE;

  for (guint attempt = 0; attempt < MAX_ATTEMPTS; attempt++)
    {
      g_autoptr (KvsqldZkBatch) batch = NULL;
      const KvsqldZkReply *reply;

      if (!_kvsqld_zk_await_ready (self, end_us, KVSQLD_ZK_MAX_AWAY_US, cancellable_of (call),
                                   error))
        return NULL;
      batch = is_missing ? offer_secret (self, error) : _kvsqld_zk_batch_new (1);
      if (batch == NULL)
        return NULL;
      if (!is_missing)
        _kvsqld_zk_get (self, batch, 0, "/secret");
      if (!_kvsqld_zk_wait (batch, end_us, call, "reading from ZooKeeper", error))
        return NULL;
      reply = &batch->replies[batch->n_replies - 1];
      if (reply->rc == ZOK)
        return cache_secret (self, reply, error);
      if (evaluate_failure (self, reply->rc, error) == LOAD_FAILED)
        return NULL;
      is_missing |= reply->rc == ZNONODE;
    }
  kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                   "the secret in ZooKeeper at %s can neither be read nor made", self->servers);
  return NULL;
}

static GBytes *
zookeeper_get_secret (KvsqldRegistry *registry, const KvsqlCall *call, GError **error)
{
  KvsqldZookeeper *self = (KvsqldZookeeper *)registry;
  GBytes *secret = NULL;

  g_mutex_lock (&self->lock);
  if (self->secret != NULL)
    secret = g_bytes_ref (self->secret);
  g_mutex_unlock (&self->lock);
  return secret != NULL || !kvsql_call_check (call, error) ? secret
                                                           : fetch_secret (self, call, error);
}

/* ---- the rest ---- */

static void
zookeeper_acknowledge (KvsqldRegistry *registry, gint64 epoch)
{
  KvsqldZookeeper *self = (KvsqldZookeeper *)registry;

  g_mutex_lock (&self->lock);
  self->wanted_epoch = epoch;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

static gboolean
zookeeper_await_acknowledged (KvsqldRegistry *registry, const KvsqlCall *call)
{
  KvsqldZookeeper *self = (KvsqldZookeeper *)registry;
  gint64 end_us = _kvsqld_call_end (call, KVSQLD_ZK_LONGEST_CALL_US);
  gboolean is_told;

  g_mutex_lock (&self->lock);
  while (self->acknowledged != self->wanted_epoch && !self->is_stopping
         && g_cond_wait_until (&self->changed, &self->lock, end_us))
    ;
  is_told = self->acknowledged == self->wanted_epoch;
  g_mutex_unlock (&self->lock);
  return is_told;
}

/* Nodes that are gone before they could be read belong to daemons that are gone. */
static GPtrArray *
read_daemons (KvsqldZookeeper *self, gchar **names, gint64 end_us, const KvsqlCall *call,
              GError **error)
{
  guint n = g_strv_length (names);
  g_autoptr (GPtrArray) daemons = g_ptr_array_new_with_free_func (kvsqld_peer_free);
  g_autoptr (KvsqldZkBatch) batch = NULL;
  clientid_t session = { 0 };

  _kvsqld_zk_get_session_id ((KvsqldRegistry *)self, &session);
  if (n == 0)
    return g_steal_pointer (&daemons);
  batch = _kvsqld_zk_batch_new (n);
  for (guint i = 0; i < n; i++)
    {
      g_autofree gchar *path = g_strconcat ("/daemons/", names[i], NULL);
      _kvsqld_zk_get (self, batch, i, path);
    }
  if (!_kvsqld_zk_wait (batch, end_us, call, "reading from ZooKeeper", error))
    return NULL;
  for (guint i = 0; i < n; i++)
    {
      const KvsqldZkReply *reply = &batch->replies[i];
      KvsqldPeer *peer;

      if (reply->rc == ZNONODE)
        continue;
      if (reply->rc != ZOK)
        {
          _kvsqld_zk_fail (self, reply->rc, "ask who is there", error);
          return NULL;
        }
      peer = g_new0 (KvsqldPeer, 1);
      peer->name = g_strdup (names[i]);
      peer->epoch = g_ascii_strtoll (reply->data, NULL, 10);
      peer->is_self = reply->stat.ephemeralOwner == session.client_id;
      g_ptr_array_add (daemons, peer);
    }
  return g_steal_pointer (&daemons);
}

static GPtrArray *
zookeeper_list_daemons (KvsqldRegistry *registry, const KvsqlCall *call, GError **error)
{
  KvsqldZookeeper *self = (KvsqldZookeeper *)registry;
  gint64 end_us = _kvsqld_call_end (call, KVSQLD_ZK_LONGEST_CALL_US);
  g_autoptr (KvsqldZkBatch) batch = NULL;

  if (!kvsql_call_check (call, error)
      || !_kvsqld_zk_await_ready (self, end_us, KVSQLD_ZK_MAX_AWAY_US, cancellable_of (call),
                                  error))
    return NULL;
  batch = _kvsqld_zk_batch_new (2);
  _kvsqld_zk_sync (self, batch, 0);
  _kvsqld_zk_get_children (self, batch, 1, "/daemons");
  if (!_kvsqld_zk_wait (batch, end_us, call, "reading from ZooKeeper", error))
    return NULL;
  for (guint i = 0; i < 2; i++)
    if (batch->replies[i].rc != ZOK)
      {
        _kvsqld_zk_fail (self, batch->replies[i].rc, "ask who is there", error);
        return NULL;
      }
  return read_daemons (self, batch->replies[1].children, end_us, call, error);
}

static gchar *
zookeeper_describe_last_error (KvsqldRegistry *registry)
{
  KvsqldZookeeper *self = (KvsqldZookeeper *)registry;
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  gint64 seconds = (g_get_monotonic_time () - self->away_since_us) / G_USEC_PER_SEC;

  if (self->is_ready)
    return g_strdup (self->last_error);
  return g_strdup_printf ("ZooKeeper at %s has been away for %" G_GINT64_FORMAT
                          " seconds%s%s: definitions cannot be changed",
                          self->servers, seconds, self->last_error != NULL ? ": " : "",
                          self->last_error != NULL ? self->last_error : "");
}

static void
zookeeper_close_registry (KvsqldRegistry *registry)
{
  KvsqldZookeeper *self = (KvsqldZookeeper *)registry;

  _kvsqld_zk_session_stop (self);
  _kvsqld_zk_unref (self);
}

static const KvsqldRegistryClass zookeeper_class = {
  .scheme = "zookeeper",
  .open = _kvsqld_zookeeper_registry_open,
  .close = zookeeper_close_registry,
  .load = zookeeper_load,
  .commit = zookeeper_commit,
  .change_protocol = zookeeper_change_protocol,
  .list_history = _kvsqld_zk_list_history,
  .list_exposed = _kvsqld_zk_list_exposed,
  .acknowledge = zookeeper_acknowledge,
  .await_acknowledged = zookeeper_await_acknowledged,
  .list_daemons = zookeeper_list_daemons,
  .get_secret = zookeeper_get_secret,
  .read_clock = _kvsqld_zk_read_clock,
  .write_clock = _kvsqld_zk_write_clock,
  .read_slots = _kvsqld_zk_read_slots,
  .write_slots = _kvsqld_zk_write_slots,
  .describe_last_error = zookeeper_describe_last_error,
};

/* ---- the URL ---- */

static gboolean
is_server (const gchar *word)
{
  g_autofree gchar *host = NULL;
  guint16 port;

  return kvsqld_host_port_parse (word, 1, KVSQLD_PORT_REQUIRED, &host, &port) == NULL
         && strchr (word, '%') == NULL;
}

static gboolean
are_servers (const gchar *servers)
{
  g_auto (GStrv) words = g_strsplit (servers, ",", -1);

  for (guint i = 0; words[i] != NULL; i++)
    if (!is_server (words[i]))
      return FALSE;
  return words[0] != NULL;
}

/* "" or a path of nodes for the root. */
static gboolean
is_root (const gchar *path)
{
  g_auto (GStrv) words = g_strsplit (path, "/", -1);

  if (*path == '\0')
    return TRUE;
  if (words[1] == NULL)
    return FALSE; /* no "/" */
  for (guint i = 1; words[i] != NULL; i++)
    if (*words[i] == '\0' || strcmp (words[i], ".") == 0 || strcmp (words[i], "..") == 0
        || strspn (words[i], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
               != strlen (words[i]))
      return FALSE;
  return strcmp (words[1], "zookeeper") != 0;
}

KvsqldRegistry *
_kvsqld_zookeeper_registry_open (const gchar *url, KvsqldRegistryWatch watch, gpointer user_data,
                                 GError **error)
{
  static const gchar prefix[] = "zookeeper://";
  const gchar *servers = g_str_has_prefix (url, prefix) ? url + strlen (prefix) : "";
  gsize n_servers = strcspn (servers, "/?");
  gsize n_root = strcspn (servers + n_servers, "?");
  const gchar *query = servers[n_servers + n_root] == '?' ? servers + n_servers + n_root + 1 : NULL;
  g_autofree gchar *hosts = g_strndup (servers, n_servers);
  g_autofree gchar *root = n_root == 1 ? g_strdup ("") : g_strndup (servers + n_servers, n_root);
  g_autofree gchar *auth = NULL;
  KvsqldZookeeper *self;

  if (!are_servers (hosts) || !is_root (root))
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                       "registry \"zookeeper://%s%s\" names no ZooKeeper", hosts, root);
      kvsql_error_hint (error, "Write zookeeper://host:port/path, or several host:port with "
                               "commas between; the path takes letters, digits and ._-");
      return NULL;
    }
  if (!_kvsqld_zk_auth_read (query, &auth, error))
    return NULL;
  self = g_new0 (KvsqldZookeeper, 1);
  self->parent.klass = &zookeeper_class;
  self->servers = g_steal_pointer (&hosts);
  self->root = g_steal_pointer (&root);
  self->auth = g_steal_pointer (&auth);
  self->watch = watch;
  self->user_data = user_data;
  _kvsqld_zk_session_start (self);
  return &self->parent;
}
