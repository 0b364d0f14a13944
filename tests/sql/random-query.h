/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * random-query.h: random expressions, queries and writes.
 */
#pragma once

#include "tests/sql/random-writer.h"

G_BEGIN_DECLS

void put_expression (RandomWriter *self, guint depth);
void put_query (RandomWriter *self, guint depth);
void put_insert (RandomWriter *self);
void put_update (RandomWriter *self);
void put_delete (RandomWriter *self);

G_END_DECLS
