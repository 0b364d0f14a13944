/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * byte-budget.h: a bound on the bytes that all connections together hold in their buffers.
 *
 * A bound for each connection is not enough: a thousand peers within their bound can
 * still ask for all of the memory. Transports reserve here before a buffer grows and
 * release when it shrinks.
 *
 * Threads: lock-free; any thread may reserve and release. The budget outlives its users.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

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

/* FALSE: nothing was reserved, as it would exceed the limit. */
static inline gboolean
kvsql_byte_budget_reserve (KvsqlByteBudget *self, gsize size)
{
  gsize before, limit;

  if (self == NULL)
    return TRUE;
  limit = (gsize)g_atomic_pointer_get (&self->limit);
  before = (gsize)g_atomic_pointer_add (&self->used, (gssize)size);
  if (limit == 0 || before + size <= limit)
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
