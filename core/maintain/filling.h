/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * filling.h: checks whether a new schema already holds every tuple, and nothing else.
 *
 * It does not if the relation has tuples already. It also does not if its tables hold older cells
 * that would be read as tuples: of a dropped schema, of a dropped relation, or of another program.
 * Then the schema is not read before BACKFILL has compared it with the primary. The check only
 * reads.
 */
#pragma once

#include "core/catalog/catalog.h"
#include "core/write/storage.h"

G_BEGIN_DECLS

/* Why a new schema cannot be read at once. */
typedef struct
{
  gboolean must_be_filled; /* by BACKFILL, before the schema is read */
  gboolean has_tuples;     /* the relation has tuples */
  guint64 n_read;          /* cells in the schema's tables that were examined */
  guint64 n_extra;         /* of these, cells that belong to the schema, and to no tuple */
  gboolean has_more;       /* there are more cells, which were not examined */
} KvsqlFilling;

/* Whether the relation of that primary has tuples. */
gboolean kvsql_schema_has_tuples (KvsqlStore *store, const KvsqlSchema *primary,
                                  const KvsqlCall *call, gboolean *out,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* @entry: the relation with its other schemas */
gboolean kvsql_schema_check_filling (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                                     const KvsqlSchema *schema, const KvsqlCall *call,
                                     KvsqlFilling *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
