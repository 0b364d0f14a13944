/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * decode-plan.h: how to read a field from front to back without trying.
 *
 * Most layouts need no search: each element has a size, or ends at the first separator, or is what
 * the others leave. Such a sequence is compiled to steps, one for each element; bare attributes,
 * with suffix{} around them or not, are read by the step itself into their column. The result is
 * that of sequence.c's way, which goes on to read what has no plan.
 *
 * A plan is made when the proof has said which elements are restricted. It is immutable, and lives
 * as long as its arena.
 */
#pragma once

#include "core/layout/element.h"

G_BEGIN_DECLS

/* Of @self and of all that stands inside; where one cannot be had, there is none. */
void kvsql_decode_plan_make (KvsqlSequence *self, KvsqlArena *arena);
/* As kvsql_sequence_decode(). */
gboolean kvsql_decode_plan_run (const KvsqlDecodePlan *self, KvsqlSlice bytes,
                                KvsqlDecoder *decoder);

/* Whether there is a plan that needs nothing but the fields' bytes and their columns. */
gboolean kvsql_decode_plan_is_columnar (const KvsqlDecodePlan *self);

/**
 * kvsql_decode_plan_run_many:
 * @self: a columnar one
 * @fields: each of them; none is without an address, and what is left of them is of no use
 * @decoder: @fields[0] goes into its row, the others into those behind it
 *
 * The same step for all fields, then the next step: what a step is has to be found out once.
 *
 * Returns: whether all are values of the sequence; if not, each has to be read by itself.
 */
gboolean kvsql_decode_plan_run_many (const KvsqlDecodePlan *self, KvsqlSlice *fields, guint n,
                                     const KvsqlDecoder *decoder);

G_END_DECLS
