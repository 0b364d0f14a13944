/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * front.h: the first elements of a field, where their bytes alone tell where they end.
 *
 * What begins with the bytes of such a front has that front and no other. So all rows of a front
 * lie side by side, and the row behind the last of them begins the next front.
 */
#pragma once

#include "core/layout/element.h"

G_BEGIN_DECLS

/* Whether what begins with the bytes of a value is that value, and none that is longer. */
gboolean kvsql_element_ends_for_sure (const KvsqlElement *self);

/* Whether the first @n_elements are a front. */
gboolean kvsql_sequence_has_front (const KvsqlSequence *self, guint n_elements);

/* Its length in @bytes; -1: they begin with none. @decoder has columns for nothing but what is to
 * be read of it. */
gssize kvsql_sequence_measure_front (const KvsqlSequence *self, guint n_elements, KvsqlSlice bytes,
                                     KvsqlDecoder *decoder);

G_END_DECLS
