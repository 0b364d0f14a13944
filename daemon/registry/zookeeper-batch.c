/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * zookeeper-batch.c: requests to ZooKeeper in flight, and waiting for them with a deadline.
 *
 * The library's blocking calls have no deadline, so only its asynchronous ones are used. Every
 * request is registered with its registry: a library that is closed forgets some of its
 * completions, and those requests are then answered here.
 */
#include "config.h"

#include "daemon/registry/zookeeper-private.h"

#include <string.h>

const struct ACL_vector *
_kvsqld_zk_get_acl (const KvsqldZookeeper *self)
{
  return self->auth != NULL ? &ZOO_CREATOR_ALL_ACL : &ZOO_OPEN_ACL_UNSAFE;
}

struct _KvsqldZkRequest
{
  GList link; /* in KvsqldZookeeper.requests */
  KvsqldZookeeper *owner;
  KvsqldZkBatch *batch;
  guint index;
  zoo_op_result_t *results; /* multi: the library writes here when the reply arrives */
};

/* ---- the batch ---- */

KvsqldZkBatch *
_kvsqld_zk_batch_new (guint n_replies)
{
  KvsqldZkBatch *self = g_new0 (KvsqldZkBatch, 1);

  g_atomic_ref_count_init (&self->references);
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  self->n_pending = n_replies;
  self->n_replies = n_replies;
  self->replies = g_new0 (KvsqldZkReply, n_replies);
  return self;
}

void
_kvsqld_zk_batch_unref (KvsqldZkBatch *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->references))
    return;
  for (guint i = 0; i < self->n_replies; i++)
    {
      g_free (self->replies[i].data);
      g_strfreev (self->replies[i].children);
    }
  g_free (self->replies);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static KvsqldZkBatch *
