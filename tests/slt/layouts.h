/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * layouts.h: the layouts in which each table of the suite is stored, at the same time.
 *
 * `given` is the suite's own table, by its key, and each of its indexes is a schema. The others are
 * layouts of the whole tuple (or an index), with which every query must have the same result.
 */
#pragma once

#include "tests/slt/table.h"

G_BEGIN_DECLS

typedef struct
{
  gchar *name; /* of the schema */
  gchar *sql;  /* its definition */
} SltSchema;

void slt_schema_free (SltSchema *self);

/* The schemas of a new table, the primary first. @only: names of layouts besides `given`, NULL:
 * all.
 * @is_shared: all in one table of the store, distinguished by their rows. (transfer full) */
GPtrArray *slt_layouts_define (const SltTable *table, const gchar *const *only, gboolean is_shared);
SltSchema *slt_layouts_define_index (const SltTable *table, const SltIndex *index,
                                     gboolean is_shared);
/* The names of all layouts, NULL-terminated. (transfer container) */
const gchar **slt_layouts_list (void);

G_END_DECLS
