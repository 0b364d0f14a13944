/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * column-type.c: see the header.
 */
#include "config.h"

#include "client/ctl/terminal/column-type.h"

gboolean
kvsqlctl_is_number (KvsqlColumnType type)
{
  switch (type)
    {
    case KVSQL_COLUMN_TYPE_INT:
    case KVSQL_COLUMN_TYPE_BIGINT:
    case KVSQL_COLUMN_TYPE_FLOAT:
    case KVSQL_COLUMN_TYPE_DOUBLE:
    case KVSQL_COLUMN_TYPE_DECIMAL:
      return TRUE;
    default:
      return FALSE;
    }
}
