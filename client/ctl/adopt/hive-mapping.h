/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * hive-mapping.h: hbase.columns.mapping: where the columns of a table of Hive are in HBase.
 *
 * The rules are those of HBaseSerDe and ColumnMappings of Hive 4.
 */
#pragma once

#include "client/ctl/adopt/hive-ddl.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQLCTL_HIVE_KEY,       /* the row key */
  KVSQLCTL_HIVE_TIMESTAMP, /* the timestamp of the cells */
  KVSQLCTL_HIVE_CELL,      /* the cell family:qualifier */
  KVSQLCTL_HIVE_FAMILY,    /* all cells of the family whose qualifiers begin with the text */
} KvsqlctlHivePlace;

/* Of one column, in the order of the columns. */
typedef struct
{
  KvsqlctlHivePlace place;
  gchar *family;          /* nullable: of KEY and TIMESTAMP */
  gchar *qualifier;       /* CELL; FAMILY: the text with which all begin, may be empty */
  gboolean is_binary;     /* of a map in FAMILY: its values */
  gboolean is_key_binary; /* of a map in FAMILY: its keys */
} KvsqlctlHiveMapping;

/* The places of all columns of @table. Errors are those for which Hive refuses the table.
 * Returns: (transfer full) (nullable) (element-type KvsqlctlHiveMapping): NULL: *error says what is
 * wrong */
GPtrArray *kvsqlctl_hive_mapping_parse (const KvsqlctlHiveTable *table, KvsqlctlTextError *error);

G_END_DECLS
