/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * split.h: intersects constraints with a sequence; private to this folder.
 */
#pragma once

#include "core/layout/sequence.h"

G_BEGIN_DECLS

/* kvsql_sequence_constrain() without splitting. */
void kvsql_sequence_constrain_unsplit (const KvsqlSequence *self,
                                       const KvsqlConstrainer *constrainer,
                                       KvsqlDelimiter delimiter, KvsqlByteRanges *out);

G_END_DECLS
