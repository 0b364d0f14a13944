/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * group-set.h: a bound grouping set.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A grouping set of several. A tuple is in a group of each of them. */
typedef struct
{
  const guint8 *has;   /* of each grouping expression: 1, or 0: it is NULL in this set */
  const gint64 *marks; /* (array length=n_marks): the values of GROUPING (), then its number */
} KvsqlGroupSet;

G_END_DECLS
