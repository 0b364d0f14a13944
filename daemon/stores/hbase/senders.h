/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * senders.h: threads that make the requests of one write beside each other.
 *
 * A request waits for HBase most of its time. Who has several to make, in any order, makes them
 * together with those threads that have nothing to do; where none has, alone.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _KvsqldHbaseSenders KvsqldHbaseSenders;

KvsqldHbaseSenders *kvsqld_hbase_senders_new (void);
void kvsqld_hbase_senders_free (KvsqldHbaseSenders *self); /* accepts NULL; nobody runs any more */

/* Makes request number @index; may be called by several threads at once. */
typedef gboolean (*KvsqldHbaseSend) (gpointer data, guint index, GError **error);

/**
 * kvsqld_hbase_senders_run:
 * @out_n_done: how many have succeeded
 * @error: of those that failed, one; one of %KVSQL_ERROR_UNKNOWN_OUTCOME if there is such
 *
 * Makes the requests 0 to @n - 1. After one has failed no other is begun.
 */
gboolean kvsqld_hbase_senders_run (KvsqldHbaseSenders *self, guint n, KvsqldHbaseSend send,
                                   gpointer data, guint *out_n_done, GError **error);

G_END_DECLS
