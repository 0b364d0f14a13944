/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * prepared.h: describes a prepared statement to its client.
 */
#pragma once

#include "core/engine/result-page.h"

G_BEGIN_DECLS

typedef struct _KvsqldParsed KvsqldParsed; /* daemon/session/statements.h */

typedef struct
{
  gint64 id;
  KvsqldParsed *parsed; /* owns the texts and the columns */
  guint n_parameters;
  const gchar *const *parameter_names; /* NULL entries for `?` and `$n` */
  KvsqlType *parameter_types; /* KVSQL_TYPE_NULL: any is accepted, or it was not asked for */
  const KvsqlLimitKind *parameter_limits; /* nullable: of these, as of SMALLINT */
  guint n_columns;
  const KvsqlResultColumn *columns;
} KvsqldPrepared;

KvsqldPrepared *kvsqld_prepared_new (gint64 id, KvsqldParsed *parsed);
void kvsqld_prepared_free (KvsqldPrepared *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldPrepared, kvsqld_prepared_free)

G_END_DECLS
