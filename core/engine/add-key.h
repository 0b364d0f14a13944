/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * add-key.h: ALTER TABLE … ADD PRIMARY KEY, for a table that was made without one.
 *
 * Row keys begin with the key, so the tuples get other ones. The statement pauses the writes of the
 * relation, as ALTER RELATION … WITH (writes = …) does, makes a relation with the key, which it
 * fills, and at last gives it the place of the first one, in one change. Until then the relation
 * can be read as before. If it ends in the middle, the copy is left.
 */
#pragma once

#include "core/engine/definitions.h"

G_BEGIN_DECLS

/* The statements of the second step, which make the copy and fill it. In the execution's arena. */
typedef struct
{
  KvsqlAstStatement *create;
  KvsqlAstStatement *insert;
  KvsqlName name; /* of the copy */
  /* The definitions that it was made from. */
  const gchar *relation, *schema;
} KvsqlKeyedCopy;

gboolean kvsql_keyed_copy_plan (const KvsqlExecution *execution, const KvsqlAlter *alter,
                                KvsqlKeyedCopy *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_decide_take_place:
 * @pause: KvsqlRelation.pause of the first step
 *
 * The third step. KVSQL_ERROR_CONFLICT: another statement has ended the pause, or has changed
 * the relation or its schema.
 */
gboolean kvsql_decide_take_place (KvsqlDecision *self, const KvsqlAlter *alter,
                                  const KvsqlKeyedCopy *copy, guint64 pause,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
