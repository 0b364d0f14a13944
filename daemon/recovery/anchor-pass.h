/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * anchor-pass.h: one pass over the table of the anchors, which removes those that no writer needs
 * any more (core/write/dead-anchors.h), in small steps.
 *
 * A step is a few parts of the anchors of one relation: as many as take a fraction of a second. A
 * pass can stop after any step, and goes on there.
 *
 *   - Of a relation whose writes are checked, the anchors of deleted tuples are removed.
 *   - Of one whose writes are paused, none is.
 *   - If no definition has the relation, all anchors are removed: it was dropped, or its writes are
 *     not checked any more, or are checked again, with new anchors. All daemons have to have the
 *     definitions that say so.
 *
 * Threads: belongs to one thread.
 */
#pragma once

#include "daemon/cluster/definitions.h"

G_BEGIN_DECLS

typedef struct _KvsqlStorage KvsqlStorage; /* core/write/storage.h */

typedef struct
{
  gint64 before;       /* KvsqlDeadAnchors.before, of the whole pass */
  guint64 relation_id; /* the next step begins here; @part 0: at the first relation from here on */
  guint32 part;
  guint32 n_parts; /* of the next step, if the relation has so many left */
  gboolean is_over;
} KvsqldAnchorPass;

/* What a step needs, and what it has done. */
typedef struct
{
  KvsqlStorage *storage;
  KvsqldRegistry *registry;
  KvsqlCatalog *catalog; /* that the step uses */
  const KvsqlCall *call; /* has a deadline: a step that needs longer goes on later */
  guint64 n_dead;        /* out: anchors of deleted tuples that were removed */
  guint64 n_orphaned;    /* out: anchors of relations that are not defined */
} KvsqldAnchorStep;

/* Decides which anchors are old enough, and removes nothing. @age_ms: as of
 * kvsql_dead_anchors_find_limit(), which says when the first step may follow */
gboolean kvsqld_anchor_pass_begin (KvsqldAnchorPass *self, KvsqlStorage *storage, gint64 age_ms,
                                   const KvsqlCall *call, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* How much of the present relation is done, in percent. */
guint kvsqld_anchor_pass_get_percent (const KvsqldAnchorPass *self);
/* After an error the pass can go on. */
gboolean kvsqld_anchor_pass_step (KvsqldAnchorPass *self, KvsqldAnchorStep *step,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
