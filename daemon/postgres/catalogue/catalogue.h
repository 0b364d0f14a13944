/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * catalogue.h: PostgreSQL's catalogue: pg_catalog and information_schema, made of the definitions.
 *
 * A query is translated once, without looking at a definition, and executed in a database of
 * SQLite. A few databases are kept while their definitions are the newest; what a query does not
 * read is not made. The whole result is in memory.
 *
 * Threads: any.
 */
#pragma once

#include "core/base/vector.h"
#include "daemon/postgres/catalogue/functions.h"
#include "daemon/postgres/catalogue/translate.h"

G_BEGIN_DECLS

typedef struct _KvsqldPgCatalogue KvsqldPgCatalogue;
typedef struct _KvsqlCatalog KvsqlCatalog; /* core/catalog/catalog.h */

KvsqldPgCatalogue *kvsqld_pg_catalogue_new (void);
void kvsqld_pg_catalogue_free (KvsqldPgCatalogue *self); /* accepts NULL */

/**
 * kvsqld_pg_catalogue_run:
 * @parameters: of the types of @query, as kvsqld_pg_catalogue_read_parameter() gives them
 *
 * Returns: (transfer full): a row for each of the result, with vectors of
 * kvsqld_pg_catalogue_vector_type(); its strings are in @arena
 */
KvsqlBatch *kvsqld_pg_catalogue_run (KvsqldPgCatalogue *self, const KvsqldPgTranslation *query,
                                     const KvsqlCatalog *definitions,
                                     const KvsqldPgCatalogueSession *session,
                                     const KvsqlValue *parameters, KvsqlArena *arena,
                                     GError **error);

/* The type of the vectors for values of PostgreSQL's type @oid. */
KvsqlType kvsqld_pg_catalogue_vector_type (guint32 oid);

/* A parameter in PostgreSQL's text or binary format. @bytes: not NULL. Errors: %KVSQL_ERROR_VALUE
 * with PostgreSQL's SQLSTATE. */
gboolean kvsqld_pg_catalogue_read_parameter (guint32 oid, gboolean is_binary, KvsqlSlice bytes,
                                             KvsqlArena *arena, KvsqlValue *out,
                                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
