/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * role-limit.h: the limits of a role.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a role may use on one daemon. */
typedef enum
{
  KVSQL_ROLE_LIMIT_CONNECTIONS,
  KVSQL_ROLE_LIMIT_STATEMENTS, /* that run at the same time */
  KVSQL_ROLE_LIMIT_MEMORY,     /* bytes, of all its statements together */
  KVSQL_ROLE_LIMIT_ROWS,       /* that a statement may return or write */
} KvsqlRoleLimit;

#define KVSQL_N_ROLE_LIMITS 4

G_END_DECLS
