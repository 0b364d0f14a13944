/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * decode-plan.h: decodes a field from the left to the right without a search.
 *
 * In most layouts, each element has a fixed size, or ends at the first separator, or is the rest
 * that the other elements leave. Such a sequence is compiled to steps, one for each element. The
 * step of a bare attribute, also one in suffix{}, writes directly to the column. The result is the
 * same as with the search of sequence.c, which decodes the sequences that have no plan.
 *
 * A plan is made after the definition proof has set is_restricted. It is immutable, and lives as
 * long as its arena.
 */
#pragma once

#include "core/layout/layout-types.h"

G_BEGIN_DECLS

/* Makes the plans of @self and of the sequences inside it. A sequence that needs a search gets
 * none. */
void kvsql_decode_plan_make (KvsqlSequence *self, KvsqlArena *arena);
/* The same result as kvsql_sequence_decode(). */
gboolean kvsql_decode_plan_run (const KvsqlDecodePlan *self, KvsqlSlice bytes,
                                KvsqlDecoder *decoder);

/* Whether there is a plan (@self is nullable), all of whose steps are bare numbers and texts. It
 * needs only the bytes of the fields and their columns. */
gboolean kvsql_decode_plan_is_columnar (const KvsqlDecodePlan *self);

/**
 * kvsql_decode_plan_run_many:
 * @self: a columnar plan
 * @fields: the fields to decode, none with a NULL pointer; they are undefined afterwards
 * @decoder: @fields[0] goes to its row, the other fields to the rows after it
 *
 * Runs each step for all fields before the next step, so that the kind of a step is tested only
 * once.
 *
 * Returns: whether all fields are values of the sequence; if not, decode each of them by itself
 */
gboolean kvsql_decode_plan_run_many (const KvsqlDecodePlan *self, KvsqlSlice *fields, guint n,
                                     const KvsqlDecoder *decoder);

G_END_DECLS
