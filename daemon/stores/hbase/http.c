/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * http.c: see http.h. libcurl does HTTP and TLS; sockets, addresses and timeouts are handled here.
 *
 * By default libcurl connects again when it finds a kept connection closed, and sends the request
 * again. So it gets a connected socket once, and no other.
 */
#include "config.h"

#include "daemon/stores/hbase/http.h"

#include <curl/curl.h>
#include <poll.h>

#include "core/base/error.h"
#include "daemon/stores/hbase/http-errors.h"
#include "daemon/stores/hbase/t2-reader.h"

#define TRANSFER_BYTES (256L << 10)
/* libcurl must not close a connection because of its age: the pool decides that. */
#define MAX_IDLE_S (10L * 86400)
/* How long the rest of an answer may take after the last byte of its message. */
#define END_US (G_USEC_PER_SEC / 2)

struct _KvsqldT2Http
{
  const gchar *address;
  gboolean is_tls;
  gint fd;
  CURLM *multi;
  CURL *easy;
  struct curl_slist *headers;
  struct curl_slist *resolved;
  gboolean is_taken;  /* libcurl has got the socket */
  gboolean is_closed; /* libcurl has closed the socket */

  /* State of the running request. */
  KvsqlSlice body;
  gsize n_given;
  KvsqlBuffer *into; /* nullable: no more of the answer is needed */
  gboolean is_running;
  gboolean is_done;
  gboolean is_too_long; /* the answer */
  CURLcode result;
  gchar reason[CURL_ERROR_SIZE];
};

void
kvsqld_t2_http_options_clear (KvsqldT2HttpOptions *self)
{
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->login, g_free);
  g_clear_pointer (&self->ca_file, g_free);
  g_clear_pointer (&self->cert_file, g_free);
  g_clear_pointer (&self->key_file, g_free);
}

