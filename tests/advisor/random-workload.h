/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * random-workload.h: small random workloads of one relation.
 */
#pragma once

#include <glib.h>

/* The text of a workload file. The same seed gives the same text. (transfer full) */
gchar *random_workload_new (guint32 seed, guint max_attributes, guint max_statements);
