/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * proof-schema.h: the proof that a schema's definition is unambiguous.
 */
#pragma once

#include "core/catalog/schema.h"

G_BEGIN_DECLS

/* Decides which values may not contain their separator, and rejects a schema that is ambiguous even
 * then. Changes only is_restricted of the schema's elements and n_restricted. */
gboolean kvsql_schema_prove (KvsqlSchema *self, const KvsqlDefineSchema *definition,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

typedef enum
{
  KVSQL_SHARING_NONE,     /* proved: they have no cell in common */
  KVSQL_SHARING_POSSIBLE, /* neither proved, nor an example found */
  KVSQL_SHARING_FOUND,    /* there is an example of two tuples with the same cell */
} KvsqlSharing;

/* Whether tuples of the two could use one cell. @out_cell_key: (transfer full) (nullable): the cell
 * that was found, as text. Fails if the layouts are too complex. */
gboolean kvsql_schema_find_shared (const KvsqlSchema *self, const KvsqlSchema *other,
                                   KvsqlSharing *out_sharing, gchar **out_cell_key,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Fails with an example if both are written and could write the same cell. @span: the position of
 * the error. */
gboolean kvsql_schema_check_disjoint (const KvsqlSchema *self, const KvsqlSchema *other,
                                      KvsqlSpan span, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
