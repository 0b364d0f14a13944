/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * inner.h: for the classes of elements that have an inner layout: name{…}.
 */
#pragma once

#include "core/layout/constrain.h"
#include "core/layout/element.h"
#include "core/layout/sequence.h"

G_BEGIN_DECLS

/* Compiles the sequence in `name{…}`, and sets the members of the element that follow from it. */
gboolean kvsql_element_compile_inner (KvsqlElement *self, KvsqlLayoutCompiler *compiler,
                                      const KvsqlLayoutNode *node,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* kvsql_element_bind_attribute() for `name{attribute}`, whose braces contain only the attribute. */
gboolean kvsql_element_bind_inner_attribute (KvsqlElement *self, KvsqlLayoutCompiler *compiler,
                                             const KvsqlLayoutNode *node,
                                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* FALSE and an error if an element in @self counts the bytes of a value. */
gboolean kvsql_element_reject_lengths (const KvsqlElement *self, const KvsqlLayoutNode *node,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether the layout of one attribute holds only a part of it, as bucket does. */
gboolean kvsql_element_holds_part (const KvsqlElement *self);
/* The length of the value of @inner at the start of @bytes, if its own bytes show the end
 * (is_prefix_free); else -1. */
gssize kvsql_sequence_get_own_length (const KvsqlSequence *inner, KvsqlSlice bytes);
/* The order of the only element in @self; NONE if there are several. An element that adds the same
 * bytes to each value has the order of its inner sequence. */
KvsqlByteOrder kvsql_sequence_inner_order (const KvsqlSequence *self);
/* What follows the values inside an element of @size bytes. */
KvsqlDelimiter kvsql_sequence_inner_delimiter (const KvsqlSequence *inner, gsize size);

G_END_DECLS
