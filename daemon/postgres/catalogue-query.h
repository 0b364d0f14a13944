/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * catalogue-query.h: queries of PostgreSQL's catalogue as statements of a session.
 *
 * Threads: that of the connection.
 */
#pragma once

#include "daemon/postgres/catalogue/catalogue.h"
#include "daemon/postgres/session.h"
#include "daemon/postgres/type.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqldPgTranslation translation;
  const KvsqlResultColumn *columns; /* of translation.n_columns */
  const KvsqldPgType *const *sent;  /* how each column is sent */
} KvsqldPgCatalogueQuery;

/* In @arena. @oids: types of the first parameters; 0: open. */
const KvsqldPgCatalogueQuery *kvsqld_pg_catalogue_query_new (KvsqlSlice sql, const guint32 *oids,
                                                             guint n_oids, KvsqlArena *arena,
                                                             GError **error);

/* The whole result as one page, without columns. @parameters: nullable, if there are none */
KvsqlResultPage *kvsqld_pg_catalogue_query_run (const KvsqldPgCatalogueQuery *self,
                                                KvsqldPgSession *session, KvsqlSlice sql,
                                                const KvsqlValue *parameters, GError **error);

G_END_DECLS
