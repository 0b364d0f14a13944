/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cursors.c: a small table, from which the least recently used cursors are removed.
 */
#include "config.h"

#include "daemon/session/cursors.h"

struct _KvsqldCursors
{
  GMutex mutex;
  GQueue cursors; /* KvsqldCursor, the most recently used one at the head */
  gsize bytes;
};

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

/* Frees cursors outside the lock, because closing a scan may call the store. */
static void
free_all (GQueue *out)
{
  g_queue_clear_full (out, (GDestroyNotify)kvsqld_cursor_free);
}

/* ---- with the lock held */

static void
take_out (KvsqldCursors *self, GList *link)
{
  self->bytes -= ((KvsqldCursor *)link->data)->bytes;
  g_queue_delete_link (&self->cursors, link);
}

static void
evict (KvsqldCursors *self, GList *link, GQueue *out)
{
  g_queue_push_tail (out, link->data);
  take_out (self, link);
}

static gsize
add_bytes_of_session (const KvsqldCursors *self, gint64 session)
{
  gsize bytes = 0;

  for (GList *link = self->cursors.head; link != NULL; link = link->next)
    if (((KvsqldCursor *)link->data)->session == session)
      bytes += ((KvsqldCursor *)link->data)->bytes;
  return bytes;
}

/* Removes the oldest cursors of the newest one's session, until the session is within its limit,
 * but not the newest itself. */
static void
bound_session (KvsqldCursors *self, gsize max_bytes, GQueue *out)
{
  const KvsqldCursor *newest = self->cursors.head->data;
  gsize bytes = newest->session == 0 ? 0 : add_bytes_of_session (self, newest->session);
  GList *next;

  for (GList *link = self->cursors.tail; link->prev != NULL && bytes > max_bytes; link = next)
    {
      const KvsqldCursor *cursor = link->data;

      next = link->prev;
      if (cursor->session != newest->session)
        continue;
      bytes -= cursor->bytes;
      evict (self, link, out);
    }
}

void
kvsqld_cursors_put (KvsqldCursors *self, KvsqldCursor *cursor, const KvsqldCursorBounds *bounds)
{
  GQueue out = G_QUEUE_INIT;

  cursor->used_us = g_get_monotonic_time ();
  cursor->bytes = kvsql_account_get_used (cursor->account);
  g_mutex_lock (&self->mutex);
  g_queue_push_head (&self->cursors, cursor);
  self->bytes += cursor->bytes;
  bound_session (self, bounds->max_bytes_of_session, &out);
  while (g_queue_get_length (&self->cursors) > bounds->max
         || (self->bytes > bounds->max_bytes && self->cursors.tail != NULL))
    evict (self, self->cursors.tail, &out);
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
          take_out (self, link);
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
    evict (self, self->cursors.tail, &out);
  g_mutex_unlock (&self->mutex);
  free_all (&out);
}

guint
kvsqld_cursors_get_size (KvsqldCursors *self, gsize *out_bytes)
{
  guint size;

  g_mutex_lock (&self->mutex);
  size = g_queue_get_length (&self->cursors);
  if (out_bytes != NULL)
    *out_bytes = self->bytes;
  g_mutex_unlock (&self->mutex);
  return size;
}
