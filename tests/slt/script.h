/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * script.h: files of SQLite's sqllogictest, read into records.
 *
 * A record is lines up to a blank one: skipif and onlyif lines, then `statement ok|error` or
 * `query TYPES [SORT] [LABEL]` with its SQL below, and for a query `----` and the values expected.
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

/* All texts point into the script's. */
typedef struct
{
  SltRecordKind kind;
  guint line;
  GPtrArray *only; /* (element-type utf8) databases of onlyif; NULL: any */
  GPtrArray *skip; /* (element-type utf8) databases of skipif; NULL: none */
  gchar *sql;
  gboolean is_error;  /* STATEMENT: it must fail */
  const gchar *types; /* QUERY: a letter a column: I, R, T */
  SltSort sort;
  const gchar *label;  /* nullable: records of one label have one answer */
  GPtrArray *expected; /* (element-type utf8) the values */
  const gchar *hash;   /* nullable: MD5 of @n_hashed values, which are not given then */
  guint n_hashed;
} SltRecord;

typedef struct
{
  gchar *text;
  GPtrArray *records; /* SltRecord */
} SltScript;

/* NULL with @error: no such file, or a line that the format does not have. */
SltScript *slt_script_load (const gchar *path, GError **error);
void slt_script_free (SltScript *self);

/* Whether the record is meant for @database. */
gboolean slt_record_is_for (const SltRecord *self, const gchar *database);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SltScript, slt_script_free)

G_END_DECLS
