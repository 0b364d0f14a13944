/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * append.h: the rows of several operators, one after the other.
 */
#pragma once

#include "core/exec/row-source.h"

G_BEGIN_DECLS

/* @inputs: (array length=n) (transfer full): with the same columns; the array is copied */
KvsqlRowSource *kvsql_append_new (KvsqlRowSource *const *inputs, guint n);

G_END_DECLS
