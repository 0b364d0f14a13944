/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cutting-proxy.c: see cutting-proxy.h. One thread, poll(), one client at a time.
 *
 * A ZooKeeper frame is a length (4), a request number (4), an operation (4) and more. Requests are
 * passed on frame by frame: the client sends length and body apart.
 */
#include "config.h"

#include "tests/harness/cutting-proxy.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#define OPERATION_MULTI 14

struct _CuttingProxy
{
  GThread *thread;
  guint16 server_port;
  guint16 port;
  gint listener;
  gint wakeup;
  GMutex lock; /* protects what follows */
  GCond cut;
  ProxyMode mode;
  ProxyMode then;
  gboolean was_cut;
  gboolean is_stopping;
  /* of the thread */
  gint client;
  gint server;
  GByteArray *requests;  /* from the client, not yet a whole frame */
  gboolean awaits_reply; /* to the multi-operation: then cut */
};

static void
drop_connection (CuttingProxy *self)
{
  if (self->client >= 0)
    close (self->client);
  if (self->server >= 0)
    close (self->server);
  self->client = self->server = -1;
  self->awaits_reply = FALSE;
  g_byte_array_set_size (self->requests, 0);
}

static void
accept_client (CuttingProxy *self, ProxyMode mode)
{
  struct sockaddr_in address = { .sin_family = AF_INET,
                                 .sin_port = htons (self->server_port),
                                 .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  gint fd = accept4 (self->listener, NULL, NULL, SOCK_CLOEXEC);

  if (fd < 0)
    return;
  drop_connection (self);
  self->client = fd;
  self->server = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (mode == PROXY_REFUSE
      || connect (self->server, (struct sockaddr *)&address, sizeof address) != 0)
    drop_connection (self);
}

static guint32
number_at (const GByteArray *bytes, guint at)
{
  guint32 number;

  memcpy (&number, bytes->data + at, sizeof number);
  return ntohl (number);
}

static void
note_cut (CuttingProxy *self)
{
  g_mutex_lock (&self->lock);
  self->mode = self->then;
  self->was_cut = TRUE;
  g_cond_broadcast (&self->cut);
  g_mutex_unlock (&self->lock);
}

static void
send_all (CuttingProxy *self, gint fd, const guint8 *bytes, gssize n_bytes)
{
  while (n_bytes > 0)
    {
      gssize n = send (fd, bytes, (gsize)n_bytes, MSG_NOSIGNAL);

      if (n <= 0)
        {
          drop_connection (self);
          return;
        }
      bytes += n;
      n_bytes -= n;
    }
}

/* Passes a frame on, or cuts. */
static void
pass_frame (CuttingProxy *self, guint n_bytes, ProxyMode mode)
{
  gboolean is_multi = n_bytes >= 12 && number_at (self->requests, 8) == OPERATION_MULTI;

  if (is_multi && mode == PROXY_CUT_BEFORE_MULTI)
    {
      drop_connection (self);
      note_cut (self);
      return;
    }
  if (is_multi && mode != PROXY_PASS)
    self->awaits_reply = TRUE;
  send_all (self, self->server, self->requests->data, n_bytes);
  if (self->client >= 0)
    g_byte_array_remove_range (self->requests, 0, n_bytes);
}

static void
from_client (CuttingProxy *self, ProxyMode mode)
{
  guint8 bytes[65536];
  gssize n = recv (self->client, bytes, sizeof bytes, 0);

  if (n <= 0)
    {
      drop_connection (self);
      return;
    }
  g_byte_array_append (self->requests, bytes, (guint)n);
  while (self->requests->len >= 4 && self->requests->len - 4 >= number_at (self->requests, 0))
    pass_frame (self, 4 + number_at (self->requests, 0), mode);
}

static void
from_server (CuttingProxy *self, ProxyMode mode)
{
  guint8 bytes[65536];
  gssize n = recv (self->server, bytes, sizeof bytes, 0);

  if (n <= 0)
    drop_connection (self);
  else if (!self->awaits_reply)
    send_all (self, self->client, bytes, n);
  else if (mode == PROXY_CUT_AFTER_MULTI)
    {
      drop_connection (self);
      note_cut (self);
    }
}

static gpointer
run (gpointer data)
{
  CuttingProxy *self = data;

  while (TRUE)
    {
      struct pollfd fds[] = { { self->wakeup, POLLIN, 0 },
                              { self->listener, POLLIN, 0 },
                              { self->client, POLLIN, 0 },
                              { self->server, POLLIN, 0 } };
      guint64 count;
      ProxyMode mode;
      gboolean is_stopping;

      poll (fds, G_N_ELEMENTS (fds), -1);
      g_mutex_lock (&self->lock);
      mode = self->mode;
      is_stopping = self->is_stopping;
      g_mutex_unlock (&self->lock);

      if (is_stopping)
        return NULL;
      if (fds[0].revents != 0 && read (self->wakeup, &count, sizeof count) > 0
          && mode == PROXY_REFUSE)
        drop_connection (self);
      if (fds[2].revents != 0 && self->client == fds[2].fd)
        from_client (self, mode);
      if (fds[3].revents != 0 && self->server == fds[3].fd)
        from_server (self, mode);
      if (fds[1].revents != 0)
        accept_client (self, mode);
    }
}

static void
wake (CuttingProxy *self)
{
  guint64 one = 1;

  g_assert_cmpint (write (self->wakeup, &one, sizeof one), ==, sizeof one);
}

CuttingProxy *
cutting_proxy_new (guint16 server_port)
{
  CuttingProxy *self = g_new0 (CuttingProxy, 1);
  struct sockaddr_in address
      = { .sin_family = AF_INET, .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  socklen_t length = sizeof address;

  self->server_port = server_port;
  self->requests = g_byte_array_new ();
  self->client = self->server = -1;
  self->wakeup = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  self->listener = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  g_assert_cmpint (bind (self->listener, (struct sockaddr *)&address, length), ==, 0);
  g_assert_cmpint (listen (self->listener, 8), ==, 0);
  g_assert_cmpint (getsockname (self->listener, (struct sockaddr *)&address, &length), ==, 0);
  self->port = ntohs (address.sin_port);
  g_mutex_init (&self->lock);
  g_cond_init (&self->cut);
  self->thread = g_thread_new ("proxy", run, self);
  return self;
}

void
cutting_proxy_free (CuttingProxy *self)
{
  g_mutex_lock (&self->lock);
  self->is_stopping = TRUE;
  g_mutex_unlock (&self->lock);
  wake (self);
  g_thread_join (self->thread);
  drop_connection (self);
  g_byte_array_unref (self->requests);
  close (self->listener);
  close (self->wakeup);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->cut);
  g_free (self);
}

guint16
cutting_proxy_get_port (CuttingProxy *self)
{
  return self->port;
}

void
cutting_proxy_set_mode (CuttingProxy *self, ProxyMode mode, ProxyMode then)
{
  g_mutex_lock (&self->lock);
  self->mode = mode;
  self->then = then;
  self->was_cut = FALSE;
  g_mutex_unlock (&self->lock);
  wake (self);
}

gboolean
cutting_proxy_wait_for_cut (CuttingProxy *self)
{
  gint64 end_us = g_get_monotonic_time () + 10 * G_USEC_PER_SEC;
  gboolean was_cut;

  g_mutex_lock (&self->lock);
  while (!self->was_cut && g_cond_wait_until (&self->cut, &self->lock, end_us))
    ;
  was_cut = self->was_cut;
  g_mutex_unlock (&self->lock);
  return was_cut;
}
