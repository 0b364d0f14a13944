/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * pool.c: see pool.h.
 */
#include "config.h"

#include "client/ctl/import/pool.h"

struct _KvsqlctlPool
{
  guint n_jobs;
  GThreadPool *threads; /* of KvsqlctlBatch */
  KvsqlctlRetryPolicy retry_policy;
  gint should_stop;
  GHashTable *keys; /* hash of a key -> number of its batch; used by one thread only */
  guint64 n_given;

  GMutex lock; /* guards the members below, and is_done of the batches */
  GCond changed;
  GQueue connections; /* that no thread uses; there are as many as threads */
  GQueue order;       /* all batches that were not taken back */
  GError *failure;
};

static void
work (gpointer data, gpointer user_data)
{
  KvsqlctlBatch *batch = data;
  KvsqlctlPool *self = user_data;
  KvsqlConnection *connection;
  GError *error = NULL;
  gboolean ok;

  if (g_atomic_int_get (&self->should_stop))
    return;
  g_mutex_lock (&self->lock);
  connection = g_queue_pop_head (&self->connections);
  g_mutex_unlock (&self->lock);
  ok = kvsqlctl_batch_send (batch, connection, &self->retry_policy, &error);
  g_mutex_lock (&self->lock);
  g_queue_push_head (&self->connections, connection);
  batch->is_done = ok;
  if (!ok)
    g_atomic_int_set (&self->should_stop, TRUE);
  if (self->failure == NULL)
    self->failure = error;
  else
    g_clear_error (&error);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

static gboolean
connect (KvsqlctlPool *self, KvsqlConnection *model, GError **error)
{
  KvsqlConnection *connection = kvsql_connection_new_like (model);

  if (connection == NULL)
    return FALSE;
  kvsql_connection_set_timeout (connection, kvsql_connection_get_timeout (model));
  g_queue_push_head (&self->connections, connection);
  return TRUE;
}

KvsqlctlPool *
kvsqlctl_pool_new (Kvsqlctl *ctl, guint n_jobs, guint retry_ms, GError **error)
{
  g_autoptr (KvsqlctlPool) self = g_new0 (KvsqlctlPool, 1);
  GError *failure = NULL;

  self->retry_policy = (KvsqlctlRetryPolicy){ retry_ms, &self->should_stop, g_cancellable_new () };
  self->keys = g_hash_table_new (g_int64_hash, g_int64_equal);
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  self->n_jobs = n_jobs;
  for (guint i = 0; i < n_jobs; i++)
    if (!connect (self, ctl->connection, error))
      return NULL;
  self->threads = g_thread_pool_new (work, self, (gint)n_jobs, TRUE, &failure);
  if (failure == NULL)
    return g_steal_pointer (&self);
  g_propagate_error (error, failure);
  return NULL;
}

void
kvsqlctl_pool_free (KvsqlctlPool *self)
{
  if (self == NULL)
    return;
  g_atomic_int_set (&self->should_stop, TRUE);
  if (self->threads != NULL)
    g_thread_pool_free (self->threads, TRUE, TRUE);
  g_queue_clear_full (&self->connections, g_object_unref);
  g_queue_clear_full (&self->order, (GDestroyNotify)kvsqlctl_batch_free);
  g_clear_error (&self->failure);
  g_hash_table_unref (self->keys);
  g_object_unref (self->retry_policy.cancellable);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->changed);
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
  g_mutex_unlock (&self->lock);
  g_thread_pool_push (self->threads, batch, NULL);
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
  g_atomic_int_set (&self->should_stop, TRUE);
  g_cancellable_cancel (self->retry_policy.cancellable);
}

gboolean
kvsqlctl_pool_has_key (KvsqlctlPool *self, guint64 key)
{
  return g_hash_table_contains (self->keys, &key);
}
