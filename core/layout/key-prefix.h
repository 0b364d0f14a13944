/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * key-prefix.h: the first elements of a field, if their own bytes show where they end.
 *
 * A key that begins with the bytes of such a key prefix has this key prefix and no other. So all
 * rows with the same key prefix are adjacent, and the row after the last of them begins the next
 * prefix.
 */
#pragma once

#include "core/layout/layout-types.h"

G_BEGIN_DECLS

/* Whether bytes that begin with the bytes of a value are this value, never a longer one. */
gboolean kvsql_element_ends_for_sure (const KvsqlElement *self);

/* Whether the first @n_elements are a key prefix. */
gboolean kvsql_sequence_has_key_prefix (const KvsqlSequence *self, guint n_elements);

/* The length of the key prefix in @bytes; -1: there is none. @decoder needs columns only for
 * attributes that the caller wants. */
gssize kvsql_sequence_measure_key_prefix (const KvsqlSequence *self, guint n_elements,
                                          KvsqlSlice bytes, KvsqlDecoder *decoder);

G_END_DECLS
