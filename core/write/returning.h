/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * returning.h: the rows of RETURNING, collected until the statement ends.
 *
 * A row is computed before its tuple is written, so that an error or a limit comes before the
 * write. The row is added after the write.
 */
#pragma once

#include "core/base/vector.h"
#include "core/plan/write-plan.h"

G_BEGIN_DECLS

typedef struct
{
  const KvsqlWritePlan *plan;
  gsize max_bytes; /* of all rows; KVSQL_ERROR_LIMIT beyond it */
  gsize bytes;
  KvsqlBatch *rows;  /* one column for each item */
  KvsqlArena *arena; /* of the rows' bytes */
} KvsqlReturning;

void kvsql_returning_init (KvsqlReturning *self, const KvsqlWritePlan *plan, gsize max_bytes);
void kvsql_returning_clear (KvsqlReturning *self);

/* Does nothing if @self is NULL, or if the plan has no RETURNING. */
gboolean kvsql_returning_compute (KvsqlReturning *self, const KvsqlValue *tuple, KvsqlValue **out,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
void kvsql_returning_keep (KvsqlReturning *self, const KvsqlValue *row);

G_END_DECLS