static glong
get_status (const KvsqldT2Http *self)
{
  glong status = 0;

  curl_easy_getinfo (self->easy, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

/* The answer is a page for people. */
static gboolean
is_text (const KvsqldT2Http *self)
{
  const gchar *type = NULL;

  curl_easy_getinfo (self->easy, CURLINFO_CONTENT_TYPE, &type);
  return type != NULL && g_ascii_strncasecmp (type, "text/", strlen ("text/")) == 0;
}

/* ---- callbacks of libcurl */

static curl_socket_t
hand_over (gpointer data, curlsocktype purpose, struct curl_sockaddr *address)
{
  KvsqldT2Http *self = data;

  if (self->is_taken)
    return CURL_SOCKET_BAD;
  self->is_taken = TRUE;
  return self->fd;
}

static gint
say_connected (gpointer data, curl_socket_t fd, curlsocktype purpose)
{
  return CURL_SOCKOPT_ALREADY_CONNECTED;
}

/* The caller closes the socket. */
static gint
take_back (gpointer data, curl_socket_t fd)
{
  KvsqldT2Http *self = data;

  self->is_closed = TRUE;
  return 0;
}

static gsize
give_body (gchar *to, gsize one, gsize size, gpointer data)
{
  KvsqldT2Http *self = data;
  gsize n = MIN (size, self->body.size - self->n_given);

  memcpy (to, self->body.data + self->n_given, n);
  self->n_given += n;
  return n;
}

/* An answer that is not Thrift is not read to its end. */
static gsize
take_answer (gchar *from, gsize one, gsize size, gpointer data)
{
  KvsqldT2Http *self = data;

  if (self->into == NULL || get_status (self) != 200 || is_text (self))
    return 0;
  self->is_too_long = size > KVSQLD_T2_MAX_REPLY - self->into->size;
  if (self->is_too_long)
    return 0;
  kvsql_buffer_append (self->into, from, size);
  return size;
}

/* ---- creation */

static void
set_tls (CURL *easy, const KvsqldT2HttpOptions *options)
{
  curl_easy_setopt (easy, CURLOPT_SSLVERSION, (glong)CURL_SSLVERSION_TLSv1_2);
  curl_easy_setopt (easy, CURLOPT_SSL_VERIFYPEER,
                    options->verify == KVSQLD_T2_VERIFY_NONE ? 0L : 1L);
  curl_easy_setopt (easy, CURLOPT_SSL_VERIFYHOST,
                    options->verify == KVSQLD_T2_VERIFY_FULL ? 2L : 0L);
  if (options->ca_file != NULL)
    {
      curl_easy_setopt (easy, CURLOPT_CAINFO, options->ca_file);
      curl_easy_setopt (easy, CURLOPT_CAPATH, NULL);
    }
  if (options->cert_file != NULL)
    {
      curl_easy_setopt (easy, CURLOPT_SSLCERT, options->cert_file);
      curl_easy_setopt (easy, CURLOPT_SSLKEY, options->key_file ?: options->cert_file);
    }
}

static void
set_callbacks (KvsqldT2Http *self)
{
  curl_easy_setopt (self->easy, CURLOPT_OPENSOCKETFUNCTION, hand_over);
  curl_easy_setopt (self->easy, CURLOPT_OPENSOCKETDATA, self);
  curl_easy_setopt (self->easy, CURLOPT_SOCKOPTFUNCTION, say_connected);
  curl_easy_setopt (self->easy, CURLOPT_CLOSESOCKETFUNCTION, take_back);
  curl_easy_setopt (self->easy, CURLOPT_CLOSESOCKETDATA, self);
  curl_easy_setopt (self->easy, CURLOPT_READFUNCTION, give_body);
  curl_easy_setopt (self->easy, CURLOPT_READDATA, self);
  curl_easy_setopt (self->easy, CURLOPT_WRITEFUNCTION, take_answer);
  curl_easy_setopt (self->easy, CURLOPT_WRITEDATA, self);
  curl_easy_setopt (self->easy, CURLOPT_ERRORBUFFER, self->reason);
}

/* The name is already resolved: tells libcurl the address. */
static void
set_target (KvsqldT2Http *self, const KvsqldT2HttpPeer *peer)
{
  const gchar *path = peer->options->path ?: "/";
  g_autofree gchar *url
      = g_strdup_printf ("%s://%s%s", peer->is_tls ? "https" : "http", peer->address, path);

  curl_easy_setopt (self->easy, CURLOPT_URL, url);
  if (!g_hostname_is_ip_address (peer->host))
    {
      /* The address is never used, because there is a socket. */
      g_autofree gchar *entry = g_strdup_printf ("%s:%u:127.0.0.1", peer->host, peer->port);

      self->resolved = curl_slist_append (NULL, entry);
      curl_easy_setopt (self->easy, CURLOPT_RESOLVE, self->resolved);
    }
}

static void
set_request (KvsqldT2Http *self)
{
  self->headers = curl_slist_append (NULL, "Content-Type: application/x-thrift");
  self->headers = curl_slist_append (self->headers, "Accept: application/x-thrift");
  /* Otherwise it waits for a response of the server before a long body. */
  self->headers = curl_slist_append (self->headers, "Expect:");
  curl_easy_setopt (self->easy, CURLOPT_HTTPHEADER, self->headers);
  curl_easy_setopt (self->easy, CURLOPT_USERAGENT, "kvsqld/" KVSQL_VERSION);
  curl_easy_setopt (self->easy, CURLOPT_POST, 1L);
  curl_easy_setopt (self->easy, CURLOPT_HTTP_VERSION, (glong)CURL_HTTP_VERSION_1_1);
  curl_easy_setopt (self->easy, CURLOPT_PROTOCOLS_STR, "http,https");
  /* Ignore proxies in the environment. */
  curl_easy_setopt (self->easy, CURLOPT_PROXY, "");
  curl_easy_setopt (self->easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt (self->easy, CURLOPT_MAXAGE_CONN, MAX_IDLE_S);
  curl_easy_setopt (self->easy, CURLOPT_BUFFERSIZE, TRANSFER_BYTES);
  curl_easy_setopt (self->easy, CURLOPT_UPLOAD_BUFFERSIZE, TRANSFER_BYTES);
}

KvsqldT2Http *
kvsqld_t2_http_new (const KvsqldT2HttpPeer *peer)
{
  static gsize is_begun;
  KvsqldT2Http *self = g_new0 (KvsqldT2Http, 1);

  if (g_once_init_enter (&is_begun))
    {
      curl_global_init (CURL_GLOBAL_DEFAULT);
      g_once_init_leave (&is_begun, 1);
    }
  self->address = peer->address;
  self->is_tls = peer->is_tls;
  self->fd = g_socket_get_fd (peer->socket);
  self->multi = curl_multi_init ();
  self->easy = curl_easy_init ();
  set_target (self, peer);
  set_request (self);
  set_callbacks (self);
  set_tls (self->easy, peer->options);
  if (peer->options->login != NULL)
    {
      curl_easy_setopt (self->easy, CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
      curl_easy_setopt (self->easy, CURLOPT_USERPWD, peer->options->login);
    }
  return self;
}

void
kvsqld_t2_http_free (KvsqldT2Http *self)
{
  if (self == NULL)
    return;
  if (self->is_running)
    curl_multi_remove_handle (self->multi, self->easy);
  curl_easy_cleanup (self->easy);
  curl_multi_cleanup (self->multi);
  curl_slist_free_all (self->headers);
  curl_slist_free_all (self->resolved);
  g_free (self);
}

/* ---- a request */

void
kvsqld_t2_http_begin (KvsqldT2Http *self, KvsqlSlice body)
{
  self->body = body;
  self->n_given = 0;
  self->into = NULL;
  self->is_done = FALSE;
  self->is_too_long = FALSE;
  self->result = CURLE_OK;
  self->reason[0] = '\0';
  curl_easy_setopt (self->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body.size);
  curl_multi_add_handle (self->multi, self->easy);
  self->is_running = TRUE;
}

/* Does what is possible without waiting. */
static void
go_on (KvsqldT2Http *self)
{
  CURLMsg *message;
  gint n;

  if (curl_multi_perform (self->multi, &n) != CURLM_OK)
    {
      self->is_done = TRUE;
      self->result = CURLE_FAILED_INIT;
    }
  while ((message = curl_multi_info_read (self->multi, &n)) != NULL)
    if (message->msg == CURLMSG_DONE)
      {
        self->is_done = TRUE;
        self->result = message->data.result;
      }
}

/* FALSE: the time is over or the call was cancelled. */
static gboolean
wait_for_more (KvsqldT2Http *self, gint64 limit_us, GCancellable *cancellable)
{
  gint64 left_us = limit_us - g_get_monotonic_time ();
  struct curl_waitfd cancelled = { .events = CURL_WAIT_POLLIN };
  GPollFD descriptor;

  if (left_us <= 0 || g_cancellable_is_cancelled (cancellable))
    return FALSE;
  if (!g_cancellable_make_pollfd (cancellable, &descriptor))
    return curl_multi_poll (self->multi, NULL, 0, (gint)MIN (left_us / 1000 + 1, G_MAXINT), NULL)
           == CURLM_OK;
  cancelled.fd = descriptor.fd;
  curl_multi_poll (self->multi, &cancelled, 1, (gint)MIN (left_us / 1000 + 1, G_MAXINT), NULL);
  g_cancellable_release_fd (cancellable);
  return TRUE;
}

static gboolean
fail (const KvsqldT2Http *self, GError **error)
{
  const KvsqldT2HttpFailure failure = {
    .address = self->address,
    .status = get_status (self),
    .result = self->result,
    .reason = self->reason,
    .is_too_long = self->is_too_long,
    .is_text = is_text (self),
  };

  return kvsqld_t2_http_fail (&failure, error);
}

gboolean
kvsqld_t2_http_fill (KvsqldT2Http *self, KvsqlBuffer *buffer, gsize size, gint64 limit_us,
                     GCancellable *cancellable, GError **error)
{
  self->into = buffer;
  while (buffer->size < size)
    {
      if (!self->is_done)
        go_on (self);
      if (buffer->size >= size)
        break;
      if (self->is_done)
        return fail (self, error);
      if (!wait_for_more (self, limit_us, cancellable))
        {
          self->result = CURLE_OPERATION_TIMEDOUT;
          return fail (self, error);
        }
    }
  return TRUE;
}

void
kvsqld_t2_http_end (KvsqldT2Http *self)
{
  gint64 limit_us = g_get_monotonic_time () + END_US;

  self->into = NULL;
  while (!self->is_done)
    {
      go_on (self);
      if (!self->is_done && !wait_for_more (self, limit_us, NULL))
        break;
    }
  curl_multi_remove_handle (self->multi, self->easy);
  self->is_running = FALSE;
}

gboolean
kvsqld_t2_http_may_be_done (const KvsqldT2Http *self)
{
  glong status = get_status (self);

  return self->n_given == self->body.size && (status < 400 || status >= 500);
}

gboolean
kvsqld_t2_http_is_refused (const KvsqldT2Http *self)
{
  return get_status (self) == 0 && kvsqld_t2_http_is_other_language (self->result);
}

/* With TLS, unexpected bytes are normal: TLS has messages of its own. */
gboolean
kvsqld_t2_http_is_usable (const KvsqldT2Http *self)
{
  struct pollfd now = { .fd = self->fd, .events = self->is_tls ? POLLRDHUP : POLLIN | POLLRDHUP };

  return !self->is_closed && poll (&now, 1, 0) == 0;
}
