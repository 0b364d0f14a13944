/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * metrics-http.h: one text over HTTP: GET /metrics.
 *
 * A library's server (libmicrohttpd) with a thread of its own: whoever asks slowly, or asks for
 * nonsense, holds up neither statements nor the main loop. Connections, their memory and their time
 * are bounded.
 */
#pragma once

#include "core/base/error.h"

G_BEGIN_DECLS

typedef struct _KvsqldMetricsHttp KvsqldMetricsHttp;

/* (transfer full): the text; called in the server's thread. */
typedef gchar *(*KvsqldMetricsText) (gpointer data);

/* FALSE: this kvsqld was built without. */
gboolean kvsqld_metrics_http_is_supported (void);

/**
 * kvsqld_metrics_http_new:
 * @address: HOST:PORT; the host of IPv6 in brackets; port 0 lets the kernel choose
 */
KvsqldMetricsHttp *kvsqld_metrics_http_new (const gchar *address, KvsqldMetricsText text,
                                            gpointer data, GError **error);
/* Where it can be asked. */
const gchar *kvsqld_metrics_http_get_url (const KvsqldMetricsHttp *self);
void kvsqld_metrics_http_free (KvsqldMetricsHttp *self); /* accepts NULL; @text is over then */

/* (transfer full): of HOST:PORT; KVSQL_ERROR_INVALID */
gboolean kvsqld_metrics_http_check (const gchar *address, GError **error);

G_END_DECLS
