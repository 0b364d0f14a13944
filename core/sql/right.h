/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * right.h: the rights on a relation or a sequence.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Rights on a relation. The first three are also of single attributes. SELECT, UPDATE and USAGE are
 * those on a sequence. */
typedef enum
{
  KVSQL_RIGHT_SELECT = 1 << 0,
  KVSQL_RIGHT_INSERT = 1 << 1,
  KVSQL_RIGHT_UPDATE = 1 << 2,
  KVSQL_RIGHT_DELETE = 1 << 3,
  KVSQL_RIGHT_TRUNCATE = 1 << 4,
  KVSQL_RIGHT_USAGE = 1 << 5,
} KvsqlRight;

#define KVSQL_N_RIGHTS 6
#define KVSQL_RIGHTS_ALL (KVSQL_RIGHT_USAGE - 1) /* on a relation */
#define KVSQL_RIGHTS_OF_SEQUENCES (KVSQL_RIGHT_SELECT | KVSQL_RIGHT_UPDATE | KVSQL_RIGHT_USAGE)
#define KVSQL_RIGHTS_OF_ATTRIBUTES (KVSQL_RIGHT_SELECT | KVSQL_RIGHT_INSERT | KVSQL_RIGHT_UPDATE)

G_END_DECLS
