/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * translate.h: queries of PostgreSQL's catalogue as queries of SQLite.
 *
 * A query is parsed in PostgreSQL's dialect, and written in SQLite's as it is parsed. Every
 * expression has its type, so that the columns of the result, and the parameters, have theirs
 * before the query runs. What is written has only names that the translation knows: relations of
 * the catalogue, SQLite's functions that it uses, and those of functions.h.
 *
 * Threads: any.
 */
#pragma once

#include "core/base/error.h"
#include "core/base/slice.h"

G_BEGIN_DECLS

typedef struct
{
  const gchar *name;
  guint32 type; /* the number of PostgreSQL's type */
} KvsqldPgCatalogueColumn;

typedef struct
{
  const gchar *sql; /* of SQLite */
  const KvsqldPgCatalogueColumn *columns;
  guint n_columns;
  const guint32 *parameters; /* their types; never 0 */
  guint n_parameters;
  const gchar *const *tables; /* the relations that it reads (facts.h), up to NULL */
} KvsqldPgTranslation;

/* Whether @sql, which may be any statement, reads the catalogue: it names a relation of the
 * catalogue after FROM, or calls a function that only the catalogue has. */
gboolean kvsqld_pg_is_of_catalogue (KvsqlSlice sql);

/**
 * kvsqld_pg_translate:
 * @oids: types of the first parameters; 0: the type of their place
 * @out: (out): in @arena
 *
 * Errors have PostgreSQL's SQLSTATEs: 42601, 42P01, 42703, 42702, 42883, 42704, 22P02, and 0A000
 * for what PostgreSQL has and the catalogue has not.
 */
gboolean kvsqld_pg_translate (KvsqlSlice sql, const guint32 *oids, guint n_oids, KvsqlArena *arena,
                              KvsqldPgTranslation *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
