/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rocksdb-lock.h: a lock for many or for one, under which the one does not starve.
 *
 * Under steady load there is always somebody who shares a GRWLock, and whoever wants
 * it alone may wait for ever. Here he waits at a gate that those who come later pass
 * after him.
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

/* Not to be called by a thread that holds the lock already. */
static inline void
kvsqld_fair_lock_share (KvsqldFairLock *self)
{
  g_mutex_lock (&self->gate);
  g_rw_lock_reader_lock (&self->lock);
  g_mutex_unlock (&self->gate);
}

static inline void
kvsqld_fair_lock_unshare (KvsqldFairLock *self)
{
  g_rw_lock_reader_unlock (&self->lock);
}

static inline void
kvsqld_fair_lock_take (KvsqldFairLock *self)
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
