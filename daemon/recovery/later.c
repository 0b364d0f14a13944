/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * later.c: a pool of threads and its queue, which has a bound.
 */
#include "config.h"

#include "daemon/recovery/later.h"

#define MAX_THREADS 4
/* With more than this a statement does its own work: so the queue cannot grow faster than it is
 * done. */
#define MAX_WAITING 256

typedef struct
{
  void (*run) (gpointer work);
  gpointer work;
} Item;

struct _KvsqldLater
{
  GThreadPool *pool;
};

static void
run_item (gpointer data, gpointer unused)
{
  Item *item = data;

  item->run (item->work);
  g_free (item);
}

KvsqldLater *
kvsqld_later_new (void)
{
  KvsqldLater *self = g_new0 (KvsqldLater, 1);

  self->pool = g_thread_pool_new (run_item, NULL, MAX_THREADS, FALSE, NULL);
  return self;
}

void
kvsqld_later_free (KvsqldLater *self)
{
  if (self == NULL)
    return;
  g_thread_pool_free (self->pool, FALSE, TRUE);
  g_free (self);
}

gboolean
kvsqld_later_push (void (*run) (gpointer work), gpointer work, gpointer later)
{
  KvsqldLater *self = later;
  Item *item;

  if (g_thread_pool_unprocessed (self->pool) > MAX_WAITING)
    return FALSE;
  item = g_new (Item, 1);
  *item = (Item){ .run = run, .work = work };
  g_thread_pool_push (self->pool, item, NULL); /* queued if no thread is free */
  return TRUE;
}
