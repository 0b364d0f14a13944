/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * star.h: the attributes that * or relation.* means.
 */
#pragma once

#include "core/expr/binder.h"

G_BEGIN_DECLS

typedef struct
{
  guint attribute;
  const gchar *name;
  const KvsqlBinderRelation *relation; /* nullable: there is one only, or USING merged the column */
} KvsqlStarColumn;

/* @of: the relation; text NULL: all. *out is in the arena of the binder. Hidden attributes are left
 * out. */
gboolean kvsql_star_expand (const KvsqlBinder *binder, const KvsqlName *of, KvsqlStarColumn **out,
                            guint *out_n, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
