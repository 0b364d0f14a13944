/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tuple-change.h: a tuple that is to be replaced by another one.
 */
#pragma once

#include "core/write/checked-anchors.h"

G_BEGIN_DECLS

typedef struct
{
  const KvsqlValue *old; /* as read under the lock of its key; NULL: there is none */
  const KvsqlValue *new; /* NULL: delete */
  gboolean is_applied;   /* out: the change was written */

  /* If the writes of the relation are checked (current-tuples.h): */
  const KvsqlCheckedTuple *before; /* of the old key, or of the new one if there is no old tuple */
  const KvsqlCheckedTuple *target; /* of the new key, if it is another one; else NULL */
} KvsqlChange;

G_END_DECLS