batch_ref (KvsqldZkBatch *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

static void
wake_batch (GCancellable *cancellable, gpointer user_data)
{
  KvsqldZkBatch *self = user_data;

  g_mutex_lock (&self->lock);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

static void
batch_unref_data (gpointer data)
{
  _kvsqld_zk_batch_unref (data);
}

gboolean
_kvsqld_zk_batch_wait (KvsqldZkBatch *self, gint64 end_us, GCancellable *cancellable)
{
  gulong handler = 0;
  gboolean is_done;

  if (cancellable != NULL)
    handler = g_cancellable_connect (cancellable, G_CALLBACK (wake_batch), batch_ref (self),
                                     batch_unref_data);
  g_mutex_lock (&self->lock);
  while (self->n_pending > 0 && !g_cancellable_is_cancelled (cancellable)
         && g_cond_wait_until (&self->changed, &self->lock, end_us))
    ;
  is_done = self->n_pending == 0;
  g_mutex_unlock (&self->lock);
  g_cancellable_disconnect (cancellable, handler);
  return is_done;
}

gboolean
_kvsqld_zk_wait (KvsqldZkBatch *batch, gint64 end_us, const KvsqlCall *call, const gchar *what,
                 GError **error)
{
  GCancellable *cancellable = call != NULL ? call->cancellable : NULL;

  if (_kvsqld_zk_batch_wait (batch, end_us, cancellable))
    return TRUE;
  if (g_cancellable_is_cancelled (cancellable))
    return kvsql_error_set (error, KVSQL_ERROR_DEADLINE, KVSQL_SPAN_NONE, "%s was cancelled", what);
  return kvsql_error_set (error, KVSQL_ERROR_DEADLINE, KVSQL_SPAN_NONE,
                          "ZooKeeper did not answer in time");
}

/* ---- one request ---- */

/* The registry's lock is held. */
static KvsqldZkRequest *
request_new (KvsqldZookeeper *owner, KvsqldZkBatch *batch, guint index)
{
  KvsqldZkRequest *self = g_new0 (KvsqldZkRequest, 1);

  self->link.data = self;
  self->owner = owner;
  self->batch = batch_ref (batch);
  self->index = index;
  g_queue_push_tail_link (&owner->requests, &self->link);
  return self;
}

/* Stores the reply and frees the request, which is in no queue any more. */
static void
request_finish (KvsqldZkRequest *self, KvsqldZkReply *reply)
{
  KvsqldZkBatch *batch = self->batch;

  g_mutex_lock (&batch->lock);
  batch->replies[self->index] = *reply;
  if (--batch->n_pending == 0)
    g_cond_broadcast (&batch->changed);
  g_mutex_unlock (&batch->lock);
  _kvsqld_zk_batch_unref (batch);
  g_free (self->results);
  g_free (self);
}

/* Runs in the library's thread. */
static void
request_complete (KvsqldZkRequest *self, KvsqldZkReply *reply)
{
  KvsqldZookeeper *owner = self->owner;

  g_mutex_lock (&owner->lock);
  g_queue_unlink (&owner->requests, &self->link);
  g_mutex_unlock (&owner->lock);
  request_finish (self, reply);
}

void
_kvsqld_zk_abandon_requests (KvsqldZookeeper *self)
{
  while (TRUE)
    {
      KvsqldZkReply reply = { .rc = ZCLOSING };
      GList *link;

      g_mutex_lock (&self->lock);
      link = g_queue_pop_head_link (&self->requests);
      g_mutex_unlock (&self->lock);
      if (link == NULL)
        return;
      request_finish (link->data, &reply);
    }
}

static void
on_data (int rc, const char *value, int length, const struct Stat *stat, const void *data)
{
  KvsqldZkReply reply = { .rc = rc };

  if (rc == ZOK)
    {
      reply.length = MAX (length, 0);
      reply.data = g_malloc ((gsize)reply.length + 1);
      if (reply.length > 0)
        memcpy (reply.data, value, (gsize)reply.length);
      reply.data[reply.length] = '\0';
      reply.stat = *stat;
    }
  request_complete ((KvsqldZkRequest *)data, &reply);
}

static void
on_stat (int rc, const struct Stat *stat, const void *data)
{
  KvsqldZkReply reply = { .rc = rc };

  if (rc == ZOK && stat != NULL)
    reply.stat = *stat;
  request_complete ((KvsqldZkRequest *)data, &reply);
}

static void
on_string (int rc, const char *value, const void *data)
{
  KvsqldZkReply reply = { .rc = rc };

  request_complete ((KvsqldZkRequest *)data, &reply);
}

static void
on_strings (int rc, const struct String_vector *strings, const void *data)
{
  KvsqldZkReply reply = { .rc = rc };

  if (rc == ZOK)
    {
      reply.children = g_new0 (gchar *, (gsize)strings->count + 1);
      for (gint32 i = 0; i < strings->count; i++)
        reply.children[i] = g_strdup (strings->data[i]);
    }
  request_complete ((KvsqldZkRequest *)data, &reply);
}

static void
on_acl (int rc, struct ACL_vector *acl, struct Stat *stat, const void *data)
{
  KvsqldZkReply reply = { .rc = rc };

  if (rc == ZOK)
    {
      reply.children = g_new0 (gchar *, (gsize)acl->count + 1);
      for (gint32 i = 0; i < acl->count; i++)
        reply.children[i] = g_strdup_printf ("%d %s:%s", acl->data[i].perms, acl->data[i].id.scheme,
                                             acl->data[i].id.id);
    }
  request_complete ((KvsqldZkRequest *)data, &reply);
}

static void
on_void (int rc, const void *data)
{
  KvsqldZkReply reply = { .rc = rc };

  request_complete ((KvsqldZkRequest *)data, &reply);
}

/* ---- starting them ---- */

/* A request that was not passed to the library yet. */
typedef struct
{
  KvsqldZookeeper *owner;
  KvsqldZkRequest *request;
  gchar *path;
} Start;

static Start
start_request (KvsqldZookeeper *self, KvsqldZkBatch *batch, guint index, const gchar *root,
               const gchar *path)
{
  Start start = { .owner = self, .path = g_strconcat (root, path, NULL) };

  g_mutex_lock (&self->lock);
  start.request = request_new (self, batch, index);
  return start;
}

/* @rc: the library's result. If it is not ZOK, the library does not call back. */
static void
end_start (Start *start, gint rc)
{
  if (rc != ZOK)
    g_queue_unlink (&start->owner->requests, &start->request->link);
  g_mutex_unlock (&start->owner->lock);
  if (rc != ZOK)
    {
      KvsqldZkReply reply = { .rc = rc };

      request_finish (start->request, &reply);
    }
  g_free (start->path);
}

void
_kvsqld_zk_get_watched (KvsqldZookeeper *self, KvsqldZkBatch *batch, guint index, const gchar *path,
                        watcher_fn watcher)
{
  Start start = start_request (self, batch, index, self->root, path);

  end_start (&start, self->handle == NULL ? ZINVALIDSTATE
                                          : zoo_awget (self->handle, start.path, watcher, self,
                                                       on_data, start.request));
}

void
_kvsqld_zk_get (KvsqldZookeeper *self, KvsqldZkBatch *batch, guint index, const gchar *path)
{
  Start start = start_request (self, batch, index, self->root, path);

  end_start (&start, self->handle == NULL
                         ? ZINVALIDSTATE
                         : zoo_aget (self->handle, start.path, 0, on_data, start.request));
}

void
_kvsqld_zk_get_children (KvsqldZookeeper *self, KvsqldZkBatch *batch, guint index,
                         const gchar *path)
{
  Start start = start_request (self, batch, index, self->root, path);

  end_start (&start, self->handle == NULL ? ZINVALIDSTATE
                                          : zoo_aget_children (self->handle, start.path, 0,
                                                               on_strings, start.request));
}

void
_kvsqld_zk_read_acl (KvsqldZookeeper *self, KvsqldZkBatch *batch, guint index, const gchar *path)
{
  Start start = start_request (self, batch, index, "", path);

  end_start (&start, self->handle == NULL
                         ? ZINVALIDSTATE
                         : zoo_aget_acl (self->handle, start.path, on_acl, start.request));
}

void
_kvsqld_zk_sync (KvsqldZookeeper *self, KvsqldZkBatch *batch, guint index)
{
  Start start = start_request (self, batch, index, self->root, "/epoch");

  end_start (&start, self->handle == NULL
                         ? ZINVALIDSTATE
                         : zoo_async (self->handle, start.path, on_string, start.request));
}

static void
create_below (KvsqldZookeeper *self, KvsqldZkBatch *batch, guint index, const gchar *root,
              const gchar *path, const gchar *data, gint length, gint mode)
{
  Start start = start_request (self, batch, index, root, path);

  end_start (&start, self->handle == NULL
                         ? ZINVALIDSTATE
                         : zoo_acreate (self->handle, start.path, data, length,
                                        _kvsqld_zk_get_acl (self), mode, on_string, start.request));
}

void
_kvsqld_zk_create (KvsqldZookeeper *self, KvsqldZkBatch *batch, guint index, const gchar *path,
                   const gchar *data, gint length, gint mode)
{
  create_below (self, batch, index, self->root, path, data, length, mode);
}

void
_kvsqld_zk_create_absolute (KvsqldZookeeper *self, KvsqldZkBatch *batch, guint index,
                            const gchar *path, const gchar *data, gint length, gint mode)
{
  create_below (self, batch, index, "", path, data, length, mode);
}

void
_kvsqld_zk_set (KvsqldZookeeper *self, KvsqldZkBatch *batch, guint index, const gchar *path,
                const gchar *data, gint length, gint version)
{
  Start start = start_request (self, batch, index, self->root, path);

  end_start (&start, self->handle == NULL ? ZINVALIDSTATE
                                          : zoo_aset (self->handle, start.path, data, length,
                                                      version, on_stat, start.request));
}

void
_kvsqld_zk_multi (KvsqldZookeeper *self, KvsqldZkBatch *batch, guint index, const zoo_op_t *ops,
                  guint n_ops)
{
  Start start = start_request (self, batch, index, self->root, "");

  start.request->results = g_new0 (zoo_op_result_t, n_ops);
  end_start (&start, self->handle == NULL
                         ? ZINVALIDSTATE
                         : zoo_amulti (self->handle, (int)n_ops, ops, start.request->results,
                                       on_void, start.request));
}
