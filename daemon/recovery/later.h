/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * later.h: does what a checked or blind write need not do before its answer
 * (kvsql_storage_do_later()), for many writes at once.
 *
 * Work waits for a few milliseconds, so that more of it is done by the same requests to the store.
 *
 * Threads: any thread may push.
 */
#pragma once

#include "core/write/storage.h"

G_BEGIN_DECLS

typedef struct _KvsqldLater KvsqldLater;

KvsqldLater *kvsqld_later_new (void);
void kvsqld_later_free (KvsqldLater *self); /* does all work first; accepts NULL */

/* A KvsqlLaterFunc. */
gboolean kvsqld_later_push (KvsqlWorkFunc run, gpointer work, gpointer later);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldLater, kvsqld_later_free)

G_END_DECLS
