/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * window-current.h: the current row of a window, and where its partition and peers end.
 */
#pragma once

#include "core/exec/window-rows.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlWindowRows *rows;
  gboolean has_order;
  guint64 row;
  KvsqlWindowPlace place;

  /* of this file: what is known already */
  gboolean has_end, has_peers_end;
  guint64 end, end_of;             /* of the partition that begins with row end_of */
  guint64 peers_end, peers_end_of; /* of the peers that begin with row peers_end_of */
} KvsqlWindowCurrent;

/* Moves to @row, which is known and not before the last one. */
gboolean kvsql_window_current_move (KvsqlWindowCurrent *self, guint64 row,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The row after the last one of the partition. Reads all of the partition. */
gboolean kvsql_window_current_find_end (KvsqlWindowCurrent *self, guint64 *out,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The row after the last peer of the current row. Reads up to that. */
gboolean kvsql_window_current_find_peers_end (KvsqlWindowCurrent *self, guint64 *out,
                                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether @row, which is not before the partition, belongs to it. Reads up to @row. */
gboolean kvsql_window_current_has (KvsqlWindowCurrent *self, guint64 row, gboolean *out,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
