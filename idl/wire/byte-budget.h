/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * byte-budget.h: a bound on the memory of the buffers of all connections together.
 *
 * A bound for each connection is not enough: a thousand peers, each within its bound, can still use
 * all of the memory. Transports reserve bytes here before a buffer grows, and release them when it
 * shrinks.
 *
 * Threads: lock-free; any thread may reserve and release. The budget outlives its users.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A buffer may always have this many bytes, so that large requests of some clients do not block the
 * small requests of others. A thousand connections exceed the limit by 32 MiB at most. */
#define KVSQL_BYTE_BUDGET_ALWAYS (16 * 1024)

typedef struct
{
  gsize limit; /* 0: no bound. Changed atomically */
  gsize used;
} KvsqlByteBudget;

static inline void
kvsql_byte_budget_release (KvsqlByteBudget *self, gsize size)
{
  if (self != NULL)
    g_atomic_pointer_add (&self->used, -(gssize)size);
}

/* Reserves @size bytes for a buffer whose capacity becomes @capacity. FALSE: the limit would be
 * exceeded, nothing is reserved. */
static inline gboolean
kvsql_byte_budget_reserve (KvsqlByteBudget *self, gsize size, gsize capacity)
{
  gsize before, limit;

  if (self == NULL)
    return TRUE;
  limit = (gsize)g_atomic_pointer_get (&self->limit);
  before = (gsize)g_atomic_pointer_add (&self->used, (gssize)size);
  if (limit == 0 || before + size <= limit || capacity <= KVSQL_BYTE_BUDGET_ALWAYS)
    return TRUE;
  kvsql_byte_budget_release (self, size);
  return FALSE;
}

static inline gsize
kvsql_byte_budget_get_used (KvsqlByteBudget *self)
{
  return (gsize)g_atomic_pointer_get (&self->used);
}

G_END_DECLS
