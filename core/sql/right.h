/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * right.h: the rights on a relation.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Rights on a relation. The first three are also of single attributes. */
typedef enum
{
  KVSQL_RIGHT_SELECT = 1 << 0,
  KVSQL_RIGHT_INSERT = 1 << 1,
  KVSQL_RIGHT_UPDATE = 1 << 2,
  KVSQL_RIGHT_DELETE = 1 << 3,
  KVSQL_RIGHT_TRUNCATE = 1 << 4,
} KvsqlRight;

#define KVSQL_N_RIGHTS 5
#define KVSQL_RIGHTS_ALL ((1 << KVSQL_N_RIGHTS) - 1)
#define KVSQL_RIGHTS_OF_ATTRIBUTES (KVSQL_RIGHT_SELECT | KVSQL_RIGHT_INSERT | KVSQL_RIGHT_UPDATE)

G_END_DECLS
