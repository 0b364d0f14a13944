/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * one-row.h: the input of a SELECT without FROM: one row without columns.
 */
#pragma once

#include "core/exec/row-source.h"

G_BEGIN_DECLS

KvsqlRowSource *kvsql_one_row_new (void);

G_END_DECLS
