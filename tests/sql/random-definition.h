/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * random-definition.h: random definitions of relations, schemas, roles and rights.
 */
#pragma once

#include "tests/sql/random-writer.h"

G_BEGIN_DECLS

void put_alter (RandomWriter *self);
void put_comment (RandomWriter *self);
void put_define_relation (RandomWriter *self);
void put_define_schema (RandomWriter *self);
void put_create_table (RandomWriter *self);
void put_create_index (RandomWriter *self);
void put_create_view (RandomWriter *self);
void put_small (RandomWriter *self);
void put_role (RandomWriter *self);
void put_grant (RandomWriter *self);

G_END_DECLS
