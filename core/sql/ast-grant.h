/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ast-grant.h: the part of the abstract syntax tree for rights and memberships.
 */
#pragma once

#include "core/sql/ast-definition.h"
#include "core/sql/right.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQL_GRANT_RELATIONS, /* GRANT right, … ON relation, … */
  KVSQL_GRANT_SEQUENCES, /* GRANT right, … ON SEQUENCE sequence, … */
  KVSQL_GRANT_TABLES,    /* GRANT DEFINE ON TABLES LIKE 'pattern', … */
  KVSQL_GRANT_ROLES,     /* GRANT role, … */
} KvsqlGrantObject;

typedef struct
{
  guint rights; /* KvsqlRight; several: ALL */
  KvsqlSpan span;
  KvsqlName *attributes;
  guint n_attributes; /* 0: of the relation */
} KvsqlGrantedRight;

/* GRANT … TO … | REVOKE … FROM … */
typedef struct
{
  gboolean is_revoke;
  KvsqlGrantObject object;
  gboolean has_option; /* WITH GRANT OPTION or WITH ADMIN OPTION; of REVOKE: only the option */
  gboolean is_cascade; /* of REVOKE */
  KvsqlGrantedRight *rights; /* of relations */
  guint n_rights;
  KvsqlName *objects; /* relations, sequences, or roles */
  guint n_objects;
  gboolean is_on_all; /* ALL TABLES or ALL SEQUENCES IN SCHEMA public, in place of @objects */
  KvsqlSpan all_span;
  KvsqlValue *patterns; /* STRING: of tables */
  guint n_patterns;
  KvsqlName *grantees; /* text NULL: PUBLIC */
  guint n_grantees;
  KvsqlName granted_by; /* text NULL: not given */
} KvsqlGrantStatement;

typedef enum
{
  KVSQL_SET_ROLE_NAME,  /* SET ROLE name */
  KVSQL_SET_ROLE_NONE,  /* SET ROLE NONE */
  KVSQL_SET_ROLE_RESET, /* RESET ROLE */
} KvsqlSetRoleKind;

typedef struct
{
  KvsqlSetRoleKind what;
  KvsqlName name;
} KvsqlSetRole;

G_END_DECLS
