/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * hive-ddl.h: the tables in a text with statements of Hive, as SHOW CREATE TABLE prints them.
 */
#pragma once

#include "client/ctl/adopt/hive-type.h"

G_BEGIN_DECLS

typedef struct
{
  gchar *name; /* in lower case, as Hive has it */
  KvsqlctlHiveType *type;
  gchar *comment; /* nullable */
} KvsqlctlHiveColumn;

typedef struct
{
  gchar *value;
  gsize position, length; /* of its text in quotes */
} KvsqlctlHiveProperty;

/* A statement. */
typedef struct
{
  gchar *skipped; /* nullable: the first words of a statement that defines no table; then only @line
                   * is set, too */
  guint line;
  gsize position, length; /* of the name */
  gchar *database;        /* in lower case */
  gchar *name;
  gchar *comment;                                  /* nullable */
  GPtrArray *columns;                              /* (element-type KvsqlctlHiveColumn) */
  gboolean is_in_hbase;                            /* else only the names are set */
  gboolean is_partitioned;                         /* PARTITIONED BY */
  GHashTable *serde_properties, *table_properties; /* utf8, KvsqlctlHiveProperty */
} KvsqlctlHiveTable;

/* The statements of a text.
 * Returns: (transfer full) (nullable) (element-type KvsqlctlHiveTable): NULL: *error says what is
 * wrong */
GPtrArray *kvsqlctl_hive_ddl_parse (const gchar *text, gsize size, KvsqlctlTextError *error);

/* database.name. (transfer full) */
gchar *kvsqlctl_hive_table_get_full_name (const KvsqlctlHiveTable *self);
/* NULL: there is none of that name. One of TBLPROPERTIES counts more, as in Hive. */
const KvsqlctlHiveProperty *kvsqlctl_hive_table_find (const KvsqlctlHiveTable *self,
                                                      const gchar *name);
/* The value of kvsqlctl_hive_table_find(). */
const gchar *kvsqlctl_hive_table_get (const KvsqlctlHiveTable *self, const gchar *name);

static inline const KvsqlctlHiveColumn *
kvsqlctl_hive_table_get_column (const KvsqlctlHiveTable *self, guint place)
{
  return self->columns->pdata[place];
}

G_END_DECLS
