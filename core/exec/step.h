/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * step.h: what all parts of a pipeline look like: something that gives batches.
 *
 * A step asks the one before it. It belongs to one thread at a time, and owns what it was made
 * from.
 */
#pragma once

#include "core/base/vector.h"
#include "core/store/store.h"

G_BEGIN_DECLS

typedef struct _KvsqlStep KvsqlStep;

typedef struct
{
  /* TRUE with the next rows, dense; n_rows 0 is the end. They and their bytes are the step's, until
   * the next call. After an error the step is of no more use. */
  gboolean (*next) (KvsqlStep *self, const KvsqlCall *call, const KvsqlBatch **out_batch,
                    GError **error);
  void (*free) (KvsqlStep *self);
} KvsqlStepClass;

struct _KvsqlStep
{
  const KvsqlStepClass *klass;
};

static inline gboolean
kvsql_step_next (KvsqlStep *self, const KvsqlCall *call, const KvsqlBatch **out_batch,
                 GError **error)
{
  return self->klass->next (self, call, out_batch, error);
}

static inline void
kvsql_step_free (KvsqlStep *self) /* accepts NULL */
{
  if (self != NULL)
    self->klass->free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlStep, kvsql_step_free)

G_END_DECLS
