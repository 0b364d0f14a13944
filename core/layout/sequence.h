/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sequence.h: writes and reads the bytes of a compiled layout.
 */
#pragma once

#include "core/layout/layout-types.h"

G_BEGIN_DECLS

/* Only the classes of elements need to know these (dfa.h, nfa.h). */
typedef struct _KvsqlNfa KvsqlNfa;
typedef struct _KvsqlNfaFragment KvsqlNfaFragment;

gboolean kvsql_sequence_encode (const KvsqlSequence *self, const KvsqlEncoder *encoder,
                                KvsqlBuffer *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* TRUE if @bytes are a value of this sequence; its attributes are then in the batch. */
gboolean kvsql_sequence_decode (const KvsqlSequence *self, KvsqlSlice bytes, KvsqlDecoder *decoder);

/* The order of element @index of a field, considering the elements after it. A constant has none;
 * since it is the same in each row, a caller may skip it. */
KvsqlByteOrder kvsql_sequence_byte_order (const KvsqlSequence *self, guint index);

KvsqlNfaFragment kvsql_sequence_automaton (const KvsqlSequence *self, KvsqlNfa *nfa);

G_END_DECLS
