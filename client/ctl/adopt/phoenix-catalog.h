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

/* Numbers are as the catalogue has them; 0: it has none. */
typedef struct
{
  gchar *family; /* nullable: a column of the key has none */
  gchar *name;
  gint type;       /* java.sql.Types, or a number of Phoenix's */
  gint size;       /* CHAR (n), BINARY (n) */
  gint position;   /* in the table, from 1 */
  gint key_place;  /* in the key, from 1; 0: not of the key */
  gint sort_order; /* 1: descending */
  gint is_nullable;
  gint is_row_timestamp;
  GBytes *qualifier; /* nullable: of its cells */
} KvsqlctlPhoenixColumn;

static inline gboolean
kvsqlctl_phoenix_column_descends (const KvsqlctlPhoenixColumn *self)
{
  return self->sort_order == 1;
}

typedef enum
{
  KVSQLCTL_PHOENIX_TABLE = 'u',
  KVSQLCTL_PHOENIX_VIEW = 'v',
  KVSQLCTL_PHOENIX_INDEX = 'i',
} KvsqlctlPhoenixKind;

typedef struct
{
  gchar *tenant, *schema, *name; /* empty: none */
  GPtrArray *columns;            /* (element-type KvsqlctlPhoenixColumn): by position */
  gint kind;                     /* KvsqlctlPhoenixKind, or another letter */
  gint salt_buckets;
  gint encoding;         /* of the names of columns; 0: they are not encoded */
  gint storage;          /* 2: all columns of a family are in one cell */
  gint index_type;       /* 2: local */
  gint view_type;        /* 1: of a table of another program */
  gint has_namespace;    /* the schema is a namespace of HBase */
  gchar *default_family; /* nullable */
  gchar *data_table;     /* nullable: of an index, without its schema */
  gchar *view_statement; /* nullable */
  gchar *viewed_table;   /* nullable: of a view, with its schema */
} KvsqlctlPhoenixTable;

#define KVSQLCTL_PHOENIX_ONE_CELL 2
#define KVSQLCTL_PHOENIX_LOCAL_INDEX 2
#define KVSQLCTL_PHOENIX_UNCOVERED_INDEX 3
#define KVSQLCTL_PHOENIX_MAPPED_VIEW 1

/* Reads the catalogue. Error: it could not be read, or no Phoenix has used the store.
 * Returns: (transfer full) (element-type KvsqlctlPhoenixTable) */
GPtrArray *kvsqlctl_phoenix_read_catalog (Kvsqlctl *ctl, GError **error);

/* Of a column in a cell that holds several: the number that its qualifier encodes
 * (QualifierEncodingScheme of Phoenix). 0: it has none. */
guint kvsqlctl_phoenix_column_get_number (const KvsqlctlPhoenixColumn *self);

/* The name of its table in HBase. (transfer full) */
gchar *kvsqlctl_phoenix_table_get_store_name (const KvsqlctlPhoenixTable *self);
/* As it is written in Phoenix. (transfer full) */
gchar *kvsqlctl_phoenix_table_get_full_name (const KvsqlctlPhoenixTable *self);

G_END_DECLS
