/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * prepared.h: describes a prepared statement to its client.
 */
#pragma once

#include "core/engine/result-page.h"

G_BEGIN_DECLS

typedef struct
{
  gint64 id;
  guint n_parameters;
  gchar **parameter_names; /* n_parameters + 1, NULL entries for `?` */
  KvsqlType *parameter_types;
  guint n_columns;
  const KvsqlResultColumn *columns;
  KvsqlArena *arena; /* of @columns */
} KvsqldPrepared;

/* @names: of the parameters, NULL for `?`; @columns: of the rows that the statement returns. Both
 * are copied. The id is 0. */
KvsqldPrepared *kvsqld_prepared_new (const gchar *const *names, guint n_parameters,
                                     const KvsqlResultColumn *columns, guint n_columns);
void kvsqld_prepared_free (KvsqldPrepared *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldPrepared, kvsqld_prepared_free)

G_END_DECLS
