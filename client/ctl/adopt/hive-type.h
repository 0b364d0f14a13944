/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * hive-type.h: a type of Hive, such as struct<day:date,tags:array<string>>.
 */
#pragma once

#include "client/ctl/adopt/hive-lexer.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQLCTL_HIVE_SCALAR,
  KVSQLCTL_HIVE_ARRAY,  /* parts: the elements' type */
  KVSQLCTL_HIVE_MAP,    /* parts: the keys' type and the values' type */
  KVSQLCTL_HIVE_STRUCT, /* parts: the types of the fields */
  KVSQLCTL_HIVE_UNION,  /* parts: the types */
} KvsqlctlHiveCategory;

typedef struct
{
  KvsqlctlHiveCategory category;
  gchar *name;      /* in lower case, without what is in parentheses */
  gint size;        /* varchar (n), char (n), decimal (p, s): n, p; 0: none */
  gint scale;       /* decimal */
  GPtrArray *parts; /* (element-type KvsqlctlHiveType) */
  GPtrArray *names; /* (element-type utf8): of the fields of a struct */
} KvsqlctlHiveType;

/* Reads a type at the token *place, and moves *place after it.
 * Returns: (transfer full) (nullable): NULL: *error says what is wrong */
KvsqlctlHiveType *kvsqlctl_hive_type_parse (const KvsqlctlHiveTokens *tokens, guint *place,
                                            KvsqlctlTextError *error);
void kvsqlctl_hive_type_free (KvsqlctlHiveType *self);
/* As Hive writes it. (transfer full) */
gchar *kvsqlctl_hive_type_describe (const KvsqlctlHiveType *self);

/* How many levels of separators a value in text needs. */
guint kvsqlctl_hive_type_count_levels (const KvsqlctlHiveType *self);

static inline const KvsqlctlHiveType *
kvsqlctl_hive_type_get_part (const KvsqlctlHiveType *self, guint place)
{
  return self->parts->pdata[place];
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlctlHiveType, kvsqlctl_hive_type_free)

G_END_DECLS
