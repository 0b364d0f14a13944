/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * intersect.h: intersects a constraint with the elements of a sequence, for constrain.c and for
 * elements whose bytes depend on one attribute only.
 */
#pragma once

#include "core/layout/layout-types.h"

G_BEGIN_DECLS

/* As kvsql_sequence_constrain(), all intervals at once: too wide where two elements depend on the
 * same attribute. */
void kvsql_sequence_intersect (const KvsqlSequence *self, const KvsqlConstrainer *constrainer,
                               KvsqlDelimiter delimiter, KvsqlByteRanges *out);

G_END_DECLS
