/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * idle-poller.c: see idle-poller.h.
 *
 * Only the poller's thread removes entries, so an event always refers to an entry that exists. It
 * removes the entries that have an event before it looks for timed-out and cancelled ones.
 */
#include "config.h"

#include "daemon/connections/idle-poller.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#define POLL_INTERVAL_MS 250
#define EVENTS_AT_ONCE 64
#define ENTRIES_BEFORE_TRIM 64

struct _KvsqldIdlePoller
{
  KvsqldHandOver hand_over;
  gpointer user_data;
  gint epoll, bell; /* writing to the eventfd @bell wakes the thread */
  GThread *thread;

  GMutex lock;
  GHashTable *entries;
  gboolean is_closed;
  guint n_entered; /* since the last trim */
  guint n_seen;    /* n_entered at the last poll */
};

static void
wake_thread (KvsqldIdlePoller *self)
{
  eventfd_write (self->bell, 1);
}

/* Returns freed memory to the kernel, after enough connections became idle and no more do. The
 * memory of their threads lies between other allocations, and malloc keeps it until
 * malloc_trim(). */
static void
trim_memory (KvsqldIdlePoller *self)
{
  gboolean is_time;

  g_mutex_lock (&self->lock);
  is_time = self->n_entered >= ENTRIES_BEFORE_TRIM && self->n_entered == self->n_seen;
  if (is_time)
    self->n_entered = 0;
  self->n_seen = self->n_entered;
  g_mutex_unlock (&self->lock);
#ifdef __GLIBC__
  if (is_time)
    malloc_trim (0);
#endif
}

/* With the lock held. */
static void
remove_entry (KvsqldIdlePoller *self, KvsqldIdleEntry *entry, GPtrArray *out)
{
  epoll_ctl (self->epoll, EPOLL_CTL_DEL, entry->fd, NULL);
  g_hash_table_remove (self->entries, entry);
  g_ptr_array_add (out, entry);
}

/* Removes the timed-out and cancelled entries. */
static void
poll_entries (KvsqldIdlePoller *self, GPtrArray *out)
{
  gint64 now = g_get_monotonic_time ();
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  GHashTableIter entries;
  gpointer each;

  g_hash_table_iter_init (&entries, self->entries);
  while (g_hash_table_iter_next (&entries, &each, NULL))
    {
      const KvsqldIdleEntry *entry = each;

      if (entry->deadline_us <= now || g_cancellable_is_cancelled (entry->cancellable))
        g_ptr_array_add (found, each);
    }
  for (guint i = 0; i < found->len; i++)
    remove_entry (self, found->pdata[i], out);
}

/* FALSE: the poller is closed. */
static gboolean
poll_once (KvsqldIdlePoller *self, gint64 *next_poll, GPtrArray *out)
{
  struct epoll_event events[EVENTS_AT_ONCE];
  gint n = epoll_wait (self->epoll, events, EVENTS_AT_ONCE, POLL_INTERVAL_MS);
  gboolean has_rung = FALSE;
  eventfd_t unused;

  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  for (gint i = 0; i < n; i++)
    if (events[i].data.ptr == NULL)
      has_rung = eventfd_read (self->bell, &unused) == 0;
    else
      remove_entry (self, events[i].data.ptr, out);
  if (has_rung || g_get_monotonic_time () >= *next_poll)
    {
      poll_entries (self, out);
      *next_poll = g_get_monotonic_time () + POLL_INTERVAL_MS * G_TIME_SPAN_MILLISECOND;
    }
  return !self->is_closed;
}

static gpointer
watch (gpointer data)
{
  KvsqldIdlePoller *self = data;
  g_autoptr (GPtrArray) out = g_ptr_array_new ();
  gint64 next_poll = 0;
  gboolean is_open = TRUE;

  while (is_open)
    {
      gint64 last_poll = next_poll;

      is_open = poll_once (self, &next_poll, out);
      for (guint i = 0; i < out->len; i++)
        self->hand_over (out->pdata[i], self->user_data);
      g_ptr_array_set_size (out, 0);
      if (next_poll != last_poll)
        trim_memory (self);
    }
  return NULL;
}

static gboolean
add (KvsqldIdlePoller *self, gint fd, gpointer data)
{
  struct epoll_event event = { .events = EPOLLIN | EPOLLRDHUP, .data.ptr = data };

  return epoll_ctl (self->epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

KvsqldIdlePoller *
kvsqld_idle_poller_new (KvsqldHandOver hand_over, gpointer user_data)
{
  KvsqldIdlePoller *self = g_new0 (KvsqldIdlePoller, 1);

  g_mutex_init (&self->lock);
  self->hand_over = hand_over;
  self->user_data = user_data;
  self->entries = g_hash_table_new (NULL, NULL);
  self->epoll = epoll_create1 (EPOLL_CLOEXEC);
  self->bell = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (self->epoll < 0 || self->bell < 0 || !add (self, self->bell, NULL))
    {
      g_warning ("idle connections keep their threads: %s", g_strerror (errno));
      g_clear_pointer (&self, kvsqld_idle_poller_free);
      return NULL;
    }
  /* lives as long as the poller, blocked in epoll_wait() */
  self->thread = g_thread_new ("idle-poller", watch, self);
  return self;
}

void
kvsqld_idle_poller_free (KvsqldIdlePoller *self)
{
  if (self == NULL)
    return;
  if (self->thread != NULL)
    {
      g_mutex_lock (&self->lock);
      g_assert (g_hash_table_size (self->entries) == 0);
      self->is_closed = TRUE;
      g_mutex_unlock (&self->lock);
      wake_thread (self);
      g_thread_join (self->thread);
    }
  if (self->bell >= 0)
    close (self->bell);
  if (self->epoll >= 0)
    close (self->epoll);
  g_hash_table_unref (self->entries);
  g_mutex_clear (&self->lock);
  g_free (self);
}

gboolean
kvsqld_idle_poller_add (KvsqldIdlePoller *self, KvsqldIdleEntry *entry)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  if (!add (self, entry->fd, entry))
    return FALSE;
  g_hash_table_add (self->entries, entry);
  self->n_entered++;
  return TRUE;
}

guint
kvsqld_idle_poller_count (KvsqldIdlePoller *self)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return g_hash_table_size (self->entries);
}

void
kvsqld_idle_poller_poll (KvsqldIdlePoller *self)
{
  wake_thread (self);
}
