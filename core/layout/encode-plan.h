/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * encode-plan.h: how to write a field so that there is no need to read it back.
 *
 * Every write has to come back as it was, and in general that is found out by decoding it. Of a
 * field of constants and bare attributes, with suffix{} around text or not, it is known when the
 * schema is defined, but for a few questions to each value: whether it lies in its type's range,
 * whether it contains what ends it. A plan asks them, and writes only what passes; it says nothing
 * of why something did not. What has no plan, and what a plan leaves, is written by sequence.c,
 * decoded, and refused in its words.
 *
 * A plan mirrors decode-plan.h: it is made where that is, of a sequence that has one.
 */
#pragma once

#include "core/layout/element.h"

G_BEGIN_DECLS

/* After kvsql_decode_plan_make(). Where one cannot be had, there is none. */
void kvsql_encode_plan_make (KvsqlSequence *self, KvsqlArena *arena);

/**
 * kvsql_encode_plan_run:
 * @tuple: by attribute
 * @out: (out): from @arena, the bytes of kvsql_sequence_encode(), which decode to those of @tuple
 *
 * Returns: %FALSE if that is not certain; @out says nothing then
 */
gboolean kvsql_encode_plan_run (const KvsqlEncodePlan *self, const KvsqlValue *tuple,
                                KvsqlArena *arena, KvsqlSlice *out);

G_END_DECLS
