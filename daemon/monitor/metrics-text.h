/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * metrics-text.h: the metrics of the whole daemon in the format of Prometheus.
 */
#pragma once

#include "daemon/connections/limits.h"
#include "daemon/service/service.h"

G_BEGIN_DECLS

/* All numbers as text, version 0.0.4 of the format. Never blocks. (transfer full) */
gchar *kvsqld_metrics_print (KvsqldService *service, const KvsqldConnectionStatus *rpc);

G_END_DECLS
