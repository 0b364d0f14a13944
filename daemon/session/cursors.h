/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cursors.h: a cache of SELECTs between two pages, for the next fetch.
 *
 * It is only a cache: a cursor that is not in it is resumed from its token.
 *
 * Threads: locked. A cursor that was taken belongs to the taker.
 */
#pragma once

#include "daemon/session/cursor.h"

G_BEGIN_DECLS

typedef struct _KvsqldCursors KvsqldCursors;

KvsqldCursors *kvsqld_cursors_new (void);
void kvsqld_cursors_free (KvsqldCursors *self); /* accepts NULL */
/* Limits of the cache. */
typedef struct
{
  guint max;
  gsize max_bytes;
  gsize max_bytes_of_session;
} KvsqldCursorBounds;

/* (transfer full) @cursor. If the cache is over its limits, the least recently used cursors are
 * freed, those of the same session first. The session's newest one stays, unless it alone is over
 * the limit. */
void kvsqld_cursors_put (KvsqldCursors *self, KvsqldCursor *cursor,
                         const KvsqldCursorBounds *bounds);
/* (transfer full) (nullable): the cursor of that id, if its next page is @page (0: any). */
KvsqldCursor *kvsqld_cursors_take (KvsqldCursors *self, const guint8 *id, guint32 page);
/* Frees cursors that were not used for @idle_us. */
void kvsqld_cursors_sweep (KvsqldCursors *self, gint64 idle_us);
/* @out_bytes: (optional): their memory */
guint kvsqld_cursors_get_size (KvsqldCursors *self, gsize *out_bytes);

G_END_DECLS
