/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * content-derived.h: relations whose rows follow from those of other relations, as
 * information_schema does.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define KVSQLD_PG_MAX_SOURCES 8

typedef struct
{
  const gchar *name;
  const gchar *sources[KVSQLD_PG_MAX_SOURCES]; /* up to NULL */
  const gchar *sql;                            /* INSERT … SELECT */
} KvsqldPgDerived;

/* NULL: the rows of the relation follow from no other. */
const KvsqldPgDerived *kvsqld_pg_derived_find (const gchar *name);

G_END_DECLS
