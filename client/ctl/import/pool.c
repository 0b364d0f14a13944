/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * pool.c: see pool.h.
 */
#include "config.h"

#include "client/ctl/import/pool.h"

struct _KvsqlctlPool
{
  guint n_jobs;
  GThread **threads;
  KvsqlConnection **connections;
  KvsqlctlRetryPolicy retry_policy;
  gint should_stop;
  GHashTable *keys; /* hash of a key -> number of its batch; used by one thread only */
  guint64 n_given;

  GMutex lock; /* guards the members below, and is_done of the batches */
  GCond changed;
  GQueue waiting;
  GQueue order; /* all batches that were not taken back */
  GError *failure;
};

/* NULL: there is no more work. */
static KvsqlctlBatch *
next_batch (KvsqlctlPool *self)
{
  KvsqlctlBatch *batch = NULL;

  g_mutex_lock (&self->lock);
  while (!self->should_stop && g_queue_is_empty (&self->waiting))
    g_cond_wait (&self->changed, &self->lock);
  if (!self->should_stop)
    batch = g_queue_pop_head (&self->waiting);
  g_mutex_unlock (&self->lock);
  return batch;
}

static void
stop (KvsqlctlPool *self)
{
  g_mutex_lock (&self->lock);
  g_atomic_int_set (&self->should_stop, TRUE);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

typedef struct
{
  KvsqlctlPool *pool;
  KvsqlConnection *connection;
} Worker;

static gpointer
work (gpointer data)
{
  g_autofree Worker *worker = data;
  KvsqlctlPool *self = worker->pool;
  KvsqlctlBatch *batch;

  while ((batch = next_batch (self)) != NULL)
    {
      GError *error = NULL;
      gboolean ok = kvsqlctl_batch_send (batch, worker->connection, &self->retry_policy, &error);

      g_mutex_lock (&self->lock);
      batch->is_done = ok;
      if (self->failure == NULL)
        self->failure = error;
      else
        g_clear_error (&error);
      g_cond_broadcast (&self->changed);
      g_mutex_unlock (&self->lock);
      if (!ok)
        stop (self);
    }
  return NULL;
}

KvsqlctlPool *
kvsqlctl_pool_new (Kvsqlctl *ctl, guint n_jobs, guint retry_ms, GError **error)
{
  g_autoptr (KvsqlctlPool) self = g_new0 (KvsqlctlPool, 1);

  self->retry_policy = (KvsqlctlRetryPolicy){ retry_ms, &self->should_stop, g_cancellable_new () };
  self->keys = g_hash_table_new (g_int64_hash, g_int64_equal);
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  self->threads = g_new0 (GThread *, n_jobs);
  self->connections = g_new0 (KvsqlConnection *, n_jobs);
  for (guint i = 0; i < n_jobs; i++)
    {
      const gchar *uri = kvsql_connection_get_uri (ctl->connection);
      Worker *worker;

      self->connections[i] = kvsql_connection_new (uri, error);
      if (self->connections[i] == NULL)
        return NULL;
      kvsql_connection_set_timeout (self->connections[i],
                                    kvsql_connection_get_timeout (ctl->connection));
      worker = g_new (Worker, 1);
      *worker = (Worker){ self, self->connections[i] };
      self->threads[i] = g_thread_new ("import", work, worker);
      self->n_jobs++;
    }
  return g_steal_pointer (&self);
}

void
kvsqlctl_pool_free (KvsqlctlPool *self)
{
  if (self == NULL)
    return;
  stop (self);
  for (guint i = 0; i < self->n_jobs; i++)
    {
      g_thread_join (self->threads[i]);
      g_object_unref (self->connections[i]);
    }
  g_queue_clear (&self->waiting);
  g_queue_clear_full (&self->order, (GDestroyNotify)kvsqlctl_batch_free);
  g_clear_error (&self->failure);
  g_hash_table_unref (self->keys);
  g_object_unref (self->retry_policy.cancellable);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
  g_free (self->threads);
  g_free (self->connections);
  g_free (self);
}

gboolean
kvsqlctl_pool_has_room (KvsqlctlPool *self)
{
  gboolean has_room;

  g_mutex_lock (&self->lock);
  has_room = g_queue_get_length (&self->order) < self->n_jobs * 2;
  g_mutex_unlock (&self->lock);
  return has_room;
}

gboolean
kvsqlctl_pool_is_empty (KvsqlctlPool *self)
{
  gboolean is_empty;

  g_mutex_lock (&self->lock);
  is_empty = g_queue_is_empty (&self->order);
  g_mutex_unlock (&self->lock);
  return is_empty;
}

void
kvsqlctl_pool_give (KvsqlctlPool *self, KvsqlctlBatch *batch)
{
  batch->number = ++self->n_given;
  /* The keys of the hash table point into the batches. */
  for (guint i = 0; i < batch->keys->len; i++)
    g_hash_table_add (self->keys, &g_array_index (batch->keys, guint64, i));
  g_mutex_lock (&self->lock);
  g_queue_push_tail (&self->order, batch);
  g_queue_push_tail (&self->waiting, batch);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

KvsqlctlBatch *
kvsqlctl_pool_take (KvsqlctlPool *self, guint wait_ms, GError **error)
{
  gint64 until = g_get_monotonic_time () + (gint64)wait_ms * 1000;
  KvsqlctlBatch *batch;

  g_mutex_lock (&self->lock);
  batch = g_queue_peek_head (&self->order);
  while (batch != NULL && !batch->is_done && self->failure == NULL
         && g_cond_wait_until (&self->changed, &self->lock, until))
    ;
  if (batch != NULL && batch->is_done)
    g_queue_pop_head (&self->order);
  else
    {
      batch = NULL;
      if (self->failure != NULL)
        g_propagate_error (error, g_error_copy (self->failure));
    }
  g_mutex_unlock (&self->lock);
  for (guint i = 0; batch != NULL && i < batch->keys->len; i++)
    g_hash_table_remove (self->keys, &g_array_index (batch->keys, guint64, i));
  return batch;
}

void
kvsqlctl_pool_cancel (KvsqlctlPool *self)
{
  g_cancellable_cancel (self->retry_policy.cancellable);
  stop (self);
}

gboolean
kvsqlctl_pool_has_key (KvsqlctlPool *self, guint64 key)
{
  return g_hash_table_contains (self->keys, &key);
}
