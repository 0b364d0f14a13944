/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * zookeeper-private.h: the layers of the ZooKeeper registry.
 *
 *   zookeeper.c          the contract: load, commit, secret
 *   zookeeper-clock.c    the contract: the common clock
 *   zookeeper-slots.c    the contract: the slots of timestamps
 *   zookeeper-history.c  the contract: the history of changes
 *   zookeeper-exposed.c  the contract: nodes that others may read or write
 *   zookeeper-session.c  sessions, the watch, reports to the main context
 *   zookeeper-auth.c     the credentials
 *   zookeeper-batch.c    requests in flight, and waiting for them
 *
 * Threads: any thread may make requests. The library's completion thread delivers replies and
 * events and never blocks. One keeper thread per registry opens and closes handles, reads the epoch
 * and keeps the ephemeral node. The main context only runs the caller's watch callback.
 *
 * Lock order: KvsqldZookeeper.lock, then the library's own locks or the main context's. A batch's
 * lock is a leaf, and never held together with KvsqldZookeeper.lock. No lock is held in a call of
 * the watch callback, in zookeeper_init2() or zookeeper_close(), or around (dis)connecting a
 * cancellable.
 */
#pragma once

#include <zookeeper/zookeeper.h>

#include "daemon/registry/registry.h"

G_BEGIN_DECLS

typedef struct _KvsqldZookeeper KvsqldZookeeper;

/* ---- batches ---- */

typedef struct
{
  gint rc;          /* ZOK or an error of ZOO_ERRORS */
  gchar *data;      /* get: (nullable), with a NUL after it */
  gint length;      /* get: its bytes without that NUL */
  struct Stat stat; /* get, set */
  gchar **children; /* get_children; get_acl: "PERMISSIONS SCHEME:ID", the permissions in decimal */
} KvsqldZkReply;

/* Requests that are waited for together. The library's thread may hold the last reference, so that
 * a reply that comes after the waiter has left finds its memory. */
typedef struct
{
  gatomicrefcount references;
  GMutex lock; /* protects n_pending, and the replies until n_pending is 0 */
  GCond changed;
  guint n_pending;
  guint n_replies;
  KvsqldZkReply *replies; /* read only after _wait() has returned TRUE */
} KvsqldZkBatch;

KvsqldZkBatch *_kvsqld_zk_batch_new (guint n_replies);
void _kvsqld_zk_batch_unref (KvsqldZkBatch *self); /* accepts NULL */
/* TRUE when every reply has come, FALSE at @end_us (monotonic) or when cancelled. */
gboolean _kvsqld_zk_batch_wait (KvsqldZkBatch *self, gint64 end_us, GCancellable *cancellable);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldZkBatch, _kvsqld_zk_batch_unref)

/* Each function starts the request whose reply goes to @batch->replies[@index]. Exactly one reply
 * comes for every request, also without a connection. Paths are below the registry's root. None of
 * the functions blocks. */
void _kvsqld_zk_get (KvsqldZookeeper *self, KvsqldZkBatch *batch, guint index, const gchar *path);
void _kvsqld_zk_get_watched (KvsqldZookeeper *self, KvsqldZkBatch *batch, guint index,
                             const gchar *path, watcher_fn watcher);
void _kvsqld_zk_get_children (KvsqldZookeeper *self, KvsqldZkBatch *batch, guint index,
                              const gchar *path);
/* @path from ZooKeeper's own root. */
void _kvsqld_zk_read_acl (KvsqldZookeeper *self, KvsqldZkBatch *batch, guint index,
                          const gchar *path);
/* Brings our server up to date with the leader. */
void _kvsqld_zk_sync (KvsqldZookeeper *self, KvsqldZkBatch *batch, guint index);
/* @path from ZooKeeper's own root: for the nodes above the registry's root. */
void _kvsqld_zk_create_absolute (KvsqldZookeeper *self, KvsqldZkBatch *batch, guint index,
                                 const gchar *path, const gchar *data, gint length, gint mode);
void _kvsqld_zk_create (KvsqldZookeeper *self, KvsqldZkBatch *batch, guint index, const gchar *path,
                        const gchar *data, gint length, gint mode);
/* @version: the expected version of the node; -1: any. */
void _kvsqld_zk_set (KvsqldZookeeper *self, KvsqldZkBatch *batch, guint index, const gchar *path,
                     const gchar *data, gint length, gint version);
/* @ops and what they point to are copied into the request. */
void _kvsqld_zk_multi (KvsqldZookeeper *self, KvsqldZkBatch *batch, guint index,
                       const zoo_op_t *ops, guint n_ops);

/* For the session: answers requests that the library has left unanswered when it was closed. */
typedef struct _KvsqldZkRequest KvsqldZkRequest;
void _kvsqld_zk_abandon_requests (KvsqldZookeeper *self);

/* ---- the session ---- */

#define KVSQLD_ZK_SESSION_MS 10000
#define KVSQLD_ZK_LONGEST_CALL_US (30 * G_USEC_PER_SEC)
/* How long ZooKeeper may be away before calls fail at once, so that users do not see short
 * interruptions. */
#define KVSQLD_ZK_MAX_AWAY_US (3 * G_USEC_PER_SEC)
/* The number of commits that /epoch remembers: a commit whose answer was lost is looked up
 * there. */
#define KVSQLD_ZK_HISTORY 16

/* The content of /epoch: the number and the write protocol, and the last commits. Builds before
 * there was a number of the write protocol expect nothing but the epoch in the first line, and
 * reject the registry. */
