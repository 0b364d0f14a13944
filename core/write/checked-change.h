/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-change.h: a change of a tuple whose anchor decides it.
 */
#pragma once

#include "core/write/checked-anchors.h"

G_BEGIN_DECLS

typedef struct
{
  const KvsqlCheckedTuple *before; /* as it was read */
  const KvsqlValue *new;           /* with the same KEY; NULL: DELETE */
  gboolean is_whole;               /* all cells are written, also those that are there already */
  gboolean is_applied;             /* out */
  gboolean is_rejected;            /* out: the reason of an error: a schema cannot hold @new */
} KvsqlCheckedChange;

G_END_DECLS
