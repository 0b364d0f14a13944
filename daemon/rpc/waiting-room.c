/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * waiting-room.c: see waiting-room.h.
 *
 * Only the room's thread takes guests out, so an event is always of somebody who is there: it takes
 * out those who have one before it looks for the late and the cancelled.
 */
#include "config.h"

#include "daemon/rpc/waiting-room.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#define LOOK_INTERVAL_MS 250
#define EVENTS_AT_ONCE 64
#define GUESTS_BEFORE_TRIM 64

struct _KvsqldWaitingRoom
{
  KvsqldHandOver hand_over;
  gpointer user_data;
  gint epoll, bell; /* the bell wakes the thread */
  GThread *thread;

  GMutex lock;
  GHashTable *guests;
  gboolean is_closed;
  guint n_entered; /* since memory was given back */
  guint n_seen;    /* of these at the last look */
};

static void
ring (KvsqldWaitingRoom *self)
{
  eventfd_write (self->bell, 1);
}

/* What their threads had used lies between memory of others; the allocator keeps it until it is
 * told to look. When nobody has come for a while. */
static void
give_memory_back (KvsqldWaitingRoom *self)
{
  gboolean is_time;

  g_mutex_lock (&self->lock);
  is_time = self->n_entered >= GUESTS_BEFORE_TRIM && self->n_entered == self->n_seen;
  if (is_time)
    self->n_entered = 0;
  self->n_seen = self->n_entered;
  g_mutex_unlock (&self->lock);
#ifdef __GLIBC__
  if (is_time)
    malloc_trim (0);
#endif
}

/* With the lock. */
static void
let_out (KvsqldWaitingRoom *self, KvsqldGuest *guest, GPtrArray *out)
{
  epoll_ctl (self->epoll, EPOLL_CTL_DEL, guest->fd, NULL);
  g_hash_table_remove (self->guests, guest);
  g_ptr_array_add (out, guest);
}

/* The late and the cancelled. */
static void
look_around (KvsqldWaitingRoom *self, GPtrArray *out)
{
  gint64 now = g_get_monotonic_time ();
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  GHashTableIter guests;
  gpointer each;

  g_hash_table_iter_init (&guests, self->guests);
  while (g_hash_table_iter_next (&guests, &each, NULL))
    {
      const KvsqldGuest *guest = each;

      if (guest->deadline_us <= now || g_cancellable_is_cancelled (guest->cancellable))
        g_ptr_array_add (found, each);
    }
  for (guint i = 0; i < found->len; i++)
    let_out (self, found->pdata[i], out);
}

/* FALSE: the room is closed. */
static gboolean
turn (KvsqldWaitingRoom *self, gint64 *next_look, GPtrArray *out)
{
  struct epoll_event events[EVENTS_AT_ONCE];
  gint n = epoll_wait (self->epoll, events, EVENTS_AT_ONCE, LOOK_INTERVAL_MS);
  gboolean has_rung = FALSE;
  eventfd_t unused;

  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  for (gint i = 0; i < n; i++)
    if (events[i].data.ptr == NULL)
      has_rung = eventfd_read (self->bell, &unused) == 0;
    else
      let_out (self, events[i].data.ptr, out);
  if (has_rung || g_get_monotonic_time () >= *next_look)
    {
      look_around (self, out);
      *next_look = g_get_monotonic_time () + LOOK_INTERVAL_MS * G_TIME_SPAN_MILLISECOND;
    }
  return !self->is_closed;
}

static gpointer
watch (gpointer data)
{
  KvsqldWaitingRoom *self = data;
  g_autoptr (GPtrArray) out = g_ptr_array_new ();
  gint64 next_look = 0;
  gboolean is_open = TRUE;

  while (is_open)
    {
      gint64 last_look = next_look;

      is_open = turn (self, &next_look, out);
      for (guint i = 0; i < out->len; i++)
        self->hand_over (out->pdata[i], self->user_data);
      g_ptr_array_set_size (out, 0);
      if (next_look != last_look)
        give_memory_back (self);
    }
  return NULL;
}

static gboolean
add (KvsqldWaitingRoom *self, gint fd, gpointer data)
{
  struct epoll_event event = { .events = EPOLLIN | EPOLLRDHUP, .data.ptr = data };

  return epoll_ctl (self->epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

KvsqldWaitingRoom *
kvsqld_waiting_room_new (KvsqldHandOver hand_over, gpointer user_data)
{
  KvsqldWaitingRoom *self = g_new0 (KvsqldWaitingRoom, 1);

  g_mutex_init (&self->lock);
  self->hand_over = hand_over;
  self->user_data = user_data;
  self->guests = g_hash_table_new (NULL, NULL);
  self->epoll = epoll_create1 (EPOLL_CLOEXEC);
  self->bell = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (self->epoll < 0 || self->bell < 0 || !add (self, self->bell, NULL))
    {
      g_warning ("idle connections keep their threads: %s", g_strerror (errno));
      g_clear_pointer (&self, kvsqld_waiting_room_free);
      return NULL;
    }
  self->thread = g_thread_new ("waiting-room", watch, self);
  return self;
}

void
kvsqld_waiting_room_free (KvsqldWaitingRoom *self)
{
  if (self == NULL)
    return;
  if (self->thread != NULL)
    {
      g_mutex_lock (&self->lock);
      g_assert (g_hash_table_size (self->guests) == 0);
      self->is_closed = TRUE;
      g_mutex_unlock (&self->lock);
      ring (self);
      g_thread_join (self->thread);
    }
  if (self->bell >= 0)
    close (self->bell);
  if (self->epoll >= 0)
    close (self->epoll);
  g_hash_table_unref (self->guests);
  g_mutex_clear (&self->lock);
  g_free (self);
}

gboolean
kvsqld_waiting_room_enter (KvsqldWaitingRoom *self, KvsqldGuest *guest)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  if (!add (self, guest->fd, guest))
    return FALSE;
  g_hash_table_add (self->guests, guest);
  self->n_entered++;
  return TRUE;
}

guint
kvsqld_waiting_room_count (KvsqldWaitingRoom *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return g_hash_table_size (self->guests);
}

void
kvsqld_waiting_room_look (KvsqldWaitingRoom *self)
{
  ring (self);
}
