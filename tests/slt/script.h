/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * script.h: parses files of SQLite's sqllogictest into records.
 *
 * A record is a sequence of lines that ends with a blank one: skipif and onlyif lines, then
 * `statement ok|error` or `query TYPES [SORT] [LABEL]` with its SQL below, and for a query `----`
 * and the expected values.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  SLT_STATEMENT,
  SLT_QUERY,
  SLT_HALT,
} SltRecordKind;

typedef enum
{
  SLT_NOSORT,
  SLT_ROWSORT,
  SLT_VALUESORT,
} SltSort;

/* All texts point into the text of the script. */
typedef struct
{
  SltRecordKind kind;
  guint line;
  GPtrArray *only; /* (element-type utf8) databases of onlyif; NULL: any */
  GPtrArray *skip; /* (element-type utf8) databases of skipif; NULL: none */
  gchar *sql;
  gboolean is_error;  /* STATEMENT: it must fail */
  const gchar *types; /* QUERY: a letter for each column: I, R, T */
  SltSort sort;
  const gchar *label;  /* nullable: records with one label have the same result */
  GPtrArray *expected; /* (element-type utf8) the values */
  const gchar *hash;   /* nullable: MD5 of @n_hashed values, instead of @expected */
  guint n_hashed;
} SltRecord;

typedef struct
{
  gchar *text;
  GPtrArray *records; /* SltRecord */
} SltScript;

/* NULL with @error: no such file, or an invalid line. */
SltScript *slt_script_load (const gchar *path, GError **error);
void slt_script_free (SltScript *self);

/* Whether the record is meant for @database. */
gboolean slt_record_is_for (const SltRecord *self, const gchar *database);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SltScript, slt_script_free)

G_END_DECLS
