/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * metrics-http.h: serves one text over HTTP: GET /metrics.
 *
 * A library's server (libmicrohttpd) with a thread of its own, so that slow clients and bad
 * requests block neither statements nor the main loop. Connections, their memory and their time are
 * limited.
 */
#pragma once

#include "core/base/error.h"

G_BEGIN_DECLS

typedef struct _KvsqldMetricsHttp KvsqldMetricsHttp;

/* (transfer full): the text; called in the server's thread. */
typedef gchar *(*KvsqldMetricsText) (gpointer data);

/* FALSE: this kvsqld was built without it. */
gboolean kvsqld_metrics_http_is_supported (void);

/**
 * kvsqld_metrics_http_new:
 * @address: HOST:PORT; an IPv6 host is in brackets; with port 0 the kernel chooses the port
 */
KvsqldMetricsHttp *kvsqld_metrics_http_new (const gchar *address, KvsqldMetricsText text,
                                            gpointer data, GError **error);
/* The URL of the text. */
const gchar *kvsqld_metrics_http_get_url (const KvsqldMetricsHttp *self);
void kvsqld_metrics_http_free (KvsqldMetricsHttp *self); /* accepts NULL; @text is over then */

/* (transfer full): of HOST:PORT; KVSQL_ERROR_INVALID */
gboolean kvsqld_metrics_http_check (const gchar *address, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
