/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * worker-pool.h: the daemon's threads that read parts of long scans for statements.
 *
 * One queue of jobs, served in rounds: a job that has more rounds goes to the end of the queue, so
 * concurrent statements share the workers. A thread is started when it is needed, and after half a
 * second without a job it is one of the process's spare threads.
 *
 * Threads: any.
 */
#pragma once

#include "core/exec/worker-pool.h"
#include "core/store/usage.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlCount n_busy;
  KvsqlCount n_rounds; /* since the daemon began */
} KvsqldWorkerPoolReport;

KvsqlWorkerPool *kvsqld_worker_pool_new (void);
/* Waits for the rounds that are running and drops queued jobs. No job may be submitted after this
 * call starts. */
void kvsqld_worker_pool_free (KvsqlWorkerPool *self); /* accepts NULL */
/* The greatest number of threads from now on; 0: no job may be submitted. */
void kvsqld_worker_pool_set_size (KvsqlWorkerPool *self, guint n);
void kvsqld_worker_pool_report (KvsqlWorkerPool *self, KvsqldWorkerPoolReport *out);

G_END_DECLS
