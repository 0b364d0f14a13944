/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * uuid-ranges.h: byte ranges of UUIDs that are stored as their 16 bytes.
 */
#pragma once

#include "core/layout/ranges/byte-ranges.h"

G_BEGIN_DECLS

/* The constraint is on UUIDs, or on STRINGs that are stored as UUIDs: its bounds may be any texts.
 * All values have one size and sort as their texts. So the ranges are exact, whatever follows. */
void kvsql_uuid_constrain (const KvsqlConstraint *constraint, const KvsqlConstrainer *constrainer,
                           KvsqlByteRanges *out);

G_END_DECLS
