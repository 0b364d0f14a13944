/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * zookeeper-private.h: the layers of the ZooKeeper registry.
 *
 *   zookeeper.c          the contract: load, commit, secret
 *   zookeeper-clock.c    the contract: the common clock
 *   zookeeper-history.c  the contract: who changed what
 *   zookeeper-session.c  one session after another, the watch, what the main context is told
 *   zookeeper-auth.c     by whom we are known
 *   zookeeper-batch.c    requests in flight and waiting for them
 *
 * Threads: any thread may make requests; the library's completion thread delivers replies and
 * events and never blocks; one keeper thread per registry opens and closes handles, reads the epoch
 * and keeps the ephemeral node; the main context only runs the caller's watch callback.
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
  gchar *data;      /* get: (nullable), with a NUL behind */
  gint length;      /* get: its bytes without that NUL */
  struct Stat stat; /* get, set */
  gchar **children; /* get_children */
} KvsqldZkReply;

/* Requests that are waited for together. The library's thread may hold the last reference: a
 * reply that comes after the waiter has left finds its memory still there. */
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
/* TRUE once every reply is there, FALSE at @end_us (monotonic) or when cancelled. */
gboolean _kvsqld_zk_batch_wait (KvsqldZkBatch *self, gint64 end_us, GCancellable *cancellable);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldZkBatch, _kvsqld_zk_batch_unref)

/* Each starts the request whose reply goes to @batch->replies[@index]; exactly one reply comes for
 * every request, also if there is no connection. Paths are below the registry's root. None of them
 * blocks. */
void _kvsqld_zk_get (KvsqldZookeeper *self, KvsqldZkBatch *batch, guint index, const gchar *path);
void _kvsqld_zk_get_watched (KvsqldZookeeper *self, KvsqldZkBatch *batch, guint index,
                             const gchar *path, watcher_fn watcher);
void _kvsqld_zk_get_children (KvsqldZookeeper *self, KvsqldZkBatch *batch, guint index,
                              const gchar *path);
/* Brings the server we talk to up to date with the leader. */
void _kvsqld_zk_sync (KvsqldZookeeper *self, KvsqldZkBatch *batch, guint index);
/* @path from ZooKeeper's own root: for the nodes that lead to ours. */
void _kvsqld_zk_create_absolute (KvsqldZookeeper *self, KvsqldZkBatch *batch, guint index,
                                 const gchar *path, const gchar *data, gint length, gint mode);
void _kvsqld_zk_create (KvsqldZookeeper *self, KvsqldZkBatch *batch, guint index, const gchar *path,
                        const gchar *data, gint length, gint mode);
/* @version: what the node has to have; -1: any. */
void _kvsqld_zk_set (KvsqldZookeeper *self, KvsqldZkBatch *batch, guint index, const gchar *path,
                     const gchar *data, gint length, gint version);
/* @ops and what they point to are copied into the request. */
void _kvsqld_zk_multi (KvsqldZookeeper *self, KvsqldZkBatch *batch, guint index,
                       const zoo_op_t *ops, guint n_ops);

/* For the session: answers what the library has left unanswered when it was closed. */
typedef struct _KvsqldZkRequest KvsqldZkRequest;
void _kvsqld_zk_abandon_requests (KvsqldZookeeper *self);

/* ---- the session ---- */

#define KVSQLD_ZK_SESSION_MS 10000
#define KVSQLD_ZK_LONGEST_CALL_US (30 * G_USEC_PER_SEC)
/* How long ZooKeeper may be away before calls fail at once: a blip should not be seen by users. */
#define KVSQLD_ZK_PATIENCE_US (3 * G_USEC_PER_SEC)
/* How many commits /epoch remembers: a commit whose answer got lost is looked up there. */
#define KVSQLD_ZK_HISTORY 16

struct _KvsqldZookeeper
{
  KvsqldRegistry parent;
  gatomicrefcount references; /* the owner, a source on its way to the main context */
  gchar *servers;             /* "host:port,host:port" */
  gchar *root;                /* "" or "/a/b" */
  gchar *auth;                /* "user:password"; NULL: nobody */
  GMainContext *context;
  KvsqldRegistryWatch watch;
  gpointer user_data;
  GThread *keeper;
  GCancellable *stop; /* ends the keeper's waiting */

