/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * encode-plan.h: encodes a field such that the result need not be decoded again for a check.
 *
 * Each written value must round-trip, and in general the encoder decodes its own result to check
 * that. For a field of constants and bare attributes, also text in suffix{}, it is known when the
 * schema is defined that the field round-trips, if each value passes a few tests: it is in the
 * range of its type and does not contain its separator. A plan makes these tests and writes only
 * values that pass. It does not report why a value failed. Such values, and fields without a plan,
 * are written by sequence.c, decoded again, and rejected with its error message.
 *
 * A plan is made together with the decode plan (decode-plan.h), only for a sequence that has one.
 */
#pragma once

#include "core/layout/layout-types.h"

G_BEGIN_DECLS

/* Call this after kvsql_decode_plan_make(). A sequence with other elements gets no plan. */
void kvsql_encode_plan_make (KvsqlSequence *self, KvsqlArena *arena);

/**
 * kvsql_encode_plan_run:
 * @tuple: by attribute
 * @out: (out): in @arena, the bytes of kvsql_sequence_encode(); they decode to the values of @tuple
 *
 * Returns: %FALSE if the round trip is not certain; @out is then undefined
 */
gboolean kvsql_encode_plan_run (const KvsqlEncodePlan *self, const KvsqlValue *tuple,
                                KvsqlArena *arena, KvsqlSlice *out);

G_END_DECLS
