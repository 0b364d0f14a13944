/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * later.h: does what a checked write need not do before its answer (kvsql_storage_do_later()).
 *
 * Threads: any thread may push.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _KvsqldLater KvsqldLater;

KvsqldLater *kvsqld_later_new (void);
void kvsqld_later_free (KvsqldLater *self); /* does all work first; accepts NULL */

/* A KvsqlLaterFunc (core/write/storage.h). */
gboolean kvsqld_later_push (void (*run) (gpointer work), gpointer work, gpointer later);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldLater, kvsqld_later_free)

G_END_DECLS
