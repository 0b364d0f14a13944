/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * content.h: the rows of the catalogue's relations, from the definitions.
 *
 * Relations have numbers that follow from their names, so that they are the same on every daemon,
 * and after a restart. Relations that the definitions say nothing about have no rows, or those of
 * facts-rows.c.
 *
 * Threads: that of the database.
 */
#pragma once

#include "core/catalog/catalog.h"
#include "daemon/postgres/catalogue/functions.h"

G_BEGIN_DECLS

/* Creates the table of the relation @name (facts.h) and fills it, with those that it is made of,
 * unless @database has it already: @made has the names of these. */
gboolean kvsqld_pg_content_add (KvsqldPgDatabase *database, GHashTable *made, const gchar *name,
                                const KvsqlCatalog *definitions,
                                const KvsqldPgCatalogueSession *session,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
