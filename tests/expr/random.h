/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * random.h: random rows of kit.h's relation, and random expressions over it.
 */
#pragma once

#include "core/base/vector.h"
#include "core/schema/relation.h"

G_BEGIN_DECLS

KvsqlBatch *random_batch (const KvsqlRelation *relation, guint n_rows);

/* @kind: 'o' a BOOLEAN, 'i' a whole number, 'r' a number, 's' a text, 'y' a date. Most of the
 * expressions can be bound. */
void random_expression (GString *out, gchar kind, guint depth);

G_END_DECLS
