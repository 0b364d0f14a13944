/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * trim.c: see trim.h.
 *
 * The amount of free memory does not say how much of it is still in RAM, because memory that was
 * returned counts as free, too. So the size of the process is compared with the memory in use.
 */
#include "config.h"

#include "daemon/metrics/trim.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "daemon/metrics/metrics.h"

#define WORTH_BYTES ((gssize)32 << 20)
/* Statements that fail together free gigabytes, which others cannot use: each thread has its heap.
 */
#define MUCH_FREED ((guint64)128 << 20)

/* malloc() returns freed buffers of this size to the system. Otherwise glibc raises this threshold
 * to the largest block so far, and then the heap of every thread may keep one. Pages are
 * smaller. */
#define LARGE_BLOCK (2 * 1024 * 1024)

/* Heaps of malloc() for each processor, instead of glibc's eight. Each keeps what its threads have
 * freed, so the more there are, the more free memory they hold together. */
#define HEAPS_PER_PROCESSOR 2

#ifdef __GLIBC__
/* Memory in RAM that is not in use: free blocks, and what the process always has. */
static gssize
get_excess (void)
{
  struct mallinfo2 info = mallinfo2 ();

  return (gssize)kvsqld_metrics_get_resident_bytes () - (gssize)(info.uordblks + info.hblkhd);
}
#endif

void
kvsqld_trim_configure (void)
{
#ifdef __GLIBC__
  mallopt (M_MMAP_THRESHOLD, LARGE_BLOCK);
  if (g_getenv ("MALLOC_ARENA_MAX") == NULL) /* glibc has read it already */
    mallopt (M_ARENA_MAX, HEAPS_PER_PROCESSOR * (gint)g_get_num_processors ());
#endif
}

void
kvsqld_trim_init (KvsqldTrim *self)
{
  *self = (KvsqldTrim){ 0 };
  g_mutex_init (&self->mutex);
}

void
kvsqld_trim_clear (KvsqldTrim *self)
{
  g_mutex_clear (&self->mutex);
}

static gboolean
trim (KvsqldTrim *self)
{
#ifdef __GLIBC__
  gssize excess = get_excess ();

  if (!self->is_begun || excess < self->excess)
    self->excess = excess;
  self->is_begun = TRUE;
  if (excess < self->excess + WORTH_BYTES)
    return FALSE;
  malloc_trim (0);
  self->excess = get_excess ();
  return TRUE;
#else
  return FALSE;
#endif
}

gboolean
kvsqld_trim_if_worth (KvsqldTrim *self)
{
  gboolean did;

  g_mutex_lock (&self->mutex);
  did = trim (self);
  g_mutex_unlock (&self->mutex);
  return did;
}

void
kvsqld_trim_after_free (KvsqldTrim *self, guint64 freed)
{
  if (freed < __atomic_load_n (&self->freed, __ATOMIC_RELAXED) + MUCH_FREED
      || !g_mutex_trylock (&self->mutex))
    return;
  __atomic_store_n (&self->freed, freed, __ATOMIC_RELAXED);
  trim (self);
  g_mutex_unlock (&self->mutex);
}
