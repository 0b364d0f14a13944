/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * table.h: converts SQLite's tables to relations.
 *
 * INTEGER becomes INT: its sums are BIGINT, as in PostgreSQL, while those of a BIGINT would be
 * DECIMAL and have fractions when divided. FLOAT and REAL become DOUBLE, texts STRING. A table
 * without PRIMARY KEY gets a KEY attribute `slt_row` that numbers its tuples, and `*` is expanded
 * for it. UNIQUE is not checked: no statement of the suite that runs here depends on it.
 */
#pragma once

#include "core/base/error.h"
#include "core/base/type.h"
#include "tests/slt/words.h"

G_BEGIN_DECLS

#define SLT_ROW "slt_row"

typedef struct
{
  gchar *name;
  KvsqlType type;
  gboolean is_key;
} SltColumn;

typedef struct
{
  gchar *name;
  gchar **columns; /* names */
  gboolean *is_descending;
} SltIndex;

typedef struct
{
  gchar *name;
  GPtrArray *columns; /* SltColumn; a slt_row is the first */
  GPtrArray *indexes; /* SltIndex, of the suite's CREATE INDEX */
  gboolean has_row;   /* slt_row replaces a missing key */
  gint64 last_row;
} SltTable;

void slt_table_free (SltTable *self);
/* Parses CREATE TABLE. NULL: an unknown form. */
SltTable *slt_table_parse (const SltWords *words, GError **error);
/* Parses CREATE INDEX. Sets *@out_table to its table's name (transfer full). */
SltIndex *slt_index_parse (const SltWords *words, gchar **out_table, GError **error);
void slt_index_free (SltIndex *self);

const SltColumn *slt_table_find (const SltTable *self, const gchar *name);
/* The DEFINE RELATION. (transfer full) */
gchar *slt_table_define (const SltTable *self);

/* Finds a table by its name; NULL: there is none. */
typedef SltTable *(*SltLookup) (gpointer data, const gchar *name);

/* The statement adapted to kvsql, with slt_row. (transfer full) */
gchar *slt_rewrite (const gchar *sql, SltLookup lookup, gpointer data);
/* The schema for the next relation of that name; NULL: the planner's choice. */
typedef const gchar *(*SltPick) (gpointer data, const gchar *table);

/* @sql, a rewritten SELECT, with a hint for each relation in its FROM. (transfer full) */
gchar *slt_use_schemas (const gchar *sql, SltPick pick, gpointer data);
/* The table that a query reads first; NULL: none. (transfer full) */
gchar *slt_main_table (const gchar *sql);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SltTable, slt_table_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SltIndex, slt_index_free)

G_END_DECLS
