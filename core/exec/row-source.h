/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * row-source.h: the interface of operators that give batches of rows.
 *
 * An operator asks its input for batches. It belongs to one thread at a time, and owns its input.
 */
#pragma once

#include "core/base/vector.h"
#include "core/store/store.h"

G_BEGIN_DECLS

typedef struct _KvsqlRowSource KvsqlRowSource;

typedef struct
{
  /* TRUE with the next rows, dense; n_rows 0 is the end. The rows and their bytes belong to the row
   * source, until the next call. After an error the row source may only be freed. */
  gboolean (*next) (KvsqlRowSource *self, const KvsqlCall *call, const KvsqlBatch **out_batch,
                    GError **error);
  void (*free) (KvsqlRowSource *self);
} KvsqlRowSourceClass;

struct _KvsqlRowSource
{
  const KvsqlRowSourceClass *klass;
};

static inline gboolean
kvsql_row_source_next (KvsqlRowSource *self, const KvsqlCall *call, const KvsqlBatch **out_batch,
                       GError **error)
{
  return self->klass->next (self, call, out_batch, error);
}

static inline void
kvsql_row_source_free (KvsqlRowSource *self) /* accepts NULL */
{
  if (self != NULL)
    self->klass->free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlRowSource, kvsql_row_source_free)

G_END_DECLS
