/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * returning.h: the rows of RETURNING, kept until the statement ends.
 *
 * A row is computed before its tuple is written, so that neither an error nor too many rows come
 * after it, and kept once it is.
 */
#pragma once

#include "core/base/vector.h"
#include "core/plan/write-plan.h"

G_BEGIN_DECLS

typedef struct
{
  const KvsqlWritePlan *plan;
  gsize max_bytes; /* of all rows; more is KVSQL_ERROR_LIMIT */
  gsize bytes;
  KvsqlBatch *rows;  /* one column an item */
  KvsqlArena *arena; /* of the rows' bytes */
} KvsqlReturning;

void kvsql_returning_init (KvsqlReturning *self, const KvsqlWritePlan *plan, gsize max_bytes);
void kvsql_returning_clear (KvsqlReturning *self);

/* @self NULL, or a plan without RETURNING: does nothing. */
gboolean kvsql_returning_compute (KvsqlReturning *self, const KvsqlValue *tuple, KvsqlValue **out,
                                  GError **error);
void kvsql_returning_keep (KvsqlReturning *self, const KvsqlValue *row);

G_END_DECLS
