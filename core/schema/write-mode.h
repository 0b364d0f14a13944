/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * write-mode.h: how several schemas of a tuple are kept equal, on a store without atomic batches.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  KVSQL_WRITES_PLAIN,
  KVSQL_WRITES_CHECKED, /* anchors decide (core/anchor) */
  KVSQL_WRITES_BLIND,   /* of whole tuples, at places that the KEY decides: nothing is read */
  KVSQL_WRITES_PAUSED,  /* there are none, until all daemons know that the mode changes */
} KvsqlWriteMode;

G_END_DECLS
