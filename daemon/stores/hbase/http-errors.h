/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * http-errors.h: errors of HTTP and TLS, with hints.
 *
 * Threads: pure functions.
 */
#pragma once

#include <curl/curl.h>
#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  const gchar *address; /* HOST:PORT */
  glong status;         /* HTTP status; 0: there was none */
  CURLcode result;
  const gchar *reason;  /* libcurl's text; may be empty */
  gboolean is_too_long; /* the answer */
  gboolean is_text;     /* the answer is a page for people */
} KvsqldT2HttpFailure;

/* Sets KVSQL_ERROR_UNAVAILABLE. Returns: %FALSE. */
gboolean kvsqld_t2_http_fail (const KvsqldT2HttpFailure *failure, GError **error);

/* The peer has closed the connection, did not understand the request, or was not understood. */
gboolean kvsqld_t2_http_is_other_language (CURLcode result);

G_END_DECLS
