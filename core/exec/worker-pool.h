/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * worker-pool.h: interface of a pool of threads, for the engine, which starts no threads itself.
 *
 * The daemon implements it (daemon/session/worker-pool.c). The submitter of a job must be able to
 * finish without it: all workers may be busy with other statements.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _KvsqlWorkerPool KvsqlWorkerPool;

/* One round of a job, in a worker's thread. TRUE: the job has more rounds; it goes to the end of
 * the queue, so that other jobs get their rounds first. */
typedef gboolean (*KvsqlJobFunc) (gpointer data);

typedef struct
{
  /* Queues a job. @destroy is called after its last round, or without any round if the pool ends.
   */
  void (*submit) (KvsqlWorkerPool *self, KvsqlJobFunc func, gpointer data, GDestroyNotify destroy);
} KvsqlWorkerPoolClass;

struct _KvsqlWorkerPool
{
  const KvsqlWorkerPoolClass *klass;
};

static inline void
kvsql_worker_pool_submit (KvsqlWorkerPool *self, KvsqlJobFunc func, gpointer data,
                          GDestroyNotify destroy)
{
  self->klass->submit (self, func, data, destroy);
}

G_END_DECLS
