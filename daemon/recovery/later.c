/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * later.c: a pool of threads and its queue, which has a bound.
 */
#include "config.h"

#include "daemon/recovery/later.h"

#define MAX_THREADS 4
/* How long work waits for more. Another statement with the same key finds the write before it
 * pending for so long, and writes more cells than it would otherwise. */
#define WAIT_US (10 * 1000)
/* So much does not wait. */
#define FULL_BATCH 64
/* With more than this a statement does its own work: so the queue cannot grow faster than it is
 * done. */
#define MAX_WAITING 256

typedef struct
{
  KvsqlWorkFunc run;
  gpointer work;
} Item;

struct _KvsqldLater
{
  GThreadPool *pool;
  GMutex mutex; /* protects what follows; a leaf */
  GCond changed;
  GArray *waiting;        /* (element-type Item) */
  gboolean has_collector; /* a thread waits for a batch, or will */
  gboolean is_closed;     /* takes no more work: also work that is done may want more of it */
};

/* With the mutex held. The oldest work, and all that is done by the same function. */
static KvsqlWorkFunc
take_batch (KvsqldLater *self, gpointer *work, guint *out_n)
{
  KvsqlWorkFunc run = g_array_index (self->waiting, Item, 0).run;
  guint n = 0, n_left = 0;

  for (guint i = 0; i < self->waiting->len; i++)
    {
      Item *item = &g_array_index (self->waiting, Item, i);

      if (item->run == run && n < FULL_BATCH)
        work[n++] = item->work;
      else
        g_array_index (self->waiting, Item, n_left++) = *item;
    }
  g_array_set_size (self->waiting, n_left);
  *out_n = n;
  return run;
}

/* With the mutex held. */
static void
add_collector (KvsqldLater *self)
{
  self->has_collector = TRUE;
  g_thread_pool_push (self->pool, self, NULL); /* queued if no thread is free */
}

static void
collect (gpointer data, gpointer unused)
{
  KvsqldLater *self = data;
  gint64 until_us = g_get_monotonic_time () + WAIT_US;
  gpointer work[FULL_BATCH];
  KvsqlWorkFunc run;
  guint n;

  g_mutex_lock (&self->mutex);
  while (!self->is_closed && self->waiting->len < FULL_BATCH
         && g_cond_wait_until (&self->changed, &self->mutex, until_us))
    ;
  run = take_batch (self, work, &n);
  self->has_collector = FALSE;
  if (self->waiting->len > 0)
    add_collector (self);
  else
    g_cond_broadcast (&self->changed); /* kvsqld_later_free() may wait for it */
  g_mutex_unlock (&self->mutex);
  run (work, n);
}

KvsqldLater *
kvsqld_later_new (void)
{
  KvsqldLater *self = g_new0 (KvsqldLater, 1);

  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  self->waiting = g_array_new (FALSE, FALSE, sizeof (Item));
  self->pool = g_thread_pool_new (collect, NULL, MAX_THREADS, FALSE, NULL);
  return self;
}

void
kvsqld_later_free (KvsqldLater *self)
{
  if (self == NULL)
    return;
  g_mutex_lock (&self->mutex);
  self->is_closed = TRUE;
  g_cond_broadcast (&self->changed);
  while (self->waiting->len > 0)
    g_cond_wait (&self->changed, &self->mutex);
  g_mutex_unlock (&self->mutex);
  g_thread_pool_free (self->pool, FALSE, TRUE);
  g_array_unref (self->waiting);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

gboolean
kvsqld_later_push (KvsqlWorkFunc run, gpointer work, gpointer later)
{
  KvsqldLater *self = later;
  const Item item = { .run = run, .work = work };
  gboolean has_room;

  g_mutex_lock (&self->mutex);
  has_room = !self->is_closed && self->waiting->len < MAX_WAITING;
  if (has_room)
    {
      g_array_append_val (self->waiting, item);
      if (!self->has_collector)
        add_collector (self);
      else if (self->waiting->len == FULL_BATCH)
        g_cond_broadcast (&self->changed);
    }
  g_mutex_unlock (&self->mutex);
  return has_room;
}
