/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cursors.c: a small table, longest unused first out.
 */
#include "config.h"

#include "daemon/cursors.h"

struct _KvsqldCursors
{
  GMutex mutex;
  GQueue cursors; /* KvsqldCursor, the one used last at the head */
};

void
kvsqld_cursor_free (KvsqldCursor *self)
{
  if (self == NULL)
    return;
  kvsql_select_run_free (self->run);
  kvsql_arena_free (self->arena);
  kvsqld_plan_unref (self->kept);
  kvsqld_parsed_unref (self->parsed);
  kvsql_catalog_unref (self->catalog);
  kvsql_account_unref (self->account);
  g_free (self);
}

KvsqldCursors *
kvsqld_cursors_new (void)
{
  KvsqldCursors *self = g_new0 (KvsqldCursors, 1);

  g_mutex_init (&self->mutex);
  g_queue_init (&self->cursors);
  return self;
}

void
kvsqld_cursors_free (KvsqldCursors *self)
{
  if (self == NULL)
    return;
  g_queue_clear_full (&self->cursors, (GDestroyNotify)kvsqld_cursor_free);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

/* Closing a scan may talk to the store, so it happens outside the lock. */
static void
free_all (GQueue *out)
{
  g_queue_clear_full (out, (GDestroyNotify)kvsqld_cursor_free);
}

void
kvsqld_cursors_put (KvsqldCursors *self, KvsqldCursor *cursor, guint max)
{
  GQueue out = G_QUEUE_INIT;

  cursor->used_us = g_get_monotonic_time ();
  g_mutex_lock (&self->mutex);
  g_queue_push_head (&self->cursors, cursor);
  while (g_queue_get_length (&self->cursors) > max)
    g_queue_push_tail (&out, g_queue_pop_tail (&self->cursors));
  g_mutex_unlock (&self->mutex);
  free_all (&out);
}

KvsqldCursor *
kvsqld_cursors_take (KvsqldCursors *self, const guint8 *id, guint32 page)
{
  KvsqldCursor *found = NULL;

  g_mutex_lock (&self->mutex);
  for (GList *link = self->cursors.head; link != NULL && found == NULL; link = link->next)
    {
      KvsqldCursor *cursor = link->data;
      if (memcmp (cursor->id, id, sizeof cursor->id) == 0 && (page == 0 || cursor->page == page))
        {
          found = cursor;
          g_queue_delete_link (&self->cursors, link);
          break;
        }
    }
  g_mutex_unlock (&self->mutex);
  return found;
}

void
kvsqld_cursors_sweep (KvsqldCursors *self, gint64 idle_us)
{
  gint64 before = g_get_monotonic_time () - idle_us;
  GQueue out = G_QUEUE_INIT;

  g_mutex_lock (&self->mutex);
  while (self->cursors.tail != NULL && ((KvsqldCursor *)self->cursors.tail->data)->used_us < before)
    g_queue_push_tail (&out, g_queue_pop_tail (&self->cursors));
  g_mutex_unlock (&self->mutex);
  free_all (&out);
}

guint
kvsqld_cursors_get_size (KvsqldCursors *self)
{
  guint size;

  g_mutex_lock (&self->mutex);
  size = g_queue_get_length (&self->cursors);
  g_mutex_unlock (&self->mutex);
  return size;
}
