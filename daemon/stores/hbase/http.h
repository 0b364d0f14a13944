/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * http.h: requests as POSTs over a connected socket, with TLS or without: the protocol of HBase's
 * Thrift server with hbase.regionserver.thrift.http.
 *
 * It never connects: it ends when its socket is closed. So a request is sent once, and all requests
 * of one KvsqldT2Http are answered by the same process.
 *
 * Threads: belongs to one thread at a time.
 */
#pragma once

#include "core/base/slice.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum
{
  KVSQLD_T2_VERIFY_FULL, /* check who signed the certificate, and the host's name in it */
  KVSQLD_T2_VERIFY_CA,   /* check who signed it */
  KVSQLD_T2_VERIFY_NONE,
} KvsqldT2Verify;

/* Options; all strings are nullable. */
typedef struct
{
  gchar *path;      /* begins with a slash; NULL: "/" */
  gchar *login;     /* USER:PASSWORD, sent as HTTP Basic authentication */
  gchar *ca_file;   /* PEM; NULL: the system's CAs */
  gchar *cert_file; /* PEM; the client's own certificate */
  gchar *key_file;  /* PEM; NULL: the key is in cert_file */
  KvsqldT2Verify verify;
} KvsqldT2HttpOptions;

void kvsqld_t2_http_options_clear (KvsqldT2HttpOptions *self);

typedef struct
{
  const gchar *host;
  guint16 port;
  const gchar *address; /* HOST:PORT, for messages */
  gboolean is_tls;
  const KvsqldT2HttpOptions *options;
  GSocket *socket; /* connected */
} KvsqldT2HttpPeer;

typedef struct _KvsqldT2Http KvsqldT2Http;

/* What @peer refers to must outlive it. The caller keeps the socket. */
KvsqldT2Http *kvsqld_t2_http_new (const KvsqldT2HttpPeer *peer);
void kvsqld_t2_http_free (KvsqldT2Http *self); /* accepts NULL */

/* Begins a request; @body must not change until its end. Nothing is sent yet. */
void kvsqld_t2_http_begin (KvsqldT2Http *self, KvsqlSlice body);

/**
 * kvsqld_t2_http_fill:
 * @buffer: received bytes are appended to it until it has at least @size bytes
 *
 * Returns: %FALSE with KVSQL_ERROR_UNAVAILABLE if they do not arrive before @limit_us, or at all,
 * or
 * @cancellable is cancelled
 */
gboolean kvsqld_t2_http_fill (KvsqldT2Http *self, KvsqlBuffer *buffer, gsize size, gint64 limit_us,
                              GCancellable *cancellable, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Ends the request. If the end of its answer does not arrive at once, the socket is unusable. */
void kvsqld_t2_http_end (KvsqldT2Http *self);

/* Whether the request may have been done: its last byte may have been sent, and it was not
 * refused. */
gboolean kvsqld_t2_http_may_be_done (const KvsqldT2Http *self);
/* Whether the server closed the connection, or answered in another protocol: it may use another
 * transport. */
gboolean kvsqld_t2_http_is_refused (const KvsqldT2Http *self);
/* Whether another request is possible. */
gboolean kvsqld_t2_http_is_usable (const KvsqldT2Http *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldT2Http, kvsqld_t2_http_free)

G_END_DECLS
