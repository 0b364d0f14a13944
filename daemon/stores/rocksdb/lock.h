/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * lock.h: a fair shared/exclusive lock.
 *
 * Under steady load a GRWLock always has readers, and a writer may wait for ever. Here an exclusive
 * lock waits at a gate, which later shared locks have to pass after it.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  GMutex gate;
  GRWLock lock;
} KvsqldFairLock;

static inline void
kvsqld_fair_lock_init (KvsqldFairLock *self)
{
  g_mutex_init (&self->gate);
  g_rw_lock_init (&self->lock);
}

static inline void
kvsqld_fair_lock_clear (KvsqldFairLock *self)
{
  g_rw_lock_clear (&self->lock);
  g_mutex_clear (&self->gate);
}

/* A thread that holds the lock must not call it again. */
static inline void
kvsqld_fair_lock_acquire_shared (KvsqldFairLock *self)
{
  g_mutex_lock (&self->gate);
  g_rw_lock_reader_lock (&self->lock);
  g_mutex_unlock (&self->gate);
}

static inline void
kvsqld_fair_lock_release_shared (KvsqldFairLock *self)
{
  g_rw_lock_reader_unlock (&self->lock);
}

static inline void
kvsqld_fair_lock_acquire (KvsqldFairLock *self)
{
  g_mutex_lock (&self->gate);
  g_rw_lock_writer_lock (&self->lock);
  g_mutex_unlock (&self->gate);
}

static inline void
kvsqld_fair_lock_release (KvsqldFairLock *self)
{
  g_rw_lock_writer_unlock (&self->lock);
}

G_END_DECLS
