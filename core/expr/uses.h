/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * uses.h: the attributes that a statement reads, for the rights that it needs.
 */
#pragma once

#include "core/schema/attribute-set.h"

G_BEGIN_DECLS

typedef struct _KvsqlRelation KvsqlRelation; /* core/schema/relation.h */

/* Of one relation. */
typedef struct
{
  const KvsqlRelation *relation;
  KvsqlAttributeSet attributes;
} KvsqlUse;

/* Of all its relations, in the arena of the binder. */
typedef struct _KvsqlUses
{
  KvsqlUse *all;
  guint n;
} KvsqlUses;

G_END_DECLS
