/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * constrain.h: the byte ranges that a constraint on attributes allows in a sequence.
 */
#pragma once

#include "core/layout/layout-types.h"

G_BEGIN_DECLS

void kvsql_sequence_constrain (const KvsqlSequence *self, const KvsqlConstrainer *constrainer,
                               KvsqlDelimiter delimiter, KvsqlByteRanges *out);

G_END_DECLS
