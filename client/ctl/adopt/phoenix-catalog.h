/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * phoenix-catalog.h: the tables of Apache Phoenix, as its table SYSTEM.CATALOG has them.
 *
 * The row key of SYSTEM.CATALOG is tenant, schema, table, column and family, with a zero byte
 * between them. A row without column and family is the head of a table, one with a column is a
 * column of it, and one with a family alone is a link to another table (PTable and
 * MetaDataEndpointImpl of Phoenix 5.2.1).
 */
#pragma once

#include "client/ctl/kvsqlctl.h"

G_BEGIN_DECLS

typedef struct
{
  gchar *family; /* nullable: a column of the key has none */
  gchar *name;
  gint type;         /* java.sql.Types, or a number of Phoenix's */
  gint size;         /* CHAR (n), BINARY (n); 0: none */
  gint position;     /* in the table, from 1 */
  gint key_place;    /* in the key, from 1; 0: not of the key */
  GBytes *qualifier; /* nullable: of its cells, if that is not its name */
  gboolean is_descending;
  gboolean is_nullable;
  gboolean is_row_timestamp;
} KvsqlctlPhoenixColumn;

typedef enum
{
  KVSQLCTL_PHOENIX_TABLE = 'u',
  KVSQLCTL_PHOENIX_VIEW = 'v',
  KVSQLCTL_PHOENIX_INDEX = 'i',
  KVSQLCTL_PHOENIX_SYSTEM = 's',
} KvsqlctlPhoenixKind;

typedef struct
{
  gchar *tenant, *schema, *name; /* empty: none */
  KvsqlctlPhoenixKind kind;
  GPtrArray *columns; /* (element-type KvsqlctlPhoenixColumn): by position */
  gchar *default_family;
  gchar *data_table;     /* nullable: of an index, without its schema */
  gchar *viewed_table;   /* nullable: of a view, with its schema */
  gchar *view_statement; /* nullable */
  gint salt_buckets;     /* 0: none */
  gboolean has_encoded_columns, has_single_cells, has_namespace;
  gboolean is_immutable, is_multi_tenant, is_local_index, is_mapped_view;
} KvsqlctlPhoenixTable;

/* Reads the catalogue. Error: it could not be read, or no Phoenix has used the store.
 * Returns: (transfer full) (element-type KvsqlctlPhoenixTable) */
GPtrArray *kvsqlctl_phoenix_read_catalog (Kvsqlctl *ctl, GError **error);

/* The name of its table in HBase. (transfer full) */
gchar *kvsqlctl_phoenix_table_get_store_name (const KvsqlctlPhoenixTable *self);
/* As it is written in Phoenix. (transfer full) */
gchar *kvsqlctl_phoenix_table_get_full_name (const KvsqlctlPhoenixTable *self);

G_END_DECLS
