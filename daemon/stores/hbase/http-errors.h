/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * http-errors.h: what failed of HTTP or TLS, in words that name the way out.
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
  glong status;         /* of HTTP; 0: there was none */
  CURLcode result;
  const gchar *trouble; /* in libcurl's words; may be empty */
  gboolean is_too_long; /* the answer */
  gboolean is_text;     /* it is a page for people */
} KvsqldT2HttpFailure;

/* Sets KVSQL_ERROR_UNAVAILABLE. Returns: %FALSE. */
gboolean kvsqld_t2_http_fail (const KvsqldT2HttpFailure *failure, GError **error);

/* The other side hung up, or has not understood, or was not understood. */
gboolean kvsqld_t2_http_is_other_language (CURLcode result);

G_END_DECLS
