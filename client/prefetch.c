/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * prefetch.c: fetches the next page of a result while the current one is read.
 *
 * Uses a thread pool, not GTask: GTask delivers results through a main loop, which a program may
 * not run.
 */
#include "config.h"

#include "client/prefetch.h"

#include "client/error-private.h"
#include "client/service.h"

struct _KvsqlPrefetch
{
  gatomicrefcount references; /* one of the reader, one of the thread */
  KvsqlConnection *connection;
  GBytes *cursor;

  GMutex lock; /* guards the members below */
  GCond changed;
  gboolean is_done;
  KvsqlPage page;
  GError *error;
};

static void
prefetch_unref (KvsqlPrefetch *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  /* The result is closed without this page: the pages after it are not needed either. */
  if (self->page.cursor != NULL)
    _kvsql_connection_forget_cursor (self->connection, self->page.cursor);
  _kvsql_page_clear (&self->page);
  g_clear_error (&self->error);
  g_object_unref (self->connection);
  g_bytes_unref (self->cursor);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static void
fetch (gpointer data, gpointer user_data)
{
  KvsqlPrefetch *self = data;
  g_auto (KvsqlPage) page = KVSQL_PAGE_INIT;
  GError *error = NULL;

  if (!_kvsql_service_fetch (self->connection, self->cursor, &page, NULL, &error))
    _kvsql_page_clear (&page);
  g_mutex_lock (&self->lock);
  self->page = page;
  self->error = error;
  self->is_done = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
  page = (KvsqlPage)KVSQL_PAGE_INIT;
  prefetch_unref (self);
}

static GThreadPool *
get_pool (void)
{
  static gsize pool;

  if (g_once_init_enter (&pool))
    g_once_init_leave (&pool, (gsize)g_thread_pool_new (fetch, NULL, -1, FALSE, NULL));
  return (GThreadPool *)pool;
}

KvsqlPrefetch *
_kvsql_prefetch_start (KvsqlConnection *connection, GBytes *cursor)
{
  KvsqlPrefetch *self = g_new0 (KvsqlPrefetch, 1);

  g_atomic_ref_count_init (&self->references);
  g_atomic_ref_count_inc (&self->references);
  self->connection = g_object_ref (connection);
  self->cursor = g_bytes_ref (cursor);
  self->page = (KvsqlPage)KVSQL_PAGE_INIT;
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  /* If no thread can be started now, GLib runs it later. */
  g_thread_pool_push (get_pool (), self, NULL);
  return self;
}

static void
wake (GCancellable *cancellable, gpointer data)
{
  KvsqlPrefetch *self = data;

  g_mutex_lock (&self->lock);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

gboolean
_kvsql_prefetch_finish (KvsqlPrefetch *self, KvsqlPage *out, GCancellable *cancellable,
                        GError **error)
{
  gulong handler = cancellable != NULL
                       ? g_cancellable_connect (cancellable, G_CALLBACK (wake), self, NULL)
                       : 0;
  GError *cause = NULL;
  gboolean is_done;

  g_mutex_lock (&self->lock);
  while (!self->is_done && !g_cancellable_is_cancelled (cancellable))
    g_cond_wait (&self->changed, &self->lock);
  is_done = self->is_done;
  if (is_done)
    {
      *out = self->page;
      self->page = (KvsqlPage)KVSQL_PAGE_INIT;
      cause = g_steal_pointer (&self->error);
    }
  g_mutex_unlock (&self->lock);
  if (cancellable != NULL)
    g_cancellable_disconnect (cancellable, handler);

  if (!is_done)
    return !g_cancellable_set_error_if_cancelled (cancellable, error);
  if (cause != NULL)
    g_propagate_error (error, cause);
  return cause == NULL;
}

void
_kvsql_prefetch_free (KvsqlPrefetch *self)
{
  if (self != NULL)
    prefetch_unref (self);
}