typedef struct
{
  gint64 epoch;
  KvsqldWriteProtocol protocol;
} KvsqldZkEpoch;

struct _KvsqldZookeeper
{
  KvsqldRegistry parent;
  gatomicrefcount references; /* of the owner, and of a source on its way to the main context */
  gchar *servers;             /* "host:port,host:port" */
  gchar *root;                /* "" or "/a/b" */
  gchar *auth;                /* "user:password"; NULL: none */
  GMainContext *context;
  KvsqldRegistryWatch watch;
  gpointer user_data;
  GThread *keeper;
  GCancellable *stop; /* wakes the keeper */

  GMutex lock; /* protects all members below */
  GCond changed;
  gboolean is_stopping;
  zhandle_t *handle; /* NULL between two sessions; used under the lock only */
  GQueue requests;   /* in flight */
  guint generation;  /* counts handles */
  guint abandoned;   /* the newest generation that was given up before its session was known to have
                        ended */
  gboolean is_linked;       /* the library reports the session as connected */
  gboolean is_expired;      /* the session has ended and the handle is of no use */
  gboolean is_ready;        /* linked, and the epoch was read with a watch since */
  gboolean must_read_epoch; /* the epoch has to be read again */
  gint64 away_since_us;     /* if not ready */
  gint64 opened_at_us;      /* the handle */
  gint64 retry_at_us;       /* after a failed step */
  gint64 backoff_us;
  KvsqldZkEpoch epoch; /* -1 until read */
  gint64 wanted_epoch; /* to acknowledge; -1: none */
  gint64 acknowledged; /* in this session; -1: none */
  GBytes *secret;      /* when known; it never changes */
  gchar *last_error;   /* the last failure */
  GSource *report;     /* a source on its way to the main context */
  KvsqldRegistryState reported_state;
  KvsqldZkEpoch reported;
};

/* Starts the keeper; fields up to `user_data` are set. */
void _kvsqld_zk_session_start (KvsqldZookeeper *self);
/* Returns after the last thread of the session has ended. No callback comes afterwards. */
void _kvsqld_zk_session_stop (KvsqldZookeeper *self);
void _kvsqld_zk_unref (KvsqldZookeeper *self);
/* The ACL of our nodes: for our user, or open to all if there is no user. */
const struct ACL_vector *_kvsqld_zk_get_acl (const KvsqldZookeeper *self);

/* Waits until the session is ready, at most until @end_us. Does not wait if the session has been
 * away for more than @max_away_us. Sets KVSQL_ERROR_UNAVAILABLE, or DEADLINE if cancelled. */
gboolean _kvsqld_zk_await_ready (KvsqldZookeeper *self, gint64 end_us, gint64 max_away_us,
                                 GCancellable *cancellable,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Sets the error for @rc: the state of the session, "could not WHAT". Returns FALSE. */
gboolean _kvsqld_zk_fail (KvsqldZookeeper *self, gint rc, const gchar *what, GError **error);
/* Waits for @batch; FALSE: KVSQL_ERROR_DEADLINE, "WHAT was cancelled" or that it was late. */
gboolean _kvsqld_zk_wait (KvsqldZkBatch *batch, gint64 end_us, const KvsqlCall *call,
                          const gchar *what, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The connection failed, and not the request. The request may or may not have been applied. */
gboolean _kvsqld_zk_is_link_failure (gint rc);

gboolean _kvsqld_zk_parse_epoch (const KvsqldZkReply *reply, KvsqldZkEpoch *out,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* @old, @commit_id: NULL: of a new node */
gchar *_kvsqld_zk_print_epoch (const KvsqldZkEpoch *self, const KvsqldZkReply *old,
                               const gchar *commit_id);
/* The epoch that @commit_id made, or -1; @out_oldest is the oldest one remembered. */
gint64 _kvsqld_zk_find_commit (const KvsqldZkReply *reply, const gchar *commit_id,
                               gint64 *out_oldest);

/* The names of nodes below /history, as records that have only their keys. Other names are
 * skipped. */
GPtrArray *_kvsqld_zk_history_keys (gchar **names);
/* Adds to @ops the creation of @records and the removal of those of @keys that are over the limits
 * then. @strings takes what the operations point to. */
void _kvsqld_zk_history_add_ops (KvsqldZookeeper *self, const GPtrArray *keys,
                                 const GPtrArray *records, GPtrArray *strings, GArray *ops);
GPtrArray *_kvsqld_zk_list_history (KvsqldRegistry *registry, const gchar *name,
                                    const KvsqlCall *call, GError **error);

gboolean _kvsqld_zk_read_clock (KvsqldRegistry *registry, KvsqldClockReading *out,
                                const KvsqlCall *call, GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean _kvsqld_zk_write_clock (KvsqldRegistry *registry, const KvsqldClockReading *reading,
                                 const gchar *text, gboolean *out_is_written, const KvsqlCall *call,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

gboolean _kvsqld_zk_read_slots (KvsqldRegistry *registry, gchar **out_text, gint64 *out_version,
                                const KvsqlCall *call, GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean _kvsqld_zk_write_slots (KvsqldRegistry *registry, gint64 version, const gchar *text,
                                 gboolean *out_is_written, const KvsqlCall *call,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

GPtrArray *_kvsqld_zk_list_exposed (KvsqldRegistry *registry, const KvsqlCall *call,
                                    GError **error);

/* The session's id and password. FALSE if there is none now. */
gboolean _kvsqld_zk_get_session_id (KvsqldRegistry *registry, clientid_t *out_id);

G_END_DECLS
