/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-steps.h: what checked writes and loads do before and after their anchors are decided.
 */
#pragma once

#include "core/write/apply.h"
#include "core/write/checked-change.h"

G_BEGIN_DECLS

/* A change on its way. */
typedef struct
{
  KvsqlCheckedChange *change;
  KvsqlAnchor anchor; /* that it makes */
  guint first, n;     /* its mutations in the list */
  gboolean
      is_redone;    /* these are made again: @anchor has more older tuples than it was made with */
  gboolean is_over; /* there is nothing to write any more, although it is applied */
} KvsqlCheckedStep;

typedef struct
{
  KvsqlArena *arena; /* of @steps */
  KvsqlMutationList *list;
  KvsqlCheckedStep *steps;
  guint n;
} KvsqlCheckedSteps;

/**
 * kvsql_checked_steps_prepare:
 * @is_load: the anchors are those of a load
 *
 * Makes anchors and cells. What a schema cannot hold is not decided: an error. A change whose
 * anchor has no room has no step: what it waits for is finished first. To be cleared in any case.
 */
gboolean kvsql_checked_steps_prepare (KvsqlCheckedSteps *self, const KvsqlCheckedWriter *writer,
                                      KvsqlCheckedChange *changes, guint n, gboolean is_load,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Writes the cells of the changes that are applied, and clears their anchors. */
gboolean kvsql_checked_steps_finish (KvsqlCheckedSteps *self, const KvsqlCheckedWriter *writer,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

void kvsql_checked_steps_clear (KvsqlCheckedSteps *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqlCheckedSteps, kvsql_checked_steps_clear)

G_END_DECLS
