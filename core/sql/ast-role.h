/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ast-role.h: the part of the abstract syntax tree for roles.
 */
#pragma once

#include "core/sql/ast-definition.h"
#include "core/sql/role-limit.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQL_ROLE_CREATE,
  KVSQL_ROLE_ALTER,
  KVSQL_ROLE_DROP,
  KVSQL_ROLE_DROP_OWNED,     /* DROP OWNED BY members */
  KVSQL_ROLE_REASSIGN_OWNED, /* REASSIGN OWNED BY members TO name */
} KvsqlRoleAction;

/* An option that was written, or not. */
typedef enum
{
  KVSQL_ROLE_UNSAID,
  KVSQL_ROLE_NO,
  KVSQL_ROLE_YES,
} KvsqlRoleChoice;

/* CREATE | ALTER | DROP ROLE name [WITH] option… */
typedef struct _KvsqlRoleStatement
{
  KvsqlRoleAction action;
  gboolean if_exists;  /* of DROP */
  gboolean is_cascade; /* of DROP OWNED */
  KvsqlName name;
  KvsqlRoleChoice log_in;                     /* CREATE USER: KVSQL_ROLE_YES unless NOLOGIN */
  KvsqlRoleChoice admin;                      /* SUPERUSER */
  KvsqlSpan password_span;                    /* offset -1: no PASSWORD */
  KvsqlValue password;                        /* STRING or NULL: in clear text, or a verifier */
  KvsqlSpan until_span;                       /* offset -1: no VALID UNTIL */
  KvsqlValue until;                           /* STRING */
  KvsqlSpan limit_spans[KVSQL_N_ROLE_LIMITS]; /* offset -1: not given */
  gint64 limits[KVSQL_N_ROLE_LIMITS];         /* -1: none */
  /* of CREATE */
  gint64 sysid;       /* SYSID; 0: not given */
  KvsqlName *members; /* ROLE …: roles that become members of the new one */
  guint n_members;
  KvsqlName *admins; /* ADMIN …: the same, WITH ADMIN OPTION */
  guint n_admins;
  KvsqlName *groups; /* IN ROLE …: roles of which the new one becomes a member */
  guint n_groups;
  KvsqlValue *patterns; /* DEFINE ON TABLES LIKE …; STRING */
  guint n_patterns;
  KvsqlValue memory; /* STRING: a size, in place of limits[KVSQL_ROLE_LIMIT_MEMORY] */
} KvsqlRoleStatement;

G_END_DECLS
