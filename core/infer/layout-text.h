/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * layout-text.h: the text of a layout that was found, and names for its attributes.
 */
#pragma once

#include "core/infer/search.h"

G_BEGIN_DECLS

typedef struct
{
  const gchar *name;
  KvsqlType type;
  const gchar *remark; /* nullable */
} KvsqlInferAttribute;

/* Names that are used in one relation. */
typedef struct
{
  KvsqlArena *arena;
  GHashTable *used; /* (element-type utf8) */
} KvsqlInferNames;

/* The stem, or the stem and a number. It lives in the arena. */
const gchar *kvsql_infer_take_name (KvsqlInferNames *self, const gchar *stem);

/* Appends the layout. Adds the attributes to @attributes (element-type KvsqlInferAttribute),
 * without those that have a name already. */
void kvsql_infer_append_layout (const KvsqlInferLayout *layout, KvsqlInferNames *names,
                                GArray *attributes, GString *out);

G_END_DECLS
