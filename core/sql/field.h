/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * field.h: the fields of a schema, which are the parts of a cell.
 */
#pragma once

typedef enum
{
  KVSQL_FIELD_TABLE,
  KVSQL_FIELD_ROW,
  KVSQL_FIELD_FAMILY,
  KVSQL_FIELD_QUALIFIER,
  KVSQL_FIELD_VALUE,
} KvsqlField;

#define KVSQL_N_FIELDS 5
