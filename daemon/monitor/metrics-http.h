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

/* Of an address with TLS: PEM files. */
typedef struct
{
  const gchar *certificate;
  const gchar *key; /* may be the same file */
} KvsqldMetricsFiles;

/* FALSE: this kvsqld was built without it. */
gboolean kvsqld_metrics_http_is_supported (void);

/**
 * kvsqld_metrics_http_new:
 * @address: HOST:PORT[?tls=required]; an IPv6 host is in brackets; with port 0 the kernel chooses
 *   the port
 * @files: (nullable): read now; they were checked before
 */
KvsqldMetricsHttp *kvsqld_metrics_http_new (const gchar *address, const KvsqldMetricsFiles *files,
                                            KvsqldMetricsText text, gpointer data, GError **error);
/* Reads the files again, if there is TLS. Connections end, and the port is the same. After a
 * failure there are no metrics any more. */
gboolean kvsqld_metrics_http_renew (KvsqldMetricsHttp *self, const KvsqldMetricsFiles *files,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The URL of the text. */
const gchar *kvsqld_metrics_http_get_url (const KvsqldMetricsHttp *self);
void kvsqld_metrics_http_free (KvsqldMetricsHttp *self); /* accepts NULL; @text is over then */

/* FALSE with KVSQL_ERROR_INVALID, or KVSQL_ERROR_UNSUPPORTED */
gboolean kvsqld_metrics_http_check (const gchar *address, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether an address that was checked has TLS. */
gboolean kvsqld_metrics_http_has_tls (const gchar *address);

G_END_DECLS