  GMutex lock; /* protects all below */
  GCond changed;
  gboolean is_stopping;
  zhandle_t *handle;    /* NULL between two sessions; used under the lock only */
  GQueue requests;      /* in flight */
  guint generation;     /* counts handles */
  guint abandoned;      /* newest generation given up without knowing that its session ended */
  gboolean is_linked;   /* the library says that the session is connected */
  gboolean is_expired;  /* the session has ended and the handle is of no use */
  gboolean is_ready;    /* linked, and the epoch was read with a watch since then */
  gboolean needs_look;  /* the epoch has to be read again */
  gint64 away_since_us; /* if not ready */
  gint64 opened_at_us;  /* the handle */
  gint64 retry_at_us;   /* after a failed step */
  gint64 backoff_us;
  gint64 epoch;        /* -1 until read */
  gint64 wanted_epoch; /* to acknowledge; -1: none */
  gint64 acknowledged; /* by this session; -1: none */
  GBytes *secret;      /* once known; it never changes */
  gchar *trouble;      /* the last failure */
  GSource *report;     /* on its way to the main context */
  KvsqldRegistryState reported_state;
  gint64 reported_epoch;
};

/* Starts the keeper; fields up to `user_data` are set. */
void _kvsqld_zk_session_start (KvsqldZookeeper *self);
/* Returns when no thread of the session runs any more and no callback will come. */
void _kvsqld_zk_session_stop (KvsqldZookeeper *self);
void _kvsqld_zk_unref (KvsqldZookeeper *self);
/* Of the nodes that we make: the user's own, or open to all if there is none. */
const struct ACL_vector *_kvsqld_zk_get_acl (const KvsqldZookeeper *self);

/* Waits for the session to be ready, at most until @end_us; not at all if it has been away for more
 * than @patience_us. Sets KVSQL_ERROR_UNAVAILABLE, or DEADLINE if cancelled. */
gboolean _kvsqld_zk_await_ready (KvsqldZookeeper *self, gint64 end_us, gint64 patience_us,
                                 GCancellable *cancellable, GError **error);

/* Sets the error for @rc: what the session is doing, "could not WHAT". Returns FALSE. */
gboolean _kvsqld_zk_error (KvsqldZookeeper *self, gint rc, const gchar *what, GError **error);
/* Waits for @batch; FALSE: KVSQL_ERROR_DEADLINE, "WHAT was cancelled" or that it came too late. */
gboolean _kvsqld_zk_wait (KvsqldZkBatch *batch, gint64 end_us, const KvsqlCall *call,
                          const gchar *what, GError **error);
/* The connection failed, not the request; the request may or may not have been applied. */
gboolean _kvsqld_zk_is_link_failure (gint rc);

/* The content of /epoch: the number, and the commits that made the last ones. */
gboolean _kvsqld_zk_parse_epoch (const KvsqldZkReply *reply, gint64 *out_epoch, GError **error);
gchar *_kvsqld_zk_print_epoch (const KvsqldZkReply *old, gint64 epoch, const gchar *commit_id);
/* The epoch that @commit_id made, or -1; @out_oldest is the oldest one remembered. */
gint64 _kvsqld_zk_find_commit (const KvsqldZkReply *reply, const gchar *commit_id,
                               gint64 *out_oldest);

/* Names of nodes below /history, as records that have no more than their keys; names of others are
 * passed over. */
GPtrArray *_kvsqld_zk_history_keys (gchar **names);
/* Adds to @ops what keeps @records beside those of @keys, and removes what is too much then;
 * @strings takes what the operations point to. */
void _kvsqld_zk_history_add_ops (KvsqldZookeeper *self, const GPtrArray *keys,
                                 const GPtrArray *records, GPtrArray *strings, GArray *ops);
GPtrArray *_kvsqld_zk_list_history (KvsqldRegistry *registry, const gchar *name,
                                    const KvsqlCall *call, GError **error);

gboolean _kvsqld_zk_read_clock (KvsqldRegistry *registry, KvsqldClockReading *out,
                                const KvsqlCall *call, GError **error);
gboolean _kvsqld_zk_write_clock (KvsqldRegistry *registry, const KvsqldClockReading *reading,
                                 const gchar *text, gboolean *out_is_written, const KvsqlCall *call,
                                 GError **error);

/* The session's id and password. FALSE if there is none now. */
gboolean _kvsqld_zk_get_session_id (KvsqldRegistry *registry, clientid_t *out_id);

G_END_DECLS
