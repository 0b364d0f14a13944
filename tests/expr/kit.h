/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kit.h: binds and evaluates expressions from text, for the tests of core/expr.
 */
#pragma once

#include "core/expr/binder.h"
#include "core/expr/evaluate.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlArena *arena;
  KvsqlRelation *relation;
  KvsqlBinder binder;
} Kit;

/* One nullable attribute of each type, named o (BOOLEAN) i j (INT) l m (BIGINT) f (FLOAT) d e
 * (DOUBLE) n p (DECIMAL) s t (STRING) b (BYTES) y (DATE) z (TIMESTAMP), and a key k. */
void kit_open (Kit *self);
void kit_close (Kit *self);

/* NULL with an error. */
KvsqlExpr *kit_bind (Kit *self, const gchar *text, GError **error);

/* "TYPE value" of a constant expression, or "error: message" with " @ the text at its position".
 * (transfer full) */
gchar *kit_answer (Kit *self, const gchar *text);

G_END_DECLS
