/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * helpers.h: threads that help a statement, for the engine, which starts none itself.
 *
 * A seam: the daemon has the threads (daemon/helpers.c). Whoever asks for help must come to an end
 * without it, as all helpers may be busy with others.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _KvsqlHelpers KvsqlHelpers;

/* A piece of work, in a helper's thread. TRUE: there is more; it is called again after others have
 * had their turns. */
typedef gboolean (*KvsqlHelpFunc) (gpointer data);

typedef struct
{
  /* Calls @func, some time; @destroy comes after its last call, or instead of it. */
  void (*ask) (KvsqlHelpers *self, KvsqlHelpFunc func, gpointer data, GDestroyNotify destroy);
} KvsqlHelpersClass;

struct _KvsqlHelpers
{
  const KvsqlHelpersClass *klass;
};

static inline void
kvsql_helpers_ask (KvsqlHelpers *self, KvsqlHelpFunc func, gpointer data, GDestroyNotify destroy)
{
  self->klass->ask (self, func, data, destroy);
}

G_END_DECLS
